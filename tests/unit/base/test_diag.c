#include <criterion/criterion.h>

#include "base/base.h"

Test(diag, keeps_the_first_in_full_and_counts_the_rest)
{
    etl_diag d = {0};
    for (uint64_t i = 0; i < ETL_LIMIT_DIAGNOSTIC_DETAILS + 10; i++)
        etl_diag_add(&d, ETL_DIAG_RECORD_BAD, 3, i, 2, "record %d", (int)i);
    cr_assert_eq(d.row_count, ETL_LIMIT_DIAGNOSTIC_DETAILS + 1);
    cr_assert_eq(d.rows[7].offset, 7);
    cr_assert_str_eq(d.rows[7].text, "record 7");
    const etl_diagnostic *rest = &d.rows[ETL_LIMIT_DIAGNOSTIC_DETAILS];
    cr_assert_eq(rest->source, 3);
    cr_assert_eq(rest->offset, ETL_NO_OFFSET);
    cr_assert_null(rest->text);
    cr_assert_eq(rest->count, 20);
    cr_assert_eq(d.totals[ETL_DIAG_RECORD_BAD], 2 * (ETL_LIMIT_DIAGNOSTIC_DETAILS + 10));
    etl_diag_free(&d);
}

Test(diag, code_and_source_have_limits_of_their_own)
{
    etl_diag d = {0};
    for (int i = 0; i < ETL_LIMIT_DIAGNOSTIC_DETAILS; i++)
        etl_diag_add(&d, ETL_DIAG_RECORD_BAD, 0, 1, 1, "x");
    etl_diag_add(&d, ETL_DIAG_RECORD_BAD, 1, 42, 1, "y");
    etl_diag_add(&d, ETL_DIAG_BUFFER_BAD, 0, 43, 1, NULL);
    cr_assert_eq(d.rows[d.row_count - 2].offset, 42);
    cr_assert_eq(d.rows[d.row_count - 1].offset, 43);
    cr_assert_null(d.rows[d.row_count - 1].text);
    etl_diag_free(&d);
}

Test(diag, text_is_one_line_of_utf8)
{
    etl_diag d = {0};
    etl_diag_add(&d, ETL_DIAG_MANIFEST_BAD, 0, 0, 1, "name %s", "a\nb\x1b[31m\xFF\xC3\xA9");
    cr_assert_str_eq(d.rows[0].text, "name a b [31m?\xC3\xA9");
    etl_diag_free(&d);
}

Test(diag, totals_do_not_wrap)
{
    etl_diag d = {0};
    etl_diag_add(&d, ETL_DIAG_EVENTS_LOST, 0, 0, UINT64_MAX, NULL);
    etl_diag_add(&d, ETL_DIAG_EVENTS_LOST, 0, 0, 5, NULL);
    cr_assert_eq(d.totals[ETL_DIAG_EVENTS_LOST], UINT64_MAX);
    etl_diag_free(&d);
}

Test(diag, names)
{
    cr_assert_str_eq(etl_diag_name(ETL_DIAG_BUFFER_BAD), "BUFFER_BAD");
    cr_assert_str_eq(etl_diag_name(ETL_DIAG_TIME_RANGE), "TIME_RANGE");
    cr_assert_eq(etl_diag_severity(ETL_DIAG_SCHEMA_MISSING), ETL_SEVERITY_INFO);
    cr_assert_str_eq(etl_severity_name(ETL_SEVERITY_WARNING), "warning");
    cr_assert_not_null(etl_diag_name(-1));
    cr_assert_not_null(etl_diag_meaning(ETL_DIAG_COUNT));
}

Test(diag, accepts_null)
{
    etl_diag_add(NULL, ETL_DIAG_BUFFER_BAD, 0, 0, 1, "nobody listens");
}
