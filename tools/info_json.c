/* The keys are an interface: add, never rename. The first ones are columns of the source table of a
   database, under the same names. */
#include "cli/json_out.h"
#include "info.h"

static void put_time(json_out *json, const char *key, etl_time time)
{
    char text[ETL_TIME_TEXT_SIZE];
    if (time != 0)
        etl_time_text(time, text);
    json_text(json, key, time != 0 ? text : NULL);
}

static void put_guid(json_out *json, const char *key, const etl_guid *guid)
{
    char text[ETL_GUID_TEXT_SIZE];
    etl_guid_text(guid, text);
    json_text(json, key, text);
}

/* Names of states are keys here: "lower version" becomes "lower_version". */
static void put_status_count(json_out *json, int status, uint64_t count)
{
    char key[40];
    snprintf(key, sizeof key, "%s", etl_event_status_name(status));
    for (char *p = key; *p; p++)
        if (*p == ' ')
            *p = '_';
    json_unsigned(json, key, count);
}

static void put_source(json_out *json, etl_source *source)
{
    char digest[65];
    info_sha256(source, digest);
    json_text(json, "path", etl_source_path(source));
    json_text(json, "compression", etl_source_compression(source));
    json_unsigned(json, "size", etl_source_stored_size(source));
    json_unsigned(json, "trace_size", etl_source_size(source));
    json_text(json, "sha256", digest);
}

static void put_session(json_out *json, const etl_session_info *session)
{
    char text[512];
    json_text(json, "logger_name", session->logger_name);
    json_text(json, "log_file_name", session->log_file_name);
    json_unsigned(json, "os_major", session->os_major);
    json_unsigned(json, "os_minor", session->os_minor);
    json_unsigned(json, "os_build", session->os_build);
    json_unsigned(json, "processors", session->processors);
    json_unsigned(json, "pointer_size", session->pointer_size);
    json_text(json, "clock", etl_clock_name(session->clock));
    json_number(json, "frequency", session->frequency);
    json_number(json, "first_raw_time", session->first_raw_time);
    json_unsigned(json, "timer_resolution", session->timer_resolution);
    json_unsigned(json, "cpu_mhz", session->cpu_mhz);
    json_unsigned(json, "log_file_mode", session->log_file_mode);
    etl_log_mode_text(session->log_file_mode, text, sizeof text);
    json_text(json, "log_file_mode_text", text);
    snprintf(text, sizeof text, "%u.%u", session->layout_major, session->layout_minor);
    json_text(json, "layout_version", text);
    json_unsigned(json, "buffer_size", session->buffer_size);
    put_time(json, "boot_time", session->boot_time);
    put_time(json, "start_time", session->start_time);
    put_time(json, "end_time", session->end_time);
    put_time(json, "first_event_time", session->first_event);
    put_time(json, "last_event_time", session->last_event);
    json_text(json, "time_zone", session->standard_name);
    json_number(json, "bias", session->bias);
}

static void put_accounting(json_out *json, const info_report *report)
{
    const etl_session_info *session = report->session;
    json_unsigned(json, "buffers_written", session->buffers_written);
    json_unsigned(json, "buffers_read", session->buffers_read);
    json_unsigned(json, "buffers_damaged", session->buffers_damaged);
    json_bool(json, "buffers_compressed", session->compressed);
    json_unsigned(json, "records", session->records);
    json_unsigned(json, "records_unknown", session->records_unknown);
    json_unsigned(json, "events_lost", session->events_lost);
    json_unsigned(json, "buffers_lost", session->buffers_lost);
    json_unsigned(json, "sequence_gaps", report->sequence_gaps);
    json_unsigned(json, "bytes_header", session->bytes_header);
    json_unsigned(json, "bytes_used", session->bytes_used);
    json_unsigned(json, "bytes_padding", session->bytes_padding);
    json_unsigned(json, "bytes_skipped", session->bytes_skipped);
    json_unsigned(json, "events", report->totals->events);
    json_unsigned(json, "events_filtered", report->totals->filtered);
}

static void put_shares(json_out *json, const etl_decoder_totals *totals)
{
    json_open(json, "by_schema_source", '{');
    for (int i = 0; i < ETL_SCHEMA_SOURCE_COUNT; i++)
        json_unsigned(json, etl_schema_source_name(i), totals->by_schema_source[i]);
    json_close(json, '}');
    json_open(json, "by_status", '{');
    for (int i = 0; i < ETL_STATUS_COUNT; i++)
        put_status_count(json, i, totals->by_status[i]);
    json_close(json, '}');
}

static void put_providers(json_out *json, const info_report *report)
{
    json_open(json, "providers", '[');
    for (size_t i = 0; i < report->provider_count; i++) {
        const etl_provider *provider = report->providers[i];
        json_open(json, NULL, '{');
        put_guid(json, "guid", &provider->guid);
        json_text(json, "name", provider->name);
        json_unsigned(json, "events", provider->event_count);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_inexact(json_out *json, const info_report *report)
{
    json_open(json, "not_exact", '[');
    for (size_t i = 0; i < report->inexact_count; i++) {
        const etl_event_type *type = report->inexact[i];
        bool classic = type->kind == ETL_KIND_CLASSIC;
        json_open(json, NULL, '{');
        json_text(json, "event_type", type->name);
        json_text(json, "kind", etl_event_kind_name(type->kind));
        json_text(json, "provider", type->provider->name);
        put_guid(json, "guid", &type->provider->guid);
        json_unsigned(json, classic ? "opcode" : "event_id",
                      classic ? type->opcode : type->event_id);
        json_unsigned(json, "events", type->event_count);
        json_open(json, "by_status", '{');
        for (int status = 0; status < ETL_STATUS_COUNT; status++)
            if (type->status_count[status] > 0)
                put_status_count(json, status, type->status_count[status]);
        json_close(json, '}');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_problems(json_out *json, const etl_decoder *decoder)
{
    json_open(json, "problems", '[');
    for (size_t i = 0; i < etl_decoder_problem_count(decoder); i++) {
        etl_problem problem = etl_decoder_problem(decoder, i);
        json_open(json, NULL, '{');
        json_text(json, "code", problem.code);
        json_text(json, "severity", problem.severity);
        if (problem.offset != ETL_NO_OFFSET)
            json_unsigned(json, "offset", problem.offset);
        json_unsigned(json, "count", problem.count);
        json_text(json, "meaning", problem.meaning);
        json_text(json, "text", problem.text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void info_print_json(const info_report *report, json_out *json)
{
    json_open(json, NULL, '{');
    put_source(json, report->source);
    put_session(json, report->session);
    put_accounting(json, report);
    put_shares(json, report->totals);
    put_providers(json, report);
    put_inexact(json, report);
    put_problems(json, report->decoder);
    json_close(json, '}');
}
