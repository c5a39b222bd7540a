/* Opens a pack: maps the file, checks header and index, and finds names and sections in them.
   pack_section.c unpacks the sections. */
#include "schema/pack_section.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

struct etl_pack {
    const uint8_t *data;
    size_t size;
    size_t provider_count;
    size_t name_count;
    size_t hook_count;
    const uint8_t *providers;
    const uint8_t *names;
    const uint8_t *hooks;
    const char *strings;
    size_t string_size;
    size_t sections; /* offset of the first */
    etl_pack_provider **loaded;
    etl_arena arena;
};

static int damaged(etl_error *error, const char *path, const char *what)
{
    return etl_fail(error, ETL_ERR_DAMAGED, "%s is no usable schema pack: %s", path, what);
}

static int map_file(etl_pack *pack, const char *path, etl_error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return etl_fail_errno(error, ETL_ERR_IO, errno, "cannot open the schema pack %s", path);
    struct stat status;
    int r = ETL_OK;
    if (fstat(fd, &status) < 0) {
        r = etl_fail_errno(error, ETL_ERR_IO, errno, "cannot read the schema pack %s", path);
    } else if (!S_ISREG(status.st_mode) || status.st_size < ETL_PACK_HEADER_SIZE) {
        r = damaged(error, path, "it is too short");
    } else {
        size_t size = (size_t)status.st_size;
        void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) {
            r = etl_fail_errno(error, ETL_ERR_IO, errno, "cannot map the schema pack %s", path);
        } else {
            pack->data = data;
            pack->size = size;
        }
    }
    close(fd);
    return r;
}

/* Takes `count` entries of `size` bytes, or fails the cursor. */
static const uint8_t *take_table(etl_cur *c, size_t count, size_t size)
{
    if (count > c->size / size) {
        c->failed = true;
        return NULL;
    }
    return etl_cur_take(c, count * size);
}

static int check_header(etl_pack *pack, const char *path, etl_error *error)
{
    etl_cur c = etl_cur_make(pack->data, pack->size);
    const uint8_t *magic = etl_cur_take(&c, strlen(ETL_PACK_MAGIC));
    if (!magic || memcmp(magic, ETL_PACK_MAGIC, strlen(ETL_PACK_MAGIC)) != 0)
        return damaged(error, path, "it does not begin like one");
    uint32_t version = etl_cur_u32(&c);
    if (version != ETL_PACK_VERSION)
        return etl_fail(error, ETL_ERR_DAMAGED, "schema pack %s has format %u, this build reads %d",
                        path, version, ETL_PACK_VERSION);
    pack->provider_count = etl_cur_u32(&c);
    pack->name_count = etl_cur_u32(&c);
    pack->hook_count = etl_cur_u32(&c);
    uint64_t string_size = etl_cur_u64(&c), file_size = etl_cur_u64(&c);
    uint64_t index_checksum = etl_cur_u64(&c);
    etl_cur_u64(&c);
    if (etl_cur_u64(&c) != XXH3_64bits(pack->data, ETL_PACK_HEADER_SIZE - 8))
        return damaged(error, path, "the checksum of its header is wrong");
    if (file_size != pack->size)
        return damaged(error, path, "its size is wrong");
    pack->providers = take_table(&c, pack->provider_count, ETL_PACK_PROVIDER_SIZE);
    pack->names = take_table(&c, pack->name_count, ETL_PACK_NAME_SIZE);
    pack->hooks = take_table(&c, pack->hook_count, ETL_PACK_HOOK_SIZE);
    const uint8_t *strings = string_size <= pack->size ? take_table(&c, string_size, 1) : NULL;
    if (c.failed || !strings)
        return damaged(error, path, "its index does not fit into it");
    if (XXH3_64bits(pack->data + ETL_PACK_HEADER_SIZE, c.position - ETL_PACK_HEADER_SIZE) !=
        index_checksum)
        return damaged(error, path, "the checksum of its index is wrong");
    if (string_size > 0 && strings[string_size - 1] != 0)
        return damaged(error, path, "its last string does not end");
    pack->strings = (const char *)strings;
    pack->string_size = string_size;
    pack->sections = c.position;
    return ETL_OK;
}

int etl_pack_open(const char *path, etl_pack **ret_pack, etl_error *error)
{
    *ret_pack = NULL;
    etl_pack *pack = calloc(1, sizeof *pack);
    if (!pack)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for the schema pack");
    int r = map_file(pack, path, error);
    if (r == ETL_OK)
        r = check_header(pack, path, error);
    if (r == ETL_OK) {
        pack->loaded = calloc(pack->provider_count + 1, sizeof(etl_pack_provider *));
        if (!pack->loaded)
            r = etl_fail(error, ETL_ERR_NOMEM, "no memory for the schema pack");
    }
    if (r < 0)
        pack = etl_pack_close(pack);
    *ret_pack = pack;
    return r;
}

etl_pack *etl_pack_close(etl_pack *pack)
{
    if (!pack)
        return NULL;
    if (pack->data)
        munmap((void *)(uintptr_t)pack->data, pack->size);
    free(pack->loaded);
    etl_arena_free(&pack->arena);
    free(pack);
    return NULL;
}

/* ---- index ---- */

/* Index of the entry that begins with `guid`, or `count`. */
static size_t find_guid(const uint8_t *table, size_t count, size_t entry_size, const etl_guid *guid)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int r = memcmp(table + middle * entry_size, guid, sizeof *guid);
        if (r == 0)
            return middle;
        if (r < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return count;
}

static const char *index_string(const etl_pack *pack, uint32_t offset)
{
    return offset < pack->string_size ? pack->strings + offset : NULL;
}

size_t etl_pack_provider_count(const etl_pack *pack)
{
    return pack->provider_count;
}

etl_guid etl_pack_provider_guid(const etl_pack *pack, size_t index)
{
    assert(index < pack->provider_count);
    return etl_guid_load(pack->providers + index * ETL_PACK_PROVIDER_SIZE);
}

const char *etl_pack_name(const etl_pack *pack, const etl_guid *guid)
{
    size_t at = find_guid(pack->names, pack->name_count, ETL_PACK_NAME_SIZE, guid);
    if (at == pack->name_count)
        return NULL;
    return index_string(pack, etl_load_u32(pack->names + at * ETL_PACK_NAME_SIZE + 16));
}

static void load_hook(const etl_pack *pack, const uint8_t *entry, etl_pack_hook *ret_hook)
{
    *ret_hook = (etl_pack_hook){.group = entry[0],
                                .type = entry[1],
                                .class_guid = etl_guid_load(entry + 12),
                                .group_name = index_string(pack, etl_load_u32(entry + 4)),
                                .name = index_string(pack, etl_load_u32(entry + 8))};
}

bool etl_pack_hook_get(const etl_pack *pack, uint8_t group, uint8_t type, etl_pack_hook *ret_hook)
{
    size_t low = 0, high = pack->hook_count;
    unsigned wanted = (unsigned)group << 8 | type;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint8_t *entry = pack->hooks + middle * ETL_PACK_HOOK_SIZE;
        unsigned hook = (unsigned)entry[0] << 8 | entry[1];
        if (hook == wanted) {
            load_hook(pack, entry, ret_hook);
            return true;
        }
        if (hook < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

const char *etl_pack_hook_name(const etl_pack *pack, uint8_t group, uint8_t type)
{
    etl_pack_hook hook;
    return etl_pack_hook_get(pack, group, type, &hook) ? hook.name : NULL;
}

const char *etl_pack_class_hook_name(const etl_pack *pack, const etl_guid *class_guid, uint8_t type)
{
    for (size_t i = 0; i < pack->hook_count; i++) {
        const uint8_t *entry = pack->hooks + i * ETL_PACK_HOOK_SIZE;
        if (entry[1] == type && memcmp(entry + 12, class_guid, sizeof *class_guid) == 0)
            return index_string(pack, etl_load_u32(entry + 8));
    }
    return NULL;
}

/* ---- providers ---- */

static int load_provider(etl_pack *pack, size_t index, etl_pack_provider **ret, etl_error *error)
{
    etl_cur c =
        etl_cur_make(pack->providers + index * ETL_PACK_PROVIDER_SIZE, ETL_PACK_PROVIDER_SIZE);
    etl_guid guid = etl_cur_guid(&c);
    uint64_t offset = etl_cur_u64(&c);
    uint32_t stored = etl_cur_u32(&c), unpacked = etl_cur_u32(&c);
    uint64_t checksum = etl_cur_u64(&c);
    char text[ETL_GUID_TEXT_SIZE];
    etl_guid_text(&guid, text);
    if (offset < pack->sections || offset > pack->size || stored > pack->size - offset ||
        unpacked > ETL_PACK_SECTION_MAX)
        return etl_fail(error, ETL_ERR_DAMAGED, "schema pack: the section of %s is out of range",
                        text);
    const uint8_t *section = pack->data + offset;
    if (XXH3_64bits(section, stored) != checksum)
        return etl_fail(error, ETL_ERR_DAMAGED,
                        "schema pack: the checksum of the section of %s is wrong", text);
    etl_pack_provider *provider = etl_arena_alloc(&pack->arena, sizeof *provider);
    if (!provider)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for the schemas of %s", text);
    provider->guid = guid;
    etl_error inner = {0};
    int r = etl_pack_section_load(&pack->arena, section, stored, unpacked, provider, &inner);
    if (r < 0)
        return etl_fail(error, r, "schema pack: the section of %s is damaged: %s", text,
                        inner.message);
    *ret = provider;
    return ETL_OK;
}

const etl_pack_provider *etl_pack_provider_get(etl_pack *pack, const etl_guid *guid,
                                               etl_error *error)
{
    if (error)
        error->code = ETL_OK;
    size_t at = find_guid(pack->providers, pack->provider_count, ETL_PACK_PROVIDER_SIZE, guid);
    if (at == pack->provider_count)
        return NULL;
    if (!pack->loaded[at] && load_provider(pack, at, &pack->loaded[at], error) < 0)
        return NULL;
    return pack->loaded[at];
}
