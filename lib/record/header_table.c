/* The header kinds. A new one is a reader in a file of its own and a row here. */
#include "record/headers.h"

static const etl_header_kind_row rows[] = {
    {HEADER_SYSTEM32, ETL_HEADER_SYSTEM, 4, 0x20, etl_read_system},
    {HEADER_SYSTEM64, ETL_HEADER_SYSTEM, 8, 0x20, etl_read_system},
    {HEADER_FULL32, ETL_HEADER_FULL, 4, 0x30, etl_read_full},
    {HEADER_FULL64, ETL_HEADER_FULL, 8, 0x30, etl_read_full},
    {HEADER_PERFINFO32, ETL_HEADER_PERFINFO, 4, 0x10, etl_read_perfinfo},
    {HEADER_PERFINFO64, ETL_HEADER_PERFINFO, 8, 0x10, etl_read_perfinfo},
    {HEADER_EVENT32, ETL_HEADER_EVENT, 4, 0x50, etl_read_event},
    {HEADER_EVENT64, ETL_HEADER_EVENT, 8, 0x50, etl_read_event},
};

/* Header type to row index + 1. */
static const uint8_t row_of[256] = {
    [HEADER_SYSTEM32] = 1,   [HEADER_SYSTEM64] = 2,   [HEADER_FULL32] = 3,  [HEADER_FULL64] = 4,
    [HEADER_PERFINFO32] = 5, [HEADER_PERFINFO64] = 6, [HEADER_EVENT32] = 7, [HEADER_EVENT64] = 8};

const etl_header_kind_row *etl_header_row(uint8_t type)
{
    return row_of[type] ? &rows[row_of[type] - 1] : NULL;
}

const char *etl_record_kind_name(const etl_record *record)
{
    static const char *const names[ETL_HEADER_COUNT][2] = {
        [ETL_HEADER_SYSTEM] = {"SYSTEM32", "SYSTEM64"},
        [ETL_HEADER_PERFINFO] = {"PERFINFO32", "PERFINFO64"},
        [ETL_HEADER_FULL] = {"FULL32", "FULL64"},
        [ETL_HEADER_EVENT] = {"EVENT32", "EVENT64"},
        [ETL_HEADER_MESSAGE] = {"MESSAGE32", "MESSAGE64"}};
    return record->kind < ETL_HEADER_COUNT ? names[record->kind][record->pointer_size == 8]
                                           : "unknown";
}
