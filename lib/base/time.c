/* FILETIME to text and back, in integers. */
#include "base/base.h"

#include <stdio.h>

#define TICKS_PER_SECOND INT64_C(10000000)
#define TICKS_PER_DAY    (INT64_C(86400) * TICKS_PER_SECOND)
/* 9999-12-31T23:59:59.9999999Z */
#define LAST_TICK INT64_C(2650467743999999999)

/* Days from 1601-01-01 of a proleptic Gregorian date, and back. 1601 starts a 400-year cycle, so
   years count from March 1600. */
static int64_t days_of(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t cycle = (year - 1600) / 400;
    int64_t in_cycle = year - 1600 - cycle * 400;
    int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return cycle * 146097 + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + in_year - 306;
}

static void date_of(int64_t days, int64_t *ret_year, unsigned *ret_month, unsigned *ret_day)
{
    days += 306; /* since 1600-03-01 */
    int64_t cycle = days / 146097;
    int64_t in_cycle = days - cycle * 146097;
    int64_t year = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / 146096) / 365;
    int64_t in_year = in_cycle - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * in_year + 2) / 153;
    *ret_day = (unsigned)(in_year - (153 * month + 2) / 5 + 1);
    *ret_month = (unsigned)(month < 10 ? month + 3 : month - 9);
    *ret_year = 1600 + cycle * 400 + year + (*ret_month <= 2);
}

void etl_time_text(etl_time time, char ret_text[ETL_TIME_TEXT_SIZE])
{
    if (time < 0 || time > LAST_TICK) {
        snprintf(ret_text, ETL_TIME_TEXT_SIZE, "%lld", (long long)time);
        return;
    }
    int64_t year;
    unsigned month, day;
    date_of(time / TICKS_PER_DAY, &year, &month, &day);
    int64_t rest = time % TICKS_PER_DAY;
    int seconds = (int)(rest / TICKS_PER_SECOND);
    snprintf(ret_text, ETL_TIME_TEXT_SIZE, "%04d-%02u-%02uT%02d:%02d:%02d.%07dZ", (int)year, month,
             day, seconds / 3600, seconds / 60 % 60, seconds % 60, (int)(rest % TICKS_PER_SECOND));
}

int64_t etl_time_unix_ns(etl_time time)
{
    int64_t ticks, ns;
    if (__builtin_sub_overflow(time, ETL_TIME_UNIX_EPOCH, &ticks))
        return INT64_MIN;
    if (__builtin_mul_overflow(ticks, INT64_C(100), &ns))
        return ticks < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

/* Exactly `digits` decimal digits. */
static bool take_number(const char **text, int digits, unsigned *ret)
{
    unsigned value = 0;
    for (int i = 0; i < digits; i++) {
        char c = (*text)[i];
        if (c < '0' || c > '9')
            return false;
        value = value * 10 + (unsigned)(c - '0');
    }
    *text += digits;
    *ret = value;
    return true;
}

static bool all_digits(const char *text)
{
    for (; *text >= '0' && *text <= '9'; text++)
        ;
    return !*text;
}

static unsigned days_in_month(unsigned year, unsigned month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

bool etl_time_parse(const char *text, etl_time *ret_time)
{
    /* A FILETIME of the years 1917 to 4769 has 18 digits; seconds or nanoseconds since 1970 have
       not, and are refused rather than taken for a time long ago. */
    if (strlen(text) == 18 && all_digits(text)) {
        int64_t value = 0;
        for (; *text; text++)
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, *text - '0', &value))
                return false;
        *ret_time = value;
        return true;
    }
    unsigned year, month, day, hour = 0, minute = 0, second = 0;
    int64_t fraction = 0, offset = 0;
    if (!take_number(&text, 4, &year) || *text++ != '-' || !take_number(&text, 2, &month) ||
        *text++ != '-' || !take_number(&text, 2, &day))
        return false;
    if (year < 1601 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    if (*text == 'T' || *text == 't' || *text == ' ') {
        text++;
        if (!take_number(&text, 2, &hour) || *text++ != ':' || !take_number(&text, 2, &minute))
            return false;
        if (*text == ':') {
            text++;
            if (!take_number(&text, 2, &second))
                return false;
            if (*text == '.' || *text == ',') {
                text++;
                int64_t unit = TICKS_PER_SECOND / 10;
                if (*text < '0' || *text > '9')
                    return false;
                for (; *text >= '0' && *text <= '9'; text++, unit /= 10)
                    fraction += (*text - '0') * unit;
            }
        }
        if (hour > 23 || minute > 59 || second > 59)
            return false;
        if (*text == 'Z' || *text == 'z') {
            text++;
        } else if (*text == '+' || *text == '-') {
            int sign = *text++ == '-' ? -1 : 1;
            unsigned zone_hour, zone_minute = 0;
            if (!take_number(&text, 2, &zone_hour))
                return false;
            text += *text == ':';
            if (*text && !take_number(&text, 2, &zone_minute))
                return false;
            if (zone_hour > 23 || zone_minute > 59)
                return false;
            offset = sign * (int64_t)(zone_hour * 60 + zone_minute) * 60;
        }
    }
    if (*text)
        return false;
    int64_t seconds = (int64_t)hour * 3600 + minute * 60 + second - offset;
    *ret_time = days_of(year, month, day) * TICKS_PER_DAY + seconds * TICKS_PER_SECOND + fraction;
    return true;
}
