/* Pipes and compressed streams need random access: they go to a temporary file that has no name, so
   that nothing is left behind however the program ends. */
#include "input/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <nettle/sha2.h>

enum { CHUNK = 1 << 18, RATIO_FREE_BYTES = 64 << 20 };

typedef struct spool_input {
    int fd;
    int read_errno; /* of a read that failed: unlike a cut stream, that is no end of data */
    uint64_t stored_size;
    struct sha256_ctx hash;
    uint8_t chunk[CHUNK];
} spool_input;

static la_ssize_t on_read(struct archive *archive, void *context, const void **ret_data)
{
    spool_input *input = context;
    ssize_t got;
    do
        got = read(input->fd, input->chunk, sizeof input->chunk);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        input->read_errno = errno;
        archive_set_error(archive, errno, "%s", strerror(errno));
        return ARCHIVE_FATAL;
    }
    sha256_update(&input->hash, (size_t)got, input->chunk);
    input->stored_size += (uint64_t)got;
    *ret_data = input->chunk;
    return got;
}

static int open_unnamed(void)
{
    const char *places[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t i = 0; i < ETL_COUNT_OF(places); i++) {
        if (!places[i] || !*places[i])
            continue;
        int fd = open(places[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (fd >= 0)
            return fd;
        etl_str name = {0};
        etl_str_printf(&name, "%s/etlkit-XXXXXX", places[i]);
        fd = name.failed ? -1 : mkostemp(name.data, O_CLOEXEC);
        if (fd >= 0)
            unlink(name.data);
        etl_str_free(&name);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

static int write_all(int fd, const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t wrote = write(fd, data, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return errno;
        data += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

static int copy_out(struct archive *archive, const spool_input *input, const char *path,
                    etl_spool_result *result, etl_error *error)
{
    for (;;) {
        const void *data;
        size_t size;
        la_int64_t offset;
        int r = archive_read_data_block(archive, &data, &size, &offset);
        if (r == ARCHIVE_EOF)
            return ETL_OK;
        if (r < ARCHIVE_WARN) {
            /* A stream that was cut gives what it has; the log file reader says what is missing. */
            if (result->size && !input->read_errno) {
                snprintf(result->damage, sizeof result->damage, "%s",
                         archive_error_string(archive));
                return ETL_OK;
            }
            if (input->read_errno)
                return etl_fail_errno(error, ETL_ERR_IO, input->read_errno, "%s: cannot be read",
                                      path);
            return etl_fail(error, ETL_ERR_IO, "%s: cannot be unpacked: %s", path,
                            archive_error_string(archive));
        }
        result->size = (uint64_t)offset + size;
        if (result->size > ETL_LIMIT_SPOOL_BYTES ||
            (result->size > RATIO_FREE_BYTES &&
             result->size / ETL_LIMIT_SPOOL_RATIO > input->stored_size))
            return etl_fail(error, ETL_ERR_LIMIT,
                            "%s: unpacks to more than a trace can be; unpack it by hand if it is "
                            "what you want",
                            path);
        int failed = write_all(result->fd, data, size);
        if (failed)
            return etl_fail_errno(error, ETL_ERR_IO, failed,
                                  "%s: cannot be spooled; set TMPDIR to a place with room", path);
    }
}

static const char *filter_name(struct archive *archive)
{
    switch (archive_filter_code(archive, 0)) {
    case ARCHIVE_FILTER_GZIP: return "gzip";
    case ARCHIVE_FILTER_ZSTD: return "zstd";
    case ARCHIVE_FILTER_XZ: return "xz";
    case ARCHIVE_FILTER_BZIP2: return "bzip2";
    default: return "none";
    }
}

int etl_spool(int fd, const char *path, etl_spool_result *ret_result, etl_error *error)
{
    spool_input *input = malloc(sizeof *input);
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    etl_spool_result result = {.fd = -1};
    int r = ETL_OK;
    if (!input || !archive) {
        r = etl_fail(error, ETL_ERR_NOMEM, "%s: out of memory", path);
        goto done;
    }
    input->fd = fd;
    input->read_errno = 0;
    input->stored_size = 0;
    sha256_init(&input->hash);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    result.fd = open_unnamed();
    if (result.fd < 0) {
        r = etl_fail_errno(error, ETL_ERR_IO, errno,
                           "%s: no temporary file; set TMPDIR to a place with room", path);
        goto done;
    }
    if (archive_read_open(archive, input, NULL, on_read, NULL) != ARCHIVE_OK) {
        r = etl_fail(error, ETL_ERR_IO, "%s: cannot be read: %s", path,
                     archive_error_string(archive));
        goto done;
    }
    int next = archive_read_next_header(archive, &entry);
    if (next == ARCHIVE_OK)
        r = copy_out(archive, input, path, &result, error);
    else if (next != ARCHIVE_EOF)
        r = etl_fail(error, ETL_ERR_IO, "%s: cannot be unpacked: %s", path,
                     archive_error_string(archive));
    if (r == ETL_OK) {
        /* What the filter did not want still belongs to the input. */
        const void *rest;
        while (on_read(archive, input, &rest) > 0)
            ;
    }
    if (r == ETL_OK && input->read_errno)
        r = etl_fail_errno(error, ETL_ERR_IO, input->read_errno, "%s: cannot be read", path);
    if (r == ETL_OK) {
        sha256_digest(&input->hash, sizeof result.digest, result.digest);
        result.stored_size = input->stored_size;
        result.compression = filter_name(archive);
        *ret_result = result;
    }

done:
    if (r != ETL_OK && result.fd >= 0)
        close(result.fd);
    if (archive)
        archive_read_free(archive);
    free(input);
    return r;
}
