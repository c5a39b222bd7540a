/* One option table a command: parsing, --help and the nearest-name hints all come from it. */
#ifndef ETL_CLI_OPTIONS_H
#define ETL_CLI_OPTIONS_H

#include <etlkit/decoder.h>

#include "cli/progress.h"
#include "cli/time_range.h"

/* Exit codes of every command. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_NOT_ETL = 3,
    EXIT_DATA = 4 /* data problems, with --strict */
};

typedef struct cli_option cli_option;
typedef struct cli_command cli_command;

/* An option as it was given; text is NULL for flags. */
typedef struct cli_given {
    const cli_option *option;
    const char *text;
} cli_given;

/* What the options of all commands set. Texts are those of argv. */
typedef struct cli_values {
    const cli_command *command;
    bool help;
    bool json;
    bool quiet;
    bool verbose;
    bool strict;
    bool force;
    bool raw;
    bool has_limit;
    uint64_t limit;
    unsigned jobs;
    cli_progress_mode progress;
    cli_time begin;
    cli_time end;
    const char *output;
    const char *format;
    const char *pack;
    /* Room for argc items each, since every item takes at least one argument. */
    const char **providers;
    size_t provider_count;
    etl_event_pattern *events;
    size_t event_count;
    uint32_t *processes;
    size_t process_count;
    const char **inputs;
    size_t input_count;
    cli_given *given;
    size_t given_count;
} cli_values;

typedef enum cli_group {
    CLI_GROUP_OUTPUT,
    CLI_GROUP_SELECT,
    CLI_GROUP_GENERAL,
    CLI_GROUP_COUNT
} cli_group;

/* Takes the option's text into *values; false when the text is not acceptable. */
typedef bool cli_set_fn(cli_values *values, const char *text);

struct cli_option {
    const char *name;     /* without the dashes */
    const char *alias;    /* or NULL */
    char letter;          /* or 0 */
    bool content;         /* changes what the output holds */
    const char *argument; /* NULL for a flag */
    const char *expected; /* completes "'x' is not …"; NULL for flags and free text */
    cli_group group;
    const char *help;
    size_t flag;     /* offset of the bool in cli_values that a flag sets; 0 with an argument */
    cli_set_fn *set; /* NULL for a flag */
};

struct cli_command {
    const char *name;
    const char *arguments;
    const char *summary; /* one line */
    const char *details;
    const char *examples[3];
    const cli_option *const *options; /* ends with NULL */
    bool hashes;                      /* the output holds SHA-256 of the inputs */
    int (*run)(const cli_values *values);
};

/* The options; each command lists those that it takes. */
extern const cli_option opt_output, opt_to, opt_force, opt_raw, opt_jobs, opt_json, opt_limit,
    opt_begin, opt_end, opt_provider, opt_event, opt_pid, opt_strict, opt_progress, opt_pack,
    opt_quiet, opt_verbose, opt_help;

/* Arguments after the command's name. Returns EXIT_DONE, or EXIT_USAGE after one line to stderr.
   Free the values in both cases. */
int cli_options_parse(const cli_command *command, int argc, char *const *argv,
                      cli_values *ret_values);
void cli_values_free(cli_values *values);

void cli_options_help(const cli_command *command);

/* The name nearest to `text`, NULL when none is near. `names` ends with NULL. */
const char *cli_nearest(const char *text, const char *const *names);

/* The options given that change the output's content, as one line quoted for a shell: the same for
   every -j and -o. The caller frees it; NULL without memory. */
char *cli_options_command(const cli_values *values);

#endif
