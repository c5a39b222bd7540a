/* The three decompressors; the first byte chooses the output size. */
#include "fuzz.h"

#include <stdlib.h>

#include "logfile/logfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    size_t out_size = (size_t)data[0] * 257;
    uint8_t *out = malloc(out_size ? out_size : 1);
    if (!out)
        abort();
    etl_xpress_decompress(data + 1, size - 1, out, out_size);
    etl_xpress_huffman_decompress(data + 1, size - 1, out, out_size);
    etl_lznt1_decompress(data + 1, size - 1, out, out_size);
    free(out);
    return 0;
}
