/* Raw session clock to FILETIME, and names of clocks and modes. */
#include "logfile/logfile.h"

#include <stdio.h>

#include "logfile/format.h"

const char *etl_clock_name(int clock)
{
    static const char *const names[] = {"none", "QPC", "system time", "CPU cycle"};
    return clock >= 0 && clock < (int)ETL_COUNT_OF(names) ? names[clock] : "unknown";
}

static etl_time saturating_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

etl_time etl_logfile_time(const etl_session_info *session, int64_t raw)
{
    if (session->clock != ETL_CLOCK_QPC && session->clock != ETL_CLOCK_CPU_CYCLE)
        return raw;
    int64_t delta;
    if (ETL_LIKELY(session->frequency == INT64_C(10000000)) &&
        !__builtin_sub_overflow(raw, session->first_raw_time, &delta))
        return saturating_add(session->start_time, delta);
    int64_t product;
    if (!__builtin_sub_overflow(raw, session->first_raw_time, &delta) &&
        !__builtin_mul_overflow(delta, INT64_C(10000000), &product))
        return saturating_add(session->start_time, product / session->frequency);
    /* 25 hours of a 10 MHz clock overflow 64 bits; C division truncates toward zero. */
    __extension__ typedef __int128 wide;
    wide ticks = ((wide)raw - session->first_raw_time) * INT64_C(10000000) / session->frequency;
    if (ticks > INT64_MAX)
        return INT64_MAX;
    if (ticks < INT64_MIN)
        return INT64_MIN;
    return saturating_add(session->start_time, (int64_t)ticks);
}

int64_t etl_logfile_flush_time(const etl_session_info *session, const etl_buffer_info *buffer)
{
    const uint32_t user_mode = MODE_PRIVATE_LOGGER | MODE_PRIVATE_IN_PROC | MODE_RELOG;
    bool ticks = session->clock == ETL_CLOCK_QPC || session->clock == ETL_CLOCK_CPU_CYCLE;
    if (buffer->timestamp < session->first_raw_time ||
        (ticks && session->log_file_mode & user_mode))
        return session->first_raw_time;
    return buffer->timestamp;
}

/* TRACE_LOGFILE_HEADER.LogFileMode, EVENT_TRACE_… of evntrace.h and ntwmi.h */
static const struct {
    uint32_t bit;
    const char *name;
} modes[] = {{0x1, "SEQUENTIAL"},
             {0x2, "CIRCULAR"},
             {0x4, "APPEND"},
             {0x8, "NEWFILE"},
             {0x10, "USE_MS_FLUSH_TIMER"},
             {0x20, "PREALLOCATE"},
             {0x40, "NONSTOPPABLE"},
             {0x80, "SECURE"},
             {0x100, "REAL_TIME"},
             {0x200, "DELAY_OPEN_FILE"},
             {0x400, "BUFFERING"},
             {0x800, "PRIVATE_LOGGER"},
             {0x1000, "ADD_HEADER"},
             {0x2000, "USE_KBYTES_FOR_SIZE"},
             {0x4000, "USE_GLOBAL_SEQUENCE"},
             {0x8000, "USE_LOCAL_SEQUENCE"},
             {0x10000, "RELOG"},
             {0x20000, "PRIVATE_IN_PROC"},
             {0x40000, "BUFFER_INTERFACE"},
             {0x80000, "KD_FILTER"},
             {0x100000, "REALTIME_RELOG"},
             {0x200000, "LOST_EVENTS_DEBUG"},
             {0x400000, "STOP_ON_HYBRID_SHUTDOWN"},
             {0x800000, "PERSIST_ON_HYBRID_SHUTDOWN"},
             {0x1000000, "USE_PAGED_MEMORY"},
             {0x2000000, "SYSTEM_LOGGER"},
             {0x4000000, "COMPRESSED"},
             {0x8000000, "INDEPENDENT_SESSION"},
             {0x10000000, "NO_PER_PROCESSOR_BUFFERING"},
             {0x20000000, "BLOCKING"},
             {0x80000000, "ADDTO_TRIAGE_DUMP"}};

int etl_log_mode_text(uint32_t mode, char *text, size_t size)
{
    size_t length = 0;
    if (size)
        *text = 0;
    for (size_t i = 0; i < ETL_COUNT_OF(modes); i++) {
        if (!(mode & modes[i].bit))
            continue;
        length += (size_t)snprintf(length < size ? text + length : NULL,
                                   length < size ? size - length : 0, "%s%s", length ? " | " : "",
                                   modes[i].name);
    }
    return (int)length;
}
