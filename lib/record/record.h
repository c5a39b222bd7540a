/* record: header kinds to one etl_record; several log files merged in time order. */
#ifndef ETL_RECORD_MODULE_H
#define ETL_RECORD_MODULE_H

#include "etlkit/record.h"
#include "etlkit/trace.h"
#include "logfile/logfile.h"

/* One row of the header table (header_table.c): reads the header at the start of `data`
   (`size` bytes left in the buffer) into *ret. ETL_OK, or ETL_ERR_DAMAGED. ret->size, pointer_size
   and kind are set by the reader; time, cpu, source, offsets by the walker. */
typedef int etl_header_reader(const uint8_t *data, size_t size, etl_record *ret);

/* Walks the records of one loaded buffer. */
typedef struct etl_record_walk {
    etl_buffer_view view;
    uint32_t position;
    uint32_t unknown;          /* records of kind ETL_HEADER_OTHER */
    uint32_t unknown_position; /* of the first of them */
    uint32_t damaged_position; /* where the walk had to stop, 0 if it ended regularly */
    uint32_t fill_position;    /* where nothing but fill follows, 0 if records go to the end */
} etl_record_walk;

etl_record_walk etl_record_walk_start(etl_buffer_view view);
/* ETL_OK with the next record (buffer_position set; file_offset, cpu, time, source not), ETL_END at
   the end of the buffer or where nothing more can be made out (damaged_position). */
int etl_record_walk_next(etl_record_walk *walk, etl_record *ret);

/* Class GUID of a kernel group (hook id >> 8); the zero GUID for unknown groups. Hook 0x030A is the
   Image class. */
const etl_guid *etl_hook_guid(uint16_t hook_id);

etl_diag *etl_trace_diag(etl_trace *trace);
etl_logfile *etl_trace_logfile(etl_trace *trace, size_t source);

#endif
