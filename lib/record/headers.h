/* Readers of the header kinds, one a file; header_table.c has the table. */
#ifndef ETL_RECORD_HEADERS_H
#define ETL_RECORD_HEADERS_H

#include "record/record.h"

/* Low byte of the marker's third byte ("header type", ntwmi.h). */
enum {
    HEADER_SYSTEM32 = 1,
    HEADER_SYSTEM64 = 2,
    HEADER_FULL32 = 10,
    HEADER_PERFINFO32 = 16,
    HEADER_PERFINFO64 = 17,
    HEADER_EVENT32 = 18,
    HEADER_EVENT64 = 19,
    HEADER_FULL64 = 20
};

typedef struct etl_header_kind_row {
    uint8_t type;
    uint8_t kind; /* etl_header_kind */
    uint8_t pointer_size;
    uint8_t size; /* smallest record of this kind */
    etl_header_reader *read;
} etl_header_kind_row;

/* NULL for types that are not known. */
const etl_header_kind_row *etl_header_row(uint8_t type);

etl_header_reader etl_read_system, etl_read_perfinfo, etl_read_full, etl_read_event,
    etl_read_message;

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
