#include "cli/inputs.h"

#include "cli/pack_path.h"
#include "cli/terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int cli_failure(int status, const etl_error *error)
{
    cli_progress_wipe();
    int signal_number = cli_signal();
    if (status == ETL_ERR_INTERRUPTED || signal_number != 0) {
        cli_say("interrupted");
        return 128 + (signal_number ? signal_number : 2);
    }
    cli_say("%s", error->message[0] ? error->message : etl_status_text(status));
    return status == ETL_ERR_NOT_ETL ? EXIT_NOT_ETL : EXIT_FAILED;
}

/* Messages begin with the path, its control characters replaced, unless they have nothing to do
   with it. */
static bool begins_with_path(const char *message, const char *path)
{
    for (; *path; path++, message++)
        if (*message == 0 || (*message != *path && *path >= ' ' && *path < 0x7F))
            return false;
    return true;
}

static int reject_input(const char *path, int status, const etl_error *error)
{
    const char *message = error->message[0] ? error->message : etl_status_text(status);
    if (begins_with_path(message, path))
        cli_say("%s", message);
    else
        cli_say("%s: %s", path, message);
    return status == ETL_ERR_NOT_ETL ? EXIT_NOT_ETL : EXIT_FAILED;
}

/* A source is in when it alone makes a trace. */
static int add_source(cli_inputs *inputs, const char *path, etl_error *error)
{
    etl_source *source = NULL;
    etl_trace *trace = NULL;
    int status = etl_source_open(path, &source, error);
    if (status == ETL_OK)
        status = etl_trace_open(&source, 1, &trace, error);
    etl_trace_close(trace);
    if (status != ETL_OK)
        etl_source_close(source);
    else
        inputs->sources[inputs->source_count++] = source;
    return status;
}

static int open_sources(cli_inputs *inputs, const char *const *paths, size_t count)
{
    inputs->sources = calloc(count, sizeof(etl_source *));
    if (!inputs->sources) {
        cli_say("out of memory");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < count; i++) {
        etl_error error = {0};
        int status = add_source(inputs, paths[i], &error);
        if (status == ETL_OK)
            continue;
        int code = reject_input(paths[i], status, &error);
        /* What could not be read weighs more than what is no trace. */
        if (inputs->rejected != EXIT_FAILED)
            inputs->rejected = code;
    }
    if (inputs->source_count == 0)
        return inputs->rejected;
    /* Files that are no traces may lie among the others: a success all the same. */
    if (inputs->rejected == EXIT_NOT_ETL)
        inputs->rejected = EXIT_DONE;
    return EXIT_DONE;
}

bool cli_inputs_range(const cli_inputs *inputs, etl_time *ret_first, etl_time *ret_last)
{
    bool found = false;
    *ret_first = *ret_last = 0;
    for (size_t i = 0; i < etl_trace_source_count(inputs->trace); i++) {
        const etl_session_info *session = etl_trace_session(inputs->trace, i);
        if (session->first_event == 0 && session->last_event == 0)
            continue;
        if (!found || session->first_event < *ret_first)
            *ret_first = session->first_event;
        if (!found || session->last_event > *ret_last)
            *ret_last = session->last_event;
        found = true;
    }
    return found;
}

static int set_filter(const cli_values *values, cli_inputs *inputs)
{
    etl_time first;
    etl_time last;
    etl_error error = {0};
    cli_inputs_range(inputs, &first, &last);
    etl_filter filter = {
        .begin = cli_time_resolve(&values->begin, first, last, ETL_TIME_MIN),
        .end = cli_time_resolve(&values->end, first, last, ETL_TIME_MAX),
        .providers = values->providers,
        .provider_count = values->provider_count,
        .events = values->events,
        .event_count = values->event_count,
        .processes = values->processes,
        .process_count = values->process_count,
    };
    if (filter.begin > filter.end) {
        char begin[ETL_TIME_TEXT_SIZE];
        char end[ETL_TIME_TEXT_SIZE];
        etl_time_text(filter.begin, begin);
        etl_time_text(filter.end, end);
        cli_say("the time range is empty: it begins at %s and ends at %s", begin, end);
        return EXIT_USAGE;
    }
    int status = etl_decoder_set_filter(inputs->decoder, &filter, &error);
    return status == ETL_OK ? EXIT_DONE : cli_failure(status, &error);
}

int cli_inputs_open(const cli_values *values, const char *const *paths, size_t count,
                    cli_inputs *ret_inputs)
{
    cli_inputs *inputs = ret_inputs;
    etl_error error = {0};
    char place[PATH_MAX];
    *inputs = (cli_inputs){0};
    cli_progress_mode mode = values->quiet ? CLI_PROGRESS_NONE : values->progress;
    cli_progress_start(&inputs->progress, mode, values->command->name);
    int code = open_sources(inputs, paths, count);
    if (code != EXIT_DONE)
        return code;
    cli_signals_catch();
    etl_decoder_options options = {
        .pack_path = cli_pack_path(values->pack, place, sizeof place),
        .keep_raw = values->raw,
        .progress = cli_progress_update,
        .progress_context = &inputs->progress,
    };
    if (!options.pack_path && !values->quiet)
        cli_say("no schema pack found: kernel and manifest events stay raw; "
                "name one with --pack or ETLKIT_PACK");
    for (size_t i = 0; values->command->hashes && i < inputs->source_count; i++)
        etl_source_hash_enable(inputs->sources[i]);
    int status = etl_trace_open(inputs->sources, inputs->source_count, &inputs->trace, &error);
    if (status == ETL_OK)
        status = etl_decoder_open(inputs->trace, &options, &inputs->decoder, &error);
    if (status != ETL_OK)
        return cli_failure(status, &error);
    return set_filter(values, inputs);
}

void cli_inputs_close(cli_inputs *inputs)
{
    cli_progress_wipe();
    cli_signals_release();
    etl_decoder_close(inputs->decoder);
    etl_trace_close(inputs->trace);
    for (size_t i = 0; i < inputs->source_count; i++)
        etl_source_close(inputs->sources[i]);
    free(inputs->sources);
    *inputs = (cli_inputs){0};
}

static bool is_serious(const etl_problem *problem)
{
    return strcmp(problem->severity, "info") != 0;
}

static void say_problem(const cli_inputs *inputs, const etl_problem *problem)
{
    char count[CLI_NUMBER_SIZE];
    char offset[40] = "";
    const char *path = "";
    if (problem->source < inputs->source_count)
        path = etl_source_path(inputs->sources[problem->source]);
    if (problem->offset != ETL_NO_OFFSET)
        snprintf(offset, sizeof offset, " at offset %llu", (unsigned long long)problem->offset);
    cli_say("%s%s%s: %s, %s time%s%s: %s", path, *path ? ": " : "", problem->severity,
            problem->code, cli_number(problem->count, count), problem->count == 1 ? "" : "s",
            offset, problem->text ? problem->text : problem->meaning);
}

/* No events where there are records: the filter is more often wrong than the trace empty. */
static void say_if_none(const cli_inputs *inputs)
{
    const etl_decoder_totals *totals = etl_decoder_totals_get(inputs->decoder);
    char count[CLI_NUMBER_SIZE];
    uint64_t records = 0;
    for (size_t i = 0; i < inputs->source_count; i++)
        records += etl_trace_session(inputs->trace, i)->records;
    if (totals->events == 0 && records > 0)
        cli_say("no event matches the filter; %s were left out ('info' lists the providers)",
                cli_number(records, count));
}

/* All codes and their counts in one line. */
static void say_problem_summary(const etl_decoder *decoder)
{
    char line[1024];
    size_t used = 0;
    size_t count = etl_decoder_problem_count(decoder);
    for (size_t i = 0; i < count; i++) {
        etl_problem problem = etl_decoder_problem(decoder, i);
        bool seen = !is_serious(&problem);
        for (size_t j = 0; j < i && !seen; j++)
            seen = strcmp(etl_decoder_problem(decoder, j).code, problem.code) == 0;
        if (seen)
            continue;
        uint64_t total = 0;
        for (size_t j = i; j < count; j++) {
            etl_problem other = etl_decoder_problem(decoder, j);
            if (strcmp(other.code, problem.code) == 0)
                total += other.count;
        }
        char number[CLI_NUMBER_SIZE];
        int length = snprintf(line + used, sizeof line - used, "%s%s %s", used ? ", " : "",
                              problem.code, cli_number(total, number));
        if (length < 0 || (size_t)length >= sizeof line - used)
            break;
        used += (size_t)length;
    }
    cli_say("data problems: %s (-v prints them)", line);
}

int cli_inputs_finish(const cli_values *values, const cli_inputs *inputs)
{
    bool serious = false;
    for (size_t i = 0; i < etl_decoder_problem_count(inputs->decoder); i++) {
        etl_problem problem = etl_decoder_problem(inputs->decoder, i);
        serious |= is_serious(&problem);
        if (values->verbose)
            say_problem(inputs, &problem);
    }
    if (serious && !values->verbose && !values->quiet)
        say_problem_summary(inputs->decoder);
    if (!values->quiet)
        say_if_none(inputs);
    if (inputs->rejected != EXIT_DONE)
        return inputs->rejected;
    return serious && values->strict ? EXIT_DATA : EXIT_DONE;
}
