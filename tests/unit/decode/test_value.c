/* Values of sliced fields: numbers, text and JSON. */
#include "decode_test.h"

Test(value, numbers)
{
    etl_property p[] = {{.name = "a", .in_type = ETL_IN_INT8},
                        {.name = "b", .in_type = ETL_IN_UINT8},
                        {.name = "c", .in_type = ETL_IN_UINT16, .out_type = ETL_OUT_PORT},
                        {.name = "d", .in_type = ETL_IN_INT32},
                        {.name = "e", .in_type = ETL_IN_UINT64},
                        {.name = "f", .in_type = ETL_IN_FLOAT},
                        {.name = "g", .in_type = ETL_IN_DOUBLE},
                        {.name = "h", .in_type = ETL_IN_BOOLEAN}};
    static const char bytes[] = "\xFF\xFF\x01\xBB\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
                                "\0\0\xC0\x3F\0\0\0\0\0\0\4\xC0\1\0\0";
    fixture f;
    COMPILE(&f, p, 8);
    cr_assert_eq(slice(&f, bytes, sizeof bytes, 8), ETL_FIT_EXACT);
    cr_expect_eq(int_of(&f, 0), -1);
    cr_expect_eq(int_of(&f, 1), 255);
    cr_expect_eq(int_of(&f, 2), 443);
    cr_expect_eq(int_of(&f, 3), -2);
    cr_expect_eq(int_of(&f, 4), -1);
    cr_expect_float_eq(etl_field_double(&f.layout->fields[5], &f.slices[5]), 1.5, 0);
    cr_expect_float_eq(etl_field_double(&f.layout->fields[6], &f.slices[6]), -2.5, 0);
    cr_expect_eq(int_of(&f, 7), 1);
    release(&f);
}

Test(value, text)
{
    etl_property p[] = {
        {.name = "sid", .in_type = ETL_IN_SID, .out_type = ETL_OUT_STRING},
        {.name = "ip", .in_type = ETL_IN_BINARY, .out_type = ETL_OUT_IPV6},
        {.name = "len", .in_type = ETL_IN_UINT32},
        {.name = "sock",
         .in_type = ETL_IN_BINARY,
         .out_type = ETL_OUT_SOCKETADDRESS,
         .flags = ETL_PROPERTY_PARAM_LENGTH,
         .length = 2},
        {.name = "time", .in_type = ETL_IN_SYSTEMTIME, .out_type = ETL_OUT_DATETIME_UTC},
        {.name = "ansi", .in_type = ETL_IN_ANSISTRING}};
    static const char bytes[] = "\1\1\0\0\0\0\0\5\x12\0\0\0"
                                "\xFE\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1"
                                "\x8\0\0\0"
                                "\2\0\0\x50\x7F\0\0\1"
                                "\xEA\7\7\0\3\0\1\0\xC\0\x22\0\x38\0\7\0"
                                "caf\xE9";
    fixture f;
    COMPILE(&f, p, 6);
    cr_assert_eq(slice(&f, bytes, sizeof bytes, 8), ETL_FIT_EXACT);
    expect_text(&f, 0, 8, "S-1-5-18");
    expect_text(&f, 1, 8, "fe80::1");
    expect_text(&f, 3, 8, "127.0.0.1:80");
    expect_text(&f, 4, 8, "2026-07-01T12:34:56.0070000Z");
    expect_text(&f, 5, 8, "caf\xC3\xA9");
    for (size_t i = 0; i < 6; i++)
        cr_expect_eq(f.layout->fields[i].type, i == 2 ? ETL_FIELD_INT : ETL_FIELD_TEXT);
    release(&f);
}

Test(value, json_elements)
{
    static const struct {
        uint16_t in_type, out_type, length;
        const char *bytes;
        size_t size;
        const char *json;
    } rows[] = {
        {ETL_IN_UINT64, 0, 0, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8, "[18446744073709551615]"},
        {ETL_IN_INT64, 0, 0, "\0\0\0\0\0\0\0\x80", 8, "[-9223372036854775808]"},
        {ETL_IN_FLOAT, 0, 0, "\0\0\xC0\x3F\0\0\xC0\x7F\0\0\x80\xFF", 12, "[1.5,null,null]"},
        {ETL_IN_UINT32, ETL_OUT_IPV4, 0, "\x7F\0\0\1", 4, "[\"127.0.0.1\"]"},
        {ETL_IN_UINT16, ETL_OUT_PORT, 0, "\x01\xBB", 2, "[443]"},
        {ETL_IN_GUID, ETL_OUT_GUID, 0, "\1\2\3\4\5\6\7\x8\x9\xA\xB\xC\xD\xE\xF\x10", 16,
         "[\"04030201-0605-0807-090a-0b0c0d0e0f10\"]"},
        {ETL_IN_SID, ETL_OUT_STRING, 0, "\1\0\0\0\0\0\0\1\1\1\0\0\0\0\0\5\x12\0\0\0", 20,
         "[\"S-1-1\",\"S-1-5-18\"]"},
        {ETL_IN_ANSISTRING, 0, 0, "a\"\0\n\0c", 6, "[\"a\\\"\",\"\\n\",\"c\"]"},
        {ETL_IN_ANSISTRING, 0, 3, "ab\0cde", 6, "[\"ab\",\"cde\"]"},
        {ETL_IN_COUNTEDSTRING16, 0, 0, "\2\0a\0\0\0", 6, "[\"a\",\"\"]"},
        {ETL_IN_COUNTEDBINARY16, 0, 0, "\2\0\xAB\1", 4, "[\"AB01\"]"},
    };
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        etl_property p[] = {{.name = "x",
                             .in_type = rows[i].in_type,
                             .out_type = rows[i].out_type,
                             .length = rows[i].length,
                             .flags = ETL_PROPERTY_REST}};
        fixture f;
        COMPILE(&f, p, 1);
        cr_expect_eq(slice(&f, rows[i].bytes, rows[i].size, 8), ETL_FIT_EXACT, "row %zu", i);
        cr_expect_eq(f.layout->fields[0].type, ETL_FIELD_JSON);
        expect_text(&f, 0, 8, rows[i].json);
        release(&f);
    }
}

/* Arrays in arrays; the inner count is a member of the outer element. */
Test(value, nested_structs)
{
    etl_property p[] = {
        {.name = "Rows",
         .flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_PAYLOAD_COUNT,
         .struct_start = 1,
         .struct_members = 2},
        {.name = "N", .in_type = ETL_IN_UINT8},
        {.name = "Sub",
         .flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT,
         .struct_start = 3,
         .struct_members = 2,
         .count = 1},
        {.name = "S", .in_type = ETL_IN_ANSISTRING},
        {.name = "B", .in_type = ETL_IN_BINARY, .flags = ETL_PROPERTY_PARAM_LENGTH, .length = 1}};
    static const char bytes[] = "\2\0"
                                "\1x\0\xAA"
                                "\2y\0\1\2z\0\3\4";
    fixture f;
    COMPILE(&f, p, 1);
    cr_assert_eq(slice(&f, bytes, sizeof bytes - 1, 8), ETL_FIT_EXACT);
    expect_text(&f, 0, 8,
                "[{\"N\":1,\"Sub\":[{\"S\":\"x\",\"B\":\"AA\"}]},"
                "{\"N\":2,\"Sub\":[{\"S\":\"y\",\"B\":\"0102\"},{\"S\":\"z\",\"B\":\"0304\"}]}]");
    release(&f);
}

/* A slice does not carry values of fields outside; text has to find them again. */
Test(value, lengths_outside_of_elements)
{
    etl_property p[] = {
        {.name = "L", .in_type = ETL_IN_UINT8},
        {.name = "Rows",
         .flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_FIXED_COUNT,
         .struct_start = 2,
         .struct_members = 2,
         .count = 2},
        {.name = "S", .in_type = ETL_IN_ANSISTRING},
        {.name = "B", .in_type = ETL_IN_BINARY, .flags = ETL_PROPERTY_PARAM_LENGTH, .length = 0}};
    fixture f;
    COMPILE(&f, p, 2);
    cr_assert_eq(slice(&f, "\2x\0\1\2yy\0\3\4", 10, 8), ETL_FIT_EXACT);
    expect_text(&f, 1, 8, "[{\"S\":\"x\",\"B\":\"0102\"},{\"S\":\"yy\",\"B\":\"0304\"}]");
    release(&f);
}

Test(value, json_is_bounded)
{
    static char name[1024];
    memset(name, 'n', sizeof name - 1);
    etl_property p[] = {{.name = "Rows",
                         .flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_REST,
                         .struct_start = 1,
                         .struct_members = 1},
                        {.name = name, .in_type = ETL_IN_UINT8}};
    fixture f;
    COMPILE(&f, p, 1);
    static uint8_t bytes[0xFFFF];
    cr_assert_eq(slice(&f, bytes, sizeof bytes, 8), ETL_FIT_EXACT);
    etl_str text = {0};
    etl_field_text(&f.layout->fields[0], &f.slices[0], 8, &text);
    cr_expect_lt(text.size, (size_t)17 << 20);
    cr_expect_eq(text.data[text.size - 1], ']');
    etl_str_free(&text);
    release(&f);
}
