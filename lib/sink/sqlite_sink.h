/* Parts of the SQLite sink that its files share. */
#ifndef ETL_SQLITE_SINK_H
#define ETL_SQLITE_SINK_H

#include <sqlite3.h>

#include "decode/decode.h"
#include "sink/sink.h"

enum {
    ETL_SQLITE_APPLICATION_ID = 0x45544C4B, /* "ETLK" */
    ETL_SQLITE_SCHEMA_VERSION = 1,
    ETL_SQLITE_MAX_COLUMNS = 2000 /* SQLITE_MAX_COLUMN's default */
};

/* What one SQL table got so far. */
typedef struct etl_sqlite_target {
    sqlite3_stmt *insert;
    size_t columns; /* of the SQL table */
} etl_sqlite_target;

typedef struct etl_sqlite_sink {
    sqlite3 *db;
    const etl_table *current; /* what the virtual table shows */
    etl_sqlite_target *types; /* by event type id - 1 */
    size_t type_capacity;
    etl_sqlite_target fixed[7];
    char *command;
    uint64_t rows;
} etl_sqlite_sink;

/* The virtual table `batch`: row i, column cN is row i of column N of sink->current. */
int etl_sqlite_register_batch(etl_sqlite_sink *sink);
/* Runs SQL; failures name the output. */
int etl_sqlite_exec(sqlite3 *db, const char *sql, etl_error *error);
int etl_sqlite_fail(sqlite3 *db, etl_error *error);
/* "name" with quotes doubled. */
void etl_sqlite_quote(etl_str *out, const char *name);
/* 'text' with quotes doubled. */
void etl_sqlite_literal(etl_str *out, const char *text);
const char *etl_sqlite_column_type(const etl_column_def *def);
bool etl_sqlite_is_ipv4(const etl_column_def *def);

int etl_sqlite_write_catalog(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error);
int etl_sqlite_write_views(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error);
int etl_sqlite_write_docs(etl_sqlite_sink *sink, etl_error *error);

/* DDL of the tables that every database has. */
extern const char etl_sqlite_schema[];
extern const char etl_sqlite_indexes[];

#endif
