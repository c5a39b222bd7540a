/* Extended data items: EVENT_HEADER_EXTENDED_DATA_ITEM as stored (etl-format 3.7): u16 size with
   head and padding, u16 type, u16 linkage in bit 0, u16 data size, data. */
#include "record/headers.h"

enum { ITEM_HEAD = 8, ITEM_LINKAGE = 1, STACK_MATCH_ID = 8 };

/* Item at *position of a chain of `size` bytes. ETL_END behind the last one, ETL_ERR_DAMAGED when
   it does not fit. */
static int next_item(const uint8_t *chain, uint32_t size, uint32_t *position,
                     etl_extended_item *ret, bool *ret_linked)
{
    uint32_t left = size - *position;
    if (left < ITEM_HEAD)
        return ETL_ERR_DAMAGED;
    const uint8_t *item = chain + *position;
    uint32_t item_size = etl_load_u16(item);
    uint32_t data_size = etl_load_u16(item + 6);
    if (item_size < ITEM_HEAD || item_size > left || data_size > item_size - ITEM_HEAD)
        return ETL_ERR_DAMAGED;
    ret->type = etl_load_u16(item + 2);
    ret->data = (etl_bytes){item + ITEM_HEAD, data_size};
    *ret_linked = etl_load_u16(item + 4) & ITEM_LINKAGE;
    *position += item_size;
    return ETL_OK;
}

uint32_t etl_read_extended(const uint8_t *data, uint32_t size, etl_record *ret)
{
    uint32_t position = 0;
    bool linked = true;
    while (linked) {
        etl_extended_item item;
        if (next_item(data, size, &position, &item, &linked) != ETL_OK) {
            ret->flags |= ETL_RECORD_BAD_EXTENDED;
            break;
        }
        switch (item.type) {
        case ETL_EXT_RELATED_ACTIVITY:
            if (item.data.size == sizeof(etl_guid))
                ret->related_activity = item.data;
            break;
        case ETL_EXT_SID: ret->sid = item.data; break;
        case ETL_EXT_STACK32:
        case ETL_EXT_STACK64:
            if (item.data.size < STACK_MATCH_ID)
                break;
            ret->stack = item.data;
            ret->stack_pointer_size = item.type == ETL_EXT_STACK64 ? 8 : 4;
            break;
        case ETL_EXT_SCHEMA_TL: ret->schema_tl = item.data; break;
        case ETL_EXT_PROVIDER_TRAITS: ret->traits = item.data; break;
        default: break;
        }
    }
    return position;
}

int etl_record_extended_next(const etl_record *record, uint32_t *position,
                             etl_extended_item *ret_item)
{
    if (*position >= record->extended.size)
        return ETL_END;
    bool linked;
    int r = next_item(record->extended.data, record->extended.size, position, ret_item, &linked);
    return r == ETL_OK ? ETL_OK : ETL_END;
}
