#include "columnar_test.h"

static const info_field ab[] = {{"A", ETL_IN_UINT32, 0, NULL}, {"B", ETL_IN_UINT32, 0, NULL}};
static const info_field abc[] = {
    {"A", ETL_IN_UINT32, 0, NULL}, {"B", ETL_IN_UINT32, 0, NULL}, {"C", ETL_IN_UINT32, 0, NULL}};
static const info_field pointers[] = {{"P", ETL_IN_POINTER, 0, NULL},
                                      {"Q", ETL_IN_POINTER, 0, NULL}};
static const info_field unknown[] = {{"A", ETL_IN_UINT32, 0, NULL}, {"Z", 99, 0, NULL}};

/* Event 1 version 0: A, B; event 2 version 1: A, B, C; event 3: two pointers; event 4: A and
   something unknown. */
static void put_schemas(etl_build *b)
{
    put_info(b, &(info){.provider = PROVIDER,
                        .provider_name = "Prov",
                        .task_name = "Task1",
                        .id = 1,
                        .fields = ab,
                        .field_count = 2});
    put_info(b, &(info){.provider = PROVIDER,
                        .provider_name = "Prov",
                        .id = 2,
                        .version = 1,
                        .fields = abc,
                        .field_count = 3});
    put_info(b, &(info){.provider = PROVIDER,
                        .provider_name = "Prov",
                        .id = 3,
                        .fields = pointers,
                        .field_count = 2});
    put_info(b, &(info){.provider = PROVIDER,
                        .provider_name = "Prov",
                        .id = 4,
                        .fields = unknown,
                        .field_count = 2});
}

/* Only events of PROVIDER: the metadata records are events too. */
static const char *const only_provider[] = {PROVIDER};
static const etl_filter provider_filter = {
    .begin = ETL_TIME_MIN, .end = ETL_TIME_MAX, .providers = only_provider, .provider_count = 1};

typedef struct outcome {
    const char *data; /* what stands behind the header columns, or NULL: no decoded row */
    const char *raw;  /* hex of the kept payload, or NULL */
    int status;
} outcome;

/* Decodes one event and compares. */
static void assert_event(uint16_t id, uint8_t version, const etl_payload *p, bool keep_raw,
                         outcome expected)
{
    etl_build *b = new_build();
    put_schemas(b);
    put_event(b, id, version, 100, p);
    decoding d = decode_built(b, &(etl_decoder_options){.keep_raw = keep_raw});
    cr_assert_eq(etl_decoder_set_filter(d.decoder, &provider_filter, NULL), ETL_OK);
    printed to = print_all(&d);
    char name[32], status[32];
    snprintf(name, sizeof name, "Prov_%u id=1 ", id);
    snprintf(status, sizeof status, " status=%d ", expected.status);
    cr_assert_eq(strncmp(to.events.data, name, strlen(name)), 0, "%s", to.events.data);
    cr_assert_not_null(strstr(to.events.data, status), "%s", to.events.data);
    const char *data = strchr(to.events.data, ':');
    if (expected.data) {
        cr_assert_not_null(data, "%s", to.events.data);
        cr_assert_eq(strncmp(data + 1, expected.data, strlen(expected.data)), 0, "%s", data);
        cr_assert_str_eq(data + 1 + strlen(expected.data), "\n");
    } else {
        cr_assert_null(data, "%s", to.events.data);
    }
    char raw[512] = "";
    if (expected.raw)
        snprintf(raw, sizeof raw, "raw_payload event_id=1 payload=%s\n", expected.raw);
    cr_assert_str_eq(to.others[RAW_PAYLOAD].data, raw);

    const etl_decoder_totals *totals = etl_decoder_totals_get(d.decoder);
    cr_assert_eq(totals->events, 1);
    cr_assert_eq(totals->by_status[expected.status], 1);
    cr_assert_eq(totals->by_schema_source[expected.data ? ETL_SCHEMA_TRACE : ETL_SCHEMA_NONE], 1);
    cr_assert_eq(totals->filtered, 5, "the log file header and the metadata");
    snprintf(name, sizeof name, "Prov_%u", id);
    const etl_event_type *type = type_named(d.decoder, name);
    cr_assert_not_null(type);
    cr_assert_eq(type->event_count, 1);
    cr_assert_eq(type->status_count[expected.status], 1);
    cr_assert_eq(type->provider->event_count, 1);
    printed_done(&to);
    decode_done(&d);
}

Test(decoder, exact)
{
    etl_payload p = U32S(7, 8);
    assert_event(1, 0, &p, false, (outcome){" A=7 B=8", NULL, ETL_STATUS_EXACT});
}

Test(decoder, keep_raw_keeps_decoded_payloads)
{
    etl_payload p = U32S(7, 8);
    assert_event(1, 0, &p, true, (outcome){" A=7 B=8", "0700000008000000", ETL_STATUS_EXACT});
}

Test(decoder, lower_version_when_it_fits)
{
    etl_payload p = U32S(1, 2, 3);
    assert_event(2, 5, &p, false, (outcome){" A=1 B=2 C=3", NULL, ETL_STATUS_LOWER_VERSION});
}

/* A later version usually has more fields: a layout that leaves bytes over says nothing. */
Test(decoder, lower_version_only_when_it_fits)
{
    etl_payload longer = U32S(1, 2, 3, 4), shorter = U32S(1, 2);
    assert_event(2, 5, &longer, false,
                 (outcome){NULL, "01000000020000000300000004000000", ETL_STATUS_NO_SCHEMA});
    assert_event(2, 5, &shorter, false, (outcome){NULL, "0100000002000000", ETL_STATUS_NO_SCHEMA});
}

Test(decoder, higher_version_is_never_used)
{
    etl_payload p = U32S(1, 2, 3);
    assert_event(2, 0, &p, false,
                 (outcome){NULL, "010000000200000003000000", ETL_STATUS_NO_SCHEMA});
}

Test(decoder, other_pointer_size)
{
    etl_payload p = U32S(0x1000, 0x2000);
    assert_event(3, 0, &p, false, (outcome){" P=0x1000 Q=0x2000", NULL, ETL_STATUS_POINTER_SIZE});
    etl_payload own = U32S(0x1000, 0, 0x2000, 0);
    assert_event(3, 0, &own, false, (outcome){" P=0x1000 Q=0x2000", NULL, ETL_STATUS_EXACT});
}

Test(decoder, trailing_short_opaque)
{
    etl_payload p = U32S(1, 2, 3);
    assert_event(1, 0, &p, false,
                 (outcome){" A=1 B=2", "010000000200000003000000", ETL_STATUS_TRAILING});
    p.size = 7;
    assert_event(1, 0, &p, false, (outcome){" A=1", "01000000020000", ETL_STATUS_SHORT});
    p.size = 0;
    assert_event(1, 0, &p, false, (outcome){"", NULL, ETL_STATUS_SHORT});
    p.size = 8;
    assert_event(4, 0, &p, false, (outcome){" A=1", "0100000002000000", ETL_STATUS_OPAQUE});
}

Test(decoder, no_schema)
{
    etl_payload p = U32S(0xAABBCCDD);
    assert_event(77, 0, &p, false, (outcome){NULL, "DDCCBBAA", ETL_STATUS_NO_SCHEMA});
    p.size = 0;
    assert_event(77, 0, &p, false, (outcome){NULL, NULL, ETL_STATUS_NO_SCHEMA});
    assert_event(77, 0, &p, true, (outcome){NULL, "", ETL_STATUS_NO_SCHEMA});
}

/* A 32-bit writer that logs 64-bit payloads (sawbuck): two pointers and a text, where both readings
   use the payload up; the text tells which one is right. */
Test(decoder, classic_payload_of_the_other_pointer_size)
{
    static const info_field fields[] = {{"Base", ETL_IN_POINTER, 0, NULL},
                                        {"Size", ETL_IN_POINTER, 0, NULL},
                                        {"Name", ETL_IN_UNICODESTRING, 0, NULL}};
    etl_build *b = new_build();
    put_info(b, &(info){.provider = OTHER,
                        .provider_name = "x",
                        .task_name = "Image",
                        .opcode_name = "Load",
                        .opcode = 10,
                        .classic = true,
                        .fields = fields,
                        .field_count = 3});
    etl_payload wide = {.size = 0}, narrow = U32S(0x40000, 0x5000);
    etl_put_u64(&wide, UINT64_C(0x0001000200030004)); /* no NUL unit on the way */
    etl_put_u64(&wide, UINT64_C(0x0001000100010001));
    etl_put_wide(&wide, "C:\\a.dll");
    etl_put_wide(&narrow, "C:\\b.dll");
    etl_build_full(b, 4, OTHER, 10, 0, 10, 11, 100, wide.data, wide.size);
    etl_build_full(b, 4, OTHER, 10, 0, 10, 11, 200, narrow.data, narrow.size);
    decoding d = decode_built(b, NULL);
    printed to = print_all(&d);
    const etl_event_type *type = type_named(d.decoder, "Image_Load");
    cr_assert_not_null(type);
    cr_assert_eq(type->kind, ETL_KIND_CLASSIC);
    cr_assert_eq(type->status_count[ETL_STATUS_POINTER_SIZE], 1);
    cr_assert_eq(type->status_count[ETL_STATUS_EXACT], 1);
    cr_assert_eq(
        occurrences(to.events.data, ": Base=0x1000200030004 Size=0x1000100010001 Name=C:\\a.dll\n"),
        1, "%s", to.events.data);
    cr_assert_eq(occurrences(to.events.data, ": Base=0x40000 Size=0x5000 Name=C:\\b.dll\n"), 1);
    printed_done(&to);
    decode_done(&d);
}

/* ---- filters ---- */

/* Ten events at raw times 100 … 1000: ids 1, 2, 3, … of PROVIDER, processes 10 + id % 2; one
   TraceLogging event of OTHER at 550. */
static decoding filtered(etl_filter filter)
{
    etl_build *b = new_build();
    put_schemas(b);
    etl_payload none = {.size = 0};
    for (uint16_t i = 1; i <= 10; i++)
        etl_build_event_record(b, 8,
                               &(etl_build_event){.provider = PROVIDER,
                                                  .id = i,
                                                  .process = 10u + i % 2,
                                                  .thread = 1,
                                                  .time = 100 * i},
                               NULL, 0);
    etl_payload meta = {.size = 0};
    etl_put_tl_event(&meta, "Loaded");
    etl_build_buffer(b, 1); /* a processor's own records are never put in order */
    put_tl(b, OTHER, "Other-Provider", &meta, 550, &none);
    decoding d = decode_built(b, NULL);
    cr_assert_eq(etl_decoder_set_filter(d.decoder, &filter, NULL), ETL_OK);
    return d;
}

/* What passes, as names without the provider. */
static void assert_passes(etl_filter filter, const char *expected)
{
    decoding d = filtered(filter);
    etl_str names = {0};
    etl_batch *batch;
    int r;
    uint64_t count = 0;
    while ((r = etl_decoder_next(d.decoder, &batch, NULL)) == ETL_OK) {
        for (size_t i = 0; i < batch->events.row_count; i++) {
            const char *name = batch->event_type[i]->name;
            count++;
            cr_assert_eq(batch->events.columns[ETL_EVENT_ID].values.ints[i], (int64_t)count,
                         "ids have no gaps");
            if (strncmp(name, "Prov_", 5) == 0)
                etl_str_printf(&names, "%s ", name + 5);
            else if (strncmp(name, "Other_Provider_", 15) == 0)
                etl_str_printf(&names, "%s ", name + 15);
        }
        etl_decoder_recycle(d.decoder, batch);
    }
    cr_assert_eq(r, ETL_END);
    cr_assert_str_eq(names.data ? names.data : "", expected);
    cr_assert_eq(etl_decoder_totals_get(d.decoder)->events, count);
    etl_str_free(&names);
    decode_done(&d);
}
#define LIST(type, ...) (type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__}) / sizeof(type)
#define ALWAYS          .begin = ETL_TIME_MIN, .end = ETL_TIME_MAX

static etl_filter by_providers(const char *const *providers, size_t count)
{
    return (etl_filter){ALWAYS, .providers = providers, .provider_count = count};
}

static etl_filter by_events(const etl_event_pattern *events, size_t count)
{
    return (etl_filter){ALWAYS, .events = events, .event_count = count};
}

#define ALL_OF_PROV "1 2 3 4 5 6 7 8 9 10 "

Test(decoder, filter_by_provider)
{
    assert_passes((etl_filter)ETL_FILTER_INIT, "1 2 3 4 5 Loaded 6 7 8 9 10 ");
    assert_passes(by_providers(LIST(const char *, "prov")), ALL_OF_PROV);
    assert_passes(by_providers(LIST(const char *, PROVIDER)), ALL_OF_PROV);
    assert_passes(by_providers(LIST(const char *, "{5B1F6E0C-7A51-4C39-8B52-6F0D5C9BE3A2}")),
                  ALL_OF_PROV);
    assert_passes(by_providers(LIST(const char *, "other*")), "Loaded ");
    assert_passes(by_providers(LIST(const char *, "Other?Provider")), "Loaded ");
    assert_passes(by_providers(LIST(const char *, "Pro")), "");
    assert_passes(by_providers(LIST(const char *, "Pro", OTHER, "P*")),
                  "1 2 3 4 5 Loaded 6 7 8 9 10 ");
}

Test(decoder, filter_by_event)
{
    assert_passes(by_events(LIST(etl_event_pattern, {4, 6, NULL})), "4 5 6 ");
    assert_passes(by_events(LIST(etl_event_pattern, {1, 1, NULL}, {10, 0xFFFF, NULL})), "1 10 ");
    assert_passes(by_events(LIST(etl_event_pattern, {0, 0, "loaded"})), "Loaded ");
    assert_passes(by_events(LIST(etl_event_pattern, {0, 0, "prov_1*"})), "1 10 ");
    assert_passes(by_events(LIST(etl_event_pattern, {0, 0, "Task?"})), "1 ");
    assert_passes(by_events(LIST(etl_event_pattern, {11, 20, NULL})), "");
}

Test(decoder, filter_by_process)
{
    assert_passes((etl_filter){ALWAYS, .processes = (uint32_t[]){11}, .process_count = 1},
                  "1 3 5 7 9 ");
    assert_passes((etl_filter){ALWAYS, .processes = (uint32_t[]){3, 10}, .process_count = 2},
                  "2 4 Loaded 6 8 10 ");
    assert_passes((etl_filter){ALWAYS, .processes = (uint32_t[]){3}, .process_count = 1}, "");
}

Test(decoder, filter_by_time_is_inclusive)
{
    assert_passes((etl_filter){.begin = START + 300, .end = START + 500}, "3 4 5 ");
    assert_passes((etl_filter){.begin = START + 301, .end = START + 499}, "4 ");
    assert_passes((etl_filter){.begin = START + 400, .end = START + 400}, "4 ");
    assert_passes((etl_filter){.begin = START + 401, .end = START + 499}, "");
    assert_passes((etl_filter){.begin = START + 900, .end = ETL_TIME_MAX}, "9 10 ");
    assert_passes((etl_filter){.begin = ETL_TIME_MIN, .end = START + 200}, "1 2 ");
}

Test(decoder, filters_of_different_kinds_must_agree)
{
    etl_filter filter = by_events(LIST(etl_event_pattern, {2, 7, NULL}));
    filter.begin = START + 300;
    filter.end = START + 600;
    filter.processes = (uint32_t[]){11};
    filter.process_count = 1;
    filter.providers = only_provider;
    filter.provider_count = 1;
    assert_passes(filter, "3 5 ");
}

Test(decoder, filter_after_the_first_batch_is_refused)
{
    decoding d = filtered((etl_filter)ETL_FILTER_INIT);
    etl_batch *batch;
    cr_assert_eq(etl_decoder_next(d.decoder, &batch, NULL), ETL_OK);
    etl_error error = {0};
    cr_assert_eq(etl_decoder_set_filter(d.decoder, &provider_filter, &error), ETL_ERR_ARG);
    cr_assert_neq(error.message[0], 0);
    decode_done(&d);
}

/* ---- batches ---- */

/* Everything at once: types that come and go, columns that come late, raw payloads, items, SIDs,
   stacks, activities. */
static etl_build *mixture(void)
{
    static const uint8_t sids[2][12] = {{1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0},
                                        {1, 1, 0, 0, 0, 0, 0, 5, 19, 0, 0, 0}};
    etl_build *b = new_build();
    put_schemas(b);
    for (uint32_t i = 0; i < 40; i++) {
        etl_payload p = U32S(i, i + 1, i + 2, i + 3);
        p.size = 4 * (i % 5);
        uint8_t stack[24] = {0};
        stack[8] = (uint8_t)(i % 3);
        stack[0] = i % 4 == 0;
        char related[16] = "related activity";
        related[0] = (char)('a' + i % 2);
        etl_build_item items[] = {{2, sids[i / 20], 12},
                                  {i % 2 ? 6 : 5, stack, i % 2 ? 24 : 16},
                                  {1, related, 16},
                                  {13, stack, 8}};
        etl_build_event_record(
            b, 8,
            &(etl_build_event){.provider = i % 7 == 6 ? OTHER : PROVIDER,
                               .id = (uint16_t)(1 + i / 9),
                               .version = (uint8_t)(i / 9 == 1 ? 1 : 0),
                               .process = i % 3,
                               .thread = 1,
                               .time = 100 + i,
                               .activity = i % 3 ? "11111111-2222-3333-4444-555555555555" : NULL,
                               .items = items,
                               .item_count = i % 5},
            p.data, p.size);
    }
    return b;
}

Test(decoder, rows_do_not_depend_on_the_batch_size)
{
    decoding d = decode_built(mixture(), NULL);
    printed whole = print_all(&d);
    uint64_t events = etl_decoder_totals_get(d.decoder)->events;
    decode_done(&d);
    cr_assert_geq(events, 44);
    cr_assert_eq(occurrences(whole.events.data, "\n"), events);
    for (size_t i = 0; i < OTHER_COUNT; i++)
        cr_assert_gt(occurrences(whole.others[i].data, "\n"), 1, "table %zu is tested", i);
    static const size_t sizes[] = {1, 3, 17};
    for (size_t i = 0; i < ETL_COUNT_OF(sizes); i++) {
        d = decode_built(mixture(), &(etl_decoder_options){.batch_rows = sizes[i]});
        printed pieces = print_all(&d);
        cr_assert_str_eq(pieces.events.data, whole.events.data);
        for (size_t k = 0; k < OTHER_COUNT; k++)
            cr_assert_str_eq(pieces.others[k].data, whole.others[k].data);
        cr_assert_eq(etl_decoder_totals_get(d.decoder)->events, events);
        printed_done(&pieces);
        decode_done(&d);
    }
    printed_done(&whole);
}

/* A recycled batch is the same memory again, with nothing left in it. */
Test(decoder, recycled_batches_are_used_again)
{
    decoding d = decode_built(mixture(), &(etl_decoder_options){.batch_rows = 2});
    etl_batch *first, *second, *batch;
    cr_assert_eq(etl_decoder_next(d.decoder, &first, NULL), ETL_OK);
    cr_assert_eq(first->events.row_count, 2);
    etl_decoder_recycle(d.decoder, first);
    cr_assert_eq(etl_decoder_next(d.decoder, &second, NULL), ETL_OK);
    cr_assert_eq(second, first);
    cr_assert_eq(etl_decoder_next(d.decoder, &batch, NULL), ETL_OK);
    cr_assert_neq(batch, second, "that one is still out");
    cr_assert_eq(second->events.columns[ETL_EVENT_ID].values.ints[0], 3);
    cr_assert_eq(batch->events.columns[ETL_EVENT_ID].values.ints[0], 5);
    etl_decoder_recycle(d.decoder, second);
    etl_decoder_recycle(d.decoder, batch);
    decode_done(&d);
}

Test(decoder, all_batches_out_is_an_error)
{
    decoding d = decode_built(mixture(), &(etl_decoder_options){.batch_rows = 1});
    etl_batch *batches[ETL_DECODER_BATCHES + 1] = {0};
    for (int i = 0; i < ETL_DECODER_BATCHES; i++)
        cr_assert_eq(etl_decoder_next(d.decoder, &batches[i], NULL), ETL_OK);
    etl_error error = {0};
    cr_assert_lt(etl_decoder_next(d.decoder, &batches[ETL_DECODER_BATCHES], &error), 0);
    cr_assert_null(batches[ETL_DECODER_BATCHES]);
    cr_assert_not_null(strstr(error.message, "still out"), "%s", error.message);
    /* No event was lost by it. */
    etl_decoder_recycle(d.decoder, batches[2]);
    cr_assert_eq(etl_decoder_next(d.decoder, &batches[2], &error), ETL_OK);
    cr_assert_eq(batches[2]->events.columns[ETL_EVENT_ID].values.ints[0], ETL_DECODER_BATCHES + 1);
    for (int i = 0; i < ETL_DECODER_BATCHES; i++)
        etl_decoder_recycle(d.decoder, batches[i]);
    decode_done(&d);
}

Test(decoder, the_end_stays_the_end)
{
    decoding d = decode_built(new_build(), NULL);
    etl_batch *batch = NULL;
    int r;
    while ((r = etl_decoder_next(d.decoder, &batch, NULL)) == ETL_OK)
        etl_decoder_recycle(d.decoder, batch);
    cr_assert_eq(r, ETL_END);
    for (int i = 0; i < ETL_DECODER_BATCHES + 2; i++)
        cr_assert_eq(etl_decoder_next(d.decoder, &batch, NULL), ETL_END);
    decode_done(&d);
}

/* ---- header columns and what is interned ---- */

Test(decoder, interned_values_and_extended_items)
{
    static const uint8_t sid[] = {1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 0x20, 2, 0, 0};
    static const uint8_t bad_sid[] = {9, 9, 9};
    static const uint8_t stack64[] = {0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0x80, 0xFF, 0xFF};
    static const uint8_t stack32[] = {5, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x20, 0, 0, 0x80};
    etl_payload instance = U32S(3, 4);
    etl_put_guid(&instance, OTHER);
    etl_payload related = {.size = 0}, delta = {.size = 0}, counters = {.size = 0};
    etl_put_guid(&related, "11111111-2222-3333-4444-555555555555");
    etl_put_u64(&delta, UINT64_MAX);
    etl_put_u64(&counters, 1);
    etl_put_u64(&counters, 2);
    etl_build_item first[] = {{1, related.data, 16},
                              {2, sid, sizeof sid},
                              {6, stack64, sizeof stack64},
                              {3, "\x02\0\0\0", 4},
                              {4, instance.data, (uint16_t)instance.size},
                              {8, counters.data, 16}};
    etl_build_item second[] = {{2, bad_sid, sizeof bad_sid},
                               {5, stack32, sizeof stack32},
                               {15, delta.data, 8},
                               {14, related.data, 16},
                               {3, "\x02", 1}, /* not the published size */
                               {200, "\xAB\xCD", 2}};
    etl_build *b = new_build();
    etl_build_event e = {.provider = PROVIDER,
                         .id = 9,
                         .process = 1,
                         .thread = 2,
                         .time = 5,
                         .activity = "11111111-2222-3333-4444-555555555555",
                         .items = first,
                         .item_count = 6};
    etl_build_event_record(b, 8, &e, NULL, 0);
    e.items = second;
    e.activity = OTHER;
    e.time = 6;
    etl_build_event_record(b, 8, &e, NULL, 0);
    e.items = first; /* everything known by now */
    e.time = 7;
    etl_build_event_record(b, 8, &e, NULL, 0);
    e.activity = NULL;
    e.item_count = 0;
    e.time = 8;
    etl_build_event_record(b, 8, &e, NULL, 0);

    decoding d = decode_built(b, NULL);
    cr_assert_eq(etl_decoder_set_filter(d.decoder, &provider_filter, NULL), ETL_OK);
    printed to = print_all(&d);
    static const char *const ids[] = {
        " activity_id=1 related_activity_id=1 user_id=1 stack_id=1 version",
        " activity_id=2 user_id=2 stack_id=2 version",
        " activity_id=2 related_activity_id=1 user_id=1 stack_id=1 version", " keywords=0 version"};
    const char *line = to.events.data;
    for (size_t i = 0; i < ETL_COUNT_OF(ids); i++) {
        const char *end = strchr(line, '\n'), *at = strstr(line, ids[i]);
        cr_assert(at && at < end, "event %zu: %s", i + 1, line);
        line = end + 1;
    }
    cr_assert_str_eq(line, "");
    cr_assert_str_eq(to.others[ACTIVITY].data,
                     "activity id=1 guid=11111111-2222-3333-4444-555555555555\n"
                     "activity id=2 guid=" OTHER "\n");
    cr_assert_str_eq(to.others[SID].data, "sid id=1 sid=S-1-5-32-544\nsid id=2 sid=090909\n");
    cr_assert_str_eq(to.others[STACK].data, "stack id=1 frame_count=1\nstack id=2 frame_count=2\n");
    cr_assert_str_eq(to.others[STACK_FRAME].data,
                     "stack_frame stack_id=1 ordinal=0 address=-140737488355312\n"
                     "stack_frame stack_id=2 ordinal=0 address=16\n"
                     "stack_frame stack_id=2 ordinal=1 address=2147483680\n");
    cr_assert_str_eq(to.others[EXTENDED].data,
                     "extended event_id=1 type=terminal_session value=2\n"
                     "extended event_id=1 type=instance_info value=3 4 " OTHER "\n"
                     "extended event_id=1 type=pmc_counters value=1 2\n"
                     "extended event_id=2 type=stack_match value=5\n"
                     "extended event_id=2 type=qpc_delta value=-1\n"
                     "extended event_id=2 type=control_guid "
                     "value=11111111-2222-3333-4444-555555555555\n"
                     "extended event_id=2 type=terminal_session value=02\n"
                     "extended event_id=2 type=type_200 value=ABCD\n"
                     "extended event_id=3 type=terminal_session value=2\n"
                     "extended event_id=3 type=instance_info value=3 4 " OTHER "\n"
                     "extended event_id=3 type=pmc_counters value=1 2\n");
    printed_done(&to);
    decode_done(&d);
}

Test(decoder, header_columns)
{
    etl_build *b = new_build();
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = PROVIDER,
                                              .id = 9,
                                              .version = 3,
                                              .level = 2,
                                              .opcode = 6,
                                              .keyword = UINT64_C(0x8000000000000001),
                                              .process = 0x80000000,
                                              .thread = 12,
                                              .time = 10000001},
                           NULL, 0);
    etl_build_message(b, OTHER, 3, 0x0B, 0, 0, 20000000, "", 0); /* no process, no thread */
    decoding d = decode_built(b, NULL);
    printed to = print_all(&d);
    /* 2026-07-02T04:00:01.0000001Z */
    cr_assert_not_null(strstr(to.events.data, " ts=1782964801000000100 event_type_id="), "%s",
                       to.events.data);
    cr_assert_not_null(strstr(to.events.data,
                              " source_id=1 process_id=2147483648 thread_id=12 cpu=0 level=2 "
                              "opcode=6 keywords=-9223372036854775807 version=3 status=6 "),
                       "%s", to.events.data);
    cr_assert_not_null(strstr(to.events.data, " raw_time=10000001\n"));
    const char *message = strstr(to.events.data, "WPP_");
    cr_assert_not_null(message);
    cr_assert_null(strstr(message, "process_id="), "%s", message);
    cr_assert_null(strstr(message, "thread_id="));
    printed_done(&to);
    decode_done(&d);
}

/* ---- schemas that traces carry ---- */

Test(decoder, tracelogging_columns)
{
    etl_build *b = new_build();
    etl_payload meta = {.size = 0}, p = {.size = 0};
    etl_put_tl_event(&meta, "Mix");
    etl_put_tl_field(&meta, "Text", 1, -1, 0);
    etl_put_tl_field(&meta, "Number", 7, -1, 0);
    etl_put_tl_field(&meta, "List", 0x40 | 6, -1, 0);
    etl_put_tl_field(&meta, "Peer", 24, 2, 0);
    etl_put_tl_field(&meta, "Address", 8, 8, 0);
    etl_put_tl_field(&meta, "Id", 15, -1, 0);
    etl_put_wide(&p, "a b");
    etl_put_u32(&p, UINT32_MAX);
    etl_put_u16(&p, 2);
    etl_put_u16(&p, 7);
    etl_put_u16(&p, 8);
    etl_put_bytes(&p, "\x0A\x00\x00\x01", 4);
    etl_put_guid(&p, OTHER);
    put_tl(b, PROVIDER, "Prov", &meta, 5, &p);
    decoding d = decode_built(b, NULL);
    printed to = print_all(&d);
    const etl_event_type *type = type_named(d.decoder, "Prov_Mix");
    cr_assert_not_null(type);
    cr_assert_eq(type->kind, ETL_KIND_TRACELOGGING);
    cr_assert_eq(type->schema_source, ETL_SCHEMA_TRACELOGGING);
    cr_assert_eq(etl_decoder_totals_get(d.decoder)->by_schema_source[ETL_SCHEMA_TRACELOGGING], 1);
    cr_assert_not_null(strstr(to.events.data, ": Text=a b Number=-1 List=[7,8] "
                                              "Peer_Address=10.0.0.1 Peer_Id=" OTHER "\n"),
                       "%s", to.events.data);
    printed_done(&to);
    decode_done(&d);
}

/* The manifest comes after the events that need it. */
Test(decoder, eventsource_manifest)
{
    static const char manifest[] =
        "<instrumentationManifest xmlns=\"http://schemas.microsoft.com/win/2004/08/events\">"
        "<instrumentation><events><provider name=\"My-Source\" guid=\"{" PROVIDER "}\" "
        "symbol=\"S\" resourceFileName=\"s\" messageFileName=\"s\"><templates>"
        "<template tid=\"T\"><data name=\"N\" inType=\"win:UInt32\"/></template></templates>"
        "<events><event value=\"1\" version=\"0\" level=\"win:Informational\" symbol=\"Go\" "
        "template=\"T\"/></events></provider></events></instrumentation>"
        "</instrumentationManifest>";
    etl_build *b = new_build();
    etl_payload value = U32S(42), p = {.size = 0};
    put_event(b, 1, 0, 5, &value);
    etl_put_bytes(&p, "\x01\x01\x00\x5B\x01\x00\x00\x00", 8);
    etl_put_bytes(&p, manifest, sizeof manifest - 1);
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = PROVIDER,
                                              .id = 0xFFFE,
                                              .opcode = 0xFE,
                                              .process = 10,
                                              .thread = 11,
                                              .time = 9},
                           p.data, p.size);
    decoding d = decode_built(b, NULL);
    printed to = print_all(&d);
    const etl_event_type *type = type_named(d.decoder, "My_Source_1");
    cr_assert_not_null(type);
    cr_assert_eq(type->status_count[ETL_STATUS_EXACT], 1);
    cr_assert_eq(type->schema_source, ETL_SCHEMA_EVENTSOURCE);
    cr_assert_not_null(strstr(to.events.data, ": N=42\n"), "%s", to.events.data);
    type = type_named(d.decoder, "My_Source_65534");
    cr_assert_not_null(type);
    cr_assert_eq(type->status_count[ETL_STATUS_EXACT], 1, "the manifest event reads as well");
    printed_done(&to);
    decode_done(&d);
}

/* ---- what the whole trace tells ---- */

static uint64_t problem_count(const etl_decoder *decoder, const char *code, const char *text)
{
    for (size_t i = 0; i < etl_decoder_problem_count(decoder); i++) {
        etl_problem problem = etl_decoder_problem(decoder, i);
        if (strcmp(problem.code, code) == 0 && problem.text && strcmp(problem.text, text) == 0)
            return problem.count;
    }
    return 0;
}

Test(decoder, imperfect_types_are_reported_with_counts)
{
    etl_build *b = new_build();
    put_schemas(b);
    etl_payload p = U32S(1, 2, 3);
    put_event(b, 1, 0, 5, &p);
    put_event(b, 1, 0, 6, &p);
    put_event(b, 2, 7, 7, &p);
    put_event(b, 50, 0, 8, &p);
    p.size = 4;
    put_event(b, 1, 0, 9, &p);
    decoding d = decode_built(b, NULL);
    printed to = print_all(&d);
    cr_assert_eq(problem_count(d.decoder, "PAYLOAD_TRAILING", "Prov_1"), 2);
    cr_assert_eq(problem_count(d.decoder, "PAYLOAD_SHORT", "Prov_1"), 1);
    cr_assert_eq(problem_count(d.decoder, "SCHEMA_LOWER_VERSION", "Prov_2"), 1);
    cr_assert_eq(problem_count(d.decoder, "SCHEMA_MISSING", "Prov_50"), 1);
    cr_assert_eq(problem_count(d.decoder, "SCHEMA_MISSING", "Prov_1"), 0);
    printed_done(&to);
    decode_done(&d);
}

typedef struct watcher {
    unsigned calls, stop_at;
    uint64_t last, total;
} watcher;

static int watch(uint64_t done, uint64_t total, void *context)
{
    watcher *w = context;
    cr_assert_leq(done, total);
    cr_assert_geq(done, w->last);
    w->last = done;
    w->total = total;
    return ++w->calls == w->stop_at ? ETL_ERR_INTERRUPTED : ETL_OK;
}

Test(decoder, progress_can_stop_it)
{
    watcher w = {.stop_at = 3};
    etl_decoder_options options = {.batch_rows = 1, .progress = watch, .progress_context = &w};
    decoding d = decode_built(mixture(), &options);
    etl_batch *batch;
    etl_error error = {0};
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(etl_decoder_next(d.decoder, &batch, &error), ETL_OK, "%s", error.message);
        etl_decoder_recycle(d.decoder, batch);
    }
    cr_assert_eq(etl_decoder_next(d.decoder, &batch, &error), ETL_ERR_INTERRUPTED);
    cr_assert_eq(error.code, ETL_ERR_INTERRUPTED);
    cr_assert_str_eq(error.message, "interrupted");
    cr_assert_eq(w.calls, 3);
    w.stop_at = 4;
    cr_assert_eq(etl_decoder_poll(d.decoder), ETL_ERR_INTERRUPTED);
    cr_assert_eq(w.last, w.total, "done by then");
    decode_done(&d);
}

Test(decoder, progress_reaches_the_end)
{
    watcher w = {0};
    etl_decoder_options options = {.batch_rows = 8, .progress = watch, .progress_context = &w};
    decoding d = decode_built(mixture(), &options);
    printed to = print_all(&d);
    cr_assert_geq(w.calls, 5);
    cr_assert_gt(w.total, 0);
    cr_assert_eq(w.last, w.total);
    printed_done(&to);
    decode_done(&d);
}

/* All records come, in time order, each with what the filter says of it. */
Test(decoder, records_with_the_verdict_of_the_filter)
{
    etl_build *b = new_build();
    etl_payload p = {.size = 0};
    put_event(b, 1, 0, 100, &p);
    put_event(b, 2, 0, 300, &p);
    put_event(b, 3, 0, 400, &p);
    etl_build_buffer(b, 1);
    etl_build_full(b, 8, OTHER, 1, 0, 4, 8, 200, "", 0);
    decoding d = decode_built(b, NULL);
    etl_time begin = etl_trace_session(d.trace, 0)->start_time;
    etl_filter filter = provider_filter;
    filter.begin = begin + 100; /* 10 MHz: ticks are FILETIME steps */
    filter.end = begin + 300;
    cr_assert_eq(etl_decoder_set_filter(d.decoder, &filter, NULL), ETL_OK);
    static const struct {
        int64_t time;
        bool wanted;
    } expected[] = {{0, false}, {100, true}, {200, false}, {300, true}, {400, false}};
    etl_record record;
    bool wanted;
    for (size_t i = 0; i < ETL_COUNT_OF(expected); i++) {
        cr_assert_eq(etl_decoder_next_record(d.decoder, &record, &wanted, NULL), ETL_OK);
        cr_assert_eq(record.raw_time - etl_trace_session(d.trace, 0)->first_raw_time,
                     expected[i].time);
        cr_assert_eq(wanted, expected[i].wanted, "record %zu", i);
        cr_assert_eq(etl_load_u16(record.data + (i ? 0 : 4)), record.size);
    }
    cr_assert_eq(etl_decoder_next_record(d.decoder, &record, &wanted, NULL), ETL_END);
    cr_assert_eq(etl_decoder_totals_get(d.decoder)->events, 2);
    cr_assert_eq(etl_decoder_totals_get(d.decoder)->filtered, 3);
    decode_done(&d);
}
