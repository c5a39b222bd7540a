/* etlkit info: what a trace is, what it holds, what was lost, how much of it is decoded. */
#include "cli/json_out.h"
#include "cli/terminal.h"
#include "commands.h"
#include "info.h"

#include <stdlib.h>
#include <string.h>

uint64_t info_inexact_events(const etl_event_type *type)
{
    uint64_t count = 0;
    for (int status = ETL_STATUS_EXACT + 1; status < ETL_STATUS_COUNT; status++)
        count += type->status_count[status];
    return count;
}

void info_sha256(etl_source *source, char ret_text[65])
{
    uint8_t digest[32];
    etl_source_sha256(source, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(ret_text + 2 * i, 3, "%02x", digest[i]);
}

static int by_provider_events(const void *a, const void *b)
{
    const etl_provider *left = *(const etl_provider *const *)a;
    const etl_provider *right = *(const etl_provider *const *)b;
    if (left->event_count != right->event_count)
        return left->event_count < right->event_count ? 1 : -1;
    int order = strcmp(left->name, right->name);
    return order ? order : memcmp(&left->guid, &right->guid, sizeof left->guid);
}

static int by_inexact_events(const void *a, const void *b)
{
    const etl_event_type *left = *(const etl_event_type *const *)a;
    const etl_event_type *right = *(const etl_event_type *const *)b;
    uint64_t left_count = info_inexact_events(left);
    uint64_t right_count = info_inexact_events(right);
    if (left_count != right_count)
        return left_count < right_count ? 1 : -1;
    return strcmp(left->name, right->name);
}

static int fill_report(const cli_values *values, const cli_inputs *inputs, info_report *ret_report)
{
    const etl_decoder *decoder = inputs->decoder;
    info_report *report = ret_report;
    size_t providers = etl_decoder_provider_count(decoder);
    size_t types = etl_decoder_type_count(decoder);
    *report = (info_report){
        .source = inputs->sources[0],
        .session = etl_trace_session(inputs->trace, 0),
        .decoder = decoder,
        .totals = etl_decoder_totals_get(decoder),
        .providers = calloc(providers + 1, sizeof(etl_provider *)),
        .inexact = calloc(types + 1, sizeof(etl_event_type *)),
        .full = values->verbose,
    };
    if (!report->providers || !report->inexact) {
        cli_say("out of memory");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < providers; i++) {
        const etl_provider *provider = etl_decoder_provider(decoder, i);
        if (provider->event_count > 0)
            report->providers[report->provider_count++] = provider;
    }
    for (size_t i = 0; i < types; i++) {
        const etl_event_type *type = etl_decoder_type(decoder, i);
        if (info_inexact_events(type) > 0)
            report->inexact[report->inexact_count++] = type;
    }
    for (size_t i = 0; i < etl_decoder_problem_count(decoder); i++) {
        etl_problem problem = etl_decoder_problem(decoder, i);
        if (strcmp(problem.code, "BUFFER_SEQUENCE_GAP") == 0)
            report->sequence_gaps += problem.count;
    }
    qsort(report->providers, report->provider_count, sizeof(etl_provider *), by_provider_events);
    qsort(report->inexact, report->inexact_count, sizeof(etl_event_type *), by_inexact_events);
    return EXIT_DONE;
}

/* Counts are complete only when every event went by. */
static int read_all(cli_inputs *inputs)
{
    etl_error error = {0};
    int status = ETL_OK;
    while (status == ETL_OK) {
        etl_batch *batch = NULL;
        status = etl_decoder_next(inputs->decoder, &batch, &error);
        if (status == ETL_OK)
            etl_decoder_recycle(inputs->decoder, batch);
        if (cli_signal())
            status = ETL_ERR_INTERRUPTED;
    }
    if (status == ETL_END)
        status = etl_source_check(inputs->sources[0], &error);
    cli_progress_wipe();
    return status == ETL_OK ? EXIT_DONE : cli_failure(status, &error);
}

static int report_input(const cli_values *values, cli_inputs *inputs, json_out *json)
{
    info_report report = {0};
    int code = read_all(inputs);
    if (code == EXIT_DONE)
        code = fill_report(values, inputs, &report);
    if (code == EXIT_DONE) {
        if (values->json)
            info_print_json(&report, json);
        else
            info_print_text(&report);
        /* Messages about a trace come behind what was printed about it. */
        cli_flush_output();
        code = cli_inputs_finish(values, inputs);
    }
    free(report.providers);
    free(report.inexact);
    return code;
}

/* The worst of all inputs; one that is no trace counts only when none is. */
static int combined_code(const size_t counts[EXIT_DATA + 1])
{
    static const int rank[] = {EXIT_USAGE, EXIT_FAILED, EXIT_DATA, EXIT_DONE, EXIT_NOT_ETL};
    for (size_t i = 0; i < sizeof rank / sizeof *rank; i++)
        if (counts[rank[i]] > 0)
            return rank[i];
    return EXIT_DONE;
}

static int run_info(const cli_values *values)
{
    size_t counts[EXIT_DATA + 1] = {0};
    json_out json = {.file = stdout};
    bool array = values->json && values->input_count > 1;
    bool printed = false;
    if (array)
        json_open(&json, NULL, '[');
    for (size_t i = 0; i < values->input_count; i++) {
        cli_inputs inputs;
        int code = cli_inputs_open(values, &values->inputs[i], 1, &inputs);
        if (code == EXIT_DONE) {
            if (printed && !values->json)
                putchar('\n');
            printed = true;
            code = report_input(values, &inputs, &json);
        }
        cli_inputs_close(&inputs);
        if (code > EXIT_DATA)
            return code; /* interrupted */
        counts[code]++;
    }
    if (array)
        json_close(&json, ']');
    if (array || (printed && values->json))
        putchar('\n');
    int code = cli_finish_output();
    return code == EXIT_DONE ? combined_code(counts) : code;
}

static const cli_option *const options[] = {
    &opt_json,     &opt_begin, &opt_end,   &opt_provider, &opt_event, &opt_pid, &opt_strict,
    &opt_progress, &opt_pack,  &opt_quiet, &opt_verbose,  &opt_help,  NULL,
};

const cli_command cmd_info = {
    .name = "info",
    .arguments = "[OPTION…] FILE…",
    .summary = "session, clock, time range, providers, losses, share decoded",
    .details =
        "Prints what each trace file is: session, clock, time range, losses, providers with\n"
        "counts, and how much of it is decoded by which schema source. FILE may be - for\n"
        "standard input, and gzip, zstd, xz or bzip2 packed.",
    .examples = {"etlkit info trace.etl", "etlkit info --json trace.etl | jq .os_build",
                 "etlkit info -v --strict trace.etl"},
    .options = options,
    .hashes = true,
    .run = run_info,
};
