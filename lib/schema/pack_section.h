/* pack_section: one provider's part of a pack. Internal to the pack reader. */
#ifndef ETL_SCHEMA_PACK_SECTION_H
#define ETL_SCHEMA_PACK_SECTION_H

#include "schema/pack.h"
#include "schema/pack_format.h"

/* Unpacks a section into `arena` and fills *provider, whose GUID is set. Every offset and index is
   checked, and every layout passes etl_schema_check. */
int etl_pack_section_load(etl_arena *arena, const uint8_t *stored, size_t stored_size,
                          size_t unpacked_size, etl_pack_provider *provider, etl_error *error);

#endif
