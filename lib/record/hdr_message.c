/* MESSAGE_TRACE_HEADER (evntrace.h): WPP messages. Optional parts follow the eight fixed bytes in
   the order below, unpadded, as the option flags say (etl-format 3.8). */
#include "record/headers.h"

enum {
    MESSAGE_SEQUENCE = 0x01,
    MESSAGE_GUID = 0x02,
    MESSAGE_COMPONENT_ID = 0x04,
    MESSAGE_TIMESTAMP = 0x08,
    MESSAGE_PERFORMANCE_TIMESTAMP = 0x10,
    MESSAGE_SYSTEM_INFO = 0x20,
    MESSAGE_POINTER32 = 0x40,
    MESSAGE_POINTER64 = 0x80
};

int etl_read_message(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    etl_cur cur = etl_cur_make(data, ret->size);
    etl_cur_take(&cur, 4);
    ret->id = etl_cur_u16(&cur);
    uint16_t options = etl_cur_u16(&cur);
    ret->header_flags = options;
    if (options & MESSAGE_SEQUENCE) {
        ret->sequence = etl_cur_u32(&cur);
        ret->flags |= ETL_RECORD_HAS_SEQUENCE;
    }
    if (options & MESSAGE_COMPONENT_ID) {
        ret->component_id = etl_cur_u32(&cur);
        ret->flags |= ETL_RECORD_HAS_COMPONENT;
    } else if (options & MESSAGE_GUID) {
        ret->provider = etl_cur_guid(&cur);
        ret->flags |= ETL_RECORD_HAS_GUID;
    }
    if (options & (MESSAGE_TIMESTAMP | MESSAGE_PERFORMANCE_TIMESTAMP)) {
        ret->raw_time = etl_cur_s64(&cur);
        ret->flags |= ETL_RECORD_HAS_TIME;
    }
    if (options & MESSAGE_SYSTEM_INFO) {
        uint32_t thread = etl_cur_u32(&cur);
        etl_set_ids(ret, thread, etl_cur_u32(&cur));
    }
    /* Without either it stays 0: the walker's caller takes that of the log. */
    if (options & (MESSAGE_POINTER32 | MESSAGE_POINTER64))
        ret->pointer_size = options & MESSAGE_POINTER32 ? 4 : 8;
    if (cur.failed) /* what its options promise does not fit */
        return ETL_ERR_DAMAGED;
    ret->payload = (etl_bytes){data + cur.position, (uint32_t)(ret->size - cur.position)};
    return ETL_OK;
}
