#include <fcntl.h>
#include <unistd.h>

#include "record_test.h"

static void add(etl_build *b, uint16_t hook, int64_t time)
{
    etl_build_perfinfo(b, 8, hook, 2, time, NULL, 0);
}

/* Hooks in the order of the cursor, the header record left out. */
static size_t collect(opened *o, uint16_t *hooks, size_t most)
{
    size_t count = 0;
    etl_record r;
    while (etl_cursor_next(o->cursor, &r, NULL) == ETL_OK)
        if (r.hook_id && count < most)
            hooks[count++] = r.hook_id;
    return count;
}

Test(merge, processors_by_time_and_ties_by_processor_and_position)
{
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 1);
    add(b, 0x0F01, 10);
    add(b, 0x0F02, 30);
    add(b, 0x0F03, 30);
    etl_build_buffer(b, 0);
    add(b, 0x0F04, 20);
    add(b, 0x0F05, 30);
    etl_build_buffer(b, 1);
    add(b, 0x0F06, 40);
    opened o = open_built(b);
    uint16_t hooks[8];
    cr_assert_eq(collect(&o, hooks, 8), 6);
    static const uint16_t expected[] = {0x0F01, 0x0F04, 0x0F05, 0x0F02, 0x0F03, 0x0F06};
    cr_assert_arr_eq(hooks, expected, sizeof expected);
    close_trace(&o);
}

/* A wrapped circular log: the oldest buffer is not the first in the file. */
Test(merge, circular_by_sequence)
{
    etl_build *b = etl_build_new(&(etl_build_options){.mode = 0x2});
    etl_build_buffer(b, 0);
    add(b, 0x0F03, 30);
    etl_build_buffer(b, 0);
    add(b, 0x0F01, 10);
    etl_build_buffer(b, 0);
    add(b, 0x0F02, 20);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    bytes[1 * 4096 + 0x18] = 9;
    bytes[2 * 4096 + 0x18] = 7;
    bytes[3 * 4096 + 0x18] = 8;
    opened o = open_trace(bytes, size, ETL_TIME_MIN, ETL_TIME_MAX);
    uint16_t hooks[4];
    cr_assert_eq(collect(&o, hooks, 4), 3);
    static const uint16_t expected[] = {0x0F01, 0x0F02, 0x0F03};
    cr_assert_arr_eq(hooks, expected, sizeof expected);
    close_trace(&o);
}

/* An appended log restarts its numbers: file order counts. */
Test(merge, append_by_file_order)
{
    etl_build *b = etl_build_new(&(etl_build_options){.mode = 0x4});
    etl_build_buffer(b, 0);
    add(b, 0x0F01, 10);
    etl_build_buffer(b, 0);
    add(b, 0x0F02, 20);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    bytes[2 * 4096 + 0x18] = 1;
    opened o = open_trace(bytes, size, ETL_TIME_MIN, ETL_TIME_MAX);
    uint16_t hooks[4];
    cr_assert_eq(collect(&o, hooks, 4), 2);
    cr_assert_eq(hooks[0], 0x0F01);
    cr_assert_eq(etl_trace_diag(o.trace)->totals[ETL_DIAG_BUFFER_SEQUENCE_GAP], 0);
    close_trace(&o);
}

Test(merge, time_range_is_inclusive_and_skips_whole_buffers)
{
    etl_build *b = etl_build_new(NULL);
    for (uint16_t i = 0; i < 10; i++) {
        etl_build_buffer(b, 0);
        add(b, (uint16_t)(0x0F00 + 2 * i + 1), 100 * i);
        add(b, (uint16_t)(0x0F00 + 2 * i + 2), 100 * i + 50);
    }
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    const etl_time start = INT64_C(134274384000000000);
    opened o = open_trace(bytes, size, start + 350, start + 400);
    uint16_t hooks[8];
    cr_assert_eq(collect(&o, hooks, 8), 2);
    cr_assert_eq(hooks[0], 0x0F08); /* 350 */
    cr_assert_eq(hooks[1], 0x0F09); /* 400 */
    cr_assert_eq(etl_cursor_buffers_loaded(o.cursor), 2);
    close_trace(&o);
}

Test(merge, several_sources_by_time)
{
    uint8_t *bytes[2];
    size_t sizes[2];
    etl_source *sources[2];
    for (int i = 0; i < 2; i++) {
        etl_build *b = etl_build_new(&(etl_build_options){
            .frequency = i ? 1000 : 10000000, .start_time = INT64_C(134274384000000000) + 5 * i});
        etl_build_buffer(b, 0);
        add(b, i ? 0x0F02 : 0x0F01, i ? 1 : 10);    /* 10010000 + 5 ticks, 10 ticks */
        add(b, i ? 0x0F04 : 0x0F03, i ? 2 : 10010); /* 20005; 10010 */
        bytes[i] = etl_build_finish(b, &sizes[i]);
        cr_assert_eq(etl_source_open(etl_test_memory_file(bytes[i], sizes[i]), &sources[i], NULL),
                     ETL_OK);
    }
    opened o = {0};
    cr_assert_eq(etl_trace_open(sources, 2, &o.trace, NULL), ETL_OK);
    cr_assert_eq(etl_cursor_open(o.trace, ETL_TIME_MIN, ETL_TIME_MAX, &o.cursor, NULL), ETL_OK);
    uint16_t hooks[8];
    cr_assert_eq(collect(&o, hooks, 8), 4);
    static const uint16_t expected[] = {0x0F01, 0x0F02, 0x0F03, 0x0F04};
    cr_assert_arr_eq(hooks, expected, sizeof expected);
    etl_cursor_close(o.cursor);
    etl_trace_close(o.trace);
    for (int i = 0; i < 2; i++) {
        etl_source_close(sources[i]);
        free(bytes[i]);
    }
}

static int count_records(const etl_record *record, void *context, etl_error *error)
{
    (void)record;
    (void)error;
    return ++*(int *)context == 2 ? ETL_END : ETL_OK;
}

static int fail_at_second(const etl_record *record, void *context, etl_error *error)
{
    int r = count_records(record, context, error);
    return r == ETL_END ? ETL_ERR_INTERRUPTED : r;
}

/* Who stops the scan is not called again, but cursors still find every record. */
Test(merge, scan_that_is_stopped_leaves_a_whole_index)
{
    etl_build *b = etl_build_new(NULL);
    for (uint16_t i = 0; i < 5; i++) {
        etl_build_buffer(b, i);
        add(b, 0x0F01, i);
    }
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    opened o = {.bytes = bytes};
    cr_assert_eq(etl_source_open(etl_test_memory_file(bytes, size), &o.source, NULL), ETL_OK);
    cr_assert_eq(etl_trace_open(&o.source, 1, &o.trace, NULL), ETL_OK);
    int count = 0;
    cr_assert_eq(etl_trace_scan(o.trace, count_records, &count, NULL), ETL_OK);
    cr_assert_eq(count, 2);
    cr_assert_eq(etl_trace_session(o.trace, 0)->records, 6);
    cr_assert_eq(etl_trace_scan(o.trace, NULL, NULL, NULL), ETL_ERR_ARG);
    cr_assert_eq(etl_cursor_open(o.trace, ETL_TIME_MIN, ETL_TIME_MAX, &o.cursor, NULL), ETL_OK);
    uint16_t hooks[8];
    cr_assert_eq(collect(&o, hooks, 8), 5);
    close_trace(&o);
}

/* A scan that failed cannot be begun again: totals would count twice. */
Test(merge, failed_scan_is_final)
{
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    add(b, 0x0F01, 1);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    opened o = {.bytes = bytes};
    cr_assert_eq(etl_source_open(etl_test_memory_file(bytes, size), &o.source, NULL), ETL_OK);
    cr_assert_eq(etl_trace_open(&o.source, 1, &o.trace, NULL), ETL_OK);
    int count = 0;
    cr_assert_eq(etl_trace_scan(o.trace, fail_at_second, &count, NULL), ETL_ERR_INTERRUPTED);
    etl_error error = {0};
    cr_assert_eq(etl_cursor_open(o.trace, ETL_TIME_MIN, ETL_TIME_MAX, &o.cursor, &error),
                 ETL_ERR_ARG);
    cr_assert(strstr(error.message, "failed"));
    close_trace(&o);
}

/* Relogged and Windows 7 header buffers: SavedOffset is 0 or ends before the last records. */
Test(merge, header_buffer_records_past_saved_offset)
{
    etl_build *b = etl_build_new(NULL);
    uint32_t header_end = 0;
    add(b, 0x0F01, 1);
    add(b, 0x0F02, 2);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    for (int i = 0; i < 2; i++) {
        header_end = i ? 72 + etl_load_u16(bytes + 72 + 4) : 0;
        memcpy(bytes + 4, &(uint8_t[]){(uint8_t)header_end, (uint8_t)(header_end >> 8), 0, 0}, 4);
        uint8_t *copy = malloc(size);
        memcpy(copy, bytes, size);
        opened o = open_trace(copy, size, ETL_TIME_MIN, ETL_TIME_MAX);
        uint16_t hooks[4];
        cr_assert_eq(collect(&o, hooks, 4), 2);
        close_trace(&o);
    }
    free(bytes);
}

/* Windows XP and 2003: SavedOffset holds the sequence number and the words of flags and type mean
   something else, whatever they are. */
Test(merge, log_from_before_vista)
{
    etl_build *b = etl_build_new(&(etl_build_options){.header32 = true, .clock = 2});
    for (uint16_t i = 0; i < 3; i++) {
        etl_build_buffer(b, 0);
        add(b, (uint16_t)(0x0F01 + i), 1000 + i);
    }
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    bytes[72] = 1;            /* version word */
    bytes[72 + 0x20 + 4] = 5; /* OS 5.2, layout 1.2 */
    bytes[72 + 0x20 + 5] = 2;
    bytes[72 + 0x20 + 7] = 2;
    for (size_t i = 0; i < 4; i++) {
        uint8_t *head = bytes + 4096 * i;
        memset(head + 0x04, 0, 0x0C);
        head[0x04] = (uint8_t)i;
        memset(head + 0x18, 0x5A, 0x10);
        head[0x28] = 0;
        head[0x34] = 0x46; /* would be COMPRESSED and loss */
        head[0x36] = 0x03; /* would be REFTIME */
    }
    opened o = open_trace(bytes, size, ETL_TIME_MIN, ETL_TIME_MAX);
    cr_assert(etl_trace_session(o.trace, 0)->pre_vista);
    uint16_t hooks[4];
    cr_assert_eq(collect(&o, hooks, 4), 3);
    cr_assert_eq(hooks[2], 0x0F03);
    cr_assert_eq(etl_logfile_buffer(etl_trace_logfile(o.trace, 0), 3)->sequence, 3);
    cr_assert_eq(etl_trace_diag(o.trace)->row_count, 0);
    close_trace(&o);
}

/* Types that hold no events, whatever their bytes look like. */
Test(merge, buffers_without_events)
{
    static const uint16_t types[] = {ETL_BUFFER_REFTIME, ETL_BUFFER_EMPTY_MARKER,
                                     ETL_BUFFER_RUNDOWN};
    etl_build *b = etl_build_new(NULL);
    for (uint16_t i = 0; i < 3; i++) {
        etl_build_typed_buffer(b, 0, 0, types[i]);
        add(b, (uint16_t)(0x0F01 + i), i);
    }
    opened o = open_built(b);
    uint16_t hooks[4];
    cr_assert_eq(collect(&o, hooks, 4), 1);
    cr_assert_eq(hooks[0], 0x0F03);
    cr_assert_eq(etl_trace_session(o.trace, 0)->buffers_damaged, 0);
    close_trace(&o);
}

/* The file shrinks between scan and merge: the lost pages read as zeros, and the end says so. */
Test(merge, file_that_shrinks_is_an_error)
{
    etl_build *b = etl_build_new(NULL);
    for (uint16_t i = 0; i < 20; i++) {
        etl_build_buffer(b, 0);
        add(b, 0x0F01, i);
    }
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    opened o = {.bytes = bytes};
    const char *path = etl_test_memory_file(bytes, size);
    int file = open(path, O_RDWR);
    cr_assert_geq(file, 0);
    cr_assert_eq(etl_source_open(path, &o.source, NULL), ETL_OK);
    cr_assert_eq(etl_trace_open(&o.source, 1, &o.trace, NULL), ETL_OK);
    cr_assert_eq(etl_cursor_open(o.trace, ETL_TIME_MIN, ETL_TIME_MAX, &o.cursor, NULL), ETL_OK);
    cr_assert_eq(ftruncate(file, 2 * 4096), 0);
    etl_record r;
    int status;
    do
        status = etl_cursor_next(o.cursor, &r, NULL);
    while (status == ETL_OK);
    cr_assert_eq(status, ETL_ERR_CHANGED);
    close(file);
    close_trace(&o);
}

Test(merge, process_calls_back_and_can_be_stopped)
{
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    for (uint16_t i = 0; i < 5; i++)
        add(b, 0x0F01, i);
    opened o = open_built(b);
    int count = 0;
    cr_assert_eq(
        etl_trace_process(o.trace, count_records, ETL_TIME_MIN, ETL_TIME_MAX, &count, NULL),
        ETL_OK);
    cr_assert_eq(count, 2);
    close_trace(&o);
}
