/* Output into a place with little room: a limit on file sizes acts like a full disk, without root.
 */
#include <signal.h>
#include <sys/resource.h>

#include "../unit/sink/sink_test.h"

static void set_up(void)
{
    directory_make();
    signal(SIGXFSZ, SIG_IGN); /* write then fails with EFBIG */
}

TestSuite(disk_full, .init = set_up, .fini = directory_remove);

static void limit_files(rlim_t size)
{
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size < limit.rlim_max ? size : limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Converts with room for `room` bytes in a file. */
static int convert(const char *input, const char *path, unsigned jobs, rlim_t room,
                   etl_error *error)
{
    etl_source *source;
    etl_trace *trace;
    etl_decoder *decoder;
    *error = (etl_error){0};
    cr_assert_eq(etl_source_open(input, &source, error), ETL_OK, "%s", error->message);
    cr_assert_eq(etl_trace_open(&source, 1, &trace, error), ETL_OK, "%s", error->message);
    cr_assert_eq(etl_decoder_open(trace, &(etl_decoder_options){.keep_raw = true}, &decoder, error),
                 ETL_OK, "%s", error->message);
    limit_files(room);
    etl_convert_options options = {.overwrite = true, .jobs = jobs};
    int r = etl_convert(decoder, path, &options, NULL, error);
    limit_files(RLIM_INFINITY);
    etl_decoder_close(decoder);
    etl_trace_close(trace);
    etl_source_close(source);
    return r;
}

static void assert_old(void)
{
    size_t size;
    char *bytes = read_all(in_directory("old.db"), &size);
    cr_assert_str_eq(bytes, "old");
    free(bytes);
    cr_assert_eq(directory_entries(false), 1, "nothing but the old file");
}

static void assert_fails(const char *input, unsigned jobs, rlim_t room)
{
    etl_error error;
    const char *names[] = {"old.db", "new.db"};
    for (size_t i = 0; i < ETL_COUNT_OF(names); i++) {
        const char *path = in_directory(names[i]);
        cr_assert_eq(convert(input, path, jobs, room, &error), ETL_ERR_OUTPUT, "%s, room %llu",
                     error.message, (unsigned long long)room);
        cr_assert_eq(error.code, ETL_ERR_OUTPUT);
        cr_assert_eq(strncmp(error.message, path, strlen(path)), 0, "names the output: %s",
                     error.message);
        assert_old();
    }
}

Test(disk_full, whatever_the_room)
{
    const char *fixtures = getenv("ETLKIT_FIXTURES");
    cr_assert_not_null(fixtures, "run by meson test");
    char input[4096];
    snprintf(input, sizeof input, "%s/demo.etl", fixtures);
    etl_error error;
    const char *whole = in_directory("whole.db");
    cr_assert_eq(convert(input, whole, 1, RLIM_INFINITY, &error), ETL_OK, "%s", error.message);
    struct stat st;
    cr_assert_eq(stat(whole, &st), 0);
    cr_assert_eq(unlink(whole), 0);
    etl_test_write_file(in_directory("old.db"), "old", 3);
    rlim_t size = (rlim_t)st.st_size;
    rlim_t rooms[] = {0, 1, 8191, 8192, size / 2, size - 8192, size - 1};
    for (size_t i = 0; i < ETL_COUNT_OF(rooms); i++)
        for (unsigned jobs = 1; jobs <= 2; jobs++)
            assert_fails(input, jobs, rooms[i]);
    /* and with just enough room it works */
    cr_assert_eq(convert(input, in_directory("old.db"), 2, size, &error), ETL_OK, "%s",
                 error.message);
    sqlite3 *db = open_database(in_directory("old.db"));
    assert_query(db, "PRAGMA integrity_check", "ok");
    sqlite3_close(db);
    cr_assert_eq(directory_entries(false), 1);
}

/* More than the database's cache holds: writing fails while batches still come. */
Test(disk_full, in_the_middle_of_a_large_trace)
{
    enum { EVENTS = 24000, EVENT_BYTES = 2048 };
    etl_build *b = new_build();
    etl_payload p = {.size = EVENT_BYTES};
    memset(p.data, 0x5A, EVENT_BYTES);
    for (int i = 0; i < EVENTS; i++)
        put_event(b, 1, 0, i, &p);
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    char input[4096];
    snprintf(input, sizeof input, "%s", etl_test_memory_file(bytes, size));
    free(bytes);
    etl_test_write_file(in_directory("old.db"), "old", 3);
    for (unsigned jobs = 1; jobs <= 2; jobs++)
        assert_fails(input, jobs, 4 << 20);
}
