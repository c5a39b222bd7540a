#include "cli/terminal.h"
#include "info.h"

#include <string.h>

enum { TABLE_ROWS = 25 };

static void put_label(const char *label)
{
    printf("  %-13s", label);
}

static void put_text(const char *label, const char *text)
{
    if (!text || !*text)
        return;
    put_label(label);
    cli_puts_safe(text, stdout);
    putchar('\n');
}

static void put_time(const char *label, etl_time time)
{
    char text[ETL_TIME_TEXT_SIZE];
    if (time == 0)
        return;
    etl_time_text(time, text);
    put_text(label, text);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void put_source(etl_source *source)
{
    char size[CLI_NUMBER_SIZE];
    char stored[CLI_NUMBER_SIZE];
    char digest[65];
    const char *compression = etl_source_compression(source);
    put_label("Size");
    cli_bytes(etl_source_size(source), size);
    if (etl_source_size(source) != etl_source_stored_size(source))
        printf("%s, %s as %s\n", size, cli_bytes(etl_source_stored_size(source), stored),
               compression);
    else
        printf("%s\n", size);
    info_sha256(source, digest);
    put_text("SHA-256", digest);
}

static void put_session(const etl_session_info *session)
{
    char number[CLI_NUMBER_SIZE];
    char mode[512];
    put_text("Session", session->logger_name);
    put_text("Log file", session->log_file_name);
    etl_log_mode_text(session->log_file_mode, mode, sizeof mode);
    put_text("Mode", mode);
    put_label("System");
    printf("Windows %u.%u build %u, %u processor%s, %u-bit\n", session->os_major, session->os_minor,
           session->os_build, session->processors, plural(session->processors),
           session->pointer_size * 8);
    put_label("Clock");
    printf("%s, %s ticks a second\n", etl_clock_name(session->clock),
           cli_number((uint64_t)session->frequency, number));
    put_text("Time zone", session->standard_name);
    put_time("Boot", session->boot_time);
    put_time("Start", session->start_time);
    put_time("End", session->end_time);
    put_time("First event", session->first_event);
    put_time("Last event", session->last_event);
}

static void put_accounting(const info_report *report)
{
    const etl_session_info *session = report->session;
    const etl_decoder_totals *totals = report->totals;
    char a[CLI_NUMBER_SIZE];
    char b[CLI_NUMBER_SIZE];
    char c[CLI_NUMBER_SIZE];
    char d[CLI_NUMBER_SIZE];
    put_label("Buffers");
    printf("%s of %s KiB%s, %s damaged; %s written as the file says\n",
           cli_number(session->buffers_read, a), cli_number(session->buffer_size / 1024, b),
           session->compressed ? ", compressed" : "", cli_number(session->buffers_damaged, c),
           cli_number(session->buffers_written, d));
    put_label("Bytes");
    printf("%s header + %s used + %s padding + %s skipped\n", cli_number(session->bytes_header, a),
           cli_number(session->bytes_used, b), cli_number(session->bytes_padding, c),
           cli_number(session->bytes_skipped, d));
    put_label("Records");
    printf("%s, %s of unknown kind\n", cli_number(session->records, a),
           cli_number(session->records_unknown, b));
    put_label("Events");
    printf("%s", cli_number(totals->events, a));
    if (totals->filtered > 0)
        printf(", %s more filtered out", cli_number(totals->filtered, b));
    putchar('\n');
    put_label("Lost");
    printf("%s event%s, %s buffer%s, %s sequence gap%s\n", cli_number(session->events_lost, a),
           plural(session->events_lost), cli_number(session->buffers_lost, b),
           plural(session->buffers_lost), cli_number(report->sequence_gaps, c),
           plural(report->sequence_gaps));
}

static void put_title(const char *title, bool shares)
{
    printf("\n  %14s%s  %s\n", "Events", shares ? "     Share" : "", title);
}

static void put_count(uint64_t count)
{
    char number[CLI_NUMBER_SIZE];
    printf("  %14s", cli_number(count, number));
}

/* Rounded down, so that 100 % means all. */
static void put_share(uint64_t part, uint64_t whole)
{
    uint64_t tenths = 0;
    if (whole > UINT64_MAX / 1000)
        tenths = part / (whole / 1000);
    else if (whole > 0)
        tenths = part * 1000 / whole;
    printf("  %4u.%u %%", (unsigned)(tenths / 10), (unsigned)(tenths % 10));
}

static void put_shares(const char *title, const uint64_t *counts, int count, uint64_t whole,
                       const char *(*name)(int))
{
    put_title(title, true);
    for (int i = 0; i < count; i++) {
        if (counts[i] == 0)
            continue;
        put_count(counts[i]);
        put_share(counts[i], whole);
        printf("  %s\n", name(i));
    }
}

static void put_rest(size_t shown, size_t count)
{
    if (shown < count)
        printf("  %14s  and %zu more; -v prints all\n", "...", count - shown);
}

static void put_providers(const info_report *report)
{
    char guid[ETL_GUID_TEXT_SIZE];
    put_title("Provider", false);
    for (size_t i = 0; i < report->provider_count; i++) {
        const etl_provider *provider = report->providers[i];
        etl_guid_text(&provider->guid, guid);
        put_count(provider->event_count);
        printf("  %s", guid);
        /* The library gives the GUID as the name of what it has no name for. */
        if (strcmp(provider->name, guid) != 0) {
            printf("  ");
            cli_puts_safe(provider->name, stdout);
        }
        putchar('\n');
    }
}

static void put_inexact(const info_report *report)
{
    size_t shown = report->inexact_count;
    if (shown == 0)
        return;
    if (shown > TABLE_ROWS && !report->full)
        shown = TABLE_ROWS;
    put_title("Not decoded exactly, and why", false);
    for (size_t i = 0; i < shown; i++) {
        const etl_event_type *type = report->inexact[i];
        const char *separator = ": ";
        put_count(info_inexact_events(type));
        printf("  ");
        cli_puts_safe(type->name, stdout);
        for (int status = ETL_STATUS_EXACT + 1; status < ETL_STATUS_COUNT; status++) {
            char number[CLI_NUMBER_SIZE];
            if (type->status_count[status] == 0)
                continue;
            printf("%s%s", separator, etl_event_status_name(status));
            if (type->status_count[status] != info_inexact_events(type))
                printf(" %s", cli_number(type->status_count[status], number));
            separator = ", ";
        }
        putchar('\n');
    }
    put_rest(shown, report->inexact_count);
}

void info_print_text(const info_report *report)
{
    const etl_decoder_totals *totals = report->totals;
    cli_puts_safe(etl_source_path(report->source), stdout);
    putchar('\n');
    put_source(report->source);
    put_session(report->session);
    put_accounting(report);
    put_shares("Schema from", totals->by_schema_source, ETL_SCHEMA_SOURCE_COUNT, totals->events,
               etl_schema_source_name);
    put_shares("Decoded", totals->by_status, ETL_STATUS_COUNT, totals->events,
               etl_event_status_name);
    put_providers(report);
    put_inexact(report);
}
