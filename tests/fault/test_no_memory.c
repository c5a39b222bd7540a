/* Every allocation may fail: the library's own (the linker wraps them) and SQLite's. Each run must
   end in an error or in a complete database, and leave nothing behind. */
#include "../unit/sink/sink_test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
/* There under AddressSanitizer only. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static bool counting, forever; /* fails once, or from then on */
static unsigned long allocations, fail_at;

static bool may_allocate(void)
{
    if (!counting)
        return true;
    allocations++;
    return !(forever ? allocations >= fail_at : allocations == fail_at);
}

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return may_allocate() ? __real_realloc(old, size) : NULL;
}

/* SQLite calls the C library directly, but lets its methods be replaced. */
static sqlite3_mem_methods real_methods;

static void *sqlite_malloc(int size)
{
    return may_allocate() ? real_methods.xMalloc(size) : NULL;
}

static void *sqlite_realloc(void *old, int size)
{
    return may_allocate() ? real_methods.xRealloc(old, size) : NULL;
}

static void set_up(void)
{
    directory_make();
}

static void count_sqlite(void)
{
    cr_assert_eq(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_methods), SQLITE_OK);
    sqlite3_mem_methods methods = real_methods;
    methods.xMalloc = sqlite_malloc;
    methods.xRealloc = sqlite_realloc;
    cr_assert_eq(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods), SQLITE_OK);
    /* no pool of small blocks in front of them */
    cr_assert_eq(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
    cr_assert_eq(sqlite3_initialize(), SQLITE_OK);
}

TestSuite(no_memory, .init = set_up, .fini = directory_remove);

/* The whole way in one thread, so that allocations come in the same order in each run. */
static int convert(const char *input, etl_error *error)
{
    etl_source *source = NULL;
    etl_trace *trace = NULL;
    etl_decoder *decoder = NULL;
    *error = (etl_error){0};
    etl_decoder_options options = {.batch_rows = 4, .keep_raw = true};
    etl_convert_options to = {.jobs = 1, .overwrite = true, .command = "test"};
    int r = etl_source_open(input, &source, error);
    if (r == ETL_OK)
        r = etl_trace_open(&source, 1, &trace, error);
    if (r == ETL_OK)
        r = etl_decoder_open(trace, &options, &decoder, error);
    if (r == ETL_OK)
        r = etl_convert(decoder, in_directory("out.db"), &to, NULL, error);
    etl_decoder_close(decoder);
    etl_trace_close(trace);
    etl_source_close(source);
    return r;
}

/* All rows of all tables and views. Diagnostics are left out: they are dropped rather than let
   fail. */
static char *contents(void)
{
    sqlite3 *db = open_database(in_directory("out.db"));
    assert_query(db, "PRAGMA integrity_check", "ok");
    char *names = query(db, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND "
                            "name NOT LIKE 'sqlite_%' AND name<>'diagnostic' ORDER BY name");
    etl_str all = {0};
    for (char *save, *name = strtok_r(names, "\n", &save); name;
         name = strtok_r(NULL, "\n", &save)) {
        char sql[512];
        snprintf(sql, sizeof sql, "SELECT * FROM \"%s\"", name);
        char *rows = query(db, sql);
        etl_str_printf(&all, "%s\n%s\n", name, rows);
        free(rows);
    }
    free(names);
    sqlite3_close(db);
    cr_assert_not(all.failed);
    return all.data;
}

static void fail_everywhere(unsigned long runs)
{
    const char *fixtures = getenv("ETLKIT_FIXTURES");
    cr_assert_not_null(fixtures, "run by meson test");
    char input[4096];
    snprintf(input, sizeof input, "%s/demo.etl", fixtures);

    etl_error error;
    fail_at = 0;
    forever = false;
    allocations = 0;
    counting = true;
    int r = convert(input, &error);
    counting = false;
    cr_assert_eq(r, ETL_OK, "%s", error.message);
    unsigned long total = allocations;
    cr_assert_gt(total, 100, "allocations are counted");
    char *expected = contents();
    cr_assert_eq(unlink(in_directory("out.db")), 0);

    unsigned long step = total / runs + 1, failures = 0;
    for (int mode = 0; mode < 2; mode++) {
        /* One failure finds more than a lasting one, which ends each run soon. */
        for (unsigned long n = 1; n <= total; n += mode ? 8 * step : step) {
            fail_at = n;
            forever = mode;
            allocations = 0;
            counting = true;
            r = convert(input, &error);
            counting = false;
            cr_assert_geq(allocations, n, "the failure was reached");
            if (r == ETL_OK) {
                char *found = contents();
                cr_assert_str_eq(found, expected, "allocation %lu of %lu", n, total);
                free(found);
                cr_assert_eq(unlink(in_directory("out.db")), 0);
            } else {
                failures++;
                cr_assert(r == ETL_ERR_NOMEM || r == ETL_ERR_OUTPUT || r == ETL_ERR_IO,
                          "allocation %lu of %lu: %d %s", n, total, r, error.message);
                cr_assert_eq(error.code, r, "allocation %lu of %lu", n, total);
                cr_assert_neq(error.message[0], 0);
            }
            cr_assert_eq(directory_entries(false), 0, "allocation %lu of %lu left a file", n,
                         total);
        }
    }
    cr_assert_gt(failures, 10);
    free(expected);
    if (__lsan_do_recoverable_leak_check)
        cr_assert_eq(__lsan_do_recoverable_leak_check(), 0, "memory is lost on a way out");
}

Test(no_memory, of_the_library, .timeout = 100)
{
    fail_everywhere(400); /* every single one */
}

Test(no_memory, of_the_library_and_sqlite, .timeout = 100)
{
    count_sqlite();
    fail_everywhere(400);
}
