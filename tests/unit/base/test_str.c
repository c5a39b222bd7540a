#include <criterion/criterion.h>

#include "base/base.h"

static void assert_json(const char *in, size_t size, const char *expected)
{
    etl_str s = {0};
    etl_str_json(&s, in, size);
    cr_assert_str_eq(s.data, expected);
    cr_assert_eq(s.size, strlen(expected));
    etl_str_free(&s);
}

Test(str, grows_and_stays_terminated)
{
    etl_str s = {0};
    for (int i = 0; i < 1000; i++)
        etl_str_printf(&s, "%03d,", i);
    cr_assert_eq(s.size, 4000);
    cr_assert_str_eq(s.data + 3996, "999,");
    etl_str_clear(&s);
    etl_str_puts(&s, "again");
    cr_assert_str_eq(s.data, "again");
    etl_str_free(&s);
    cr_assert_null(s.data);
}

Test(str, printf_longer_than_any_first_guess)
{
    etl_str s = {0};
    for (int width = 100; width < 300; width++) {
        etl_str_clear(&s);
        etl_str_printf(&s, "%*d", width, 7);
        cr_assert_eq(s.size, (size_t)width);
        cr_assert_eq(s.data[width - 1], '7');
        cr_assert_eq(s.data[width], '\0');
    }
    etl_str_free(&s);
}

Test(str, failure_latches_until_cleared)
{
    etl_str s = {0};
    etl_str_puts(&s, "abc");
    cr_assert_null(etl_str_reserve(&s, SIZE_MAX));
    cr_assert(s.failed);
    etl_str_puts(&s, "def");
    cr_assert_str_eq(s.data, "abc");
    etl_str_clear(&s);
    etl_str_puts(&s, "def");
    cr_assert_str_eq(s.data, "def");
    etl_str_free(&s);
}

Test(str, json_escapes)
{
    assert_json("a\"b\\c\n\r\t\x01", 9, "a\\\"b\\\\c\\n\\r\\t\\u0001");
    assert_json("\0x", 2, "\\u0000x");
    assert_json("", 0, "");
}

Test(str, json_replaces_only_what_is_no_utf8)
{
    assert_json("\xC3\xA9\xFF\xC3\xA9", 5, "\xC3\xA9\xEF\xBF\xBD\xC3\xA9");
    assert_json("\xF0\x9F\x98\x80\"", 5, "\xF0\x9F\x98\x80\\\"");
    assert_json("x\xE2\x82", 3, "x\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_json("\xED\xA0\x80", 3, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

Test(str, json_leaves_no_control_character_for_a_terminal)
{
    assert_json("\xC2\x9B\x7F", 3, "\\u009b\\u007f");
    assert_json("\xFF\xC2\x9B", 3, "\xEF\xBF\xBD\\u009b");
}
