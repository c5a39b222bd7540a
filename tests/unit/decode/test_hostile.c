/* Every byte of a payload and every number of a schema is hostile. */
#include "decode_test.h"

static uint64_t state;

static uint32_t next(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (uint32_t)(state >> 11) % below : 0;
}

/* All slices lie inside the payload, behind each other. */
static void check_slices(const etl_layout *layout, const etl_slice *slices, const uint8_t *payload,
                         size_t size, etl_fit fit)
{
    const uint8_t *behind = payload;
    for (size_t i = 0; i < layout->field_count; i++) {
        if (!slices[i].data)
            continue;
        cr_assert(slices[i].data >= behind && slices[i].data <= payload + size);
        cr_assert(slices[i].size <= (size_t)(payload + size - slices[i].data));
        behind = slices[i].data + slices[i].size;
        const etl_field *field = &layout->fields[i];
        if (field->type == ETL_FIELD_GUID)
            cr_assert_eq(slices[i].size, 16);
        if (field->type == ETL_FIELD_INT || field->type == ETL_FIELD_DOUBLE)
            cr_assert(field->width ? slices[i].size == field->width
                                   : slices[i].size == 4 || slices[i].size == 8);
    }
    cr_assert(fit <= ETL_FIT_OPAQUE);
}

static void read_all(const etl_layout *layout, const etl_slice *slices, uint8_t pointer_size,
                     etl_str *text)
{
    for (size_t i = 0; i < layout->field_count; i++) {
        etl_str_clear(text);
        etl_field_text(&layout->fields[i], &slices[i], pointer_size, text);
        (void)etl_field_int(&layout->fields[i], &slices[i]);
        (void)etl_field_double(&layout->fields[i], &slices[i]);
        cr_assert(!text->failed);
    }
}

static void run(const etl_layout *layout, const uint8_t *payload, size_t size, uint8_t pointer_size,
                etl_str *text)
{
    static etl_slice first[ETL_LIMIT_PROPERTIES], second[ETL_LIMIT_PROPERTIES];
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, payload, size);
    memset(first, 0xAA, sizeof *first * layout->field_count);
    memset(second, 0x55, sizeof *second * layout->field_count);
    etl_fit fit = etl_layout_slice(layout, exact, size, pointer_size, first);
    cr_assert_eq(etl_layout_slice(layout, exact, size, pointer_size, second), fit);
    for (size_t i = 0; i < layout->field_count; i++)
        cr_assert(first[i].data == second[i].data && first[i].size == second[i].size &&
                  first[i].count == second[i].count);
    check_slices(layout, first, exact, size, fit);
    read_all(layout, first, pointer_size, text);
    free(exact);
}

static const uint16_t in_types[] = {0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11, 12,
                                    13,  14,  15,  16,  17,  18,  19,  20,  21,  22,  23,  24, 25,
                                    300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 999};

/* What etl_schema_check lets through, and more: references to structs, shared structs. */
static size_t random_schema(etl_property *p, size_t *ret_top)
{
    size_t count = 1 + next(24), top = 1 + next((uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        p[i] = (etl_property){.name = "field"};
        p[i].in_type = in_types[next(ETL_COUNT_OF(in_types))];
        p[i].out_type = (uint16_t)next(39);
        if (next(3) == 0)
            p[i].flags |= (uint16_t)(1u << (1 + next(9)));
        if (next(8) == 0)
            p[i].flags |= (uint16_t)(1u << (1 + next(10)));
        p[i].count = (uint16_t)next(5);
        p[i].length = (uint16_t)next(5);
        if (next(40) == 0)
            p[i].count = p[i].length = 0xFFFF;
        if (p[i].flags & ETL_PROPERTY_PARAM_COUNT)
            p[i].count = (uint16_t)next((uint32_t)count);
        if (p[i].flags & ETL_PROPERTY_PARAM_LENGTH)
            p[i].length = (uint16_t)next((uint32_t)count);
        if (i + 1 < count && next(4) == 0) {
            p[i].flags |= ETL_PROPERTY_STRUCT;
            p[i].struct_start = (uint16_t)(i + 1 + next((uint32_t)(count - i - 1)));
            p[i].struct_members = (uint16_t)next((uint32_t)(count - p[i].struct_start) + 1);
        }
    }
    *ret_top = top;
    return count;
}

Test(hostile, random_schemas_and_payloads)
{
    enum { SCHEMAS = 20000, PAYLOADS = 8 };
    static uint8_t payload[400];
    etl_property p[32];
    etl_str text = {0};
    size_t compiled = 0;
    state = UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = 0; i < SCHEMAS; i++) {
        size_t top, count = random_schema(p, &top);
        etl_event_schema schema = {
            .properties = p, .property_count = (uint16_t)count, .top_level_count = (uint16_t)top};
        etl_arena arena = {0};
        const etl_layout *layout;
        if (etl_layout_compile(&schema, &arena, &layout, NULL) == ETL_OK) {
            compiled++;
            for (size_t k = 0; k < PAYLOADS; k++) {
                size_t size = next(k < 4 ? 60 : sizeof payload);
                uint32_t most = next(2) ? 4 : 256; /* small numbers make plausible counts */
                for (size_t at = 0; at < size; at++)
                    payload[at] = (uint8_t)next(most);
                run(layout, payload, size, next(2) ? 8 : 4, &text);
            }
        }
        etl_arena_free(&arena);
    }
    cr_expect_gt(compiled, SCHEMAS / 2);
    etl_str_free(&text);
}

Test(hostile, truncated_everywhere)
{
    etl_property p[] = {
        {.name = "a", .in_type = ETL_IN_POINTER},
        {.name = "n", .in_type = ETL_IN_UINT32},
        {.name = "g", .in_type = ETL_IN_GUID},
        {.name = "s", .in_type = ETL_IN_UNICODESTRING},
        {.name = "u", .in_type = ETL_IN_WBEMSID},
        {.name = "c", .in_type = ETL_IN_COUNTEDSTRING16},
        {.name = "r",
         .flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT,
         .struct_start = 8,
         .struct_members = 2,
         .count = 1},
        {.name = "z", .in_type = ETL_IN_UINT64},
        {.name = "l", .in_type = ETL_IN_UINT8},
        {.name = "t",
         .in_type = ETL_IN_ANSISTRING,
         .flags = ETL_PROPERTY_PARAM_LENGTH,
         .length = 8},
    };
    static const uint8_t bytes[] = "\1\2\3\4\5\6\7\x8"
                                   "\2\0\0\0"
                                   "0123456789abcdef"
                                   "x\0y\0\0\0"
                                   "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\1\0\0\0\0\0\5\x12\0\0\0"
                                   "\4\0a\0b\0"
                                   "\1q\2rr"
                                   "12345678";
    fixture f;
    etl_str text = {0};
    COMPILE(&f, p, 8);
    size_t size = sizeof bytes - 1;
    cr_expect_eq(slice(&f, bytes, size, 8), ETL_FIT_EXACT);
    for (size_t cut = 0; cut < size; cut++) {
        cr_expect_eq(slice(&f, bytes, cut, 8), ETL_FIT_SHORT, "cut at %zu", cut);
        cr_expect_null(f.slices[7].data);
        run(f.layout, bytes, cut, 8, &text);
        run(f.layout, bytes, cut, 4, &text);
    }
    etl_str_free(&text);
    release(&f);
}

/* Structs whose members cost nothing must not multiply counts that cost nothing. */
Test(hostile, empty_elements, .timeout = 10)
{
    etl_property p[9];
    for (size_t i = 0; i < 8; i++)
        p[i] = (etl_property){.name = "s",
                              .flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_FIXED_COUNT,
                              .struct_start = (uint16_t)(i + 1),
                              .struct_members = 1,
                              .count = 0xFFFF};
    p[8] = (etl_property){.name = "nothing", .in_type = ETL_IN_BINARY};
    static uint8_t bytes[0xFFFF];
    fixture f;
    COMPILE(&f, p, 1);
    cr_expect_eq(slice(&f, bytes, sizeof bytes, 8), ETL_FIT_SHORT);
    release(&f);
}

Test(hostile, schemas_that_do_not_compile)
{
    etl_arena arena = {0};
    const etl_layout *layout;
    etl_error error;
    /* A struct that holds itself, one beyond the end, a reference to nothing. */
    etl_property self = {.name = "s", .flags = ETL_PROPERTY_STRUCT, .struct_members = 1};
    etl_property beyond = {
        .name = "s", .flags = ETL_PROPERTY_STRUCT, .struct_start = 1, .struct_members = 0xFFFF};
    etl_property nothing = {
        .name = "s", .in_type = ETL_IN_BINARY, .flags = ETL_PROPERTY_PARAM_LENGTH, .length = 7};
    etl_property *all[] = {&self, &beyond, &nothing};
    for (size_t i = 0; i < ETL_COUNT_OF(all); i++) {
        etl_event_schema schema = {.properties = all[i], .property_count = 1, .top_level_count = 1};
        cr_expect_eq(etl_layout_compile(&schema, &arena, &layout, &error), ETL_ERR_DAMAGED);
    }
    /* Each level names the next one many times. */
    static etl_property p[ETL_LIMIT_PROPERTIES];
    for (size_t i = 0; i < ETL_LIMIT_PROPERTIES; i++) {
        size_t level = i / 128;
        p[i] = (etl_property){.name = "x", .in_type = ETL_IN_UINT8};
        if (level < 7) {
            p[i].flags = ETL_PROPERTY_STRUCT;
            p[i].struct_start = (uint16_t)((level + 1) * 128);
            p[i].struct_members = 128;
        }
    }
    etl_event_schema schema = {
        .properties = p, .property_count = ETL_LIMIT_PROPERTIES, .top_level_count = 128};
    cr_expect_eq(etl_layout_compile(&schema, &arena, &layout, &error), ETL_ERR_LIMIT);
    etl_arena_free(&arena);
}

/* 0x1FFFE bytes times 0x8001 elements are 0xFFFE bytes in 32 bits. */
Test(hostile, products_do_not_wrap)
{
    etl_property p[] = {{.name = "x",
                         .in_type = ETL_IN_UNICODESTRING,
                         .flags = ETL_PROPERTY_FIXED_LENGTH | ETL_PROPERTY_FIXED_COUNT,
                         .length = 0xFFFF,
                         .count = 0x8001}};
    static uint8_t bytes[0xFFFE];
    fixture f;
    COMPILE(&f, p, 1);
    cr_expect_eq(slice(&f, bytes, sizeof bytes, 8), ETL_FIT_SHORT);
    release(&f);
}
