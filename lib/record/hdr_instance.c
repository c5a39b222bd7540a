/* EVENT_INSTANCE_GUID_HEADER (evntrace.h): a classic event that names an instance of its class, and
   the EVENT_INSTANCE_HEADER of logs before layout 1.1, which has registration handles in place of
   GUIDs (etl-format 3.5). Both begin as EVENT_TRACE_HEADER does. */
#include "record/headers.h"

static void read_common(const uint8_t *data, etl_record *ret)
{
    ret->opcode = data[0x04];
    ret->level = data[0x05];
    ret->version = (uint8_t)etl_load_u16(data + 0x06);
    etl_set_ids(ret, etl_load_u32(data + 0x08), etl_load_u32(data + 0x0C));
    ret->raw_time = etl_load_s64(data + 0x10);
    ret->kernel_time = etl_load_u32(data + 0x28);
    ret->user_time = etl_load_u32(data + 0x2C);
    ret->flags |= ETL_RECORD_HAS_CPU_TIME | ETL_RECORD_HAS_TIME;
}

int etl_read_instance(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    read_common(data, ret);
    ret->provider = etl_guid_load(data + 0x18);
    ret->flags |= ETL_RECORD_HAS_GUID;
    ret->instance = (etl_bytes){data + 0x30, 0x18};
    ret->payload = (etl_bytes){data + 0x48, ret->size - 0x48};
    return ETL_OK;
}

int etl_read_old_instance(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    read_common(data, ret);
    ret->instance = (etl_bytes){data + 0x18, 0x20};
    ret->payload = (etl_bytes){data + 0x38, ret->size - 0x38};
    return ETL_OK;
}
