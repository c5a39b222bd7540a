/* See pack_section.h. */
#include "schema/pack_section.h"
#include "schema/schema.h"

#include <zstd.h>

typedef struct loader {
    etl_arena *arena;
    etl_cur cur;
    const char *strings;
    size_t string_size;
    size_t map_count;
    size_t layout_count;
    etl_map *maps;
    etl_event_schema *layouts; /* only their properties count */
    bool bad_reference;
    etl_error *error;
} loader;

static int damaged(const loader *l, const char *what)
{
    return etl_fail(l->error, ETL_ERR_DAMAGED, "%s", what);
}

static int no_memory(const loader *l)
{
    return etl_fail(l->error, ETL_ERR_NOMEM, "no memory");
}

/* The next reference as text; NULL for none. */
static const char *take_string(loader *l)
{
    uint32_t reference = etl_cur_u32(&l->cur);
    if (reference == 0)
        return NULL;
    if (reference > l->string_size) {
        l->bad_reference = true;
        return NULL;
    }
    return l->strings + reference - 1;
}

/* An array for `count` entries that the section still has `entry_size` bytes each for; NULL for
   none. */
static int new_array(loader *l, size_t count, size_t entry_size, size_t item_size, void *ret_array)
{
    void *array = NULL;
    memcpy(ret_array, &array, sizeof array);
    if (count > etl_cur_left(&l->cur) / entry_size)
        return damaged(l, "a table is longer than the section");
    if (count > 0) {
        array = etl_arena_array(l->arena, count, item_size);
        if (!array)
            return no_memory(l);
    }
    memcpy(ret_array, &array, sizeof array);
    return ETL_OK;
}

static int load_maps(loader *l)
{
    int r = new_array(l, l->map_count, ETL_PACK_MAP_SIZE, sizeof *l->maps, &l->maps);
    for (size_t i = 0; r == ETL_OK && i < l->map_count; i++) {
        etl_map *map = &l->maps[i];
        map->name = take_string(l);
        uint32_t kind = etl_cur_u32(&l->cur);
        map->kind = kind == ETL_MAP_BITS ? ETL_MAP_BITS : ETL_MAP_VALUE;
        map->entry_count = etl_cur_u32(&l->cur);
        if (map->entry_count > ETL_LIMIT_MAP_ENTRIES)
            return damaged(l, "a map is too long");
        etl_map_entry *entries = NULL;
        r = new_array(l, map->entry_count, ETL_PACK_ENTRY_SIZE, sizeof *entries, &entries);
        if (r < 0)
            return r;
        for (uint32_t j = 0; j < map->entry_count; j++) {
            entries[j].value = etl_cur_u64(&l->cur);
            entries[j].text = take_string(l);
            if (!entries[j].text)
                return damaged(l, "a map entry has no text");
        }
        map->entries = entries;
        if (!map->name)
            return damaged(l, "a map has no name");
    }
    return r;
}

static int load_properties(loader *l, etl_event_schema *layout)
{
    etl_property *properties = NULL;
    int r = new_array(l, layout->property_count, ETL_PACK_PROPERTY_SIZE, sizeof *properties,
                      &properties);
    if (r < 0)
        return r;
    for (size_t i = 0; i < layout->property_count; i++) {
        etl_property *property = &properties[i];
        property->name = take_string(l);
        property->in_type = etl_cur_u16(&l->cur);
        property->out_type = etl_cur_u16(&l->cur);
        property->flags = etl_cur_u16(&l->cur);
        property->struct_start = etl_cur_u16(&l->cur);
        property->struct_members = etl_cur_u16(&l->cur);
        property->count = etl_cur_u16(&l->cur);
        property->length = etl_cur_u16(&l->cur);
        uint32_t map = etl_cur_u32(&l->cur);
        if (map > l->map_count)
            return damaged(l, "a property refers to a map that does not exist");
        property->map = map > 0 ? &l->maps[map - 1] : NULL;
    }
    layout->properties = properties;
    return ETL_OK;
}

static int load_layouts(loader *l)
{
    int r = new_array(l, l->layout_count, ETL_PACK_LAYOUT_SIZE, sizeof *l->layouts, &l->layouts);
    for (size_t i = 0; r == ETL_OK && i < l->layout_count; i++) {
        etl_event_schema *layout = &l->layouts[i];
        layout->property_count = etl_cur_u16(&l->cur);
        layout->top_level_count = etl_cur_u16(&l->cur);
        if (layout->property_count > ETL_LIMIT_PROPERTIES)
            return damaged(l, "a layout has too many properties");
        r = load_properties(l, layout);
        if (r == ETL_OK && l->cur.failed)
            r = damaged(l, "it ends too early");
        if (r == ETL_OK)
            r = etl_schema_check(layout, l->error);
    }
    return r;
}

static int load_schema(loader *l, const etl_guid *guid, etl_event_schema *schema)
{
    etl_cur *c = &l->cur;
    schema->provider = *guid;
    schema->source = ETL_SCHEMA_PACK;
    schema->id = etl_cur_u16(c);
    schema->version = etl_cur_u8(c);
    schema->opcode = etl_cur_u8(c);
    schema->level = etl_cur_u8(c);
    schema->channel = etl_cur_u8(c);
    schema->classic = etl_cur_u8(c) != 0;
    etl_cur_u8(c);
    schema->task = etl_cur_u16(c);
    schema->build_first = etl_cur_u16(c);
    schema->build_last = etl_cur_u16(c);
    etl_cur_u16(c);
    schema->keyword = etl_cur_u64(c);
    schema->provider_name = take_string(l);
    schema->event_name = take_string(l);
    schema->task_name = take_string(l);
    schema->opcode_name = take_string(l);
    schema->level_name = take_string(l);
    schema->channel_name = take_string(l);
    schema->keyword_names = take_string(l);
    uint32_t layout = etl_cur_u32(c);
    if (layout > l->layout_count)
        return damaged(l, "an event refers to a layout that does not exist");
    if (layout > 0) {
        schema->properties = l->layouts[layout - 1].properties;
        schema->property_count = l->layouts[layout - 1].property_count;
        schema->top_level_count = l->layouts[layout - 1].top_level_count;
    }
    return ETL_OK;
}

static int load_tables(loader *l, etl_pack_provider *provider)
{
    uint32_t name = etl_cur_u32(&l->cur);
    l->string_size = etl_cur_u32(&l->cur);
    l->map_count = etl_cur_u32(&l->cur);
    l->layout_count = etl_cur_u32(&l->cur);
    size_t schema_count = etl_cur_u32(&l->cur);
    l->strings = (const char *)etl_cur_take(&l->cur, l->string_size);
    if (l->cur.failed)
        return damaged(l, "it ends too early");
    if (name > l->string_size || (l->string_size > 0 && l->strings[l->string_size - 1] != 0))
        return damaged(l, "its strings are not sound");
    provider->name = name > 0 ? l->strings + name - 1 : NULL;
    int r = load_maps(l);
    if (r == ETL_OK)
        r = load_layouts(l);
    etl_event_schema *schemas = NULL;
    if (r == ETL_OK)
        r = new_array(l, schema_count, ETL_PACK_SCHEMA_SIZE, sizeof *schemas, &schemas);
    for (size_t i = 0; r == ETL_OK && i < schema_count; i++)
        r = load_schema(l, &provider->guid, &schemas[i]);
    if (r < 0)
        return r;
    if (l->cur.failed || etl_cur_left(&l->cur) > 0)
        return damaged(l, "its size is wrong");
    if (l->bad_reference)
        return damaged(l, "a string is out of range");
    provider->schemas = schemas;
    provider->schema_count = schema_count;
    return ETL_OK;
}

int etl_pack_section_load(etl_arena *arena, const uint8_t *stored, size_t stored_size,
                          size_t unpacked_size, etl_pack_provider *provider, etl_error *error)
{
    /* The strings stay where they are unpacked. */
    uint8_t *bytes = etl_arena_alloc(arena, unpacked_size + 1);
    if (!bytes)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory");
    size_t size = ZSTD_decompress(bytes, unpacked_size, stored, stored_size);
    if (ZSTD_isError(size) || size != unpacked_size)
        return etl_fail(error, ETL_ERR_DAMAGED, "it cannot be unpacked");
    loader l = {.arena = arena, .cur = etl_cur_make(bytes, size), .error = error};
    return load_tables(&l, provider);
}
