/* Mapped files that may shrink while they are read. */
#ifndef ETL_INPUT_GUARD_H
#define ETL_INPUT_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ETL_GUARD_REGIONS = 4096 };

/* Watches a mapping; a page of it that cannot be read any more reads as zeros from then on and is
   remembered. Returns a handle >= 0, or -1 when all places are taken. */
int etl_guard_add(const void *start, size_t size);
bool etl_guard_lost(int handle);
void etl_guard_remove(int handle);

#endif
