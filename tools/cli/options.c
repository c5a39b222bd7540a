#include "cli/options.h"

#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_MAX = 32, NAMES_MAX = 2 * OPTION_MAX + 1 };

static const cli_option *find_option(const cli_command *command, const char *name, size_t length)
{
    for (const cli_option *const *o = command->options; *o; o++) {
        if (strlen((*o)->name) == length && memcmp((*o)->name, name, length) == 0)
            return *o;
        const char *alias = (*o)->alias;
        if (alias && strlen(alias) == length && memcmp(alias, name, length) == 0)
            return *o;
    }
    return NULL;
}

static const cli_option *find_letter(const cli_command *command, char letter)
{
    for (const cli_option *const *o = command->options; *o; o++)
        if ((*o)->letter == letter)
            return *o;
    return NULL;
}

static int unknown_option(const cli_command *command, const char *name, size_t length)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    char given[64];
    for (const cli_option *const *o = command->options; *o && count + 3 < NAMES_MAX; o++) {
        names[count++] = (*o)->name;
        if ((*o)->alias)
            names[count++] = (*o)->alias;
    }
    names[count] = NULL;
    snprintf(given, sizeof given, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *nearest = cli_nearest(given, names);
    if (nearest)
        cli_say("unknown option --%s; did you mean --%s?", given, nearest);
    else
        cli_say("unknown option --%s; 'etlkit %s --help' lists the options", given, command->name);
    return EXIT_USAGE;
}

/* `text` is NULL for flags. */
static int apply(const cli_option *option, const char *text, cli_values *values)
{
    if (!text) {
        *(bool *)((char *)values + option->flag) = true;
    } else if (!option->set(values, text)) {
        cli_say("--%s: '%s' is not %s", option->name, text, option->expected);
        return EXIT_USAGE;
    }
    values->given[values->given_count++] = (cli_given){option, text};
    return EXIT_DONE;
}

static int missing_argument(const cli_option *option)
{
    cli_say("--%s needs an argument: --%s %s", option->name, option->name, option->argument);
    return EXIT_USAGE;
}

/* `argument` is behind the dashes; `next` is the word after it, or NULL. */
static int parse_long(const char *argument, const char *next, bool *ret_used_next,
                      cli_values *values)
{
    size_t length = strcspn(argument, "=");
    const cli_option *option = find_option(values->command, argument, length);
    const char *text = argument[length] == '=' ? argument + length + 1 : NULL;
    if (!option)
        return unknown_option(values->command, argument, length);
    if (!option->argument && text) {
        cli_say("--%s takes no argument", option->name);
        return EXIT_USAGE;
    }
    if (option->argument && !text) {
        if (!next)
            return missing_argument(option);
        *ret_used_next = true;
        text = next;
    }
    return apply(option, text, values);
}

/* "-qv", "-oOUT", "-qo OUT" */
static int parse_letters(const char *letters, const char *next, bool *ret_used_next,
                         cli_values *values)
{
    for (const char *p = letters; *p; p++) {
        const cli_option *option = find_letter(values->command, *p);
        if (!option) {
            cli_say("unknown option -%c; 'etlkit %s --help' lists the options", *p,
                    values->command->name);
            return EXIT_USAGE;
        }
        if (option->argument) {
            if (p[1])
                return apply(option, p + 1, values);
            if (!next)
                return missing_argument(option);
            *ret_used_next = true;
            return apply(option, next, values);
        }
        int code = apply(option, NULL, values);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

static bool allocate(cli_values *values, int argc, char *const *argv)
{
    size_t room = (size_t)argc + 1;
    /* Combined letters give several options from one word. */
    size_t letters = 1;
    for (int i = 0; i < argc; i++)
        letters += strlen(argv[i]) + 1;
    values->providers = calloc(room, sizeof *values->providers);
    values->events = calloc(room, sizeof *values->events);
    values->processes = calloc(room, sizeof *values->processes);
    values->inputs = calloc(room, sizeof *values->inputs);
    values->given = calloc(letters, sizeof *values->given);
    return values->providers && values->events && values->processes && values->inputs &&
           values->given;
}

int cli_options_parse(const cli_command *command, int argc, char *const *argv,
                      cli_values *ret_values)
{
    cli_values *values = ret_values;
    *values = (cli_values){.command = command};
    if (!allocate(values, argc, argv)) {
        cli_say("out of memory");
        return EXIT_FAILED;
    }
    bool only_inputs = false;
    for (int i = 0; i < argc; i++) {
        const char *argument = argv[i];
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool used_next = false;
        int code = EXIT_DONE;
        if (only_inputs || argument[0] != '-' || argument[1] == 0)
            values->inputs[values->input_count++] = argument;
        else if (strcmp(argument, "--") == 0)
            only_inputs = true;
        else if (argument[1] == '-')
            code = parse_long(argument + 2, next, &used_next, values);
        else
            code = parse_letters(argument + 1, next, &used_next, values);
        if (code != EXIT_DONE)
            return code;
        i += used_next;
    }
    if (values->input_count == 0 && !values->help) {
        cli_say("no input; 'etlkit %s FILE' reads a file, 'etlkit %s -' standard input",
                command->name, command->name);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

void cli_values_free(cli_values *values)
{
    free(values->providers);
    free(values->events);
    free(values->processes);
    free(values->inputs);
    free(values->given);
    *values = (cli_values){0};
}

static void help_option(const cli_option *option)
{
    enum { HELP_COLUMN = 26 };
    char left[80];
    char letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    int width = snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name,
                         option->argument ? " " : "", option->argument ? option->argument : "");
    printf("%-*s", HELP_COLUMN, left);
    if (width >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    for (const char *p = option->help; *p; p++) {
        putchar(*p);
        if (*p == '\n')
            printf("%*s", HELP_COLUMN, "");
    }
    if (option->alias)
        printf(" (also --%s)", option->alias);
    putchar('\n');
}

void cli_options_help(const cli_command *command)
{
    static const char *const titles[CLI_GROUP_COUNT] = {"Output", "Which events", "General"};
    printf("Usage: etlkit %s %s\n\n%s\n", command->name, command->arguments, command->details);
    for (int group = 0; group < CLI_GROUP_COUNT; group++) {
        bool titled = false;
        for (const cli_option *const *o = command->options; *o; o++) {
            if ((*o)->group != (cli_group)group)
                continue;
            if (!titled)
                printf("\n%s:\n", titles[group]);
            titled = true;
            help_option(*o);
        }
        if (titled && group == CLI_GROUP_SELECT)
            printf("  TIME is ISO 8601 (UTC when it names no zone), a FILETIME number, +30s\n"
                   "  after the first event, or -5m before the last (ms, s, m, h, d); both ends\n"
                   "  belong to the range.\n");
    }
    printf("\nExamples:\n");
    for (size_t i = 0; i < sizeof command->examples / sizeof *command->examples; i++)
        printf("  %s\n", command->examples[i]);
}

char *cli_options_command(const cli_values *values)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    fprintf(file, "etlkit %s", values->command->name);
    for (size_t i = 0; i < values->given_count; i++) {
        const cli_given *given = &values->given[i];
        if (!given->option->content)
            continue;
        fprintf(file, " --%s", given->option->name);
        if (!given->text)
            continue;
        fputs("='", file);
        for (const char *p = given->text; *p; p++)
            fputs(*p == '\'' ? "'\\''" : (char[2]){*p}, file);
        fputc('\'', file);
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
