/* Schema text, as in schemas/; what is read is written as a pack. */
#include "fuzz.h"

#include "schema/text_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etl_text_set set = {0};
    if (etl_text_read(&set, "fuzz", (const char *)data, size, NULL) == ETL_OK && size % 8 == 0) {
        etl_str bytes = {0};
        etl_pack_write(&set, &bytes, NULL);
        etl_str_free(&bytes);
    }
    etl_text_set_free(&set);
    return 0;
}
