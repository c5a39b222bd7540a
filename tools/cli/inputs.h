/* From the paths and filters of the command line to a decoder that is ready to give batches. */
#ifndef ETL_CLI_INPUTS_H
#define ETL_CLI_INPUTS_H

#include "cli/options.h"

typedef struct cli_inputs {
    etl_source **sources;
    size_t source_count;
    etl_trace *trace;
    etl_decoder *decoder;
    cli_progress progress;
    int rejected; /* exit code for the inputs left out, EXIT_DONE when all are in */
} cli_inputs;

/* Opens `count` paths as one trace, scans it and sets the filter. What cannot be read or is no ETL
   gets one line and the others go on. Returns EXIT_DONE when there is something to read. Close in
   all cases. */
int cli_inputs_open(const cli_values *values, const char *const *paths, size_t count,
                    cli_inputs *ret_inputs);
void cli_inputs_close(cli_inputs *inputs);

/* Says what went wrong and returns the exit code that belongs to it. */
int cli_failure(int status, const etl_error *error);
/* After reading: data problems to stderr as the options ask, then the exit code. */
int cli_inputs_finish(const cli_values *values, const cli_inputs *inputs);

/* First and last event of all sources; false when there are no events. */
bool cli_inputs_range(const cli_inputs *inputs, etl_time *ret_first, etl_time *ret_last);

#endif
