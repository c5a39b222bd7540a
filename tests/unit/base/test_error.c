#include <criterion/criterion.h>

#include <errno.h>

#include "base/base.h"

Test(error, fills_all_fields)
{
    etl_error e;
    memset(&e, 0xEE, sizeof e);
    cr_assert_eq(etl_fail(&e, ETL_ERR_LIMIT, "%s: %d", "f.etl", 7), ETL_ERR_LIMIT);
    cr_assert_eq(e.code, ETL_ERR_LIMIT);
    cr_assert_eq(e.system_errno, 0);
    cr_assert_eq(e.offset, ETL_NO_OFFSET);
    cr_assert_str_eq(e.message, "f.etl: 7");
    cr_assert_eq(etl_fail_at(&e, ETL_ERR_DAMAGED, 4096, "bad"), ETL_ERR_DAMAGED);
    cr_assert_eq(e.offset, 4096);
}

Test(error, errno_text_is_appended)
{
    etl_error e;
    etl_fail_errno(&e, ETL_ERR_IO, EACCES, "%s: cannot be opened", "f.etl");
    cr_assert_str_eq(e.message, "f.etl: cannot be opened: Permission denied");
    cr_assert_eq(e.system_errno, EACCES);
}

Test(error, errno_text_survives_a_long_path)
{
    char path[2000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    etl_error e;
    etl_fail_errno(&e, ETL_ERR_IO, EACCES, "%s", path);
    size_t length = strlen(e.message);
    cr_assert_eq(length, sizeof e.message - 1);
    cr_assert_str_eq(e.message + length - 19, ": Permission denied");
}

Test(error, message_is_one_line_of_utf8)
{
    etl_error e;
    etl_fail(&e, ETL_ERR_IO, "%s",
             "a\nb\x1b]0;x\x07\xFF \xC3\xA9 \xC2\x9B"
             "31m");
    cr_assert_str_eq(e.message, "a b ]0;x ? \xC3\xA9   31m");
}

Test(error, cut_never_splits_a_character)
{
    char text[600];
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = i % 2 ? '\xA9' : '\xC3';
    text[sizeof text - 1] = 0;
    for (size_t skip = 0; skip < 2; skip++) {
        etl_error e;
        etl_fail(&e, ETL_ERR_IO, "%s%s", skip ? "x" : "", text);
        cr_assert(etl_utf8_valid((const uint8_t *)e.message, strlen(e.message)));
        cr_assert_null(strchr(e.message, '?'));
    }
}

Test(error, accepts_null)
{
    cr_assert_eq(etl_fail(NULL, ETL_ERR_ARG, "x"), ETL_ERR_ARG);
    cr_assert_eq(etl_fail_errno(NULL, ETL_ERR_IO, EIO, "x"), ETL_ERR_IO);
}

Test(error, every_status_has_a_text)
{
    cr_assert_str_eq(etl_status_text(ETL_OK), "done");
    cr_assert_str_eq(etl_status_text(ETL_ERR_CHANGED), "the input changed while it was read");
    cr_assert_not_null(etl_status_text(12345));
}
