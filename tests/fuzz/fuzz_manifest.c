/* Instrumentation manifests as XML, and as an EventSource chunk. */
#include "fuzz.h"

#include <stdlib.h>

#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etl_diag diag = {0};
    etl_catalog *catalog;
    if (etl_catalog_new(NULL, &diag, &catalog, NULL) != ETL_OK)
        abort();
    static const etl_guid provider;
    etl_catalog_add_manifest(catalog, (const char *)data, size, (etl_schema_origin){0}, NULL);
    etl_catalog_add_manifest_chunk(catalog, &provider, 1, 2, data, size, (etl_schema_origin){0},
                                   NULL);
    etl_catalog_freeze(catalog, NULL);
    etl_catalog_free(catalog);
    etl_diag_free(&diag);
    return 0;
}
