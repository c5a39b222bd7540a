/* EVENT_HEADER (evntcons.h): manifest, TraceLogging and EventSource events. */
#include "record/headers.h"

enum { FLAG_EXTENDED_INFO = 0x1, FLAG_STRING_ONLY = 0x4 };

int etl_read_event(const uint8_t *data, size_t size, etl_record *ret)
{
    (void)size;
    ret->header_flags = etl_load_u16(data + 0x04);
    ret->event_property = etl_load_u16(data + 0x06);
    etl_set_ids(ret, etl_load_u32(data + 0x08), etl_load_u32(data + 0x0C));
    ret->raw_time = etl_load_s64(data + 0x10);
    ret->provider = etl_guid_load(data + 0x18);
    ret->id = etl_load_u16(data + 0x28);
    ret->version = data[0x2A];
    ret->channel = data[0x2B];
    ret->level = data[0x2C];
    ret->opcode = data[0x2D];
    ret->task = etl_load_u16(data + 0x2E);
    ret->keyword = etl_load_u64(data + 0x30);
    ret->kernel_time = etl_load_u32(data + 0x38);
    ret->user_time = etl_load_u32(data + 0x3C);
    ret->activity_id = etl_guid_load(data + 0x40);
    ret->flags |= ETL_RECORD_HAS_CPU_TIME | ETL_RECORD_HAS_TIME | ETL_RECORD_HAS_GUID;
    if (!etl_guid_is_zero(&ret->activity_id))
        ret->flags |= ETL_RECORD_HAS_ACTIVITY;
    if (ret->header_flags & FLAG_STRING_ONLY)
        ret->flags |= ETL_RECORD_STRING_ONLY;
    uint32_t start = 0x50;
    if (ret->header_flags & FLAG_EXTENDED_INFO) {
        uint32_t taken = etl_read_extended(data + start, ret->size - start, ret);
        ret->extended = (etl_bytes){data + start, taken};
        start += taken;
    }
    ret->payload = (etl_bytes){data + start, ret->size - start};
    return ETL_OK;
}
