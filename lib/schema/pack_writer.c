/* Text model to pack. Runs at build time; equal input gives equal bytes. */
#include "schema/pack_format.h"
#include "schema/text_model.h"

#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

/* Sections are small, and the build is the only one that waits. */
enum { COMPRESSION_LEVEL = 19 };

static void put_u8(etl_str *s, uint64_t value)
{
    char byte = (char)(value & 0xFF);
    etl_str_add(s, &byte, 1);
}

static void put_u16(etl_str *s, uint64_t value)
{
    put_u8(s, value);
    put_u8(s, value >> 8);
}

static void put_u32(etl_str *s, uint64_t value)
{
    put_u16(s, value);
    put_u16(s, value >> 16);
}

static void put_u64(etl_str *s, uint64_t value)
{
    put_u32(s, value);
    put_u32(s, value >> 32);
}

static int no_memory(etl_error *error)
{
    return etl_fail(error, ETL_ERR_NOMEM, "no memory for the pack");
}

/* ---- numbering of strings, maps and layouts ---- */

/* What is equal in the text model has one address, so that the address is the key. */
typedef struct numbering {
    etl_hashmap numbers; /* address to number + 1 */
    uint32_t count;
    bool failed;
} numbering;

static uint32_t number_of(const numbering *n, const void *address)
{
    return address ? (uint32_t)(uintptr_t)etl_hashmap_get(&n->numbers, &address, sizeof address)
                   : 0;
}

/* True when `address` was not known. */
static bool number_new(numbering *n, const void *address, uint32_t number)
{
    if (number_of(n, address) != 0)
        return false;
    if (etl_hashmap_put(&n->numbers, &address, sizeof address,
                        (void *)(uintptr_t)((uint64_t)number + 1)) < 0)
        n->failed = true;
    n->count++;
    return true;
}

typedef struct section {
    numbering strings, maps, layouts;
    etl_str string_bytes, map_bytes, layout_bytes, schema_bytes;
} section;

static void section_free(section *s)
{
    etl_hashmap_free(&s->strings.numbers);
    etl_hashmap_free(&s->maps.numbers);
    etl_hashmap_free(&s->layouts.numbers);
    etl_str_free(&s->string_bytes);
    etl_str_free(&s->map_bytes);
    etl_str_free(&s->layout_bytes);
    etl_str_free(&s->schema_bytes);
}

/* Offset + 1 of the text. */
static uint32_t string_ref(section *s, const char *text)
{
    if (!text)
        return 0;
    if (number_new(&s->strings, text, (uint32_t)s->string_bytes.size))
        etl_str_add(&s->string_bytes, text, strlen(text) + 1);
    return number_of(&s->strings, text);
}

static uint32_t map_ref(section *s, const etl_map *map)
{
    if (map && number_new(&s->maps, map, s->maps.count)) {
        put_u32(&s->map_bytes, string_ref(s, map->name));
        put_u32(&s->map_bytes, map->kind);
        put_u32(&s->map_bytes, map->entry_count);
        for (uint32_t i = 0; i < map->entry_count; i++) {
            put_u64(&s->map_bytes, map->entries[i].value);
            put_u32(&s->map_bytes, string_ref(s, map->entries[i].text));
        }
    }
    return number_of(&s->maps, map);
}

static uint32_t layout_ref(section *s, const etl_event_schema *schema)
{
    if (schema->property_count == 0)
        return 0;
    if (number_new(&s->layouts, schema->properties, s->layouts.count)) {
        put_u16(&s->layout_bytes, schema->property_count);
        put_u16(&s->layout_bytes, schema->top_level_count);
        for (size_t i = 0; i < schema->property_count; i++) {
            const etl_property *property = &schema->properties[i];
            put_u32(&s->layout_bytes, string_ref(s, property->name));
            put_u16(&s->layout_bytes, property->in_type);
            put_u16(&s->layout_bytes, property->out_type);
            put_u16(&s->layout_bytes, property->flags);
            put_u16(&s->layout_bytes, property->struct_start);
            put_u16(&s->layout_bytes, property->struct_members);
            put_u16(&s->layout_bytes, property->count);
            put_u16(&s->layout_bytes, property->length);
            put_u32(&s->layout_bytes, map_ref(s, property->map));
        }
    }
    return number_of(&s->layouts, schema->properties);
}

static void add_schema(section *s, const etl_event_schema *schema)
{
    etl_str *out = &s->schema_bytes;
    put_u16(out, schema->id);
    put_u8(out, schema->version);
    put_u8(out, schema->opcode);
    put_u8(out, schema->level);
    put_u8(out, schema->channel);
    put_u8(out, schema->classic);
    put_u8(out, 0);
    put_u16(out, schema->task);
    put_u16(out, schema->build_first);
    put_u16(out, schema->build_last);
    put_u16(out, 0);
    put_u64(out, schema->keyword);
    put_u32(out, string_ref(s, schema->provider_name));
    put_u32(out, string_ref(s, schema->event_name));
    put_u32(out, string_ref(s, schema->task_name));
    put_u32(out, string_ref(s, schema->opcode_name));
    put_u32(out, string_ref(s, schema->level_name));
    put_u32(out, string_ref(s, schema->channel_name));
    put_u32(out, string_ref(s, schema->keyword_names));
    put_u32(out, layout_ref(s, schema));
}

/* ---- order ---- */

/* The order of reading is the rank of several layouts of one event version. */
typedef struct ranked_schema {
    const etl_event_schema *schema;
    size_t rank;
} ranked_schema;

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_schemas(const void *left, const void *right)
{
    const ranked_schema *a = left, *b = right;
    int r = compare_numbers(a->schema->classic, b->schema->classic);
    if (r == 0)
        r = compare_numbers(a->schema->id, b->schema->id);
    if (r == 0 && a->schema->classic)
        r = compare_numbers(a->schema->opcode, b->schema->opcode);
    if (r == 0)
        r = compare_numbers(a->schema->version, b->schema->version);
    return r != 0 ? r : compare_numbers(a->rank, b->rank);
}

static int compare_providers(const void *left, const void *right)
{
    const etl_text_provider *const *a = left, *const *b = right;
    return memcmp(&(*a)->guid, &(*b)->guid, sizeof(etl_guid));
}

/* Sorts an array of pointers whose order of addresses is the order of reading. */
static int compare_names(const void *left, const void *right)
{
    const etl_text_name *const *a = left, *const *b = right;
    int r = memcmp(&(*a)->guid, &(*b)->guid, sizeof(etl_guid));
    return r != 0 ? r : compare_numbers((uintptr_t)*a, (uintptr_t)*b);
}

static int compare_hooks(const void *left, const void *right)
{
    const etl_pack_hook *const *a = left, *const *b = right;
    int r = compare_numbers((*a)->group, (*b)->group);
    if (r == 0)
        r = compare_numbers((*a)->type, (*b)->type);
    return r != 0 ? r : compare_numbers((uintptr_t)*a, (uintptr_t)*b);
}

/* ---- sections ---- */

static int fill_section(section *s, const etl_text_provider *provider, etl_str *ret_bytes,
                        etl_error *error)
{
    size_t count = provider->schema_count;
    ranked_schema *order = malloc((count + 1) * sizeof *order);
    if (!order)
        return no_memory(error);
    for (size_t i = 0; i < count; i++)
        order[i] = (ranked_schema){&provider->schemas[i], i};
    qsort(order, count, sizeof *order, compare_schemas);
    uint32_t name = string_ref(s, provider->name);
    for (size_t i = 0; i < count; i++)
        add_schema(s, order[i].schema);
    free(order);

    etl_str_clear(ret_bytes);
    put_u32(ret_bytes, name);
    put_u32(ret_bytes, s->string_bytes.size);
    put_u32(ret_bytes, s->maps.count);
    put_u32(ret_bytes, s->layouts.count);
    put_u32(ret_bytes, count);
    etl_str_add(ret_bytes, s->string_bytes.data, s->string_bytes.size);
    etl_str_add(ret_bytes, s->map_bytes.data, s->map_bytes.size);
    etl_str_add(ret_bytes, s->layout_bytes.data, s->layout_bytes.size);
    etl_str_add(ret_bytes, s->schema_bytes.data, s->schema_bytes.size);
    if (s->strings.failed || s->maps.failed || s->layouts.failed || s->string_bytes.failed ||
        s->map_bytes.failed || s->layout_bytes.failed || s->schema_bytes.failed ||
        ret_bytes->failed)
        return no_memory(error);
    if (ret_bytes->size > ETL_PACK_SECTION_MAX)
        return etl_fail(error, ETL_ERR_LIMIT, "provider %.100s is too large for a pack",
                        provider->name ? provider->name : "without a name");
    return ETL_OK;
}

/* Appends the section to `sections` and its entry to `index`. `base` is where sections begin. */
static int write_section(const etl_text_provider *provider, ZSTD_CCtx *zstd, uint64_t base,
                         etl_str *index, etl_str *sections, etl_error *error)
{
    section s = {0};
    etl_str bytes = {0};
    int r = fill_section(&s, provider, &bytes, error);
    section_free(&s);
    size_t bound = ZSTD_compressBound(bytes.size), stored = 0;
    char *out = r < 0 ? NULL : etl_str_reserve(sections, bound);
    if (r == ETL_OK && !out)
        r = no_memory(error);
    if (r == ETL_OK) {
        stored = ZSTD_compressCCtx(zstd, out, bound, bytes.data, bytes.size, COMPRESSION_LEVEL);
        if (ZSTD_isError(stored))
            r = etl_fail(error, ETL_ERR_OUTPUT, "zstd: %s", ZSTD_getErrorName(stored));
    }
    if (r == ETL_OK) {
        etl_str_add(index, &provider->guid, sizeof provider->guid);
        put_u64(index, base + sections->size);
        put_u32(index, stored);
        put_u32(index, bytes.size);
        put_u64(index, XXH3_64bits(out, stored));
        sections->size += stored;
    }
    etl_str_free(&bytes);
    return r;
}

/* ---- index ---- */

static const void **pointers(size_t count)
{
    return malloc((count + 1) * sizeof(void *));
}

/* Offset of `text` in the index strings; no + 1, since there is always one. */
static uint32_t index_string(section *s, const char *text)
{
    return string_ref(s, text) - 1;
}

/* Names of providers come first: what a provider calls itself is the best name. */
static int write_names(const etl_text_set *set, section *strings, etl_str *out, uint32_t *ret_count,
                       etl_error *error)
{
    size_t total = set->provider_count + set->name_count, count = 0;
    etl_text_name *names = malloc((total + 1) * sizeof *names);
    const void **order = pointers(total);
    if (!names || !order) {
        free(names);
        free(order);
        return no_memory(error);
    }
    for (size_t i = 0; i < set->provider_count; i++) {
        if (set->providers[i].name)
            names[count++] = (etl_text_name){set->providers[i].guid, set->providers[i].name};
    }
    for (size_t i = 0; i < set->name_count; i++)
        names[count++] = set->names[i];
    for (size_t i = 0; i < count; i++)
        order[i] = &names[i];
    qsort(order, count, sizeof *order, compare_names);
    *ret_count = 0;
    for (size_t i = 0; i < count; i++) {
        const etl_text_name *name = order[i], *before = i > 0 ? order[i - 1] : NULL;
        if (before && etl_guid_equal(&name->guid, &before->guid))
            continue;
        etl_str_add(out, &name->guid, sizeof name->guid);
        put_u32(out, index_string(strings, name->name));
        ++*ret_count;
    }
    free(names);
    free(order);
    return ETL_OK;
}

static int write_hooks(const etl_text_set *set, section *strings, etl_str *out, uint32_t *ret_count,
                       etl_error *error)
{
    const void **order = pointers(set->hook_count);
    if (!order)
        return no_memory(error);
    for (size_t i = 0; i < set->hook_count; i++)
        order[i] = &set->hooks[i];
    qsort(order, set->hook_count, sizeof *order, compare_hooks);
    *ret_count = 0;
    const etl_pack_hook *before = NULL;
    for (size_t i = 0; i < set->hook_count; i++) {
        const etl_pack_hook *hook = order[i];
        if (before && before->group == hook->group && before->type == hook->type)
            continue;
        put_u8(out, hook->group);
        put_u8(out, hook->type);
        put_u16(out, 0);
        put_u32(out, index_string(strings, hook->group_name));
        put_u32(out, index_string(strings, hook->name));
        etl_str_add(out, &hook->class_guid, sizeof hook->class_guid);
        before = hook;
        ++*ret_count;
    }
    free(order);
    return ETL_OK;
}

static int write_sections(const etl_text_set *set, uint64_t base, etl_str *index, etl_str *sections,
                          etl_error *error)
{
    const void **order = pointers(set->provider_count);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    int r = order && zstd ? ETL_OK : no_memory(error);
    if (r == ETL_OK) {
        for (size_t i = 0; i < set->provider_count; i++)
            order[i] = &set->providers[i];
        qsort(order, set->provider_count, sizeof *order, compare_providers);
    }
    for (size_t i = 0; r == ETL_OK && i < set->provider_count; i++)
        r = write_section(order[i], zstd, base, index, sections, error);
    ZSTD_freeCCtx(zstd);
    free(order);
    return r;
}

static void set_u64(etl_str *s, size_t position, uint64_t value)
{
    for (size_t i = 0; i < 8; i++)
        s->data[position + i] = (char)(value >> 8 * i & 0xFF);
}

/* The tables of a pack, in the order in which it has them. */
typedef struct parts {
    etl_str providers, names, hooks;
    section strings; /* only its strings count */
    etl_str sections;
    uint32_t name_count, hook_count;
    uint64_t base; /* where the sections begin */
} parts;

static int join(const parts *p, uint32_t provider_count, etl_str *out, etl_error *error)
{
    const etl_str *strings = &p->strings.string_bytes;
    etl_str_clear(out);
    etl_str_add(out, ETL_PACK_MAGIC, strlen(ETL_PACK_MAGIC));
    put_u32(out, ETL_PACK_VERSION);
    put_u32(out, provider_count);
    put_u32(out, p->name_count);
    put_u32(out, p->hook_count);
    put_u64(out, strings->size);
    put_u64(out, p->base + p->sections.size);
    size_t index_checksum_at = out->size;
    put_u64(out, 0);
    put_u64(out, 0);
    size_t header_checksum_at = out->size;
    put_u64(out, 0);
    const etl_str *tables[] = {&p->providers, &p->names, &p->hooks, strings, &p->sections};
    bool failed = p->strings.strings.failed;
    for (size_t i = 0; i < ETL_COUNT_OF(tables); i++) {
        etl_str_add(out, tables[i]->data, tables[i]->size);
        failed = failed || tables[i]->failed;
    }
    if (failed || out->failed)
        return no_memory(error);
    /* The header's checksum covers the index's. */
    set_u64(out, index_checksum_at,
            XXH3_64bits(out->data + ETL_PACK_HEADER_SIZE, (size_t)p->base - ETL_PACK_HEADER_SIZE));
    set_u64(out, header_checksum_at, XXH3_64bits(out->data, header_checksum_at));
    return ETL_OK;
}

int etl_pack_write(const etl_text_set *set, etl_str *ret_bytes, etl_error *error)
{
    parts p = {0};
    int r = write_names(set, &p.strings, &p.names, &p.name_count, error);
    if (r == ETL_OK)
        r = write_hooks(set, &p.strings, &p.hooks, &p.hook_count, error);
    p.base = ETL_PACK_HEADER_SIZE + set->provider_count * ETL_PACK_PROVIDER_SIZE + p.names.size +
             p.hooks.size + p.strings.string_bytes.size;
    if (r == ETL_OK)
        r = write_sections(set, p.base, &p.providers, &p.sections, error);
    if (r == ETL_OK)
        r = join(&p, (uint32_t)set->provider_count, ret_bytes, error);
    section_free(&p.strings);
    etl_str_free(&p.providers);
    etl_str_free(&p.names);
    etl_str_free(&p.hooks);
    etl_str_free(&p.sections);
    return r;
}
