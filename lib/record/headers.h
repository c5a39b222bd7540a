/* Readers of the header kinds, one a file; header_table.c has the table. */
#ifndef ETL_RECORD_HEADERS_H
#define ETL_RECORD_HEADERS_H

#include "record/record.h"

/* Third byte of a typed marker, "header type" (ntwmi.h). TIMED (12), ERROR (13) and values that are
   not listed have no published layout. */
enum {
    HEADER_SYSTEM32 = 1,
    HEADER_SYSTEM64 = 2,
    HEADER_COMPACT32 = 3,
    HEADER_COMPACT64 = 4,
    HEADER_FULL32 = 10,
    HEADER_INSTANCE32 = 11,
    HEADER_WNODE = 14,
    HEADER_MESSAGE = 15,
    HEADER_PERFINFO32 = 16,
    HEADER_PERFINFO64 = 17,
    HEADER_EVENT32 = 18,
    HEADER_EVENT64 = 19,
    HEADER_FULL64 = 20,
    HEADER_INSTANCE64 = 21
};

/* Bits of the first word (ntwmi.h, TRACE_HEADER_FLAG and its like). */
#define ETL_MARKER_IS_TYPED(marker) (((marker)&UINT32_C(0xC0000000)) == UINT32_C(0xC0000000))
#define ETL_MARKER_IS_WNODE(marker) (!((marker)&UINT32_C(0x80000000)))

typedef struct etl_header_kind_row {
    uint8_t kind;         /* etl_header_kind */
    uint8_t pointer_size; /* 0: that of the log, unless the reader knows better */
    uint8_t size;         /* smallest record of this kind */
    etl_header_reader *read;
} etl_header_kind_row;

/* The row that reads a record whose first word is `marker`, by its bits and type. There is one for
   every word but fill. `old_instances`: the log's layout is older than 1.1. */
const etl_header_kind_row *etl_header_row(uint32_t marker, bool old_instances);
/* The row of what no other row can read. */
const etl_header_kind_row *etl_header_row_other(void);

etl_header_reader etl_read_system, etl_read_compact, etl_read_perfinfo, etl_read_full,
    etl_read_instance, etl_read_old_instance, etl_read_event, etl_read_message, etl_read_wnode,
    etl_read_ulong_time, etl_read_other;

/* Process and thread ids: all ones stand for "not known". */
static inline void etl_set_ids(etl_record *ret, uint32_t thread_id, uint32_t process_id)
{
    ret->thread_id = thread_id;
    ret->process_id = process_id;
    if (thread_id != UINT32_MAX)
        ret->flags |= ETL_RECORD_HAS_THREAD;
    if (process_id != UINT32_MAX)
        ret->flags |= ETL_RECORD_HAS_PROCESS;
}

/* Class, version and type of a kernel hook; strips PEBS index and PMC counters from the payload. */
void etl_set_hook(etl_record *ret, const uint8_t *data, size_t header_size);

/* Walks the extended data items at `data`; returns the bytes they take. */
uint32_t etl_read_extended(const uint8_t *data, uint32_t size, etl_record *ret);

#endif
