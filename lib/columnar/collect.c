/* What the scan pass looks for: records that describe other records. */
#include "columnar/columnar.h"

/* KernelTraceControl EventMetadata (etl-format 5.13) */
static const etl_guid event_metadata_guid =
    ETL_GUID(0xbbccf6c1, 0x6cd1, 0x48c4, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71);
enum { METADATA_EVENT_INFO = 32, METADATA_MAP_INFO = 33 };

static int collect_traits(etl_collector *collector, const etl_record *record, etl_error *error)
{
    if (etl_guid_equal(&record->provider, &collector->last_traits))
        return ETL_OK;
    collector->last_traits = record->provider;
    if (etl_hashmap_get(&collector->seen_traits, record->provider.bytes, 16))
        return ETL_OK;
    if (collector->seen_traits.count < ETL_LIMIT_EVENT_TYPES &&
        etl_hashmap_put(&collector->seen_traits, record->provider.bytes, 16, collector))
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for provider names");
    return etl_catalog_add_traits(collector->catalog, &record->provider, record->traits.data,
                                  record->traits.size, error);
}

int etl_collect(etl_collector *collector, const etl_record *record, etl_error *error)
{
    etl_schema_origin origin = {record->source, record->file_offset};
    if (record->kind == ETL_HEADER_EVENT) {
        if (ETL_UNLIKELY(record->id == ETL_MANIFEST_EVENT_ID &&
                         record->opcode == ETL_MANIFEST_OPCODE && !record->schema_tl.data)) {
            int r = etl_catalog_add_manifest_chunk(
                collector->catalog, &record->provider, record->process_id, record->thread_id,
                record->payload.data, record->payload.size, origin, error);
            if (r != ETL_OK)
                return r;
        }
        return record->traits.data ? collect_traits(collector, record, error) : ETL_OK;
    }
    if (record->kind == ETL_HEADER_FULL &&
        etl_guid_equal(&record->provider, &event_metadata_guid)) {
        if (record->opcode == METADATA_EVENT_INFO)
            return etl_catalog_add_event_info(collector->catalog, record->payload.data,
                                              record->payload.size, origin, error);
        if (record->opcode == METADATA_MAP_INFO)
            return etl_catalog_add_map_info(collector->catalog, record->payload.data,
                                            record->payload.size, origin, error);
    }
    return ETL_OK;
}

void etl_collector_done(etl_collector *collector)
{
    etl_hashmap_free(&collector->seen_traits);
}
