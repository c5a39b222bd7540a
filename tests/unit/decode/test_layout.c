/* Where fields lie: sizing rules of etl-format 6.5. */
#include "decode_test.h"

Test(layout, fixed_run_and_pointer_size)
{
    etl_property p[] = {{.name = "Key", .in_type = ETL_IN_POINTER, .out_type = ETL_OUT_HEXINT64},
                        {.name = "Pid", .in_type = ETL_IN_UINT32},
                        {.name = "Extra", .in_type = ETL_IN_UINT32, .flags = ETL_PROPERTY_ONLY64},
                        {.name = "Last", .in_type = ETL_IN_INT16}};
    uint8_t bytes[18] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 7, 0, 0, 0, 0xFE, 0xFF};
    fixture f;
    COMPILE(&f, p, 4);
    cr_expect_eq(slice(&f, bytes, 18, 8), ETL_FIT_EXACT);
    cr_expect_eq(int_of(&f, 0), 0x0807060504030201);
    cr_expect_eq(int_of(&f, 1), 9);
    cr_expect_eq(int_of(&f, 2), 7);
    cr_expect_eq(int_of(&f, 3), -2);
    cr_expect_eq(slice(&f, bytes, 10, 4), ETL_FIT_EXACT);
    cr_expect_eq(f.slices[0].size, 4);
    cr_expect_null(f.slices[2].data);
    cr_expect_eq(int_of(&f, 1), 0x08070605);
    cr_expect_eq(slice(&f, bytes, 12, 4), ETL_FIT_TRAILING);
    /* What is whole before the end stays; the rest is absent. */
    cr_expect_eq(slice(&f, bytes, 15, 8), ETL_FIT_SHORT);
    cr_expect_eq(int_of(&f, 1), 9);
    cr_expect_null(f.slices[2].data);
    cr_expect_null(f.slices[3].data);
    cr_expect_eq(slice(&f, bytes, 0, 8), ETL_FIT_SHORT);
    cr_expect_eq(f.layout->fields[0].width, 0);
    cr_expect_eq(f.layout->fields[3].width, 2);
    release(&f);
}

Test(layout, strings)
{
    etl_property p[] = {{.name = "W", .in_type = ETL_IN_UNICODESTRING, .out_type = ETL_OUT_STRING},
                        {.name = "A", .in_type = ETL_IN_ANSISTRING, .out_type = ETL_OUT_STRING},
                        {.name = "V", .in_type = ETL_IN_UNICODESTRING}};
    fixture f;
    COMPILE(&f, p, 3);
    /* Longer than a vector, then a byte string, then the same without its NUL. */
    static const char bytes[] = "a\0b\0c\0d\0e\0f\0g\0h\0i\0\0\0xyz\0Q\0R";
    cr_expect_eq(slice(&f, bytes, 27, 8), ETL_FIT_EXACT);
    expect_text(&f, 0, 8, "abcdefghi");
    expect_text(&f, 1, 8, "xyz");
    expect_text(&f, 2, 8, "Q"); /* an odd last byte is swallowed */
    cr_expect_eq(slice(&f, bytes, 20, 8), ETL_FIT_EXACT);
    cr_expect_eq(f.slices[1].size, 0);
    cr_expect_not_null(f.slices[1].data, "a missing string is empty, not absent");
    cr_expect_not_null(f.slices[2].data);
    cr_expect_eq(etl_layout_slice(f.layout, NULL, 0, 8, f.slices), ETL_FIT_EXACT);
    cr_expect_not_null(f.slices[0].data);
    release(&f);
}

Test(layout, sized_strings)
{
    etl_property p[] = {
        {.name = "N", .in_type = ETL_IN_UINT16},
        {.name = "Fixed", .in_type = ETL_IN_UNICODESTRING, .length = 4},
        {.name = "Param",
         .in_type = ETL_IN_UNICODESTRING,
         .flags = ETL_PROPERTY_PARAM_LENGTH,
         .length = 0},
        {.name = "Ansi", .in_type = ETL_IN_ANSISTRING, .length = 3},
        {.name = "Blob", .in_type = ETL_IN_BINARY, .flags = ETL_PROPERTY_PARAM_LENGTH},
        {.name = "Char", .in_type = ETL_IN_UINT16, .out_type = ETL_OUT_STRING},
        {.name = "Chars",
         .in_type = ETL_IN_UNICODECHAR,
         .flags = ETL_PROPERTY_FIXED_COUNT,
         .count = 3},
    };
    static const char bytes[] = "\2\0"
                                "a\0\0\0x\0x\0"
                                "b\0c\0"
                                "d\0x"
                                "\1\2"
                                "e\0"
                                "f\0\0\0x";
    fixture f;
    COMPILE(&f, p, 7);
    cr_expect_eq(slice(&f, bytes, sizeof bytes, 8), ETL_FIT_EXACT);
    expect_text(&f, 1, 8, "a");
    expect_text(&f, 2, 8, "bc");
    expect_text(&f, 3, 8, "d");
    cr_expect_eq(f.slices[4].size, 2);
    expect_text(&f, 5, 8, "e");
    expect_text(&f, 6, 8, "f");
    cr_expect_eq(f.layout->fields[6].type, ETL_FIELD_TEXT);
    cr_expect_eq(slice(&f,
                       "\xFF\xFF"
                       "a\0\0\0x\0x\0b",
                       11, 8),
                 ETL_FIT_SHORT);
    cr_expect_not_null(f.slices[1].data);
    cr_expect_null(f.slices[2].data);
    release(&f);
}

Test(layout, counted)
{
    static const struct {
        uint16_t in_type;
        const char *bytes;
        size_t size;
        etl_fit fit;
        uint32_t shown;
    } rows[] = {
        {ETL_IN_COUNTEDSTRING16, "\4\0a\0b\0", 6, ETL_FIT_EXACT, 4},
        {ETL_IN_COUNTEDSTRING16, "\6\0a\0b\0\0\0", 8, ETL_FIT_EXACT, 4}, /* counted its NUL */
        {ETL_IN_COUNTEDSTRING16, "\xFF\0a\0b\0", 6, ETL_FIT_EXACT, 4},   /* clamps */
        {ETL_IN_COUNTEDANSI16, "\1\0ab", 4, ETL_FIT_TRAILING, 1},
        {ETL_IN_COUNTEDBINARY16, "\2\0\0\0", 4, ETL_FIT_EXACT, 2},
        {ETL_IN_COUNTEDSTRING, "\2\0a\0", 4, ETL_FIT_EXACT, 2},
        {ETL_IN_COUNTEDANSISTRING, "\2", 1, ETL_FIT_SHORT, 0},
        {ETL_IN_REVERSEDCOUNTEDSTRING, "\0\2a\0", 4, ETL_FIT_EXACT, 2},
        {ETL_IN_REVERSEDCOUNTEDANSISTRING, "\0\3ab", 4, ETL_FIT_SHORT, 0},
        {ETL_IN_NONNULLTERMINATEDSTRING, "a\0b\0", 4, ETL_FIT_EXACT, 4},
        {ETL_IN_NONNULLTERMINATEDANSISTRING, "abc", 3, ETL_FIT_EXACT, 3},
        {ETL_IN_HEXDUMP, "\2\0\0\0\1\2", 6, ETL_FIT_EXACT, 2},
        {ETL_IN_HEXDUMP, "\xFF\xFF\xFF\xFF\1\2", 6, ETL_FIT_SHORT, 0},
        {ETL_IN_SID, "\1\1\0\0\0\0\0\5\x12\0\0\0", 12, ETL_FIT_EXACT, 12},
        {ETL_IN_SID, "\1\2\0\0\0\0\0\5\x12\0\0\0", 12, ETL_FIT_SHORT, 0},
        {ETL_IN_BINARY, "", 0, ETL_FIT_EXACT, 0},
    };
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        etl_property p[] = {{.name = "X", .in_type = rows[i].in_type}};
        fixture f;
        COMPILE(&f, p, 1);
        cr_expect_eq(slice(&f, rows[i].bytes, rows[i].size, 8), rows[i].fit, "row %zu: %d", i,
                     f.fit);
        cr_expect_eq(f.slices[0].size, rows[i].shown, "row %zu", i);
        release(&f);
    }
}

/* sidU of etl-format 5.2, and the zeroed TOKEN_USER of sawbuck's traces. */
Test(layout, wbemsid)
{
    etl_property p[] = {{.name = "User", .in_type = ETL_IN_WBEMSID, .out_type = ETL_OUT_STRING},
                        {.name = "Image", .in_type = ETL_IN_ANSISTRING}};
    static const char none[] = "\0\0\0\0cmd.exe";
    static const char user32[] = "\1\2\3\4\0\0\0\0\1\1\0\0\0\0\0\5\x12\0\0\0smss.exe";
    static const char zero32[] = "\0\0\0\0\0\0\0\0\1\1\0\0\0\0\0\5\x12\0\0\0smss.exe";
    static const char zero64[] =
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\1\0\0\0\0\0\5\x12\0\0\0smss.exe";
    static const char looks[] = "\0\0\0\0\0\0\0\0\1\x7F\0\0\0\0\0\5";
    fixture f;
    COMPILE(&f, p, 2);
    cr_expect_eq(slice(&f, none, sizeof none, 8), ETL_FIT_EXACT);
    cr_expect_null(f.slices[0].data);
    expect_text(&f, 1, 8, "cmd.exe");
    cr_expect_eq(slice(&f, user32, sizeof user32, 4), ETL_FIT_EXACT);
    expect_text(&f, 0, 4, "S-1-5-18");
    cr_expect_eq(slice(&f, zero32, sizeof zero32, 4), ETL_FIT_EXACT);
    expect_text(&f, 0, 4, "S-1-5-18");
    expect_text(&f, 1, 4, "smss.exe");
    cr_expect_eq(slice(&f, zero64, sizeof zero64, 8), ETL_FIT_EXACT);
    expect_text(&f, 0, 8, "S-1-5-18");
    cr_expect_eq(slice(&f, looks, sizeof looks, 4), ETL_FIT_TRAILING);
    cr_expect_null(f.slices[0].data, "no SID has 127 sub authorities");
    cr_expect_eq(slice(&f, none, 3, 8), ETL_FIT_SHORT);
    release(&f);
}

Test(layout, arrays)
{
    etl_property p[] = {
        {.name = "Count", .in_type = ETL_IN_UINT8},
        {.name = "Ids", .in_type = ETL_IN_UINT32, .flags = ETL_PROPERTY_PARAM_COUNT, .count = 0},
        {.name = "Two", .in_type = ETL_IN_UINT8, .flags = ETL_PROPERTY_FIXED_COUNT, .count = 2},
        {.name = "Own", .in_type = ETL_IN_INT16, .flags = ETL_PROPERTY_PAYLOAD_COUNT},
        {.name = "Blob", .in_type = ETL_IN_BINARY, .flags = ETL_PROPERTY_PAYLOAD_LENGTH},
        {.name = "Names",
         .in_type = ETL_IN_UNICODESTRING,
         .flags = ETL_PROPERTY_PARAM_COUNT,
         .count = 0},
        {.name = "Stack", .in_type = ETL_IN_POINTER, .flags = ETL_PROPERTY_REST}};
    static const char bytes[] = "\2"
                                "\1\0\0\0\2\0\0\0"
                                "\7\x8"
                                "\1\0\xFF\xFF"
                                "\3\0\1\2\3"
                                "a\0\0\0\0\0"
                                "\1\0\0\0\2\0\0\0";
    fixture f;
    COMPILE(&f, p, 7);
    cr_expect_eq(slice(&f, bytes, sizeof bytes - 1, 4), ETL_FIT_EXACT);
    expect_text(&f, 1, 4, "[1,2]");
    expect_text(&f, 2, 4, "[7,8]");
    expect_text(&f, 3, 4, "[-1]");
    cr_expect_eq(f.slices[4].size, 3);
    expect_text(&f, 5, 4, "[\"a\",\"\"]");
    expect_text(&f, 6, 4, "[1,2]");
    cr_expect_eq(slice(&f, bytes, sizeof bytes - 1, 8), ETL_FIT_EXACT);
    cr_expect_eq(f.slices[6].count, 1);
    cr_expect_eq(slice(&f, bytes, sizeof bytes - 2, 4), ETL_FIT_TRAILING);
    cr_expect_eq(slice(&f, "\xFF\1\0\0\0", 5, 4), ETL_FIT_SHORT);
    release(&f);
}

Test(layout, structs)
{
    etl_property p[] = {
        {.name = "Head", .flags = ETL_PROPERTY_STRUCT, .struct_start = 3, .struct_members = 2},
        {.name = "Rows",
         .flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT,
         .struct_start = 5,
         .struct_members = 3,
         .count = 4},
        {.name = "End", .in_type = ETL_IN_UINT8},
        {.name = "A", .in_type = ETL_IN_UINT8},
        {.name = "Count", .in_type = ETL_IN_UINT8},
        {.name = "Size", .in_type = ETL_IN_UINT8},
        {.name = "Text",
         .in_type = ETL_IN_ANSISTRING,
         .flags = ETL_PROPERTY_PARAM_LENGTH,
         .length = 5},
        {.name = "In", .flags = ETL_PROPERTY_STRUCT, .struct_start = 8, .struct_members = 1},
        {.name = "B", .in_type = ETL_IN_UINT8}};
    static const char bytes[] = "\x9\2"
                                "\1x\5"
                                "\3yyy\6"
                                "\x7";
    fixture f;
    COMPILE(&f, p, 3);
    cr_assert_eq(f.layout->field_count, 4);
    cr_expect_str_eq(f.layout->fields[0].name, "Head_A");
    cr_expect_str_eq(f.layout->fields[1].name, "Head_Count");
    cr_expect_eq(slice(&f, bytes, sizeof bytes - 1, 4), ETL_FIT_EXACT);
    cr_expect_eq(f.slices[2].count, 2);
    expect_text(
        &f, 2, 4,
        "[{\"Size\":1,\"Text\":\"x\",\"In_B\":5},{\"Size\":3,\"Text\":\"yyy\",\"In_B\":6}]");
    cr_expect_eq(int_of(&f, 3), 7);
    cr_expect_eq(slice(&f, bytes, 9, 4), ETL_FIT_SHORT);
    cr_expect_null(f.slices[2].data);
    /* No elements: nothing is stored. */
    cr_expect_eq(slice(&f, "\x9\0\7", 3, 4), ETL_FIT_EXACT);
    expect_text(&f, 2, 4, "[]");
    cr_expect_eq(int_of(&f, 3), 7);
    release(&f);
}

Test(layout, optional_rest_opaque)
{
    etl_property p[] = {
        {.name = "A", .in_type = ETL_IN_UINT32},
        {.name = "Name", .in_type = ETL_IN_UNICODESTRING, .flags = ETL_PROPERTY_OPTIONAL},
        {.name = "Pad",
         .in_type = ETL_IN_BINARY,
         .length = 7,
         .flags = ETL_PROPERTY_OPTIONAL | ETL_PROPERTY_REST}};
    fixture f;
    COMPILE(&f, p, 3);
    cr_expect_eq(slice(&f, "\1\0\0\0", 4, 4), ETL_FIT_EXACT);
    cr_expect_null(f.slices[1].data, "an optional field is absent, not empty");
    cr_expect_null(f.slices[2].data);
    cr_expect_eq(slice(&f, "\1\0\0\0\0\0\1\2\3\4\5\6\7", 13, 4), ETL_FIT_EXACT);
    cr_expect_eq(f.slices[2].size, 7);
    cr_expect_eq(slice(&f, "\1\0\0\0\0\0\1\2\3\4\5\6\7\x8", 14, 4), ETL_FIT_TRAILING,
                 "eight bytes are no padding");
    release(&f);

    etl_property o[] = {{.name = "A", .in_type = ETL_IN_UINT32},
                        {.name = "Raw", .flags = ETL_PROPERTY_OPAQUE},
                        {.name = "B", .in_type = ETL_IN_UINT32}};
    COMPILE(&f, o, 3);
    cr_expect_eq(slice(&f, "\1\0\0\0\1\2\3\4", 8, 4), ETL_FIT_OPAQUE);
    cr_expect_eq(int_of(&f, 0), 1);
    cr_expect_null(f.slices[1].data);
    cr_expect_null(f.slices[2].data);
    release(&f);
}

Test(layout, status_names)
{
    cr_expect_str_eq(etl_event_status_name(ETL_STATUS_EXACT), "exact");
    cr_expect_str_eq(etl_event_status_name(ETL_STATUS_LOWER_VERSION), "lower version");
    cr_expect_str_eq(etl_event_status_name(ETL_STATUS_NO_SCHEMA), "no schema");
    cr_expect_str_eq(etl_event_status_name(ETL_STATUS_COUNT), "unknown");
    cr_expect_str_eq(etl_event_status_name(-1), "unknown");
}
