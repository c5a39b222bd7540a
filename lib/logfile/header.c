/* The logfile header: what the session was, and how its clock ticks. */
#include "logfile/header.h"

#include "logfile/format.h"

enum { SMALLEST_BUFFER = BUFFER_END + FIRST_PAYLOAD };

static char *read_name(etl_cur *cur, etl_arena *arena)
{
    size_t units = etl_cur_left(cur) / 2;
    const uint8_t *start = cur->data + cur->position;
    size_t length = etl_utf16_length(start, units);
    etl_cur_take(cur, 2 * (length + (length < units)));
    return etl_arena_utf16(arena, start, length, false);
}

static char *zone_name(const uint8_t *name, etl_arena *arena)
{
    return etl_arena_utf16(arena, name, etl_utf16_length(name, ZONE_NAME_UNITS), false);
}

static int check_first_record(const char *path, const uint8_t *data, size_t size, etl_error *error)
{
    if (size < SMALLEST_BUFFER)
        return etl_fail_at(error, ETL_ERR_NOT_ETL, 0,
                           "%s: not an ETL file: %zu bytes are less than one buffer", path, size);
    uint32_t buffer_size = etl_load_u32(data + BUFFER_SIZE);
    uint32_t marker = etl_load_u32(data + BUFFER_END + FIRST_MARKER);
    uint16_t hook = etl_load_u16(data + BUFFER_END + FIRST_HOOK);
    uint32_t kind = marker >> 16;
    if (kind != 0xC001 && kind != 0xC002)
        return etl_fail_at(error, ETL_ERR_NOT_ETL, BUFFER_END,
                           "%s: not an ETL file: no logfile header record at offset 0x%x "
                           "(found 0x%08x)",
                           path, BUFFER_END, marker);
    if (hook != 0)
        return etl_fail_at(error, ETL_ERR_NOT_ETL, BUFFER_END + FIRST_HOOK,
                           "%s: not an ETL file: hook id 0x%04x at offset 0x%x is not that of a "
                           "logfile header",
                           path, hook, BUFFER_END + FIRST_HOOK);
    if (buffer_size < SMALLEST_BUFFER || buffer_size > ETL_LIMIT_BUFFER_SIZE)
        return etl_fail_at(error, ETL_ERR_NOT_ETL, BUFFER_SIZE,
                           "%s: not an ETL file: buffer size %u at offset 0 is impossible", path,
                           buffer_size);
    return ETL_OK;
}

static void check_odd(const etl_session_info *s, uint32_t source, etl_diag *diag)
{
    if (s->pointer_size != 4 && s->pointer_size != 8)
        etl_diag_add(diag, ETL_DIAG_HEADER_ODD, source, BUFFER_END, 1, "pointer size %u",
                     s->pointer_size);
    if (s->clock < ETL_CLOCK_NONE || s->clock > ETL_CLOCK_CPU_CYCLE)
        etl_diag_add(diag, ETL_DIAG_HEADER_ODD, source, BUFFER_END, 1, "clock type %d", s->clock);
    if (s->start_time <= 0)
        etl_diag_add(diag, ETL_DIAG_HEADER_ODD, source, BUFFER_END, 1, "start time %lld",
                     (long long)s->start_time);
    if (s->events_lost)
        etl_diag_add(diag, ETL_DIAG_EVENTS_LOST, source, ETL_NO_OFFSET, s->events_lost,
                     "%u events lost, says the header", s->events_lost);
    if (s->buffers_lost)
        etl_diag_add(diag, ETL_DIAG_BUFFERS_LOST, source, ETL_NO_OFFSET, s->buffers_lost,
                     "%u buffers lost, says the header", s->buffers_lost);
    if (s->end_time == 0)
        etl_diag_add(diag, ETL_DIAG_NOT_CLOSED, source, ETL_NO_OFFSET, 1,
                     "no end time; the writer was still running or crashed");
}

/* Ticks a second of the raw clock (etl-format section 4.1). */
static int64_t clock_frequency(const etl_session_info *s, int64_t stored, uint32_t source,
                               etl_diag *diag)
{
    int64_t frequency = INT64_C(10000000);
    if (s->clock == ETL_CLOCK_QPC)
        frequency = stored;
    else if (s->clock == ETL_CLOCK_CPU_CYCLE)
        frequency = (int64_t)s->cpu_mhz * 1000000;
    if (frequency <= 0) {
        etl_diag_add(diag, ETL_DIAG_HEADER_ODD, source, BUFFER_END, 1,
                     "clock frequency %lld; 10 MHz is taken", (long long)frequency);
        frequency = INT64_C(10000000);
    }
    return frequency;
}

int etl_header_read(const char *path, const uint8_t *data, size_t size, uint32_t source_index,
                    etl_diag *diag, etl_arena *arena, etl_session_info *ret, etl_error *error)
{
    int r = check_first_record(path, data, size, error);
    if (r != ETL_OK)
        return r;
    const uint8_t *record = data + BUFFER_END;
    size_t record_size = etl_load_u16(record + FIRST_SIZE);
    if (record_size > size - BUFFER_END)
        record_size = size - BUFFER_END;
    /* The writer's pointer size is in the marker; it decides where the fields behind the two name
       pointers are. */
    size_t pointer = (etl_load_u32(record) >> 16 & 0xFF) == 1 ? 4 : 8;
    etl_cur cur = etl_cur_make(record, record_size);
    etl_cur_take(&cur, FIRST_PAYLOAD);
    const uint8_t *fixed = etl_cur_take(&cur, LOG_POINTERS);
    etl_cur_take(&cur, 2 * pointer);
    const uint8_t *zone = etl_cur_take(&cur, TIME_ZONE_SIZE);
    etl_cur_take(&cur, 4); /* aligns the next field */
    etl_session_info s = {.first_raw_time = etl_load_s64(record + FIRST_TIMESTAMP)};
    s.boot_time = etl_cur_s64(&cur);
    int64_t frequency = etl_cur_s64(&cur);
    s.start_time = etl_cur_s64(&cur);
    s.clock = (int)etl_cur_u32(&cur);
    s.buffers_lost = etl_cur_u32(&cur);
    if (cur.failed)
        return etl_fail_at(error, ETL_ERR_NOT_ETL, BUFFER_END,
                           "%s: not an ETL file: the logfile header has %zu bytes", path,
                           record_size);
    s.buffer_size = etl_load_u32(fixed + LOG_BUFFER_SIZE);
    s.os_major = fixed[LOG_VERSION];
    s.os_minor = fixed[LOG_VERSION + 1];
    s.layout_major = fixed[LOG_VERSION + 2];
    s.layout_minor = fixed[LOG_VERSION + 3];
    s.os_build = etl_load_u32(fixed + LOG_BUILD);
    s.processors = etl_load_u32(fixed + LOG_PROCESSORS);
    s.end_time = etl_load_s64(fixed + LOG_END_TIME);
    s.timer_resolution = etl_load_u32(fixed + LOG_TIMER_RESOLUTION);
    s.maximum_file_size = etl_load_u32(fixed + LOG_MAXIMUM_FILE_SIZE);
    s.log_file_mode = etl_load_u32(fixed + LOG_MODE);
    s.buffers_written = etl_load_u32(fixed + LOG_BUFFERS_WRITTEN);
    s.start_buffers = etl_load_u32(fixed + LOG_START_BUFFERS);
    s.pointer_size = etl_load_u32(fixed + LOG_POINTER_SIZE);
    s.events_lost = etl_load_u32(fixed + LOG_EVENTS_LOST);
    s.cpu_mhz = etl_load_u32(fixed + LOG_CPU_SPEED);
    s.bias = (int32_t)etl_load_u32(zone + ZONE_BIAS);
    s.standard_bias = (int32_t)etl_load_u32(zone + ZONE_STANDARD_BIAS);
    s.daylight_bias = (int32_t)etl_load_u32(zone + ZONE_DAYLIGHT_BIAS);
    s.standard_name = zone_name(zone + ZONE_STANDARD_NAME, arena);
    s.daylight_name = zone_name(zone + ZONE_DAYLIGHT_NAME, arena);
    s.logger_name = read_name(&cur, arena);
    s.log_file_name = read_name(&cur, arena);
    if (!s.standard_name || !s.daylight_name || !s.logger_name || !s.log_file_name)
        return etl_fail(error, ETL_ERR_NOMEM, "%s: out of memory", path);
    s.pre_vista = s.os_major < 6;
    s.compressed = !s.pre_vista && (s.log_file_mode & MODE_COMPRESSED);
    s.frequency = clock_frequency(&s, frequency, source_index, diag);
    check_odd(&s, source_index, diag);
    *ret = s;
    return ETL_OK;
}
