/* Status texts and the error object. */
#include "base/base.h"

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
    int length = vsnprintf(error->message, sizeof error->message, format, args);
    if (system_errno && length >= 0 && (size_t)length < sizeof error->message) {
        char text[128];
        snprintf(error->message + length, sizeof error->message - (size_t)length, ": %s",
                 strerror_r(system_errno, text, sizeof text));
    }
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
