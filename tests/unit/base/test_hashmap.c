#include <criterion/criterion.h>

#include <stdio.h>

#include "base/base.h"

Test(hashmap, finds_what_was_put)
{
    enum { COUNT = 20000 };
    static int values[COUNT];
    etl_hashmap map = {0};
    char key[16];
    cr_assert_null(etl_hashmap_get(&map, "x", 1));
    for (int i = 0; i < COUNT; i++) {
        int size = snprintf(key, sizeof key, "key%d", i);
        cr_assert_eq(etl_hashmap_put(&map, key, (size_t)size, &values[i]), ETL_OK);
    }
    cr_assert_eq(map.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        int size = snprintf(key, sizeof key, "key%d", i);
        cr_assert_eq(etl_hashmap_get(&map, key, (size_t)size), &values[i]);
        cr_assert_eq(etl_hashmap_get_hashed(&map, etl_hash(key, (size_t)size), key, (size_t)size),
                     &values[i]);
    }
    cr_assert_null(etl_hashmap_get(&map, "key", 3), "a prefix is another key");
    etl_hashmap_free(&map);
    cr_assert_eq(map.count, 0);
}

Test(hashmap, put_replaces)
{
    int a, b;
    etl_hashmap map = {0};
    etl_hashmap_put(&map, "k", 1, &a);
    etl_hashmap_put(&map, "k", 1, &b);
    cr_assert_eq(etl_hashmap_get(&map, "k", 1), &b);
    cr_assert_eq(map.count, 1);
    etl_hashmap_free(&map);
}

Test(hashmap, keys_are_copied_and_may_be_empty)
{
    int a, b;
    char key[] = "abc";
    etl_hashmap map = {0};
    etl_hashmap_put(&map, key, 3, &a);
    etl_hashmap_put(&map, NULL, 0, &b);
    key[0] = 'x';
    cr_assert_eq(etl_hashmap_get(&map, "abc", 3), &a);
    cr_assert_null(etl_hashmap_get(&map, key, 3));
    cr_assert_eq(etl_hashmap_get(&map, NULL, 0), &b);
    etl_hashmap_free(&map);
}

Test(hashmap, next_visits_each_entry_once)
{
    static int values[300];
    etl_hashmap map = {0};
    size_t position = 0, count = 0;
    const etl_map_slot *slot;
    cr_assert_not(etl_hashmap_next(&map, &position, &slot));
    for (uint32_t i = 0; i < 300; i++)
        etl_hashmap_put(&map, &i, sizeof i, &values[i]);
    while (etl_hashmap_next(&map, &position, &slot)) {
        ++*(int *)slot->value;
        count++;
    }
    cr_assert_eq(count, 300);
    for (int i = 0; i < 300; i++)
        cr_assert_eq(values[i], 1);
    etl_hashmap_free(&map);
}
