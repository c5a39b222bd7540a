/* Progress on stderr, and the interrupt flag that the same callback looks at. */
#ifndef ETL_CLI_PROGRESS_H
#define ETL_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_progress_mode {
    CLI_PROGRESS_AUTO,  /* one line that is redrawn, on a terminal only */
    CLI_PROGRESS_PLAIN, /* a line a second */
    CLI_PROGRESS_JSON,  /* one object a line */
    CLI_PROGRESS_NONE
} cli_progress_mode;

typedef struct cli_progress {
    cli_progress_mode mode;
    const char *label;
    uint64_t start;  /* ns of the monotonic clock */
    uint64_t latest; /* of the last update shown */
} cli_progress;

void cli_progress_start(cli_progress *progress, cli_progress_mode mode, const char *label);
/* The library's progress callback; context is the cli_progress. */
int cli_progress_update(uint64_t done, uint64_t total, void *context);
/* Takes the line off the terminal, if one is there. */
void cli_progress_wipe(void);

/* Nanoseconds of the monotonic clock. */
uint64_t cli_clock(void);

/* Between the two, SIGINT, SIGTERM and SIGHUP set a flag; else they end the program, which is right
   while an input is waited for and no output is there yet. */
void cli_signals_catch(void);
void cli_signals_release(void);
/* The signal that asked for the end, or 0. */
int cli_signal(void);

#endif
