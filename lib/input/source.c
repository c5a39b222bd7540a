/* Opens an input: a plain file is mapped, everything else is spooled to an unnamed file first. */
#include "etlkit/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nettle/sha2.h>

#include "base/base.h"
#include "input/guard.h"
#include "input/spool.h"

struct etl_source {
    char *path;
    const char *compression;
    char *damage;
    uint8_t *data;
    uint64_t size;
    uint64_t stored_size;
    int guard;
    dev_t device; /* with inode: the file that is mapped, when not spooled */
    ino_t inode;
    bool spooled; /* hashed while spooling: the mapped bytes are not those of the input */
    bool hash_wanted;
    bool digested;
    uint64_t hashed;
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
};

/* Magic numbers of the filters that an input may be wrapped in. */
static const struct {
    const char *name;
    const char *magic;
    size_t size;
} wrappings[] = {{"gzip", "\x1F\x8B\x08", 3},
                 {"zstd", "\x28\xB5\x2F\xFD", 4},
                 {"xz",
                  "\xFD"
                  "7zXZ",
                  6}, /* with its NUL */
                 {"bzip2", "BZh", 3}};

static const char *wrapping_of(const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < ETL_COUNT_OF(wrappings); i++)
        if (size >= wrappings[i].size && memcmp(head, wrappings[i].magic, wrappings[i].size) == 0)
            return wrappings[i].name;
    return NULL;
}

static int map_file(etl_source *source, int fd, uint64_t size, etl_error *error)
{
    if (size == 0)
        return etl_fail(error, ETL_ERR_NOT_ETL, "%s: the file is empty", source->path);
    if (size > SIZE_MAX / 2)
        return etl_fail(error, ETL_ERR_LIMIT, "%s: too large for this machine", source->path);
    void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return etl_fail_errno(error, ETL_ERR_IO, errno, "%s: cannot be mapped", source->path);
    source->data = data;
    source->size = size;
    source->guard = etl_guard_add(data, (size_t)size);
    if (source->guard < 0)
        return etl_fail(error, ETL_ERR_LIMIT, "%s: more than %d inputs are open", source->path,
                        ETL_GUARD_REGIONS);
    return ETL_OK;
}

static int spool(etl_source *source, int fd, etl_error *error)
{
    etl_spool_result result;
    int r = etl_spool(fd, source->path, &result, error);
    if (r != ETL_OK)
        return r;
    source->spooled = true;
    source->digested = true;
    memcpy(source->digest, result.digest, sizeof source->digest);
    source->stored_size = result.stored_size;
    source->compression = result.compression;
    if (*result.damage && !(source->damage = strdup(result.damage)))
        r = etl_fail(error, ETL_ERR_NOMEM, "%s: out of memory", source->path);
    else
        r = map_file(source, result.fd, result.size, error);
    close(result.fd);
    return r;
}

static int open_fd(etl_source *source, int fd, etl_error *error)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return etl_fail_errno(error, ETL_ERR_IO, errno, "%s: cannot be read", source->path);
    if (S_ISDIR(st.st_mode))
        return etl_fail(error, ETL_ERR_NOT_ETL,
                        "%s: is a directory; name the files in it, as %s/*.etl", source->path,
                        source->path);
    if (!S_ISREG(st.st_mode))
        return spool(source, fd, error);
    source->stored_size = (uint64_t)st.st_size;
    source->device = st.st_dev;
    source->inode = st.st_ino;
    uint8_t head[8];
    ssize_t got = pread(fd, head, sizeof head, 0);
    if (got < 0)
        return etl_fail_errno(error, ETL_ERR_IO, errno, "%s: cannot be read", source->path);
    if (wrapping_of(head, (size_t)got))
        return spool(source, fd, error);
    return map_file(source, fd, source->stored_size, error);
}

int etl_source_open(const char *path, etl_source **ret_source, etl_error *error)
{
    if (!path || !ret_source)
        return etl_fail(error, ETL_ERR_ARG, "etl_source_open: path and result are needed");
    etl_source *source = calloc(1, sizeof *source);
    if (!source || !(source->path = strdup(path))) {
        free(source);
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for an input");
    }
    source->guard = -1;
    source->compression = "none";
    sha256_init(&source->hash);
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int r = fd < 0 ? etl_fail_errno(error, ETL_ERR_IO, errno, "%s: cannot be opened", path)
                   : open_fd(source, fd, error);
    if (fd >= 0 && !standard)
        close(fd);
    if (r != ETL_OK) {
        etl_source_close(source);
        return r;
    }
    *ret_source = source;
    return ETL_OK;
}

etl_source *etl_source_close(etl_source *source)
{
    if (!source)
        return NULL;
    etl_guard_remove(source->guard);
    if (source->data)
        munmap(source->data, (size_t)source->size);
    free(source->path);
    free(source->damage);
    free(source);
    return NULL;
}

const char *etl_source_path(const etl_source *source)
{
    return source->path;
}

const char *etl_source_compression(const etl_source *source)
{
    return source->compression;
}

const char *etl_source_damage(const etl_source *source)
{
    return source->damage;
}

const uint8_t *etl_source_data(const etl_source *source)
{
    return source->data;
}

uint64_t etl_source_size(const etl_source *source)
{
    return source->size;
}

uint64_t etl_source_stored_size(const etl_source *source)
{
    return source->stored_size;
}

void etl_source_hash_enable(etl_source *source)
{
    source->hash_wanted = true;
}

static void hash_until(etl_source *source, uint64_t end)
{
    if (end > source->size)
        end = source->size;
    if (source->spooled || end <= source->hashed)
        return;
    sha256_update(&source->hash, (size_t)(end - source->hashed), source->data + source->hashed);
    source->hashed = end;
}

void etl_source_hash_until(etl_source *source, uint64_t end)
{
    if (source->hash_wanted)
        hash_until(source, end);
}

void etl_source_sha256(etl_source *source, uint8_t ret_digest[32])
{
    if (!source->digested) {
        hash_until(source, source->size);
        sha256_digest(&source->hash, sizeof source->digest, source->digest);
        source->digested = true;
    }
    memcpy(ret_digest, source->digest, sizeof source->digest);
}

/* Bytes behind the end of a file but in its last page read as zeros without a fault, so the size is
   compared too. By name, because a descriptor per source would limit how many can be open; when
   the name leads elsewhere by now, the mapped file can only have been removed or renamed. */
static bool is_shorter(const etl_source *source)
{
    struct stat st;
    bool standard = strcmp(source->path, "-") == 0;
    if (source->spooled || (standard ? fstat(STDIN_FILENO, &st) : stat(source->path, &st)) != 0)
        return false;
    return st.st_dev == source->device && st.st_ino == source->inode &&
           (uint64_t)st.st_size < source->size;
}

int etl_source_check(const etl_source *source, etl_error *error)
{
    if (!etl_guard_lost(source->guard) && !is_shorter(source))
        return ETL_OK;
    return etl_fail(error, ETL_ERR_CHANGED,
                    "%s: shrank or became unreadable while it was read; copy it and try again",
                    source->path);
}
