/* Values that repeat over events (activity ids, SIDs, stacks) become row ids of small tables. */
#include "columnar/columnar.h"

/* The map holds the id itself in the pointer. */
static int64_t known(const etl_hashmap *map, const void *key, size_t size)
{
    return (int64_t)(uintptr_t)etl_hashmap_get(map, key, size);
}

static int64_t remember(etl_hashmap *map, const void *key, size_t size)
{
    int64_t id = (int64_t)map->count + 1;
    return etl_hashmap_put(map, key, size, (void *)(uintptr_t)id) == ETL_OK ? id : 0;
}

int64_t etl_intern_activity(etl_intern *intern, etl_batch *batch, const uint8_t guid[16])
{
    int64_t id = known(&intern->activities, guid, 16);
    if (id)
        return id;
    id = remember(&intern->activities, guid, 16);
    etl_table *table = &batch->activity;
    if (!id || !etl_column_add_int(&table->columns[0], table->row_count, id) ||
        !etl_column_add_guid(&table->columns[1], table->row_count, guid))
        return 0;
    table->row_count++;
    return id;
}

int64_t etl_intern_sid(etl_intern *intern, etl_batch *batch, etl_bytes sid)
{
    int64_t id = known(&intern->sids, sid.data, sid.size);
    if (id)
        return id;
    id = remember(&intern->sids, sid.data, sid.size);
    etl_str_clear(&intern->scratch);
    if (!etl_format_sid(sid.data, sid.size, &intern->scratch))
        etl_format_hex(sid.data, sid.size, &intern->scratch);
    etl_table *table = &batch->sid;
    if (!id || intern->scratch.failed ||
        !etl_column_add_int(&table->columns[0], table->row_count, id) ||
        !etl_column_add_data(&table->columns[1], table->row_count, intern->scratch.data,
                             intern->scratch.size))
        return 0;
    table->row_count++;
    return id;
}

/* Item data: u64 MatchId, then addresses of 4 or 8 bytes. */
int64_t etl_intern_stack(etl_intern *intern, etl_batch *batch, etl_bytes stack,
                         uint8_t pointer_size)
{
    if (stack.size < 8 || !pointer_size)
        return 0;
    const uint8_t *frames = stack.data + 8;
    size_t size = stack.size - 8;
    size -= size % pointer_size;
    size_t count = size / pointer_size;
    /* The pointer size is part of the value. */
    etl_str_clear(&intern->scratch);
    etl_str_add(&intern->scratch, &pointer_size, 1);
    etl_str_add(&intern->scratch, frames, size);
    if (intern->scratch.failed)
        return 0;
    int64_t id = known(&intern->stacks, intern->scratch.data, intern->scratch.size);
    if (id)
        return id;
    id = remember(&intern->stacks, intern->scratch.data, intern->scratch.size);
    etl_table *table = &batch->stack;
    if (!id || !etl_column_add_int(&table->columns[0], table->row_count, id) ||
        !etl_column_add_int(&table->columns[1], table->row_count, (int64_t)count))
        return 0;
    table->row_count++;
    table = &batch->stack_frame;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *frame = frames + i * pointer_size;
        uint64_t address = pointer_size == 8 ? etl_load_u64(frame) : etl_load_u32(frame);
        if (!etl_column_add_int(&table->columns[0], table->row_count, id) ||
            !etl_column_add_int(&table->columns[1], table->row_count, (int64_t)i) ||
            !etl_column_add_int(&table->columns[2], table->row_count, (int64_t)address))
            return 0;
        table->row_count++;
    }
    return id;
}

void etl_intern_done(etl_intern *intern)
{
    etl_hashmap_free(&intern->activities);
    etl_hashmap_free(&intern->sids);
    etl_hashmap_free(&intern->stacks);
    etl_str_free(&intern->scratch);
}
