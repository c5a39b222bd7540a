/* The header kinds. A new one is a reader in a file of its own and a row here. */
#include "record/headers.h"

/* By header type. */
static const etl_header_kind_row typed[256] = {
    [HEADER_SYSTEM32] = {ETL_HEADER_SYSTEM, 4, 0x20, etl_read_system},
    [HEADER_SYSTEM64] = {ETL_HEADER_SYSTEM, 8, 0x20, etl_read_system},
    [HEADER_COMPACT32] = {ETL_HEADER_COMPACT, 4, 0x18, etl_read_compact},
    [HEADER_COMPACT64] = {ETL_HEADER_COMPACT, 8, 0x18, etl_read_compact},
    [HEADER_FULL32] = {ETL_HEADER_FULL, 4, 0x30, etl_read_full},
    [HEADER_FULL64] = {ETL_HEADER_FULL, 8, 0x30, etl_read_full},
    [HEADER_INSTANCE32] = {ETL_HEADER_INSTANCE, 4, 0x48, etl_read_instance},
    [HEADER_INSTANCE64] = {ETL_HEADER_INSTANCE, 8, 0x48, etl_read_instance},
    [HEADER_WNODE] = {ETL_HEADER_WNODE, 0, 0x30, etl_read_wnode},
    [HEADER_MESSAGE] = {ETL_HEADER_MESSAGE, 0, 8, etl_read_message},
    [HEADER_PERFINFO32] = {ETL_HEADER_PERFINFO, 4, 0x10, etl_read_perfinfo},
    [HEADER_PERFINFO64] = {ETL_HEADER_PERFINFO, 8, 0x10, etl_read_perfinfo},
    [HEADER_EVENT32] = {ETL_HEADER_EVENT, 4, 0x50, etl_read_event},
    [HEADER_EVENT64] = {ETL_HEADER_EVENT, 8, 0x50, etl_read_event},
};
static const etl_header_kind_row old_instance[2] = {
    {ETL_HEADER_INSTANCE, 4, 0x38, etl_read_old_instance},
    {ETL_HEADER_INSTANCE, 8, 0x38, etl_read_old_instance}};
/* Words that are not typed: the top four bits tell (etl-format 3.1). */
static const etl_header_kind_row message = {ETL_HEADER_MESSAGE, 0, 8, etl_read_message};
static const etl_header_kind_row ulong_time = {ETL_HEADER_OTHER, 0, 0x10, etl_read_ulong_time};
static const etl_header_kind_row wnode = {ETL_HEADER_WNODE, 0, 0x30, etl_read_wnode};
static const etl_header_kind_row other = {ETL_HEADER_OTHER, 0, 8, etl_read_other};

const etl_header_kind_row *etl_header_row(uint32_t marker, bool old_instances)
{
    uint8_t type = (uint8_t)(marker >> 16);
    if (ETL_LIKELY(ETL_MARKER_IS_TYPED(marker))) {
        if (ETL_UNLIKELY(old_instances) && (type == HEADER_INSTANCE32 || type == HEADER_INSTANCE64))
            return &old_instance[type == HEADER_INSTANCE64];
        return ETL_LIKELY(typed[type].read != NULL) ? &typed[type] : &other;
    }
    switch (marker >> 28) {
    case 0x9: return &message;
    case 0xB: return &ulong_time;
    case 0x8:
    case 0xA: return &other;
    default: return &wnode;
    }
}

const etl_header_kind_row *etl_header_row_other(void)
{
    return &other;
}

const char *etl_record_kind_name(const etl_record *record)
{
    static const char *const names[ETL_HEADER_COUNT][2] = {
        [ETL_HEADER_SYSTEM] = {"SYSTEM32", "SYSTEM64"},
        [ETL_HEADER_PERFINFO] = {"PERFINFO32", "PERFINFO64"},
        [ETL_HEADER_FULL] = {"FULL32", "FULL64"},
        [ETL_HEADER_EVENT] = {"EVENT32", "EVENT64"},
        [ETL_HEADER_MESSAGE] = {"MESSAGE32", "MESSAGE64"},
        [ETL_HEADER_COMPACT] = {"COMPACT32", "COMPACT64"},
        [ETL_HEADER_INSTANCE] = {"INSTANCE32", "INSTANCE64"},
        [ETL_HEADER_WNODE] = {"WNODE", "WNODE"},
        [ETL_HEADER_OTHER] = {"OTHER", "OTHER"}};
    return record->kind < ETL_HEADER_COUNT ? names[record->kind][record->pointer_size == 8]
                                           : "unknown";
}
