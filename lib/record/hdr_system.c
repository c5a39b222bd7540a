/* SYSTEM_TRACE_HEADER (ntwmi.h): kernel events with thread and process; the compact form goes
   without the processor times. */
#include "record/headers.h"

static void read_common(const uint8_t *data, etl_record *ret)
{
    etl_set_ids(ret, etl_load_u32(data + 0x08), etl_load_u32(data + 0x0C));
    ret->raw_time = etl_load_s64(data + 0x10);
    ret->flags |= ETL_RECORD_HAS_TIME;
}

int etl_read_system(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    read_common(data, ret);
    ret->kernel_time = etl_load_u32(data + 0x18);
    ret->user_time = etl_load_u32(data + 0x1C);
    ret->flags |= ETL_RECORD_HAS_CPU_TIME;
    etl_set_hook(ret, data, 0x20);
    return ETL_OK;
}

int etl_read_compact(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    read_common(data, ret);
    etl_set_hook(ret, data, 0x18);
    return ETL_OK;
}
