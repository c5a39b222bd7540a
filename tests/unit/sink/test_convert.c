#include "sink_test.h"

TestSuite(convert, .init = directory_make, .fini = directory_remove);

/* A few events; with a watcher that stops the decoder after so many batches. */
static int stop_after;
static int countdown(uint64_t done, uint64_t total, void *context)
{
    (void)done;
    (void)total;
    (void)context;
    return stop_after > 0 && --stop_after == 0 ? ETL_ERR_INTERRUPTED : ETL_OK;
}

static int convert(const char *path, const etl_convert_options *options, etl_error *error)
{
    etl_build *b = new_build();
    etl_payload p = U32S(1, 2);
    for (int i = 0; i < 20; i++)
        put_event(b, 1, 0, 100 + i, &p);
    decoding d = decode_built(b, &(etl_decoder_options){.batch_rows = 2, .progress = countdown});
    *error = (etl_error){0};
    etl_convert_result result = {.events = 77};
    int r = etl_convert(d.decoder, path, options, &result, error);
    cr_assert_eq(result.events, r == ETL_OK ? 21 : 77, "the result is filled on success only");
    if (r != ETL_OK) {
        cr_assert_eq(error->code, r);
        cr_assert_neq(error->message[0], 0);
    }
    decode_done(&d);
    return r;
}

static void put_file(const char *name, const char *text)
{
    etl_test_write_file(in_directory(name), text, strlen(text));
}

static void assert_file(const char *name, const char *text)
{
    size_t size;
    char *bytes = read_all(in_directory(name), &size);
    cr_assert_eq(size, strlen(text));
    cr_assert_str_eq(bytes, text);
    free(bytes);
}

static void assert_database(const char *name)
{
    sqlite3 *db = open_database(in_directory(name));
    assert_query(db, "SELECT count(*) FROM event", "21");
    assert_query(db, "PRAGMA integrity_check", "ok");
    sqlite3_close(db);
}

Test(convert, sinks_by_ending_and_by_name)
{
    cr_assert_str_eq(etl_sink_for("a.db", NULL), "sqlite");
    cr_assert_str_eq(etl_sink_for("dir.x/a.SQLite", NULL), "sqlite");
    cr_assert_str_eq(etl_sink_for("a.sqlite3", NULL), "sqlite");
    cr_assert_str_eq(etl_sink_for("a.txt", "sqlite"), "sqlite");
    cr_assert_null(etl_sink_for("a.txt", NULL));
    cr_assert_null(etl_sink_for("a", NULL));
    cr_assert_null(etl_sink_for(".db", NULL), "an ending alone is no name");
    cr_assert_null(etl_sink_for("a.db", "parquet"));
}

Test(convert, new_file)
{
    etl_error error;
    cr_assert_eq(convert(in_directory("a.db"), NULL, &error), ETL_OK, "%s", error.message);
    assert_database("a.db");
    cr_assert_eq(directory_entries(false), 1, "nothing else is left");
}

Test(convert, name_decides_only_without_a_format)
{
    etl_error error;
    etl_convert_options options = {.format = "sqlite"};
    cr_assert_eq(convert(in_directory("a.txt"), &options, &error), ETL_OK, "%s", error.message);
    assert_database("a.txt");
}

Test(convert, unknown_ending)
{
    etl_error error;
    cr_assert_eq(convert(in_directory("a.txt"), NULL, &error), ETL_ERR_UNSUPPORTED);
    cr_assert_not_null(strstr(error.message, "a.txt"));
    cr_assert_not_null(strstr(error.message, ".db"), "the way out: %s", error.message);
    etl_convert_options options = {.format = "nothing"};
    cr_assert_eq(convert(in_directory("a.db"), &options, &error), ETL_ERR_UNSUPPORTED);
    cr_assert_eq(directory_entries(false), 0);
}

Test(convert, existing_file_is_kept_without_overwrite)
{
    etl_error error;
    put_file("a.db", "old");
    cr_assert_eq(convert(in_directory("a.db"), NULL, &error), ETL_ERR_EXISTS);
    cr_assert_not_null(strstr(error.message, "a.db"));
    assert_file("a.db", "old");
    cr_assert_eq(directory_entries(false), 1);
}

Test(convert, overwrite)
{
    etl_error error;
    put_file("a.db", "old");
    etl_convert_options options = {.overwrite = true};
    cr_assert_eq(convert(in_directory("a.db"), &options, &error), ETL_OK, "%s", error.message);
    assert_database("a.db");
    cr_assert_eq(directory_entries(false), 1);
}

/* Interrupted at every possible place, with and without a second thread: nothing is left behind,
   and the old file stays. */
Test(convert, failure_leaves_no_trace)
{
    put_file("old.db", "old");
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        int r = ETL_ERR_INTERRUPTED, rounds = 0;
        for (int n = 1; r != ETL_OK; n++) {
            etl_error error;
            stop_after = n;
            etl_convert_options options = {.overwrite = true, .jobs = jobs};
            r = convert(in_directory("old.db"), &options, &error);
            if (r == ETL_OK)
                break;
            rounds++;
            cr_assert_eq(r, ETL_ERR_INTERRUPTED, "%s", error.message);
            assert_file("old.db", "old");
            cr_assert_eq(directory_entries(false), 1, "no temporary file");
            stop_after = n;
            cr_assert_eq(convert(in_directory("new.db"), &options, &error), ETL_ERR_INTERRUPTED);
            cr_assert_eq(directory_entries(false), 1, "no new file");
        }
        stop_after = 0;
        cr_assert_geq(rounds, 11, "a call a batch");
        assert_database("old.db");
        put_file("old.db", "old");
    }
}

Test(convert, not_a_regular_file)
{
    etl_error error;
    etl_convert_options options = {.overwrite = true, .format = "sqlite"};
    cr_assert_eq(mkdir(in_directory("d.db"), 0700), 0);
    cr_assert_eq(convert(in_directory("d.db"), &options, &error), ETL_ERR_OUTPUT);
    cr_assert_not_null(strstr(error.message, "regular file"), "%s", error.message);
    cr_assert_eq(mkfifo(in_directory("pipe.db"), 0600), 0);
    cr_assert_eq(convert(in_directory("pipe.db"), &options, &error), ETL_ERR_OUTPUT);
    cr_assert_eq(convert("/dev/null", &options, &error), ETL_ERR_OUTPUT);
    cr_assert_not_null(strstr(error.message, "/dev/null"));
    cr_assert_eq(directory_entries(false), 2);
}

Test(convert, missing_directory)
{
    etl_error error;
    cr_assert_eq(convert(in_directory("no/a.db"), NULL, &error), ETL_ERR_OUTPUT);
    cr_assert_eq(error.system_errno, ENOENT);
    cr_assert_not_null(strstr(error.message, "no/a.db"), "%s", error.message);
    put_file("file", "x");
    cr_assert_eq(convert(in_directory("file/a.db"), NULL, &error), ETL_ERR_OUTPUT);
    cr_assert_eq(error.system_errno, ENOTDIR);
    cr_assert_eq(directory_entries(false), 1);
}

/* Temporary names of an earlier run that was killed are no obstacle, and stay. */
Test(convert, foreign_temporary_files)
{
    char name[64];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "a.db.%ld-%d.tmp", (long)getpid(), i);
        put_file(name, "mine");
    }
    etl_error error;
    cr_assert_eq(convert(in_directory("a.db"), NULL, &error), ETL_OK, "%s", error.message);
    assert_database("a.db");
    assert_file(name, "mine");
    cr_assert_eq(directory_entries(false), 4);
}

/* Someone else makes the file while the conversion runs: it is not replaced. */
static int make_rival(uint64_t done, uint64_t total, void *context)
{
    (void)total;
    if (done)
        put_file(context, "rival");
    return ETL_OK;
}

Test(convert, a_file_that_appears_meanwhile_is_kept)
{
    char name[] = "a.db";
    etl_build *b = new_build();
    etl_payload p = U32S(1);
    put_event(b, 1, 0, 100, &p);
    decoding d =
        decode_built(b, &(etl_decoder_options){.progress = make_rival, .progress_context = name});
    etl_error error = {0};
    cr_assert_eq(etl_convert(d.decoder, in_directory("a.db"), NULL, NULL, &error), ETL_ERR_EXISTS);
    decode_done(&d);
    assert_file("a.db", "rival");
    cr_assert_eq(directory_entries(false), 1);
}

Test(convert, arguments)
{
    etl_error error = {0};
    cr_assert_eq(etl_convert(NULL, "a.db", NULL, NULL, &error), ETL_ERR_ARG);
    decoding d = decode_built(new_build(), NULL);
    cr_assert_eq(etl_convert(d.decoder, NULL, NULL, NULL, &error), ETL_ERR_ARG);
    decode_done(&d);
}
