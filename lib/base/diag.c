/* Diagnostics: counted, with the first ones in full. */
#include "base/base.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    etl_severity severity;
    const char *meaning;
} codes[] = {
#define DIAG_ROW(name, severity, text) {#name, ETL_SEVERITY_##severity, text},
    ETL_DIAG_LIST(DIAG_ROW)
#undef DIAG_ROW
};

static bool known(int code)
{
    return code >= 0 && code < ETL_DIAG_COUNT;
}

const char *etl_diag_name(int code)
{
    return known(code) ? codes[code].name : "UNKNOWN";
}

const char *etl_diag_meaning(int code)
{
    return known(code) ? codes[code].meaning : "unknown diagnostic";
}

etl_severity etl_diag_severity(int code)
{
    return known(code) ? codes[code].severity : ETL_SEVERITY_ERROR;
}

const char *etl_severity_name(int severity)
{
    static const char *const names[] = {"info", "warning", "error"};
    return severity >= 0 && severity < (int)ETL_COUNT_OF(names) ? names[severity] : "unknown";
}

/* Counts come from files; a sum that does not fit stays at the top. */
static uint64_t add_saturated(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* What one (code, source) has so far. */
typedef struct diag_group {
    size_t details;
    size_t rest_row; /* index + 1 of the row that counts what has no row of its own */
} diag_group;

static etl_diagnostic *new_row(etl_diag *d)
{
    if (d->row_count == d->row_capacity) {
        size_t capacity = d->row_capacity ? d->row_capacity * 2 : 16;
        etl_diagnostic *rows = realloc(d->rows, capacity * sizeof *rows);
        if (!rows)
            return NULL;
        d->rows = rows;
        d->row_capacity = capacity;
    }
    return &d->rows[d->row_count++];
}

static diag_group *group_of(etl_diag *d, int code, uint32_t source)
{
    uint32_t key[2] = {(uint32_t)code, source};
    diag_group *group = etl_hashmap_get(&d->seen, key, sizeof key);
    if (group)
        return group;
    group = etl_arena_alloc(&d->seen.keys, sizeof *group);
    return group && etl_hashmap_put(&d->seen, key, sizeof key, group) == ETL_OK ? group : NULL;
}

void etl_diag_add(etl_diag *d, int code, uint32_t source, uint64_t offset, uint64_t count,
                  const char *format, ...)
{
    if (!d || !known(code))
        return;
    d->totals[code] = add_saturated(d->totals[code], count);
    diag_group *group = group_of(d, code, source);
    if (!group)
        return;
    if (group->details < ETL_LIMIT_DIAGNOSTIC_DETAILS) {
        etl_diagnostic *row = new_row(d);
        if (!row)
            return;
        group->details++;
        *row = (etl_diagnostic){.code = code, .source = source, .offset = offset, .count = count};
        if (format) {
            char text[512] = "";
            va_list args;
            va_start(args, format);
            vsnprintf(text, sizeof text, format, args);
            va_end(args);
            etl_utf8_one_line(text, strlen(text));
            row->text = strdup(text);
        }
        return;
    }
    if (!group->rest_row) {
        etl_diagnostic *row = new_row(d);
        if (!row)
            return;
        *row = (etl_diagnostic){.code = code, .source = source, .offset = ETL_NO_OFFSET};
        group->rest_row = d->row_count;
    }
    etl_diagnostic *rest = &d->rows[group->rest_row - 1];
    rest->count = add_saturated(rest->count, count);
}

void etl_diag_free(etl_diag *d)
{
    for (size_t i = 0; i < d->row_count; i++)
        free(d->rows[i].text);
    free(d->rows);
    etl_hashmap_free(&d->seen);
    memset(d, 0, sizeof *d);
}
