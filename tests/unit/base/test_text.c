#include <criterion/criterion.h>

#include <stdlib.h>

#include "base/base.h"

/* Converts through buffers of the exact promised size, so that the sanitizer sees every byte too
   far; `shift` makes the input unaligned. */
static void assert_utf8(const uint16_t *units, size_t count, size_t shift, const char *expected,
                        size_t expected_size)
{
    uint8_t *in = malloc(2 * count + shift + 1);
    char *out = malloc(ETL_UTF8_MAX(count) + 1);
    for (size_t i = 0; i < count; i++) {
        in[shift + 2 * i] = (uint8_t)units[i];
        in[shift + 2 * i + 1] = (uint8_t)(units[i] >> 8);
    }
    uint8_t *tight_in = realloc(in, 2 * count + shift ? 2 * count + shift : 1);
    char *tight_out = realloc(out, count ? ETL_UTF8_MAX(count) : 1);
    size_t size = etl_utf16_to_utf8(tight_in + shift, count, tight_out);
    cr_assert_eq(size, expected_size);
    cr_assert_eq(memcmp(tight_out, expected, size), 0);
    free(tight_in);
    free(tight_out);
}

Test(text, utf16_ascii_runs_of_every_length)
{
    uint16_t units[70];
    char expected[70];
    for (size_t i = 0; i < 70; i++) {
        units[i] = (uint16_t)(1 + i);
        expected[i] = (char)(1 + i);
    }
    for (size_t count = 0; count <= 70; count++)
        for (size_t shift = 0; shift < 2; shift++)
            assert_utf8(units, count, shift, expected, count);
}

Test(text, utf16_one_other_character_at_every_place)
{
    static const struct {
        uint16_t unit;
        const char *utf8;
    } others[] = {{0x7F, "\x7F"},           {0x80, "\xC2\x80"},       {0x7FF, "\xDF\xBF"},
                  {0x800, "\xE0\xA0\x80"},  {0xFFFF, "\xEF\xBF\xBF"}, {0xD800, "\xEF\xBF\xBD"},
                  {0xDC00, "\xEF\xBF\xBD"}, {0x0100, "\xC4\x80"},     {0xE000, "\xEE\x80\x80"}};
    for (size_t k = 0; k < ETL_COUNT_OF(others); k++) {
        for (size_t at = 0; at < 40; at++) {
            uint16_t units[40];
            char expected[44];
            size_t size = 0;
            for (size_t i = 0; i < 40; i++) {
                units[i] = i == at ? others[k].unit : 'a';
                if (i == at) {
                    memcpy(expected + size, others[k].utf8, strlen(others[k].utf8));
                    size += strlen(others[k].utf8);
                } else {
                    expected[size++] = 'a';
                }
            }
            assert_utf8(units, 40, at % 2, expected, size);
        }
    }
}

Test(text, utf16_surrogates)
{
    assert_utf8((const uint16_t[]){0xD83D, 0xDE00}, 2, 0, "\xF0\x9F\x98\x80", 4);
    assert_utf8((const uint16_t[]){0xD800, 0xDC00}, 2, 0, "\xF0\x90\x80\x80", 4);
    assert_utf8((const uint16_t[]){0xDBFF, 0xDFFF}, 2, 0, "\xF4\x8F\xBF\xBF", 4);
    assert_utf8((const uint16_t[]){0xD800, 0xD800, 0xDC00}, 3, 0, "\xEF\xBF\xBD\xF0\x90\x80\x80",
                7);
    assert_utf8((const uint16_t[]){0xDC00, 0xD800}, 2, 0, "\xEF\xBF\xBD\xEF\xBF\xBD", 6);
    assert_utf8((const uint16_t[]){0xD800, 'A'}, 2, 0,
                "\xEF\xBF\xBD"
                "A",
                4);
    /* A pair across the end of a block of eight. */
    assert_utf8((const uint16_t[]){0xE9, 'b', 'c', 'd', 'e', 'f', 'g', 0xD83D, 0xDE00, 'h'}, 10, 0,
                "\xC3\xA9"
                "bcdefg\xF0\x9F\x98\x80h",
                13);
}

Test(text, utf16_every_unit_gives_valid_utf8)
{
    for (uint32_t c = 0; c < 0x10000; c++) {
        uint8_t in[2] = {(uint8_t)c, (uint8_t)(c >> 8)};
        char out[3];
        size_t size = etl_utf16_to_utf8(in, 1, out);
        cr_assert(etl_utf8_valid((const uint8_t *)out, size), "U+%04X", c);
    }
}

Test(text, utf16_length_finds_the_first_nul)
{
    uint8_t *in = malloc(2 * 40);
    for (size_t at = 0; at < 40; at++) {
        /* Units with a zero byte on either side, and 0x8000, must not look like the end. */
        for (size_t i = 0; i < 40; i++) {
            in[2 * i] = i % 3 == 0 ? 1 : 0;
            in[2 * i + 1] = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 0x80;
        }
        cr_assert_eq(etl_utf16_length(in, 40), 40);
        in[2 * at] = in[2 * at + 1] = 0;
        cr_assert_eq(etl_utf16_length(in, 40), at);
        cr_assert_eq(etl_utf16_length(in, at), at);
        if (at + 1 < 40) {
            in[2 * at + 2] = in[2 * at + 3] = 0;
            cr_assert_eq(etl_utf16_length(in, 40), at);
        }
    }
    cr_assert_eq(etl_utf16_length(in, 0), 0);
    free(in);
}

static bool valid(const char *text)
{
    return etl_utf8_valid((const uint8_t *)text, strlen(text));
}

Test(text, utf8_valid_follows_the_table_of_unicode)
{
    cr_assert(valid(""));
    cr_assert(valid("plain text that is longer than a block"));
    cr_assert(valid("\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"));
    cr_assert(valid("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
    static const char *const bad[] = {"\x80",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xC2",
                                      "\xC2\x41",
                                      "\xE0\x9F\xBF",
                                      "\xED\xA0\x80",
                                      "\xE2\x82",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xF0\x9F\x98",
                                      "\xFF",
                                      "12345678\xFE"};
    for (size_t i = 0; i < ETL_COUNT_OF(bad); i++)
        cr_assert_not(valid(bad[i]), "case %zu", i);
}

Test(text, ansi_keeps_utf8_and_reads_the_rest_as_1252)
{
    char out[64];
    cr_assert_eq(etl_ansi_to_utf8((const uint8_t *)"\xC3\xA9", 2, out), 2);
    cr_assert_eq(memcmp(out, "\xC3\xA9", 2), 0);
    cr_assert_eq(etl_ansi_to_utf8((const uint8_t *)"a\x80\xE9", 3, out), 6);
    cr_assert_eq(memcmp(out, "a\xE2\x82\xAC\xC3\xA9", 6), 0);
    cr_assert_eq(etl_ansi_to_utf8((const uint8_t *)"\x81\x9F\xFF", 3, out), 6);
    cr_assert_eq(memcmp(out, "\xC2\x81\xC5\xB8\xC3\xBF", 6), 0);
    cr_assert_eq(etl_ansi_to_utf8(NULL, 0, out), 0);
}

Test(text, wildcard)
{
    cr_assert(etl_wildcard_match("Microsoft-Windows-*", "microsoft-windows-Kernel"));
    cr_assert(etl_wildcard_match("*", ""));
    cr_assert(etl_wildcard_match("", ""));
    cr_assert(etl_wildcard_match("a?c", "abC"));
    cr_assert(etl_wildcard_match("*a*b", "xaxbxb"));
    cr_assert(etl_wildcard_match("**", "x"));
    cr_assert(etl_wildcard_match("a?c", "a\xC3\xA9"
                                        "c"),
              "? is a character, not a byte");
    cr_assert(etl_wildcard_match("*?", "\xC3\xA9"));
    cr_assert_not(etl_wildcard_match("", "a"));
    cr_assert_not(etl_wildcard_match("a?", "a"));
    cr_assert_not(etl_wildcard_match("a", "ab"));
    cr_assert_not(etl_wildcard_match("*a", "ab"));
}

Test(text, ascii_ignores_the_locale)
{
    cr_assert(etl_ascii_equal("", ""));
    cr_assert(etl_ascii_equal("EVENT_Id", "event_iD"));
    cr_assert(etl_ascii_equal("\xC3\x84", "\xC3\x84"));
    cr_assert_not(etl_ascii_equal("\xC3\x84", "\xC3\xA4"));
    cr_assert_not(etl_ascii_equal("a", "ab"));
    cr_assert_not(etl_ascii_equal("ab", "a"));
    cr_assert_not(etl_ascii_equal("@", "`"));
    cr_assert(etl_ascii_is_alnum('z') && etl_ascii_is_alnum('0'));
    cr_assert_not(etl_ascii_is_alnum('_') || etl_ascii_is_alnum((char)0xE9));
}

Test(text, wildcard_does_not_explode)
{
    char text[5001];
    memset(text, 'a', 5000);
    text[5000] = 0;
    cr_assert_not(etl_wildcard_match("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}
