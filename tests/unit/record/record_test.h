/* Opening built bytes as a trace. */
#ifndef ETL_RECORD_TEST_H
#define ETL_RECORD_TEST_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "builder.h"
#include "record/record.h"

typedef struct opened {
    uint8_t *bytes;
    etl_source *source;
    etl_trace *trace;
    etl_cursor *cursor;
} opened;

/* Takes the bytes over. */
static inline opened open_trace(uint8_t *bytes, size_t size, etl_time begin, etl_time end)
{
    opened o = {.bytes = bytes};
    etl_error error = {0};
    cr_assert_eq(etl_source_open(etl_test_memory_file(bytes, size), &o.source, &error), ETL_OK,
                 "%s", error.message);
    cr_assert_eq(etl_trace_open(&o.source, 1, &o.trace, &error), ETL_OK, "%s", error.message);
    cr_assert_eq(etl_cursor_open(o.trace, begin, end, &o.cursor, &error), ETL_OK, "%s",
                 error.message);
    return o;
}

static inline opened open_built(etl_build *b)
{
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    return open_trace(bytes, size, ETL_TIME_MIN, ETL_TIME_MAX);
}

static inline etl_record next_record(opened *o)
{
    etl_record record;
    cr_assert_eq(etl_cursor_next(o->cursor, &record, NULL), ETL_OK);
    return record;
}

static inline void close_trace(opened *o)
{
    etl_cursor_close(o->cursor);
    etl_trace_close(o->trace);
    etl_source_close(o->source);
    free(o->bytes);
}

#endif
