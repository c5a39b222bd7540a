#include <criterion/criterion.h>

#include <stdio.h>

#include "base/base.h"

#define LAST_WITH_TEXT INT64_C(2650467743999999999)

static const struct {
    int64_t time;
    const char *text;
} samples[] = {{0, "1601-01-01T00:00:00.0000000Z"},
               {1, "1601-01-01T00:00:00.0000001Z"},
               {ETL_TIME_UNIX_EPOCH, "1970-01-01T00:00:00.0000000Z"},
               {ETL_TIME_UNIX_EPOCH - 1, "1969-12-31T23:59:59.9999999Z"},
               /* 951782400 and 1709164800 seconds of Unix time */
               {INT64_C(125962560000000000), "2000-02-29T00:00:00.0000000Z"},
               {INT64_C(133536384000000000), "2024-02-29T00:00:00.0000000Z"},
               {LAST_WITH_TEXT, "9999-12-31T23:59:59.9999999Z"}};

Test(time, text_and_back)
{
    for (size_t i = 0; i < ETL_COUNT_OF(samples); i++) {
        char text[ETL_TIME_TEXT_SIZE];
        etl_time time;
        etl_time_text(samples[i].time, text);
        cr_assert_str_eq(text, samples[i].text);
        cr_assert(etl_time_parse(text, &time));
        cr_assert_eq(time, samples[i].time);
    }
}

Test(time, every_day_follows_the_one_before)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = 1601, month = 1, day = 1;
    for (int64_t days = 0; year < 2450; days++) {
        char text[ETL_TIME_TEXT_SIZE], expected[ETL_TIME_TEXT_SIZE + 32];
        etl_time time;
        snprintf(expected, sizeof expected, "%04d-%02d-%02d", year, month, day);
        etl_time_text(days * INT64_C(864000000000), text);
        cr_assert_eq(strncmp(text, expected, 10), 0, "%s %s", text, expected);
        cr_assert(etl_time_parse(expected, &time));
        cr_assert_eq(time, days * INT64_C(864000000000));
        bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        if (++day > lengths[month - 1] + (month == 2 && leap)) {
            day = 1;
            if (++month > 12) {
                month = 1;
                year++;
            }
        }
    }
}

Test(time, outside_the_calendar_is_a_number)
{
    char text[ETL_TIME_TEXT_SIZE];
    etl_time_text(-1, text);
    cr_assert_str_eq(text, "-1");
    etl_time_text(LAST_WITH_TEXT + 1, text);
    cr_assert_str_eq(text, "2650467744000000000");
    etl_time_text(INT64_MIN, text);
    cr_assert_str_eq(text, "-9223372036854775808");
    etl_time_text(INT64_MAX, text);
    cr_assert_str_eq(text, "9223372036854775807");
}

Test(time, unix_ns_clamps)
{
    cr_assert_eq(etl_time_unix_ns(ETL_TIME_UNIX_EPOCH), 0);
    cr_assert_eq(etl_time_unix_ns(ETL_TIME_UNIX_EPOCH + 1), 100);
    cr_assert_eq(etl_time_unix_ns(ETL_TIME_UNIX_EPOCH - 1), -100);
    cr_assert_eq(etl_time_unix_ns(0), INT64_MIN, "1601 is before what nanoseconds can hold");
    cr_assert_eq(etl_time_unix_ns(INT64_MAX), INT64_MAX);
    cr_assert_eq(etl_time_unix_ns(INT64_MIN), INT64_MIN);
    int64_t last = ETL_TIME_UNIX_EPOCH + INT64_MAX / 100;
    cr_assert_eq(etl_time_unix_ns(last), INT64_MAX / 100 * 100);
    cr_assert_eq(etl_time_unix_ns(last + 1), INT64_MAX);
}

Test(time, parses_forms)
{
    static const struct {
        const char *text;
        int64_t ticks; /* since the Unix epoch */
    } good[] = {{"1970-01-02", INT64_C(864000000000)},
                {"1970-01-01T01:00", INT64_C(36000000000)},
                {"1970-01-01 00:00:01", 10000000},
                {"1970-01-01T00:00:00.5Z", 5000000},
                {"1970-01-01T00:00:00.123456789Z", 1234567},
                {"1970-01-01T01:30:00+01:30", 0},
                {"1969-12-31T23:00:00-01:00", 0},
                {"116444736000000007", 7}};
    for (size_t i = 0; i < ETL_COUNT_OF(good); i++) {
        etl_time time;
        cr_assert(etl_time_parse(good[i].text, &time), "%s", good[i].text);
        cr_assert_eq(time - ETL_TIME_UNIX_EPOCH, good[i].ticks, "%s", good[i].text);
    }
}

Test(time, refuses_other_text)
{
    static const char *const bad[] = {"",
                                      "now",
                                      "-",
                                      "1970-1-01",
                                      "1970-13-01",
                                      "1970-00-01",
                                      "1970-01-32",
                                      "1970-01-00",
                                      "2023-02-29",
                                      "1900-02-29",
                                      "1600-12-31",
                                      "1970-01-01T",
                                      "1970-01-01T24:00",
                                      "1970-01-01T00:60",
                                      "1970-01-01T00:00:60",
                                      "1970-01-01T00:00:00.",
                                      "1970-01-01T00:00:00Zx",
                                      "1970-01-01T00:00:00+24:00",
                                      "1970-01-01x",
                                      "9223372036854775808",
                                      "1581943737",
                                      "1581943737000000000"};
    for (size_t i = 0; i < ETL_COUNT_OF(bad); i++) {
        etl_time time = 77;
        cr_assert_not(etl_time_parse(bad[i], &time), "%s", bad[i]);
        cr_assert_eq(time, 77);
    }
}
