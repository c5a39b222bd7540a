#include "scratch.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <nettle/sha2.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "etlkit/source.h"

/* The file that libarchive makes of `data` with one filter around it. */
static scratch packed_file(int filter, const void *data, size_t size)
{
    scratch s = scratch_file("", 0);
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    cr_assert_eq(archive_write_add_filter(a, filter), ARCHIVE_OK);
    cr_assert_eq(archive_write_set_format_raw(a), ARCHIVE_OK);
    cr_assert_eq(archive_write_set_bytes_in_last_block(a, 1), ARCHIVE_OK);
    cr_assert_eq(archive_write_open_filename(a, s.path), ARCHIVE_OK);
    archive_entry_set_pathname(entry, "data");
    archive_entry_set_filetype(entry, AE_IFREG);
    cr_assert_eq(archive_write_header(a, entry), ARCHIVE_OK);
    cr_assert_eq(archive_write_data(a, data, size), (la_ssize_t)size);
    cr_assert_eq(archive_write_close(a), ARCHIVE_OK);
    archive_entry_free(entry);
    archive_write_free(a);
    return s;
}

static uint8_t *read_file(const char *path, size_t *ret_size)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f);
    fseek(f, 0, SEEK_END);
    *ret_size = (size_t)ftell(f);
    rewind(f);
    uint8_t *data = malloc(*ret_size + 1);
    cr_assert_eq(fread(data, 1, *ret_size, f), *ret_size);
    fclose(f);
    return data;
}

static void assert_stored_hash(etl_source *source, const uint8_t *stored, size_t size)
{
    struct sha256_ctx hash;
    uint8_t expected[32], digest[32];
    sha256_init(&hash);
    sha256_update(&hash, size, stored);
    sha256_digest(&hash, sizeof expected, expected);
    etl_source_hash_enable(source);
    etl_source_hash_until(source, 10);
    etl_source_sha256(source, digest);
    cr_assert_arr_eq(digest, expected, 32);
    cr_assert_eq(etl_source_stored_size(source), size);
}

/* Half repeats, half does not, so that every filter has work to do. */
static uint8_t *sample(size_t size)
{
    uint8_t *data = malloc(size);
    uint32_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        data[i] = i / 4096 % 2 ? (uint8_t)(state >> 24) : (uint8_t)i;
    }
    return data;
}

static const struct {
    int filter;
    const char *name;
} filters[] = {{ARCHIVE_FILTER_GZIP, "gzip"},
               {ARCHIVE_FILTER_ZSTD, "zstd"},
               {ARCHIVE_FILTER_XZ, "xz"},
               {ARCHIVE_FILTER_BZIP2, "bzip2"}};

Test(stream, compressed_files)
{
    enum { SIZE = 1000003 };
    uint8_t *data = sample(SIZE);
    for (size_t i = 0; i < ETL_COUNT_OF(filters); i++) {
        scratch s = packed_file(filters[i].filter, data, SIZE);
        size_t stored_size;
        uint8_t *stored = read_file(s.path, &stored_size);
        etl_source *source;
        etl_error error = {0};
        cr_assert_eq(etl_source_open(s.path, &source, &error), ETL_OK, "%s", error.message);
        cr_assert_str_eq(etl_source_compression(source), filters[i].name);
        cr_assert_eq(etl_source_size(source), SIZE);
        cr_assert_eq(memcmp(etl_source_data(source), data, SIZE), 0);
        assert_stored_hash(source, stored, stored_size);
        cr_assert_eq(etl_source_check(source, NULL), ETL_OK);
        /* The spooled copy does not depend on the file any more. */
        cr_assert_eq(truncate(s.path, 1), 0);
        cr_assert_eq(etl_source_check(source, NULL), ETL_OK);
        cr_assert_eq(memcmp(etl_source_data(source), data, SIZE), 0);
        etl_source_close(source);
        free(stored);
        unlink(s.path);
    }
    free(data);
}

Test(stream, bytes_behind_the_stream_belong_to_the_stored_hash)
{
    scratch s = packed_file(ARCHIVE_FILTER_GZIP, "abc", 3);
    int fd = open(s.path, O_WRONLY | O_APPEND);
    static const uint8_t zeros[700000];
    cr_assert_eq(write(fd, zeros, sizeof zeros), (ssize_t)sizeof zeros);
    close(fd);
    size_t stored_size;
    uint8_t *stored = read_file(s.path, &stored_size);
    etl_source *source;
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    cr_assert_eq(etl_source_size(source), 3);
    assert_stored_hash(source, stored, stored_size);
    etl_source_close(source);
    free(stored);
    unlink(s.path);
}

Test(stream, nothing_compressed_is_an_empty_file)
{
    scratch s = packed_file(ARCHIVE_FILTER_GZIP, "", 0);
    etl_source *source;
    etl_error error;
    cr_assert_eq(etl_source_open(s.path, &source, &error), ETL_ERR_NOT_ETL);
    cr_assert_not_null(strstr(error.message, ": the file is empty"));
    unlink(s.path);
}

/* 100 MiB of zeros: zstd packs them past any ratio that a trace reaches. */
Test(stream, a_bomb_is_refused)
{
    enum { SIZE = 100 << 20 };
    uint8_t *data = calloc(1, SIZE);
    scratch s = packed_file(ARCHIVE_FILTER_ZSTD, data, SIZE);
    free(data);
    etl_source *source;
    etl_error error;
    cr_assert_eq(etl_source_open(s.path, &source, &error), ETL_ERR_LIMIT);
    cr_assert_eq(error.code, ETL_ERR_LIMIT);
    unlink(s.path);
}

/* Makes standard input a pipe that a child fills; what it writes may exceed the pipe's buffer. */
static pid_t feed_stdin(const uint8_t *data, size_t size)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        while (size) {
            ssize_t wrote = write(ends[1], data, size < 777 ? size : 777);
            if (wrote < 0)
                _exit(1);
            data += wrote;
            size -= (size_t)wrote;
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    return child;
}

Test(stream, pipe)
{
    enum { SIZE = 300001 };
    uint8_t *data = sample(SIZE);
    pid_t child = feed_stdin(data, SIZE);
    etl_source *source;
    etl_error error = {0};
    cr_assert_eq(etl_source_open("-", &source, &error), ETL_OK, "%s", error.message);
    waitpid(child, NULL, 0);
    cr_assert_str_eq(etl_source_compression(source), "none");
    cr_assert_str_eq(etl_source_path(source), "-");
    cr_assert_eq(etl_source_size(source), SIZE);
    cr_assert_eq(memcmp(etl_source_data(source), data, SIZE), 0);
    assert_stored_hash(source, data, SIZE);
    cr_assert_eq(etl_source_check(source, NULL), ETL_OK);
    etl_source_close(source);
    free(data);
}

Test(stream, compressed_pipe)
{
    scratch s = packed_file(ARCHIVE_FILTER_ZSTD, "abc", 3);
    size_t stored_size;
    uint8_t *stored = read_file(s.path, &stored_size);
    pid_t child = feed_stdin(stored, stored_size);
    etl_source *source;
    cr_assert_eq(etl_source_open("-", &source, NULL), ETL_OK);
    waitpid(child, NULL, 0);
    cr_assert_str_eq(etl_source_compression(source), "zstd");
    cr_assert_eq(etl_source_size(source), 3);
    assert_stored_hash(source, stored, stored_size);
    etl_source_close(source);
    free(stored);
    unlink(s.path);
}

Test(stream, empty_pipe)
{
    waitpid(feed_stdin(NULL, 0), NULL, 0);
    etl_source *source;
    etl_error error;
    cr_assert_eq(etl_source_open("-", &source, &error), ETL_ERR_NOT_ETL);
    cr_assert_str_eq(error.message, "-: the file is empty");
}

Test(stream, standard_input_that_is_a_file)
{
    scratch s = scratch_file("abc", 3);
    int fd = open(s.path, O_RDONLY);
    dup2(fd, STDIN_FILENO);
    close(fd);
    unlink(s.path);
    etl_source *source;
    cr_assert_eq(etl_source_open("-", &source, NULL), ETL_OK);
    cr_assert_eq(etl_source_size(source), 3);
    cr_assert_eq(etl_source_check(source, NULL), ETL_OK);
    etl_source_close(source);
    cr_assert_geq(fcntl(STDIN_FILENO, F_GETFD), 0, "standard input stays the caller's");
}

/* A limit on file size stands in for a full disk: write fails the same way. */
Test(stream, no_room_for_the_spooled_copy)
{
    uint8_t *data = sample(1 << 20);
    scratch s = packed_file(ARCHIVE_FILTER_GZIP, data, 1 << 20);
    free(data);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    etl_source *source;
    etl_error error;
    int r = etl_source_open(s.path, &source, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_assert_eq(r, ETL_ERR_IO);
    cr_assert_eq(error.system_errno, EFBIG);
    cr_assert_not_null(strstr(error.message, "set TMPDIR"));
    unlink(s.path);
}

/* Nothing may be left in TMPDIR, however the program ends. */
Test(stream, the_spooled_copy_has_no_name)
{
    char directory[] = "/tmp/etlkit-test-XXXXXX";
    cr_assert_not_null(mkdtemp(directory));
    setenv("TMPDIR", directory, 1);
    scratch s = packed_file(ARCHIVE_FILTER_GZIP, "abc", 3);
    etl_source *source;
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK);
    cr_assert_eq(rmdir(directory), 0, "is empty while the source is open");
    etl_source_close(source);
    setenv("TMPDIR", "/nonexistent", 1);
    cr_assert_eq(etl_source_open(s.path, &source, NULL), ETL_OK, "there are other places");
    etl_source_close(source);
    unlink(s.path);
}
