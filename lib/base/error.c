/* Status texts and the error object. */
#include "base/base.h"
#include "base/utf8.h"

#include <stdio.h>

const char *etl_status_text(int status)
{
    switch (status) {
#define STATUS_CASE(name, value, text)                                                             \
    case value: return text;
        ETL_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    default: return "unknown status";
    }
}

static int fill(etl_error *error, int code, int system_errno, uint64_t offset, const char *format,
                va_list args)
{
    if (!error)
        return code;
    error->code = code;
    error->system_errno = system_errno;
    error->offset = offset;
    /* The reason matters more than the rest of a long path: its room is set aside first. */
    char reason[128] = "";
    if (system_errno) {
        char text[120];
        snprintf(reason, sizeof reason, ": %s", strerror_r(system_errno, text, sizeof text));
    }
    size_t reason_size = etl_utf8_one_line(reason, strlen(reason));
    size_t room = sizeof error->message - reason_size;
    int wanted = vsnprintf(error->message, room, format, args);
    size_t length = wanted < 0 ? 0 : (size_t)wanted < room ? (size_t)wanted : room - 1;
    length = etl_utf8_one_line(error->message, length);
    memcpy(error->message + length, reason, reason_size + 1);
    return code;
}

int etl_fail(etl_error *error, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(error, code, 0, ETL_NO_OFFSET, format, args);
    va_end(args);
    return code;
}

int etl_fail_at(etl_error *error, int code, uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(error, code, 0, offset, format, args);
    va_end(args);
    return code;
}

int etl_fail_errno(etl_error *error, int code, int system_errno, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(error, code, system_errno, ETL_NO_OFFSET, format, args);
    va_end(args);
    return code;
}
