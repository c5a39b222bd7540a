/* Events as readable lines or JSON lines. */
#include "sink/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "columnar/columnar.h"

struct etl_text_writer {
    FILE *file;
    etl_text_format format;
    etl_str line;
    etl_str value;
    /* Rows of the interned tables, in order of their ids from 1. */
    etl_str activities; /* 16 bytes each */
    etl_arena arena;
    const char **sids;
    size_t sid_count, sid_capacity;
    size_t raw_row; /* in the batch at hand */
};

int etl_text_writer_open(void *stdio_file, etl_text_format format, etl_text_writer **ret_writer,
                         etl_error *error)
{
    if (!stdio_file || !ret_writer)
        return etl_fail(error, ETL_ERR_ARG, "etl_text_writer_open: file and result are needed");
    etl_text_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the text writer");
    writer->file = stdio_file;
    writer->format = format;
    *ret_writer = writer;
    return ETL_OK;
}

etl_text_writer *etl_text_writer_close(etl_text_writer *writer)
{
    if (!writer)
        return NULL;
    etl_str_free(&writer->line);
    etl_str_free(&writer->value);
    etl_str_free(&writer->activities);
    etl_arena_free(&writer->arena);
    free(writer->sids);
    free(writer);
    return NULL;
}

static bool remember(etl_text_writer *writer, const etl_batch *batch)
{
    const etl_table *table = &batch->activity;
    for (size_t i = 0; i < table->row_count; i++)
        etl_str_add(&writer->activities, table->columns[1].values.guids[i].bytes, 16);
    table = &batch->sid;
    for (size_t i = 0; i < table->row_count; i++) {
        const etl_column *column = &table->columns[1];
        if (writer->sid_count == writer->sid_capacity) {
            size_t capacity = writer->sid_capacity ? writer->sid_capacity * 2 : 32;
            const char **sids = realloc(writer->sids, capacity * sizeof *sids);
            if (!sids)
                return false;
            writer->sids = sids;
            writer->sid_capacity = capacity;
        }
        const char *sid = etl_arena_strndup(&writer->arena,
                                            (const char *)column->values.data + column->offsets[i],
                                            column->offsets[i + 1] - column->offsets[i]);
        if (!sid)
            return false;
        writer->sids[writer->sid_count++] = sid;
    }
    return !writer->activities.failed;
}

static void add_guid(etl_str *out, const etl_text_writer *writer, int64_t id)
{
    size_t at = (size_t)(id - 1) * 16;
    if (id < 1 || at + 16 > writer->activities.size)
        return;
    etl_guid guid = etl_guid_load((const uint8_t *)writer->activities.data + at);
    char text[ETL_GUID_TEXT_SIZE];
    etl_guid_text(&guid, text);
    etl_str_puts(out, text);
}

/* Time of a row: exact because ts counts nanoseconds in steps of 100. */
static void add_time(etl_str *out, int64_t ts)
{
    char text[ETL_TIME_TEXT_SIZE];
    int64_t whole = ts / 100 - (ts % 100 < 0);
    etl_time_text(whole + ETL_TIME_UNIX_EPOCH, text);
    etl_str_puts(out, text);
}

static const etl_column *event_column(const etl_batch *batch, int column)
{
    return &batch->events.columns[column];
}

static bool get_int(const etl_batch *batch, int column, size_t row, int64_t *ret)
{
    const etl_column *c = event_column(batch, column);
    if (etl_column_is_null(c, row))
        return false;
    *ret = c->values.ints[row];
    return true;
}

/* Payload bytes of an event, when the batch has them; rows of both tables are in event order. */
static bool find_raw(etl_text_writer *writer, const etl_batch *batch, int64_t event,
                     const uint8_t **ret_data, size_t *ret_size)
{
    const etl_table *table = &batch->raw_payload;
    while (writer->raw_row < table->row_count &&
           table->columns[0].values.ints[writer->raw_row] < event)
        writer->raw_row++;
    if (writer->raw_row >= table->row_count ||
        table->columns[0].values.ints[writer->raw_row] != event)
        return false;
    const etl_column *column = &table->columns[1];
    *ret_data = column->values.data + column->offsets[writer->raw_row];
    *ret_size = column->offsets[writer->raw_row + 1] - column->offsets[writer->raw_row];
    return true;
}

/* ---- one line ---- */

/* Quoted when a reader could not tell where it ends. */
static void add_line_text(etl_str *line, const char *text, size_t size)
{
    bool plain = size > 0;
    for (size_t i = 0; i < size && plain; i++) {
        unsigned char c = (unsigned char)text[i];
        plain = c > ' ' && c != '"' && c != '\\' && c != 0x7F && c < 0x80;
    }
    if (plain) {
        etl_str_add(line, text, size);
        return;
    }
    etl_str_puts(line, "\"");
    etl_str_json(line, text, size);
    etl_str_puts(line, "\"");
}

static void write_line(etl_text_writer *writer, const etl_batch *batch, size_t row)
{
    etl_str *line = &writer->line;
    const etl_event_type *type = batch->event_type[row];
    int64_t n = 0;
    get_int(batch, ETL_EVENT_TS, row, &n);
    add_time(line, n);
    get_int(batch, ETL_EVENT_CPU, row, &n);
    etl_str_printf(line, " cpu=%lld", (long long)n);
    if (get_int(batch, ETL_EVENT_PROCESS_ID, row, &n))
        etl_str_printf(line, " pid=%lld", (long long)n);
    if (get_int(batch, ETL_EVENT_THREAD_ID, row, &n))
        etl_str_printf(line, " tid=%lld", (long long)n);
    etl_str_printf(line, " %s", type->name);
    if (batch->event_row[row] != UINT32_MAX) {
        const etl_table *table = &batch->tables[type->id - 1];
        for (size_t i = 1; i < table->column_count; i++) {
            const etl_column *column = &table->columns[i];
            if (etl_column_is_null(column, batch->event_row[row]))
                continue;
            etl_str_clear(&writer->value);
            etl_column_value_text(column, batch->event_row[row], true, &writer->value);
            etl_str_puts(line, " ");
            add_line_text(line, column->def->name, strlen(column->def->name));
            etl_str_puts(line, "=");
            if (column->def->json)
                etl_str_add(line, writer->value.data, writer->value.size);
            else
                add_line_text(line, writer->value.data ? writer->value.data : "",
                              writer->value.size);
            line->failed |= writer->value.failed;
        }
    }
    get_int(batch, ETL_EVENT_STATUS, row, &n);
    if (n >= ETL_STATUS_LOWER_VERSION)
        etl_str_printf(line, " [%s]", etl_event_status_name((int)n));
    const uint8_t *data;
    size_t size;
    int64_t event = 0;
    get_int(batch, ETL_EVENT_ID, row, &event);
    if (find_raw(writer, batch, event, &data, &size)) {
        etl_str_puts(line, " payload=");
        etl_format_hex(data, size, line);
    }
}

/* ---- JSON ---- */

static void json_text(etl_str *line, const char *key, const char *text)
{
    if (!text)
        return;
    etl_str_printf(line, ",\"%s\":\"", key);
    etl_str_json(line, text, strlen(text));
    etl_str_puts(line, "\"");
}

static void json_int(etl_str *line, const etl_batch *batch, size_t row, int column, const char *key)
{
    int64_t n;
    if (get_int(batch, column, row, &n))
        etl_str_printf(line, ",\"%s\":%lld", key, (long long)n);
}

/* Integers stay numbers (unsigned where declared so), what reads as text is text; a mapped value
   gets a twin with its name. */
static void json_value(etl_text_writer *writer, const etl_column *column, size_t row)
{
    etl_str *line = &writer->line, *value = &writer->value;
    const etl_column_def *def = column->def;
    etl_str_clear(value);
    bool number = false;
    if (def->type == ETL_COLUMN_INT64) {
        number = !etl_out_type_is_time(def->in_type, def->out_type) &&
                 def->out_type != ETL_OUT_IPV4 && def->out_type != ETL_OUT_BOOLEAN;
        if (number) {
            int64_t n = column->values.ints[row];
            bool is_unsigned = def->in_type == ETL_IN_UINT64 || def->in_type == ETL_IN_HEXINT64 ||
                               def->in_type == ETL_IN_POINTER || def->in_type == ETL_IN_SIZET;
            if (is_unsigned)
                etl_str_printf(value, "%llu", (unsigned long long)n);
            else
                etl_str_printf(value, "%lld", (long long)n);
        } else {
            number = def->out_type == ETL_OUT_BOOLEAN;
            etl_column_value_text(column, row, false, value);
        }
    } else {
        etl_column_value_text(column, row, false, value);
        number = def->json;
        if (def->type == ETL_COLUMN_DOUBLE) {
            double d = column->values.doubles[row];
            number = d - d == 0; /* JSON has no NaN and no infinity */
        }
    }
    etl_str_puts(line, number ? "" : "\"");
    if (number)
        etl_str_add(line, value->data, value->size);
    else
        etl_str_json(line, value->data ? value->data : "", value->size);
    etl_str_puts(line, number ? "" : "\"");
    line->failed |= value->failed;
}

/* Whether the event has a property with the name of a column's text twin. */
static bool has_text_property(const etl_table *table, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 1; i < table->column_count; i++) {
        const char *other = table->columns[i].def->name;
        if (strncmp(other, name, length) == 0 && strcmp(other + length, "_text") == 0)
            return true;
    }
    return false;
}

static void write_json(etl_text_writer *writer, const etl_batch *batch, size_t row)
{
    etl_str *line = &writer->line;
    const etl_event_type *type = batch->event_type[row];
    int64_t n = 0;
    get_int(batch, ETL_EVENT_TS, row, &n);
    etl_str_puts(line, "{\"time\":\"");
    add_time(line, n);
    etl_str_puts(line, "\"");
    json_int(line, batch, row, ETL_EVENT_ID, "event_id");
    json_text(line, "provider", type->provider->name);
    char guid[ETL_GUID_TEXT_SIZE];
    etl_guid_text(&type->provider->guid, guid);
    json_text(line, "provider_guid", guid);
    json_text(line, "event_type", type->name);
    json_text(line, "event", type->event_name);
    etl_str_printf(line, ",\"id\":%u", type->event_id);
    json_int(line, batch, row, ETL_EVENT_VERSION, "version");
    json_int(line, batch, row, ETL_EVENT_OPCODE, "opcode");
    json_int(line, batch, row, ETL_EVENT_LEVEL, "level");
    get_int(batch, ETL_EVENT_KEYWORDS, row, &n);
    etl_str_printf(line, ",\"keywords\":\"0x%llX\"", (unsigned long long)n);
    json_int(line, batch, row, ETL_EVENT_CPU, "cpu");
    json_int(line, batch, row, ETL_EVENT_PROCESS_ID, "process_id");
    json_int(line, batch, row, ETL_EVENT_THREAD_ID, "thread_id");
    if (get_int(batch, ETL_EVENT_ACTIVITY_ID, row, &n)) {
        etl_str_puts(line, ",\"activity\":\"");
        add_guid(line, writer, n);
        etl_str_puts(line, "\"");
    }
    if (get_int(batch, ETL_EVENT_RELATED_ACTIVITY_ID, row, &n)) {
        etl_str_puts(line, ",\"related_activity\":\"");
        add_guid(line, writer, n);
        etl_str_puts(line, "\"");
    }
    if (get_int(batch, ETL_EVENT_USER_ID, row, &n) && n >= 1 && (size_t)n <= writer->sid_count)
        json_text(line, "user_sid", writer->sids[n - 1]);
    get_int(batch, ETL_EVENT_STATUS, row, &n);
    json_text(line, "status", etl_event_status_name((int)n));
    etl_str_puts(line, ",\"data\":{");
    if (batch->event_row[row] != UINT32_MAX) {
        const etl_table *table = &batch->tables[type->id - 1];
        bool first = true;
        for (size_t i = 1; i < table->column_count; i++) {
            const etl_column *column = &table->columns[i];
            if (etl_column_is_null(column, batch->event_row[row]))
                continue;
            etl_str_puts(line, first ? "\"" : ",\"");
            first = false;
            etl_str_json(line, column->def->name, strlen(column->def->name));
            etl_str_puts(line, "\":");
            json_value(writer, column, batch->event_row[row]);
            etl_str_clear(&writer->value);
            if (column->def->map && column->def->type == ETL_COLUMN_INT64 &&
                !has_text_property(table, column->def->name) &&
                etl_format_map(column->def->map,
                               (uint64_t)column->values.ints[batch->event_row[row]],
                               &writer->value)) {
                etl_str_puts(line, ",\"");
                etl_str_json(line, column->def->name, strlen(column->def->name));
                etl_str_puts(line, "_text\":\"");
                etl_str_json(line, writer->value.data, writer->value.size);
                etl_str_puts(line, "\"");
            }
        }
    }
    etl_str_puts(line, "}");
    const uint8_t *data;
    size_t size;
    int64_t event = 0;
    get_int(batch, ETL_EVENT_ID, row, &event);
    if (find_raw(writer, batch, event, &data, &size)) {
        etl_str_puts(line, ",\"payload\":\"");
        etl_format_hex(data, size, line);
        etl_str_puts(line, "\"");
    }
    etl_str_puts(line, "}");
}

int etl_text_writer_batch(etl_text_writer *writer, const etl_batch *batch, uint64_t *limit,
                          etl_error *error)
{
    if (!writer || !batch)
        return etl_fail(error, ETL_ERR_ARG, "etl_text_writer_batch: writer and batch are needed");
    if (!remember(writer, batch))
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for text");
    writer->raw_row = 0;
    for (size_t row = 0; row < batch->events.row_count; row++) {
        if (limit && *limit == 0)
            return ETL_OK;
        etl_str_clear(&writer->line);
        if (writer->format == ETL_TEXT_JSON)
            write_json(writer, batch, row);
        else
            write_line(writer, batch, row);
        etl_str_puts(&writer->line, "\n");
        if (writer->line.failed)
            return etl_fail(error, ETL_ERR_NOMEM, "out of memory for text");
        if (fwrite(writer->line.data, 1, writer->line.size, writer->file) != writer->line.size)
            return etl_fail_errno(error, ETL_ERR_OUTPUT, errno, "the text cannot be written");
        if (limit)
            (*limit)--;
    }
    return ETL_OK;
}
