/* Converting built traces in a directory of their own, and asking the result. */
#ifndef ETL_SINK_TEST_H
#define ETL_SINK_TEST_H

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../columnar/columnar_test.h"
#include "etlkit/sink.h"

static char directory[64];

static inline void directory_make(void)
{
    strcpy(directory, "/tmp/etlkit-test-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
}

/* Files in it, hidden ones too. */
static inline size_t directory_entries(bool remove_them)
{
    size_t count = 0;
    DIR *dir = opendir(directory);
    cr_assert_not_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (remove_them && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
            unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
    return count;
}

static inline void directory_remove(void)
{
    directory_entries(true);
    rmdir(directory);
}

/* Path of a name in it; valid until four more are asked for. */
static inline const char *in_directory(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static inline char *read_all(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *bytes = calloc(1, (size_t)size + 1);
    cr_assert_not_null(bytes);
    cr_assert_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    *ret_size = (size_t)size;
    return bytes;
}

static inline sqlite3 *open_database(const char *path)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    return db;
}

/* Rows as text: columns by "|", rows by newline; NULL is "NULL". The caller frees. */
static inline char *query(sqlite3 *db, const char *sql)
{
    etl_str out = {0};
    sqlite3_stmt *stmt;
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
    int step;
    for (bool first = true; (step = sqlite3_step(stmt)) == SQLITE_ROW; first = false) {
        etl_str_puts(&out, first ? "" : "\n");
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            const char *text = (const char *)sqlite3_column_text(stmt, i);
            etl_str_printf(&out, "%s%s", i ? "|" : "", text ? text : "NULL");
        }
    }
    cr_assert_eq(step, SQLITE_DONE, "%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
    etl_str_puts(&out, "");
    return out.data;
}

static inline void assert_query(sqlite3 *db, const char *sql, const char *expected)
{
    char *result = query(db, sql);
    cr_assert_str_eq(result, expected, "%s gave\n%s\ninstead of\n%s", sql, result, expected);
    free(result);
}

#endif
