/* etlkit dump: events as text or JSON, one a line, in time order. */
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "commands.h"

#include <etlkit/sink.h>

#include <errno.h>
#include <string.h>

/* All wanted events of an open decoder. ETL_OK also at --limit. */
static int write_events(const cli_values *values, cli_inputs *inputs, etl_text_writer *writer,
                        etl_error *error)
{
    uint64_t left = values->limit;
    uint64_t *limit = values->has_limit ? &left : NULL;
    while (!limit || *limit > 0) {
        etl_batch *batch = NULL;
        int status = etl_decoder_next(inputs->decoder, &batch, error);
        if (status != ETL_OK)
            return status == ETL_END ? ETL_OK : status;
        /* Progress shares the terminal with the events: its line must not mix with theirs. */
        cli_progress_wipe();
        status = etl_text_writer_batch(writer, batch, limit, error);
        etl_decoder_recycle(inputs->decoder, batch);
        if (status != ETL_OK)
            return status;
        if (cli_signal())
            return ETL_ERR_INTERRUPTED;
    }
    return ETL_OK;
}

static int dump_inputs(const cli_values *values, cli_inputs *inputs)
{
    etl_error error = {0};
    etl_text_writer *writer = NULL;
    etl_text_format format = values->json ? ETL_TEXT_JSON : ETL_TEXT_LINE;
    int status = etl_text_writer_open(stdout, format, &writer, &error);
    if (status == ETL_OK)
        status = write_events(values, inputs, writer, &error);
    etl_text_writer_close(writer);
    for (size_t i = 0; status == ETL_OK && i < inputs->source_count; i++)
        status = etl_source_check(inputs->sources[i], &error);
    if (status == ETL_ERR_OUTPUT && error.system_errno == EPIPE)
        return EXIT_DONE;
    if (status == ETL_ERR_OUTPUT) {
        cli_say("cannot write to standard output: %s", strerror(error.system_errno));
        return EXIT_FAILED;
    }
    if (status != ETL_OK)
        return cli_failure(status, &error);
    int code = cli_finish_output();
    return code == EXIT_DONE ? cli_inputs_finish(values, inputs) : code;
}

static int run_dump(const cli_values *values)
{
    cli_inputs inputs;
    int code = cli_inputs_open(values, values->inputs, values->input_count, &inputs);
    if (code == EXIT_DONE)
        code = dump_inputs(values, &inputs);
    cli_inputs_close(&inputs);
    return code;
}

static const cli_option *const options[] = {
    &opt_json,   &opt_limit,    &opt_begin, &opt_end,   &opt_provider, &opt_event, &opt_pid,
    &opt_strict, &opt_progress, &opt_pack,  &opt_quiet, &opt_verbose,  &opt_help,  NULL,
};

const cli_command cmd_dump = {
    .name = "dump",
    .arguments = "[OPTION…] FILE…",
    .summary = "print events as text or JSON, one a line",
    .details = "Prints the events of trace files in time order, one a line. Several files are\n"
               "merged. FILE may be - for standard input, and gzip, zstd, xz or bzip2 packed.",
    .examples = {"etlkit dump trace.etl | less",
                 "etlkit dump --json --provider 'Microsoft-Windows-DNS*' trace.etl",
                 "etlkit dump --begin=-5s --pid 4 --limit 100 trace.etl"},
    .options = options,
    .run = run_dump,
};
