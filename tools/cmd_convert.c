/* etlkit convert: trace files into one database. */
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "commands.h"

#include <etlkit/sink.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The mistakes that cost an input or a device file when found too late. */
static int check_output(const cli_values *values)
{
    const char *output = values->output;
    struct stat target;
    struct stat input;
    if (stat(output, &target) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return EXIT_DONE;
        cli_say("%s: %s", output, strerror(errno));
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < values->input_count; i++)
        if (stat(values->inputs[i], &input) == 0 && input.st_dev == target.st_dev &&
            input.st_ino == target.st_ino) {
            cli_say("%s is an input; it cannot be the output too", output);
            return EXIT_USAGE;
        }
    if (!S_ISREG(target.st_mode)) {
        cli_say("%s: not a regular file; it cannot be replaced", output);
        return EXIT_FAILED;
    }
    if (!values->force) {
        cli_say("%s exists; --force replaces it", output);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int check_usage(const cli_values *values)
{
    if (!values->output) {
        cli_say("no output; name one with -o, such as -o trace.db");
        return EXIT_USAGE;
    }
    if (etl_sink_for(values->output, values->format))
        return check_output(values);
    if (values->format)
        cli_say("--to: '%s' is not a format; use sqlite", values->format);
    else
        cli_say("%s: no format ends like this; use .db or .sqlite, or --to sqlite", values->output);
    return EXIT_USAGE;
}

static void say_summary(const cli_values *values, const etl_convert_result *result, uint64_t start)
{
    char events[CLI_NUMBER_SIZE];
    char rows[CLI_NUMBER_SIZE];
    char bytes[CLI_NUMBER_SIZE];
    cli_say("%s event%s, %s rows, %s in %.2f s: %s", cli_number(result->events, events),
            result->events == 1 ? "" : "s", cli_number(result->rows, rows),
            cli_bytes(result->output_bytes, bytes), (double)(cli_clock() - start) / 1e9,
            values->output);
}

static int convert_inputs(const cli_values *values, cli_inputs *inputs, uint64_t start)
{
    etl_error error = {0};
    etl_convert_result result = {0};
    char *command = cli_options_command(values);
    etl_convert_options options = {
        .format = values->format,
        .overwrite = values->force,
        .jobs = values->jobs,
        .command = command,
    };
    int status = etl_convert(inputs->decoder, values->output, &options, &result, &error);
    free(command);
    if (status != ETL_OK)
        return cli_failure(status, &error);
    cli_progress_wipe();
    if (!values->quiet)
        say_summary(values, &result, start);
    return cli_inputs_finish(values, inputs);
}

static int run_convert(const cli_values *values)
{
    uint64_t start = cli_clock();
    int code = check_usage(values);
    if (code != EXIT_DONE)
        return code;
    cli_inputs inputs;
    code = cli_inputs_open(values, values->inputs, values->input_count, &inputs);
    if (code == EXIT_DONE)
        code = convert_inputs(values, &inputs, start);
    cli_inputs_close(&inputs);
    return code;
}

static const cli_option *const options[] = {
    &opt_output,   &opt_to,    &opt_force,   &opt_raw,    &opt_begin, &opt_end,
    &opt_provider, &opt_event, &opt_pid,     &opt_strict, &opt_jobs,  &opt_progress,
    &opt_pack,     &opt_quiet, &opt_verbose, &opt_help,   NULL,
};

const cli_command cmd_convert = {
    .name = "convert",
    .arguments = "[OPTION…] FILE… -o OUT",
    .summary = "write events into a SQLite database",
    .details = "Writes the events of trace files into one SQLite database. Several files are\n"
               "merged by time. FILE may be - for standard input, and gzip, zstd, xz or bzip2\n"
               "packed. etlkit-sqlite(5) describes the tables.",
    .examples = {"etlkit convert trace.etl -o trace.db",
                 "etlkit convert kernel.etl user.etl --begin=+30s --end=-5m -o both.db",
                 "etlkit convert --provider '*DNS*' --event 3000-3020 trace.etl -o dns.db"},
    .options = options,
    .hashes = true,
    .run = run_convert,
};
