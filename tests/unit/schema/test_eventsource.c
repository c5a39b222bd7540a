#include <criterion/criterion.h>
#include <stdlib.h>

#include "schema/sources.h"

static const etl_guid provider = {{1}};
static const etl_schema_origin origin = {.source = 3, .offset = 0x100};
static etl_chunk_store store;
static etl_str scratch;
static const char *xml;
static size_t xml_size;

static void tear_down(void)
{
    etl_chunk_store_free(&store);
    etl_str_free(&scratch);
}

TestSuite(eventsource, .fini = tear_down);

static size_t make_chunk(uint8_t out[64], uint16_t total, uint16_t number, const char *text)
{
    /* format 1 (XML), version 1.2, magic, chunks, number */
    const uint8_t head[] = {1,
                            1,
                            2,
                            0x5B,
                            (uint8_t)total,
                            (uint8_t)(total >> 8),
                            (uint8_t)number,
                            (uint8_t)(number >> 8)};
    memcpy(out, head, sizeof head);
    memcpy(out + sizeof head, text, strlen(text));
    return sizeof head + strlen(text);
}

static int add_bytes(uint32_t thread, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    xml = NULL;
    static char joined[64];
    int r = etl_chunk_store_add(&store, &provider, 7, thread, copy, size, origin, &scratch, &xml,
                                &xml_size, NULL);
    if (r == ETL_OK) {
        cr_assert_leq(xml_size, sizeof joined);
        xml = memcpy(joined, xml, xml_size); /* a single chunk is not copied */
    }
    free(copy);
    return r;
}

static int add(uint32_t thread, uint16_t total, uint16_t number, const char *text)
{
    uint8_t bytes[64];
    return add_bytes(thread, bytes, make_chunk(bytes, total, number, text));
}

static void is_text(const char *expected)
{
    cr_assert_eq(xml_size, strlen(expected));
    cr_assert_eq(memcmp(xml, expected, xml_size), 0);
}

Test(eventsource, one_chunk)
{
    cr_assert_eq(add(1, 1, 0, "<a/>"), ETL_OK);
    is_text("<a/>");
    cr_assert_eq(store.streams.count, 0);
}

Test(eventsource, chunks_in_any_order)
{
    static const uint16_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}};
    static const char *const parts[] = {"<abc", " d='e", "'/>"};
    for (size_t i = 0; i < ETL_COUNT_OF(orders); i++) {
        for (size_t k = 0; k < 2; k++)
            cr_assert_eq(add(1, 3, orders[i][k], parts[orders[i][k]]), ETL_END);
        cr_assert_eq(add(1, 3, orders[i][2], parts[orders[i][2]]), ETL_OK);
        is_text("<abc d='e'/>");
    }
    cr_assert_eq(store.bytes, 0);
}

Test(eventsource, threads_do_not_mix)
{
    cr_assert_eq(add(1, 2, 0, "a"), ETL_END);
    cr_assert_eq(add(2, 2, 1, "z"), ETL_END);
    cr_assert_eq(add(2, 2, 0, "y"), ETL_OK);
    is_text("yz");
    cr_assert_eq(add(1, 2, 1, "b"), ETL_OK);
    is_text("ab");
}

Test(eventsource, a_chunk_that_comes_twice)
{
    cr_assert_eq(add(1, 2, 0, "a"), ETL_END);
    cr_assert_eq(add(1, 2, 0, "a"), ETL_END);
    cr_assert_eq(add(1, 2, 0, "c"), ETL_ERR_DAMAGED, "the first is lost");
    cr_assert_eq(add(1, 2, 1, "d"), ETL_OK, "the second is not");
    is_text("cd");
}

Test(eventsource, another_manifest_begins)
{
    cr_assert_eq(add(1, 3, 0, "a"), ETL_END);
    cr_assert_eq(add(1, 2, 0, "c"), ETL_ERR_DAMAGED);
    cr_assert_eq(add(1, 2, 1, "d"), ETL_OK);
    is_text("cd");
}

Test(eventsource, bad_headers)
{
    uint8_t bytes[64];
    size_t size = make_chunk(bytes, 1, 0, "<a/>");
    for (size_t n = 0; n <= 8; n++)
        cr_assert_eq(add_bytes(1, bytes, n), ETL_ERR_DAMAGED);
    for (size_t bit = 0; bit < 64; bit++) {
        make_chunk(bytes, 1, 0, "<a/>");
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        add_bytes(1, bytes, size);
    }
    cr_assert_eq(add(1, 0, 0, "a"), ETL_ERR_DAMAGED);
    cr_assert_eq(add(1, 2, 2, "a"), ETL_ERR_DAMAGED);
}

Test(eventsource, many_open_manifests)
{
    for (uint32_t i = 0; i < ETL_LIMIT_MANIFESTS; i++)
        cr_assert_eq(add(i, 2, 0, "a"), ETL_END);
    cr_assert_eq(add(ETL_LIMIT_MANIFESTS, 2, 0, "a"), ETL_ERR_LIMIT);
    cr_assert_eq(add(5, 2, 1, "b"), ETL_OK);
}

Test(eventsource, a_manifest_without_end)
{
    enum { SIZE = 0xFF00 };
    uint8_t *bytes = malloc(SIZE);
    memset(bytes, ' ', SIZE);
    size_t stored = 0;
    for (uint16_t i = 0;; i++) {
        make_chunk(bytes, 0xFFFF, i, "x");
        int r = etl_chunk_store_add(&store, &provider, 7, 1, bytes, SIZE, origin, &scratch, &xml,
                                    &xml_size, NULL);
        if (r == ETL_ERR_LIMIT)
            break;
        cr_assert_eq(r, ETL_END);
        stored += SIZE - 8;
    }
    cr_assert_leq(stored, (size_t)ETL_LIMIT_MANIFEST_BYTES);
    free(bytes);
}

Test(eventsource, what_stays_incomplete_is_reported)
{
    etl_diag diag = {0};
    add(1, 3, 1, "a");
    add(2, 2, 0, "b");
    add(2, 2, 1, "c");
    etl_chunk_store_finish(&store, &diag);
    cr_assert_eq(diag.row_count, 1);
    cr_assert_eq(diag.rows[0].code, ETL_DIAG_MANIFEST_BAD);
    cr_assert_eq(diag.rows[0].source, 3);
    cr_assert_eq(diag.rows[0].offset, 0x100);
    cr_assert(strstr(diag.rows[0].text, "1 of 3"));
    etl_diag_free(&diag);
}
