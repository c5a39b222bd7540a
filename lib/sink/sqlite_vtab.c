/* A batch table as a row source of SQL: INSERT INTO t SELECT c0, c1, … FROM batch is nearly twice
   as fast as binding and stepping row by row. */
#include "sink/sqlite_sink.h"

#include <stdio.h>
#include <stdlib.h>

enum { CELL_TEXT = 40 }; /* longest GUID or IPv4 text */

typedef struct batch_vtab {
    sqlite3_vtab base;
    etl_sqlite_sink *sink;
} batch_vtab;

typedef struct batch_cursor {
    sqlite3_vtab_cursor base;
    const etl_table *table;
    size_t row;
    char (*cells)[CELL_TEXT]; /* texts made for the current row, one a column */
    size_t cell_count;
} batch_cursor;

static int vtab_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **ret_vtab, char **ret_error)
{
    (void)argc;
    (void)argv;
    (void)ret_error;
    etl_str sql = {0};
    etl_str_puts(&sql, "CREATE TABLE batch(c0");
    for (int i = 1; i < ETL_SQLITE_MAX_COLUMNS; i++)
        etl_str_printf(&sql, ",c%d", i);
    etl_str_puts(&sql, ")");
    int r = sql.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, sql.data);
    etl_str_free(&sql);
    if (r != SQLITE_OK)
        return r;
    batch_vtab *vtab = sqlite3_malloc(sizeof *vtab);
    if (!vtab)
        return SQLITE_NOMEM;
    memset(vtab, 0, sizeof *vtab);
    vtab->sink = aux;
    *ret_vtab = &vtab->base;
    return SQLITE_OK;
}

static int vtab_disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

static int vtab_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    (void)vtab;
    info->estimatedCost = 1000;
    return SQLITE_OK;
}

static int vtab_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **ret_cursor)
{
    (void)vtab;
    batch_cursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    *ret_cursor = &cursor->base;
    return SQLITE_OK;
}

static int vtab_close(sqlite3_vtab_cursor *base)
{
    batch_cursor *cursor = (batch_cursor *)base;
    free(cursor->cells);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int vtab_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                       sqlite3_value **argv)
{
    (void)number;
    (void)text;
    (void)argc;
    (void)argv;
    batch_cursor *cursor = (batch_cursor *)base;
    cursor->table = ((batch_vtab *)base->pVtab)->sink->current;
    cursor->row = 0;
    if (cursor->table->column_count > cursor->cell_count) {
        void *cells = realloc(cursor->cells, cursor->table->column_count * CELL_TEXT);
        if (!cells)
            return SQLITE_NOMEM;
        cursor->cells = cells;
        cursor->cell_count = cursor->table->column_count;
    }
    return SQLITE_OK;
}

static int vtab_next(sqlite3_vtab_cursor *base)
{
    ((batch_cursor *)base)->row++;
    return SQLITE_OK;
}

static int vtab_eof(sqlite3_vtab_cursor *base)
{
    const batch_cursor *cursor = (const batch_cursor *)base;
    return cursor->row >= cursor->table->row_count;
}

bool etl_sqlite_is_ipv4(const etl_column_def *def)
{
    return def->type == ETL_COLUMN_INT64 && def->out_type == ETL_OUT_IPV4;
}

static int vtab_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index)
{
    batch_cursor *cursor = (batch_cursor *)base;
    size_t row = cursor->row;
    if ((size_t)index >= cursor->table->column_count)
        return SQLITE_OK;
    const etl_column *column = &cursor->table->columns[index];
    if (etl_column_is_null(column, row))
        return SQLITE_OK;
    char *cell = cursor->cells[index];
    switch (column->def->type) {
    case ETL_COLUMN_INT64: {
        int64_t value = column->values.ints[row];
        if (ETL_UNLIKELY(column->def->out_type == ETL_OUT_IPV4)) {
            int length = snprintf(cell, CELL_TEXT, "%u.%u.%u.%u", (unsigned)(value & 0xFF),
                                  (unsigned)(value >> 8 & 0xFF), (unsigned)(value >> 16 & 0xFF),
                                  (unsigned)(value >> 24 & 0xFF));
            sqlite3_result_text(context, cell, length, SQLITE_STATIC);
        } else {
            sqlite3_result_int64(context, value);
        }
        break;
    }
    case ETL_COLUMN_DOUBLE: sqlite3_result_double(context, column->values.doubles[row]); break;
    case ETL_COLUMN_GUID:
        etl_guid_text(&column->values.guids[row], cell);
        sqlite3_result_text(context, cell, 36, SQLITE_STATIC);
        break;
    case ETL_COLUMN_TEXT:
        sqlite3_result_text(context, (const char *)column->values.data + column->offsets[row],
                            (int)(column->offsets[row + 1] - column->offsets[row]), SQLITE_STATIC);
        break;
    default:
        sqlite3_result_blob(context, column->values.data + column->offsets[row],
                            (int)(column->offsets[row + 1] - column->offsets[row]), SQLITE_STATIC);
    }
    return SQLITE_OK;
}

static int vtab_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *ret_rowid)
{
    *ret_rowid = (sqlite3_int64)((batch_cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module batch_module = {.xConnect = vtab_connect,
                                            .xBestIndex = vtab_best_index,
                                            .xDisconnect = vtab_disconnect,
                                            .xDestroy = vtab_disconnect,
                                            .xOpen = vtab_open,
                                            .xClose = vtab_close,
                                            .xFilter = vtab_filter,
                                            .xNext = vtab_next,
                                            .xEof = vtab_eof,
                                            .xColumn = vtab_column,
                                            .xRowid = vtab_rowid};

int etl_sqlite_register_batch(etl_sqlite_sink *sink)
{
    /* Without xCreate it is eponymous: usable without CREATE VIRTUAL TABLE. */
    return sqlite3_create_module_v2(sink->db, "batch", &batch_module, sink, NULL);
}
