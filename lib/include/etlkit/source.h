/* Inputs: plain files, pipes and compressed streams, as one read-only byte range with a hash. */
#ifndef ETLKIT_SOURCE_H
#define ETLKIT_SOURCE_H

#include "error.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct etl_source etl_source;

/* Opens `path`; "-" is standard input. Plain files are mapped; pipes and gzip, zstd, xz or bzip2
   streams (recognised by content) are spooled to an unnamed temporary file first.
   ETL_ERR_IO when it cannot be read, ETL_ERR_NOT_ETL for a directory or an empty file,
   ETL_ERR_LIMIT when a compressed stream grows past ETL_LIMIT_SPOOL_… */
int etl_source_open(const char *path, etl_source **ret_source, etl_error *error);
/* Closes and frees; accepts NULL; returns NULL. */
etl_source *etl_source_close(etl_source *source);

const char *etl_source_path(const etl_source *source);
/* "none", or the filter that was undone: "gzip", "zstd", … */
const char *etl_source_compression(const etl_source *source);
/* What was wrong with a compressed stream that gave only a part of its bytes, else NULL. */
const char *etl_source_damage(const etl_source *source);
/* Bytes of the trace, after decompression. */
const uint8_t *etl_source_data(const etl_source *source);
uint64_t etl_source_size(const etl_source *source);
/* Bytes of the input as stored. */
uint64_t etl_source_stored_size(const etl_source *source);
/* SHA-256 of the input as stored. Who will want it says so before the trace is scanned: the scan
   then hashes each buffer while it is in the cache (hash_until). sha256 hashes what is left. */
void etl_source_hash_enable(etl_source *source);
void etl_source_hash_until(etl_source *source, uint64_t end);
void etl_source_sha256(etl_source *source, uint8_t ret_digest[32]);
/* ETL_ERR_CHANGED when the file shrank or became unreadable under the mapping: reads of the lost
   pages gave zeros, so nothing decoded from them may be kept. */
int etl_source_check(const etl_source *source, etl_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
