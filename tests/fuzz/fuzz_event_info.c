/* TRACE_EVENT_INFO and EVENT_MAP_INFO blobs; the event is then looked up and compiled. */
#include "fuzz.h"

#include <stdlib.h>

#include "decode/decode.h"
#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etl_diag diag = {0};
    etl_catalog *catalog;
    if (etl_catalog_new(NULL, &diag, &catalog, NULL) != ETL_OK)
        abort();
    etl_catalog_add_event_info(catalog, data, size, (etl_schema_origin){0}, NULL);
    etl_catalog_add_map_info(catalog, data, size, (etl_schema_origin){0}, NULL);
    etl_catalog_freeze(catalog, NULL);
    if (size >= 48) {
        etl_schema_key key = {.provider = etl_guid_load(data),
                              .id = etl_load_u16(data + 32),
                              .version = data[34],
                              .opcode = data[37]};
        etl_schema_set set = {0};
        etl_arena arena = {0};
        if (etl_catalog_lookup(catalog, &key, 0, &set, NULL) == ETL_OK) {
            for (size_t i = 0; i < set.count; i++) {
                const etl_layout *layout;
                if (etl_schema_check(set.schemas[i], NULL) == ETL_OK &&
                    etl_layout_compile(set.schemas[i], &arena, &layout, NULL) == ETL_OK) {
                    etl_slice *slices = calloc(layout->field_count + 1u, sizeof *slices);
                    if (slices)
                        etl_layout_slice(layout, data, size, 8, slices);
                    free(slices);
                }
            }
        }
        etl_arena_free(&arena);
    }
    etl_catalog_free(catalog);
    etl_diag_free(&diag);
    return 0;
}
