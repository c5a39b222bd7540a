/* sources: entry points of the files that each read one kind of metadata bytes. Internal to
   schema/: the catalog calls them, tests may. */
#ifndef ETL_SCHEMA_SOURCES_H
#define ETL_SCHEMA_SOURCES_H

#include "schema/builder.h"

/* ---- tracelogging.c ---- */

/* ETL_ERR_DAMAGED or ETL_ERR_LIMIT name what is wrong. The schema has no provider yet. */
int etl_tracelogging_parse(etl_builder *builder, const uint8_t *metadata, size_t size,
                           etl_event_schema *ret_schema, etl_error *error);

typedef struct etl_traits {
    const char *name; /* into the bytes; not NUL-terminated beyond name_length */
    size_t name_length;
    bool has_group;
    etl_guid group;
    bool has_decode_guid;
    etl_guid decode_guid;
} etl_traits;

/* False when the bytes make no sense; what stands before the damage is kept. */
bool etl_traits_parse(const uint8_t *traits, size_t size, etl_traits *ret_traits);

/* ---- event_info.c ---- */

/* TRACE_EVENT_INFO. Schemas of decoding sources that records describe themselves (WPP,
   TraceLogging) are skipped: ETL_OK and no event. */
int etl_event_info_parse(etl_builder *builder, const uint8_t *blob, size_t size,
                         const etl_builder_sink *sink, etl_error *error);
/* Provider GUID and EVENT_MAP_INFO. Pattern maps are skipped. */
int etl_map_info_parse(etl_builder *builder, const uint8_t *blob, size_t size,
                       const etl_builder_sink *sink, etl_error *error);

/* ---- manifest.c ---- */

/* All providers of a manifest. `fallback` is the GUID of a provider without one, or NULL. Nothing
   is handed over unless the XML is well-formed. */
int etl_manifest_parse(etl_builder *builder, const char *xml, size_t size, uint8_t source,
                       const etl_guid *fallback, const etl_builder_sink *sink, etl_error *error);

/* ---- eventsource.c ---- */

typedef struct etl_chunk_store {
    etl_hashmap streams; /* (provider, process, thread) to chunk_stream */
    size_t bytes;
} etl_chunk_store;

/* Adds one chunk. When it completes a manifest: ETL_OK, and *ret_xml is the text, valid until the
   next call or `payload` ends. Incomplete: ETL_END. Anything unusable: ETL_ERR_DAMAGED or
   ETL_ERR_LIMIT. `scratch` receives the joined text. */
int etl_chunk_store_add(etl_chunk_store *store, const etl_guid *provider, uint32_t process_id,
                        uint32_t thread_id, const uint8_t *payload, size_t size,
                        etl_schema_origin origin, etl_str *scratch, const char **ret_xml,
                        size_t *ret_size, etl_error *error);
/* One diagnostic for each manifest that lacks chunks, then empties the store. */
void etl_chunk_store_finish(etl_chunk_store *store, etl_diag *diag);
void etl_chunk_store_free(etl_chunk_store *store);

#endif
