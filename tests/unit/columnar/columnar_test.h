/* Traces with schemas inside, opened as decoders. */
#ifndef ETL_COLUMNAR_TEST_H
#define ETL_COLUMNAR_TEST_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "builder.h"
#include "columnar/columnar.h"

#define PROVIDER "5b1f6e0c-7a51-4c39-8b52-6f0d5c9be3a2"
#define OTHER    "d7a1c6f0-3c58-4c6f-9d35-0e7b5f1f2a01"
#define METADATA "bbccf6c1-6cd1-48c4-80ff-839482e37671"

/* Raw time 0 of built traces. */
#define START INT64_C(134274384000000000)

/* ---- TRACE_EVENT_INFO and EVENT_MAP_INFO ---- */

typedef struct info_field {
    const char *name;
    uint16_t in, out;
    const char *map;
} info_field;

typedef struct info {
    const char *provider; /* GUID text */
    const char *provider_name, *task_name, *opcode_name;
    uint16_t id;
    uint8_t version, opcode;
    bool classic;
    const info_field *fields;
    size_t field_count;
} info;

static inline void patch(etl_payload *p, size_t at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p->data[at + i] = (uint8_t)(value >> 8 * i);
}

/* Appends a text and stores where it lies. */
static inline void patch_text(etl_payload *p, size_t at, const char *text)
{
    if (!text)
        return;
    patch(p, at, p->size, 4);
    etl_put_wide(p, text);
}

static inline void put_info(etl_build *b, const info *e)
{
    etl_payload p = {.size = 112 + 24 * e->field_count};
    etl_guid guid;
    cr_assert(etl_guid_parse(e->provider, &guid));
    memcpy(p.data, guid.bytes, 16);
    if (e->classic)
        memcpy(p.data + 16, guid.bytes, 16);
    patch(&p, 32, e->id, 2);
    patch(&p, 34, e->version, 1);
    patch(&p, 36, 4, 1);
    patch(&p, 37, e->opcode, 1);
    patch(&p, 48, e->classic, 4);
    patch(&p, 100, e->field_count, 4);
    patch(&p, 104, e->field_count, 4);
    patch_text(&p, 52, e->provider_name);
    patch_text(&p, 68, e->task_name);
    patch_text(&p, 72, e->opcode_name);
    for (size_t i = 0; i < e->field_count; i++) {
        size_t at = 112 + 24 * i;
        patch_text(&p, at + 4, e->fields[i].name);
        patch(&p, at + 8, e->fields[i].in, 2);
        patch(&p, at + 10, e->fields[i].out, 2);
        patch_text(&p, at + 12, e->fields[i].map);
        patch(&p, at + 16, 1, 2);
    }
    etl_build_full(b, 8, METADATA, 32, 0, 4, 8, 0, p.data, p.size);
}

typedef struct map_text {
    uint32_t value;
    const char *text;
} map_text;

static inline void put_map(etl_build *b, const char *provider, const char *name, bool bits,
                           const map_text *entries, size_t count)
{
    /* Offsets count from behind the GUID. */
    etl_payload p = {.size = 16 + 8 * count}, all = {.size = 0};
    patch_text(&p, 0, name);
    patch(&p, 4, bits ? 2 : 1, 4);
    patch(&p, 8, count, 4);
    for (size_t i = 0; i < count; i++) {
        patch_text(&p, 16 + 8 * i, entries[i].text);
        patch(&p, 20 + 8 * i, entries[i].value, 4);
    }
    etl_put_guid(&all, provider);
    etl_put_bytes(&all, p.data, p.size);
    etl_build_full(b, 8, METADATA, 33, 0, 4, 8, 0, all.data, all.size);
}

/* ---- events ---- */

static inline etl_build *new_build(void)
{
    etl_build *b = etl_build_new(&(etl_build_options){.buffer_size = 32768});
    etl_build_buffer(b, 0);
    return b;
}

/* An event of PROVIDER, process 10 and thread 11. */
static inline void put_event(etl_build *b, uint16_t id, uint8_t version, int64_t time,
                             const etl_payload *p)
{
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = PROVIDER,
                                              .id = id,
                                              .version = version,
                                              .level = 4,
                                              .process = 10,
                                              .thread = 11,
                                              .time = time},
                           p->data, p->size);
}

static inline etl_payload u32s(size_t count, const uint32_t *values)
{
    etl_payload p = {.size = 0};
    for (size_t i = 0; i < count; i++)
        etl_put_u32(&p, values[i]);
    return p;
}
#define U32S(...)                                                                                  \
    u32s(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* A TraceLogging event with provider traits. */
static inline void put_tl(etl_build *b, const char *provider, const char *provider_name,
                          const etl_payload *meta, int64_t time, const etl_payload *p)
{
    etl_payload traits = {.size = 0};
    etl_put_traits(&traits, provider_name);
    etl_build_item items[] = {{12, traits.data, (uint16_t)traits.size},
                              {11, meta->data, (uint16_t)meta->size}};
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = provider,
                                              .channel = 11,
                                              .level = 4,
                                              .process = 10,
                                              .thread = 11,
                                              .time = time,
                                              .items = items,
                                              .item_count = 2},
                           p->data, p->size);
}

/* ---- decoders ---- */

typedef struct decoding {
    uint8_t *bytes;
    etl_source *source;
    etl_trace *trace;
    etl_decoder *decoder;
} decoding;

/* Takes the bytes over. */
static inline decoding decode_bytes(uint8_t *bytes, size_t size, const etl_decoder_options *options)
{
    decoding d = {.bytes = bytes};
    etl_error error = {0};
    cr_assert_eq(etl_source_open(etl_test_memory_file(bytes, size), &d.source, &error), ETL_OK,
                 "%s", error.message);
    cr_assert_eq(etl_trace_open(&d.source, 1, &d.trace, &error), ETL_OK, "%s", error.message);
    cr_assert_eq(etl_decoder_open(d.trace, options, &d.decoder, &error), ETL_OK, "%s",
                 error.message);
    return d;
}

static inline decoding decode_built(etl_build *b, const etl_decoder_options *options)
{
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    return decode_bytes(bytes, size, options);
}

static inline void decode_done(decoding *d)
{
    etl_decoder_close(d->decoder);
    etl_trace_close(d->trace);
    etl_source_close(d->source);
    free(d->bytes);
}

static inline void print_table(etl_str *out, const etl_table *table)
{
    for (size_t row = 0; row < table->row_count; row++) {
        etl_str_puts(out, table->name);
        for (size_t i = 0; i < table->column_count; i++) {
            cr_assert_eq(table->columns[i].length, table->row_count);
            if (etl_column_is_null(&table->columns[i], row))
                continue;
            etl_str_printf(out, " %s=", table->columns[i].def->name);
            etl_column_value_text(&table->columns[i], row, true, out);
        }
        etl_str_puts(out, "\n");
    }
}

/* All rows as text, one text a table: the same however the trace is cut into batches. */
enum { RAW_PAYLOAD, EXTENDED, ACTIVITY, SID, STACK, STACK_FRAME, OTHER_COUNT };
typedef struct printed {
    etl_str events;
    etl_str others[OTHER_COUNT];
} printed;

static inline void print_batch(printed *to, const etl_batch *batch)
{
    for (size_t row = 0; row < batch->events.row_count; row++) {
        const etl_event_type *type = batch->event_type[row];
        etl_str_puts(&to->events, type->name);
        for (size_t i = 0; i < batch->events.column_count; i++) {
            const etl_column *column = &batch->events.columns[i];
            cr_assert_eq(column->length, batch->events.row_count);
            if (etl_column_is_null(column, row))
                continue;
            etl_str_printf(&to->events, " %s=%lld", column->def->name,
                           (long long)column->values.ints[row]);
        }
        uint32_t at = batch->event_row[row];
        if (at != UINT32_MAX) {
            const etl_table *table = &batch->tables[type->id - 1];
            cr_assert_eq(table->type, type);
            cr_assert_lt(at, table->row_count);
            cr_assert_eq(table->columns[0].values.ints[at],
                         batch->events.columns[ETL_EVENT_ID].values.ints[row]);
            etl_str_puts(&to->events, ":");
            for (size_t i = 1; i < table->column_count; i++) {
                cr_assert_eq(table->columns[i].length, table->row_count);
                if (etl_column_is_null(&table->columns[i], at))
                    continue;
                etl_str_printf(&to->events, " %s=", table->columns[i].def->name);
                etl_column_value_text(&table->columns[i], at, true, &to->events);
            }
        }
        etl_str_puts(&to->events, "\n");
    }
    const etl_table *others[] = {&batch->raw_payload, &batch->extended, &batch->activity,
                                 &batch->sid,         &batch->stack,    &batch->stack_frame};
    for (size_t i = 0; i < ETL_COUNT_OF(others); i++)
        print_table(&to->others[i], others[i]);
}

/* How often `part` occurs. */
static inline size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; at && (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* Everything that a decoder gives, as text; the decoder is at its end then. */
static inline printed print_all(decoding *d)
{
    printed to = {0};
    etl_batch *batch;
    etl_error error = {0};
    int r;
    while ((r = etl_decoder_next(d->decoder, &batch, &error)) == ETL_OK) {
        print_batch(&to, batch);
        etl_decoder_recycle(d->decoder, batch);
    }
    cr_assert_eq(r, ETL_END, "%s", error.message);
    etl_str_puts(&to.events, "");
    cr_assert_not(to.events.failed);
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        etl_str_puts(&to.others[i], "");
        cr_assert_not(to.others[i].failed);
    }
    return to;
}

static inline void printed_done(printed *p)
{
    etl_str_free(&p->events);
    for (size_t i = 0; i < OTHER_COUNT; i++)
        etl_str_free(&p->others[i]);
}

static inline const etl_event_type *type_named(const etl_decoder *decoder, const char *name)
{
    for (size_t i = 0; i < etl_decoder_type_count(decoder); i++)
        if (strcmp(etl_decoder_type(decoder, i)->name, name) == 0)
            return etl_decoder_type(decoder, i);
    return NULL;
}

#endif
