/* See builder.h. */
#include "schema/builder.h"

#include <stdlib.h>

void etl_builder_init(etl_builder *builder, etl_arena *arena, etl_hashmap *names)
{
    *builder = (etl_builder){.arena = arena, .names = names};
}

void etl_builder_free(etl_builder *builder)
{
    free(builder->nodes);
    free(builder->positions);
    free(builder->order);
    free(builder->entries);
    etl_str_free(&builder->text);
    *builder = (etl_builder){0};
}

static size_t cut_utf8(const char *text, size_t length, size_t limit)
{
    if (length <= limit)
        return length;
    while (limit > 0 && ((unsigned char)text[limit] & 0xC0) == 0x80)
        limit--;
    return limit;
}

static const char *intern(etl_builder *builder, const char *text, size_t length)
{
    /* The key of the empty name would be no bytes at all. */
    if (length == 0)
        return "";
    char *known = etl_hashmap_get(builder->names, text, length);
    if (known)
        return known;
    char *copy = etl_arena_strndup(builder->arena, text, length);
    if (!copy || etl_hashmap_put(builder->names, text, length, copy) < 0)
        return NULL;
    return copy;
}

const char *etl_builder_text(etl_builder *builder, const char *text, size_t length, size_t limit)
{
    const char *nul = memchr(text, 0, length);
    if (nul)
        length = (size_t)(nul - text);
    if (etl_utf8_valid((const uint8_t *)text, length))
        return intern(builder, text, cut_utf8(text, length, limit));
    if (length > limit)
        length = limit;
    etl_str_clear(&builder->text);
    char *out = etl_str_reserve(&builder->text, ETL_UTF8_MAX(length));
    if (!out)
        return NULL;
    size_t size = etl_ansi_to_utf8((const uint8_t *)text, length, out);
    return intern(builder, out, cut_utf8(out, size, limit));
}

const char *etl_builder_name(etl_builder *builder, const char *text, size_t length)
{
    return etl_builder_text(builder, text, length, ETL_LIMIT_NAME_BYTES);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const char *etl_builder_wide(etl_builder *builder, const uint8_t *text, size_t units, size_t limit)
{
    etl_str_clear(&builder->text);
    char *out = etl_str_reserve(&builder->text, ETL_UTF8_MAX(units));
    if (!out)
        return NULL;
    size_t size = etl_utf16_to_utf8(text, units, out);
    while (size > 0 && is_blank(out[size - 1]))
        size--;
    while (size > 0 && is_blank(*out)) {
        out++;
        size--;
    }
    return intern(builder, out, cut_utf8(out, size, limit));
}

/* ---- layouts ---- */

void etl_builder_begin_layout(etl_builder *builder)
{
    builder->node_count = 0;
}

static bool grow_nodes(etl_builder *builder)
{
    size_t capacity = builder->node_capacity ? builder->node_capacity * 2 : 32;
    etl_builder_node *nodes = realloc(builder->nodes, capacity * sizeof *nodes);
    if (nodes)
        builder->nodes = nodes;
    uint16_t *positions = realloc(builder->positions, capacity * sizeof *positions);
    if (positions)
        builder->positions = positions;
    uint16_t *order = realloc(builder->order, capacity * sizeof *order);
    if (order)
        builder->order = order;
    if (!nodes || !positions || !order)
        return false;
    builder->node_capacity = capacity;
    return true;
}

int etl_builder_add_property(etl_builder *builder, uint16_t parent, const char *name,
                             etl_builder_node **ret_node, etl_error *error)
{
    if (!name)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a property name");
    if (builder->node_count >= ETL_LIMIT_PROPERTIES)
        return etl_fail(error, ETL_ERR_LIMIT, "an event has more than %d properties",
                        ETL_LIMIT_PROPERTIES);
    uint16_t depth = 0;
    if (parent != ETL_BUILDER_NO_PARENT) {
        assert(parent < builder->node_count);
        depth = (uint16_t)(builder->nodes[parent].depth + 1);
        if (depth > ETL_LIMIT_STRUCT_DEPTH)
            return etl_fail(error, ETL_ERR_LIMIT, "property %s: structs nest deeper than %d", name,
                            ETL_LIMIT_STRUCT_DEPTH);
    }
    if (builder->node_count == builder->node_capacity && !grow_nodes(builder))
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for properties");
    etl_builder_node *node = &builder->nodes[builder->node_count++];
    *node = (etl_builder_node){
        .property = {.name = name, .count = 1}, .parent = parent, .depth = depth};
    *ret_node = node;
    return ETL_OK;
}

/* Appends the children of `parent` to the order. Called for structs in layout order, so that the
   members of one struct form one run behind everything that encloses them. */
static size_t place_children(etl_builder *builder, uint16_t parent, size_t position)
{
    size_t first = parent == ETL_BUILDER_NO_PARENT ? 0 : parent + (size_t)1;
    for (size_t i = first; i < builder->node_count; i++) {
        if (builder->nodes[i].parent != parent) {
            if (parent != ETL_BUILDER_NO_PARENT &&
                builder->nodes[i].depth <= builder->nodes[parent].depth)
                break; /* added in payload order: behind the struct */
            continue;
        }
        builder->positions[i] = (uint16_t)position;
        builder->order[position++] = (uint16_t)i;
    }
    return position;
}

static void copy_property(const etl_builder *builder, const etl_builder_node *node,
                          etl_property *ret)
{
    *ret = node->property;
    /* A reference to nothing stays out of range, which the check reports. */
    if (ret->flags & ETL_PROPERTY_PARAM_COUNT)
        ret->count = ret->count < builder->node_count ? builder->positions[ret->count] : UINT16_MAX;
    if (ret->flags & ETL_PROPERTY_PARAM_LENGTH)
        ret->length =
            ret->length < builder->node_count ? builder->positions[ret->length] : UINT16_MAX;
    if (ret->flags & ETL_PROPERTY_STRUCT)
        ret->in_type = ETL_IN_STRUCT;
    else if (ret->out_type == ETL_OUT_NULL)
        ret->out_type = etl_default_out_type(ret->in_type);
}

int etl_builder_finish_layout(etl_builder *builder, etl_builder_layout *ret_layout,
                              etl_error *error)
{
    size_t count = builder->node_count;
    *ret_layout = (etl_builder_layout){.property_count = (uint16_t)count};
    if (count == 0)
        return ETL_OK;
    etl_property *properties = etl_arena_array(builder->arena, count, sizeof *properties);
    if (!properties)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for properties");
    size_t placed = place_children(builder, ETL_BUILDER_NO_PARENT, 0);
    ret_layout->top_level_count = (uint16_t)placed;
    for (size_t i = 0; i < placed; i++) {
        etl_builder_node *node = &builder->nodes[builder->order[i]];
        if (!(node->property.flags & ETL_PROPERTY_STRUCT))
            continue;
        size_t first = placed;
        placed = place_children(builder, builder->order[i], placed);
        node->property.struct_start = (uint16_t)first;
        node->property.struct_members = (uint16_t)(placed - first);
    }
    assert(placed == count);
    for (size_t i = 0; i < count; i++)
        copy_property(builder, &builder->nodes[builder->order[i]], &properties[i]);
    ret_layout->properties = properties;

    etl_event_schema probe = {.property_count = ret_layout->property_count,
                              .top_level_count = ret_layout->top_level_count,
                              .properties = properties};
    return etl_schema_check(&probe, error);
}

/* ---- maps ---- */

void etl_builder_begin_map(etl_builder *builder)
{
    builder->entry_count = 0;
}

int etl_builder_add_entry(etl_builder *builder, uint64_t value, const char *text, etl_error *error)
{
    if (builder->entry_count >= ETL_LIMIT_MAP_ENTRIES)
        return etl_fail(error, ETL_ERR_LIMIT, "a map has more than %d entries",
                        ETL_LIMIT_MAP_ENTRIES);
    if (builder->entry_count == builder->entry_capacity) {
        size_t capacity = builder->entry_capacity ? builder->entry_capacity * 2 : 32;
        etl_map_entry *entries = realloc(builder->entries, capacity * sizeof *entries);
        if (!entries)
            return etl_fail(error, ETL_ERR_NOMEM, "no memory for a map");
        builder->entries = entries;
        builder->entry_capacity = capacity;
    }
    if (!text)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a map");
    builder->entries[builder->entry_count++] = (etl_map_entry){.value = value, .text = text};
    return ETL_OK;
}

int etl_builder_finish_map(etl_builder *builder, const char *name, etl_map_kind kind,
                           const etl_map **ret_map, etl_error *error)
{
    etl_map *map = etl_arena_alloc(builder->arena, sizeof *map);
    size_t count = builder->entry_count;
    etl_map_entry *entries =
        count > 0 ? etl_arena_array(builder->arena, count, sizeof *entries) : NULL;
    if (!map || !name || (count > 0 && !entries))
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a map");
    if (count > 0)
        memcpy(entries, builder->entries, count * sizeof *entries);
    *map =
        (etl_map){.name = name, .kind = kind, .entry_count = (uint32_t)count, .entries = entries};
    *ret_map = map;
    return ETL_OK;
}

/* ---- names ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t text_length = strlen(text), end_length = strlen(end);
    return text_length >= end_length && strcmp(text + text_length - end_length, end) == 0;
}

const char *etl_builder_event_name(etl_builder *builder, const char *task, uint8_t opcode,
                                   const char *opcode_name, bool *ret_failed)
{
    bool has_task = task && *task, has_opcode = opcode_name && *opcode_name;
    if (!has_task)
        return opcode != 0 && has_opcode ? opcode_name : NULL;
    if (opcode == 0 || !has_opcode || ends_with(task, opcode_name))
        return task;
    etl_str_clear(&builder->text);
    etl_str_puts(&builder->text, task);
    etl_str_puts(&builder->text, opcode_name);
    const char *name =
        builder->text.failed
            ? NULL
            : intern(builder, builder->text.data,
                     cut_utf8(builder->text.data, builder->text.size, ETL_LIMIT_NAME_BYTES));
    if (!name)
        *ret_failed = true;
    return name;
}
