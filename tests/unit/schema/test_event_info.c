#include <criterion/criterion.h>
#include <stdlib.h>

#include "schema/sources.h"

static etl_arena arena;
static etl_hashmap names;
static etl_builder builder;
static const etl_event_schema *event;
static const etl_map *map;
static char references[256];
static const char *provider_name;

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

TestSuite(event_info, .init = set_up, .fini = tear_down);

static int take_event(void *context, const etl_event_schema *schema, etl_error *error)
{
    (void)context;
    (void)error;
    cr_assert_eq(etl_schema_check(schema, NULL), ETL_OK);
    event = schema;
    return ETL_OK;
}

static int take_provider(void *context, const etl_guid *guid, const char *name, int rank,
                         etl_error *error)
{
    (void)context;
    (void)guid;
    (void)error;
    cr_assert_eq(rank, ETL_NAME_RANK_SCHEMA);
    provider_name = name;
    return ETL_OK;
}

static int take_reference(void *context, const etl_guid *provider, const char *map_name,
                          etl_property *property, etl_error *error)
{
    (void)context;
    (void)provider;
    (void)error;
    cr_assert_lt(strlen(references) + strlen(map_name) + strlen(property->name) + 3,
                 sizeof references);
    strcat(strcat(strcat(references, property->name), "="), map_name);
    return ETL_OK;
}

static int take_map(void *context, const etl_guid *provider, const etl_map *found, etl_error *error)
{
    (void)context;
    (void)provider;
    (void)error;
    map = found;
    return ETL_OK;
}

static const etl_builder_sink sink = {.event = take_event,
                                      .provider = take_provider,
                                      .map_reference = take_reference,
                                      .map = take_map};

/* clang-format off */
static const uint8_t sample[] = {
    /* 000 */ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* provider */
    /* 016 */ 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* event GUID (classic) */
    /* 032 */ 0x34, 0x12, 3, 16, 4, 1, 7, 0, /* id, version, channel, level, opcode */
    /* 040 */ 1, 0, 0, 0, 0, 0, 0, 0x80, /* keyword */
    /* 048 */ 0, 0, 0, 0, /* decoding source: XML */
    /* 052 */ 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* provider 256; no level, no channel */
    /* 064 */ 0x04, 1, 0, 0, /* keywords 260 */
    /* 068 */ 0x0E, 1, 0, 0, 0x14, 1, 0, 0, /* task 270, opcode 276 */
    /* 076 */ 0x00, 1, 0, 0, 0, 0, 0, 0, /* message 256 */
    /* 084 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    /* 100 */ 6, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, /* 6 properties, 5 of them top level */
    /* 112: n UINT32, map */
    0, 0, 0, 0, 0x18, 1, 0, 0, 8, 0, 8, 0, 0x20, 1, 0, 0, 1, 0, 4, 0, 0, 0, 0, 0,
    /* 136: b BINARY[n] */
    2, 0, 0, 0, 0x1A, 1, 0, 0, 14, 0, 15, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    /* 160: s STRUCT[n] */
    5, 0, 0, 0, 0x1C, 1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    /* 184: p POINTER[2] */
    0, 0, 0, 0, 0x1E, 1, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 2, 0, 8, 0, 0, 0, 0, 0,
    /* 208: n WCHAR[9] */
    0x30, 0, 0, 0, 0x18, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 9, 0, 0, 0, 0, 0,
    /* 232: b, unknown */
    0x80, 0, 0, 0, 0x1A, 1, 0, 0, 99, 0, 8, 0, 0x20, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    /* 256 */ 'P', 0, 0, 0, /* shares its bytes with the message */
    /* 260 */ 'K', 0, 0, 0, 'L', 0, 0, 0, 0, 0, /* list, ended by an empty one */
    /* 270 */ 'T', 0, ' ', 0, 0, 0, /* blank at the end */
    /* 276 */ 'O', 0, 0, 0,
};
/* clang-format on */

enum { SAMPLE_SIZE = 296, NAMES = 280 };

/* Property names of one letter follow the table: n b s p, each with its NUL, then the map name. */
static void build(uint8_t bytes[SAMPLE_SIZE + 16])
{
    static const uint8_t tail[] = {'n', 0, 0,   0, 'b', 0, 0,   0, 's', 0,
                                   0,   0, 'p', 0, 0,   0, 'M', 0, 0,   0};
    memset(bytes, 0, SAMPLE_SIZE + 16);
    memcpy(bytes, sample, sizeof sample);
    memcpy(bytes + NAMES, tail, sizeof tail);
    for (size_t i = 0; i < 6; i++) {
        uint8_t *property = bytes + 112 + i * 24;
        uint8_t index = (uint8_t)((property[4] - 0x18) / 2);
        property[4] = (uint8_t)(NAMES - 256 + index * 4);
        if (property[12])
            property[12] = (uint8_t)(NAMES - 256 + 16);
    }
}

enum { BUILT_SIZE = NAMES + 20 };

static int parse(const uint8_t *bytes, size_t size, etl_error *error)
{
    event = NULL;
    provider_name = NULL;
    references[0] = 0;
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    int r = etl_event_info_parse(&builder, copy, size, &sink, error);
    free(copy);
    return r;
}

static void store_u32(uint8_t *p, uint32_t value)
{
    memcpy(p, &value, sizeof value);
}

Test(event_info, a_manifest_event)
{
    uint8_t bytes[SAMPLE_SIZE + 16];
    build(bytes);
    etl_error error = {0};
    cr_assert_eq(parse(bytes, BUILT_SIZE, &error), ETL_OK, "%s", error.message);
    cr_assert_not_null(event);
    cr_assert_eq(event->id, 0x1234);
    cr_assert_eq(event->version, 3);
    cr_assert_eq(event->channel, 16);
    cr_assert_eq(event->level, 4);
    cr_assert_eq(event->task, 7);
    cr_assert_eq(event->keyword, UINT64_C(0x8000000000000001));
    cr_assert_eq(event->provider.bytes[0], 1);
    cr_assert_not(event->classic);
    cr_assert_eq(event->source, ETL_SCHEMA_TRACE);
    cr_assert_str_eq(event->provider_name, "P");
    cr_assert_str_eq(provider_name, "P");
    cr_assert_str_eq(event->keyword_names, "K, L");
    cr_assert_str_eq(event->task_name, "T");
    cr_assert_str_eq(event->opcode_name, "O");
    cr_assert_str_eq(event->event_name, "TO");
    cr_assert_str_eq(event->level_name, "Informational");
    cr_assert_str_eq(references, "n=M", "a custom schema is not a map");
    const etl_property *p = event->properties;
    cr_assert_eq(p[0].flags, 0);
    cr_assert_eq(p[0].length, 0, "the size of a fixed type is no length");
    cr_assert_eq(p[1].flags, ETL_PROPERTY_PARAM_LENGTH);
    cr_assert_eq(p[1].length, 0);
    cr_assert_eq(p[2].flags, ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT);
    cr_assert_eq(p[2].struct_start, 5);
    cr_assert_eq(p[3].flags, ETL_PROPERTY_FIXED_COUNT);
    cr_assert_eq(p[3].count, 2);
    cr_assert_eq(p[3].out_type, ETL_OUT_HEXINT64);
    cr_assert_eq(p[4].flags, ETL_PROPERTY_FIXED_COUNT | ETL_PROPERTY_FIXED_LENGTH);
    cr_assert_eq(p[4].count, 1);
    cr_assert_eq(p[4].length, 9);
    cr_assert_eq(p[5].flags, ETL_PROPERTY_OPAQUE);
}

Test(event_info, a_classic_event)
{
    uint8_t bytes[SAMPLE_SIZE + 16];
    build(bytes);
    bytes[48] = 1;
    cr_assert_eq(parse(bytes, BUILT_SIZE, NULL), ETL_OK);
    cr_assert(event->classic);
    cr_assert_eq(event->provider.bytes[0], 2, "the class, not the session's control GUID");
    cr_assert_eq(event->id, 0);
    cr_assert_eq(event->opcode, 1);
    cr_assert_str_eq(event->provider_name, "T");
    cr_assert_str_eq(event->event_name, "O");
}

Test(event_info, sources_that_records_describe_themselves)
{
    uint8_t bytes[SAMPLE_SIZE + 16];
    for (uint8_t source = 2; source < 5; source++) {
        build(bytes);
        bytes[48] = source;
        cr_assert_eq(parse(bytes, BUILT_SIZE, NULL), ETL_OK);
        cr_assert_null(event);
    }
}

Test(event_info, truncated_at_every_byte)
{
    uint8_t bytes[SAMPLE_SIZE + 16];
    build(bytes);
    for (size_t size = 0; size < BUILT_SIZE; size++)
        cr_assert_eq(parse(bytes, size, NULL), ETL_ERR_DAMAGED, "%zu", size);
}

Test(event_info, every_bit_flipped)
{
    uint8_t bytes[SAMPLE_SIZE + 16];
    for (size_t bit = 0; bit < (size_t)BUILT_SIZE * 8; bit++) {
        build(bytes);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        int r = parse(bytes, BUILT_SIZE, NULL);
        cr_assert(r == ETL_OK || r == ETL_ERR_DAMAGED);
    }
}

Test(event_info, hostile_counts_and_offsets)
{
    static const struct {
        size_t at;
        uint32_t value;
    } cases[] = {
        {100, 7},          {100, 0xFFFFFFFF},    {100, ETL_LIMIT_PROPERTIES + 1},
        {104, 7},          {104, 0xFFFFFFFF},    {52, 0xFFFFFFFF},
        {52, BUILT_SIZE},  {64, BUILT_SIZE - 4}, {116, 0x80000000},
        {124, 0xFFFFFFFE}, {168, 0x00020005},    {168, 0x00010002},
        {152, 0x00010001}, {152, 0xFFFF0001},    {76, BUILT_SIZE - 1},
    };
    uint8_t bytes[SAMPLE_SIZE + 16];
    for (size_t i = 0; i < ETL_COUNT_OF(cases); i++) {
        build(bytes);
        store_u32(bytes + cases[i].at, cases[i].value);
        cr_assert_eq(parse(bytes, BUILT_SIZE, NULL), ETL_ERR_DAMAGED, "case %zu", i);
    }
}

/* clang-format off */
static const uint8_t value_map[] = {
    9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, /* provider */
    /* 00 */ 0x28, 0, 0, 0,                         /* name 40 */
    /* 04 */ 1, 0, 0, 0,                            /* value map */
    /* 08 */ 3, 0, 0, 0,  0, 0, 0, 0,               /* three entries, by number */
    /* 16 */ 0x2C, 0, 0, 0, 2, 0, 0, 0,             /* 2: "a " */
    /* 24 */ 0x32, 0, 0, 0, 1, 0, 0, 0,             /* 1: "b" */
    /* 32 */ 0x2C, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* the same text again */
    /* 40 */ 'M', 0, 0, 0,
    /* 44 */ 'a', 0, ' ', 0, 0, 0,
    /* 50 */ '8', 0, 0, 0,
};
/* clang-format on */

static int parse_map(const uint8_t *bytes, size_t size)
{
    map = NULL;
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    int r = etl_map_info_parse(&builder, copy, size, &sink, NULL);
    free(copy);
    return r;
}

Test(event_info, a_value_map)
{
    cr_assert_eq(parse_map(value_map, sizeof value_map), ETL_OK);
    cr_assert_str_eq(map->name, "M");
    cr_assert_eq(map->kind, ETL_MAP_VALUE);
    cr_assert_eq(map->entry_count, 3);
    cr_assert_eq(map->entries[0].value, 2);
    cr_assert_str_eq(map->entries[0].text, "a");
    cr_assert_eq(map->entries[2].value, UINT32_MAX);
}

Test(event_info, other_kinds_of_maps)
{
    uint8_t bytes[sizeof value_map];
    memcpy(bytes, value_map, sizeof bytes);
    bytes[20] = 2;
    cr_assert_eq(parse_map(bytes, sizeof bytes), ETL_OK);
    cr_assert_eq(map->kind, ETL_MAP_BITS);
    bytes[20] = 4; /* pattern */
    cr_assert_eq(parse_map(bytes, sizeof bytes), ETL_OK);
    cr_assert_null(map);
    bytes[20] = 8; /* WBEM, entries keyed by text: "8" is a number, "a" and "M" are not */
    bytes[28] = 1;
    bytes[36] = 0x32;
    bytes[44] = 0x2C;
    store_u32(bytes + 52, 0x28);
    cr_assert_eq(parse_map(bytes, sizeof bytes), ETL_OK);
    cr_assert_eq(map->entry_count, 1);
    cr_assert_eq(map->entries[0].value, 8);
}

Test(event_info, damaged_maps)
{
    for (size_t size = 0; size < sizeof value_map; size++)
        cr_assert_eq(parse_map(value_map, size), ETL_ERR_DAMAGED, "%zu", size);
    for (size_t bit = 0; bit < sizeof value_map * 8; bit++) {
        uint8_t bytes[sizeof value_map];
        memcpy(bytes, value_map, sizeof bytes);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        parse_map(bytes, sizeof bytes);
    }
    uint8_t bytes[sizeof value_map];
    memcpy(bytes, value_map, sizeof bytes);
    store_u32(bytes + 24, 0xFFFFFFFF);
    cr_assert_eq(parse_map(bytes, sizeof bytes), ETL_ERR_DAMAGED);
}
