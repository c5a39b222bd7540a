/* Streams to unnamed files. */
#ifndef ETL_INPUT_SPOOL_H
#define ETL_INPUT_SPOOL_H

#include "base/base.h"

typedef struct etl_spool_result {
    int fd; /* the caller's to close */
    uint64_t size;
    uint64_t stored_size;
    const char *compression; /* static */
    char damage[128];        /* why the stream ended early, or empty */
    uint8_t digest[32];      /* SHA-256 of the stored bytes */
} etl_spool_result;

/* Reads `fd` to its end, undoes compression and writes the result to an unnamed file in TMPDIR. */
int etl_spool(int fd, const char *path, etl_spool_result *ret_result, etl_error *error);

#endif
