/* See catalog_store.h. */
#include "schema/catalog_store.h"

#include <stdlib.h>

enum {
    /* Layouts of one event, all versions, that a trace may bring; real traces have one a version.
     */
    EVENT_SCHEMAS_MAX = 1024,
    /* More candidates than this only cost time: each is tried on a payload. */
    CANDIDATES_MAX = 64,
};

typedef struct stored {
    const etl_event_schema *schema;
    uint64_t order;  /* the higher, the newer */
    uint64_t layout; /* hash of the properties: most comparisons end there */
} stored;

typedef struct event_schemas {
    stored *items;
    size_t count;
    size_t capacity;
} event_schemas;

enum { EVENT_KEY_SIZE = sizeof(etl_guid) + 3 };

static void make_event_key(const etl_guid *provider, bool classic, uint16_t number,
                           uint8_t ret_key[EVENT_KEY_SIZE])
{
    memcpy(ret_key, provider, sizeof *provider);
    ret_key[sizeof *provider] = classic;
    ret_key[sizeof *provider + 1] = (uint8_t)number;
    ret_key[sizeof *provider + 2] = (uint8_t)(number >> 8);
}

static uint16_t schema_number(const etl_event_schema *schema)
{
    return schema->classic ? schema->opcode : schema->id;
}

/* Of what equal_layout compares. Names come from one builder, which keeps each once, so that equal
   names have equal addresses. */
static uint64_t layout_hash(const etl_event_schema *schema)
{
    uint64_t hash = schema->top_level_count;
    for (size_t i = 0; i < schema->property_count; i++) {
        const etl_property *p = &schema->properties[i];
        uint64_t types = (uint64_t)p->in_type << 48 | (uint64_t)p->out_type << 32 |
                         (uint64_t)p->flags << 16 | p->struct_start;
        uint64_t sizes = (uint64_t)p->struct_members << 32 | (uint64_t)p->count << 16 | p->length;
        hash = (hash ^ types) * UINT64_C(0x9E3779B97F4A7C15);
        hash = (hash ^ hash >> 29 ^ sizes) * UINT64_C(0xBF58476D1CE4E5B9);
        hash = (hash ^ hash >> 32 ^ (uintptr_t)p->name) * UINT64_C(0x94D049BB133111EB);
    }
    return hash;
}

/* Maps are left out: those of a trace are bound later, and they do not change the layout. */
static bool equal_layout(const etl_event_schema *a, const etl_event_schema *b)
{
    if (a->property_count != b->property_count || a->top_level_count != b->top_level_count)
        return false;
    if (a->properties == b->properties)
        return true;
    for (size_t i = 0; i < a->property_count; i++) {
        const etl_property *p = &a->properties[i], *q = &b->properties[i];
        if (p->in_type != q->in_type || p->out_type != q->out_type || p->flags != q->flags ||
            p->struct_start != q->struct_start || p->struct_members != q->struct_members ||
            p->count != q->count || p->length != q->length || p->name != q->name)
            return false;
    }
    return true;
}

int etl_schema_store_add(etl_schema_store *store, const etl_event_schema *schema, etl_error *error)
{
    uint8_t key[EVENT_KEY_SIZE];
    make_event_key(&schema->provider, schema->classic, schema_number(schema), key);
    event_schemas *event = etl_hashmap_get(&store->events, key, sizeof key);
    if (!event) {
        event = etl_arena_alloc(store->arena, sizeof *event);
        if (!event || etl_hashmap_put(&store->events, key, sizeof key, event) < 0)
            return etl_fail(error, ETL_ERR_NOMEM, "no memory for an event");
    }
    stored item = {.schema = schema, .order = ++store->order, .layout = layout_hash(schema)};
    for (size_t i = 0; i < event->count; i++) {
        const etl_event_schema *there = event->items[i].schema;
        if (event->items[i].layout == item.layout && there->version == schema->version &&
            there->source == schema->source && equal_layout(there, schema)) {
            event->items[i] = item;
            return ETL_END;
        }
    }
    if (event->count >= EVENT_SCHEMAS_MAX)
        return etl_fail(error, ETL_ERR_LIMIT, "event %u has more than %d layouts",
                        schema_number(schema), EVENT_SCHEMAS_MAX);
    if (event->count == event->capacity) {
        size_t capacity = event->capacity ? event->capacity * 2 : 2;
        stored *items = realloc(event->items, capacity * sizeof *items);
        if (!items)
            return etl_fail(error, ETL_ERR_NOMEM, "no memory for an event");
        event->items = items;
        event->capacity = capacity;
    }
    event->items[event->count++] = item;
    return ETL_OK;
}

/* ---- ranking ---- */

typedef struct candidate {
    const etl_event_schema *schema;
    uint32_t distance; /* builds between the record's and the range of the schema */
    uint64_t age;      /* the lower, the better */
} candidate;

/* A range that says nothing stands behind one that holds the build, before one that does not. */
static uint32_t build_distance(const etl_event_schema *schema, uint32_t build)
{
    if (build == 0)
        return 0;
    if (schema->build_first == 0 && schema->build_last == 0)
        return 1;
    if (build < schema->build_first)
        return 1 + (schema->build_first - build);
    if (schema->build_last != 0 && build > schema->build_last)
        return 1 + (build - schema->build_last);
    return 0;
}

static int compare_candidates(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->schema->version != b->schema->version)
        return a->schema->version > b->schema->version ? -1 : 1;
    if (a->schema->source != b->schema->source)
        return a->schema->source < b->schema->source ? -1 : 1;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->age < b->age ? -1 : a->age > b->age;
}

static int compare_pack(const etl_event_schema *schema, const etl_schema_key *key, uint16_t number)
{
    if (schema->classic != key->classic)
        return schema->classic ? 1 : -1;
    return (int)schema_number(schema) - (int)number;
}

/* First of `pack` that does not sort before the key's event. */
static size_t find_in_pack(const etl_event_schema *pack, size_t count, const etl_schema_key *key,
                           uint16_t number)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_pack(&pack[middle], key, number) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int etl_schema_store_rank(const etl_schema_store *store, const etl_schema_key *key, uint32_t build,
                          const etl_event_schema *pack, size_t pack_count, etl_schema_set *ret_set,
                          etl_error *error)
{
    uint16_t number = key->classic ? key->opcode : key->id;
    uint8_t bytes[EVENT_KEY_SIZE];
    make_event_key(&key->provider, key->classic, number, bytes);
    const event_schemas *event = etl_hashmap_get(&store->events, bytes, sizeof bytes);
    size_t first = find_in_pack(pack, pack_count, key, number), last = first;
    while (last < pack_count && compare_pack(&pack[last], key, number) == 0)
        last++;
    *ret_set = (etl_schema_set){0};
    size_t room = (event ? event->count : 0) + (last - first);
    if (room == 0)
        return ETL_OK;
    candidate *candidates = malloc(room * sizeof *candidates);
    if (!candidates)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for schema candidates");
    size_t count = 0;
    for (size_t i = 0; event && i < event->count; i++) {
        const etl_event_schema *schema = event->items[i].schema;
        if (schema->version <= key->version)
            candidates[count++] = (candidate){.schema = schema,
                                              .distance = build_distance(schema, build),
                                              .age = UINT64_MAX - event->items[i].order};
    }
    /* The pack is sorted by its own rank: what stands first is preferred. */
    for (size_t i = first; i < last; i++) {
        if (pack[i].version <= key->version)
            candidates[count++] = (candidate){
                .schema = &pack[i], .distance = build_distance(&pack[i], build), .age = i};
    }
    if (count > 1)
        qsort(candidates, count, sizeof *candidates, compare_candidates);
    if (count > CANDIDATES_MAX)
        count = CANDIDATES_MAX;
    const etl_event_schema **schemas =
        count > 0 ? etl_arena_array(store->arena, count, sizeof *schemas) : NULL;
    if (count > 0 && !schemas) {
        free(candidates);
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for schema candidates");
    }
    for (size_t i = 0; i < count; i++) {
        schemas[i] = candidates[i].schema;
        ret_set->exact_count += schemas[i]->version == key->version;
    }
    ret_set->schemas = schemas;
    ret_set->count = count;
    free(candidates);
    return ETL_OK;
}

void etl_schema_store_free(etl_schema_store *store)
{
    const etl_map_slot *slot;
    for (size_t position = 0; etl_hashmap_next(&store->events, &position, &slot);)
        free(((event_schemas *)slot->value)->items);
    etl_hashmap_free(&store->events);
}

/* ---- names ---- */

typedef struct ranked_name {
    const char *name;
    int rank;
} ranked_name;

int etl_name_store_add(etl_name_store *store, const etl_guid *guid, const char *name, int rank,
                       etl_error *error)
{
    ranked_name *there = etl_hashmap_get(&store->names, guid, sizeof *guid);
    if (there) {
        if (rank < there->rank)
            *there = (ranked_name){.name = name, .rank = rank};
        return ETL_OK;
    }
    there = etl_arena_alloc(store->arena, sizeof *there);
    if (!there || etl_hashmap_put(&store->names, guid, sizeof *guid, there) < 0)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a provider name");
    *there = (ranked_name){.name = name, .rank = rank};
    return ETL_OK;
}

const char *etl_name_store_get(const etl_name_store *store, const etl_guid *guid)
{
    const ranked_name *there = etl_hashmap_get(&store->names, guid, sizeof *guid);
    return there ? there->name : NULL;
}

/* ---- maps ---- */

typedef struct etl_map_reference {
    struct etl_map_reference *next;
    etl_property *property;
    const char *map_name;
    etl_guid provider;
} etl_map_reference;

enum { MAP_KEY_MAX = sizeof(etl_guid) + ETL_LIMIT_NAME_BYTES };

/* Names are cut at the limit by the builder. */
static size_t make_map_key(const etl_guid *provider, const char *name, uint8_t ret_key[MAP_KEY_MAX])
{
    size_t length = strnlen(name, ETL_LIMIT_NAME_BYTES);
    memcpy(ret_key, provider, sizeof *provider);
    memcpy(ret_key + sizeof *provider, name, length);
    return sizeof *provider + length;
}

int etl_map_store_add(etl_map_store *store, const etl_guid *provider, const etl_map *map,
                      etl_error *error)
{
    uint8_t key[MAP_KEY_MAX];
    size_t size = make_map_key(provider, map->name, key);
    if (etl_hashmap_put(&store->maps, key, size, (etl_map *)map) < 0)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a value map");
    return ETL_OK;
}

int etl_map_store_refer(etl_map_store *store, const etl_guid *provider, const char *map_name,
                        etl_property *property, etl_error *error)
{
    etl_map_reference *reference = etl_arena_alloc(store->arena, sizeof *reference);
    if (!reference)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a value map");
    *reference = (etl_map_reference){.next = store->references,
                                     .property = property,
                                     .map_name = map_name,
                                     .provider = *provider};
    store->references = reference;
    return ETL_OK;
}

void etl_map_store_bind(etl_map_store *store)
{
    uint8_t key[MAP_KEY_MAX];
    for (etl_map_reference *reference = store->references; reference; reference = reference->next) {
        size_t size = make_map_key(&reference->provider, reference->map_name, key);
        reference->property->map = etl_hashmap_get(&store->maps, key, size);
    }
    store->references = NULL;
}

void etl_map_store_free(etl_map_store *store)
{
    etl_hashmap_free(&store->maps);
}
