/* What is written once, at the end: sources, providers, event types, fields, maps, diagnostics. */
#include "sink/sqlite_sink.h"

#include <stdio.h>
#include <stdlib.h>

/* Binding text copies it. Without memory for that the parameter would stay NULL: then no parameter
   is bound any more, and run() tells by the count. */
enum { BIND_FAILED = -1000 };

static void bind_string(sqlite3_stmt *stmt, int *at, const char *text)
{
    *at = sqlite3_bind_text(stmt, *at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK ? *at + 1
                                                                                : BIND_FAILED;
}

/* Binds by C type; text NULL is SQL NULL. */
static void bind_text(sqlite3_stmt *stmt, int *at, const char *text)
{
    if (text && *text)
        bind_string(stmt, at, text);
    else
        sqlite3_bind_null(stmt, (*at)++);
}

/* A path is bytes; text of a database is UTF-8. */
static void bind_path(sqlite3_stmt *stmt, int *at, const char *path)
{
    size_t size = strlen(path);
    char *text = malloc(3 * size + 1);
    if (!text) {
        *at = BIND_FAILED;
        return;
    }
    text[etl_ansi_to_utf8((const uint8_t *)path, size, text)] = 0;
    bind_string(stmt, at, text);
    free(text);
}

static void bind_int(sqlite3_stmt *stmt, int *at, int64_t value)
{
    sqlite3_bind_int64(stmt, (*at)++, value);
}

static void bind_time(sqlite3_stmt *stmt, int *at, etl_time time)
{
    char text[ETL_TIME_TEXT_SIZE];
    etl_time_text(time, text);
    bind_text(stmt, at, time ? text : NULL);
}

static int prepare(etl_sqlite_sink *sink, const char *sql, sqlite3_stmt **ret_stmt,
                   etl_error *error)
{
    return sqlite3_prepare_v2(sink->db, sql, -1, ret_stmt, NULL) == SQLITE_OK
               ? ETL_OK
               : etl_sqlite_fail(sink->db, error);
}

static int run(etl_sqlite_sink *sink, sqlite3_stmt *stmt, int at, etl_error *error)
{
    if (at < 0)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the database");
    int step = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    if (step != SQLITE_DONE)
        return etl_sqlite_fail(sink->db, error);
    sink->rows += (uint64_t)sqlite3_changes(sink->db);
    return ETL_OK;
}

static int write_meta(etl_sqlite_sink *sink, etl_error *error)
{
    sqlite3_stmt *stmt;
    int r = prepare(sink, "INSERT INTO meta VALUES(?, ?)", &stmt, error);
    if (r != ETL_OK)
        return r;
    char schema[16];
    snprintf(schema, sizeof schema, "%d", ETL_SQLITE_SCHEMA_VERSION);
    const char *const pairs[][2] = {{"tool", "etlkit"},
                                    {"tool_version", ETLKIT_VERSION},
                                    {"schema_version", schema},
                                    {"command", sink->command}};
    for (size_t i = 0; i < ETL_COUNT_OF(pairs) && r == ETL_OK; i++) {
        int at = 1;
        bind_text(stmt, &at, pairs[i][0]);
        bind_text(stmt, &at, pairs[i][1]);
        r = run(sink, stmt, at, error);
    }
    sqlite3_finalize(stmt);
    return r;
}

static int write_sources(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    sqlite3_stmt *stmt;
    int r = prepare(sink,
                    "INSERT INTO source(id, path, compression, size, trace_size, sha256,"
                    " logger_name, log_file_name, os_major, os_minor, os_build, processors,"
                    " pointer_size, clock, frequency, first_raw_time, timer_resolution, cpu_mhz,"
                    " log_file_mode, log_file_mode_text, layout_version, buffer_size, boot_time,"
                    " start_time, end_time, first_event_time, last_event_time, time_zone, bias,"
                    " buffers_written, buffers_read, buffers_damaged, records, records_unknown,"
                    " events_lost, buffers_lost, bytes_header, bytes_used, bytes_padding,"
                    " bytes_skipped) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
                    "?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    &stmt, error);
    const etl_trace *trace = etl_decoder_trace(decoder);
    for (size_t i = 0; i < etl_trace_source_count(trace) && r == ETL_OK; i++) {
        /* Only the digest of the source changes: it is computed on first demand. */
        etl_source *source = (etl_source *)etl_trace_source(trace, i);
        const etl_session_info *s = etl_trace_session(trace, i);
        uint8_t digest[32];
        char hex[65], layout[16], mode[512];
        etl_source_sha256(source, digest);
        for (size_t k = 0; k < sizeof digest; k++)
            snprintf(hex + 2 * k, 3, "%02x", digest[k]);
        snprintf(layout, sizeof layout, "%u.%u", s->layout_major, s->layout_minor);
        etl_log_mode_text(s->log_file_mode, mode, sizeof mode);
        int at = 1;
        bind_int(stmt, &at, (int64_t)i + 1);
        bind_path(stmt, &at, etl_source_path(source));
        bind_text(stmt, &at, etl_source_compression(source));
        bind_int(stmt, &at, (int64_t)etl_source_stored_size(source));
        bind_int(stmt, &at, (int64_t)etl_source_size(source));
        bind_text(stmt, &at, hex);
        bind_text(stmt, &at, s->logger_name);
        bind_text(stmt, &at, s->log_file_name);
        bind_int(stmt, &at, s->os_major);
        bind_int(stmt, &at, s->os_minor);
        bind_int(stmt, &at, s->os_build);
        bind_int(stmt, &at, s->processors);
        bind_int(stmt, &at, s->pointer_size);
        bind_text(stmt, &at, etl_clock_name(s->clock));
        bind_int(stmt, &at, s->frequency);
        bind_int(stmt, &at, s->first_raw_time);
        bind_int(stmt, &at, s->timer_resolution);
        bind_int(stmt, &at, s->cpu_mhz);
        bind_int(stmt, &at, s->log_file_mode);
        bind_text(stmt, &at, mode);
        bind_text(stmt, &at, layout);
        bind_int(stmt, &at, s->buffer_size);
        bind_time(stmt, &at, s->boot_time);
        bind_time(stmt, &at, s->start_time);
        bind_time(stmt, &at, s->end_time);
        bind_time(stmt, &at, s->first_event);
        bind_time(stmt, &at, s->last_event);
        bind_text(stmt, &at, s->standard_name);
        bind_int(stmt, &at, s->bias);
        bind_int(stmt, &at, s->buffers_written);
        bind_int(stmt, &at, (int64_t)s->buffers_read);
        bind_int(stmt, &at, (int64_t)s->buffers_damaged);
        bind_int(stmt, &at, (int64_t)s->records);
        bind_int(stmt, &at, (int64_t)s->records_unknown);
        bind_int(stmt, &at, s->events_lost);
        bind_int(stmt, &at, s->buffers_lost);
        bind_int(stmt, &at, (int64_t)s->bytes_header);
        bind_int(stmt, &at, (int64_t)s->bytes_used);
        bind_int(stmt, &at, (int64_t)s->bytes_padding);
        bind_int(stmt, &at, (int64_t)s->bytes_skipped);
        r = run(sink, stmt, at, error);
    }
    sqlite3_finalize(stmt);
    return r;
}

static int write_providers(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    sqlite3_stmt *stmt;
    int r = prepare(sink, "INSERT INTO provider VALUES(?, ?, ?, ?)", &stmt, error);
    for (size_t i = 0; i < etl_decoder_provider_count(decoder) && r == ETL_OK; i++) {
        const etl_provider *provider = etl_decoder_provider(decoder, i);
        char guid[ETL_GUID_TEXT_SIZE];
        etl_guid_text(&provider->guid, guid);
        int at = 1;
        bind_int(stmt, &at, provider->id);
        bind_text(stmt, &at, guid);
        bind_string(stmt, &at, provider->name);
        bind_int(stmt, &at, (int64_t)provider->event_count);
        r = run(sink, stmt, at, error);
    }
    sqlite3_finalize(stmt);
    return r;
}

static bool has_table(const etl_sqlite_sink *sink, const etl_event_type *type)
{
    return type->id - 1 < sink->type_capacity && sink->types[type->id - 1].columns;
}

static int write_types(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    sqlite3_stmt *stmt;
    int r =
        prepare(sink, "INSERT INTO event_type VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                &stmt, error);
    for (size_t i = 0; i < etl_decoder_type_count(decoder) && r == ETL_OK; i++) {
        const etl_event_type *type = etl_decoder_type(decoder, i);
        int at = 1;
        bind_int(stmt, &at, type->id);
        bind_int(stmt, &at, type->provider->id);
        bind_text(stmt, &at, etl_event_kind_name(type->kind));
        bind_int(stmt, &at, type->event_id);
        bind_int(stmt, &at, type->opcode);
        bind_int(stmt, &at, type->task);
        bind_int(stmt, &at, type->level);
        bind_int(stmt, &at, type->channel);
        bind_int(stmt, &at, (int64_t)type->keywords);
        bind_text(stmt, &at, type->event_name);
        bind_text(stmt, &at, type->task_name);
        bind_text(stmt, &at, type->opcode_name);
        bind_text(stmt, &at, type->level_name);
        bind_text(stmt, &at, type->channel_name);
        bind_text(stmt, &at, type->keyword_names);
        bind_text(stmt, &at, type->message);
        bind_text(stmt, &at, etl_schema_source_name(type->schema_source));
        bind_int(stmt, &at, (int64_t)type->event_count);
        bind_int(stmt, &at,
                 (int64_t)(type->status_count[ETL_STATUS_EXACT] +
                           type->status_count[ETL_STATUS_LOWER_VERSION] +
                           type->status_count[ETL_STATUS_POINTER_SIZE]));
        bind_text(stmt, &at, type->name);
        if (has_table(sink, type)) {
            char *table = sqlite3_mprintf("%s_data", type->name);
            if (table)
                bind_string(stmt, &at, table);
            else
                at = BIND_FAILED;
            sqlite3_free(table);
        }
        r = run(sink, stmt, at, error);
    }
    sqlite3_finalize(stmt);
    return r;
}

static int write_fields(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    sqlite3_stmt *stmt;
    int r = prepare(sink, "INSERT INTO field VALUES(?,?,?,?,?,?,?,?)", &stmt, error);
    for (size_t i = 0; i < etl_decoder_type_count(decoder) && r == ETL_OK; i++) {
        const etl_event_type *type = etl_decoder_type(decoder, i);
        for (size_t k = 0; has_table(sink, type) && k < type->column_count && r == ETL_OK; k++) {
            const etl_column_def *def = type->columns[k];
            int at = 1;
            bind_int(stmt, &at, type->id);
            bind_int(stmt, &at, def->ordinal);
            bind_string(stmt, &at, def->property);
            bind_string(stmt, &at, def->name);
            bind_int(stmt, &at, def->in_type);
            bind_int(stmt, &at, def->out_type);
            bind_int(stmt, &at, def->json);
            bind_text(stmt, &at, def->map ? def->map->name : NULL);
            r = run(sink, stmt, at, error);
        }
    }
    sqlite3_finalize(stmt);
    return r;
}

static int write_maps(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    sqlite3_stmt *stmt;
    int r = prepare(sink, "INSERT OR IGNORE INTO map_value VALUES(?,?,?,?,?,?)", &stmt, error);
    for (size_t i = 0; i < etl_decoder_type_count(decoder) && r == ETL_OK; i++) {
        const etl_event_type *type = etl_decoder_type(decoder, i);
        for (size_t k = 0; has_table(sink, type) && k < type->column_count; k++) {
            const etl_column_def *def = type->columns[k];
            for (size_t e = 0; def->map && e < def->map->entry_count && r == ETL_OK; e++) {
                int at = 1;
                bind_int(stmt, &at, type->id);
                bind_string(stmt, &at, def->name);
                bind_int(stmt, &at, (int64_t)def->map->entries[e].value);
                bind_string(stmt, &at, def->map->entries[e].text);
                bind_text(stmt, &at, def->map->name);
                bind_text(stmt, &at, def->map->kind == ETL_MAP_BITS ? "bits" : "value");
                r = run(sink, stmt, at, error);
            }
        }
    }
    sqlite3_finalize(stmt);
    return r;
}

static int write_diagnostics(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    sqlite3_stmt *stmt;
    int r = prepare(sink, "INSERT INTO diagnostic VALUES(?,?,?,?,?,?,?,?)", &stmt, error);
    for (size_t i = 0; i < etl_decoder_problem_count(decoder) && r == ETL_OK; i++) {
        etl_problem problem = etl_decoder_problem(decoder, i);
        int at = 1;
        bind_int(stmt, &at, (int64_t)i + 1);
        bind_text(stmt, &at, problem.code);
        bind_text(stmt, &at, problem.severity);
        if (problem.source != ETL_NO_SOURCE)
            bind_int(stmt, &at, problem.source + 1);
        else
            sqlite3_bind_null(stmt, at++);
        if (problem.offset != ETL_NO_OFFSET)
            bind_int(stmt, &at, (int64_t)problem.offset);
        else
            sqlite3_bind_null(stmt, at++);
        bind_int(stmt, &at, (int64_t)problem.count);
        bind_text(stmt, &at, problem.meaning);
        bind_text(stmt, &at, problem.text);
        r = run(sink, stmt, at, error);
    }
    sqlite3_finalize(stmt);
    return r;
}

int etl_sqlite_write_catalog(etl_sqlite_sink *sink, const etl_decoder *decoder, etl_error *error)
{
    int (*const parts[])(etl_sqlite_sink *, const etl_decoder *, etl_error *) = {
        write_sources, write_providers, write_types, write_fields, write_maps, write_diagnostics};
    int r = write_meta(sink, error);
    for (size_t i = 0; i < ETL_COUNT_OF(parts) && r == ETL_OK; i++)
        r = parts[i](sink, decoder, error);
    return r;
}
