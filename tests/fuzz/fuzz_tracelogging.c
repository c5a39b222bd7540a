/* First u16: size of the TraceLogging metadata; the rest is a payload decoded with it. */
#include "fuzz.h"

#include <stdlib.h>

#include "decode/decode.h"
#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t metadata_size = etl_load_u16(data);
    if (metadata_size > size)
        metadata_size = size;
    etl_diag diag = {0};
    etl_catalog *catalog;
    if (etl_catalog_new(NULL, &diag, &catalog, NULL) != ETL_OK)
        abort();
    static const etl_guid provider;
    const etl_event_schema *schema;
    etl_arena arena = {0};
    const etl_layout *layout;
    if (etl_catalog_freeze(catalog, NULL) == ETL_OK &&
        etl_catalog_tracelogging(catalog, &provider, data, metadata_size, data, metadata_size,
                                 &schema, NULL) == ETL_OK &&
        etl_schema_check(schema, NULL) == ETL_OK &&
        etl_layout_compile(schema, &arena, &layout, NULL) == ETL_OK) {
        etl_slice *slices = calloc(layout->field_count + 1u, sizeof *slices);
        etl_str text = {0};
        for (uint8_t pointer = 4; slices && pointer <= 8; pointer = (uint8_t)(pointer + 4)) {
            etl_layout_slice(layout, data + metadata_size, size - metadata_size, pointer, slices);
            for (size_t i = 0; i < layout->field_count; i++) {
                const etl_field *field = &layout->fields[i];
                if (slices[i].data &&
                    (field->type == ETL_FIELD_TEXT || field->type == ETL_FIELD_JSON))
                    etl_field_text(field, &slices[i], pointer, &text);
                else if (slices[i].data && field->type == ETL_FIELD_INT)
                    etl_format_int(etl_field_int(field, &slices[i]), field->property->in_type,
                                   field->property->out_type, &text);
                etl_str_clear(&text);
            }
        }
        etl_str_free(&text);
        free(slices);
    }
    etl_arena_free(&arena);
    etl_catalog_free(catalog);
    etl_diag_free(&diag);
    return 0;
}
