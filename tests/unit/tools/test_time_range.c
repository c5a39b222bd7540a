#include "cli/time_range.h"

#include <criterion/criterion.h>

#define SECOND INT64_C(10000000)

static void expect(const char *text, cli_time_kind kind, etl_time value)
{
    cli_time time = {0};
    cr_assert(cli_time_parse(text, &time), "%s is refused", text);
    cr_expect_eq(time.kind, kind, "%s: kind %d", text, time.kind);
    cr_expect_eq(time.value, value, "%s: %lld", text, (long long)time.value);
}

Test(time_range, units)
{
    expect("+250ms", CLI_TIME_AFTER_FIRST, SECOND / 4);
    expect("+30s", CLI_TIME_AFTER_FIRST, 30 * SECOND);
    expect("-5m", CLI_TIME_BEFORE_LAST, 300 * SECOND);
    expect("-2h", CLI_TIME_BEFORE_LAST, 7200 * SECOND);
    expect("+1d", CLI_TIME_AFTER_FIRST, 86400 * SECOND);
    expect("-0s", CLI_TIME_BEFORE_LAST, 0);
}

Test(time_range, fractions_are_exact)
{
    expect("+0.1s", CLI_TIME_AFTER_FIRST, SECOND / 10);
    expect("+0.0000001s", CLI_TIME_AFTER_FIRST, 1);
    expect("+1.5h", CLI_TIME_AFTER_FIRST, 5400 * SECOND);
    expect("+0.00000019s", CLI_TIME_AFTER_FIRST, 1);
}

Test(time_range, absolute)
{
    expect("1970-01-01T00:00:01Z", CLI_TIME_ABSOLUTE, ETL_TIME_UNIX_EPOCH + SECOND);
    expect("1970-01-01T01:00:00+01:00", CLI_TIME_ABSOLUTE, ETL_TIME_UNIX_EPOCH);
    expect("1970-01-01", CLI_TIME_ABSOLUTE, ETL_TIME_UNIX_EPOCH);
    expect("116444736000000000", CLI_TIME_ABSOLUTE, ETL_TIME_UNIX_EPOCH);
}

Test(time_range, what_is_no_time)
{
    static const char *const texts[] = {
        "",
        "+",
        "-",
        "+s",
        "+5",
        "+5x",
        "+5 s",
        "+-5s",
        "+.5s",
        "+5.s",
        "+5ss",
        "5s",
        "now",
        "+1.5",
        "+ 1s",
        "--1s",
        "+5S",
        "2026-13-01",
        "+9223372036854775807d",
        "+99999999999999999999s",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cli_time time = {0};
        cr_expect_not(cli_time_parse(texts[i], &time), "'%s' is taken", texts[i]);
    }
}

Test(time_range, resolves_against_the_trace)
{
    const etl_time first = ETL_TIME_UNIX_EPOCH;
    const etl_time last = first + 60 * SECOND;
    const cli_time unset = {0};
    const cli_time absolute = {CLI_TIME_ABSOLUTE, 7};
    const cli_time after = {CLI_TIME_AFTER_FIRST, SECOND};
    const cli_time before = {CLI_TIME_BEFORE_LAST, SECOND};
    cr_expect_eq(cli_time_resolve(&unset, first, last, ETL_TIME_MAX), ETL_TIME_MAX);
    cr_expect_eq(cli_time_resolve(&absolute, first, last, 0), 7);
    cr_expect_eq(cli_time_resolve(&after, first, last, 0), first + SECOND);
    cr_expect_eq(cli_time_resolve(&before, first, last, 0), last - SECOND);
}

Test(time_range, clamps_instead_of_overflowing)
{
    const cli_time after = {CLI_TIME_AFTER_FIRST, INT64_MAX};
    const cli_time before = {CLI_TIME_BEFORE_LAST, INT64_MAX};
    cr_expect_eq(cli_time_resolve(&after, 1, 1, 0), ETL_TIME_MAX);
    cr_expect_eq(cli_time_resolve(&before, -2, -2, 0), ETL_TIME_MIN);
}
