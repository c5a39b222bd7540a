/* What a log file says about the tracing session that wrote it: TRACE_LOGFILE_HEADER and totals. */
#ifndef ETLKIT_SESSION_H
#define ETLKIT_SESSION_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* TRACE_LOGFILE_HEADER.ReservedFlags */
typedef enum etl_clock {
    ETL_CLOCK_NONE = 0, /* before Vista: system time */
    ETL_CLOCK_QPC = 1,
    ETL_CLOCK_SYSTEM_TIME = 2,
    ETL_CLOCK_CPU_CYCLE = 3
} etl_clock;

/* "none", "QPC", "system time", "CPU cycle", "unknown" */
const char *etl_clock_name(int clock);

/* TRACE_LOGFILE_HEADER.LogFileMode; the names of its set bits joined by " | ". Returns what
   snprintf would. */
int etl_log_mode_text(uint32_t mode, char *text, size_t size);

/* Strings are UTF-8 and owned by the trace; times are FILETIME, 0 when the file does not say. */
typedef struct etl_session_info {
    const char *logger_name;
    const char *log_file_name;
    const char *standard_name; /* time zone */
    const char *daylight_name;
    int32_t bias; /* minutes; UTC = local + bias */
    int32_t standard_bias;
    int32_t daylight_bias;
    uint32_t buffer_size; /* bytes */
    uint8_t os_major, os_minor;
    uint8_t layout_major, layout_minor; /* log layout version, 1.0 … 2.0 */
    uint32_t os_build;
    uint32_t processors;
    uint32_t pointer_size;     /* of the log; records have their own */
    uint32_t timer_resolution; /* 100 ns */
    uint32_t maximum_file_size;
    uint32_t log_file_mode;
    uint32_t buffers_written; /* as stored; a hint only */
    uint32_t start_buffers;
    uint32_t events_lost;
    uint32_t buffers_lost;
    uint32_t cpu_mhz;
    int clock;              /* etl_clock, as stored */
    int64_t frequency;      /* ticks per second of the raw clock, always > 0 */
    int64_t first_raw_time; /* raw time of the header record */
    etl_time boot_time;
    etl_time start_time;
    etl_time end_time;
    bool pre_vista; /* written before Windows 6.0: other buffer header */
    bool compressed;
    /* filled while reading */
    uint64_t file_size;
    uint64_t buffers_read;
    uint64_t buffers_damaged;
    uint64_t records;         /* all records found */
    uint64_t records_unknown; /* of those: header layout not known, kept raw */
    uint64_t bytes_header;    /* accounting: header + used + padding + skipped = file size */
    uint64_t bytes_used;
    uint64_t bytes_padding;
    uint64_t bytes_skipped;
    etl_time first_event; /* earliest and latest event time; both 0 without events */
    etl_time last_event;
} etl_session_info;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
