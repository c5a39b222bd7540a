#include <criterion/criterion.h>

#include "logfile/logfile.h"

static etl_session_info session(int clock, int64_t frequency)
{
    return (etl_session_info){.clock = clock,
                              .frequency = frequency,
                              .start_time = INT64_C(134000000000000000),
                              .first_raw_time = 1000000};
}

Test(clock, qpc_is_exact_and_truncates_toward_zero)
{
    etl_session_info s = session(ETL_CLOCK_QPC, 3579545);
    cr_assert_eq(etl_logfile_time(&s, 1000000), s.start_time);
    /* one second and one tick: 10000000 + 2.79 */
    cr_assert_eq(etl_logfile_time(&s, 1000000 + 3579546), s.start_time + 10000002);
    /* one tick before: -2.79 */
    cr_assert_eq(etl_logfile_time(&s, 1000000 - 1), s.start_time - 2);
}

Test(clock, products_beyond_64_bits)
{
    /* 30 days at 3 GHz: 7.776e15 ticks, times 10^7 is far above 2^63. */
    etl_session_info s = session(ETL_CLOCK_CPU_CYCLE, INT64_C(3000000000));
    int64_t ticks = INT64_C(3000000000) * 86400 * 30;
    cr_assert_eq(etl_logfile_time(&s, 1000000 + ticks),
                 s.start_time + INT64_C(10000000) * 86400 * 30);
    s.frequency = 9999999;
    cr_assert_eq(etl_logfile_time(&s, 1000000 + INT64_C(9999999) * 100000000),
                 s.start_time + INT64_C(10000000) * 100000000);
}

/* The last delta whose product fits 64 bits, the first that does not, and both below zero. */
Test(clock, both_sides_of_64_bits_agree)
{
    etl_session_info s = session(ETL_CLOCK_QPC, 3579545);
    s.first_raw_time = 0;
    const int64_t last = INT64_C(922337203685);
    cr_assert_eq(etl_logfile_time(&s, last), s.start_time + INT64_C(2576688388286));
    cr_assert_eq(etl_logfile_time(&s, last + 1), s.start_time + INT64_C(2576688388289));
    cr_assert_eq(etl_logfile_time(&s, -last), s.start_time - INT64_C(2576688388286));
    cr_assert_eq(etl_logfile_time(&s, -last - 1), s.start_time - INT64_C(2576688388289));
}

Test(clock, system_time_is_taken_as_it_is)
{
    etl_session_info s = session(ETL_CLOCK_SYSTEM_TIME, 10000000);
    cr_assert_eq(etl_logfile_time(&s, INT64_C(134000000000000001)), INT64_C(134000000000000001));
    s.clock = ETL_CLOCK_NONE;
    cr_assert_eq(etl_logfile_time(&s, 5), 5);
}

Test(clock, saturates)
{
    etl_session_info s = session(ETL_CLOCK_QPC, 1);
    cr_assert_eq(etl_logfile_time(&s, INT64_MAX), INT64_MAX);
    cr_assert_eq(etl_logfile_time(&s, INT64_MIN), INT64_MIN);
    s.frequency = 10000000;
    cr_assert_eq(etl_logfile_time(&s, INT64_MAX), INT64_MAX);
    s.start_time = -100;
    cr_assert_eq(etl_logfile_time(&s, INT64_MIN), INT64_MIN);
}

Test(clock, names)
{
    char text[64];
    cr_assert_str_eq(etl_clock_name(ETL_CLOCK_QPC), "QPC");
    cr_assert_str_eq(etl_clock_name(77), "unknown");
    cr_assert_eq(etl_log_mode_text(0x10002, text, sizeof text), 16);
    cr_assert_str_eq(text, "CIRCULAR | RELOG");
    /* cut, but terminated, and the full length is told */
    cr_assert_eq(etl_log_mode_text(0x10002, text, 5), 16);
    cr_assert_str_eq(text, "CIRC");
}
