/* EVENT_TRACE_HEADER (evntrace.h): classic providers, keyed by class GUID, type and version. */
#include "record/headers.h"

int etl_read_full(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    ret->opcode = data[0x04];
    ret->level = data[0x05];
    ret->version = (uint8_t)etl_load_u16(data + 0x06);
    etl_set_ids(ret, etl_load_u32(data + 0x08), etl_load_u32(data + 0x0C));
    ret->raw_time = etl_load_s64(data + 0x10);
    ret->provider = etl_guid_load(data + 0x18);
    ret->kernel_time = etl_load_u32(data + 0x28);
    ret->user_time = etl_load_u32(data + 0x2C);
    ret->flags |= ETL_RECORD_HAS_CPU_TIME | ETL_RECORD_HAS_TIME | ETL_RECORD_HAS_GUID;
    ret->payload = (etl_bytes){data + 0x30, ret->size - 0x30u};
    return ETL_OK;
}
