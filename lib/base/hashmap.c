/* Open addressing with linear probing; at most half full. Nothing is ever removed. */
#include "base/base.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t etl_hash(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

static size_t find(const etl_map_slot *slots, size_t capacity, uint64_t hash, const void *key,
                   size_t key_size)
{
    size_t at = hash & (capacity - 1);
    for (; slots[at].value; at = (at + 1) & (capacity - 1))
        if (slots[at].hash == hash && slots[at].key_size == key_size &&
            (!key_size || memcmp(slots[at].key, key, key_size) == 0))
            break;
    return at;
}

void *etl_hashmap_get_hashed(const etl_hashmap *map, uint64_t hash, const void *key,
                             size_t key_size)
{
    return map->capacity ? map->slots[find(map->slots, map->capacity, hash, key, key_size)].value
                         : NULL;
}

void *etl_hashmap_get(const etl_hashmap *map, const void *key, size_t key_size)
{
    return map->capacity ? etl_hashmap_get_hashed(map, etl_hash(key, key_size), key, key_size)
                         : NULL;
}

static bool grow(etl_hashmap *map)
{
    size_t capacity = map->capacity ? map->capacity * 2 : 32;
    etl_map_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < map->capacity; i++) {
        const etl_map_slot *slot = &map->slots[i];
        if (slot->value)
            slots[find(slots, capacity, slot->hash, slot->key, slot->key_size)] = *slot;
    }
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
    return true;
}

int etl_hashmap_put(etl_hashmap *map, const void *key, size_t key_size, void *value)
{
    assert(value);
    if (key_size > UINT32_MAX || (2 * (map->count + 1) > map->capacity && !grow(map)))
        return ETL_ERR_NOMEM;
    uint64_t hash = etl_hash(key, key_size);
    etl_map_slot *slot = &map->slots[find(map->slots, map->capacity, hash, key, key_size)];
    if (!slot->value) {
        uint8_t *copy = etl_arena_alloc(&map->keys, key_size ? key_size : 1);
        if (!copy)
            return ETL_ERR_NOMEM;
        if (key_size)
            memcpy(copy, key, key_size);
        slot->key = copy;
        slot->key_size = (uint32_t)key_size;
        slot->hash = hash;
        map->count++;
    }
    slot->value = value;
    return ETL_OK;
}

bool etl_hashmap_next(const etl_hashmap *map, size_t *position, const etl_map_slot **ret_slot)
{
    while (*position < map->capacity) {
        const etl_map_slot *slot = &map->slots[(*position)++];
        if (slot->value) {
            *ret_slot = slot;
            return true;
        }
    }
    return false;
}

void etl_hashmap_free(etl_hashmap *map)
{
    free(map->slots);
    etl_arena_free(&map->keys);
    memset(map, 0, sizeof *map);
}
