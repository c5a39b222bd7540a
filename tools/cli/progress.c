#include "cli/progress.h"

#include <etlkit/error.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_SECOND = 1000000000 };

/* Process-wide, as the terminal and signals are. */
static atomic_int caught_signal;
static atomic_int line_width; /* of the line on the terminal, 0 when there is none */

static void on_signal(int number)
{
    caught_signal = number;
}

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP};

static void set_handlers(void (*from)(int), void (*to)(int))
{
    struct sigaction before;
    struct sigaction action = {.sa_handler = to};
    for (size_t i = 0; i < sizeof end_signals / sizeof *end_signals; i++)
        /* nohup and background jobs of scripts set "ignore", and mean it */
        if (sigaction(end_signals[i], NULL, &before) == 0 && before.sa_handler == from)
            sigaction(end_signals[i], &action, NULL);
}

void cli_signals_catch(void)
{
    set_handlers(SIG_DFL, on_signal);
}

void cli_signals_release(void)
{
    set_handlers(on_signal, SIG_DFL);
}

int cli_signal(void)
{
    return caught_signal;
}

uint64_t cli_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void cli_progress_start(cli_progress *progress, cli_progress_mode mode, const char *label)
{
    if (mode == CLI_PROGRESS_AUTO && !isatty(STDERR_FILENO))
        mode = CLI_PROGRESS_NONE;
    uint64_t now = cli_clock();
    *progress = (cli_progress){.mode = mode, .label = label, .start = now, .latest = now};
}

void cli_progress_wipe(void)
{
    int width = atomic_exchange(&line_width, 0);
    if (width > 0) {
        /* Blanks work on every terminal, also where escape sequences do not. */
        fprintf(stderr, "\r%*s\r", width, "");
        fflush(stderr);
    }
}

static void show_json(uint64_t done, uint64_t total, double rate, double left)
{
    fprintf(stderr,
            "{\"done\":%llu,\"total\":%llu,\"bytes_per_second\":%.0f,\"seconds_left\":%.1f}\n",
            (unsigned long long)done, (unsigned long long)total, rate, left);
}

static void show_line(const cli_progress *progress, double percent, double rate, double left)
{
    char text[120];
    int seconds = left > 359999 ? 359999 : (int)(left + 0.5);
    int length =
        snprintf(text, sizeof text, "%s %3.0f %%  %.0f MB/s  %d:%02d:%02d left", progress->label,
                 percent, rate / 1e6, seconds / 3600, seconds / 60 % 60, seconds % 60);
    if (progress->mode == CLI_PROGRESS_PLAIN) {
        fprintf(stderr, "etlkit: %s\n", text);
        return;
    }
    int before = atomic_exchange(&line_width, length);
    fprintf(stderr, "\r%s%*s", text, before > length ? before - length : 0, "");
    fflush(stderr);
}

int cli_progress_update(uint64_t done, uint64_t total, void *context)
{
    cli_progress *progress = context;
    if (caught_signal)
        return ETL_ERR_INTERRUPTED;
    if (progress->mode == CLI_PROGRESS_NONE)
        return ETL_OK;
    uint64_t now = cli_clock();
    uint64_t pause = progress->mode == CLI_PROGRESS_PLAIN ? NS_PER_SECOND : NS_PER_SECOND / 10;
    if (now - progress->latest < pause)
        return ETL_OK;
    progress->latest = now;
    double rate = (double)done * NS_PER_SECOND / (double)(now - progress->start);
    double left = rate > 0 && total > done ? (double)(total - done) / rate : 0;
    if (progress->mode == CLI_PROGRESS_JSON)
        show_json(done, total, rate, left);
    else
        show_line(progress, total ? 100 * (double)done / (double)total : 0, rate, left);
    return ETL_OK;
}
