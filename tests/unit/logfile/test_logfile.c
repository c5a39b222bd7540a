#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "builder.h"
#include "logfile/logfile.h"

typedef struct opened {
    uint8_t *bytes;
    size_t size;
    etl_source *source;
    etl_diag diag;
    etl_logfile *logfile;
    int status;
    etl_error error;
} opened;

static opened open_bytes(uint8_t *bytes, size_t size)
{
    opened o = {.bytes = bytes, .size = size};
    o.status = etl_source_open(etl_test_memory_file(bytes, size), &o.source, &o.error);
    if (o.status == ETL_OK)
        o.status = etl_logfile_open(o.source, 0, &o.diag, &o.logfile, &o.error);
    return o;
}

static void close_all(opened *o)
{
    etl_logfile_close(o->logfile);
    etl_source_close(o->source);
    etl_diag_free(&o->diag);
    free(o->bytes);
}

/* A header buffer and three buffers of two processors. */
static uint8_t *three_buffers(const etl_build_options *options, size_t *size)
{
    etl_build *b = etl_build_new(options);
    for (int i = 0; i < 3; i++) {
        etl_build_buffer(b, (uint16_t)(i % 2));
        etl_build_perfinfo(b, 8, 0x0F2E, 2, 100 + i, "0123456789abcdef", 16);
    }
    return etl_build_finish(b, size);
}

static bool accounts(const etl_session_info *s)
{
    return s->bytes_header + s->bytes_used + s->bytes_padding + s->bytes_skipped == s->file_size;
}

Test(logfile, session_of_both_pointer_sizes)
{
    for (int header32 = 0; header32 < 2; header32++) {
        size_t size;
        uint8_t *bytes = three_buffers(&(etl_build_options){.header32 = header32,
                                                            .events_lost = 5,
                                                            .buffers_lost = 2,
                                                            .mode = 0x2,
                                                            .logger_name = "Session A"},
                                       &size);
        opened o = open_bytes(bytes, size);
        cr_assert_eq(o.status, ETL_OK, "%s", o.error.message);
        const etl_session_info *s = etl_logfile_session(o.logfile);
        cr_assert_str_eq(s->logger_name, "Session A");
        cr_assert_str_eq(s->log_file_name, "C:\\test.etl");
        cr_assert_str_eq(s->standard_name, "Test Standard Time");
        cr_assert_eq(s->pointer_size, header32 ? 4 : 8);
        cr_assert_eq(s->bias, -60);
        cr_assert_eq(s->os_build, 26100);
        cr_assert_eq(s->layout_major * 10 + s->layout_minor, 15);
        cr_assert_eq(s->clock, ETL_CLOCK_QPC);
        cr_assert_eq(s->frequency, 10000000);
        cr_assert_eq(s->start_time, INT64_C(134274384000000000));
        cr_assert_eq(s->end_time, s->start_time + 600000000);
        cr_assert_eq(s->buffers_written, 4);
        cr_assert_eq(s->events_lost, 5);
        cr_assert_eq(o.diag.totals[ETL_DIAG_EVENTS_LOST], 5);
        cr_assert_eq(o.diag.totals[ETL_DIAG_BUFFERS_LOST], 2);
        cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4);
        cr_assert_eq(etl_logfile_buffer(o.logfile, 2)->cpu, 1);
        cr_assert(accounts(s));
        close_all(&o);
    }
}

Test(logfile, processor_number_of_old_writers)
{
    size_t size;
    uint8_t *bytes = three_buffers(&(etl_build_options){.processor_number = true}, &size);
    cr_assert_eq(etl_load_u16(bytes + 2 * 4096 + 0x28), 0x0801);
    opened o = open_bytes(bytes, size);
    cr_assert_eq(etl_logfile_buffer(o.logfile, 2)->cpu, 1);
    close_all(&o);
}

Test(logfile, goes_to_the_end_whatever_buffers_written_says)
{
    size_t size;
    uint8_t *bytes = three_buffers(&(etl_build_options){.end_time = -1}, &size);
    opened o = open_bytes(bytes, size);
    cr_assert_eq(etl_logfile_session(o.logfile)->buffers_written, 1);
    cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4);
    cr_assert_eq(o.diag.totals[ETL_DIAG_NOT_CLOSED], 1);
    close_all(&o);
}

Test(logfile, used_length_comes_from_offset)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    uint32_t used = etl_load_u32(bytes + 4096 + 0x30);
    memset(bytes + 4096 + 0x04, 0, 4);     /* SavedOffset 0: Windows 7 header buffers */
    memset(bytes + 4096 + 0x08, 0x7F, 4);  /* CurrentOffset overshoots */
    memset(bytes + 2 * 4096 + 0x30, 0, 4); /* no Offset: SavedOffset serves */
    opened o = open_bytes(bytes, size);
    cr_assert_eq(etl_logfile_buffer(o.logfile, 1)->used, used);
    cr_assert_eq(etl_logfile_buffer(o.logfile, 2)->used, used);
    close_all(&o);
}

Test(logfile, compressed_buffers_of_every_algorithm)
{
    static const etl_build_compression algorithms[] = {ETL_BUILD_LZNT1, ETL_BUILD_XPRESS,
                                                       ETL_BUILD_XPRESS_HUFFMAN};
    for (size_t a = 0; a < ETL_COUNT_OF(algorithms); a++) {
        size_t size;
        uint8_t *bytes = three_buffers(&(etl_build_options){.compression = algorithms[a]}, &size);
        opened o = open_bytes(bytes, size);
        cr_assert_eq(o.status, ETL_OK, "%s", o.error.message);
        cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4);
        etl_scratch scratch = {0};
        etl_buffer_view view;
        cr_assert_eq(etl_logfile_load(o.logfile, 3, &scratch, &view), ETL_OK);
        cr_assert_eq(view.size, 72 + 32);
        cr_assert_arr_eq(view.data + 72 + 16, "0123456789abcdef", 16);
        cr_assert(accounts(etl_logfile_session(o.logfile)));
        etl_scratch_free(&scratch);
        close_all(&o);
    }
}

Test(logfile, a_damaged_compressed_buffer_costs_only_itself)
{
    size_t size;
    uint8_t *bytes = three_buffers(&(etl_build_options){.compression = ETL_BUILD_XPRESS}, &size);
    uint32_t second = etl_load_u32(bytes);
    memset(bytes + second + 72, 0xFF, 8); /* matches before anything was written */
    opened o = open_bytes(bytes, size);
    etl_scratch scratch = {0};
    etl_buffer_view view;
    cr_assert_eq(etl_logfile_load(o.logfile, 1, &scratch, &view), ETL_ERR_DAMAGED);
    cr_assert_eq(etl_logfile_load(o.logfile, 2, &scratch, &view), ETL_OK);
    etl_scratch_free(&scratch);
    close_all(&o);
}

Test(logfile, resynchronises_after_a_bad_buffer)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    memset(bytes + 2 * 4096, 0, 256); /* no header, no record */
    opened o = open_bytes(bytes, size);
    cr_assert_eq(etl_logfile_buffer_count(o.logfile), 3);
    cr_assert_eq(o.diag.totals[ETL_DIAG_BUFFER_BAD], 1);
    const etl_session_info *s = etl_logfile_session(o.logfile);
    cr_assert_eq(s->bytes_skipped, 4096);
    cr_assert(accounts(s));
    close_all(&o);
}

Test(logfile, a_wrong_buffer_size_costs_nothing)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    memset(bytes + 2 * 4096, 0x55, 4);
    opened o = open_bytes(bytes, size);
    cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4);
    cr_assert_eq(o.diag.totals[ETL_DIAG_BUFFER_BAD], 1);
    close_all(&o);
}

static const etl_build_options damaged_kinds[] = {{.compression = ETL_BUILD_PLAIN},
                                                  {.compression = ETL_BUILD_XPRESS}};

/* The diagnostic of a skipped or cut buffer that stands at `offset`. */
static const etl_diagnostic *bad_at(const opened *o, uint64_t offset)
{
    for (size_t i = 0; i < o->diag.row_count; i++)
        if (o->diag.rows[i].code == ETL_DIAG_BUFFER_BAD && o->diag.rows[i].offset == offset)
            return &o->diag.rows[i];
    return NULL;
}

/* Bytes between two buffers: the next one is found wherever it is. */
Test(logfile, finds_the_next_buffer_behind_foreign_bytes)
{
    /* Those about the distance of the buffers let a size word lie across it. */
    static const size_t lengths[] = {1, 7, 100, 4093, 4094, 4095, 4096, 4097, 10000};
    for (size_t k = 0; k < ETL_COUNT_OF(damaged_kinds); k++) {
        for (size_t i = 0; i < ETL_COUNT_OF(lengths); i++) {
            size_t size;
            uint8_t *whole = three_buffers(&damaged_kinds[k], &size);
            uint32_t at = etl_load_u32(whole);
            at += etl_load_u32(whole + at);
            uint8_t *bytes = malloc(size + lengths[i]);
            memcpy(bytes, whole, at);
            memset(bytes + at, 0x7C, lengths[i]);
            memcpy(bytes + at + lengths[i], whole + at, size - at);
            free(whole);
            opened o = open_bytes(bytes, size + lengths[i]);
            cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4, "%zu bytes", lengths[i]);
            cr_assert_eq(etl_logfile_buffer(o.logfile, 2)->offset, at + lengths[i]);
            char text[64];
            snprintf(text, sizeof text, "%zu bytes were skipped", lengths[i]);
            cr_assert_str_eq(bad_at(&o, at)->text, text);
            const etl_session_info *s = etl_logfile_session(o.logfile);
            cr_assert_eq(s->bytes_skipped, lengths[i]);
            cr_assert(accounts(s));
            close_all(&o);
        }
    }
}

/* Bytes of a buffer are missing: it ends where the next one begins, and costs nothing else. */
Test(logfile, a_buffer_that_lost_bytes_costs_only_itself)
{
    for (size_t k = 0; k < ETL_COUNT_OF(damaged_kinds); k++) {
        size_t size;
        uint8_t *bytes = three_buffers(&damaged_kinds[k], &size);
        uint32_t second = etl_load_u32(bytes);
        uint32_t third = second + etl_load_u32(bytes + second);
        memmove(bytes + third - 8, bytes + third, size - third);
        opened o = open_bytes(bytes, size - 8);
        cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4);
        cr_assert_eq(etl_logfile_buffer(o.logfile, 2)->offset, third - 8);
        cr_assert_not_null(bad_at(&o, second));
        cr_assert(accounts(etl_logfile_session(o.logfile)));
        close_all(&o);
    }
}

/* In a compressed log the size word alone tells where the next buffer is. */
Test(logfile, a_wrong_size_of_a_compressed_buffer_costs_nothing)
{
    static const uint32_t sizes[] = {0, 71, 80, 4096, UINT32_MAX};
    for (size_t i = 0; i < ETL_COUNT_OF(sizes); i++) {
        size_t size;
        uint8_t *bytes = three_buffers(&damaged_kinds[1], &size);
        uint32_t second = etl_load_u32(bytes);
        uint32_t stored = etl_load_u32(bytes + second);
        for (int k = 0; k < 4; k++)
            bytes[second + k] = (uint8_t)(sizes[i] >> 8 * k);
        opened o = open_bytes(bytes, size);
        const etl_session_info *s = etl_logfile_session(o.logfile);
        cr_assert(accounts(s));
        cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4, "size %u", sizes[i]);
        cr_assert_eq(etl_logfile_buffer(o.logfile, 1)->stored_size, stored);
        cr_assert_not_null(bad_at(&o, second));
        close_all(&o);
    }
}

/* The size word of the first buffer alone is wrong: the header and the second buffer know better.
 */
Test(logfile, a_wrong_first_buffer_size_costs_nothing)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    bytes[0] = 0x08;
    opened o = open_bytes(bytes, size);
    cr_assert_eq(o.status, ETL_OK);
    cr_assert_eq(etl_logfile_buffer_count(o.logfile), 4);
    cr_assert_eq(o.diag.totals[ETL_DIAG_HEADER_ODD], 1);
    cr_assert(accounts(etl_logfile_session(o.logfile)));
    close_all(&o);
}

/* Clocks that cannot tick are said and taken as 10 MHz; other odd fields are said. */
Test(logfile, odd_header_fields)
{
    const size_t payload = 72 + 0x20;
    static const struct {
        size_t at;
        uint8_t bytes[8];
    } odd[] = {{0x100, {0}},                                              /* frequency 0 */
               {0x100, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}}, /* -1 */
               {0x2C, {3, 0, 0, 0, 0, 0, 0, 0}},                          /* pointer size */
               {0x108, {0}},                                              /* start time */
               {0x110, {9, 0, 0, 0, 0, 0, 0, 0}}};                        /* clock */
    for (size_t i = 0; i < ETL_COUNT_OF(odd); i++) {
        size_t size;
        uint8_t *bytes = three_buffers(NULL, &size);
        memcpy(bytes + payload + odd[i].at, odd[i].bytes, 8);
        opened o = open_bytes(bytes, size);
        cr_assert_eq(o.status, ETL_OK);
        cr_assert_eq(o.diag.totals[ETL_DIAG_HEADER_ODD], 1, "row %zu", i);
        cr_assert_eq(etl_logfile_session(o.logfile)->frequency, 10000000);
        close_all(&o);
    }
}

/* TRACE_LOGFILE_HEADER.ReservedFlags: where the ticks of a second come from. */
Test(logfile, frequency_of_each_clock)
{
    static const struct {
        int clock;
        int64_t frequency;
    } rows[] = {{ETL_CLOCK_QPC, 3579545},
                {ETL_CLOCK_SYSTEM_TIME, 10000000},
                {ETL_CLOCK_CPU_CYCLE, INT64_C(3000000000)}}; /* the builder's CPU has 3,000 MHz */
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        size_t size;
        uint8_t *bytes = three_buffers(
            &(etl_build_options){.clock = rows[i].clock, .frequency = 3579545}, &size);
        opened o = open_bytes(bytes, size);
        cr_assert_eq(etl_logfile_session(o.logfile)->clock, rows[i].clock);
        cr_assert_eq(etl_logfile_session(o.logfile)->frequency, rows[i].frequency);
        close_all(&o);
    }
}

/* The first record is a kernel record, but not the logfile header. */
Test(logfile, names_the_hook_that_is_wrong)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    bytes[0x4E] = 0x50;
    opened o = open_bytes(bytes, size);
    cr_assert_eq(o.status, ETL_ERR_NOT_ETL);
    cr_assert_eq(o.error.offset, 0x4E);
    cr_assert(strstr(o.error.message, "0x0050"));
    close_all(&o);
}

/* Names without a NUL, and of lone surrogates, end where their record ends. */
Test(logfile, hostile_names)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    size_t record = etl_load_u16(bytes + 72 + 4);
    for (size_t i = 0x20 + 0x118; i + 1 < record; i += 2)
        memcpy(bytes + 72 + i, "\x01\xD8", 2);
    opened o = open_bytes(bytes, size);
    cr_assert_eq(o.status, ETL_OK);
    const etl_session_info *s = etl_logfile_session(o.logfile);
    cr_assert_eq(strlen(s->logger_name), 3 * ((record - 0x20 - 0x118) / 2));
    cr_assert_str_eq(s->log_file_name, "");
    close_all(&o);
}

Test(logfile, preallocated_tail_is_padding)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    bytes = realloc(bytes, size + 10000);
    memset(bytes + size, 0, 10000);
    opened o = open_bytes(bytes, size + 10000);
    cr_assert_eq(o.diag.totals[ETL_DIAG_BUFFER_TRAILING], 1);
    cr_assert_eq(o.diag.totals[ETL_DIAG_BUFFER_BAD], 0);
    cr_assert(accounts(etl_logfile_session(o.logfile)));
    close_all(&o);
}

Test(logfile, sequence_gap_is_reported)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    bytes[3 * 4096 + 0x18] = 9;
    opened o = open_bytes(bytes, size);
    cr_assert_eq(o.diag.totals[ETL_DIAG_BUFFER_SEQUENCE_GAP], 6);
    close_all(&o);
}

Test(logfile, loss_flags_are_reported)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    bytes[2 * 4096 + 0x34] |= ETL_BUFFER_EVENTS_LOST;
    bytes[3 * 4096 + 0x34] |= ETL_BUFFER_BUFFER_LOST;
    opened o = open_bytes(bytes, size);
    cr_assert_eq(o.diag.totals[ETL_DIAG_BUFFER_LOSS_FLAG], 2);
    cr_assert_eq(o.diag.rows[0].offset, 2 * 4096);
    close_all(&o);
}

Test(logfile, every_truncation_accounts_or_is_refused)
{
    size_t size;
    uint8_t *bytes = three_buffers(NULL, &size);
    for (size_t cut = 1; cut < size; cut += cut < 4200 ? 1 : 97) {
        uint8_t *part = malloc(cut);
        memcpy(part, bytes, cut);
        opened o = open_bytes(part, cut);
        if (o.status == ETL_OK)
            cr_assert(accounts(etl_logfile_session(o.logfile)), "cut at %zu", cut);
        else
            cr_assert_eq(o.status, ETL_ERR_NOT_ETL, "cut at %zu: %s", cut, o.error.message);
        close_all(&o);
    }
    free(bytes);
}

Test(logfile, refuses_other_files_with_one_clear_line)
{
    static const char text[] = "This is a text file, not a trace. It is long enough to hold a "
                               "buffer header and the first record, but there are none in it.";
    uint8_t *bytes = malloc(sizeof text);
    memcpy(bytes, text, sizeof text);
    opened o = open_bytes(bytes, sizeof text);
    cr_assert_eq(o.status, ETL_ERR_NOT_ETL);
    cr_assert_eq(o.error.offset, 0x48);
    cr_assert(strstr(o.error.message, "not an ETL file"));
    cr_assert_not(strchr(o.error.message, '\n'));
    close_all(&o);
}
