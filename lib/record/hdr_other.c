/* Headers of events that no reader of event records knows: WNODE_HEADER (wmistr.h), and those whose
   layout is published nowhere. */
#include "record/headers.h"

int etl_read_wnode(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    ret->raw_time = etl_load_s64(data + 0x10);
    ret->provider = etl_guid_load(data + 0x18);
    ret->flags |= ETL_RECORD_HAS_TIME | ETL_RECORD_HAS_GUID;
    ret->payload = (etl_bytes){data + 0x30, ret->size - 0x30};
    return ETL_OK;
}

int etl_read_other(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    ret->opcode = data[2];
    ret->payload = (etl_bytes){data + 4, ret->size - 4};
    return ETL_OK;
}

/* TRACE_HEADER_ULONG32_TIME: a word, then a time (ntwmi.h). */
int etl_read_ulong_time(const uint8_t *data, size_t size, etl_record *ret)
{
    ret->raw_time = etl_load_s64(data + 0x08);
    ret->flags |= ETL_RECORD_HAS_TIME;
    return etl_read_other(data, size, ret);
}
