/* Where the compiled schema pack is. */
#ifndef ETL_CLI_PACK_PATH_H
#define ETL_CLI_PACK_PATH_H

#include <stddef.h>

/* `given` (--pack) wins, then ETLKIT_PACK in the environment, then the places of a build tree and
   of an installation relative to the program, then the data folder known at build time. NULL when
   there is none; else a path, `buffer` or one that was given. */
const char *cli_pack_path(const char *given, char *buffer, size_t size);

#endif
