/* The subcommands; one row each in the table of etlkit.c. */
#ifndef ETL_COMMANDS_H
#define ETL_COMMANDS_H

#include "cli/options.h"

extern const cli_command cmd_info, cmd_convert, cmd_dump;

#endif
