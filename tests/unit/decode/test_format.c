/* Text of stored values: etl-format 6.7. */
#include "decode_test.h"

static void expect_int(int64_t value, uint16_t in_type, uint16_t out_type, const char *expected)
{
    etl_str s = {0};
    etl_format_int(value, in_type, out_type, &s);
    cr_expect_str_eq(s.data ? s.data : "", expected, "%s != %s", s.data ? s.data : "", expected);
    etl_str_free(&s);
}

Test(format, integers)
{
    expect_int(-1, ETL_IN_INT32, ETL_OUT_INT, "-1");
    expect_int(0xFFFFFFFF, ETL_IN_UINT32, ETL_OUT_UNSIGNEDINT, "4294967295");
    expect_int(-1, ETL_IN_UINT64, ETL_OUT_UNSIGNEDLONG, "18446744073709551615");
    expect_int(-1, ETL_IN_INT16, ETL_OUT_HEXINT16, "0xFFFF");
    expect_int(0xab, ETL_IN_HEXINT32, ETL_OUT_HEXINT32, "0xAB");
    expect_int(0xab, ETL_IN_HEXINT32, ETL_OUT_NULL, "0xAB");
    expect_int(-1, ETL_IN_POINTER, ETL_OUT_HEXINT64, "0xFFFFFFFFFFFFFFFF");
    expect_int(10, ETL_IN_POINTER, ETL_OUT_UNSIGNEDLONG, "10");
    expect_int(2, ETL_IN_UINT8, ETL_OUT_BOOLEAN, "true");
    expect_int(0, ETL_IN_BOOLEAN, ETL_OUT_BOOLEAN, "false");
    expect_int(-1073741819, ETL_IN_INT32, ETL_OUT_NTSTATUS, "0xC0000005");
    expect_int(5, ETL_IN_UINT32, ETL_OUT_HRESULT, "0x00000005");
    expect_int(5, ETL_IN_UINT32, ETL_OUT_WIN32ERROR, "5");
    expect_int(0x0100007F, ETL_IN_UINT32, ETL_OUT_IPV4, "127.0.0.1");
    expect_int(443, ETL_IN_UINT16, ETL_OUT_PORT, "443");
    expect_int(0xE4, ETL_IN_UINT16, ETL_OUT_STRING, "\xC3\xA4");
    cr_expect(etl_out_type_is_hex(ETL_IN_POINTER, ETL_OUT_HEXINT64));
    cr_expect(etl_out_type_is_hex(ETL_IN_UINT64, ETL_OUT_CODE_POINTER));
    cr_expect_not(etl_out_type_is_hex(ETL_IN_UINT32, ETL_OUT_PID));
}

Test(format, filetime)
{
    expect_int(ETL_TIME_UNIX_EPOCH + 1234567, ETL_IN_FILETIME, ETL_OUT_DATETIME,
               "1970-01-01T00:00:00.1234567Z");
    expect_int(0, ETL_IN_FILETIME, ETL_OUT_DATETIME, "0");
    expect_int(-1, ETL_IN_FILETIME, ETL_OUT_DATETIME_UTC, "18446744073709551615");
    expect_int(INT64_MAX, ETL_IN_FILETIME, ETL_OUT_DATETIME, "9223372036854775807");
    expect_int(7, ETL_IN_UINT32, ETL_OUT_DATETIME, "7");
}

Test(format, maps)
{
    static const etl_map_entry entries[] = {
        {0, "NONE"}, {1, "READ"}, {2, "WRITE"}, {3, "BOTH"}, {8, "EXECUTE"}};
    etl_map value_map = {.kind = ETL_MAP_VALUE, .entry_count = 5, .entries = entries};
    etl_map bit_map = {.kind = ETL_MAP_BITS, .entry_count = 5, .entries = entries};
    static const struct {
        bool bits;
        uint64_t value;
        const char *text; /* NULL: has none */
    } rows[] = {{false, 2, "WRITE"},
                {false, 9, NULL},
                {true, 0, "NONE"},
                {true, 3, "BOTH"},
                {true, 11, "READ|WRITE|EXECUTE"},
                {true, 0x18, "EXECUTE|0x10"},
                {true, 0xA0, NULL}};
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        etl_str s = {0};
        bool found = etl_format_map(rows[i].bits ? &bit_map : &value_map, rows[i].value, &s);
        cr_expect_eq(found, rows[i].text != NULL, "row %zu", i);
        if (rows[i].text && s.data)
            cr_expect_str_eq(s.data, rows[i].text);
        etl_str_free(&s);
    }
}

static void expect_double(double value, bool single, const char *expected)
{
    etl_str s = {0};
    etl_format_double(value, single, &s);
    cr_expect_str_eq(s.data, expected, "%s != %s", s.data, expected);
    etl_str_free(&s);
}

Test(format, doubles)
{
    expect_double(0.1, false, "0.1");
    expect_double((double)0.1f, true, "0.1");
    expect_double(1.0 / 3, false, "0.3333333333333333");
    expect_double((double)(1.0f / 3), true, "0.33333334");
    expect_double(1e300, false, "1e+300");
    expect_double(-0.0, false, "-0");
    expect_double(__builtin_nan(""), false, "NaN");
    expect_double(-__builtin_inf(), true, "-Infinity");
}

Test(format, sids)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *text;
    } rows[] = {{"\1\1\0\0\0\0\0\5\x12\0\0\0", 12, "S-1-5-18"},
                {"\1\2\0\0\0\0\0\5\x20\0\0\0\x20\2\0\0", 16, "S-1-5-32-544"},
                {"\1\0\0\0\0\0\0\1", 8, "S-1-1"},
                {"\1\1\1\2\3\4\5\6\xFF\xFF\xFF\xFF", 12, "S-1-0x010203040506-4294967295"},
                {"\1\1\0\0\0\0\0\5\x12\0\0\0\0", 13, NULL},
                {"\2\1\0\0\0\0\0\5\x12\0\0\0", 12, NULL},
                {"\1\x10", 2, NULL}};
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        etl_str s = {0};
        bool ok = etl_format_sid((const uint8_t *)rows[i].bytes, rows[i].size, &s);
        cr_expect_eq(ok, rows[i].text != NULL, "row %zu", i);
        cr_expect_str_eq(s.data ? s.data : "", rows[i].text ? rows[i].text : "");
        etl_str_free(&s);
    }
}

Test(format, ipv6)
{
    static const struct {
        uint16_t groups[8];
        const char *text;
    } rows[] = {{{0}, "::"},
                {{0, 0, 0, 0, 0, 0, 0, 1}, "::1"},
                {{0x2001, 0xdb8, 0, 0, 1, 0, 0, 1}, "2001:db8::1:0:0:1"},
                {{0x2001, 0xdb8, 0, 1, 1, 1, 1, 1}, "2001:db8:0:1:1:1:1:1"},
                {{0xfe80, 0, 0, 0, 0, 0, 0, 0}, "fe80::"},
                {{1, 2, 3, 4, 5, 6, 7, 8}, "1:2:3:4:5:6:7:8"},
                {{0, 0, 0, 0, 0, 0xffff, 0x7f00, 1}, "::ffff:127.0.0.1"},
                {{0, 0, 0, 0, 0xffff, 0, 0x7f00, 1}, "::ffff:0:127.0.0.1"},
                {{0, 0, 0, 0, 0, 0, 0x7f00, 1}, "::127.0.0.1"}};
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        uint8_t bytes[16];
        for (size_t k = 0; k < 8; k++) {
            bytes[2 * k] = (uint8_t)(rows[i].groups[k] >> 8);
            bytes[2 * k + 1] = (uint8_t)rows[i].groups[k];
        }
        etl_str s = {0};
        etl_format_ipv6(bytes, &s);
        cr_expect_str_eq(s.data, rows[i].text, "%s != %s", s.data, rows[i].text);
        etl_str_free(&s);
    }
}

Test(format, socket_addresses)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *text;
    } rows[] = {
        {"\2\0\x01\xBB\x0A\0\0\1\0\0\0\0\0\0\0\0", 16, "10.0.0.1:443"},
        {"\2\0\0\0\x0A\0\0\1", 8, "10.0.0.1"},
        {"\x17\0\0\x35\0\0\0\0\xFE\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1\4\0\0\0", 28, "[fe80::1%4]:53"},
        {"\x17\0\0\0\0\0\0\0\xFE\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0", 28, "fe80::1"},
        {"\x21\0\0\x1A\2\3\4\5", 8, "00-1A-02-03-04-05"},
        {"\2\0\0\0\x0A", 5, NULL},
        {"\x63\0\0\0\0\0\0\0", 8, NULL},
        {"", 0, NULL}};
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        etl_str s = {0};
        bool ok = etl_format_sockaddr((const uint8_t *)rows[i].bytes, rows[i].size, &s);
        cr_expect_eq(ok, rows[i].text != NULL, "row %zu", i);
        cr_expect_str_eq(s.data ? s.data : "", rows[i].text ? rows[i].text : "");
        etl_str_free(&s);
    }
}

Test(format, systemtime_and_hex)
{
    static const uint8_t time[16] = {0xEA, 7, 7, 0, 3, 0, 1, 0, 12, 0, 34, 0, 56, 0, 7, 0};
    static const uint8_t zero[16] = {0};
    etl_str s = {0};
    etl_format_systemtime(time, false, &s);
    cr_expect_str_eq(s.data, "2026-07-01T12:34:56.0070000");
    etl_str_clear(&s);
    etl_format_systemtime(time, true, &s);
    cr_expect_str_eq(s.data, "2026-07-01T12:34:56.0070000Z");
    etl_str_clear(&s);
    etl_format_systemtime(zero, true, &s);
    cr_expect_str_eq(s.data, "00000000000000000000000000000000");
    etl_str_clear(&s);
    etl_format_hex((const uint8_t *)"\x01\xAB\xff", 3, &s);
    cr_expect_str_eq(s.data, "01ABFF");
    etl_str_free(&s);
}
