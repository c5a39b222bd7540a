/* ManifestData events of .NET EventSource: puts the chunks of a manifest together (etl-format 8.1;
   microsoft/perfview ManifestEnvelope.cs). A thread sends its chunks in order, but the file holds
   them by processor, so that they may come in any order. */
#include "schema/sources.h"

#include <stdlib.h>

enum {
    CHUNK_FORMAT_XML = 1,
    CHUNK_MAGIC = 0x5B,
    CHUNK_HEADER_SIZE = 8,
    /* Of all incomplete manifests together. */
    CHUNK_BYTES_MAX = 4 * ETL_LIMIT_MANIFEST_BYTES,
};

typedef struct chunk {
    uint8_t *data;
    uint32_t size;
    uint16_t number;
} chunk;

typedef struct chunk_stream {
    chunk *chunks; /* by number */
    size_t count;
    size_t capacity;
    size_t bytes;
    etl_schema_origin origin; /* of the first that came */
    uint16_t total;
    uint8_t head[3]; /* format, major and minor version: equal in all chunks of a manifest */
} chunk_stream;

static void stream_clear(etl_chunk_store *store, chunk_stream *stream)
{
    for (size_t i = 0; i < stream->count; i++)
        free(stream->chunks[i].data);
    free(stream->chunks);
    store->bytes -= stream->bytes;
    *stream = (chunk_stream){0};
}

static chunk_stream *find_stream(etl_chunk_store *store, const etl_guid *provider,
                                 uint32_t process_id, uint32_t thread_id, bool *ret_full)
{
    uint8_t key[sizeof *provider + 8];
    memcpy(key, provider, sizeof *provider);
    memcpy(key + sizeof *provider, &process_id, 4);
    memcpy(key + sizeof *provider + 4, &thread_id, 4);
    *ret_full = false;
    chunk_stream *stream = etl_hashmap_get(&store->streams, key, sizeof key);
    if (stream)
        return stream;
    *ret_full = store->streams.count >= ETL_LIMIT_MANIFESTS;
    if (*ret_full)
        return NULL;
    stream = calloc(1, sizeof *stream);
    if (stream && etl_hashmap_put(&store->streams, key, sizeof key, stream) < 0) {
        free(stream);
        return NULL;
    }
    return stream;
}

/* ETL_OK, ETL_END when it is there already with the same bytes, or a failure. */
static int insert_chunk(etl_chunk_store *store, chunk_stream *stream, uint16_t number,
                        const uint8_t *data, size_t size, etl_error *error)
{
    size_t at = stream->count;
    while (at > 0 && stream->chunks[at - 1].number >= number)
        at--;
    if (at < stream->count && stream->chunks[at].number == number) {
        const chunk *there = &stream->chunks[at];
        if (there->size == size && memcmp(there->data, data, size) == 0)
            return ETL_END;
        return etl_fail(error, ETL_ERR_DAMAGED, "manifest chunk %u came twice and differs", number);
    }
    if (stream->bytes + size > ETL_LIMIT_MANIFEST_BYTES || store->bytes + size > CHUNK_BYTES_MAX)
        return etl_fail(error, ETL_ERR_LIMIT, "manifest chunks take more than %d bytes",
                        ETL_LIMIT_MANIFEST_BYTES);
    if (stream->count == stream->capacity) {
        size_t capacity = stream->capacity ? stream->capacity * 2 : 8;
        chunk *chunks = realloc(stream->chunks, capacity * sizeof *chunks);
        if (!chunks)
            return etl_fail(error, ETL_ERR_NOMEM, "no memory for manifest chunks");
        stream->chunks = chunks;
        stream->capacity = capacity;
    }
    uint8_t *copy = malloc(size);
    if (!copy)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a manifest chunk");
    memcpy(copy, data, size);
    memmove(&stream->chunks[at + 1], &stream->chunks[at],
            (stream->count - at) * sizeof *stream->chunks);
    stream->chunks[at] = (chunk){.data = copy, .size = (uint32_t)size, .number = number};
    stream->count++;
    stream->bytes += size;
    store->bytes += size;
    return ETL_OK;
}

int etl_chunk_store_add(etl_chunk_store *store, const etl_guid *provider, uint32_t process_id,
                        uint32_t thread_id, const uint8_t *payload, size_t size,
                        etl_schema_origin origin, etl_str *scratch, const char **ret_xml,
                        size_t *ret_size, etl_error *error)
{
    etl_cur cursor = etl_cur_make(payload, size);
    const uint8_t *head = etl_cur_take(&cursor, 3);
    uint8_t magic = etl_cur_u8(&cursor);
    uint16_t total = etl_cur_u16(&cursor), number = etl_cur_u16(&cursor);
    size_t data_size = etl_cur_left(&cursor);
    if (cursor.failed || head[0] != CHUNK_FORMAT_XML || magic != CHUNK_MAGIC || number >= total ||
        data_size == 0)
        return etl_fail(error, ETL_ERR_DAMAGED, "not a chunk of a manifest");
    const uint8_t *data = payload + CHUNK_HEADER_SIZE;
    if (total == 1) {
        *ret_xml = (const char *)data;
        *ret_size = data_size;
        return ETL_OK;
    }

    bool full;
    chunk_stream *stream = find_stream(store, provider, process_id, thread_id, &full);
    if (full)
        return etl_fail(error, ETL_ERR_LIMIT, "more than %d manifests in chunks",
                        ETL_LIMIT_MANIFESTS);
    if (!stream)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for manifest chunks");
    int r = ETL_OK;
    if (stream->count > 0 && (stream->total != total || memcmp(stream->head, head, 3) != 0)) {
        /* What is there can no longer become complete; the new one may. */
        r = etl_fail(error, ETL_ERR_DAMAGED, "another manifest began after %zu of %u chunks",
                     stream->count, stream->total);
        stream_clear(store, stream);
    }
    if (stream->count == 0) {
        stream->total = total;
        stream->origin = origin;
        memcpy(stream->head, head, 3);
    }
    int inserted = insert_chunk(store, stream, number, data, data_size, error);
    if (inserted == ETL_ERR_DAMAGED) {
        stream_clear(store, stream);
        stream->total = total;
        stream->origin = origin;
        memcpy(stream->head, head, 3);
        int again = insert_chunk(store, stream, number, data, data_size, NULL);
        return again == ETL_ERR_NOMEM ? again : inserted;
    }
    if (inserted < 0 || r < 0)
        return inserted < 0 ? inserted : r;
    if (stream->count < stream->total)
        return ETL_END;

    etl_str_clear(scratch);
    for (size_t i = 0; i < stream->count; i++)
        etl_str_add(scratch, stream->chunks[i].data, stream->chunks[i].size);
    stream_clear(store, stream);
    if (scratch->failed)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a manifest");
    *ret_xml = scratch->data;
    *ret_size = scratch->size;
    return ETL_OK;
}

void etl_chunk_store_finish(etl_chunk_store *store, etl_diag *diag)
{
    const etl_map_slot *slot;
    for (size_t position = 0; etl_hashmap_next(&store->streams, &position, &slot);) {
        chunk_stream *stream = slot->value;
        if (stream->count > 0)
            etl_diag_add(diag, ETL_DIAG_MANIFEST_BAD, stream->origin.source, stream->origin.offset,
                         1, "%zu of %u chunks of a manifest were found", stream->count,
                         stream->total);
    }
    etl_chunk_store_free(store);
}

void etl_chunk_store_free(etl_chunk_store *store)
{
    const etl_map_slot *slot;
    for (size_t position = 0; etl_hashmap_next(&store->streams, &position, &slot);) {
        stream_clear(store, slot->value);
        free(slot->value);
    }
    etl_hashmap_free(&store->streams);
    *store = (etl_chunk_store){0};
}
