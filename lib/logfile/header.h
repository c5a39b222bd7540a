/* Reads the first record of a log. */
#ifndef ETL_LOGFILE_HEADER_H
#define ETL_LOGFILE_HEADER_H

#include "logfile/logfile.h"

/* Fills *ret from the header buffer in data. Texts go to the arena. ETL_ERR_NOT_ETL names the field
   that is wrong; `path` starts the message. */
int etl_header_read(const char *path, const uint8_t *data, size_t size, uint32_t source_index,
                    etl_diag *diag, etl_arena *arena, etl_session_info *ret, etl_error *error);

#endif
