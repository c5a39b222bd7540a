/* EVENT_INSTANCE_GUID_HEADER (evntrace.h): EVENT_TRACE_HEADER, then the instances; and the
   EVENT_INSTANCE_HEADER of logs before layout 1.1, which has registration handles in place of GUIDs
   (etl-format 3.5). */
#include "record/headers.h"

int etl_read_instance(const uint8_t *data, size_t size, etl_record *ret)
{
    etl_read_full(data, size, ret);
    ret->payload = (etl_bytes){data + 0x48, ret->size - 0x48};
    return ETL_OK;
}

int etl_read_old_instance(const uint8_t *data, size_t size, etl_record *ret)
{
    etl_read_full(data, size, ret);
    ret->provider = (etl_guid){{0}}; /* the handle and the instances are there */
    ret->flags &= (uint16_t)~ETL_RECORD_HAS_GUID;
    ret->payload = (etl_bytes){data + 0x38, ret->size - 0x38};
    return ETL_OK;
}

etl_bytes etl_record_instance(const etl_record *record)
{
    if (record->kind != ETL_HEADER_INSTANCE)
        return (etl_bytes){NULL, 0};
    return record->flags & ETL_RECORD_HAS_GUID ? (etl_bytes){record->data + 0x30, 0x18}
                                               : (etl_bytes){record->data + 0x18, 0x20};
}
