#include "scratch.h"

#include <sys/stat.h>

#include "etlkit/source.h"

/* FIPS 180-2, appendix B.1, and a million times 'a', B.3 */
#define SHA256_ABC       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define SHA256_MILLION_A "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

Test(source, plain_file)
{
    scratch s = scratch_file("abc", 3);
    etl_source *source;
    etl_error error;
    uint8_t digest[32];
    cr_assert_eq(etl_source_open(s.path, &source, &error), ETL_OK);
    cr_assert_str_eq(etl_source_path(source), s.path);
    cr_assert_str_eq(etl_source_compression(source), "none");
    cr_assert_eq(etl_source_size(source), 3);
    cr_assert_eq(etl_source_stored_size(source), 3);
    cr_assert_eq(memcmp(etl_source_data(source), "abc", 3), 0);
    for (int i = 0; i < 2; i++) {
        etl_source_sha256(source, digest);
        assert_hex(digest, SHA256_ABC);
    }
    etl_source_hash_until(source, 3);
    cr_assert_eq(etl_source_check(source, &error), ETL_OK);
    cr_assert_null(etl_source_close(source));
    unlink(s.path);
}

Test(source, hash_in_steps_is_the_hash_of_the_whole)
{
    enum { SIZE = 1000000 };
    char *data = malloc(SIZE);
    memset(data, 'a', SIZE);
    scratch s = scratch_file(data, SIZE);
    free(data);
    etl_source *source;
    uint8_t digest[32];
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    etl_source_hash_enable(source);
    static const uint64_t ends[] = {0, 1, 64, 63, 70000, 500000, 499999};
    for (size_t i = 0; i < ETL_COUNT_OF(ends); i++)
        etl_source_hash_until(source, ends[i]);
    etl_source_sha256(source, digest);
    assert_hex(digest, SHA256_MILLION_A);
    etl_source_close(source);
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    etl_source_hash_until(source, UINT64_MAX); /* not asked for: left to etl_source_sha256 */
    etl_source_sha256(source, digest);
    assert_hex(digest, SHA256_MILLION_A);
    etl_source_close(source);
    unlink(s.path);
}

static void assert_fails(const char *path, int code, const char *message)
{
    etl_source *source = NULL;
    etl_error error;
    cr_assert_eq(etl_source_open(path, &source, &error), code);
    cr_assert_null(source);
    cr_assert_eq(error.code, code);
    cr_assert_str_eq(error.message, message);
    cr_assert_eq(etl_source_open(path, &source, NULL), code);
}

Test(source, what_cannot_be_an_input)
{
    char message[256];
    assert_fails("/nonexistent/x.etl", ETL_ERR_IO,
                 "/nonexistent/x.etl: cannot be opened: No such file or directory");
    scratch s = scratch_file("", 0);
    snprintf(message, sizeof message, "%s: the file is empty", s.path);
    assert_fails(s.path, ETL_ERR_NOT_ETL, message);
    unlink(s.path);
    assert_fails("/tmp", ETL_ERR_NOT_ETL,
                 "/tmp: is a directory; name the files in it, as /tmp/*.etl");
}

Test(source, wrong_arguments)
{
    etl_source *source;
    cr_assert_eq(etl_source_open(NULL, &source, NULL), ETL_ERR_ARG);
    cr_assert_eq(etl_source_open("x", NULL, NULL), ETL_ERR_ARG);
    cr_assert_null(etl_source_close(NULL));
}

/* Only the magic number: the filter does not want the rest, so it is the trace itself. */
Test(source, magic_without_a_stream_is_kept_as_it_is)
{
    static const char *const heads[] = {"\x1F\x8B\x08\xFF not gzip", "BZh not bzip2"};
    for (size_t i = 0; i < ETL_COUNT_OF(heads); i++) {
        scratch s = scratch_file(heads[i], strlen(heads[i]));
        etl_source *source;
        etl_error error = {0};
        cr_assert_eq(etl_source_open(s.path, &source, &error), ETL_OK, "%s", error.message);
        cr_assert_str_eq(etl_source_compression(source), "none");
        cr_assert_eq(etl_source_size(source), strlen(heads[i]));
        cr_assert_eq(memcmp(etl_source_data(source), heads[i], strlen(heads[i])), 0);
        etl_source_close(source);
        unlink(s.path);
    }
}

Test(source, no_descriptor_stays_open)
{
    int before = dup(0);
    close(before);
    scratch s = scratch_file("abc", 3);
    etl_source *source;
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    int during = dup(0);
    close(during);
    cr_assert_eq(during, before, "thousands of inputs may be open at once");
    etl_source_close(source);
    unlink(s.path);
}
