#include <criterion/criterion.h>
#include <stdio.h>

#include "schema/catalog_store.h"

static etl_catalog *catalog;
static etl_diag diag;
static const etl_guid provider = {{0x11, 0x11, 0x11, 0x11}}; /* 11111111-0000-0000-… */
static const etl_schema_origin origin = {.source = 1, .offset = 64};

static void set_up(void)
{
    cr_assert_eq(etl_catalog_new(NULL, &diag, &catalog, NULL), ETL_OK);
}

static void tear_down(void)
{
    catalog = etl_catalog_free(catalog);
    etl_diag_free(&diag);
}

TestSuite(catalog, .init = set_up, .fini = tear_down);

/* TRACE_EVENT_INFO of event 5 with one property. */
static size_t make_info(uint8_t out[256], uint8_t version, uint8_t in_type, bool classic, bool map)
{
    memset(out, 0, 256);
    memcpy(out, &provider, sizeof provider);
    memcpy(out + 16, &provider, sizeof provider);
    out[32] = 5; /* id */
    out[34] = version;
    out[37] = 9;       /* opcode */
    out[48] = classic; /* decoding source */
    out[52] = 144;     /* provider name */
    out[100] = out[104] = 1;
    out[116] = 136; /* property: name, in-type, map name, count */
    out[120] = in_type;
    out[124] = map ? 140 : 0;
    out[128] = 1;
    out[136] = 'p';
    out[140] = 'M';
    out[144] = 'T';
    return 148;
}

static void add_info(uint8_t version, uint8_t in_type, bool classic, bool map)
{
    uint8_t bytes[256];
    size_t size = make_info(bytes, version, in_type, classic, map);
    cr_assert_eq(etl_catalog_add_event_info(catalog, bytes, size, origin, NULL), ETL_OK);
}

static void add_manifest(const char *events)
{
    char xml[1024];
    int size = snprintf(xml, sizeof xml,
                        "<instrumentationManifest><instrumentation><events><provider name='Man' "
                        "guid='{11111111-0000-0000-0000-000000000000}'><templates>"
                        "<template tid='t'><data name='p' inType='win:UInt64'/></template>"
                        "</templates><events>%s</events></provider></events></instrumentation>"
                        "</instrumentationManifest>",
                        events);
    cr_assert_eq(etl_catalog_add_manifest(catalog, xml, (size_t)size, origin, NULL), ETL_OK);
}

static etl_schema_set look_up(uint16_t id, uint8_t version, uint8_t opcode, bool classic)
{
    etl_schema_key key = {
        .provider = provider, .id = id, .version = version, .opcode = opcode, .classic = classic};
    etl_schema_set set;
    cr_assert_eq(etl_catalog_lookup(catalog, &key, 0, &set, NULL), ETL_OK);
    return set;
}

static uint16_t type_of(const etl_schema_set *set, size_t index)
{
    cr_assert_lt(index, set->count);
    return set->schemas[index]->properties[0].in_type;
}

Test(catalog, nothing_known)
{
    cr_assert_eq(etl_catalog_freeze(catalog, NULL), ETL_OK);
    cr_assert_eq(look_up(5, 0, 0, false).count, 0);
    cr_assert_null(etl_catalog_provider_name(catalog, &provider));
    cr_assert_null(etl_catalog_class_name(catalog, &provider));
    cr_assert_null(etl_catalog_free(NULL));
}

Test(catalog, exact_before_lower_versions_and_source_before_age)
{
    add_manifest("<event value='5' version='3' template='t'/><event value='5' template='t'/>");
    add_info(3, ETL_IN_UINT8, false, false);
    add_info(3, ETL_IN_UINT16, false, false);
    add_info(2, ETL_IN_UINT32, false, false);
    add_info(4, ETL_IN_FLOAT, false, false);
    etl_catalog_freeze(catalog, NULL);
    etl_schema_set set = look_up(5, 3, 77, false);
    cr_assert_eq(set.count, 5, "higher versions are no candidates");
    cr_assert_eq(set.exact_count, 3);
    cr_assert_eq(type_of(&set, 0), ETL_IN_UINT16, "the newest of the trace");
    cr_assert_eq(type_of(&set, 1), ETL_IN_UINT8);
    cr_assert_eq(type_of(&set, 2), ETL_IN_UINT64);
    cr_assert_eq(set.schemas[2]->source, ETL_SCHEMA_EVENTSOURCE);
    cr_assert_eq(type_of(&set, 3), ETL_IN_UINT32);
    cr_assert_eq(set.schemas[4]->version, 0);
    etl_schema_set again = look_up(5, 3, 12, false);
    cr_assert_eq(again.schemas, set.schemas, "cached; the opcode is no part of the key");
    set = look_up(5, 1, 0, false);
    cr_assert_eq(set.exact_count, 0);
    cr_assert_eq(set.count, 1);
    cr_assert_eq(look_up(6, 3, 0, false).count, 0);
}

Test(catalog, equal_layouts_are_kept_once)
{
    for (int i = 0; i < 3; i++)
        add_info(1, ETL_IN_UINT8, false, false);
    add_info(1, ETL_IN_UINT16, false, false);
    add_info(1, ETL_IN_UINT8, false, true); /* another blob, same layout: now the newest */
    add_manifest("<event value='5' version='1' template='t'/>");
    add_manifest("<event value='5' version='1' template='t'/>");
    add_manifest("<event value='5' version='1' template='t'/><event value='6'/>");
    etl_catalog_freeze(catalog, NULL);
    etl_schema_set set = look_up(5, 1, 0, false);
    cr_assert_eq(set.count, 3);
    cr_assert_eq(type_of(&set, 0), ETL_IN_UINT8);
    cr_assert_eq(diag.row_count, 0);
}

Test(catalog, classic_events_are_keyed_by_opcode)
{
    add_info(2, ETL_IN_UINT8, true, false);
    etl_catalog_freeze(catalog, NULL);
    cr_assert_eq(look_up(5, 2, 9, false).count, 0);
    cr_assert_eq(look_up(0, 2, 9, true).exact_count, 1);
    cr_assert_eq(look_up(1234, 2, 9, true).exact_count, 1, "the id says nothing");
    cr_assert_eq(look_up(0, 2, 8, true).count, 0);
    cr_assert_str_eq(etl_catalog_class_name(catalog, &provider), "T");
}

static void add_map(void)
{
    uint8_t bytes[64] = {0};
    memcpy(bytes, &provider, sizeof provider);
    bytes[16] = 24; /* name */
    bytes[20] = 1;  /* value map */
    bytes[24] = 1;  /* entry */
    bytes[32] = 28;
    bytes[36] = 3;
    bytes[40] = 'M';
    bytes[44] = 'x';
    cr_assert_eq(etl_catalog_add_map_info(catalog, bytes, 48, origin, NULL), ETL_OK);
}

Test(catalog, maps_bind_whichever_comes_first)
{
    add_info(1, ETL_IN_UINT8, false, true);
    add_map();
    add_info(2, ETL_IN_UINT8, false, true);
    etl_catalog_freeze(catalog, NULL);
    for (uint8_t version = 1; version <= 2; version++) {
        const etl_map *map = look_up(5, version, 0, false).schemas[0]->properties[0].map;
        cr_assert_not_null(map);
        cr_assert_str_eq(map->entries[0].text, "x");
        cr_assert_eq(map->entries[0].value, 3);
    }
}

Test(catalog, names)
{
    static const uint8_t traits[] = {0x06, 0x00, 'T', 'r', 't', 0};
    static const etl_guid other = {{0x22}};
    etl_catalog_add_traits(catalog, &provider, traits, sizeof traits, NULL);
    etl_catalog_add_traits(catalog, &other, traits, sizeof traits, NULL);
    etl_catalog_add_traits(catalog, &other, traits, 3, NULL);
    cr_assert_str_eq(etl_catalog_provider_name(catalog, &provider), "Trt");
    add_manifest("");
    etl_catalog_freeze(catalog, NULL);
    cr_assert_str_eq(etl_catalog_provider_name(catalog, &provider), "Man");
    cr_assert_str_eq(etl_catalog_provider_name(catalog, &other), "Trt");
}

Test(catalog, tracelogging)
{
    static const uint8_t metadata[] = {0x08, 0x00, 0x00, 'E', 0, 'f', 0, 0x08};
    static const uint8_t traits[] = {0x06, 0x00, 'T', 'r', 't', 0};
    const etl_event_schema *schema;
    etl_catalog_freeze(catalog, NULL);
    cr_assert_eq(etl_catalog_tracelogging(catalog, &provider, metadata, sizeof metadata, traits,
                                          sizeof traits, &schema, NULL),
                 ETL_OK);
    cr_assert_str_eq(schema->provider_name, "Trt");
    cr_assert_str_eq(schema->event_name, "E");
    cr_assert(etl_guid_equal(&schema->provider, &provider));
    etl_error error = {0};
    cr_assert_eq(
        etl_catalog_tracelogging(catalog, &provider, metadata, 5, NULL, 0, &schema, &error),
        ETL_ERR_DAMAGED);
    cr_assert_eq(error.code, ETL_ERR_DAMAGED);
    cr_assert_null(schema);
}

Test(catalog, damage_is_a_diagnostic)
{
    static const uint8_t bytes[200] = {1, 0, 0, 0x5B, 1, 0, 0, 0, '<'};
    cr_assert_eq(etl_catalog_add_manifest(catalog, "<a>", 3, origin, NULL), ETL_OK);
    cr_assert_eq(etl_catalog_add_manifest_chunk(catalog, &provider, 1, 1, bytes, 9, origin, NULL),
                 ETL_OK);
    cr_assert_eq(etl_catalog_add_manifest_chunk(catalog, &provider, 1, 1, bytes, 4, origin, NULL),
                 ETL_OK);
    cr_assert_eq(etl_catalog_add_event_info(catalog, bytes, 20, origin, NULL), ETL_OK);
    cr_assert_eq(etl_catalog_add_map_info(catalog, bytes, 20, origin, NULL), ETL_OK);
    etl_catalog_freeze(catalog, NULL);
    cr_assert_eq(diag.totals[ETL_DIAG_MANIFEST_BAD], 3);
    cr_assert_eq(diag.totals[ETL_DIAG_SCHEMA_BAD], 2);
}

Test(catalog, a_manifest_in_chunks)
{
    static const char xml[] = "<instrumentationManifest><instrumentation><events>"
                              "<provider name='C'><events><event value='8' version='1'/></events>"
                              "</provider></events></instrumentation></instrumentationManifest>";
    for (int number = 1; number >= 0; number--) {
        uint8_t bytes[256] = {1, 0, 0, 0x5B, 2, 0, (uint8_t)number, 0};
        size_t begin = number ? 100 : 0, end = number ? sizeof xml - 1 : 100;
        memcpy(bytes + 8, xml + begin, end - begin);
        cr_assert_eq(etl_catalog_add_manifest_chunk(catalog, &provider, 1, 1, bytes,
                                                    8 + end - begin, origin, NULL),
                     ETL_OK);
    }
    etl_catalog_freeze(catalog, NULL);
    cr_assert_eq(diag.row_count, 0);
    cr_assert_eq(look_up(8, 1, 0, false).exact_count, 1, "the record's GUID where XML has none");
}

/* ---- ranking with a pack, without its file ---- */

static etl_event_schema pack_schema(uint16_t id, uint8_t version, uint16_t first, uint16_t last)
{
    return (etl_event_schema){.provider = provider,
                              .id = id,
                              .version = version,
                              .source = ETL_SCHEMA_PACK,
                              .build_first = first,
                              .build_last = last};
}

Test(catalog, the_pack_is_ranked_by_build)
{
    etl_arena arena = {0};
    etl_schema_store store = {.arena = &arena};
    const etl_event_schema pack[] = {
        pack_schema(4, 1, 0, 0),         pack_schema(5, 0, 0, 0),
        pack_schema(5, 1, 22000, 26100), pack_schema(5, 1, 17763, 19045),
        pack_schema(5, 1, 7600, 9600),   pack_schema(5, 1, 0, 0),
        pack_schema(5, 2, 0, 0),         pack_schema(6, 1, 0, 0),
    };
    etl_event_schema own = pack_schema(5, 1, 0, 0);
    own.source = ETL_SCHEMA_TRACE;
    cr_assert_eq(etl_schema_store_add(&store, &own, NULL), ETL_OK);
    etl_schema_key key = {.provider = provider, .id = 5, .version = 1};
    static const struct {
        uint32_t build;
        size_t order[6];
    } cases[] = {
        {0, {99, 2, 3, 4, 5, 1}},     /* unknown: as the pack ranks them */
        {18363, {99, 3, 5, 2, 4, 1}}, /* inside, no range, nearest, farthest */
        {9600, {99, 4, 5, 3, 2, 1}},
        {65000, {99, 5, 2, 3, 4, 1}},
    };
    for (size_t i = 0; i < ETL_COUNT_OF(cases); i++) {
        etl_schema_set set;
        cr_assert_eq(etl_schema_store_rank(&store, &key, cases[i].build, pack, ETL_COUNT_OF(pack),
                                           &set, NULL),
                     ETL_OK);
        cr_assert_eq(set.count, 6);
        cr_assert_eq(set.exact_count, 5);
        cr_assert_eq(set.schemas[0], &own);
        for (size_t k = 1; k < 6; k++)
            cr_assert_eq(set.schemas[k], &pack[cases[i].order[k]], "build %u place %zu",
                         cases[i].build, k);
    }
    etl_schema_store_free(&store);
    etl_arena_free(&arena);
}

Test(catalog, too_many_layouts_of_an_event)
{
    for (unsigned i = 0; i < 1100; i++) {
        uint8_t bytes[256];
        size_t size = make_info(bytes, 1, ETL_IN_BINARY, false, false);
        bytes[130] = (uint8_t)i; /* length */
        bytes[131] = (uint8_t)(i >> 8);
        cr_assert_eq(etl_catalog_add_event_info(catalog, bytes, size, origin, NULL), ETL_OK);
    }
    etl_catalog_freeze(catalog, NULL);
    cr_assert_eq(look_up(5, 1, 0, false).count, 64);
    cr_assert_eq(diag.totals[ETL_DIAG_SCHEMA_BAD], 1100 - 1024);
}
