/* Drives a trace through scan, catalog, bindings and columns. */
#include "columnar/columnar.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    BATCH_ROWS = 4096,           /* the columns of all events fit the second-level cache */
    BATCH_BYTES = 4 << 20,       /* of payload for each BATCH_ROWS, and as much again */
    BATCH_BYTES_LIMIT = 1 << 30, /* keeps 32-bit offsets far away, whatever size is asked for */
    EVENT_TEXT_BYTES = 16 << 20, /* JSON of one event; a payload has 64 KiB at the most */
    PROGRESS_RECORDS = 1 << 15
};

struct etl_decoder {
    etl_trace *trace;
    etl_decoder_options options;
    etl_catalog *catalog;
    etl_collector collector;
    etl_types types;
    etl_bindings bindings;
    uint32_t *builds; /* by source */
    etl_intern intern;
    etl_filter filter;
    etl_cursor *cursor;
    etl_batch *batches[ETL_DECODER_BATCHES];
    /* Bit i: batch i is here. Other threads give batches back. */
    _Atomic unsigned idle;
    etl_slice *slices;
    size_t slice_count;
    etl_str text;
    uint64_t batch_bytes; /* payload and longer texts made of it, in this batch */
    uint64_t event_bytes; /* of such texts in this event */
    bool cut;             /* some text of this event is not whole */
    int64_t next_id;
    uint64_t records_done;
    uint64_t total_bytes, total_records;
    etl_decoder_totals totals;
    bool started, ended;
};

static int report_progress(etl_decoder *decoder, uint64_t done)
{
    if (!decoder->options.progress)
        return ETL_OK;
    return decoder->options.progress(done, 2 * decoder->total_bytes,
                                     decoder->options.progress_context);
}

static int on_scan(const etl_record *record, void *context, etl_error *error)
{
    etl_decoder *decoder = context;
    if (ETL_UNLIKELY(++decoder->records_done % PROGRESS_RECORDS == 0)) {
        uint64_t done = record->file_offset;
        for (size_t i = 0; i < record->source; i++)
            done += etl_source_size(etl_trace_source(decoder->trace, i));
        int r = report_progress(decoder, done);
        if (r != ETL_OK)
            return etl_fail(error, r, "interrupted");
    }
    return etl_collect(&decoder->collector, record, error);
}

int etl_decoder_open(etl_trace *trace, const etl_decoder_options *options,
                     etl_decoder **ret_decoder, etl_error *error)
{
    if (!trace || !ret_decoder)
        return etl_fail(error, ETL_ERR_ARG, "etl_decoder_open: trace and result are needed");
    etl_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the decoder");
    decoder->trace = trace;
    if (options)
        decoder->options = *options;
    if (!decoder->options.batch_rows)
        decoder->options.batch_rows = BATCH_ROWS;
    decoder->filter = (etl_filter)ETL_FILTER_INIT;
    decoder->next_id = 1;
    for (size_t i = 0; i < etl_trace_source_count(trace); i++)
        decoder->total_bytes += etl_source_size(etl_trace_source(trace, i));

    int r = etl_catalog_new(decoder->options.pack_path, etl_trace_diag(trace), &decoder->catalog,
                            error);
    if (r != ETL_OK)
        goto fail;
    decoder->collector.catalog = decoder->catalog;
    r = etl_trace_scan(trace, on_scan, decoder, error);
    if (r != ETL_OK)
        goto fail;
    r = etl_catalog_freeze(decoder->catalog, error);
    if (r != ETL_OK)
        goto fail;
    decoder->total_records = decoder->records_done;
    decoder->records_done = 0;
    if (etl_types_init(&decoder->types, decoder->catalog)) {
        r = etl_fail(error, ETL_ERR_NOMEM, "out of memory for event types");
        goto fail;
    }
    decoder->bindings.catalog = decoder->catalog;
    decoder->bindings.types = &decoder->types;
    decoder->bindings.diag = etl_trace_diag(trace);
    size_t sources = etl_trace_source_count(trace);
    decoder->builds = calloc(sources, sizeof *decoder->builds);
    if (!decoder->builds) {
        r = etl_fail(error, ETL_ERR_NOMEM, "out of memory for the decoder");
        goto fail;
    }
    for (size_t i = 0; i < sources; i++)
        decoder->builds[i] = etl_trace_session(trace, i)->os_build;
    decoder->bindings.builds = decoder->builds;
    *ret_decoder = decoder;
    return ETL_OK;

fail:
    etl_decoder_close(decoder);
    return r;
}

etl_decoder *etl_decoder_close(etl_decoder *decoder)
{
    if (!decoder)
        return NULL;
    etl_cursor_close(decoder->cursor);
    for (size_t i = 0; i < ETL_DECODER_BATCHES; i++)
        etl_batch_free(decoder->batches[i]);
    etl_intern_done(&decoder->intern);
    etl_bindings_done(&decoder->bindings);
    etl_types_done(&decoder->types);
    etl_collector_done(&decoder->collector);
    etl_catalog_free(decoder->catalog);
    etl_str_free(&decoder->text);
    free(decoder->slices);
    free(decoder->builds);
    free(decoder);
    return NULL;
}

int etl_decoder_set_filter(etl_decoder *decoder, const etl_filter *filter, etl_error *error)
{
    if (!decoder || !filter || decoder->started)
        return etl_fail(error, ETL_ERR_ARG, "etl_decoder_set_filter: comes before the first batch");
    decoder->filter = *filter;
    return ETL_OK;
}

/* ---- one event into the batch ---- */

/* Columns of the event table that every row has; their memory is reserved with the batch. */
static inline void put(etl_column *column, size_t row, int64_t value)
{
    column->values.ints[row] = value;
    column->length = row + 1;
}

static inline bool add_optional(etl_column *column, size_t row, bool present, uint32_t value)
{
    return !present || etl_column_add_int(column, row, value);
}

static bool add_header(etl_decoder *decoder, etl_batch *batch, const etl_record *record,
                       const etl_type *type, int status)
{
    etl_column *c = batch->events.columns;
    size_t row = batch->events.row_count;
    put(&c[ETL_EVENT_ID], row, decoder->next_id);
    int64_t ts = etl_time_unix_ns(record->time);
    if (ETL_UNLIKELY(ts == INT64_MIN || ts == INT64_MAX))
        etl_diag_add(etl_trace_diag(decoder->trace), ETL_DIAG_TIME_RANGE, record->source,
                     record->file_offset, 1, "raw time %lld", (long long)record->raw_time);
    put(&c[ETL_EVENT_TS], row, ts);
    put(&c[ETL_EVENT_TYPE_ID], row, type->pub.id);
    put(&c[ETL_EVENT_SOURCE_ID], row, record->source + 1);
    put(&c[ETL_EVENT_CPU], row, record->cpu);
    put(&c[ETL_EVENT_LEVEL], row, record->level);
    put(&c[ETL_EVENT_OPCODE], row, record->opcode);
    put(&c[ETL_EVENT_KEYWORDS], row, (int64_t)record->keyword);
    put(&c[ETL_EVENT_VERSION], row, record->version);
    put(&c[ETL_EVENT_STATUS], row, status);
    put(&c[ETL_EVENT_FILE_OFFSET], row, (int64_t)record->file_offset);
    put(&c[ETL_EVENT_RAW_TIME], row, record->raw_time);
    bool ok = add_optional(&c[ETL_EVENT_PROCESS_ID], row, record->flags & ETL_RECORD_HAS_PROCESS,
                           record->process_id) &&
              add_optional(&c[ETL_EVENT_THREAD_ID], row, record->flags & ETL_RECORD_HAS_THREAD,
                           record->thread_id);
    if (record->flags & ETL_RECORD_HAS_ACTIVITY) {
        int64_t id = etl_intern_activity(&decoder->intern, batch, record->activity_id.bytes);
        ok = ok && id && etl_column_add_int(&c[ETL_EVENT_ACTIVITY_ID], row, id);
    }
    if (record->related_activity.size >= 16) {
        int64_t id = etl_intern_activity(&decoder->intern, batch, record->related_activity.data);
        ok = ok && id && etl_column_add_int(&c[ETL_EVENT_RELATED_ACTIVITY_ID], row, id);
    }
    if (record->sid.data) {
        int64_t id = etl_intern_sid(&decoder->intern, batch, record->sid);
        ok = ok && id && etl_column_add_int(&c[ETL_EVENT_USER_ID], row, id);
    }
    if (record->stack.size >= 8) {
        int64_t id =
            etl_intern_stack(&decoder->intern, batch, record->stack, record->stack_pointer_size);
        ok = ok && id && etl_column_add_int(&c[ETL_EVENT_STACK_ID], row, id);
    }
    return ok;
}

static bool add_text(etl_decoder *decoder, etl_column *column, size_t row, const etl_field *field,
                     const etl_slice *slice, uint8_t pointer_size)
{
    if (field->type == ETL_FIELD_TEXT && field->kind == ETL_VALUE_UTF16) {
        size_t units = slice->size / 2;
        uint8_t *to = etl_column_begin_data(column, row, ETL_UTF8_MAX(units));
        if (!to)
            return false;
        etl_column_commit_data(column, etl_utf16_to_utf8(slice->data, units, (char *)to));
        return true;
    }
    if (field->type == ETL_FIELD_TEXT && field->kind == ETL_VALUE_ANSI) {
        uint8_t *to = etl_column_begin_data(column, row, ETL_UTF8_MAX(slice->size));
        if (!to)
            return false;
        etl_column_commit_data(column, etl_ansi_to_utf8(slice->data, slice->size, (char *)to));
        return true;
    }
    if (decoder->event_bytes >= EVENT_TEXT_BYTES) {
        decoder->cut = true;
        return true;
    }
    etl_str_clear(&decoder->text);
    etl_field_text(field, slice, pointer_size, &decoder->text);
    decoder->cut |= decoder->text.size >= ETL_LIMIT_JSON_BYTES;
    decoder->event_bytes += decoder->text.size;
    decoder->batch_bytes += decoder->text.size; /* JSON can be far longer than its payload */
    return !decoder->text.failed &&
           etl_column_add_data(column, row, decoder->text.data, decoder->text.size);
}

static bool map_columns(etl_decoder *decoder, etl_type *type, etl_bound_layout *bound)
{
    const etl_layout *layout = bound->layout;
    uint16_t *columns =
        etl_arena_array(&decoder->bindings.arena, layout->field_count + 1u, sizeof *columns);
    if (!columns)
        return false;
    bool used[ETL_LIMIT_TYPE_COLUMNS + 1] = {0};
    for (size_t i = 0; i < layout->field_count; i++) {
        int column = etl_type_column(&decoder->types, type, &layout->fields[i], used);
        if (column == ETL_TYPE_FULL) {
            bound->partial = true;
            continue;
        }
        if (column < 0)
            return false;
        used[column] = true;
        columns[i] = (uint16_t)(column + 1); /* column 0 of the table is event_id */
    }
    bound->columns = columns;
    return true;
}

static bool add_payload(etl_decoder *decoder, etl_batch *batch, etl_type *type,
                        etl_bound_layout *bound, uint8_t pointer_size)
{
    etl_table *table = etl_batch_table(batch, &type->pub);
    if (!table)
        return false;
    size_t row = table->row_count;
    bool ok = etl_column_add_int(&table->columns[0], row, decoder->next_id);
    const etl_layout *layout = bound->layout;
    for (size_t i = 0; i < layout->field_count && ok; i++) {
        const etl_slice *slice = &decoder->slices[i];
        if (!slice->data || !bound->columns[i])
            continue;
        const etl_field *field = &layout->fields[i];
        etl_column *column = &table->columns[bound->columns[i]];
        switch (field->type) {
        case ETL_FIELD_INT:
            ok = etl_column_add_int(column, row, etl_field_int(field, slice));
            break;
        case ETL_FIELD_DOUBLE:
            ok = etl_column_add_double(column, row, etl_field_double(field, slice));
            break;
        case ETL_FIELD_GUID: ok = etl_column_add_guid(column, row, slice->data); break;
        case ETL_FIELD_BINARY:
            ok = etl_column_add_data(column, row, slice->data, slice->size);
            break;
        default: ok = add_text(decoder, column, row, field, slice, pointer_size);
        }
    }
    batch->event_row[batch->events.row_count] = (uint32_t)row;
    table->row_count = row + 1;
    return ok;
}

static bool add_raw(etl_decoder *decoder, etl_batch *batch, const etl_record *record)
{
    etl_table *table = &batch->raw_payload;
    if (!etl_column_add_int(&table->columns[0], table->row_count, decoder->next_id) ||
        !etl_column_add_data(&table->columns[1], table->row_count, record->payload.data,
                             record->payload.size))
        return false;
    table->row_count++;
    return true;
}

static bool add_extended_row(etl_decoder *decoder, etl_batch *batch, const char *name)
{
    const etl_str *text = &decoder->text;
    etl_table *table = &batch->extended;
    if (text->failed ||
        !etl_column_add_int(&table->columns[0], table->row_count, decoder->next_id) ||
        !etl_column_add_data(&table->columns[1], table->row_count, name, strlen(name)) ||
        !etl_column_add_data(&table->columns[2], table->row_count, text->data, text->size))
        return false;
    table->row_count++;
    return true;
}

static bool add_extended_item(etl_decoder *decoder, etl_batch *batch, const etl_extended_item *item)
{
    char name[ETL_EXTENDED_NAME_SIZE];
    etl_str_clear(&decoder->text);
    return !etl_extended_text(item, name, &decoder->text) || add_extended_row(decoder, batch, name);
}

static bool add_extended_number(etl_decoder *decoder, etl_batch *batch, const char *name,
                                uint32_t value)
{
    etl_str_clear(&decoder->text);
    etl_str_printf(&decoder->text, "%u", value);
    return add_extended_row(decoder, batch, name);
}

/* Extended data items, and what only some headers have. */
static bool add_extended(etl_decoder *decoder, etl_batch *batch, const etl_record *record)
{
    uint32_t position = 0;
    etl_extended_item item;
    while (etl_record_extended_next(record, &position, &item) == ETL_OK)
        if (!add_extended_item(decoder, batch, &item))
            return false;
    item = (etl_extended_item){ETL_EXT_INSTANCE_INFO, etl_record_instance(record)};
    return (!item.data.size || add_extended_item(decoder, batch, &item)) &&
           (!(record->flags & ETL_RECORD_HAS_SEQUENCE) ||
            add_extended_number(decoder, batch, "sequence", record->sequence)) &&
           (!(record->flags & ETL_RECORD_HAS_COMPONENT) ||
            add_extended_number(decoder, batch, "component_id", record->component_id));
}

static bool wants(const etl_decoder *decoder, etl_binding *binding, const etl_record *record)
{
    if (binding->wanted < 0)
        binding->wanted = etl_filter_wants_type(&decoder->filter, &binding->type->pub);
    return binding->wanted && etl_filter_wants_record(&decoder->filter, record);
}

static int add_event(etl_decoder *decoder, etl_batch *batch, const etl_record *record,
                     etl_error *error)
{
    etl_binding *binding = etl_bindings_get(&decoder->bindings, record, error);
    if (!binding)
        return error && error->code < 0 ? error->code : ETL_ERR_NOMEM;
    etl_type *type = binding->type;
    if (!wants(decoder, binding, record)) {
        decoder->totals.filtered++;
        return ETL_OK;
    }
    if (ETL_UNLIKELY(!decoder->slices || decoder->slice_count < binding->max_fields)) {
        size_t count = binding->max_fields * 2u + 1;
        etl_slice *slices = realloc(decoder->slices, count * sizeof *slices);
        if (!slices)
            return etl_fail(error, ETL_ERR_NOMEM, "out of memory for event fields");
        decoder->slices = slices;
        decoder->slice_count = count;
    }
    int status;
    uint8_t pointer_size;
    etl_bound_layout *bound =
        etl_binding_choose(binding, record, decoder->slices, &status, &pointer_size);
    if (bound) {
        if (ETL_UNLIKELY(!bound->columns) && !map_columns(decoder, type, bound))
            return etl_fail(error, ETL_ERR_NOMEM, "out of memory for event columns");
        if (ETL_UNLIKELY(bound->partial))
            status = ETL_STATUS_OPAQUE;
    }
    size_t row = batch->events.row_count;
    batch->event_type[row] = &type->pub;
    batch->event_row[row] = UINT32_MAX;
    bool ok = add_header(decoder, batch, record, type, status);
    int source = ETL_SCHEMA_NONE;
    if (bound) {
        source = bound->layout->schema->source;
        decoder->event_bytes = 0;
        decoder->cut = false;
        ok = ok && add_payload(decoder, batch, type, bound, pointer_size);
        if (ETL_UNLIKELY(decoder->cut && ok)) {
            status = ETL_STATUS_OPAQUE;
            batch->events.columns[ETL_EVENT_STATUS].values.ints[row] = status;
        }
    }
    if (decoder->options.keep_raw || (status >= ETL_STATUS_TRAILING && record->payload.size))
        ok = ok && add_raw(decoder, batch, record);
    if (record->extended.size || record->kind == ETL_HEADER_INSTANCE ||
        record->flags & (ETL_RECORD_HAS_SEQUENCE | ETL_RECORD_HAS_COMPONENT))
        ok = ok && add_extended(decoder, batch, record);
    if (!ok)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for decoded events");
    batch->events.row_count = row + 1;
    type->pub.event_count++;
    type->pub.status_count[status]++;
    decoder->types.providers[type->pub.provider->id - 1]->event_count++;
    decoder->totals.events++;
    decoder->totals.by_status[status]++;
    decoder->totals.by_schema_source[source]++;
    decoder->next_id++;
    return ETL_OK;
}

/* ---- batches ---- */

static etl_batch *take_batch(etl_decoder *decoder)
{
    for (size_t i = 0; i < ETL_DECODER_BATCHES; i++) {
        if (!decoder->batches[i]) {
            decoder->batches[i] = etl_batch_new(decoder->options.batch_rows);
            return decoder->batches[i];
        }
        if (decoder->idle & 1u << i) {
            decoder->idle &= ~(1u << i);
            etl_batch_reset(decoder->batches[i]);
            return decoder->batches[i];
        }
    }
    return NULL;
}

void etl_decoder_recycle(etl_decoder *decoder, etl_batch *batch)
{
    if (!decoder || !batch)
        return;
    /* Places are filled in order, so that those up to the batch's own were written before it was
       handed out; what lies behind it the decoding thread may be filling right now. */
    size_t i = 0;
    while (i < ETL_DECODER_BATCHES && decoder->batches[i] != batch)
        i++;
    if (i < ETL_DECODER_BATCHES)
        decoder->idle |= 1u << i;
}

static bool pad_all(etl_batch *batch)
{
    bool ok = etl_table_pad(&batch->events);
    for (size_t i = 0; i < batch->table_count && ok; i++)
        ok = etl_table_pad(&batch->tables[i]);
    return ok;
}

/* What only the whole trace tells, once. */
static void report_types(etl_decoder *decoder)
{
    static const int codes[ETL_STATUS_COUNT] = {[ETL_STATUS_LOWER_VERSION] =
                                                    ETL_DIAG_SCHEMA_LOWER_VERSION,
                                                [ETL_STATUS_TRAILING] = ETL_DIAG_PAYLOAD_TRAILING,
                                                [ETL_STATUS_SHORT] = ETL_DIAG_PAYLOAD_SHORT,
                                                [ETL_STATUS_OPAQUE] = ETL_DIAG_PAYLOAD_OPAQUE,
                                                [ETL_STATUS_NO_SCHEMA] = ETL_DIAG_SCHEMA_MISSING};
    for (size_t i = 0; i < decoder->types.count; i++) {
        const etl_event_type *type = &decoder->types.types[i]->pub;
        for (int s = ETL_STATUS_LOWER_VERSION; s < ETL_STATUS_COUNT; s++)
            if (codes[s] && type->status_count[s])
                etl_diag_add(etl_trace_diag(decoder->trace), codes[s], ETL_NO_SOURCE, ETL_NO_OFFSET,
                             type->status_count[s], "%s", type->name);
    }
}

static int start_reading(etl_decoder *decoder, etl_time begin, etl_time end, etl_error *error)
{
    if (decoder->started)
        return ETL_OK;
    decoder->started = true;
    return etl_cursor_open(decoder->trace, begin, end, &decoder->cursor, error);
}

static int report_reading(etl_decoder *decoder, etl_error *error)
{
    uint64_t part = decoder->total_records
                        ? (uint64_t)((double)decoder->records_done /
                                     (double)decoder->total_records * (double)decoder->total_bytes)
                        : 0;
    int r = report_progress(decoder, decoder->total_bytes + part);
    return r == ETL_OK ? r : etl_fail(error, r, "interrupted");
}

int etl_decoder_next(etl_decoder *decoder, etl_batch **ret_batch, etl_error *error)
{
    if (!decoder || !ret_batch)
        return etl_fail(error, ETL_ERR_ARG, "etl_decoder_next: decoder and result are needed");
    if (decoder->ended)
        return ETL_END;
    int start = start_reading(decoder, decoder->filter.begin, decoder->filter.end, error);
    if (start != ETL_OK)
        return start;
    etl_batch *batch = take_batch(decoder);
    if (!batch)
        return etl_fail(error, ETL_ERR_NOMEM,
                        "no batch is free: out of memory, or all are still out");
    uint64_t limit = (uint64_t)BATCH_BYTES * (decoder->options.batch_rows / BATCH_ROWS + 1);
    if (limit > BATCH_BYTES_LIMIT)
        limit = BATCH_BYTES_LIMIT;
    decoder->batch_bytes = 0;
    int r = ETL_OK;
    while (batch->events.row_count < batch->event_capacity && decoder->batch_bytes < limit) {
        etl_record record;
        r = etl_cursor_next(decoder->cursor, &record, error);
        if (r != ETL_OK)
            break;
        r = add_event(decoder, batch, &record, error);
        if (r != ETL_OK)
            break;
        decoder->records_done++;
        decoder->batch_bytes += record.payload.size;
    }
    if (r >= ETL_OK && !pad_all(batch))
        r = etl_fail(error, ETL_ERR_NOMEM, "out of memory for decoded events");
    if (r >= ETL_OK) {
        int stop = report_reading(decoder, error);
        r = stop != ETL_OK ? stop : r;
    }
    if (r == ETL_END) {
        decoder->ended = true;
        report_types(decoder);
        r = batch->events.row_count ? ETL_OK : ETL_END;
    }
    if (r == ETL_OK)
        *ret_batch = batch;
    else
        etl_decoder_recycle(decoder, batch);
    return r;
}

int etl_decoder_next_record(etl_decoder *decoder, etl_record *ret_record, bool *ret_wanted,
                            etl_error *error)
{
    if (!decoder || !ret_record || !ret_wanted)
        return etl_fail(error, ETL_ERR_ARG, "etl_decoder_next_record: decoder and results needed");
    int r = start_reading(decoder, ETL_TIME_MIN, ETL_TIME_MAX, error);
    if (r == ETL_OK)
        r = etl_cursor_next(decoder->cursor, ret_record, error);
    if (r != ETL_OK)
        return r;
    if (ETL_UNLIKELY(++decoder->records_done % PROGRESS_RECORDS == 0)) {
        r = report_reading(decoder, error);
        if (r != ETL_OK)
            return r;
    }
    etl_binding *binding = etl_bindings_get(&decoder->bindings, ret_record, error);
    if (!binding)
        return error && error->code < 0 ? error->code : ETL_ERR_NOMEM;
    *ret_wanted = ret_record->time >= decoder->filter.begin &&
                  ret_record->time <= decoder->filter.end && wants(decoder, binding, ret_record);
    *(*ret_wanted ? &decoder->totals.events : &decoder->totals.filtered) += 1;
    return ETL_OK;
}

int etl_decoder_poll(etl_decoder *decoder)
{
    return report_progress(decoder, 2 * decoder->total_bytes);
}

/* ---- what was seen ---- */

size_t etl_decoder_type_count(const etl_decoder *decoder)
{
    return decoder->types.count;
}

const etl_event_type *etl_decoder_type(const etl_decoder *decoder, size_t index)
{
    return index < decoder->types.count ? &decoder->types.types[index]->pub : NULL;
}

size_t etl_decoder_provider_count(const etl_decoder *decoder)
{
    return decoder->types.provider_count;
}

const etl_provider *etl_decoder_provider(const etl_decoder *decoder, size_t index)
{
    return index < decoder->types.provider_count ? decoder->types.providers[index] : NULL;
}

const etl_trace *etl_decoder_trace(const etl_decoder *decoder)
{
    return decoder->trace;
}

const etl_decoder_totals *etl_decoder_totals_get(const etl_decoder *decoder)
{
    return &decoder->totals;
}

size_t etl_decoder_problem_count(const etl_decoder *decoder)
{
    return etl_trace_diag(decoder->trace)->row_count;
}

etl_problem etl_decoder_problem(const etl_decoder *decoder, size_t index)
{
    const etl_diagnostic *row = &etl_trace_diag(decoder->trace)->rows[index];
    return (etl_problem){.code = etl_diag_name(row->code),
                         .severity = etl_severity_name((int)etl_diag_severity(row->code)),
                         .meaning = etl_diag_meaning(row->code),
                         .text = row->text,
                         .source = row->source,
                         .offset = row->offset,
                         .count = row->count};
}
