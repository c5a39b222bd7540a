/* Views: one per event type with names and texts spelled out, and event_text over all of them. */
#include "sink/sqlite_sink.h"

#include <stdio.h>
#include <stdlib.h>

/* ISO text with seven decimals of nanoseconds since 1970 in SQL; % keeps the sign, so times before
   1970 need the floor. */
#define SQL_TIME(ts)                                                                               \
    "strftime('%Y-%m-%dT%H:%M:%S',(" ts "-(" ts "%1000000000+1000000000)%1000000000)/1000000000,"  \
    "'unixepoch')||printf('.%07dZ',((" ts "%1000000000+1000000000)%1000000000)/100)"

/* Header columns of a type's view: name and expression. */
static const struct {
    const char *name;
    const char *expression;
} header_columns[] = {
    {"event_id", "e.id"},
    {"time", SQL_TIME("e.ts")},
    {"ts", "e.ts"},
    {"source_id", "e.source_id"},
    {"process_id", "e.process_id"},
    {"thread_id", "e.thread_id"},
    {"cpu", "e.cpu"},
    {"level", "e.level"},
    {"opcode", "e.opcode"},
    {"keywords", "e.keywords"},
    {"version", "e.version"},
    {"status", "e.status"},
    {"activity", "(SELECT guid FROM activity WHERE id=e.activity_id)"},
    {"related_activity", "(SELECT guid FROM activity WHERE id=e.related_activity_id)"},
    {"user_sid", "(SELECT sid FROM sid WHERE id=e.user_id)"},
    {"stack_id", "e.stack_id"}};

static bool column_named(const etl_event_type *type, const char *name)
{
    for (size_t i = 0; i < type->column_count; i++)
        if (etl_ascii_equal(type->columns[i]->name, name))
            return true;
    return false;
}

/* A payload column keeps its name; a header column that clashes with it is called event_<name>. */
static void add_header_column(etl_str *sql, const etl_event_type *type, bool has_table,
                              const char *expression, const char *column)
{
    char name[ETL_LIMIT_NAME_BYTES];
    snprintf(name, sizeof name, "%s", column);
    while (has_table && column_named(type, name) && strlen(name) + 7 < sizeof name) {
        memmove(name + 6, name, strlen(name) + 1);
        memcpy(name, "event_", 6);
    }
    etl_str_printf(sql, "%s AS %s", expression, name);
}

static void add_header_columns(etl_str *sql, const etl_event_type *type, bool has_table)
{
    for (size_t i = 0; i < ETL_COUNT_OF(header_columns); i++) {
        etl_str_puts(sql, i ? "," : "");
        add_header_column(sql, type, has_table, header_columns[i].expression,
                          header_columns[i].name);
    }
    /* Names are the same in all rows of the view. */
    const char *const names[][2] = {{"provider", type->provider->name},
                                    {"event", type->event_name ? type->event_name : type->name},
                                    {"level_name", type->level_name}};
    for (size_t i = 0; i < ETL_COUNT_OF(names); i++) {
        etl_str literal = {0};
        if (names[i][1])
            etl_sqlite_literal(&literal, names[i][1]);
        else
            etl_str_puts(&literal, "NULL");
        etl_str_puts(sql, ",");
        if (!literal.failed)
            add_header_column(sql, type, has_table, literal.data, names[i][0]);
        sql->failed |= literal.failed;
        etl_str_free(&literal);
    }
}

static bool is_u64(uint16_t in_type)
{
    return in_type == ETL_IN_UINT64 || in_type == ETL_IN_HEXINT64 || in_type == ETL_IN_POINTER ||
           in_type == ETL_IN_SIZET;
}

static void add_map_text(etl_str *sql, const etl_event_type *type, const etl_column_def *def,
                         const char *column)
{
    etl_str name = {0};
    etl_sqlite_literal(&name, def->name);
    if (name.failed || !name.data) {
        sql->failed = true;
        return;
    }
    if (def->map->kind == ETL_MAP_VALUE) {
        etl_str_printf(sql,
                       "coalesce((SELECT text FROM map_value WHERE event_type_id=%u AND "
                       "column_name=%s AND value=%s),CAST(%s AS TEXT))",
                       type->id, name.data, column, column);
    } else {
        uint64_t mask = 0;
        for (size_t i = 0; i < def->map->entry_count; i++)
            mask |= def->map->entries[i].value;
        /* The name of the whole value; else names of the set bits and the rest in hex; nothing but
           hex when no bit has a name. */
        etl_str_printf(sql,
                       "coalesce((SELECT text FROM map_value WHERE event_type_id=%u AND "
                       "column_name=%s AND value=%s),CASE %s WHEN 0 THEN '0' ELSE "
                       "coalesce((SELECT group_concat(text,'|') FROM map_value WHERE "
                       "event_type_id=%u AND column_name=%s AND value<>0 AND (%s&value)=value)"
                       "||CASE WHEN (%s&%lld)<>0 THEN printf('|0x%%X',%s&%lld) ELSE '' END,"
                       "CASE WHEN %s IS NOT NULL THEN printf('0x%%X',%s) END) END)",
                       type->id, name.data, column, column, type->id, name.data, column, column,
                       (long long)~mask, column, (long long)~mask, column, column);
    }
    etl_str_free(&name);
}

static bool has_text_twin(const etl_column_def *def)
{
    if (def->type != ETL_COLUMN_INT64 || etl_out_type_is_time(def->in_type, def->out_type) ||
        def->out_type == ETL_OUT_IPV4)
        return false;
    return def->map || is_u64(def->in_type) || etl_out_type_is_hex(def->in_type, def->out_type) ||
           def->out_type == ETL_OUT_NTSTATUS || def->out_type == ETL_OUT_HRESULT;
}

/* The column, and for codes, addresses and mapped values its text twin. */
static void add_payload_column(etl_str *sql, const etl_event_type *type, const etl_column_def *def,
                               bool decoded)
{
    etl_str column = {0};
    if (decoded) {
        etl_str_puts(&column, "d.");
        etl_sqlite_quote(&column, def->name);
    } else {
        etl_str_puts(&column, "NULL");
    }
    if (column.failed) {
        sql->failed = true;
        etl_str_free(&column);
        return;
    }
    etl_str_puts(sql, ",");
    if (def->type == ETL_COLUMN_INT64 && etl_out_type_is_time(def->in_type, def->out_type)) {
        /* 100 ns since 1601; 0 and what lies outside 1601 to 9999 stays a number. */
        const char *c = column.data;
        etl_str_printf(sql,
                       "CASE WHEN %s BETWEEN 1 AND 2650467743999999999 THEN "
                       "strftime('%%Y-%%m-%%dT%%H:%%M:%%S',%s/10000000-11644473600,'unixepoch')"
                       "||printf('.%%07dZ',%s%%10000000) ELSE CAST(%s AS TEXT) END",
                       c, c, c, c);
    } else {
        etl_str_puts(sql, column.data);
    }
    etl_str_puts(sql, " AS ");
    etl_sqlite_quote(sql, def->name);
    bool room = 2 * type->column_count + ETL_COUNT_OF(header_columns) + 4 < ETL_SQLITE_MAX_COLUMNS;
    if (room && has_text_twin(def)) {
        char name[ETL_LIMIT_NAME_BYTES * 9 + 16];
        snprintf(name, sizeof name, "%s_text", def->name);
        if (!column_named(type, name)) {
            etl_str_puts(sql, ",");
            if (def->map)
                add_map_text(sql, type, def, column.data);
            else if (def->out_type == ETL_OUT_NTSTATUS || def->out_type == ETL_OUT_HRESULT)
                etl_str_printf(sql, "printf('0x%%08X',%s&4294967295)", column.data);
            else
                etl_str_printf(sql, "CASE WHEN %s IS NOT NULL THEN printf('0x%%X',%s) END",
                               column.data, column.data);
            etl_str_puts(sql, " AS ");
            etl_sqlite_quote(sql, name);
        }
    }
    etl_str_free(&column);
}

static bool keeps_raw(const etl_event_type *type)
{
    for (int s = ETL_STATUS_TRAILING; s < ETL_STATUS_COUNT; s++)
        if (type->status_count[s])
            return true;
    return false;
}

/* SELECT of the decoded events of a type, or of those without a schema; same columns in both. */
static void type_select(const etl_event_type *type, bool has_table, bool decoded, etl_str *sql)
{
    etl_str_puts(sql, "SELECT ");
    add_header_columns(sql, type, has_table);
    for (size_t i = 0; has_table && i < type->column_count; i++)
        add_payload_column(sql, type, type->columns[i], decoded);
    if (keeps_raw(type) && !(has_table && column_named(type, "raw_payload")))
        etl_str_puts(sql, ",(SELECT payload FROM raw_payload WHERE event_id=e.id) AS raw_payload");
    if (decoded) {
        etl_str name = {0};
        etl_str_printf(&name, "%s_data", type->name);
        etl_str_puts(sql, " FROM ");
        if (!name.failed)
            etl_sqlite_quote(sql, name.data);
        etl_str_puts(sql, " d JOIN event e ON e.id=d.event_id");
        sql->failed |= name.failed;
        etl_str_free(&name);
    } else {
        etl_str_printf(sql, " FROM event e WHERE e.event_type_id=%u AND e.status=%d", type->id,
                       ETL_STATUS_NO_SCHEMA);
    }
}

static void type_view(const etl_sqlite_sink *sink, const etl_event_type *type, etl_str *sql)
{
    bool has_table = type->id - 1 < sink->type_capacity && sink->types[type->id - 1].columns > 0;
    bool has_others = type->status_count[ETL_STATUS_NO_SCHEMA] > 0;
    etl_str_puts(sql, "CREATE VIEW ");
    etl_sqlite_quote(sql, type->name);
    etl_str_puts(sql, " AS ");
    if (has_table)
        type_select(type, has_table, true, sql);
    if (has_table && has_others)
        etl_str_puts(sql, " UNION ALL ");
    if (has_others || !has_table)
        type_select(type, has_table, false, sql);
}

static void status_case(etl_str *sql)
{
    etl_str_puts(sql, "CASE e.status");
    for (int s = 0; s < ETL_STATUS_COUNT; s++)
        etl_str_printf(sql, " WHEN %d THEN '%s'", s, etl_event_status_name(s));
    etl_str_puts(sql, " END");
}

/* CREATE VIEW scans the schema table each time, which makes thousands of views quadratic. Their
   rows are written directly instead, as sqlite_schema documents them; RESET parses them all once
   and fails if one is not right. */
static int write_type_views(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_str *sql,
                            etl_error *error)
{
    sqlite3_stmt *insert = NULL;
    int r = etl_sqlite_exec(sink->db, "PRAGMA writable_schema=ON", error);
    if (r == ETL_OK &&
        sqlite3_prepare_v2(sink->db, "INSERT INTO sqlite_schema VALUES('view',?1,?1,0,?2)", -1,
                           &insert, NULL) != SQLITE_OK)
        r = etl_sqlite_fail(sink->db, error);
    for (size_t i = 0; i < etl_decoder_type_count(decoder) && r == ETL_OK; i++) {
        const etl_event_type *type = etl_decoder_type(decoder, i);
        if (!type->event_count)
            continue;
        etl_str_clear(sql);
        type_view(sink, type, sql);
        if (sql->failed)
            r = etl_fail(error, ETL_ERR_NOMEM, "out of memory for SQL");
        else if (sqlite3_bind_text(insert, 1, type->name, -1, SQLITE_STATIC) != SQLITE_OK ||
                 sqlite3_bind_text(insert, 2, sql->data, (int)sql->size, SQLITE_STATIC) !=
                     SQLITE_OK ||
                 sqlite3_step(insert) != SQLITE_DONE)
            r = etl_sqlite_fail(sink->db, error);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return r == ETL_OK ? etl_sqlite_exec(sink->db, "PRAGMA writable_schema=RESET", error) : r;
}

int etl_sqlite_write_views(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    etl_str sql = {0};
    etl_str_puts(
        &sql, "CREATE VIEW event_text AS SELECT e.id AS event_id," SQL_TIME(
                  "e.ts") " AS time,e.ts,p.name AS provider,t.name AS event_type,"
                          "coalesce(t.event_name,t.task_name) AS event,t.event_id AS event_number,"
                          "e.version,t.task_name,coalesce(t.opcode_name,CAST(e.opcode AS TEXT)) AS "
                          "opcode,coalesce(t.level_name,CAST(e.level AS TEXT)) AS level,"
                          "t.channel_name,t.keyword_names,e.process_id,e.thread_id,e.cpu,"
                          "a.guid AS activity,r.guid AS related_activity,s.sid AS user_sid,"
                          "e.stack_id,");
    status_case(&sql);
    etl_str_puts(&sql, " AS status,t.schema_source,o.path AS source,e.file_offset,e.raw_time"
                       " FROM event e JOIN event_type t ON t.id=e.event_type_id"
                       " JOIN provider p ON p.id=t.provider_id"
                       " JOIN source o ON o.id=e.source_id"
                       " LEFT JOIN activity a ON a.id=e.activity_id"
                       " LEFT JOIN activity r ON r.id=e.related_activity_id"
                       " LEFT JOIN sid s ON s.id=e.user_id;");
    int r = sql.failed ? etl_fail(error, ETL_ERR_NOMEM, "out of memory for SQL")
                       : etl_sqlite_exec(sink->db, sql.data, error);
    if (r == ETL_OK)
        r = write_type_views(sink, decoder, &sql, error);
    etl_str_free(&sql);
    return r;
}
