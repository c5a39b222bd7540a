/* Sinks: batches in, a file out. */
#ifndef ETLKIT_SINK_H
#define ETLKIT_SINK_H

#include "decoder.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct etl_convert_options {
    const char *format;  /* a sink's name ("sqlite"), or NULL: by the output's ending */
    bool overwrite;      /* replace an existing output */
    unsigned jobs;       /* threads; 0: as many as useful, 1: all work in the calling thread */
    const char *command; /* what was run, for the output's meta table; NULL: nothing */
} etl_convert_options;

typedef struct etl_convert_result {
    uint64_t events;
    uint64_t rows; /* of all tables */
    uint64_t output_bytes;
} etl_convert_result;

/* Name of the sink that serves `path` (or `format`), NULL if none does. */
const char *etl_sink_for(const char *path, const char *format);

/* Drains `decoder` into `path`. Writes under a temporary name beside it and renames when complete;
   on any failure the temporary file is removed and an old `path` stays as it was. ETL_ERR_EXISTS
   without `overwrite`; ETL_ERR_OUTPUT names what could not be written. */
int etl_convert(etl_decoder *decoder, const char *path, const etl_convert_options *options,
                etl_convert_result *ret_result, etl_error *error);

/* One event as text or as a JSON object on one line, without the newline (etl_str is not public, so
   it goes to a FILE). Control characters of the trace are escaped. */
typedef enum etl_text_format { ETL_TEXT_LINE, ETL_TEXT_JSON } etl_text_format;
typedef struct etl_text_writer etl_text_writer;
int etl_text_writer_open(void *stdio_file, etl_text_format format, etl_text_writer **ret_writer,
                         etl_error *error);
/* Writes all events of a batch; stops after *limit events when limit is not NULL, and counts it
   down. ETL_ERR_OUTPUT with system_errno EPIPE when the reader went away. */
int etl_text_writer_batch(etl_text_writer *writer, const etl_batch *batch, uint64_t *limit,
                          etl_error *error);
etl_text_writer *etl_text_writer_close(etl_text_writer *writer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
