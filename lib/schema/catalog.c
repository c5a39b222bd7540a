/* The catalog: keeps what the sources found, and ranks what fits a record (schema.h). */
#include "schema/catalog_store.h"
#include "schema/pack.h"

#include <pthread.h>
#include <stdlib.h>

struct etl_catalog {
    etl_arena arena;
    etl_hashmap interned;
    etl_builder builder;
    etl_schema_store store;
    etl_name_store names;
    etl_map_store maps;
    etl_chunk_store chunks;
    etl_hashmap seen; /* hash and size of metadata that was read before */
    size_t manifest_count;
    etl_hashmap lookups; /* key and build to etl_schema_set */
    etl_str joined;
    etl_pack *pack;
    etl_diag *diag;
    bool frozen;
    /* Lookups of several workers fill the same caches. */
    pthread_mutex_t lock;
};

int etl_catalog_new(const char *pack_path, etl_diag *diag, etl_catalog **ret_catalog,
                    etl_error *error)
{
    *ret_catalog = NULL;
    etl_catalog *catalog = calloc(1, sizeof *catalog);
    if (!catalog)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a catalog");
    catalog->diag = diag;
    pthread_mutex_init(&catalog->lock, NULL);
    etl_builder_init(&catalog->builder, &catalog->arena, &catalog->interned);
    catalog->store.arena = &catalog->arena;
    catalog->maps.arena = &catalog->arena;
    catalog->names.arena = &catalog->arena;
    if (pack_path) {
        int r = etl_pack_open(pack_path, &catalog->pack, error);
        if (r < 0) {
            etl_catalog_free(catalog);
            return r;
        }
    }
    *ret_catalog = catalog;
    return ETL_OK;
}

etl_catalog *etl_catalog_free(etl_catalog *catalog)
{
    if (!catalog)
        return NULL;
    etl_pack_close(catalog->pack);
    etl_chunk_store_free(&catalog->chunks);
    etl_schema_store_free(&catalog->store);
    etl_map_store_free(&catalog->maps);
    etl_hashmap_free(&catalog->names.names);
    etl_hashmap_free(&catalog->seen);
    etl_hashmap_free(&catalog->lookups);
    etl_str_free(&catalog->joined);
    etl_builder_free(&catalog->builder);
    etl_hashmap_free(&catalog->interned);
    etl_arena_free(&catalog->arena);
    pthread_mutex_destroy(&catalog->lock);
    free(catalog);
    return NULL;
}

/* ---- in-stream sources ---- */

/* What a source is reading, for diagnostics. */
typedef struct source_run {
    etl_catalog *catalog;
    etl_schema_origin origin;
    int diag_code;
} source_run;

static void report(const source_run *run, const char *text)
{
    etl_diag_add(run->catalog->diag, run->diag_code, run->origin.source, run->origin.offset, 1,
                 "%s", text);
}

static int take_event(void *context, const etl_event_schema *schema, etl_error *error)
{
    const source_run *run = context;
    int r = etl_schema_store_add(&run->catalog->store, schema, error);
    if (r != ETL_ERR_LIMIT)
        return r < 0 ? r : ETL_OK;
    report(run, error ? error->message : "an event has too many layouts");
    return ETL_OK;
}

static int take_provider(void *context, const etl_guid *guid, const char *name, int rank,
                         etl_error *error)
{
    const source_run *run = context;
    return etl_name_store_add(&run->catalog->names, guid, name, rank, error);
}

static int take_map_reference(void *context, const etl_guid *provider, const char *map_name,
                              etl_property *property, etl_error *error)
{
    const source_run *run = context;
    return etl_map_store_refer(&run->catalog->maps, provider, map_name, property, error);
}

static int take_map(void *context, const etl_guid *provider, const etl_map *map, etl_error *error)
{
    const source_run *run = context;
    return etl_map_store_add(&run->catalog->maps, provider, map, error);
}

static void take_problem(void *context, const char *text)
{
    report(context, text);
}

static etl_builder_sink make_sink(source_run *run)
{
    return (etl_builder_sink){.event = take_event,
                              .provider = take_provider,
                              .map_reference = take_map_reference,
                              .map = take_map,
                              .problem = take_problem,
                              .context = run};
}

/* Damage is data: only lack of memory is a failure of the caller's. */
static int settle(const source_run *run, int status, const etl_error *found, etl_error *error)
{
    if (status >= 0)
        return ETL_OK;
    if (status == ETL_ERR_NOMEM)
        return etl_fail(error, ETL_ERR_NOMEM, "%s", found->message);
    report(run, found->message);
    return ETL_OK;
}

/* The same metadata comes again for every process, at start and at stop. ETL_END: known. */
static int remember(etl_catalog *catalog, char kind, const void *data, size_t size,
                    etl_error *error)
{
    uint8_t key[17] = {(uint8_t)kind};
    uint64_t hash = etl_hash(data, size), length = size;
    memcpy(key + 1, &hash, 8);
    memcpy(key + 9, &length, 8);
    if (etl_hashmap_get(&catalog->seen, key, sizeof key))
        return ETL_END;
    if (etl_hashmap_put(&catalog->seen, key, sizeof key, catalog) < 0)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for the catalog");
    return ETL_OK;
}

static int add_manifest(etl_catalog *catalog, const char *xml, size_t size,
                        const etl_guid *fallback, etl_schema_origin origin, etl_error *error)
{
    source_run run = {.catalog = catalog, .origin = origin, .diag_code = ETL_DIAG_MANIFEST_BAD};
    int r = remember(catalog, 'x', xml, size, error);
    if (r != ETL_OK)
        return r < 0 ? r : ETL_OK;
    if (catalog->manifest_count >= ETL_LIMIT_MANIFESTS) {
        report(&run, "too many manifests in a trace");
        return ETL_OK;
    }
    catalog->manifest_count++;
    etl_builder_sink sink = make_sink(&run);
    etl_error found = {0};
    r = etl_manifest_parse(&catalog->builder, xml, size, ETL_SCHEMA_EVENTSOURCE, fallback, &sink,
                           &found);
    return settle(&run, r, &found, error);
}

int etl_catalog_add_manifest_chunk(etl_catalog *catalog, const etl_guid *provider,
                                   uint32_t process_id, uint32_t thread_id, const uint8_t *payload,
                                   size_t size, etl_schema_origin origin, etl_error *error)
{
    assert(!catalog->frozen);
    const char *xml = NULL;
    size_t xml_size = 0;
    etl_error found = {0};
    int r = etl_chunk_store_add(&catalog->chunks, provider, process_id, thread_id, payload, size,
                                origin, &catalog->joined, &xml, &xml_size, &found);
    if (r == ETL_OK)
        return add_manifest(catalog, xml, xml_size, provider, origin, error);
    source_run run = {.catalog = catalog, .origin = origin, .diag_code = ETL_DIAG_MANIFEST_BAD};
    return settle(&run, r, &found, error);
}

int etl_catalog_add_manifest(etl_catalog *catalog, const char *xml, size_t size,
                             etl_schema_origin origin, etl_error *error)
{
    assert(!catalog->frozen);
    return add_manifest(catalog, xml, size, NULL, origin, error);
}

int etl_catalog_add_event_info(etl_catalog *catalog, const uint8_t *blob, size_t size,
                               etl_schema_origin origin, etl_error *error)
{
    assert(!catalog->frozen);
    int r = remember(catalog, 'e', blob, size, error);
    if (r != ETL_OK)
        return r < 0 ? r : ETL_OK;
    source_run run = {.catalog = catalog, .origin = origin, .diag_code = ETL_DIAG_SCHEMA_BAD};
    etl_builder_sink sink = make_sink(&run);
    etl_error found = {0};
    r = etl_event_info_parse(&catalog->builder, blob, size, &sink, &found);
    return settle(&run, r, &found, error);
}

int etl_catalog_add_map_info(etl_catalog *catalog, const uint8_t *blob, size_t size,
                             etl_schema_origin origin, etl_error *error)
{
    assert(!catalog->frozen);
    int r = remember(catalog, 'm', blob, size, error);
    if (r != ETL_OK)
        return r < 0 ? r : ETL_OK;
    source_run run = {.catalog = catalog, .origin = origin, .diag_code = ETL_DIAG_SCHEMA_BAD};
    etl_builder_sink sink = make_sink(&run);
    etl_error found = {0};
    r = etl_map_info_parse(&catalog->builder, blob, size, &sink, &found);
    return settle(&run, r, &found, error);
}

/* A provider without a name in its traits has a manifest, which names it. */
static int learn_traits(etl_catalog *catalog, const etl_guid *provider, const uint8_t *traits,
                        size_t size, etl_error *error)
{
    etl_traits parsed;
    if (etl_name_store_get(&catalog->names, provider))
        return ETL_OK;
    etl_traits_parse(traits, size, &parsed);
    if (!parsed.name || parsed.name_length == 0)
        return ETL_OK;
    const char *name = etl_builder_name(&catalog->builder, parsed.name, parsed.name_length);
    if (!name)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a provider name");
    return etl_name_store_add(&catalog->names, provider, name, ETL_NAME_RANK_TRAITS, error);
}

int etl_catalog_add_traits(etl_catalog *catalog, const etl_guid *provider, const uint8_t *traits,
                           size_t size, etl_error *error)
{
    pthread_mutex_lock(&catalog->lock);
    int r = learn_traits(catalog, provider, traits, size, error);
    pthread_mutex_unlock(&catalog->lock);
    return r;
}

int etl_catalog_freeze(etl_catalog *catalog, etl_error *error)
{
    (void)error;
    etl_map_store_bind(&catalog->maps);
    etl_chunk_store_finish(&catalog->chunks, catalog->diag);
    etl_str_free(&catalog->joined);
    etl_hashmap_free(&catalog->seen);
    catalog->frozen = true;
    return ETL_OK;
}

/* ---- lookup ---- */

/* NULL with ETL_OK: the pack does not know the GUID. */
static int pack_provider(etl_pack *pack, const etl_guid *guid, const etl_pack_provider **ret,
                         etl_error *error)
{
    etl_error found = {0};
    *ret = pack ? etl_pack_provider_get(pack, guid, &found) : NULL;
    if (*ret || found.code >= 0)
        return ETL_OK;
    return etl_fail(error, found.code, "%s", found.message);
}

static int find_candidates(etl_catalog *catalog, const etl_schema_key *key, uint32_t build,
                           etl_schema_set *ret_set, etl_error *error)
{
    const etl_pack_provider *provider;
    int r = pack_provider(catalog->pack, &key->provider, &provider, error);
    if (r < 0)
        return r;
    return etl_schema_store_rank(&catalog->store, key, build, provider ? provider->schemas : NULL,
                                 provider ? provider->schema_count : 0, ret_set, error);
}

static int lookup(etl_catalog *catalog, const etl_schema_key *key, uint32_t build,
                  etl_schema_set *ret_set, etl_error *error)
{
    uint8_t bytes[sizeof key->provider + 9];
    uint8_t *p = bytes + sizeof key->provider;
    /* A manifest event has an opcode, but is not found by it; a classic one has no id. */
    uint16_t number = key->classic ? key->opcode : key->id;
    memcpy(bytes, &key->provider, sizeof key->provider);
    p[0] = (uint8_t)number;
    p[1] = (uint8_t)(number >> 8);
    p[2] = key->version;
    p[3] = key->classic;
    memcpy(p + 4, &build, sizeof build);
    p[8] = 0;
    const etl_schema_set *known = etl_hashmap_get(&catalog->lookups, bytes, sizeof bytes);
    if (known) {
        *ret_set = *known;
        return ETL_OK;
    }
    int r = find_candidates(catalog, key, build, ret_set, error);
    /* Damaged keys are without end, so that misses are kept only up to a limit. */
    if (r < 0 || (ret_set->count == 0 && catalog->lookups.count >= ETL_LIMIT_EVENT_TYPES))
        return r;
    static const etl_schema_set none;
    etl_schema_set *copy = (etl_schema_set *)&none;
    if (ret_set->count > 0) {
        copy = etl_arena_alloc(&catalog->arena, sizeof *copy);
        if (copy)
            *copy = *ret_set;
    }
    if (!copy || etl_hashmap_put(&catalog->lookups, bytes, sizeof bytes, copy) < 0)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for the catalog");
    return ETL_OK;
}

int etl_catalog_lookup(etl_catalog *catalog, const etl_schema_key *key, uint32_t build,
                       etl_schema_set *ret_set, etl_error *error)
{
    *ret_set = (etl_schema_set){0};
    pthread_mutex_lock(&catalog->lock);
    int r = lookup(catalog, key, build, ret_set, error);
    pthread_mutex_unlock(&catalog->lock);
    return r;
}

static int build_tracelogging(etl_catalog *catalog, const etl_guid *provider,
                              const uint8_t *metadata, size_t size, const uint8_t *traits,
                              size_t traits_size, const etl_event_schema **ret_schema,
                              etl_error *error)
{
    etl_event_schema parsed;
    int r = etl_tracelogging_parse(&catalog->builder, metadata, size, &parsed, error);
    /* A limit that the metadata breaks is damage to the caller. */
    if (r == ETL_ERR_LIMIT && error)
        error->code = ETL_ERR_DAMAGED;
    if (r < 0)
        return r == ETL_ERR_LIMIT ? ETL_ERR_DAMAGED : r;
    if (traits_size > 0) {
        r = learn_traits(catalog, provider, traits, traits_size, error);
        if (r < 0)
            return r;
    }
    etl_event_schema *schema = etl_arena_alloc(&catalog->arena, sizeof *schema);
    if (!schema)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a TraceLogging schema");
    *schema = parsed;
    schema->provider = *provider;
    schema->provider_name = etl_name_store_get(&catalog->names, provider);
    *ret_schema = schema;
    return ETL_OK;
}

int etl_catalog_tracelogging(etl_catalog *catalog, const etl_guid *provider,
                             const uint8_t *metadata, size_t size, const uint8_t *traits,
                             size_t traits_size, const etl_event_schema **ret_schema,
                             etl_error *error)
{
    *ret_schema = NULL;
    pthread_mutex_lock(&catalog->lock);
    int r = build_tracelogging(catalog, provider, metadata, size, traits, traits_size, ret_schema,
                               error);
    pthread_mutex_unlock(&catalog->lock);
    return r;
}

/* ---- names ---- */

static const char *pack_name(etl_pack *pack, const etl_guid *guid)
{
    const etl_pack_provider *provider;
    if (pack && pack_provider(pack, guid, &provider, NULL) == ETL_OK && provider && provider->name)
        return provider->name;
    return pack ? etl_pack_name(pack, guid) : NULL;
}

const char *etl_catalog_provider_name(const etl_catalog *catalog, const etl_guid *provider)
{
    /* Asking changes nothing that a caller sees; the caches behind it are locked. */
    etl_catalog *shared = (etl_catalog *)catalog;
    pthread_mutex_lock(&shared->lock);
    const char *name = etl_name_store_get(&shared->names, provider);
    if (!name)
        name = pack_name(shared->pack, provider);
    pthread_mutex_unlock(&shared->lock);
    return name;
}

/* Class names are facts of Windows: the pack knows them better than what a trace happens to say. */
const char *etl_catalog_class_name(const etl_catalog *catalog, const etl_guid *class_guid)
{
    etl_catalog *shared = (etl_catalog *)catalog;
    pthread_mutex_lock(&shared->lock);
    const char *name = pack_name(shared->pack, class_guid);
    if (!name)
        name = etl_name_store_get(&shared->names, class_guid);
    pthread_mutex_unlock(&shared->lock);
    return name;
}
