#include "cli/options.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 16 };

static const cli_option *const all_options[] = {
    &opt_output, &opt_to,       &opt_force,   &opt_raw,  &opt_json,   &opt_limit, &opt_begin,
    &opt_end,    &opt_provider, &opt_event,   &opt_pid,  &opt_strict, &opt_jobs,  &opt_progress,
    &opt_pack,   &opt_quiet,    &opt_verbose, &opt_help, NULL,
};

static const cli_command command = {
    .name = "test",
    .arguments = "FILE",
    .summary = "",
    .details = "Tests.",
    .examples = {"first", "second", "third"},
    .options = all_options,
};

/* Splits at blanks; the text of the values points into `words`. */
static int parse(char *words, cli_values *ret_values)
{
    char *arguments[ARGUMENTS_MAX];
    int count = 0;
    for (char *word = strtok(words, " "); word && count < ARGUMENTS_MAX; word = strtok(NULL, " "))
        arguments[count++] = word;
    return cli_options_parse(&command, count, arguments, ret_values);
}

static void expect_error(const char *line, const char *message)
{
    char words[256];
    char text[512];
    cli_values values;
    strcpy(words, line);
    cr_redirect_stderr();
    cr_expect_eq(parse(words, &values), EXIT_USAGE, "%s is taken", line);
    cli_values_free(&values);
    fflush(stderr);
    snprintf(text, sizeof text, "etlkit: %s\n", message);
    cr_expect_stderr_eq_str(text);
}

Test(options, forms_of_an_argument)
{
    char words[] = "--output=a.db --to sqlite -j2 --limit 0x10 in.etl";
    cli_values values;
    cr_assert_eq(parse(words, &values), EXIT_DONE);
    cr_expect_str_eq(values.output, "a.db");
    cr_expect_str_eq(values.format, "sqlite");
    cr_expect_eq(values.jobs, 2);
    cr_expect(values.has_limit);
    cr_expect_eq(values.limit, 16);
    cr_expect_eq(values.input_count, 1);
    cr_expect_str_eq(values.inputs[0], "in.etl");
    cli_values_free(&values);
}

Test(options, letters_combine)
{
    char words[] = "-qvo out.db - in.etl";
    cli_values values;
    cr_assert_eq(parse(words, &values), EXIT_DONE);
    cr_expect(values.quiet);
    cr_expect(values.verbose);
    cr_expect_str_eq(values.output, "out.db");
    cr_expect_eq(values.input_count, 2);
    cr_expect_str_eq(values.inputs[0], "-");
    cli_values_free(&values);
}

Test(options, inputs_after_two_dashes)
{
    char words[] = "--raw -- --json -q";
    cli_values values;
    cr_assert_eq(parse(words, &values), EXIT_DONE);
    cr_expect(values.raw);
    cr_expect_not(values.json);
    cr_expect_eq(values.input_count, 2);
    cr_expect_str_eq(values.inputs[1], "-q");
    cli_values_free(&values);
}

Test(options, aliases_and_negative_arguments)
{
    char words[] = "--since -5s --until=+1m in.etl";
    cli_values values;
    cr_assert_eq(parse(words, &values), EXIT_DONE);
    cr_expect_eq(values.begin.kind, CLI_TIME_BEFORE_LAST);
    cr_expect_eq(values.end.kind, CLI_TIME_AFTER_FIRST);
    cli_values_free(&values);
}

Test(options, filters_repeat)
{
    char words[] = "--provider A --provider=B* --pid 4 --pid 0 --event 7 --event 0-65535 "
                   "--event Start* in.etl";
    cli_values values;
    cr_assert_eq(parse(words, &values), EXIT_DONE);
    cr_expect_eq(values.provider_count, 2);
    cr_expect_str_eq(values.providers[1], "B*");
    cr_expect_eq(values.process_count, 2);
    cr_expect_eq(values.processes[0], 4);
    cr_assert_eq(values.event_count, 3);
    cr_expect_eq(values.events[0].first, 7);
    cr_expect_eq(values.events[0].last, 7);
    cr_expect_null(values.events[0].name);
    cr_expect_eq(values.events[1].last, 65535);
    cr_expect_str_eq(values.events[2].name, "Start*");
    cli_values_free(&values);
}

Test(options, help_needs_no_input)
{
    char words[] = "--help";
    cli_values values;
    cr_assert_eq(parse(words, &values), EXIT_DONE);
    cr_expect(values.help);
    cli_values_free(&values);
}

Test(options, unknown_option)
{
    expect_error("--provder x in.etl", "unknown option --provder; did you mean --provider?");
}

Test(options, unknown_option_near_an_alias)
{
    expect_error("--sinse=1 in.etl", "unknown option --sinse; did you mean --since?");
}

Test(options, unknown_option_near_none)
{
    expect_error("--xyzzy in.etl",
                 "unknown option --xyzzy; 'etlkit test --help' lists the options");
}

Test(options, unknown_letter)
{
    expect_error("-qx in.etl", "unknown option -x; 'etlkit test --help' lists the options");
}

Test(options, missing_argument)
{
    expect_error("in.etl --pid", "--pid needs an argument: --pid PID");
}

Test(options, flag_with_argument)
{
    expect_error("--raw=1 in.etl", "--raw takes no argument");
}

Test(options, event_range_the_wrong_way)
{
    expect_error("--event 9-3 in.etl", "--event: '9-3' is not an event; try an id (0 to 65535), "
                                       "a range such as 10-20, or a name");
}

Test(options, pid_too_large)
{
    expect_error("--pid 4294967296 in.etl", "--pid: '4294967296' is not a process id");
}

Test(options, no_threads)
{
    expect_error("-j 0 in.etl", "--jobs: '0' is not a number of threads (1 to 1024)");
}

Test(options, hostile_argument_is_escaped)
{
    expect_error("--pid \x1b[31m in.etl", "--pid: '\\x1b[31m' is not a process id");
}

Test(options, nearest)
{
    static const char *const names[] = {"info", "convert", "dump", NULL};
    cr_expect_str_eq(cli_nearest("conver", names), "convert");
    cr_expect_str_eq(cli_nearest("covnert", names), "convert");
    cr_expect_str_eq(cli_nearest("in", names), "info");
    cr_expect_str_eq(cli_nearest("dmup", names), "dump");
    cr_expect_null(cli_nearest("frobnicate", names));
    cr_expect_null(cli_nearest("", names));
    cr_expect_null(cli_nearest("a-name-that-is-longer-than-any-option-there-is", names));
}

Test(options, command_holds_what_changes_the_output)
{
    char words[] = "-j 4 --raw -o x.db --pid=4 --provider it's --force in.etl";
    cli_values values;
    cr_assert_eq(parse(words, &values), EXIT_DONE);
    char *text = cli_options_command(&values);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, "etlkit test --raw --pid='4' --provider='it'\\''s'");
    free(text);
    cli_values_free(&values);
}

Test(options, help_lists_every_option)
{
    char text[8192] = "";
    cr_redirect_stdout();
    cli_options_help(&command);
    fflush(stdout);
    FILE *output = cr_get_redirected_stdout();
    size_t size = fread(text, 1, sizeof text - 1, output);
    text[size] = 0;
    for (const cli_option *const *o = all_options; *o; o++) {
        char name[40];
        snprintf(name, sizeof name, "--%s", (*o)->name);
        cr_expect(strstr(text, name), "%s is missing", name);
    }
    cr_expect(strstr(text, "Examples:\n  first\n  second\n  third\n"));
}
