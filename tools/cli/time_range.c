#include "cli/time_range.h"

#include <string.h>

/* In units of 100 ns. */
static const struct {
    const char *name;
    int64_t length;
} units[] = {
    {"ms", INT64_C(10000)},      {"s", INT64_C(10000000)},     {"m", INT64_C(600000000)},
    {"h", INT64_C(36000000000)}, {"d", INT64_C(864000000000)},
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int64_t unit_length(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0)
            return units[i].length;
    return 0;
}

/* Digits, optionally a fraction, then a unit. Integers only, so that "0.1s" is exact. */
static bool parse_distance(const char *text, etl_time *ret_distance)
{
    const char *p = text;
    int64_t whole = 0;
    int64_t fraction = 0;
    int64_t scale = 1;
    if (!is_digit(*p))
        return false;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(whole, 10, &whole) ||
            __builtin_add_overflow(whole, *p - '0', &whole))
            return false;
    if (*p == '.') {
        if (!is_digit(*++p))
            return false;
        /* Seven digits of a day still fit; more are below any clock. */
        for (; is_digit(*p); p++)
            if (scale < 10000000) {
                fraction = fraction * 10 + (*p - '0');
                scale *= 10;
            }
    }
    int64_t unit = unit_length(p);
    if (unit == 0 || __builtin_mul_overflow(whole, unit, &whole))
        return false;
    return !__builtin_add_overflow(whole, fraction * unit / scale, ret_distance);
}

bool cli_time_parse(const char *text, cli_time *ret_time)
{
    if (*text == '+' || *text == '-') {
        ret_time->kind = *text == '+' ? CLI_TIME_AFTER_FIRST : CLI_TIME_BEFORE_LAST;
        return parse_distance(text + 1, &ret_time->value);
    }
    ret_time->kind = CLI_TIME_ABSOLUTE;
    return etl_time_parse(text, &ret_time->value);
}

etl_time cli_time_resolve(const cli_time *time, etl_time first, etl_time last, etl_time unset)
{
    etl_time result;
    switch (time->kind) {
    case CLI_TIME_ABSOLUTE: return time->value;
    case CLI_TIME_AFTER_FIRST:
        return __builtin_add_overflow(first, time->value, &result) ? ETL_TIME_MAX : result;
    case CLI_TIME_BEFORE_LAST:
        return __builtin_sub_overflow(last, time->value, &result) ? ETL_TIME_MIN : result;
    default: return unset;
    }
}
