/* What decode may rely on without looking: a schema that passes here can be walked without
   recursion limits, index checks or type checks of references. */
#include "schema/builder.h"

enum { NO_PARENT = 0xFFFF };

/* Whose member each property is, and how many elements of it a fixed count can ask for. */
typedef struct check_state {
    const etl_event_schema *schema;
    uint16_t parent[ETL_LIMIT_PROPERTIES];
    uint8_t depth[ETL_LIMIT_PROPERTIES];
    uint32_t elements[ETL_LIMIT_PROPERTIES];
    etl_error *error;
} check_state;

static int bad(const check_state *state, size_t index, const char *what)
{
    const char *name = state->schema->properties[index].name;
    return etl_fail(state->error, ETL_ERR_DAMAGED, "property %zu (%.64s): %s", index,
                    name ? name : "no name", what);
}

/* A count or length must have been decoded before it is needed: the property stands earlier in the
   same struct, or in one around it and before that one. */
static int check_reference(const check_state *state, size_t index, uint16_t target,
                           const char *what)
{
    const etl_event_schema *schema = state->schema;
    if (target >= index)
        return bad(state, index, what);
    const etl_property *property = &schema->properties[target];
    uint16_t array = ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT | ETL_PROPERTY_FIXED_COUNT |
                     ETL_PROPERTY_PAYLOAD_COUNT | ETL_PROPERTY_REST | ETL_PROPERTY_OPAQUE;
    if ((property->flags & array) || !etl_in_type_is_integer(property->in_type))
        return bad(state, index, "refers to a property that is not an integer");
    size_t at = index;
    while (state->parent[target] != state->parent[at]) {
        if (state->parent[at] == NO_PARENT)
            return bad(state, index, "refers to a member of another struct");
        at = state->parent[at];
    }
    return target < at ? ETL_OK : bad(state, index, what);
}

static int check_struct(check_state *state, size_t index)
{
    const etl_event_schema *schema = state->schema;
    const etl_property *property = &schema->properties[index];
    size_t first = property->struct_start, count = property->struct_members;
    if (count == 0)
        return ETL_OK;
    if (first <= index || first < schema->top_level_count || first + count > schema->property_count)
        return bad(state, index, "its struct members are out of range");
    if (state->depth[index] >= ETL_LIMIT_STRUCT_DEPTH)
        return bad(state, index, "structs nest too deep");
    for (size_t i = first; i < first + count; i++) {
        /* Shared members could make a short schema expand without bound. */
        if (state->parent[i] != NO_PARENT)
            return bad(state, i, "is a member of two structs");
        state->parent[i] = (uint16_t)index;
        state->depth[i] = (uint8_t)(state->depth[index] + 1);
        state->elements[i] = state->elements[index];
    }
    return ETL_OK;
}

static int check_property(check_state *state, size_t index)
{
    const etl_property *property = &state->schema->properties[index];
    uint16_t flags = property->flags;
    if (!property->name)
        return bad(state, index, "has no name");
    if (strlen(property->name) > ETL_LIMIT_NAME_BYTES)
        return bad(state, index, "its name is too long");
    uint16_t counts =
        flags & (ETL_PROPERTY_PARAM_COUNT | ETL_PROPERTY_FIXED_COUNT | ETL_PROPERTY_PAYLOAD_COUNT);
    if (counts & (counts - 1))
        return bad(state, index, "has two counts");
    uint16_t lengths = flags & (ETL_PROPERTY_PARAM_LENGTH | ETL_PROPERTY_FIXED_LENGTH |
                                ETL_PROPERTY_PAYLOAD_LENGTH);
    if (lengths & (lengths - 1))
        return bad(state, index, "has two lengths");
    if (!(flags & (ETL_PROPERTY_STRUCT | ETL_PROPERTY_OPAQUE)) &&
        !etl_in_type_is_known(property->in_type))
        return bad(state, index, "has an unknown type");
    if ((flags & ETL_PROPERTY_FIXED_COUNT) && property->count > 1) {
        /* Elements may take no byte at all, so that the payload does not bound a product. */
        uint64_t elements = (uint64_t)state->elements[index] * property->count;
        if (elements > ETL_LIMIT_RECORD_SIZE)
            return bad(state, index, "counts multiply to more than a record can hold");
        state->elements[index] = (uint32_t)elements;
    }
    if (property->map && property->map->entry_count > ETL_LIMIT_MAP_ENTRIES)
        return bad(state, index, "its map is too long");
    int r = ETL_OK;
    if (flags & ETL_PROPERTY_PARAM_COUNT)
        r = check_reference(state, index, property->count, "its count does not come before it");
    if (r == ETL_OK && (flags & ETL_PROPERTY_PARAM_LENGTH))
        r = check_reference(state, index, property->length, "its length does not come before it");
    if (r == ETL_OK && (flags & ETL_PROPERTY_STRUCT))
        r = check_struct(state, index);
    return r;
}

int etl_schema_check(const etl_event_schema *schema, etl_error *error)
{
    if (schema->property_count > ETL_LIMIT_PROPERTIES)
        return etl_fail(error, ETL_ERR_DAMAGED, "a schema has %u properties, the limit is %d",
                        schema->property_count, ETL_LIMIT_PROPERTIES);
    if (schema->top_level_count > schema->property_count)
        return etl_fail(error, ETL_ERR_DAMAGED,
                        "a schema has more properties in its payload than in all");
    check_state state;
    state.schema = schema;
    state.error = error;
    for (size_t i = 0; i < schema->property_count; i++) {
        state.parent[i] = NO_PARENT;
        state.depth[i] = 0;
        state.elements[i] = 1;
    }
    for (size_t i = 0; i < schema->property_count; i++) {
        /* Structs point forward, so a member is known as one by now; the rest is no layout. */
        if (i >= schema->top_level_count && state.parent[i] == NO_PARENT)
            return bad(&state, i, "is a member of no struct");
        int r = check_property(&state, i);
        if (r < 0)
            return r;
    }
    return ETL_OK;
}
