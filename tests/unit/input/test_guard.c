#include "scratch.h"

#include <signal.h>
#include <sys/mman.h>

#include "etlkit/source.h"
#include "input/guard.h"

static scratch pages(size_t count)
{
    size_t size = count * (size_t)sysconf(_SC_PAGESIZE);
    char *data = malloc(size);
    memset(data, 'x', size);
    scratch s = scratch_file(data, size);
    free(data);
    return s;
}

Test(guard, reads_of_lost_pages_give_zeros_and_are_reported)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    scratch s = pages(8);
    etl_source *source;
    etl_error error;
    cr_assert_eq(etl_source_open(s.path, &source, &error), ETL_OK);
    const volatile uint8_t *data = etl_source_data(source);
    cr_assert_eq(data[0], 'x');
    cr_assert_eq(etl_source_check(source, &error), ETL_OK);
    cr_assert_eq(truncate(s.path, (off_t)page), 0);
    for (size_t i = 0; i < 8; i++)
        cr_assert_eq(data[i * page + 5], i == 0 ? 'x' : 0);
    cr_assert_eq(etl_source_check(source, &error), ETL_ERR_CHANGED);
    cr_assert_eq(error.code, ETL_ERR_CHANGED);
    cr_assert_eq(strncmp(error.message, s.path, strlen(s.path)), 0);
    cr_assert_not_null(strstr(error.message, "shrank"));
    etl_source_close(source);
    unlink(s.path);
}

/* Bytes behind the end of a file within its last page read as zeros without any signal. */
Test(guard, a_file_that_shrank_within_its_last_page_is_reported)
{
    scratch s = pages(1);
    etl_source *source;
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    cr_assert_eq(truncate(s.path, 100), 0);
    cr_assert_eq(etl_source_check(source, NULL), ETL_ERR_CHANGED);
    etl_source_close(source);
    unlink(s.path);
}

Test(guard, a_file_that_grows_or_is_replaced_is_fine)
{
    scratch s = pages(2);
    etl_source *source;
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    cr_assert_eq(truncate(s.path, 1 << 20), 0);
    cr_assert_eq(etl_source_check(source, NULL), ETL_OK);
    scratch other = scratch_file("short", 5);
    cr_assert_eq(rename(other.path, s.path), 0);
    cr_assert_eq(etl_source_check(source, NULL), ETL_OK, "another file has the name now");
    cr_assert_eq(unlink(s.path), 0);
    cr_assert_eq(etl_source_check(source, NULL), ETL_OK, "the mapping keeps a deleted file");
    etl_source_close(source);
}

Test(guard, each_source_is_watched_for_itself)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    scratch a = pages(4), b = pages(4);
    etl_source *first, *second;
    cr_assert_eq(etl_source_open(a.path, &first, NULL), ETL_OK);
    cr_assert_eq(etl_source_open(b.path, &second, NULL), ETL_OK);
    cr_assert_eq(truncate(b.path, 0), 0);
    const volatile uint8_t *data = etl_source_data(second);
    cr_assert_eq(data[3 * page], 0);
    cr_assert_eq(etl_source_check(first, NULL), ETL_OK);
    cr_assert_eq(etl_source_check(second, NULL), ETL_ERR_CHANGED);
    etl_source_close(first);
    etl_source_close(second);
    unlink(a.path);
    unlink(b.path);
}

Test(guard, hashing_a_shrunk_file_survives)
{
    scratch s = pages(64);
    etl_source *source;
    uint8_t digest[32];
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    etl_source_hash_enable(source);
    etl_source_hash_until(source, 100);
    cr_assert_eq(truncate(s.path, 0), 0);
    etl_source_sha256(source, digest);
    cr_assert_eq(etl_source_check(source, NULL), ETL_ERR_CHANGED);
    etl_source_close(source);
    unlink(s.path);
}

static volatile sig_atomic_t earlier_calls;

static void earlier_handler(int number)
{
    (void)number;
    earlier_calls++;
}

Test(guard, other_signals_reach_the_handler_before_ours)
{
    signal(SIGBUS, earlier_handler);
    int handle = etl_guard_add("", 1);
    raise(SIGBUS);
    cr_assert_eq(earlier_calls, 1);
    raise(SIGBUS);
    cr_assert_eq(earlier_calls, 2, "ours stays installed");
    etl_guard_remove(handle);
}

Test(guard, ignored_stays_ignored)
{
    signal(SIGBUS, SIG_IGN);
    etl_guard_remove(etl_guard_add("", 1));
    raise(SIGBUS);
    struct sigaction now;
    sigaction(SIGBUS, NULL, &now);
    cr_assert(now.sa_flags & SA_SIGINFO, "ours stays installed");
}

Test(guard, a_sent_signal_still_ends_the_process, .signal = SIGBUS)
{
    signal(SIGBUS, SIG_DFL);
    etl_guard_remove(etl_guard_add("", 1));
    raise(SIGBUS);
}

Test(guard, a_fault_elsewhere_still_ends_the_process, .signal = SIGBUS)
{
    signal(SIGBUS, SIG_DFL);
    scratch s = pages(1);
    int fd = open(s.path, O_RDWR);
    unlink(s.path);
    const volatile char *data = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
    etl_guard_remove(etl_guard_add((const void *)(uintptr_t)data, 1));
    cr_assert_eq(ftruncate(fd, 0), 0);
    (void)data[0];
}

Test(guard, places_are_reused_and_limited)
{
    static int handles[ETL_GUARD_REGIONS];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < ETL_GUARD_REGIONS; i++)
            cr_assert_geq(handles[i] = etl_guard_add("", 1), 0);
        cr_assert_eq(etl_guard_add("", 1), -1);
        for (int i = 0; i < ETL_GUARD_REGIONS; i++)
            etl_guard_remove(handles[i]);
    }
    etl_guard_remove(-1);
    cr_assert_not(etl_guard_lost(-1));
}
