/* A trace: one or more log files read as one sequence of records in time order.

   Reading takes two passes (schemas, names and loss may come late in a file). etl_trace_scan walks
   every record once in file order, fills the buffer index and hands each record to a callback;
   cursors then give records in time order and skip buffers outside the wanted time range. */
#ifndef ETLKIT_TRACE_H
#define ETLKIT_TRACE_H

#include "error.h"
#include "record.h"
#include "session.h"
#include "source.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct etl_trace etl_trace;
typedef struct etl_cursor etl_cursor;

/* Return ETL_OK to go on, ETL_END to stop early, or an error to pass on. */
typedef int etl_record_fn(const etl_record *record, void *context, etl_error *error);

/* The sources stay the caller's and must outlive the trace. ETL_ERR_NOT_ETL names the first source
   that is none. */
int etl_trace_open(etl_source *const *sources, size_t source_count, etl_trace **ret_trace,
                   etl_error *error);
etl_trace *etl_trace_close(etl_trace *trace);

size_t etl_trace_source_count(const etl_trace *trace);
const etl_source *etl_trace_source(const etl_trace *trace, size_t source);
const etl_session_info *etl_trace_session(const etl_trace *trace, size_t source);

/* First pass, once per trace, also after a failure. `callback` may be NULL; after ETL_END it is not
   called again, but the index is completed. Also hashes the sources on the way. */
int etl_trace_scan(etl_trace *trace, etl_record_fn *callback, void *context, etl_error *error);

/* Records with begin <= time <= end in time order; ties by source, processor, position. Records of
   one processor stay in their order even where their times step back (a wall clock that was set),
   as with ProcessTrace. Scans first if that was not done. Several cursors may be open at once. */
int etl_cursor_open(etl_trace *trace, etl_time begin, etl_time end, etl_cursor **ret_cursor,
                    etl_error *error);
etl_cursor *etl_cursor_close(etl_cursor *cursor);
/* ETL_OK with a record that is valid until the next call, or ETL_END. */
int etl_cursor_next(etl_cursor *cursor, etl_record *ret_record, etl_error *error);
/* Buffers that the cursor has loaded so far: what a narrow time range saves can be seen here. */
uint64_t etl_cursor_buffers_loaded(const etl_cursor *cursor);

/* The push form: opens a cursor and calls back for each record. */
int etl_trace_process(etl_trace *trace, etl_record_fn *callback, etl_time begin, etl_time end,
                      void *context, etl_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
