/* schema: where event schemas come from, and the catalog that finds one for a record. Knows
   metadata bytes of every kind, but neither log files nor records.

   A lookup returns candidates, best first. Which of them describes a payload is decided by the
   payload: the first that consumes it exactly (decode/). */
#ifndef ETL_SCHEMA_MODULE_H
#define ETL_SCHEMA_MODULE_H

#include "base/base.h"
#include "etlkit/schema.h"

typedef struct etl_catalog etl_catalog;

/* `pack_path` NULL: no pack, only what traces carry. Diagnostics go to `diag`, which must outlive
   the catalog. */
int etl_catalog_new(const char *pack_path, etl_diag *diag, etl_catalog **ret_catalog,
                    etl_error *error);
etl_catalog *etl_catalog_free(etl_catalog *catalog);

/* Where a piece of metadata was found, for diagnostics. */
typedef struct etl_schema_origin {
    uint32_t source;
    uint64_t offset;
} etl_schema_origin;

/* ---- in-stream sources: called by the scan pass ---- */

/* Payload of an EventSource ManifestData event (id 0xFFFE; etl-format section 8). Chunks are
   reassembled by (provider, process, thread); a complete manifest is parsed at once, one that was
   seen before is ignored. Problems are diagnostics, never failures: only ETL_ERR_NOMEM. */
int etl_catalog_add_manifest_chunk(etl_catalog *catalog, const etl_guid *provider,
                                   uint32_t process_id, uint32_t thread_id, const uint8_t *payload,
                                   size_t size, etl_schema_origin origin, etl_error *error);
/* A whole instrumentation manifest, XML. */
int etl_catalog_add_manifest(etl_catalog *catalog, const char *xml, size_t size,
                             etl_schema_origin origin, etl_error *error);
/* TRACE_EVENT_INFO blob (KernelTraceControl EventMetadata type 32; section 6.3). */
int etl_catalog_add_event_info(etl_catalog *catalog, const uint8_t *blob, size_t size,
                               etl_schema_origin origin, etl_error *error);
/* Provider GUID and EVENT_MAP_INFO (type 33; section 6.4). May come before or after the events that
   refer to it by name. */
int etl_catalog_add_map_info(etl_catalog *catalog, const uint8_t *blob, size_t size,
                             etl_schema_origin origin, etl_error *error);
/* Provider traits item: teaches the provider's name. */
int etl_catalog_add_traits(etl_catalog *catalog, const etl_guid *provider, const uint8_t *traits,
                           size_t size, etl_error *error);
/* End of the scan pass: binds maps to properties, reports incomplete manifests. Lookups come after
   it. */
int etl_catalog_freeze(etl_catalog *catalog, etl_error *error);

/* ---- lookup: once per distinct event, never per record ---- */

typedef struct etl_schema_key {
    etl_guid provider;
    uint16_t id;
    uint8_t version;
    uint8_t opcode; /* key of classic events only */
    bool classic;
} etl_schema_key;

/* Candidates, best first: [0, exact_count) are of the asked version, ranked by source, then by
   `build` (those whose build range holds it first, then the nearest range), then newest first; the
   rest are of lower versions, nearest first. Owned by the catalog. count may be 0. */
typedef struct etl_schema_set {
    const etl_event_schema *const *schemas;
    size_t exact_count;
    size_t count;
} etl_schema_set;

int etl_catalog_lookup(etl_catalog *catalog, const etl_schema_key *key, uint32_t build,
                       etl_schema_set *ret_set, etl_error *error);

/* Schema of a TraceLogging event from its metadata bytes (item 0x0B: size word included, section
   7.1); the result lives as long as the catalog. Callers cache by the bytes. ETL_ERR_DAMAGED when
   they make no sense. `traits` may be empty. */
int etl_catalog_tracelogging(etl_catalog *catalog, const etl_guid *provider,
                             const uint8_t *metadata, size_t size, const uint8_t *traits,
                             size_t traits_size, const etl_event_schema **ret_schema,
                             etl_error *error);
/* The one-string schema of EVENT_HEADER_FLAG_STRING_ONLY records; static. */
const etl_event_schema *etl_schema_string_only(void);
/* Layout of EventSource's ManifestData event, the same for every provider (etl-format 8.1); static.
   Its number and opcode tell it. */
enum { ETL_MANIFEST_EVENT_ID = 0xFFFE, ETL_MANIFEST_OPCODE = 0xFE };
const etl_event_schema *etl_schema_manifest_data(void);

/* Best known name of a provider, class or WPP GUID, or NULL. */
const char *etl_catalog_provider_name(const etl_catalog *catalog, const etl_guid *provider);
/* Class group and type name of a kernel hook or classic event even where its layout is unknown, or
   NULL. */
const char *etl_catalog_class_name(const etl_catalog *catalog, const etl_guid *class_guid);

/* ---- shared by the sources ---- */

/* TDH numbers of type names as manifests spell them, without prefix, ignoring case: real files
   vary. 0 for an unknown name. */
uint16_t etl_in_type_by_name(const char *name);
uint16_t etl_out_type_by_name(const char *name);
/* Default out-type of an in-type (etl-format section 6.2). */
uint16_t etl_default_out_type(uint16_t in_type);
/* Text of winmeta's predefined levels and opcodes, or NULL. */
const char *etl_winmeta_level(uint8_t level);
const char *etl_winmeta_opcode(uint8_t opcode);
/* Checks what decode relies on: references point backwards to an integer, structs nest forward and
   at most ETL_LIMIT_STRUCT_DEPTH deep, counts are bounded. ETL_ERR_DAMAGED names the property. */
int etl_schema_check(const etl_event_schema *schema, etl_error *error);

#endif
