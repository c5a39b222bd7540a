/* The SQLite sink: one database file, loaded with INSERT … SELECT from the batch. */
#include "sink/sqlite_sink.h"

#include <stdlib.h>

enum { INSTRUCTIONS_PER_POLL = 100000 };

int etl_sqlite_fail(sqlite3 *db, etl_error *error)
{
    int code = sqlite3_errcode(db) & 0xFF;
    if (code == SQLITE_INTERRUPT)
        return etl_fail(error, ETL_ERR_INTERRUPTED, "interrupted");
    const char *hint = code == SQLITE_FULL || code == SQLITE_IOERR
                           ? "; free space there or name another place with -o"
                           : "";
    return etl_fail(error, code == SQLITE_NOMEM ? ETL_ERR_NOMEM : ETL_ERR_OUTPUT,
                    "the database cannot be written: %s%s", sqlite3_errmsg(db), hint);
}

int etl_sqlite_exec(sqlite3 *db, const char *sql, etl_error *error)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? ETL_OK
                                                                : etl_sqlite_fail(db, error);
}

void etl_sqlite_quote(etl_str *out, const char *name)
{
    etl_str_puts(out, "\"");
    for (const char *p = name; *p; p++) {
        if (*p == '"')
            etl_str_puts(out, "\"");
        etl_str_add(out, p, 1);
    }
    etl_str_puts(out, "\"");
}

void etl_sqlite_literal(etl_str *out, const char *text)
{
    etl_str_puts(out, "'");
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            etl_str_puts(out, "'");
        etl_str_add(out, p, 1);
    }
    etl_str_puts(out, "'");
}

const char *etl_sqlite_column_type(const etl_column_def *def)
{
    if (etl_sqlite_is_ipv4(def))
        return "TEXT";
    switch (def->type) {
    case ETL_COLUMN_INT64: return "INTEGER";
    case ETL_COLUMN_DOUBLE: return "REAL";
    case ETL_COLUMN_BINARY: return "BLOB";
    default: return "TEXT";
    }
}

static void sqlite_destroy(void *handle)
{
    etl_sqlite_sink *sink = handle;
    if (!sink)
        return;
    for (size_t i = 0; i < sink->type_capacity; i++)
        sqlite3_finalize(sink->types[i].insert);
    for (size_t i = 0; i < ETL_COUNT_OF(sink->fixed); i++)
        sqlite3_finalize(sink->fixed[i].insert);
    sqlite3_close(sink->db);
    free(sink->types);
    free(sink->command);
    free(sink);
}

static int sqlite_open(const char *path, const etl_convert_options *options, void **ret_sink,
                       etl_error *error)
{
    etl_sqlite_sink *sink = calloc(1, sizeof *sink);
    if (!sink)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the database");
    if (options->command && !(sink->command = strdup(options->command))) {
        free(sink);
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the database");
    }
    /* SQLite may be built to take names that begin with "file:" for URIs (Debian's is). */
    etl_str name = {0};
    etl_str_printf(&name, "%s%s", strncmp(path, "file:", 5) == 0 ? "./" : "", path);
    int r = SQLITE_NOMEM;
    if (!name.failed)
        r = sqlite3_open_v2(name.data, &sink->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                            NULL);
    etl_str_free(&name);
    if (r != SQLITE_OK) {
        r = sink->db ? etl_sqlite_fail(sink->db, error)
                     : etl_fail(error, ETL_ERR_NOMEM, "out of memory for the database");
        sqlite_destroy(sink);
        return r;
    }
    /* The file is thrown away on any failure, so it needs no journal. Indexes are sorted in memory
       up to the size of the cache, then in temporary files: in memory alone they would grow with
       the trace. */
    etl_str sql = {0};
    etl_str_printf(&sql,
                   "PRAGMA page_size=8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                   "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-32768;"
                   "PRAGMA temp_store=FILE; PRAGMA foreign_keys=OFF; PRAGMA threads=%d;"
                   "PRAGMA application_id=%d; PRAGMA user_version=%d; BEGIN;",
                   options->jobs == 1 ? 0 : 2, ETL_SQLITE_APPLICATION_ID,
                   ETL_SQLITE_SCHEMA_VERSION);
    r = sql.failed ? etl_fail(error, ETL_ERR_NOMEM, "out of memory for SQL")
                   : etl_sqlite_exec(sink->db, sql.data, error);
    etl_str_free(&sql);
    if (r == ETL_OK)
        r = etl_sqlite_exec(sink->db, etl_sqlite_schema, error);
    if (r == ETL_OK && etl_sqlite_register_batch(sink) != SQLITE_OK)
        r = etl_sqlite_fail(sink->db, error);
    if (r != ETL_OK) {
        sqlite_destroy(sink);
        return r;
    }
    *ret_sink = sink;
    return ETL_OK;
}

/* INSERT INTO "name" SELECT c0, … FROM batch */
static int prepare_insert(etl_sqlite_sink *sink, const etl_table *table, const char *suffix,
                          etl_sqlite_target *target, etl_error *error)
{
    etl_str name = {0}, sql = {0};
    etl_str_printf(&name, "%s%s", table->name, suffix);
    etl_str_puts(&sql, "INSERT INTO ");
    if (!name.failed)
        etl_sqlite_quote(&sql, name.data);
    etl_str_puts(&sql, " SELECT c0");
    for (size_t i = 1; i < table->column_count; i++)
        etl_str_printf(&sql, ",c%zu", i);
    etl_str_puts(&sql, " FROM batch");
    sqlite3_finalize(target->insert);
    target->insert = NULL;
    int r = ETL_OK;
    if (name.failed || sql.failed)
        r = etl_fail(error, ETL_ERR_NOMEM, "out of memory for SQL");
    else if (sqlite3_prepare_v3(sink->db, sql.data, (int)sql.size, SQLITE_PREPARE_PERSISTENT,
                                &target->insert, NULL) != SQLITE_OK)
        r = etl_sqlite_fail(sink->db, error);
    etl_str_free(&name);
    etl_str_free(&sql);
    return r;
}

static int insert_table(etl_sqlite_sink *sink, const etl_table *table, etl_sqlite_target *target,
                        etl_error *error)
{
    sink->current = table;
    int step = sqlite3_step(target->insert);
    int reset = sqlite3_reset(target->insert);
    if (step != SQLITE_DONE || reset != SQLITE_OK)
        return etl_sqlite_fail(sink->db, error);
    sink->rows += table->row_count;
    return ETL_OK;
}

static int insert_fixed(etl_sqlite_sink *sink, const etl_table *table, size_t index,
                        etl_error *error)
{
    if (!table->row_count)
        return ETL_OK;
    etl_sqlite_target *target = &sink->fixed[index];
    if (!target->insert) {
        int r = prepare_insert(sink, table, "", target, error);
        if (r != ETL_OK)
            return r;
    }
    return insert_table(sink, table, target, error);
}

/* CREATE TABLE, or ALTER TABLE … ADD COLUMN for columns that a later version brought. */
static int define_columns(etl_sqlite_sink *sink, const etl_table *table, etl_sqlite_target *target,
                          etl_error *error)
{
    etl_str sql = {0}, name = {0};
    etl_str_printf(&name, "%s_data", table->name);
    if (!target->columns) {
        etl_str_puts(&sql, "CREATE TABLE ");
        if (!name.failed)
            etl_sqlite_quote(&sql, name.data);
        etl_str_puts(&sql, "(event_id INTEGER PRIMARY KEY REFERENCES event(id)");
        for (size_t i = 1; i < table->column_count; i++) {
            etl_str_puts(&sql, ",");
            etl_sqlite_quote(&sql, table->columns[i].def->name);
            etl_str_printf(&sql, " %s", etl_sqlite_column_type(table->columns[i].def));
        }
        etl_str_puts(&sql, ") STRICT;");
    } else {
        for (size_t i = target->columns; i < table->column_count; i++) {
            etl_str_puts(&sql, "ALTER TABLE ");
            if (!name.failed)
                etl_sqlite_quote(&sql, name.data);
            etl_str_puts(&sql, " ADD COLUMN ");
            etl_sqlite_quote(&sql, table->columns[i].def->name);
            etl_str_printf(&sql, " %s;", etl_sqlite_column_type(table->columns[i].def));
        }
    }
    int r = sql.failed || name.failed ? etl_fail(error, ETL_ERR_NOMEM, "out of memory for SQL")
                                      : etl_sqlite_exec(sink->db, sql.data, error);
    etl_str_free(&sql);
    etl_str_free(&name);
    if (r != ETL_OK)
        return r;
    target->columns = table->column_count;
    return prepare_insert(sink, table, "_data", target, error);
}

static int insert_type(etl_sqlite_sink *sink, const etl_table *table, etl_error *error)
{
    size_t index = table->type->id - 1;
    if (index >= sink->type_capacity) {
        size_t capacity = (index + 1) * 2;
        etl_sqlite_target *types = realloc(sink->types, capacity * sizeof *types);
        if (!types)
            return etl_fail(error, ETL_ERR_NOMEM, "out of memory for event types");
        memset(types + sink->type_capacity, 0, (capacity - sink->type_capacity) * sizeof *types);
        sink->types = types;
        sink->type_capacity = capacity;
    }
    etl_sqlite_target *target = &sink->types[index];
    if (target->columns < table->column_count) {
        int r = define_columns(sink, table, target, error);
        if (r != ETL_OK)
            return r;
    }
    return insert_table(sink, table, target, error);
}

static int sqlite_write(void *handle, const etl_batch *batch, etl_error *error)
{
    etl_sqlite_sink *sink = handle;
    const etl_table *fixed[] = {&batch->activity,    &batch->sid,    &batch->stack,
                                &batch->stack_frame, &batch->events, &batch->raw_payload,
                                &batch->extended};
    static_assert(ETL_COUNT_OF(fixed) == ETL_COUNT_OF(((etl_sqlite_sink *)0)->fixed),
                  "one target a table");
    for (size_t i = 0; i < ETL_COUNT_OF(fixed); i++) {
        int r = insert_fixed(sink, fixed[i], i, error);
        if (r != ETL_OK)
            return r;
    }
    for (size_t i = 0; i < batch->table_count; i++) {
        if (!batch->tables[i].row_count)
            continue;
        int r = insert_type(sink, &batch->tables[i], error);
        if (r != ETL_OK)
            return r;
    }
    return ETL_OK;
}

/* Indexes take a while on large traces: an interrupt must not have to wait for them. */
static int poll_decoder(void *decoder)
{
    return etl_decoder_poll(decoder) != ETL_OK;
}

static int sqlite_finish(void *handle, etl_decoder *decoder, etl_error *error)
{
    etl_sqlite_sink *sink = handle;
    sqlite3_progress_handler(sink->db, INSTRUCTIONS_PER_POLL, poll_decoder, decoder);
    int r = etl_sqlite_write_catalog(sink, decoder, error);
    if (r == ETL_OK)
        r = etl_sqlite_write_views(sink, decoder, error);
    if (r == ETL_OK)
        r = etl_sqlite_write_docs(sink, error);
    if (r == ETL_OK)
        r = etl_sqlite_exec(sink->db, etl_sqlite_indexes, error);
    if (r == ETL_OK)
        r = etl_sqlite_exec(sink->db, "COMMIT", error);
    if (r != ETL_OK)
        return r;
    for (size_t i = 0; i < sink->type_capacity; i++) {
        sqlite3_finalize(sink->types[i].insert);
        sink->types[i].insert = NULL;
    }
    for (size_t i = 0; i < ETL_COUNT_OF(sink->fixed); i++) {
        sqlite3_finalize(sink->fixed[i].insert);
        sink->fixed[i].insert = NULL;
    }
    if (sqlite3_close(sink->db) != SQLITE_OK)
        return etl_sqlite_fail(sink->db, error);
    sink->db = NULL;
    return ETL_OK;
}

static uint64_t sqlite_rows(const void *handle)
{
    return ((const etl_sqlite_sink *)handle)->rows;
}

static const char *const sqlite_endings[] = {".db", ".sqlite", ".sqlite3", NULL};

const etl_sink_ops etl_sink_sqlite = {.name = "sqlite",
                                      .endings = sqlite_endings,
                                      .open = sqlite_open,
                                      .write = sqlite_write,
                                      .finish = sqlite_finish,
                                      .rows = sqlite_rows,
                                      .destroy = sqlite_destroy};
