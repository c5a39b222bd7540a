#include "cli/progress.h"

#include <etlkit/error.h>

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include <signal.h>
#include <string.h>
#include <time.h>

/* Longer than the pause between two updates. */
static void wait_ms(long milliseconds)
{
    struct timespec pause = {.tv_nsec = milliseconds * 1000000};
    nanosleep(&pause, NULL);
}

Test(progress, nothing_without_a_terminal)
{
    cli_progress progress;
    cr_redirect_stderr();
    cli_progress_start(&progress, CLI_PROGRESS_AUTO, "test");
    cr_expect_eq(progress.mode, CLI_PROGRESS_NONE);
    wait_ms(120);
    cr_expect_eq(cli_progress_update(1, 2, &progress), ETL_OK);
    cli_progress_wipe();
    fflush(stderr);
    cr_expect_stderr_eq_str("");
}

Test(progress, at_most_ten_updates_a_second)
{
    cli_progress progress;
    char text[4096] = "";
    cr_redirect_stderr();
    cli_progress_start(&progress, CLI_PROGRESS_JSON, "test");
    wait_ms(120);
    for (int i = 0; i < 1000; i++)
        cr_expect_eq(cli_progress_update(500, 1000, &progress), ETL_OK);
    fflush(stderr);
    FILE *output = cr_get_redirected_stderr();
    text[fread(text, 1, sizeof text - 1, output)] = 0;
    cr_expect_eq(strncmp(text, "{\"done\":500,\"total\":1000,\"bytes_per_second\":", 44), 0);
    cr_expect_eq(strchr(text, '\n'), text + strlen(text) - 1, "more than one line: %s", text);
}

Test(progress, a_total_of_zero)
{
    cli_progress progress;
    cr_redirect_stderr();
    cli_progress_start(&progress, CLI_PROGRESS_PLAIN, "test");
    progress.latest -= 2000000000;
    cr_expect_eq(cli_progress_update(0, 0, &progress), ETL_OK);
    fflush(stderr);
    cr_expect_stderr_eq_str("etlkit: test   0 %  0 MB/s  0:00:00 left\n");
}

Test(progress, a_signal_stops_the_work)
{
    cli_progress progress;
    cli_progress_start(&progress, CLI_PROGRESS_NONE, "test");
    cli_signals_catch();
    cr_expect_eq(cli_progress_update(1, 2, &progress), ETL_OK);
    raise(SIGTERM);
    cr_expect_eq(cli_signal(), SIGTERM);
    cr_expect_eq(cli_progress_update(1, 2, &progress), ETL_ERR_INTERRUPTED);
    cli_signals_release();
}

Test(progress, outside_of_the_work_a_signal_ends_the_program, .signal = SIGTERM)
{
    cli_signals_catch();
    cli_signals_release();
    raise(SIGTERM);
}
