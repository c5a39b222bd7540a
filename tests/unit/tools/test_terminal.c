#include "cli/json_out.h"
#include "cli/terminal.h"

#include <criterion/criterion.h>

#include <stdlib.h>

static void expect_safe(const char *text, const char *expected)
{
    char *found = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&found, &size);
    cli_puts_safe(text, file);
    fclose(file);
    cr_expect_str_eq(found, expected);
    free(found);
}

Test(terminal, text_stays)
{
    expect_safe("plain, Gr\xC3\xBC\xC3\x9F"
                "e, \xF0\x9F\x98\x80",
                "plain, Gr\xC3\xBC\xC3\x9F"
                "e, \xF0\x9F\x98\x80");
}

Test(terminal, what_a_terminal_would_obey)
{
    expect_safe("\x1b[2J\a\r\n\t\x7f", "\\x1b[2J\\x07\\x0d\\x0a\\x09\\x7f");
    expect_safe("\xC2\x9B"
                "31m",
                "\\u009b31m");
    expect_safe("exe.\xE2\x80\xAE"
                "gpj",
                "exe.\\u202egpj");
}

Test(terminal, bytes_that_are_no_utf8)
{
    expect_safe("\xFF\xC0\x80", "\\xff\\xc0\\x80");
    expect_safe("\xE2\x80", "\\xe2\\x80");
    expect_safe("\xED\xA0\x80", "\\xed\\xa0\\x80");
    expect_safe("\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
}

Test(terminal, numbers)
{
    char text[CLI_NUMBER_SIZE];
    cr_expect_str_eq(cli_number(0, text), "0");
    cr_expect_str_eq(cli_number(999, text), "999");
    cr_expect_str_eq(cli_number(1000, text), "1,000");
    cr_expect_str_eq(cli_number(UINT64_MAX, text), "18,446,744,073,709,551,615");
    cr_expect_str_eq(cli_bytes(999, text), "999 bytes");
    cr_expect_str_eq(cli_bytes(1000, text), "1.0 kB");
    cr_expect_str_eq(cli_bytes(999960, text), "1.0 MB");
    cr_expect_str_eq(cli_bytes(UINT64_MAX, text), "18.4 EB");
}

Test(terminal, json)
{
    char *found = NULL;
    size_t size = 0;
    json_out json = {.file = open_memstream(&found, &size)};
    json_open(&json, NULL, '{');
    json_text(&json, "a", "q\"\\\n\xFF");
    json_text(&json, "b", NULL);
    json_open(&json, "c", '[');
    json_close(&json, ']');
    json_open(&json, "d", '[');
    json_number(&json, NULL, -1);
    json_unsigned(&json, NULL, UINT64_MAX);
    json_bool(&json, NULL, true);
    json_close(&json, ']');
    json_close(&json, '}');
    fclose(json.file);
    cr_expect_str_eq(found, "{\n  \"a\": \"q\\\"\\\\\\u000a\xEF\xBF\xBD\",\n  \"b\": null,\n"
                            "  \"c\": [],\n  \"d\": [\n    -1,\n    18446744073709551615,\n"
                            "    true\n  ]\n}");
    free(found);
}
