/* Small compressors, the other direction of logfile's decompressors. */
#ifndef ETL_TEST_COMPRESS_H
#define ETL_TEST_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

/* `algorithm` is an etl_build_compression; out has room for 2 * size + 1024 bytes. Returns bytes
   written. */
size_t etl_test_compress(int algorithm, const uint8_t *in, size_t size, uint8_t *out);

#endif
