/* sink: batches to files. A sink knows columns and their meaning, not ETW bytes. */
#ifndef ETL_SINK_MODULE_H
#define ETL_SINK_MODULE_H

#include "base/base.h"
#include "etlkit/sink.h"

/* One kind of output; one row in sink_table (convert.c). Calls come from one thread at a time, in
   order: open, write for each batch, then finish; destroy always, also after a failure. */
typedef struct etl_sink_ops {
    const char *name;
    const char *const *endings; /* of file names, ends with NULL */
    /* `path` is the temporary name; the file exists and is empty. */
    int (*open)(const char *path, const etl_convert_options *options, void **ret_sink,
                etl_error *error);
    int (*write)(void *sink, const etl_batch *batch, etl_error *error);
    /* Everything that needs the whole trace. The file is complete and closed afterwards. */
    int (*finish)(void *sink, etl_decoder *decoder, etl_error *error);
    uint64_t (*rows)(const void *sink);
    void (*destroy)(void *sink);
} etl_sink_ops;

extern const etl_sink_ops etl_sink_sqlite;

#endif
