/* Names of decoding results, as they stand in databases and summaries. */
#include "base/base.h"
#include "etlkit/status.h"

const char *etl_event_status_name(int status)
{
    static const char *const names[ETL_STATUS_COUNT] = {
        [ETL_STATUS_EXACT] = "exact",
        [ETL_STATUS_LOWER_VERSION] = "lower version",
        [ETL_STATUS_POINTER_SIZE] = "pointer size",
        [ETL_STATUS_TRAILING] = "trailing bytes",
        [ETL_STATUS_SHORT] = "short",
        [ETL_STATUS_OPAQUE] = "opaque",
        [ETL_STATUS_NO_SCHEMA] = "no schema",
    };
    return status >= 0 && status < ETL_STATUS_COUNT ? names[status] : "unknown";
}
