/* PERFINFO_TRACE_HEADER (ntwmi.h): kernel events with nothing but a time. */
#include "record/headers.h"

int etl_read_perfinfo(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    ret->raw_time = etl_load_s64(data + 0x08);
    ret->flags |= ETL_RECORD_HAS_TIME;
    etl_set_hook(ret, data, 0x10);
    return ETL_OK;
}
