/* One fuzz target a file; with libFuzzer, or replayed by replay.c. */
#ifndef ETL_FUZZ_H
#define ETL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
