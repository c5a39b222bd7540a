/* manifest_types: words and numbers of manifest attributes. */
#ifndef ETL_SCHEMA_MANIFEST_TYPES_H
#define ETL_SCHEMA_MANIFEST_TYPES_H

#include "schema/schema.h"

/* TDH numbers of type names, prefix or not; 0 for an unknown name. */
uint16_t man_in_type(const char *name);
uint16_t man_out_type(const char *name);
/* What stands behind the prefix of a qualified name. */
const char *man_local(const char *qname);
/* Decimal or 0x hex, the whole text. */
bool man_number(const char *text, uint64_t *ret);
/* winmeta's predefined names, without their prefix. */
bool man_win_keyword(const char *name, uint64_t *ret_mask);
bool man_win_level(const char *name, uint64_t *ret_value);
bool man_win_opcode(const char *name, uint64_t *ret_value);
bool man_win_channel(const char *name, uint64_t *ret_value);

#endif
