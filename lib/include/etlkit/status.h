/* How the payload of an event was decoded. */
#ifndef ETLKIT_STATUS_H
#define ETLKIT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Stored with every event. */
typedef enum etl_event_status {
    ETL_STATUS_EXACT = 0,
    ETL_STATUS_LOWER_VERSION = 1, /* exact, by the schema of a lower version */
    ETL_STATUS_POINTER_SIZE = 2,  /* exact, with the other pointer size than the record's */
    ETL_STATUS_TRAILING = 3,      /* all fields are there, bytes are left over (kept raw) */
    ETL_STATUS_SHORT = 4,         /* fields at the end are missing (kept raw) */
    ETL_STATUS_OPAQUE = 5,        /* layout known in part (kept raw) */
    ETL_STATUS_NO_SCHEMA = 6,     /* kept raw */
    ETL_STATUS_COUNT
} etl_event_status;

const char *etl_event_status_name(int status); /* "exact", "lower version", … */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
