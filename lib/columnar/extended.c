/* Extended data items that have no column of their own, as name and text. */
#include "columnar/columnar.h"

#include <stdio.h>

static const char *const extended_names[] = {[ETL_EXT_RELATED_ACTIVITY] = "related_activity",
                                             [ETL_EXT_SID] = "sid",
                                             [ETL_EXT_TERMINAL_SESSION] = "terminal_session",
                                             [ETL_EXT_INSTANCE_INFO] = "instance_info",
                                             [ETL_EXT_STACK32] = "stack_match",
                                             [ETL_EXT_STACK64] = "stack_match",
                                             [ETL_EXT_PEBS_INDEX] = "pebs_index",
                                             [ETL_EXT_PMC_COUNTERS] = "pmc_counters",
                                             [ETL_EXT_PSM_KEY] = "psm_key",
                                             [ETL_EXT_EVENT_KEY] = "event_key",
                                             [ETL_EXT_SCHEMA_TL] = "schema_tl",
                                             [ETL_EXT_PROVIDER_TRAITS] = "provider_traits",
                                             [ETL_EXT_PROCESS_START_KEY] = "process_start_key",
                                             [ETL_EXT_CONTROL_GUID] = "control_guid",
                                             [ETL_EXT_QPC_DELTA] = "qpc_delta",
                                             [ETL_EXT_CONTAINER_ID] = "container_id",
                                             [ETL_EXT_STACK_KEY32] = "stack_key",
                                             [ETL_EXT_STACK_KEY64] = "stack_key"};

static void add_guid_text(etl_str *out, const uint8_t *data)
{
    char text[ETL_GUID_TEXT_SIZE];
    etl_guid guid = etl_guid_load(data);
    etl_guid_text(&guid, text);
    etl_str_puts(out, text);
}

/* Text of an item by its published layout (etl-format 3.7); other sizes give hex. */
static void item_text(const etl_extended_item *item, etl_str *out)
{
    const uint8_t *data = item->data.data;
    uint32_t size = item->data.size;
    switch (item->type) {
    case ETL_EXT_TERMINAL_SESSION:
        if (size == 4) {
            etl_str_printf(out, "%u", etl_load_u32(data));
            return;
        }
        break;
    case ETL_EXT_INSTANCE_INFO:
        if (size == 24) {
            etl_str_printf(out, "%u %u ", etl_load_u32(data), etl_load_u32(data + 4));
            add_guid_text(out, data + 8);
            return;
        }
        break;
    case ETL_EXT_QPC_DELTA:
        if (size == 8) {
            etl_str_printf(out, "%lld", (long long)etl_load_s64(data));
            return;
        }
        break;
    case ETL_EXT_STACK32:
    case ETL_EXT_STACK64: size = 8; /* only the match id is left to tell */ /* fall through */
    case ETL_EXT_PEBS_INDEX:
    case ETL_EXT_PMC_COUNTERS:
    case ETL_EXT_PSM_KEY:
    case ETL_EXT_EVENT_KEY:
    case ETL_EXT_PROCESS_START_KEY:
        if (size && size % 8 == 0) {
            for (uint32_t i = 0; i < size; i += 8)
                etl_str_printf(out, "%s%llu", i ? " " : "",
                               (unsigned long long)etl_load_u64(data + i));
            return;
        }
        break;
    case ETL_EXT_STACK_KEY32:
    case ETL_EXT_STACK_KEY64:
        if (size >= 16) {
            uint64_t key =
                item->type == ETL_EXT_STACK_KEY64 ? etl_load_u64(data + 8) : etl_load_u32(data + 8);
            etl_str_printf(out, "%llu 0x%llX", (unsigned long long)etl_load_u64(data),
                           (unsigned long long)key);
            return;
        }
        break;
    case ETL_EXT_CONTROL_GUID:
    case ETL_EXT_CONTAINER_ID:
        if (size == 16) {
            add_guid_text(out, data);
            return;
        }
        break;
    default: break;
    }
    etl_format_hex(data, size, out);
}

/* Items that have no column of their own. */
static bool wants_row(const etl_extended_item *item)
{
    switch (item->type) {
    case ETL_EXT_RELATED_ACTIVITY:
    case ETL_EXT_SID:
    case ETL_EXT_SCHEMA_TL:
    case ETL_EXT_PROVIDER_TRAITS: return false;
    case ETL_EXT_STACK32:
    case ETL_EXT_STACK64: return item->data.size >= 8 && etl_load_u64(item->data.data) != 0;
    default: return true;
    }
}

bool etl_extended_text(const etl_extended_item *item, char ret_name[ETL_EXTENDED_NAME_SIZE],
                       etl_str *out)
{
    if (!wants_row(item))
        return false;
    const char *name =
        item->type < ETL_COUNT_OF(extended_names) ? extended_names[item->type] : NULL;
    if (name)
        snprintf(ret_name, ETL_EXTENDED_NAME_SIZE, "%s", name);
    else
        snprintf(ret_name, ETL_EXTENDED_NAME_SIZE, "type_%u", item->type);
    item_text(item, out);
    return true;
}
