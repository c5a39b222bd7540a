/* A compiled schema pack: opened, and every provider unpacked and compiled. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "decode/decode.h"
#include "schema/pack.h"
#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    etl_pack *pack = NULL;
    if (etl_pack_open(path, &pack, NULL) == ETL_OK) {
        for (size_t i = 0; i < etl_pack_provider_count(pack); i++) {
            etl_guid guid = etl_pack_provider_guid(pack, i);
            const etl_pack_provider *provider = etl_pack_provider_get(pack, &guid, NULL);
            etl_arena arena = {0};
            for (size_t k = 0; provider && k < provider->schema_count; k++) {
                const etl_layout *layout;
                if (etl_schema_check(&provider->schemas[k], NULL) == ETL_OK)
                    etl_layout_compile(&provider->schemas[k], &arena, &layout, NULL);
            }
            etl_arena_free(&arena);
            etl_pack_name(pack, &guid);
        }
    }
    etl_pack_close(pack);
    close(fd);
    return 0;
}
