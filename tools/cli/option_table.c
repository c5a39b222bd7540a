/* Every option, once. A command lists those that it takes. */
#include "cli/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A whole number in decimal or 0x…; advances *text behind it. */
static bool read_number(const char **text, uint64_t limit, uint64_t *ret_number)
{
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    int base = (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X') ? 16 : 10;
    unsigned long long number = strtoull(*text, &end, base);
    if (errno != 0 || number > limit)
        return false;
    *text = end;
    *ret_number = number;
    return true;
}

static bool parse_number(const char *text, uint64_t limit, uint64_t *ret_number)
{
    return read_number(&text, limit, ret_number) && *text == 0;
}

static bool set_limit(cli_values *values, const char *text)
{
    values->has_limit = true;
    return parse_number(text, UINT64_MAX, &values->limit);
}

static bool set_jobs(cli_values *values, const char *text)
{
    uint64_t number = 0;
    bool good = parse_number(text, 1024, &number) && number > 0;
    values->jobs = (unsigned)number;
    return good;
}

static bool set_begin(cli_values *values, const char *text)
{
    return cli_time_parse(text, &values->begin);
}

static bool set_end(cli_values *values, const char *text)
{
    return cli_time_parse(text, &values->end);
}

static bool set_provider(cli_values *values, const char *text)
{
    values->providers[values->provider_count++] = text;
    return *text != 0;
}

/* "12", "10-20", else a name. A name that looks like a number cannot be asked for. */
static bool set_event(cli_values *values, const char *text)
{
    etl_event_pattern *pattern = &values->events[values->event_count++];
    uint64_t first = 0;
    uint64_t last = 0;
    const char *p = text;
    *pattern = (etl_event_pattern){.name = text};
    if (*text < '0' || *text > '9')
        return *text != 0;
    if (!read_number(&p, UINT16_MAX, &first))
        return false;
    last = first;
    if (*p == '-') {
        p++;
        if (!read_number(&p, UINT16_MAX, &last))
            return false;
    }
    if (*p != 0 || last < first)
        return false;
    *pattern = (etl_event_pattern){.first = (uint16_t)first, .last = (uint16_t)last};
    return true;
}

static bool set_pid(cli_values *values, const char *text)
{
    uint64_t number = 0;
    if (!parse_number(text, UINT32_MAX, &number))
        return false;
    values->processes[values->process_count++] = (uint32_t)number;
    return true;
}

static bool set_output(cli_values *values, const char *text)
{
    values->output = text;
    return *text != 0;
}

static bool set_to(cli_values *values, const char *text)
{
    values->format = text;
    return *text != 0;
}

static bool set_pack(cli_values *values, const char *text)
{
    values->pack = text;
    return *text != 0;
}

static bool set_progress(cli_values *values, const char *text)
{
    static const char *const names[] = {"auto", "plain", "json", "none"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            values->progress = (cli_progress_mode)i;
            return true;
        }
    return false;
}

#define TIME_EXPECTED "a time; try 2026-07-01T12:34:56Z, +30s or -5m"

const cli_option opt_output = {
    .name = "output",
    .letter = 'o',
    .argument = "OUT",
    .expected = "a file name",
    .group = CLI_GROUP_OUTPUT,
    .help = "write to OUT; .db or .sqlite: a SQLite database",
    .set = set_output,
};
const cli_option opt_to = {
    .name = "to",
    .letter = 't',
    .argument = "FORMAT",
    .expected = "a format",
    .group = CLI_GROUP_OUTPUT,
    .help = "output format, whatever OUT ends with: sqlite",
    .set = set_to,
};
const cli_option opt_force = {
    .name = "force",
    .group = CLI_GROUP_OUTPUT,
    .help = "replace OUT if it exists",
    .flag = offsetof(cli_values, force),
};
const cli_option opt_raw = {
    .name = "raw",
    .content = true,
    .group = CLI_GROUP_OUTPUT,
    .help = "keep the payload bytes of decoded events too",
    .flag = offsetof(cli_values, raw),
};
const cli_option opt_json = {
    .name = "json",
    .group = CLI_GROUP_OUTPUT,
    .help = "print JSON instead of text",
    .flag = offsetof(cli_values, json),
};
const cli_option opt_limit = {
    .name = "limit",
    .argument = "N",
    .expected = "a number",
    .group = CLI_GROUP_OUTPUT,
    .help = "stop after N events",
    .set = set_limit,
};
const cli_option opt_begin = {
    .name = "begin",
    .alias = "since",
    .content = true,
    .argument = "TIME",
    .expected = TIME_EXPECTED,
    .group = CLI_GROUP_SELECT,
    .help = "only events at TIME or later",
    .set = set_begin,
};
const cli_option opt_end = {
    .name = "end",
    .alias = "until",
    .content = true,
    .argument = "TIME",
    .expected = TIME_EXPECTED,
    .group = CLI_GROUP_SELECT,
    .help = "only events at TIME or earlier",
    .set = set_end,
};
const cli_option opt_provider = {
    .name = "provider",
    .content = true,
    .argument = "NAME",
    .expected = "a provider",
    .group = CLI_GROUP_SELECT,
    .help = "only this provider: name with * and ?, or GUID\n"
            "(repeatable)",
    .set = set_provider,
};
const cli_option opt_event = {
    .name = "event",
    .content = true,
    .argument = "EVENT",
    .expected = "an event; try an id (0 to 65535), a range such as 10-20, or a name",
    .group = CLI_GROUP_SELECT,
    .help = "only this event: id (opcode of classic events), range\n"
            "a-b, or name with * and ? (repeatable)",
    .set = set_event,
};
const cli_option opt_pid = {
    .name = "pid",
    .content = true,
    .argument = "PID",
    .expected = "a process id",
    .group = CLI_GROUP_SELECT,
    .help = "only events of this process id (repeatable)",
    .set = set_pid,
};
const cli_option opt_strict = {
    .name = "strict",
    .group = CLI_GROUP_GENERAL,
    .help = "exit with 4 when there were data problems or losses",
    .flag = offsetof(cli_values, strict),
};
const cli_option opt_jobs = {
    .name = "jobs",
    .letter = 'j',
    .argument = "N",
    .expected = "a number of threads (1 to 1024)",
    .group = CLI_GROUP_GENERAL,
    .help = "use up to N threads",
    .set = set_jobs,
};
const cli_option opt_pack = {
    .name = "pack",
    .argument = "FILE",
    .expected = "a file name",
    .group = CLI_GROUP_GENERAL,
    .help = "use this compiled schema pack",
    .set = set_pack,
};
const cli_option opt_progress = {
    .name = "progress",
    .argument = "MODE",
    .expected = "one of auto, plain, json, none",
    .group = CLI_GROUP_GENERAL,
    .help = "auto (on a terminal only), plain, json or none",
    .set = set_progress,
};
const cli_option opt_quiet = {
    .name = "quiet",
    .letter = 'q',
    .group = CLI_GROUP_GENERAL,
    .help = "print errors only",
    .flag = offsetof(cli_values, quiet),
};
const cli_option opt_verbose = {
    .name = "verbose",
    .letter = 'v',
    .group = CLI_GROUP_GENERAL,
    .help = "print every data problem, and tables in full",
    .flag = offsetof(cli_values, verbose),
};
const cli_option opt_help = {
    .name = "help",
    .letter = 'h',
    .group = CLI_GROUP_GENERAL,
    .help = "print this help",
    .flag = offsetof(cli_values, help),
};
