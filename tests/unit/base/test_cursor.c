#include <criterion/criterion.h>

#include "base/base.h"

Test(cursor, reads_little_endian_in_order)
{
    static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    etl_cur c = etl_cur_make(data, sizeof data);
    cr_assert_eq(etl_cur_u8(&c), 1);
    cr_assert_eq(etl_cur_u16(&c), 0x0302);
    cr_assert_eq(etl_cur_u32(&c), 0x07060504);
    cr_assert_eq(etl_cur_u64(&c), UINT64_C(0x0F0E0D0C0B0A0908));
    cr_assert_eq(etl_cur_left(&c), 0);
    cr_assert_not(c.failed);
}

Test(cursor, failure_latches_and_gives_zero)
{
    static const uint8_t data[] = {1, 2, 3};
    etl_cur c = etl_cur_make(data, sizeof data);
    cr_assert_eq(etl_cur_u32(&c), 0);
    cr_assert(c.failed);
    cr_assert_eq(etl_cur_u8(&c), 0, "nothing is read after a failure");
    cr_assert_eq(etl_cur_left(&c), 0);
    cr_assert_null(etl_cur_take(&c, 0));
}

Test(cursor, huge_sizes_do_not_wrap)
{
    static const uint8_t data[4];
    etl_cur c = etl_cur_make(data, sizeof data);
    etl_cur_u8(&c);
    cr_assert_null(etl_cur_take(&c, SIZE_MAX));
    cr_assert(c.failed);
}

Test(cursor, loads_big_endian)
{
    static const uint8_t data[] = {0x12, 0x34};
    cr_assert_eq(etl_load_be16(data), 0x1234);
}

Test(cursor, guid_needs_sixteen_bytes)
{
    static const uint8_t data[16] = {[0] = 1, [15] = 2};
    etl_cur c = etl_cur_make(data, sizeof data);
    etl_guid g = etl_cur_guid(&c);
    cr_assert_arr_eq(g.bytes, data, 16);
    c = etl_cur_make(data, 15);
    g = etl_cur_guid(&c);
    cr_assert(etl_guid_is_zero(&g));
    cr_assert(c.failed);
}

Test(cursor, cstring_ends_at_nul)
{
    static const uint8_t data[] = {'a', 'b', 0, 0, 'c'};
    etl_cur c = etl_cur_make(data, sizeof data);
    size_t length = 99;
    cr_assert_str_eq(etl_cur_cstring(&c, &length), "ab");
    cr_assert_eq(length, 2);
    cr_assert_str_eq(etl_cur_cstring(&c, &length), "");
    cr_assert_eq(length, 0);
    cr_assert_null(etl_cur_cstring(&c, &length), "no NUL before the end");
    cr_assert(c.failed);
}

Test(cursor, wstring_ends_at_a_whole_nul_unit)
{
    /* A zero byte at an odd place is no end; the last byte is half a unit. */
    static const uint8_t data[] = {'a', 0, 0, 1, 0, 0, 'b', 0, 0};
    etl_cur c = etl_cur_make(data, sizeof data);
    size_t units = 99;
    cr_assert_eq(etl_cur_wstring(&c, &units), data);
    cr_assert_eq(units, 2);
    cr_assert_eq(c.position, 6);
    cr_assert_null(etl_cur_wstring(&c, &units));
    cr_assert(c.failed);
}

Test(cursor, empty_input_fails_quietly)
{
    size_t length;
    etl_cur c = etl_cur_make(NULL, 0);
    cr_assert_null(etl_cur_cstring(&c, &length));
    c = etl_cur_make(NULL, 0);
    cr_assert_null(etl_cur_wstring(&c, &length));
    cr_assert(c.failed);
}
