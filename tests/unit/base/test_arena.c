#include <criterion/criterion.h>

#include "base/base.h"

Test(arena, gives_zeroed_aligned_memory)
{
    etl_arena arena = {0};
    for (size_t size = 0; size < 3000; size += 7) {
        uint8_t *p = etl_arena_alloc(&arena, size);
        cr_assert_not_null(p);
        cr_assert_eq((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++)
            cr_assert_eq(p[i], 0);
        memset(p, 0xAA, size);
    }
    etl_arena_free(&arena);
    cr_assert_null(arena.blocks);
    cr_assert_eq(arena.total, 0);
}

Test(arena, large_allocations_do_not_disturb_small_ones)
{
    etl_arena arena = {0};
    char *small = etl_arena_strdup(&arena, "small");
    uint8_t *large = etl_arena_alloc(&arena, 5 << 20);
    char *other = etl_arena_strdup(&arena, "other");
    memset(large, 0xFF, 5 << 20);
    cr_assert_str_eq(small, "small");
    cr_assert_str_eq(other, "other");
    etl_arena_free(&arena);
}

Test(arena, refuses_sizes_that_overflow)
{
    etl_arena arena = {0};
    cr_assert_null(etl_arena_array(&arena, SIZE_MAX / 2, 3));
    cr_assert_null(etl_arena_alloc(&arena, SIZE_MAX));
    cr_assert_not_null(etl_arena_array(&arena, 3, 5));
    etl_arena_free(&arena);
}

Test(arena, strndup_terminates)
{
    etl_arena arena = {0};
    cr_assert_str_eq(etl_arena_strndup(&arena, "abcdef", 3), "abc");
    cr_assert_str_eq(etl_arena_strndup(&arena, NULL, 0), "");
    etl_arena_free(&arena);
}

Test(arena, utf16_trims_both_ends_on_request)
{
    static const uint8_t text[] = " \0\t\0A\0 \0B\0\r\0\n\0 ";
    etl_arena arena = {0};
    cr_assert_str_eq(etl_arena_utf16(&arena, text, 8, true), "A B");
    cr_assert_str_eq(etl_arena_utf16(&arena, text, 8, false), " \tA B\r\n ");
    cr_assert_str_eq(etl_arena_utf16(&arena, text, 2, true), "");
    cr_assert_str_eq(etl_arena_utf16(&arena, text, 0, true), "");
    etl_arena_free(&arena);
}
