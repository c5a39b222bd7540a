#include "sink_test.h"

TestSuite(sqlite, .init = directory_make, .fini = directory_remove);

/* Converts into "out.db". */
static etl_convert_result convert_to(etl_build *b, const etl_decoder_options *options,
                                     unsigned jobs, const char *path)
{
    decoding d = decode_built(b, options);
    etl_error error = {0};
    etl_convert_result result = {0};
    int r = etl_convert(d.decoder, path,
                        &(etl_convert_options){.jobs = jobs, .command = "etlkit 'x' \"y\""},
                        &result, &error);
    cr_assert_eq(r, ETL_OK, "%s", error.message);
    decode_done(&d);
    return result;
}

static sqlite3 *convert(etl_build *b)
{
    convert_to(b, NULL, 1, in_directory("out.db"));
    return open_database(in_directory("out.db"));
}

/* What any database has to stand. */
static void check_sound(sqlite3 *db)
{
    assert_query(db, "PRAGMA integrity_check", "ok");
    assert_query(db, "PRAGMA foreign_key_check", "");
    /* Every view runs, and has one row an event of its type. */
    char *views = query(db, "SELECT name FROM sqlite_master WHERE type='view' AND "
                            "name<>'event_text' ORDER BY rowid");
    size_t count = 0;
    for (char *save, *name = strtok_r(views, "\n", &save); name;
         name = strtok_r(NULL, "\n", &save)) {
        char sql[1024];
        snprintf(sql, sizeof sql,
                 "SELECT count(*)=(SELECT event_count FROM event_type WHERE name='%s') AND "
                 "count(*)>0 FROM (SELECT * FROM \"%s\")",
                 name, name);
        assert_query(db, sql, "1");
        snprintf(sql, sizeof sql, "SELECT * FROM \"%s\"", name);
        free(query(db, sql));
        count++;
    }
    free(views);
    char expected[16];
    snprintf(expected, sizeof expected, "%zu", count);
    assert_query(db, "SELECT count(*) FROM event_type WHERE event_count>0", expected);
    assert_query(db, "SELECT (SELECT count(*) FROM event_text)=(SELECT count(*) FROM event)", "1");
    /* and everything is described */
    assert_query(
        db,
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c "
        "WHERE m.type='table' AND NOT EXISTS(SELECT 1 FROM doc WHERE table_name=m.name AND "
        "column_name=c.name)",
        "");
}

/* ---- one trace with much in it ---- */

static const info_field everything[] = {{"Code", ETL_IN_UINT32, 0, "Codes"},
                                        {"Bits", ETL_IN_UINT32, 0, "Flags"},
                                        {"Big", ETL_IN_UINT64, 0, NULL},
                                        {"When", ETL_IN_FILETIME, 0, NULL},
                                        {"Address", ETL_IN_UINT32, ETL_OUT_IPV4, NULL},
                                        {"Id", ETL_IN_GUID, 0, NULL},
                                        {"Share", ETL_IN_DOUBLE, 0, NULL},
                                        {"Result", ETL_IN_UINT32, ETL_OUT_NTSTATUS, NULL},
                                        {"Text", ETL_IN_UNICODESTRING, 0, NULL}};

static void put_everything(etl_build *b, int64_t time, uint32_t code, uint32_t bits, uint64_t big,
                           uint64_t when)
{
    double share = 0.25;
    etl_payload p = U32S(code, bits);
    etl_put_u64(&p, big);
    etl_put_u64(&p, when);
    etl_put_bytes(&p, "\xC0\xA8\x01\x02", 4);
    etl_put_guid(&p, OTHER);
    etl_put_bytes(&p, &share, 8);
    etl_put_u32(&p, 0xC0000022);
    etl_put_wide(&p, "it's \"x\"");
    put_event(b, 1, 0, time, &p);
}

static etl_build *rich(void)
{
    static const map_text codes[] = {{1, "One"}, {2, "it's two"}, {1, "again"}};
    static const map_text flags[] = {{1, "Read"}, {2, "Write"}, {0x10, "Hidden"}};
    etl_build *b = new_build();
    put_map(b, PROVIDER, "Codes", false, codes, 3);
    put_map(b, PROVIDER, "Flags", true, flags, 3);
    put_info(b, &(info){.provider = PROVIDER,
                        .provider_name = "Prov",
                        .task_name = "Work",
                        .id = 1,
                        .fields = everything,
                        .field_count = ETL_COUNT_OF(everything)});
    put_everything(b, 100, 1, 3, UINT64_C(0xFFFFFFFFFFFFFFFE), (uint64_t)START + 7);
    put_everything(b, 200, 2, 0, 5, 0);
    put_everything(b, 300, 9, 0x28, 0, UINT64_MAX);
    etl_payload raw = U32S(0x01020304);
    put_event(b, 2, 0, 400, &raw);
    raw.size = 0;
    etl_build_item items[] = {{2, "\x01\x01\0\0\0\0\0\x05\x12\0\0\0", 12},
                              {6, "\0\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0", 16},
                              {3, "\x02\0\0\0", 4}};
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = PROVIDER,
                                              .id = 3,
                                              .process = 10,
                                              .thread = 11,
                                              .time = 500,
                                              .activity = OTHER,
                                              .items = items,
                                              .item_count = 3},
                           NULL, 0);
    etl_build_message(b, OTHER, 3, 0x0B, 0, 0, 600, "", 0);
    return b;
}

Test(sqlite, structure)
{
    sqlite3 *db = convert(rich());
    check_sound(db);
    assert_query(db, "PRAGMA application_id", "1163152459"); /* ETLK */
    assert_query(db, "PRAGMA user_version", "1");
    assert_query(db,
                 "SELECT name FROM pragma_table_list WHERE type='table' AND schema='main' AND "
                 "NOT strict AND name<>'sqlite_schema'",
                 "");
    static const char *const tables[][2] = {
        {"meta", "key,value"},
        {"provider", "id,guid,name,event_count"},
        {"event_type",
         "id,provider_id,kind,event_id,opcode,task,level,channel,keywords,event_name,task_name,"
         "opcode_name,level_name,channel_name,keyword_names,message,schema_source,event_count,"
         "exact_count,name,table_name"},
        {"field", "event_type_id,ordinal,name,column_name,in_type,out_type,is_json,map_name"},
        {"event",
         "id,ts,event_type_id,source_id,process_id,thread_id,cpu,level,opcode,keywords,activity_id,"
         "related_activity_id,user_id,stack_id,version,status,file_offset,raw_time"},
        {"Prov_1_data", "event_id,Code,Bits,Big,When,Address,Id,Share,Result,Text"},
        {"raw_payload", "event_id,payload"},
        {"extended", "event_id,type,value"},
        {"activity", "id,guid"},
        {"sid", "id,sid"},
        {"stack", "id,frame_count"},
        {"stack_frame", "stack_id,ordinal,address"},
        {"map_value", "event_type_id,column_name,value,text,map_name,kind"},
        {"diagnostic", "id,code,severity,source_id,file_offset,count,meaning,text"},
        {"doc", "table_name,column_name,description"},
        {"event_text",
         "event_id,time,ts,provider,event_type,event,event_number,version,task_name,opcode,level,"
         "channel_name,keyword_names,process_id,thread_id,cpu,activity,related_activity,user_sid,"
         "stack_id,status,schema_source,source,file_offset,raw_time"},
        {"Prov_1",
         "event_id,time,ts,source_id,process_id,thread_id,cpu,level,opcode,keywords,version,status,"
         "activity,related_activity,user_sid,stack_id,provider,event,level_name,Code,Code_text,"
         "Bits,Bits_text,Big,Big_text,"
         "When,Address,Id,Share,Result,Result_text,Text"}};
    for (size_t i = 0; i < ETL_COUNT_OF(tables); i++) {
        char sql[256];
        snprintf(sql, sizeof sql, "SELECT group_concat(name) FROM pragma_table_info('%s')",
                 tables[i][0]);
        assert_query(db, sql, tables[i][1]);
    }
    assert_query(db,
                 "SELECT count(*), min(length(sha256)), min(path<>''), min(trace_size>0), "
                 "min(trace_size=bytes_header+bytes_used+bytes_padding+bytes_skipped) FROM "
                 "source",
                 "1|64|1|1|1");
    assert_query(
        db, "SELECT group_concat(type||name) FROM pragma_table_info('Prov_1_data')",
        "INTEGERevent_id,INTEGERCode,INTEGERBits,INTEGERBig,INTEGERWhen,TEXTAddress,TEXTId,"
        "REALShare,INTEGERResult,TEXTText");
    assert_query(db, "SELECT key, value FROM meta WHERE key IN ('command','schema_version')",
                 "command|etlkit 'x' \"y\"\nschema_version|1");
    sqlite3_close(db);
}

Test(sqlite, values)
{
    sqlite3 *db = convert(rich());
    assert_query(db,
                 "SELECT Code, Bits, Big, \"When\", Address, Id, Share, Result, Text FROM "
                 "Prov_1_data LIMIT 1",
                 "1|3|-2|134274384000000007|192.168.1.2|" OTHER "|0.25|3221225506|it's \"x\"");
    assert_query(db,
                 "SELECT Code_text, Bits_text, Big_text, \"When\", Address, Result_text, time, "
                 "process_id FROM Prov_1 ORDER BY event_id",
                 "One|Read|Write|0xFFFFFFFFFFFFFFFE|2026-07-02T04:00:00.0000007Z|192.168.1.2|"
                 "0xC0000022|2026-07-02T04:00:00.0000100Z|10\n"
                 "it's two|0|0x5|0|192.168.1.2|0xC0000022|2026-07-02T04:00:00.0000200Z|10\n"
                 "9|0x28|0x0|-1|192.168.1.2|0xC0000022|2026-07-02T04:00:00.0000300Z|10");
    assert_query(db,
                 "SELECT typeof(Big), typeof(Share), typeof(Id), typeof(Address) FROM "
                 "Prov_1_data LIMIT 1",
                 "integer|real|text|text");
    assert_query(db,
                 "SELECT ts, raw_time FROM event WHERE id=(SELECT min(event_id) FROM "
                 "Prov_1_data)",
                 "1782964800000010000|100");
    assert_query(
        db,
        "SELECT hex(payload) FROM raw_payload JOIN event e ON e.id=raw_payload.event_id JOIN "
        "event_type t ON t.id=event_type_id WHERE t.name='Prov_2'",
        "04030201");
    assert_query(db, "SELECT hex(raw_payload), status FROM Prov_2", "04030201|6");
    assert_query(db,
                 "SELECT name, table_name, schema_source, exact_count FROM event_type WHERE "
                 "name LIKE 'Prov\\_%' ESCAPE '\\'",
                 "Prov_1|Prov_1_data|trace|3\nProv_2|NULL|none|0\nProv_3|NULL|none|0");
    assert_query(db,
                 "SELECT name, column_name, map_name, ordinal FROM field WHERE map_name NOTNULL",
                 "Code|Code|Codes|1\nBits|Bits|Flags|2");
    assert_query(db, "SELECT column_name, value, text, kind FROM map_value",
                 "Bits|1|Read|bits\nBits|2|Write|bits\nBits|16|Hidden|bits\n"
                 "Code|1|One|value\nCode|2|it's two|value");
    sqlite3_close(db);
}

Test(sqlite, absent_is_null)
{
    sqlite3 *db = convert(rich());
    assert_query(db,
                 "SELECT activity_id, related_activity_id, user_id, stack_id FROM event "
                 "WHERE raw_time IN (100, 500) ORDER BY raw_time",
                 "NULL|NULL|NULL|NULL\n1|NULL|1|1");
    assert_query(db, "SELECT process_id, thread_id FROM event WHERE raw_time=600", "NULL|NULL");
    assert_query(db, "SELECT activity, related_activity, user_sid, stack_id FROM Prov_3",
                 OTHER "|NULL|S-1-5-18|1");
    assert_query(db,
                 "SELECT activity, user_sid, status, event_type FROM event_text WHERE "
                 "raw_time IN (100, 500) ORDER BY raw_time",
                 "NULL|NULL|exact|Prov_1\n" OTHER "|S-1-5-18|no schema|Prov_3");
    assert_query(db, "SELECT address FROM stack_frame", "16");
    assert_query(db, "SELECT type, value FROM extended ORDER BY type",
                 "sequence|5\nterminal_session|2");
    sqlite3_close(db);
}

/* What only some headers say. */
Test(sqlite, header_parts_are_extended_rows)
{
    etl_build *b = new_build();
    etl_build_message(b, OTHER, 3, 0x0D, 0, 0, 1, "", 0);
    etl_build_instance(b, 8, PROVIDER, OTHER, 1, 0, 2, 3, 2, "", 0);
    sqlite3 *db = convert(b);
    assert_query(db,
                 "SELECT raw_time, type, value FROM extended JOIN event ON event.id=event_id "
                 "ORDER BY raw_time, type",
                 "1|component_id|7\n1|sequence|5\n2|instance_info|31 32 " OTHER);
    sqlite3_close(db);
}

/* A kind without a published layout: an event, its bytes kept. */
Test(sqlite, unknown_kind_is_a_raw_event)
{
    static const uint8_t timed[12] = {12, 0, 12, 0xC0, 1, 2, 3, 4, 5, 6, 7, 8};
    etl_build *b = new_build();
    etl_build_perfinfo(b, 8, 0x0F2E, 2, 4, "", 0);
    etl_build_raw(b, timed, sizeof timed);
    sqlite3 *db = convert(b);
    assert_query(db,
                 "SELECT opcode, hex(payload) FROM event JOIN raw_payload ON event_id=event.id "
                 "WHERE raw_time=4",
                 "12|0102030405060708");
    assert_query(db, "SELECT records_unknown FROM source", "1");
    assert_query(db, "SELECT count FROM diagnostic WHERE code='RECORD_UNKNOWN'", "1");
    sqlite3_close(db);
}

/* `rows` is what the tables hold; the doc table is not data. */
Test(sqlite, result_counts)
{
    etl_convert_result result = convert_to(rich(), NULL, 1, in_directory("out.db"));
    sqlite3 *db = open_database(in_directory("out.db"));
    char *names = query(db, "SELECT name FROM sqlite_master WHERE type='table' AND name<>'doc' AND "
                            "name NOT LIKE 'sqlite_%'");
    uint64_t rows = 0;
    for (char *save, *name = strtok_r(names, "\n", &save); name;
         name = strtok_r(NULL, "\n", &save)) {
        char sql[256];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM \"%s\"", name);
        char *count = query(db, sql);
        rows += strtoull(count, NULL, 10);
        free(count);
    }
    free(names);
    cr_assert_eq(result.rows, rows, "%llu, tables have %llu", (unsigned long long)result.rows,
                 (unsigned long long)rows);
    char *events = query(db, "SELECT count(*) FROM event");
    cr_assert_eq(result.events, strtoull(events, NULL, 10));
    free(events);
    struct stat st;
    cr_assert_eq(stat(in_directory("out.db"), &st), 0);
    cr_assert_eq(result.output_bytes, (uint64_t)st.st_size);
    sqlite3_close(db);
}

/* ---- names ---- */

Test(sqlite, clashing_and_hostile_property_names)
{
    static const info_field fields[] = {{"event_id", ETL_IN_UINT32, 0, NULL},
                                        {"time", ETL_IN_UINT32, 0, NULL},
                                        {"event_time", ETL_IN_UINT32, 0, NULL},
                                        {"status", ETL_IN_UINT32, 0, NULL},
                                        {"Name", ETL_IN_UINT32, 0, NULL},
                                        {"NAME", ETL_IN_UINT32, 0, NULL},
                                        {"a\"b'c]", ETL_IN_UINT32, 0, "M\"'"},
                                        {"x; DROP TABLE event", ETL_IN_UINT64, 0, NULL},
                                        {"", ETL_IN_UINT32, 0, NULL},
                                        {"Name_text", ETL_IN_UINT32, 0, NULL},
                                        {"Ptr", ETL_IN_HEXINT32, 0, NULL},
                                        {"PTR_text", ETL_IN_UINT32, 0, NULL},
                                        {"raw_payload", ETL_IN_UINT32, 0, NULL},
                                        {"rowid", ETL_IN_UINT32, 0, NULL}};
    static const map_text entries[] = {{7, "se\"v'en"}};
    etl_build *b = new_build();
    put_map(b, PROVIDER, "M\"'", false, entries, 1);
    put_info(b, &(info){.provider = PROVIDER,
                        .provider_name = "Bad \"name\"'; --",
                        .id = 1,
                        .fields = fields,
                        .field_count = ETL_COUNT_OF(fields)});
    etl_payload p = U32S(1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 10, 11, 12, 13, 14);
    put_event(b, 1, 0, 100, &p);
    etl_put_u32(&p, 99); /* trailing: kept raw too */
    put_event(b, 1, 0, 200, &p);
    sqlite3 *db = convert(b);
    check_sound(db);
    assert_query(db, "SELECT name, schema_source FROM event_type WHERE event_id=1",
                 "Bad__name_______1|trace");
    assert_query(db, "SELECT group_concat(column_name) FROM field",
                 "event_id_2,time,event_time,status,Name,NAME_2,a\"b'c],x; DROP TABLE event,field,"
                 "Name_text,Ptr,PTR_text,raw_payload,rowid");
    assert_query(db, "SELECT name FROM field WHERE column_name IN ('event_id_2','NAME_2','field')",
                 "event_id\nNAME\n");
    assert_query(db,
                 "SELECT event_id_2, time, event_time, status, Name, NAME_2, \"a\"\"b'c]\", "
                 "\"a\"\"b'c]_text\", \"x; DROP TABLE event\", \"x; DROP TABLE event_text\", "
                 "field, Name_text, Ptr, PTR_text, raw_payload, event_status FROM "
                 "Bad__name_______1 LIMIT 1",
                 "1|2|3|4|5|6|7|se\"v'en|8|0x8|9|10|11|12|13|0");
    assert_query(db, "SELECT event_event_time FROM Bad__name_______1 LIMIT 1",
                 "2026-07-02T04:00:00.0000100Z");
    assert_query(db,
                 "SELECT count(*), count(DISTINCT lower(name)) FROM "
                 "pragma_table_info('Bad__name_______1')",
                 "35|35");
    assert_query(db, "SELECT name FROM provider WHERE name LIKE 'Bad%'", "Bad \"name\"'; --");
    sqlite3_close(db);
}

/* Type names that are those of SQLite's or of the database's own objects. */
Test(sqlite, type_names_that_clash_with_objects)
{
    static const char *const pairs[][2] = {
        {"sqlite", "stat1"}, {"event", "ts"},    {"event", "without"}, {"extended", "by_event"},
        {"event", "text"},   {"stack", "frame"}, {"raw", "payload"}};
    etl_build *b = new_build();
    for (unsigned i = 0; i < ETL_COUNT_OF(pairs); i++) {
        char guid[ETL_GUID_TEXT_SIZE];
        snprintf(guid, sizeof guid, "%08x-0000-4000-8000-000000000000", i + 1);
        etl_payload meta = {.size = 0}, p = U32S(i);
        etl_put_tl_event(&meta, pairs[i][1]);
        etl_put_tl_field(&meta, "N", 8, -1, 0);
        put_tl(b, guid, pairs[i][0], &meta, 100 + i, &p);
    }
    sqlite3 *db = convert(b);
    check_sound(db);
    assert_query(db, "SELECT count(*) FROM event_type WHERE kind='tracelogging' AND exact_count=1",
                 "7");
    sqlite3_close(db);
}

/* Columns that a later version brings, after the table was made and filled. */
Test(sqlite, later_columns_are_added)
{
    static const info_field first[] = {{"A", ETL_IN_UINT32, 0, NULL}};
    static const info_field second[] = {{"A", ETL_IN_UINT32, 0, NULL},
                                        {"Late \"one\"", ETL_IN_UNICODESTRING, 0, NULL},
                                        {"Ip", ETL_IN_UINT32, ETL_OUT_IPV4, NULL}};
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        etl_build *b = new_build();
        put_info(b, &(info){.provider = PROVIDER,
                            .provider_name = "P",
                            .id = 1,
                            .fields = first,
                            .field_count = 1});
        put_info(b, &(info){.provider = PROVIDER,
                            .provider_name = "P",
                            .id = 1,
                            .version = 1,
                            .fields = second,
                            .field_count = 3});
        for (uint32_t i = 0; i < 6; i++) {
            etl_payload p = U32S(i);
            if (i % 3 == 2) {
                etl_put_wide(&p, "x");
                etl_put_bytes(&p, "\x7F\x00\x00\x01", 4);
            }
            put_event(b, 1, i % 3 == 2, 100 + i, &p);
        }
        const char *path = in_directory(jobs == 1 ? "one.db" : "two.db");
        convert_to(b, &(etl_decoder_options){.batch_rows = 1}, jobs, path);
        sqlite3 *db = open_database(path);
        check_sound(db);
        assert_query(db, "SELECT A, \"Late \"\"one\"\"\", Ip FROM P_1 ORDER BY event_id",
                     "0|NULL|NULL\n1|NULL|NULL\n2|x|127.0.0.1\n3|NULL|NULL\n4|NULL|NULL\n"
                     "5|x|127.0.0.1");
        sqlite3_close(db);
    }
}

/* As many columns as one type may have: table, view and load still work. */
Test(sqlite, many_columns)
{
    enum { VERSIONS = 64, FIELDS = 30, COLUMNS = VERSIONS * FIELDS };
    static_assert(COLUMNS > (int)ETL_LIMIT_TYPE_COLUMNS, "the limit is reached");
    static char names[COLUMNS][8];
    etl_build *b = new_build();
    for (int v = 0; v < VERSIONS; v++) {
        info_field fields[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            int n = v * FIELDS + i;
            snprintf(names[n], sizeof names[n], "c%d", n);
            fields[i] = (info_field){names[n], ETL_IN_HEXINT64, 0, NULL};
        }
        put_info(b, &(info){.provider = PROVIDER,
                            .provider_name = "P",
                            .id = 1,
                            .version = (uint8_t)v,
                            .fields = fields,
                            .field_count = FIELDS});
    }
    for (int v = 0; v < VERSIONS; v++) {
        etl_payload p = {.size = 0};
        for (int i = 0; i < FIELDS; i++)
            etl_put_u64(&p, (uint64_t)(v * FIELDS + i));
        put_event(b, 1, (uint8_t)v, 100 + v, &p);
    }
    sqlite3 *db = convert(b);
    check_sound(db);
    assert_query(db, "SELECT count(*) FROM pragma_table_info('P_1_data')", "1901");
    assert_query(db, "SELECT c0, c30 FROM P_1 LIMIT 2", "0|NULL\nNULL|30");
    assert_query(db, "SELECT c1890 FROM P_1 WHERE version=63", "1890");
    /* What has no column is kept raw. */
    assert_query(db, "SELECT status, length(raw_payload) FROM P_1 WHERE version>=62",
                 "0|NULL\n5|240");
    sqlite3_close(db);
}

/* ---- reproducible ---- */

Test(sqlite, bytes_do_not_depend_on_jobs)
{
    static const char *const files[] = {"1.db", "2.db", "0.db"};
    char *first = NULL;
    size_t first_size = 0;
    size_t trace_size;
    uint8_t *trace = etl_build_finish(rich(), &trace_size);
    etl_test_write_file(in_directory("in.etl"), trace, trace_size);
    free(trace);
    for (size_t i = 0; i < ETL_COUNT_OF(files); i++) {
        etl_source *source;
        etl_trace *t;
        etl_decoder *decoder;
        cr_assert_eq(etl_source_open(in_directory("in.etl"), &source, NULL), ETL_OK);
        cr_assert_eq(etl_trace_open(&source, 1, &t, NULL), ETL_OK);
        cr_assert_eq(etl_decoder_open(t, &(etl_decoder_options){.batch_rows = 2}, &decoder, NULL),
                     ETL_OK);
        etl_convert_options options = {.jobs = (unsigned)(files[i][0] - '0')};
        cr_assert_eq(etl_convert(decoder, in_directory(files[i]), &options, NULL, NULL), ETL_OK);
        etl_decoder_close(decoder);
        etl_trace_close(t);
        etl_source_close(source);
        size_t size;
        char *bytes = read_all(in_directory(files[i]), &size);
        cr_assert_gt(size, 8192);
        if (!first) {
            first = bytes;
            first_size = size;
            continue;
        }
        cr_assert_eq(size, first_size);
        cr_assert_eq(memcmp(bytes, first, size), 0, "%s differs", files[i]);
        free(bytes);
    }
    free(first);
}

Test(sqlite, trace_without_events)
{
    sqlite3 *db = convert(etl_build_new(NULL));
    check_sound(db);
    assert_query(db, "SELECT count(*) FROM source", "1");
    sqlite3_close(db);
}
