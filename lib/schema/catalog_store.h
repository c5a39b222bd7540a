/* catalog_store: the containers of the catalog. Schemas by provider and event, names of providers,
   maps by name. Nothing here locks. */
#ifndef ETL_SCHEMA_CATALOG_STORE_H
#define ETL_SCHEMA_CATALOG_STORE_H

#include "schema/sources.h"

/* ---- schemas of the trace ---- */

typedef struct etl_schema_store {
    etl_arena *arena;
    etl_hashmap events; /* (provider, classic, id or opcode) to its versions */
    uint64_t order;     /* of the newest schema */
} etl_schema_store;

/* Property names are interned by the builder: equal ones are the same pointer.
   ETL_END: an equal layout of the same key and source was there; the new one took its place.
   ETL_ERR_LIMIT: one version has too many layouts. */
int etl_schema_store_add(etl_schema_store *store, const etl_event_schema *schema, etl_error *error);
/* Candidates from the store and from `pack` (sorted as pack.h says), best first (schema.h). */
int etl_schema_store_rank(const etl_schema_store *store, const etl_schema_key *key, uint32_t build,
                          const etl_event_schema *pack, size_t pack_count, etl_schema_set *ret_set,
                          etl_error *error);
void etl_schema_store_free(etl_schema_store *store);

/* ---- names ---- */

typedef struct etl_name_store {
    etl_arena *arena;
    etl_hashmap names;
} etl_name_store;

/* A better rank replaces a name, the same rank does not. */
int etl_name_store_add(etl_name_store *store, const etl_guid *guid, const char *name, int rank,
                       etl_error *error);
const char *etl_name_store_get(const etl_name_store *store, const etl_guid *guid);

/* ---- maps ---- */

typedef struct etl_map_store {
    etl_arena *arena;
    etl_hashmap maps; /* (provider, name) to etl_map */
    struct etl_map_reference *references;
} etl_map_store;

int etl_map_store_add(etl_map_store *store, const etl_guid *provider, const etl_map *map,
                      etl_error *error);
int etl_map_store_refer(etl_map_store *store, const etl_guid *provider, const char *map_name,
                        etl_property *property, etl_error *error);
/* Gives every property that referred to a known map its map. */
void etl_map_store_bind(etl_map_store *store);
void etl_map_store_free(etl_map_store *store);

#endif
