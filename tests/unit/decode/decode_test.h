/* Schemas written as property lists, and layouts of them. */
#ifndef DECODE_TEST_H
#define DECODE_TEST_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "decode/decode.h"

typedef struct fixture {
    etl_event_schema schema;
    etl_arena arena;
    const etl_layout *layout;
    etl_slice slices[64];
    etl_fit fit;
} fixture;

static inline void compile(fixture *f, const etl_property *properties, size_t count,
                           size_t top_level)
{
    etl_error error = {0};
    *f = (fixture){.schema = {.properties = properties,
                              .property_count = (uint16_t)count,
                              .top_level_count = (uint16_t)top_level}};
    int r = etl_layout_compile(&f->schema, &f->arena, &f->layout, &error);
    cr_assert_eq(r, ETL_OK, "%s", error.message);
    cr_assert(f->layout->field_count <= 64);
}

/* Slices a heap copy of exactly `size` bytes, so that the sanitizer sees a byte too far; slices
   then point into another one that lives until the fixture is released. */
static inline etl_fit slice(fixture *f, const void *payload, size_t size, uint8_t pointer_size)
{
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, payload, size);
    f->fit = etl_layout_slice(f->layout, exact, size, pointer_size, f->slices);
    uint8_t *kept = etl_arena_alloc(&f->arena, size ? size : 1);
    memcpy(kept, payload, size);
    for (size_t i = 0; i < f->layout->field_count; i++)
        if (f->slices[i].data)
            f->slices[i].data = kept + (f->slices[i].data - exact);
    free(exact);
    return f->fit;
}

static inline void expect_text(fixture *f, size_t i, uint8_t pointer_size, const char *expected)
{
    etl_str text = {0};
    cr_assert(f->slices[i].data, "field %zu is absent", i);
    etl_field_text(&f->layout->fields[i], &f->slices[i], pointer_size, &text);
    cr_expect_str_eq(text.data ? text.data : "", expected, "field %zu: %s != %s", i,
                     text.data ? text.data : "", expected);
    etl_str_free(&text);
}

static inline int64_t int_of(const fixture *f, size_t i)
{
    return etl_field_int(&f->layout->fields[i], &f->slices[i]);
}

static inline void release(fixture *f)
{
    etl_arena_free(&f->arena);
}

#define COMPILE(f, properties, top)                                                                \
    compile(f, properties, sizeof(properties) / sizeof((properties)[0]), top)

#endif
