/* etlkit: reads Windows ETL trace files. One binary; this table knows the subcommands. */
#include "cli/terminal.h"
#include "commands.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT_BUFFER = 1 << 16 };

static const cli_command *const commands[] = {&cmd_info, &cmd_convert, &cmd_dump, NULL};

static const cli_command *find_command(const char *name)
{
    for (const cli_command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static void print_usage(FILE *file)
{
    fputs("Usage: etlkit COMMAND [OPTION…] FILE…\n\n"
          "Reads Windows Event Trace Log (.etl) files on any machine.\n\nCommands:\n",
          file);
    for (const cli_command *const *c = commands; *c; c++)
        fprintf(file, "  %-10s%s\n", (*c)->name, (*c)->summary);
    fputs("\nGeneral:\n"
          "  --help      print this help; 'etlkit COMMAND --help' tells all options\n"
          "  --version   print the version\n\n"
          "Examples:\n"
          "  etlkit info trace.etl\n"
          "  etlkit convert trace.etl -o trace.db\n"
          "  etlkit dump trace.etl | head\n",
          file);
}

static int unknown_command(const char *name)
{
    const char *names[sizeof commands / sizeof *commands];
    size_t count = 0;
    for (const cli_command *const *c = commands; *c; c++)
        names[count++] = (*c)->name;
    names[count] = NULL;
    const char *nearest = cli_nearest(name, names);
    const char *kind = name[0] == '-' ? "option" : "command";
    if (nearest)
        cli_say("unknown %s '%s'; did you mean '%s'?", kind, name, nearest);
    else
        cli_say("unknown %s '%s'; 'etlkit --help' lists the commands", kind, name);
    return EXIT_USAGE;
}

static int run_command(const cli_command *command, int argc, char *const *argv)
{
    cli_values values;
    int code = cli_options_parse(command, argc, argv, &values);
    if (code == EXIT_DONE && values.help) {
        cli_options_help(command);
        code = cli_finish_output();
    } else if (code == EXIT_DONE) {
        code = command->run(&values);
    }
    cli_values_free(&values);
    return code;
}

/* A closed standard stream would give its number to the next file opened, and messages would go
   into the output. Opened the wrong way round, it stays unusable. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    /* A closed pipe is an error like others, and a quiet one. */
    signal(SIGPIPE, SIG_IGN);
    /* So is the limit on file sizes (ulimit -f): death by it would leave a partial output. */
    signal(SIGXFSZ, SIG_IGN);
    /* Most outputs fit: then the one flush at the end still knows why it failed. */
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("etlkit " ETLKIT_VERSION);
        return cli_finish_output();
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_usage(stdout);
        return cli_finish_output();
    }
    const cli_command *command = find_command(name);
    return command ? run_command(command, argc - 2, argv + 2) : unknown_command(name);
}
