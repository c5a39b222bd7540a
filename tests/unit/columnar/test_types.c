#include "columnar_test.h"

static etl_diag diag;
static etl_catalog *catalog;
static etl_types types;

static void set_up(void)
{
    cr_assert_eq(etl_catalog_new(NULL, &diag, &catalog, NULL), ETL_OK);
    cr_assert_eq(etl_catalog_freeze(catalog, NULL), ETL_OK);
    cr_assert_eq(etl_types_init(&types, catalog), ETL_OK);
}

static void tear_down(void)
{
    etl_types_done(&types);
    etl_catalog_free(catalog);
    etl_diag_free(&diag);
}

TestSuite(types, .init = set_up, .fini = tear_down);

/* Gives the provider the name through its traits, as TraceLogging does. */
static void name_provider(const char *guid_text, const char *name)
{
    etl_payload traits = {.size = 0};
    etl_guid guid;
    cr_assert(etl_guid_parse(guid_text, &guid));
    etl_put_traits(&traits, name);
    cr_assert_eq(etl_catalog_add_traits(catalog, &guid, traits.data, traits.size, NULL), ETL_OK);
}

static etl_type *get(const char *guid, int kind, uint16_t number, const char *event_name)
{
    etl_record record = {.kind = kind == ETL_KIND_CLASSIC ? ETL_HEADER_FULL
                                 : kind == ETL_KIND_WPP   ? ETL_HEADER_MESSAGE
                                                          : ETL_HEADER_EVENT};
    cr_assert(etl_guid_parse(guid, &record.provider));
    if (kind == ETL_KIND_CLASSIC)
        record.opcode = (uint8_t)number;
    else
        record.id = number;
    etl_event_schema schema = {.event_name = event_name, .source = ETL_SCHEMA_TRACE};
    etl_type *type = etl_types_get(&types, &record, kind, event_name ? &schema : NULL);
    cr_assert_not_null(type);
    return type;
}

static const char *name_of(const char *guid, int kind, uint16_t number, const char *event_name)
{
    return get(guid, kind, number, event_name)->pub.name;
}

/* GUID number n. */
static const char *guid_of(unsigned n)
{
    static char text[4][ETL_GUID_TEXT_SIZE];
    char *to = text[n % 4];
    snprintf(to, ETL_GUID_TEXT_SIZE, "%08x-0000-4000-8000-000000000000", n);
    return to;
}

Test(types, names_follow_the_kind)
{
    name_provider(guid_of(1), "Microsoft-Windows-DNS-Client");
    name_provider(guid_of(2), "Process");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_MANIFEST, 3008, NULL),
                     "Microsoft_Windows_DNS_Client_3008");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_MANIFEST, 3009, "Query"),
                     "Microsoft_Windows_DNS_Client_3009", "manifest events go by number");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "My Event"),
                     "Microsoft_Windows_DNS_Client_My_Event");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 7, ""),
                     "Microsoft_Windows_DNS_Client_7");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_STRING, 0, NULL),
                     "Microsoft_Windows_DNS_Client_String_0");
    cr_assert_str_eq(name_of(guid_of(2), ETL_KIND_CLASSIC, 1, "Start"), "Process_Start");
    cr_assert_str_eq(name_of(guid_of(2), ETL_KIND_CLASSIC, 99, NULL), "Process_99");
    cr_assert_str_eq(name_of(guid_of(3), ETL_KIND_MANIFEST, 5, NULL),
                     "Provider_00000003_0000_4000_8000_000000000000_5");
    cr_assert_str_eq(name_of(guid_of(3), ETL_KIND_WPP, 10, NULL),
                     "WPP_00000003_0000_4000_8000_000000000000_10");
}

Test(types, identity)
{
    name_provider(guid_of(1), "P");
    etl_type *first = get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL);
    cr_assert_eq(get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL), first);
    cr_assert_eq(first->pub.id, 1);
    cr_assert_neq(get(guid_of(1), ETL_KIND_MANIFEST, 2, NULL), first);
    cr_assert_neq(get(guid_of(2), ETL_KIND_MANIFEST, 1, NULL), first);
    cr_assert_neq(get(guid_of(1), ETL_KIND_CLASSIC, 1, NULL), first);
    etl_type *a = get(guid_of(1), ETL_KIND_TRACELOGGING, 0, "A");
    cr_assert_eq(get(guid_of(1), ETL_KIND_TRACELOGGING, 5, "A"), a, "the name is the identity");
    cr_assert_neq(get(guid_of(1), ETL_KIND_TRACELOGGING, 0, "AB"), a);
    cr_assert_eq(types.count, 6);
    cr_assert_eq(types.provider_count, 2);
    cr_assert_str_eq(types.providers[0]->name, "P");
    cr_assert_str_eq(types.providers[1]->name, "00000002-0000-4000-8000-000000000000");
}

/* The first record may come without a schema that a later version has. */
Test(types, a_schema_names_a_known_type)
{
    etl_type *type = get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL);
    const char *name = type->pub.name;
    cr_assert_null(type->pub.event_name);
    cr_assert_eq(get(guid_of(1), ETL_KIND_MANIFEST, 1, "Named"), type);
    cr_assert_str_eq(type->pub.event_name, "Named");
    cr_assert_eq(type->pub.name, name, "what batches show does not change");
    cr_assert_eq(type->pub.schema_source, ETL_SCHEMA_TRACE);
}

Test(types, clashes_get_the_guid_then_a_number)
{
    name_provider(guid_of(1), "Prov");
    name_provider(guid_of(2), "PROV");
    name_provider(guid_of(3), "prov!");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "Event"), "Prov_Event");
    cr_assert_str_eq(name_of(guid_of(2), ETL_KIND_TRACELOGGING, 0, "EVENT"), "PROV_EVENT_00000002",
                     "SQL names ignore case");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "event"), "Prov_event_00000001");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "eVent"),
                     "Prov_eVent_00000001_2");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "EVent"),
                     "Prov_EVent_00000001_3");
    cr_assert_str_eq(name_of(guid_of(3), ETL_KIND_TRACELOGGING, 0, "Event"), "prov__Event");
}

/* A type takes two names: "X" is a view and "X_data" its table. */
Test(types, the_table_name_is_taken_too)
{
    name_provider(guid_of(1), "P");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "A"), "P_A");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "a_DATA"), "P_a_DATA_00000001");
    /* and the other way round */
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "B_data"), "P_B_data");
    cr_assert_str_eq(name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, "b"), "P_b_00000001");
}

/* Names of tables, views and indexes that every database has, and SQLite's own prefix. */
Test(types, reserved_names_are_avoided)
{
    static const char *const pairs[][2] = {
        {"event", "text"},         {"EVENT", "Type"},        {"raw", "payload"},
        {"stack", "Frame"},        {"Map", "Value"},         {"event", "ts"},
        {"Event", "without_data"}, {"extended", "by_event"}, {"event", "without"}};
    for (unsigned i = 0; i < ETL_COUNT_OF(pairs); i++) {
        char plain[64];
        snprintf(plain, sizeof plain, "%s_%s", pairs[i][0], pairs[i][1]);
        name_provider(guid_of(i + 1), pairs[i][0]);
        const char *name = name_of(guid_of(i + 1), ETL_KIND_TRACELOGGING, 0, pairs[i][1]);
        cr_assert_neq(strcasecmp(name, plain), 0, "%s", name);
        cr_assert_eq(strncasecmp(name, plain, strlen(plain)), 0, "%s", name);
    }
    name_provider(guid_of(90), "SQLite");
    cr_assert_str_eq(name_of(guid_of(90), ETL_KIND_TRACELOGGING, 0, "Open"), "_SQLite_Open",
                     "SQLite refuses names that begin with its prefix");
}

Test(types, hostile_names_become_plain_ones)
{
    static const struct {
        const char *provider, *event, *name;
    } cases[] = {{"a\"b'c;--", "x]y[z", "a_b_c____x_y_z"},
                 {"7zip", "1", "_7zip_1"},
                 {"Gr\xC3\xB6\xC3\x9F\x65", "\xE6\x97\xA5", "Gr____e____"},
                 {"\n\t", "%s%n", "____s_n"},
                 {"DROP TABLE event", "\x7F", "DROP_TABLE_event__"}};
    for (unsigned i = 0; i < ETL_COUNT_OF(cases); i++) {
        name_provider(guid_of(i + 1), cases[i].provider);
        const char *name = name_of(guid_of(i + 1), ETL_KIND_TRACELOGGING, 0, cases[i].event);
        cr_assert_str_eq(name, cases[i].name);
    }
}

Test(types, long_names_are_cut_and_stay_different)
{
    char provider[1001], event[1001];
    memset(provider, 'p', 1000);
    memset(event, 'e', 1000);
    provider[1000] = event[1000] = 0;
    name_provider(guid_of(1), provider);
    etl_hashmap seen = {0};
    for (int i = 0; i < 100; i++) {
        event[999] = (char)('!' + i % 90);
        event[998] = (char)('a' + i / 90);
        const char *name = name_of(guid_of(1), ETL_KIND_TRACELOGGING, 0, event);
        cr_assert_lt(strlen(name), 240);
        cr_assert_null(etl_hashmap_get(&seen, name, strlen(name)), "%s came twice", name);
        cr_assert_eq(etl_hashmap_put(&seen, name, strlen(name), &seen), ETL_OK);
    }
    cr_assert_eq(types.count, 100);
    etl_hashmap_free(&seen);
}

/* ---- columns ---- */

/* Fields of one layout: each `column` says which column of the type it must get. */
typedef struct want {
    const char *name;
    uint8_t type; /* etl_field_type */
    uint16_t in, out;
    const char *column; /* its name */
} want;

static void assert_columns(etl_type *type, const want *wants, size_t count)
{
    bool used[ETL_LIMIT_TYPE_COLUMNS + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        etl_property property = {
            .name = wants[i].name, .in_type = wants[i].in, .out_type = wants[i].out};
        etl_field field = {.name = wants[i].name, .property = &property, .type = wants[i].type};
        int column = etl_type_column(&types, type, &field, used);
        cr_assert_geq(column, 0);
        cr_assert_not(used[column], "%s shares a column inside one layout", wants[i].name);
        used[column] = true;
        const etl_column_def *def = type->pub.columns[column];
        cr_assert_str_eq(def->name, wants[i].column);
        cr_assert_str_eq(def->property, wants[i].name);
        cr_assert_eq(def->ordinal, column + 1);
    }
}
#define ASSERT_COLUMNS(type, ...)                                                                  \
    assert_columns(type, (want[]){__VA_ARGS__}, sizeof((want[]){__VA_ARGS__}) / sizeof(want))
#define U32 ETL_FIELD_INT, ETL_IN_UINT32, ETL_OUT_UNSIGNEDINT

Test(types, versions_share_columns_by_name)
{
    etl_type *type = get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL);
    ASSERT_COLUMNS(type, {"A", U32, "A"}, {"B", U32, "B"});
    /* another order, and one more */
    ASSERT_COLUMNS(type, {"B", U32, "B"}, {"C", U32, "C"}, {"A", U32, "A"});
    cr_assert_eq(type->pub.column_count, 3);
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_INT, ETL_IN_UINT64, ETL_OUT_UNSIGNEDLONG, "A"});
    cr_assert_eq(type->pub.column_count, 3, "all integers are 64 bits wide");
}

Test(types, values_that_differ_in_type_get_their_own_column)
{
    etl_type *type = get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL);
    ASSERT_COLUMNS(type, {"A", U32, "A"});
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_TEXT, ETL_IN_UNICODESTRING, ETL_OUT_STRING, "A_2"});
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_JSON, ETL_IN_UINT32, ETL_OUT_UNSIGNEDINT, "A_3"});
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_DOUBLE, ETL_IN_DOUBLE, ETL_OUT_DOUBLE, "A_4"});
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_GUID, ETL_IN_GUID, ETL_OUT_GUID, "A_5"});
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_BINARY, ETL_IN_BINARY, ETL_OUT_HEXBINARY, "A_6"});
    /* integers that read differently */
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_INT, ETL_IN_UINT32, ETL_OUT_IPV4, "A_7"});
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_INT, ETL_IN_FILETIME, ETL_OUT_DATETIME, "A_8"});
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_INT, ETL_IN_UINT8, ETL_OUT_BOOLEAN, "A_9"});
    /* and all of them are found again */
    ASSERT_COLUMNS(type, {"A", ETL_FIELD_INT, ETL_IN_UINT32, ETL_OUT_IPV4, "A_7"});
    ASSERT_COLUMNS(type, {"A", U32, "A"});
    cr_assert_eq(type->pub.column_count, 9);
    cr_assert(type->pub.columns[2]->json);
    cr_assert_not(type->pub.columns[1]->json);
}

Test(types, column_names_are_unique_whatever_the_case)
{
    etl_type *type = get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL);
    ASSERT_COLUMNS(type, {"Size", U32, "Size"}, {"SIZE", U32, "SIZE_2"}, {"Size", U32, "Size_3"},
                   {"size_2", U32, "size_2_2"}, {"Event_ID", U32, "Event_ID_2"},
                   {"event_id", U32, "event_id_3"}, {"", U32, "field"}, {"field", U32, "field_2"},
                   {"a\"b'c", U32, "a\"b'c"}, {"\xE6\x97\xA5", U32, "\xE6\x97\xA5"});
    /* the second version meets the same columns */
    ASSERT_COLUMNS(type, {"SIZE", U32, "SIZE_2"}, {"", U32, "field"}, {"Size", U32, "Size"},
                   {"event_id", U32, "event_id_3"}, {"Size", U32, "Size_3"});
    cr_assert_eq(type->pub.column_count, 10);
}

Test(types, column_limit)
{
    etl_type *type = get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL);
    bool used[ETL_LIMIT_TYPE_COLUMNS + 1] = {0};
    etl_property property = {.name = "x", .in_type = ETL_IN_UINT32};
    etl_field field = {.property = &property, .type = ETL_FIELD_INT};
    char name[16];
    for (int i = 0; i < ETL_LIMIT_TYPE_COLUMNS; i++) {
        snprintf(name, sizeof name, "c%d", i);
        field.name = name;
        cr_assert_eq(etl_type_column(&types, type, &field, used), i);
    }
    field.name = "one too many";
    cr_assert_eq(etl_type_column(&types, type, &field, used), ETL_TYPE_FULL);
    cr_assert_eq(type->pub.column_count, ETL_LIMIT_TYPE_COLUMNS);
    field.name = "c7";
    cr_assert_eq(etl_type_column(&types, type, &field, used), 7, "those that are there still work");
}

/* Events past the limit share one type: none is an error, and the first ones stay what they are. */
Test(types, event_type_limit, .timeout = 100)
{
    static const uint32_t builds[1];
    etl_bindings bindings = {.catalog = catalog, .types = &types, .diag = &diag, .builds = builds};
    etl_record record = {.kind = ETL_HEADER_EVENT};
    etl_error error = {0};
    etl_binding *first = NULL, *shared = NULL;
    for (uint32_t i = 0; i < ETL_LIMIT_EVENT_TYPES + 10; i++) {
        record.provider.bytes[0] = (uint8_t)(i >> 16);
        record.id = (uint16_t)i;
        etl_binding *binding = etl_bindings_get(&bindings, &record, &error);
        cr_assert_not_null(binding, "event %u: %s", i, error.message);
        if (i == 0)
            first = binding;
        if (i == ETL_LIMIT_EVENT_TYPES)
            shared = binding;
        if (i > ETL_LIMIT_EVENT_TYPES)
            cr_assert_eq(binding, shared);
    }
    cr_assert_eq(types.count, ETL_LIMIT_EVENT_TYPES + 1);
    cr_assert_eq(shared->type, types.types[ETL_LIMIT_EVENT_TYPES]);
    cr_assert_eq(shared->layout_count, 0);
    cr_assert_eq(diag.totals[ETL_DIAG_EVENT_TYPE_LIMIT], 10);
    record.provider.bytes[0] = 0;
    record.id = 0;
    cr_assert_eq(etl_bindings_get(&bindings, &record, &error), first);
    etl_bindings_done(&bindings);
}

/* Versions whose maps agree share a column and all names; a value with two names needs two. */
Test(types, maps_of_versions)
{
    static const etl_map_entry one[] = {{1, "One"}}, two[] = {{1, "One"}, {2, "Two"}},
                               other[] = {{1, "Uno"}};
    static const etl_map maps[] = {{"M", ETL_MAP_VALUE, 1, one},
                                   {"M", ETL_MAP_VALUE, 2, two},
                                   {"M", ETL_MAP_VALUE, 1, other},
                                   {"M", ETL_MAP_BITS, 1, one}};
    etl_type *type = get(guid_of(1), ETL_KIND_MANIFEST, 1, NULL);
    bool used[8] = {0};
    int columns[4];
    for (int i = 0; i < 4; i++) {
        etl_property property = {.name = "A",
                                 .in_type = ETL_IN_UINT32,
                                 .out_type = ETL_OUT_UNSIGNEDINT,
                                 .map = &maps[i]};
        etl_field field = {.name = "A", .property = &property, .type = ETL_FIELD_INT};
        columns[i] = etl_type_column(&types, type, &field, used);
    }
    cr_assert_eq(columns[0], 0);
    cr_assert_eq(columns[1], 0);
    cr_assert_eq(columns[2], 1);
    cr_assert_eq(columns[3], 2);
    cr_assert_eq(type->pub.columns[0]->map->entry_count, 2);
    cr_assert_str_eq(type->pub.columns[0]->map->entries[1].text, "Two");
}
