#include <criterion/criterion.h>

#include "base/base.h"

static const etl_guid sample =
    ETL_GUID(0x9e814aad, 0x3204, 0x11d2, 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39);
static const char sample_text[] = "9e814aad-3204-11d2-9a82-006008a86939";

Test(guid, text_swaps_the_first_three_groups)
{
    char text[ETL_GUID_TEXT_SIZE];
    cr_assert_eq(sample.bytes[0], 0xad);
    etl_guid_text(&sample, text);
    cr_assert_str_eq(text, sample_text);
}

Test(guid, parses_what_it_writes_in_any_case_and_braces)
{
    static const char *const good[] = {sample_text, "{9e814aad-3204-11d2-9a82-006008a86939}",
                                       "9E814AAD-3204-11D2-9A82-006008A86939"};
    for (size_t i = 0; i < ETL_COUNT_OF(good); i++) {
        etl_guid g;
        cr_assert(etl_guid_parse(good[i], &g), "%s", good[i]);
        cr_assert(etl_guid_equal(&g, &sample));
    }
}

Test(guid, refuses_everything_else)
{
    static const char *const bad[] = {"",
                                      "{",
                                      "{}",
                                      "9e814aad",
                                      "9e814aad-3204-11d2-9a82-006008a8693",
                                      "9e814aad-3204-11d2-9a82-006008a869390",
                                      "{9e814aad-3204-11d2-9a82-006008a86939",
                                      "9e814aad-3204-11d2-9a82-006008a86939}",
                                      "9e814aad+3204-11d2-9a82-006008a86939",
                                      "9e814aa\x47-3204-11d2-9a82-006008a86939",
                                      "9e814aad320411d29a82006008a86939",
                                      "9e814a\x01\x64-3204-11d2-9a82-006008a86939"};
    for (size_t i = 0; i < ETL_COUNT_OF(bad); i++) {
        etl_guid g = sample;
        cr_assert_not(etl_guid_parse(bad[i], &g), "%s", bad[i]);
        cr_assert(etl_guid_equal(&g, &sample), "result untouched on failure");
    }
}
