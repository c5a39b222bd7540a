/* Traces made to cost time or memory out of proportion to their size. */
#include "columnar_test.h"

enum { TYPES = 10000, FIELDS = 1000 };

/* TraceLogging events whose names differ only in what a SQL name cannot hold. */
Test(hostile, many_types_of_one_sql_name, .timeout = 60)
{
    etl_diag diag = {0};
    etl_catalog *catalog;
    etl_types types;
    cr_assert_eq(etl_catalog_new(NULL, &diag, &catalog, NULL), ETL_OK);
    cr_assert_eq(etl_catalog_freeze(catalog, NULL), ETL_OK);
    cr_assert_eq(etl_types_init(&types, catalog), ETL_OK);
    etl_record record = {.kind = ETL_HEADER_EVENT};
    char last[16];
    for (int i = 0; i < TYPES; i++) {
        char name[] = "........";
        for (int digit = 0; digit < 8; digit++)
            name[digit] = "!#$%"[i >> 2 * digit & 3];
        etl_event_schema schema = {.event_name = name, .source = ETL_SCHEMA_TRACELOGGING};
        cr_assert_not_null(etl_types_get(&types, &record, ETL_KIND_TRACELOGGING, &schema));
    }
    cr_assert_eq(types.count, TYPES);
    snprintf(last, sizeof last, "_%d", TYPES - 1); /* one is plain, one has the GUID alone */
    const char *name = types.types[TYPES - 1]->pub.name;
    cr_assert_str_eq(name + strlen(name) - strlen(last), last, "%s", name);
    etl_types_done(&types);
    etl_catalog_free(catalog);
    etl_diag_free(&diag);
}

/* Schemas that call all their fields the same. */
Test(hostile, many_columns_of_one_name, .timeout = 60)
{
    etl_diag diag = {0};
    etl_catalog *catalog;
    etl_types types;
    cr_assert_eq(etl_catalog_new(NULL, &diag, &catalog, NULL), ETL_OK);
    cr_assert_eq(etl_catalog_freeze(catalog, NULL), ETL_OK);
    cr_assert_eq(etl_types_init(&types, catalog), ETL_OK);
    etl_record record = {.kind = ETL_HEADER_EVENT};
    etl_property property = {.name = "a", .in_type = ETL_IN_UINT8};
    etl_field field = {.name = "a", .property = &property, .type = ETL_FIELD_INT};
    for (uint16_t id = 0; id < 50; id++) {
        record.id = id;
        etl_type *type = etl_types_get(&types, &record, ETL_KIND_MANIFEST, NULL);
        cr_assert_not_null(type);
        bool used[ETL_LIMIT_TYPE_COLUMNS + 1] = {0};
        for (int i = 0; i < FIELDS; i++) {
            cr_assert_eq(etl_type_column(&types, type, &field, used), i);
            used[i] = true;
        }
        cr_assert_str_eq(type->pub.columns[FIELDS - 1]->name, "a_1000");
    }
    etl_types_done(&types);
    etl_catalog_free(catalog);
    etl_diag_free(&diag);
}

/* Small payloads that become long JSON end a batch like long payloads do. The first event of all
   has no fields. */
Test(hostile, json_counts_into_the_batch)
{
    enum { EVENTS = 40, MEMBERS = 100, ELEMENTS = 300 };
    etl_build *b = new_build();
    etl_payload plain = {.size = 0}, meta = {.size = 0}, p = {.size = 0};
    etl_put_tl_event(&plain, "Plain");
    put_tl(b, PROVIDER, "Prov", &plain, 1, &p);
    etl_put_tl_event(&meta, "Long");
    etl_put_tl_field(&meta, "S", 24 | 0x40, MEMBERS + 1, 0);
    etl_put_tl_field(&meta, "u", 4, -1, 0);
    for (int i = 0; i < MEMBERS; i++)
        etl_put_tl_field(&meta, "a_member_without_any_bytes", 4 | 0x20, -1, 0);
    etl_put_u16(&p, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++)
        etl_put_u8(&p, 7);
    for (int i = 0; i < EVENTS; i++)
        put_tl(b, PROVIDER, "Prov", &meta, 2 + i, &p);
    decoding d = decode_built(b, NULL);
    etl_batch *batch;
    size_t events = 0, batches = 0;
    while (etl_decoder_next(d.decoder, &batch, NULL) == ETL_OK) {
        size_t size = 0;
        for (size_t t = 0; t < batch->table_count; t++)
            for (size_t c = 0; c < batch->tables[t].column_count; c++)
                size += batch->tables[t].columns[c].data_size;
        cr_assert_lt(size, 20u << 20);
        events += batch->events.row_count;
        batches++;
        etl_decoder_recycle(d.decoder, batch);
    }
    cr_assert_eq(events, EVENTS + 2); /* with the header's own */
    cr_assert_gt(batches, 1);
    cr_assert_geq(etl_decoder_totals_get(d.decoder)->by_status[ETL_STATUS_EXACT], EVENTS + 1);
    decode_done(&d);
}

/* Longer JSON is cut; then the event says so and keeps its bytes. */
Test(hostile, cut_json_keeps_the_payload)
{
    enum { MEMBERS = 100, ELEMENTS = 1000 };
    etl_build *b = new_build();
    etl_payload meta = {.size = 0}, p = {.size = 0};
    etl_put_tl_event(&meta, "Long");
    etl_put_tl_field(&meta, "S", 24 | 0x40, MEMBERS + 1, 0);
    etl_put_tl_field(&meta, "u", 4, -1, 0);
    for (int i = 0; i < MEMBERS; i++)
        etl_put_tl_field(&meta, "a_member_without_any_bytes", 4 | 0x20, -1, 0);
    etl_put_u16(&p, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++)
        etl_put_u8(&p, 7);
    put_tl(b, PROVIDER, "Prov", &meta, 1, &p);
    decoding d = decode_built(b, NULL);
    etl_batch *batch;
    size_t raw = 0;
    while (etl_decoder_next(d.decoder, &batch, NULL) == ETL_OK) {
        raw += batch->raw_payload.row_count;
        etl_decoder_recycle(d.decoder, batch);
    }
    cr_assert_eq(etl_decoder_totals_get(d.decoder)->by_status[ETL_STATUS_OPAQUE], 1);
    cr_assert_geq(raw, 1);
    decode_done(&d);
}

/* A time that nanoseconds since 1970 cannot hold is clamped, and that is told. */
Test(hostile, times_out_of_range_are_told)
{
    etl_build *b = etl_build_new(&(etl_build_options){.clock = 2, .first_time = 1});
    etl_build_buffer(b, 0);
    etl_build_perfinfo(b, 8, 0x0F2E, 2, INT64_MAX / 2, NULL, 0);
    decoding d = decode_built(b, NULL);
    etl_batch *batch;
    while (etl_decoder_next(d.decoder, &batch, NULL) == ETL_OK)
        etl_decoder_recycle(d.decoder, batch);
    uint64_t told = 0;
    for (size_t i = 0; i < etl_decoder_problem_count(d.decoder); i++) {
        etl_problem problem = etl_decoder_problem(d.decoder, i);
        if (strcmp(problem.code, "TIME_RANGE") == 0)
            told += problem.count;
    }
    cr_assert_eq(told, 2); /* the header record's 1601, too */
    decode_done(&d);
}
