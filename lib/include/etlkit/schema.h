/* Event schemas: what TDH calls TRACE_EVENT_INFO, from whatever source. */
#ifndef ETLKIT_SCHEMA_H
#define ETLKIT_SCHEMA_H

#include "error.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* TDH in-types (tdh.h, _TDH_IN_TYPE). MOF adds those from 300 on. */
typedef enum etl_in_type {
    ETL_IN_NULL = 0,
    ETL_IN_UNICODESTRING = 1,
    ETL_IN_ANSISTRING = 2,
    ETL_IN_INT8 = 3,
    ETL_IN_UINT8 = 4,
    ETL_IN_INT16 = 5,
    ETL_IN_UINT16 = 6,
    ETL_IN_INT32 = 7,
    ETL_IN_UINT32 = 8,
    ETL_IN_INT64 = 9,
    ETL_IN_UINT64 = 10,
    ETL_IN_FLOAT = 11,
    ETL_IN_DOUBLE = 12,
    ETL_IN_BOOLEAN = 13, /* 4 bytes; the 1-byte MOF boolean is UINT8 with out-type BOOLEAN */
    ETL_IN_BINARY = 14,
    ETL_IN_GUID = 15,
    ETL_IN_POINTER = 16,
    ETL_IN_FILETIME = 17,
    ETL_IN_SYSTEMTIME = 18,
    ETL_IN_SID = 19,
    ETL_IN_HEXINT32 = 20,
    ETL_IN_HEXINT64 = 21,
    ETL_IN_COUNTEDSTRING16 = 22, /* MANIFEST_COUNTEDSTRING: u16 byte count, UTF-16 */
    ETL_IN_COUNTEDANSI16 = 23,
    ETL_IN_STRUCT = 24, /* TraceLogging's number; a property is a struct by its flag */
    ETL_IN_COUNTEDBINARY16 = 25,
    ETL_IN_COUNTEDSTRING = 300,
    ETL_IN_COUNTEDANSISTRING = 301,
    ETL_IN_REVERSEDCOUNTEDSTRING = 302, /* big-endian count */
    ETL_IN_REVERSEDCOUNTEDANSISTRING = 303,
    ETL_IN_NONNULLTERMINATEDSTRING = 304, /* to the end of the payload */
    ETL_IN_NONNULLTERMINATEDANSISTRING = 305,
    ETL_IN_UNICODECHAR = 306,
    ETL_IN_ANSICHAR = 307,
    ETL_IN_SIZET = 308,
    ETL_IN_HEXDUMP = 309, /* u32 byte count, bytes */
    ETL_IN_WBEMSID = 310  /* TOKEN_USER, then SID */
} etl_in_type;

/* TDH out-types (tdh.h, _TDH_OUT_TYPE). */
typedef enum etl_out_type {
    ETL_OUT_NULL = 0,
    ETL_OUT_STRING = 1,
    ETL_OUT_DATETIME = 2,
    ETL_OUT_BYTE = 3,
    ETL_OUT_UNSIGNEDBYTE = 4,
    ETL_OUT_SHORT = 5,
    ETL_OUT_UNSIGNEDSHORT = 6,
    ETL_OUT_INT = 7,
    ETL_OUT_UNSIGNEDINT = 8,
    ETL_OUT_LONG = 9,
    ETL_OUT_UNSIGNEDLONG = 10,
    ETL_OUT_FLOAT = 11,
    ETL_OUT_DOUBLE = 12,
    ETL_OUT_BOOLEAN = 13,
    ETL_OUT_GUID = 14,
    ETL_OUT_HEXBINARY = 15,
    ETL_OUT_HEXINT8 = 16,
    ETL_OUT_HEXINT16 = 17,
    ETL_OUT_HEXINT32 = 18,
    ETL_OUT_HEXINT64 = 19,
    ETL_OUT_PID = 20,
    ETL_OUT_TID = 21,
    ETL_OUT_PORT = 22, /* network byte order */
    ETL_OUT_IPV4 = 23,
    ETL_OUT_IPV6 = 24,
    ETL_OUT_SOCKETADDRESS = 25,
    ETL_OUT_CIMDATETIME = 26,
    ETL_OUT_ETWTIME = 27, /* raw session clock */
    ETL_OUT_XML = 28,
    ETL_OUT_ERRORCODE = 29,
    ETL_OUT_WIN32ERROR = 30,
    ETL_OUT_NTSTATUS = 31,
    ETL_OUT_HRESULT = 32,
    ETL_OUT_CULTURE_INSENSITIVE_DATETIME = 33,
    ETL_OUT_JSON = 34,
    ETL_OUT_UTF8 = 35,
    ETL_OUT_PKCS7_WITH_TYPE_INFO = 36,
    ETL_OUT_CODE_POINTER = 37,
    ETL_OUT_DATETIME_UTC = 38,
    ETL_OUT_REDUCEDSTRING = 300,
    ETL_OUT_NOPRINT = 301
} etl_out_type;

typedef enum etl_map_kind { ETL_MAP_VALUE, ETL_MAP_BITS } etl_map_kind;

typedef struct etl_map_entry {
    uint64_t value;
    const char *text; /* UTF-8 */
} etl_map_entry;

/* Enumeration (exact match) or bit map (names of set bits). Entries keep the order of the source.
 */
typedef struct etl_map {
    const char *name;
    etl_map_kind kind;
    uint32_t entry_count;
    const etl_map_entry *entries;
} etl_map;

/* etl_property.flags. Without a length flag, `length` is the declared fixed length, 0 for none;
   without a count flag the property is a scalar. */
enum {
    ETL_PROPERTY_STRUCT = 1 << 0,         /* members struct_start … + struct_members - 1 */
    ETL_PROPERTY_PARAM_LENGTH = 1 << 1,   /* length is the index of the property that holds it */
    ETL_PROPERTY_PARAM_COUNT = 1 << 2,    /* count is the index of the property that holds it */
    ETL_PROPERTY_FIXED_LENGTH = 1 << 3,   /* length is given by number */
    ETL_PROPERTY_FIXED_COUNT = 1 << 4,    /* count is given by number (an array even when 1) */
    ETL_PROPERTY_PAYLOAD_COUNT = 1 << 5,  /* array; u16 element count in front of the data
                                             (TraceLogging) */
    ETL_PROPERTY_PAYLOAD_LENGTH = 1 << 6, /* u16 byte length in front of the data (TraceLogging
                                             binary and custom types) */
    ETL_PROPERTY_REST = 1 << 7,           /* array or binary: repeats to the end of the payload */
    ETL_PROPERTY_OPTIONAL = 1 << 8,       /* absent when the payload ends before it */
    ETL_PROPERTY_ONLY64 = 1 << 9,         /* exists only when pointers have 8 bytes */
    ETL_PROPERTY_OPAQUE = 1 << 10         /* layout unknown: it and all behind it stay raw */
};

/* EVENT_PROPERTY_INFO. Lengths count characters for strings and bytes for binary; counts count
   elements. A referenced property always stands before the one that refers to it. */
typedef struct etl_property {
    const char *name; /* UTF-8, as the source spells it */
    uint16_t in_type;
    uint16_t out_type; /* never ETL_OUT_NULL after etl_schema_finish: defaults are filled in */
    uint16_t flags;
    uint16_t struct_start;
    uint16_t struct_members;
    uint16_t count;
    uint16_t length;
    const etl_map *map; /* or NULL */
} etl_property;

/* Where a schema came from. Order is rank: lower wins when several fit a payload exactly. */
typedef enum etl_schema_source {
    ETL_SCHEMA_NONE,         /* no schema known */
    ETL_SCHEMA_STRING,       /* EVENT_HEADER_FLAG_STRING_ONLY: one string */
    ETL_SCHEMA_TRACELOGGING, /* the record's own extended item */
    ETL_SCHEMA_TRACE,        /* TRACE_EVENT_INFO merged into a trace */
    ETL_SCHEMA_EVENTSOURCE,  /* manifest event 0xFFFE in a trace */
    ETL_SCHEMA_PACK,         /* compiled from schemas/ */
    ETL_SCHEMA_SOURCE_COUNT
} etl_schema_source;

/* "none", "string", "tracelogging", "trace", "eventsource", "pack" */
const char *etl_schema_source_name(int source);

/* One layout of one event version. Names are UTF-8 or NULL when the source does not give them.
   Owned by the catalog. Properties 0 … top_level_count - 1 are the payload in order; the others are
   struct members. */
typedef struct etl_event_schema {
    etl_guid provider;
    uint16_t id; /* 0 for classic events, which are keyed by opcode */
    uint8_t version;
    uint8_t opcode;
    uint8_t level;
    uint8_t channel;
    uint16_t task;
    uint64_t keyword;
    bool classic;         /* MOF class: key is (provider, opcode, version) */
    uint8_t source;       /* etl_schema_source */
    uint16_t build_first; /* Windows builds with this layout, 0 when unknown; both inclusive */
    uint16_t build_last;
    const char *provider_name; /* classic events: the class group, such as "Process" */
    const char *event_name;    /* symbol, TraceLogging name, or type name such as "Start" */
    const char *task_name;
    const char *opcode_name;
    const char *level_name;
    const char *channel_name;
    const char *keyword_names; /* joined by ", " */
    const char *message;       /* with %1 … inserts */
    uint16_t property_count;
    uint16_t top_level_count;
    const etl_property *properties;
} etl_event_schema;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
