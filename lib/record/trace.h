/* What trace.c and cursor.c share. */
#ifndef ETL_RECORD_TRACE_H
#define ETL_RECORD_TRACE_H

#include "record/record.h"

typedef struct etl_trace_file {
    etl_source *source;
    etl_logfile *logfile;
} etl_trace_file;

struct etl_trace {
    etl_trace_file *files;
    size_t count;
    etl_diag diag;
    bool scan_begun;
    bool scanned;
};

/* Raw time for messages without one that stand before the first record with one. */
int64_t etl_record_start_time(etl_buffer_view view, const etl_session_info *session,
                              const etl_buffer_info *buffer);

/* What the header does not say: time, processor, place. *last_raw_time is that of the record before
   it in the buffer. */
void etl_record_place(etl_record *record, const etl_session_info *session,
                      const etl_buffer_info *buffer, uint32_t buffer_index, uint16_t source,
                      int64_t *last_raw_time);

#endif
