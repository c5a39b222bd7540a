#include "record_test.h"

#define PROVIDER "12345678-9abc-def0-1122-334455667788"

static etl_record_walk walk_of(const uint8_t *data, uint32_t size)
{
    return etl_record_walk_start((etl_buffer_view){data, size});
}

static uint64_t total(const opened *o, int code)
{
    return etl_trace_diag(o->trace)->totals[code];
}

Test(walk, unknown_kinds_are_skipped_by_their_size)
{
    /* Header types without a reader (12, TIMED), the historical 0xA0 and 0xB0 words, and a WNODE
       whose first word is its size. */
    static const uint8_t timed[16] = {16, 0, 12, 0xC0};
    static const uint8_t ulong32[24] = {24, 0, 0, 0xB0};
    static const uint8_t wnode[48] = {48, 0, 0, 0};
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_raw(b, timed, sizeof timed);
    etl_build_perfinfo(b, 8, 0x0F2E, 2, 1, NULL, 0);
    etl_build_raw(b, ulong32, sizeof ulong32);
    etl_build_raw(b, wnode, sizeof wnode);
    etl_build_perfinfo(b, 8, 0x0F2F, 2, 2, NULL, 0);
    opened o = open_built(b);
    next_record(&o);
    cr_assert_eq(next_record(&o).hook_id, 0x0F2E);
    cr_assert_eq(next_record(&o).hook_id, 0x0F2F);
    etl_record r;
    cr_assert_eq(etl_cursor_next(o.cursor, &r, NULL), ETL_END);
    cr_assert_eq(total(&o, ETL_DIAG_RECORD_UNKNOWN), 3);
    cr_assert_eq(etl_trace_session(o.trace, 0)->records_unknown, 3);
    close_trace(&o);
}

Test(walk, an_impossible_size_ends_the_buffer_only)
{
    static const uint8_t sizes[] = {0, 7, 0xFF};
    for (size_t i = 0; i < sizeof sizes; i++) {
        uint8_t bad[16] = {sizes[i], sizes[i] == 0xFF ? 0xFF : 0, 0x13, 0xC0};
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 0);
        etl_build_perfinfo(b, 8, 0x0F2E, 2, 1, NULL, 0);
        etl_build_raw(b, bad, sizeof bad);
        etl_build_perfinfo(b, 8, 0x0F2F, 2, 2, NULL, 0);
        etl_build_buffer(b, 0);
        etl_build_perfinfo(b, 8, 0x0F30, 2, 3, NULL, 0);
        opened o = open_built(b);
        next_record(&o);
        cr_assert_eq(next_record(&o).hook_id, 0x0F2E);
        cr_assert_eq(next_record(&o).hook_id, 0x0F30);
        cr_assert_eq(total(&o, ETL_DIAG_RECORD_BAD), 1);
        const etl_session_info *s = etl_trace_session(o.trace, 0);
        cr_assert_eq(s->bytes_header + s->bytes_used + s->bytes_padding + s->bytes_skipped,
                     s->file_size);
        close_trace(&o);
    }
}

Test(walk, record_smaller_than_its_header_is_counted)
{
    static const uint8_t small[16] = {16, 0, 0x13, 0xC0}; /* EVENT_HEADER needs 80 bytes */
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_raw(b, small, sizeof small);
    opened o = open_built(b);
    next_record(&o);
    cr_assert_eq(total(&o, ETL_DIAG_RECORD_UNKNOWN), 1);
    close_trace(&o);
}

Test(walk, damaged_item_chain_keeps_the_event)
{
    static const struct {
        uint16_t size, data_size;
    } bad[] = {{0, 0}, {4, 0}, {16, 9}, {0xFFF8, 8}};
    for (size_t i = 0; i < ETL_COUNT_OF(bad); i++) {
        uint8_t item[16] = {(uint8_t)bad[i].size,
                            (uint8_t)(bad[i].size >> 8),
                            1,
                            0,
                            1,
                            0,
                            (uint8_t)bad[i].data_size,
                            0};
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 0);
        etl_build_event_record(
            b, 8, &(etl_build_event){.provider = PROVIDER, .id = 3, .flags = 1, .time = 1}, item,
            sizeof item);
        opened o = open_built(b);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.id, 3);
        cr_assert(r.flags & ETL_RECORD_BAD_EXTENDED);
        cr_assert_eq(r.payload.size, 16);
        cr_assert_eq(total(&o, ETL_DIAG_RECORD_EXTENDED), 1);
        close_trace(&o);
    }
}

/* Every event wholly before the cut is found, whatever the cut. */
Test(walk, truncated_at_every_byte)
{
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_system(b, 8, 0x0501, 3, 1, 2, 1, "abcdefgh", 8);
    etl_build_perfinfo(b, 4, 0x0F2E, 2, 2, "abcdefgh", 8);
    etl_build_full(b, 4, PROVIDER, 1, 2, 3, 4, 3, "abc", 3);
    etl_build_event_record(b, 8, &(etl_build_event){.provider = PROVIDER, .time = 4}, "abcd", 4);
    etl_build_message(b, PROVIDER, 1, 0xAA, 1, 2, 5, "abcd", 4);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    /* ends of the five records: 72 + 40, + 24, + 51 (56), + 84 (88), + 44 */
    const size_t start = 4096 + 72;
    const size_t ends[] = {start + 40, start + 64, start + 115, start + 204, start + 252};
    for (size_t cut = start; cut <= ends[4]; cut++) {
        size_t whole = 0;
        while (whole < 5 && ends[whole] <= cut)
            whole++;
        uint8_t *part = malloc(cut);
        memcpy(part, bytes, cut);
        opened o = open_trace(part, cut, ETL_TIME_MIN, ETL_TIME_MAX);
        next_record(&o);
        size_t found = 0;
        etl_record r;
        while (etl_cursor_next(o.cursor, &r, NULL) == ETL_OK)
            found++;
        cr_assert_eq(found, whole, "cut at %zu: %zu records, expected %zu", cut, found, whole);
        cr_assert_eq(total(&o, ETL_DIAG_BUFFER_TRUNCATED), 1);
        close_trace(&o);
    }
    free(bytes);
}

Test(walk, fill_ends_the_buffer)
{
    uint8_t data[120];
    memset(data, 0xFF, sizeof data);
    etl_record_walk walk = walk_of(data, sizeof data);
    etl_record r;
    cr_assert_eq(etl_record_walk_next(&walk, &r), ETL_END);
    cr_assert_eq(walk.damaged_position, 0);
    memset(data, 0, sizeof data);
    walk = walk_of(data, sizeof data);
    cr_assert_eq(etl_record_walk_next(&walk, &r), ETL_END);
    walk = walk_of(data, 72);
    cr_assert_eq(etl_record_walk_next(&walk, &r), ETL_END);
}
