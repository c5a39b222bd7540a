/* pack: the schemas that etlkit brings along. schemas/ holds them as text, schemac compiles the
   text at build time into one file, and this opens it. Opening maps the file and checks its header
   and index; the events of a provider are unpacked when it is first asked for.

   Layout of the file, little-endian, offsets from its start:

     header      64 bytes, see pack_format.h
     providers   sorted by GUID: where the section of each lies
     names       sorted by GUID: GUID to name
     hooks       sorted by group and type
     strings     of the names and hooks, NUL-terminated
     sections    one a provider, each a zstd frame

   Not thread-safe: callers that share a pack serialise etl_pack_provider_get. What it returned may
   be read by any thread. */
#ifndef ETL_SCHEMA_PACK_H
#define ETL_SCHEMA_PACK_H

#include "base/base.h"
#include "etlkit/schema.h"

typedef struct etl_pack etl_pack;

/* All layouts of one provider or class GUID, sorted by (classic, id or opcode, version, rank): of
   several layouts of one event version the preferred one (newest Windows build) comes first. Bound
   to the pack's lifetime. */
typedef struct etl_pack_provider {
    etl_guid guid;
    const char *name; /* class group for classic providers, such as "Process" */
    size_t schema_count;
    const etl_event_schema *schemas;
} etl_pack_provider;

/* One hook id of the kernel logger: what the (group, type) of a compact header means. */
typedef struct etl_pack_hook {
    uint8_t group;
    uint8_t type;
    etl_guid class_guid;
    const char *group_name; /* "PROCESS" */
    const char *name;       /* "WMI_LOG_TYPE_PROCESS_CREATE" */
} etl_pack_hook;

/* ETL_ERR_IO, or ETL_ERR_DAMAGED when the file is no pack of this version. */
int etl_pack_open(const char *path, etl_pack **ret_pack, etl_error *error);
/* Accepts NULL; returns NULL. */
etl_pack *etl_pack_close(etl_pack *pack);

size_t etl_pack_provider_count(const etl_pack *pack);
/* GUID of the provider at `index` (< count), in the order of GUIDs. */
etl_guid etl_pack_provider_guid(const etl_pack *pack, size_t index);

/* Unpacked on the first call and kept. NULL when the pack has no such provider, and then the
   error's code is ETL_OK; NULL with a negative code when the section is damaged or memory is out.
 */
const etl_pack_provider *etl_pack_provider_get(etl_pack *pack, const etl_guid *guid,
                                               etl_error *error);

/* Best known name of a provider, class or control GUID, with or without events here, or NULL. */
const char *etl_pack_name(const etl_pack *pack, const etl_guid *guid);

/* False when the hook is not known. */
bool etl_pack_hook_get(const etl_pack *pack, uint8_t group, uint8_t type, etl_pack_hook *ret_hook);
/* Name of the hook, or NULL. */
const char *etl_pack_hook_name(const etl_pack *pack, uint8_t group, uint8_t type);
/* Name of the first hook of any group of this class with this type, or NULL: several groups share a
   class GUID. */
const char *etl_pack_class_hook_name(const etl_pack *pack, const etl_guid *class_guid,
                                     uint8_t type);

#endif
