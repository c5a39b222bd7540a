#include "record_test.h"

#define PROVIDER "12345678-9abc-def0-1122-334455667788"

static etl_record_walk walk_of(const uint8_t *data, uint32_t size)
{
    return etl_record_walk_start((etl_buffer_view){data, size, false});
}

static uint64_t total(const opened *o, int code)
{
    return etl_trace_diag(o->trace)->totals[code];
}

static bool accounts(const opened *o)
{
    const etl_session_info *s = etl_trace_session(o->trace, 0);
    return s->bytes_header + s->bytes_used + s->bytes_padding + s->bytes_skipped == s->file_size;
}

Test(walk, kinds_without_a_layout_are_kept_raw)
{
    /* TIMED, ERROR, a type that nobody knows, the historical 0xA0 word, and 0xB0, which has a time.
     */
    static const struct {
        uint8_t bytes[24];
        uint8_t opcode;
        bool timed;
    } cases[] = {{{24, 0, 12, 0xC0, 1, 2, 3}, 12, false},
                 {{24, 0, 13, 0xC0, 1, 2, 3}, 13, false},
                 {{24, 0, 99, 0xC0, 1, 2, 3}, 99, false},
                 {{24, 0, 0, 0xA0, 1, 2, 3}, 0, false},
                 {{24, 0, 5, 0xB0, 1, 2, 3, 0, 9}, 5, true}};
    for (size_t i = 0; i < ETL_COUNT_OF(cases); i++) {
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 0);
        etl_build_perfinfo(b, 8, 0x0F2E, 2, 4, NULL, 0);
        etl_build_raw(b, cases[i].bytes, 24);
        etl_build_perfinfo(b, 8, 0x0F2F, 2, 20, NULL, 0);
        opened o = open_built(b);
        next_record(&o);
        cr_assert_eq(next_record(&o).hook_id, 0x0F2E);
        etl_record r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_OTHER);
        cr_assert_str_eq(etl_record_kind_name(&r), "OTHER");
        cr_assert_eq(r.opcode, cases[i].opcode);
        /* Without a time of its own it stands where it stands. */
        cr_assert_eq(r.raw_time, cases[i].timed ? 9 : 4);
        cr_assert_eq(r.payload.size, 20);
        cr_assert_arr_eq(r.payload.data, cases[i].bytes + 4, 20);
        cr_assert_eq(next_record(&o).hook_id, 0x0F2F);
        cr_assert_eq(total(&o, ETL_DIAG_RECORD_UNKNOWN), 1);
        cr_assert_eq(etl_trace_session(o.trace, 0)->records_unknown, 1);
        cr_assert_eq(etl_trace_session(o.trace, 0)->records, 4);
        close_trace(&o);
    }
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
        cr_assert(accounts(&o));
        close_trace(&o);
    }
}

Test(walk, record_smaller_than_its_header_ends_the_buffer)
{
    /* One byte less than the header of each kind. */
    static const uint8_t kinds[][8] = {
        {0, 0, 1, 0xC0, 0x1F},  {0, 0, 2, 0xC0, 0x1F},  {0x2F, 0, 10, 0xC0}, {0x2F, 0, 20, 0xC0},
        {0, 0, 16, 0xC0, 0x0F}, {0, 0, 17, 0xC0, 0x0F}, {0x4F, 0, 18, 0xC0}, {0x4F, 0, 19, 0xC0},
        {0, 0, 3, 0xC0, 0x17},  {0, 0, 4, 0xC0, 0x17},  {0x47, 0, 11, 0xC0}, {0x47, 0, 21, 0xC0},
        {0x2F, 0, 14, 0xC0},    {0x2F, 0, 0, 0x00},     {7, 0, 15, 0xC0},    {7, 0, 12, 0xC0},
        {0x0F, 0, 0, 0xB0}};
    for (size_t i = 0; i < ETL_COUNT_OF(kinds); i++) {
        uint8_t small[0x50] = {0};
        memcpy(small, kinds[i], sizeof kinds[i]);
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 0);
        etl_build_raw(b, small, sizeof small);
        etl_build_perfinfo(b, 8, 0x0F2E, 2, 1, NULL, 0);
        etl_build_buffer(b, 0);
        etl_build_perfinfo(b, 8, 0x0F2F, 2, 2, NULL, 0);
        opened o = open_built(b);
        next_record(&o);
        cr_assert_eq(next_record(&o).hook_id, 0x0F2F);
        const etl_diag *diag = etl_trace_diag(o.trace);
        cr_assert_eq(diag->totals[ETL_DIAG_RECORD_BAD], 1);
        cr_assert_eq(diag->row_count, 1);
        cr_assert_eq(diag->rows[0].offset, 4096 + 72);
        cr_assert(accounts(&o));
        close_trace(&o);
    }
}

/* A WPP message whose options promise more than its size: kept raw, with nothing made up. */
Test(walk, message_smaller_than_its_options)
{
    static const uint8_t message[16] = {16, 0, 0, 0x90, 1, 0, 0x03, 0, 5, 6, 7, 8};
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_raw(b, message, sizeof message);
    etl_build_perfinfo(b, 8, 0x0F2E, 2, 1, NULL, 0);
    opened o = open_built(b);
    next_record(&o);
    etl_record r = next_record(&o);
    cr_assert_eq(r.kind, ETL_HEADER_OTHER);
    cr_assert_eq(r.flags, 0);
    cr_assert_eq(r.sequence, 0);
    cr_assert_eq(r.payload.size, 12);
    cr_assert_eq(next_record(&o).hook_id, 0x0F2E);
    cr_assert_eq(total(&o, ETL_DIAG_RECORD_UNKNOWN), 1);
    close_trace(&o);
}

/* Readers set every field: what was in the record before does not show. */
Test(walk, nothing_of_the_previous_record_stays)
{
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_system(b, 4, 0x0501, 3, 1, 2, 1, "abc", 3);
    etl_build_perfinfo(b, 8, 0x0F2E, 2, 2, "abc", 3);
    etl_build_full(b, 4, PROVIDER, 1, 2, 3, 4, 3, "abc", 3);
    etl_build_event_record(b, 8, &(etl_build_event){.provider = PROVIDER, .time = 4}, "abc", 3);
    etl_build_message(b, NULL, 1, 0, 1, 2, 5, "abc", 3);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    etl_record_walk clean = walk_of(bytes + 4096, etl_load_u32(bytes + 4096 + 0x30));
    etl_record_walk dirty = clean;
    for (int i = 0; i < 5; i++) {
        etl_record a, d;
        memset(&a, 0, sizeof a);
        memset(&d, 0xA5, sizeof d);
        cr_assert_eq(etl_record_walk_next(&clean, &a), ETL_OK);
        cr_assert_eq(etl_record_walk_next(&dirty, &d), ETL_OK);
        cr_assert_eq(memcmp(&a, &d, sizeof a), 0, "record %d", i);
    }
    free(bytes);
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
    etl_build_compact(b, 8, 0x0501, 3, 1, 2, 6, "abcdefgh", 8);
    etl_build_instance(b, 4, PROVIDER, PROVIDER, 1, 2, 3, 4, 7, "abcdefgh", 8);
    etl_build_wnode(b, false, PROVIDER, 8, "abcdefgh", 8);
    static const uint8_t timed[16] = {16, 0, 12, 0xC0};
    etl_build_raw(b, timed, sizeof timed);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    /* ends of the records: 72 + 40, + 24, + 51 (56), + 84 (88), + 44 (48), + 32, + 80, + 56, + 16
     */
    const size_t start = 4096 + 72;
    const size_t ends[] = {start + 40,  start + 64,  start + 115, start + 204, start + 252,
                           start + 288, start + 368, start + 424, start + 440};
    const size_t count = ETL_COUNT_OF(ends);
    for (size_t cut = start; cut <= ends[count - 1]; cut++) {
        size_t whole = 0;
        while (whole < count && ends[whole] <= cut)
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

/* A compressed buffer that was cut cannot be unpacked; the whole ones before it can. */
Test(walk, truncated_compressed_buffer_is_skipped)
{
    etl_build *b = etl_build_new(&(etl_build_options){.compression = ETL_BUILD_XPRESS});
    for (int i = 1; i <= 2; i++) {
        etl_build_buffer(b, 0);
        etl_build_perfinfo(b, 8, (uint16_t)(0x0F00 + i), 2, i, "abcdefgh", 8);
    }
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    size_t first = etl_load_u32(bytes);
    size_t last = first + etl_load_u32(bytes + first);
    for (size_t cut = last + 72; cut < size; cut++) {
        uint8_t *part = malloc(cut);
        memcpy(part, bytes, cut);
        opened o = open_trace(part, cut, ETL_TIME_MIN, ETL_TIME_MAX);
        next_record(&o);
        cr_assert_eq(next_record(&o).hook_id, 0x0F01);
        etl_record r;
        cr_assert_eq(etl_cursor_next(o.cursor, &r, NULL), ETL_END);
        cr_assert_eq(total(&o, ETL_DIAG_BUFFER_TRUNCATED), 1);
        cr_assert_eq(etl_trace_session(o.trace, 0)->bytes_skipped, cut - last - 72);
        cr_assert(accounts(&o));
        close_trace(&o);
    }
    free(bytes);
}

/* Bits of buffer headers and records flipped one by one: no crash, no byte unaccounted for. */
Test(walk, survives_flipped_bits)
{
    static const etl_build_compression kinds[] = {ETL_BUILD_PLAIN, ETL_BUILD_XPRESS};
    for (size_t k = 0; k < ETL_COUNT_OF(kinds); k++) {
        etl_build_item item = {ETL_EXT_SID, "\1\1\0\0\0\0\0\5\22\0\0\0", 12};
        etl_build *b = etl_build_new(
            &(etl_build_options){.compression = kinds[k], .buffer_size = 1024, .mode = 0x2});
        etl_build_buffer(b, 1);
        etl_build_system(b, 8, 0x0501, 3, 1, 2, 1, "abcdefgh", 8);
        etl_build_event_record(
            b, 8,
            &(etl_build_event){.provider = PROVIDER, .time = 4, .items = &item, .item_count = 1},
            "abcd", 4);
        etl_build_message(b, PROVIDER, 1, 0xAA, 1, 2, 5, "abcd", 4);
        size_t size;
        uint8_t *bytes = etl_build_finish(b, &size);
        size_t end = etl_load_u32(bytes) + 72 + 200;
        for (size_t bit = 0; bit < (end < size ? end : size) * 8; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            etl_source *source;
            etl_trace *trace;
            cr_assert_eq(etl_source_open(etl_test_memory_file(bytes, size), &source, NULL), ETL_OK);
            if (etl_trace_open(&source, 1, &trace, NULL) == ETL_OK) {
                opened o = {.trace = trace};
                cr_assert_eq(etl_cursor_open(trace, ETL_TIME_MIN, ETL_TIME_MAX, &o.cursor, NULL),
                             ETL_OK);
                etl_record r;
                while (etl_cursor_next(o.cursor, &r, NULL) == ETL_OK)
                    cr_assert(r.payload.size <= r.size);
                cr_assert(accounts(&o), "bit %zu", bit);
                etl_cursor_close(o.cursor);
                etl_trace_close(trace);
            }
            etl_source_close(source);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        free(bytes);
    }
}

/* Zeros to the end of the data are fill; zeros before more data are a lost page. */
Test(walk, zeros_amid_data_are_damage)
{
    for (int amid = 0; amid < 2; amid++) {
        static const uint8_t zeros[64];
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 0);
        etl_build_perfinfo(b, 8, 0x0F2E, 2, 1, NULL, 0);
        etl_build_raw(b, zeros, sizeof zeros);
        if (amid)
            etl_build_perfinfo(b, 8, 0x0F2F, 2, 2, NULL, 0);
        opened o = open_built(b);
        next_record(&o);
        cr_assert_eq(next_record(&o).hook_id, 0x0F2E);
        cr_assert_eq(total(&o, ETL_DIAG_RECORD_BAD), amid ? 1 : 0);
        cr_assert_eq(etl_trace_session(o.trace, 0)->bytes_skipped, amid ? 64 + 16 : 0);
        cr_assert(accounts(&o));
        close_trace(&o);
    }
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
