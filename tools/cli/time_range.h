/* Times on the command line: a point in time, or a distance from the first or last event. */
#ifndef ETL_CLI_TIME_RANGE_H
#define ETL_CLI_TIME_RANGE_H

#include <etlkit/types.h>

typedef enum cli_time_kind {
    CLI_TIME_UNSET,
    CLI_TIME_ABSOLUTE,
    CLI_TIME_AFTER_FIRST, /* "+30s" */
    CLI_TIME_BEFORE_LAST  /* "-5m" */
} cli_time_kind;

typedef struct cli_time {
    cli_time_kind kind;
    etl_time value; /* a time, or a distance that is not negative */
} cli_time;

/* ISO 8601, FILETIME, or sign, number and unit (ms, s, m, h, d). */
bool cli_time_parse(const char *text, cli_time *ret_time);

/* Clamped to what etl_time holds; `unset` when there is none. */
etl_time cli_time_resolve(const cli_time *time, etl_time first, etl_time last, etl_time unset);

#endif
