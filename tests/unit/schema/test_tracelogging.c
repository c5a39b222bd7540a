#include <criterion/criterion.h>
#include <stdlib.h>

#include "schema/sources.h"

static etl_arena arena;
static etl_hashmap names;
static etl_builder builder;

static void set_up(void)
{
    etl_builder_init(&builder, &arena, &names);
}

static void tear_down(void)
{
    etl_builder_free(&builder);
    etl_hashmap_free(&names);
    etl_arena_free(&arena);
}

TestSuite(tracelogging, .init = set_up, .fini = tear_down);

/* clang-format off */
static const uint8_t sample[] = {
    0x61, 0x00,             /* size: 97 */
    0x80, 0x20,             /* two-byte tag */
    'E', 'v', 't', 0,
    'a', 0, 0x08,                       /* UINT32 */
    'h', 0, 0x88, 0x04,                 /* UINT32, HEX */
    'e', 0, 0x88, 0x8D, 0x81, 0x01,     /* UINT32, WIN32ERROR, tag of two bytes */
    'b', 0, 0x0E,                       /* BINARY: length in the payload */
    'c', 0, 0x24, 0x04, 0x00,           /* UINT8[4] */
    'v', 0, 0x46,                       /* UINT16[], count in the payload */
    's', 0, 0xD8, 0x03,                 /* STRUCT[] of three */
    'x', 0, 0x07,                       /*   INT32 */
    't', 0, 0x98, 0x01,                 /*   STRUCT of one */
    'y', 0, 0x96, 0x23,                 /*     counted UTF-16, out 35 */
    'z', 0, 0x0D,                       /*   BOOL32 */
    'q', 0, 0x65, 0x02, 0x00, 0xAA, 0xBB, /* custom, description of two bytes */
    'u', 0, 0x1F,                       /* a type nobody knows */
    'k', 0, 0x92, 0x26,                 /* SYSTEMTIME, DATETIME_UTC */
    'j', 0, 0x87, 0x12,                 /* INT32, UNSIGNED */
    'n', 0, 0x81, 0x01,                 /* string, NOPRINT */
    'p', 0, 0x8E, 0x0A,                 /* BINARY, SOCKETADDRESS */
    'm', 0, 0x19,                       /* counted binary */
    0xE9, 0, 0x02,                      /* ANSI string, a name that is not UTF-8 */
    'g', 0, 0x97, 0x0C,                 /* counted ANSI, JSON */
};
/* clang-format on */

static int parse(const uint8_t *bytes, size_t size, etl_event_schema *schema, etl_error *error)
{
    /* A copy of exactly that size, so that the sanitizer sees each read behind it. */
    uint8_t *copy = malloc(size ? size : 1);
    if (size > 0)
        memcpy(copy, bytes, size);
    int r = etl_tracelogging_parse(&builder, copy, size, schema, error);
    free(copy);
    return r;
}

static void check(const etl_property *p, const char *name, int in_type, int out_type, int flags)
{
    cr_assert_str_eq(p->name, name);
    cr_assert_eq(p->in_type, in_type, "%s: in %d", name, p->in_type);
    cr_assert_eq(p->out_type, out_type, "%s: out %d", name, p->out_type);
    cr_assert_eq(p->flags, flags, "%s: flags %#x", name, p->flags);
}

static void sized_sample(uint8_t bytes[sizeof sample])
{
    memcpy(bytes, sample, sizeof sample);
    bytes[0] = sizeof sample;
}

Test(tracelogging, every_kind_of_field)
{
    uint8_t bytes[sizeof sample];
    sized_sample(bytes);
    etl_event_schema s;
    etl_error error = {0};
    cr_assert_eq(parse(bytes, sizeof bytes, &s, &error), ETL_OK, "%s", error.message);
    cr_assert_str_eq(s.event_name, "Evt");
    cr_assert_eq(s.source, ETL_SCHEMA_TRACELOGGING);
    cr_assert_eq(s.top_level_count, 16);
    cr_assert_eq(s.property_count, 20);
    const etl_property *p = s.properties;
    check(&p[0], "a", ETL_IN_UINT32, ETL_OUT_UNSIGNEDINT, 0);
    check(&p[1], "h", ETL_IN_UINT32, ETL_OUT_HEXINT32, 0);
    check(&p[2], "e", ETL_IN_UINT32, ETL_OUT_WIN32ERROR, 0);
    check(&p[3], "b", ETL_IN_BINARY, ETL_OUT_HEXBINARY, ETL_PROPERTY_PAYLOAD_LENGTH);
    check(&p[4], "c", ETL_IN_UINT8, ETL_OUT_UNSIGNEDBYTE, ETL_PROPERTY_FIXED_COUNT);
    cr_assert_eq(p[4].count, 4);
    check(&p[5], "v", ETL_IN_UINT16, ETL_OUT_UNSIGNEDSHORT, ETL_PROPERTY_PAYLOAD_COUNT);
    check(&p[6], "s", ETL_IN_STRUCT, 0, ETL_PROPERTY_STRUCT | ETL_PROPERTY_PAYLOAD_COUNT);
    cr_assert_eq(p[6].struct_start, 16);
    cr_assert_eq(p[6].struct_members, 3);
    check(&p[7], "q", ETL_IN_BINARY, ETL_OUT_HEXBINARY, ETL_PROPERTY_PAYLOAD_LENGTH);
    cr_assert(p[8].flags & ETL_PROPERTY_OPAQUE);
    check(&p[9], "k", ETL_IN_SYSTEMTIME, ETL_OUT_DATETIME_UTC, 0);
    check(&p[10], "j", ETL_IN_INT32, ETL_OUT_UNSIGNEDINT, 0);
    check(&p[11], "n", ETL_IN_UNICODESTRING, ETL_OUT_NOPRINT, 0);
    check(&p[12], "p", ETL_IN_BINARY, ETL_OUT_SOCKETADDRESS, ETL_PROPERTY_PAYLOAD_LENGTH);
    check(&p[13], "m", ETL_IN_COUNTEDBINARY16, ETL_OUT_HEXBINARY, 0);
    check(&p[14], "\xC3\xA9", ETL_IN_ANSISTRING, ETL_OUT_STRING, 0);
    check(&p[15], "g", ETL_IN_COUNTEDANSI16, ETL_OUT_JSON, 0);
    check(&p[16], "x", ETL_IN_INT32, ETL_OUT_INT, 0);
    check(&p[17], "t", ETL_IN_STRUCT, 0, ETL_PROPERTY_STRUCT);
    cr_assert_eq(p[17].struct_start, 19);
    cr_assert_eq(p[17].struct_members, 1);
    check(&p[18], "z", ETL_IN_BOOLEAN, ETL_OUT_BOOLEAN, 0);
    check(&p[19], "y", ETL_IN_COUNTEDSTRING16, ETL_OUT_UTF8, 0);
}

Test(tracelogging, an_event_without_fields)
{
    static const uint8_t bytes[] = {0x05, 0x00, 0x00, 'E', 0};
    etl_event_schema s;
    cr_assert_eq(parse(bytes, sizeof bytes, &s, NULL), ETL_OK);
    cr_assert_eq(s.property_count, 0);
}

Test(tracelogging, truncated_at_every_byte)
{
    uint8_t bytes[sizeof sample];
    sized_sample(bytes);
    etl_event_schema s;
    for (size_t size = 0; size < sizeof bytes; size++) {
        cr_assert_lt(parse(bytes, size, &s, NULL), 0); /* the size word says more */
        uint8_t shorter[sizeof sample];
        memcpy(shorter, bytes, sizeof shorter);
        shorter[0] = (uint8_t)size;
        int r = parse(shorter, size, &s, NULL);
        cr_assert(r == ETL_OK || r == ETL_ERR_DAMAGED);
    }
}

Test(tracelogging, every_bit_flipped)
{
    uint8_t bytes[sizeof sample];
    for (size_t bit = 0; bit < sizeof bytes * 8; bit++) {
        sized_sample(bytes);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        etl_event_schema s;
        int r = parse(bytes, sizeof bytes, &s, NULL);
        cr_assert(r == ETL_OK || r == ETL_ERR_DAMAGED || r == ETL_ERR_LIMIT);
        if (r == ETL_OK)
            cr_assert_eq(etl_schema_check(&s, NULL), ETL_OK);
    }
}

/* `count` times a field of the bytes given, then a UINT8. */
static int parse_many(const uint8_t *field, size_t field_size, size_t count)
{
    etl_str bytes = {0};
    etl_str_add(&bytes, "\0\0\0E", 5);
    for (size_t i = 0; i < count; i++)
        etl_str_add(&bytes, field, field_size);
    etl_str_add(&bytes, "f\0\x04", 3);
    bytes.data[0] = (char)bytes.size;
    bytes.data[1] = (char)(bytes.size >> 8);
    etl_event_schema s;
    int r = parse((const uint8_t *)bytes.data, bytes.size, &s, NULL);
    etl_str_free(&bytes);
    return r;
}

Test(tracelogging, limits)
{
    static const uint8_t nested[] = {'s', 0, 0x98, 0x01}, plain[] = {'f', 0, 0x04};
    cr_assert_eq(parse_many(nested, sizeof nested, ETL_LIMIT_STRUCT_DEPTH), ETL_OK);
    cr_assert_eq(parse_many(nested, sizeof nested, ETL_LIMIT_STRUCT_DEPTH + 1), ETL_ERR_LIMIT);
    cr_assert_eq(parse_many(plain, sizeof plain, ETL_LIMIT_PROPERTIES - 1), ETL_OK);
    cr_assert_eq(parse_many(plain, sizeof plain, ETL_LIMIT_PROPERTIES), ETL_ERR_LIMIT);
}

Test(tracelogging, a_struct_that_misses_members)
{
    static const uint8_t bytes[] = {0x0C, 0, 0, 'E', 0, 's', 0, 0x98, 0x02, 'x', 0, 0x04};
    etl_event_schema s;
    cr_assert_eq(parse(bytes, sizeof bytes, &s, NULL), ETL_ERR_DAMAGED);
}

/* clang-format off */
static const uint8_t traits[] = {
    0x17, 0x00,                 /* size */
    'P', 0,                     /* name */
    0x13, 0x00, 0x01,           /* trait: 19 bytes, provider group */
    0x1A, 0x73, 0x50, 0x4F, 0xCF, 0x89, 0x82, 0x47, 0xB3, 0xE0, 0xDC, 0xE8, 0xC9, 0x04, 0x76, 0xBA,
};
/* clang-format on */

Test(tracelogging, traits_name_and_group)
{
    etl_traits t;
    cr_assert(etl_traits_parse(traits, sizeof traits, &t));
    cr_assert_str_eq(t.name, "P");
    cr_assert(t.has_group);
    char text[ETL_GUID_TEXT_SIZE];
    etl_guid_text(&t.group, text);
    cr_assert_str_eq(text, "4f50731a-89cf-4782-b3e0-dce8c90476ba");
}

Test(tracelogging, damaged_traits)
{
    etl_traits t;
    for (size_t size = 0; size < sizeof traits; size++) {
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, traits, size);
        cr_assert_not(etl_traits_parse(copy, size, &t));
        if (size > 1) {
            copy[0] = (uint8_t)size;
            etl_traits_parse(copy, size, &t);
        }
        free(copy);
    }
    for (size_t bit = 0; bit < sizeof traits * 8; bit++) {
        uint8_t copy[sizeof traits];
        memcpy(copy, traits, sizeof copy);
        copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
        etl_traits_parse(copy, sizeof copy, &t);
    }
}
