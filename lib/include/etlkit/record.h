/* One event record: a view of its header, extended data and payload, like EVENT_RECORD of
   evntcons.h. Valid until the cursor that gave it moves on. */
#ifndef ETLKIT_RECORD_H
#define ETLKIT_RECORD_H

#include "error.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Header kinds; the 32 or 64 in Microsoft's names is etl_record.pointer_size. */
typedef enum etl_header_kind {
    ETL_HEADER_SYSTEM,   /* SYSTEM_TRACE_HEADER */
    ETL_HEADER_PERFINFO, /* PERFINFO_TRACE_HEADER */
    ETL_HEADER_FULL,     /* EVENT_TRACE_HEADER, classic provider with a class GUID */
    ETL_HEADER_EVENT,    /* EVENT_HEADER: manifest, TraceLogging, EventSource */
    ETL_HEADER_MESSAGE,  /* MESSAGE_TRACE_HEADER, WPP */
    ETL_HEADER_COMPACT,  /* SYSTEM_TRACE_HEADER without processor times */
    ETL_HEADER_INSTANCE, /* EVENT_INSTANCE_GUID_HEADER, or EVENT_INSTANCE_HEADER of old logs */
    ETL_HEADER_WNODE,    /* WNODE_HEADER of wmistr.h */
    ETL_HEADER_OTHER,    /* TIMED, ERROR, ULONG32 and what is not known: the layout is published
                            nowhere, so all bytes behind the first word are the payload, and the
                            opcode is the header type */
    ETL_HEADER_COUNT
} etl_header_kind;

/* etl_record.flags */
enum {
    ETL_RECORD_HAS_THREAD = 1 << 0,   /* thread_id is present */
    ETL_RECORD_HAS_PROCESS = 1 << 1,  /* process_id is present */
    ETL_RECORD_HAS_ACTIVITY = 1 << 2, /* activity_id is present and not zero */
    ETL_RECORD_STRING_ONLY = 1 << 3,  /* EventWriteString: the payload is one UTF-16 string */
    ETL_RECORD_HAS_GUID = 1 << 4,     /* provider is present (WPP without GUID has none) */
    ETL_RECORD_HAS_SEQUENCE = 1 << 5, /* sequence is present (WPP) */
    ETL_RECORD_HAS_COMPONENT = 1 << 6,
    ETL_RECORD_HAS_CPU_TIME = 1 << 7,
    ETL_RECORD_BAD_EXTENDED = 1 << 8, /* the extended data chain is damaged; payload is what follows
                                         the last good item */
    ETL_RECORD_HAS_TIME = 1 << 9
};

/* Extended data item types, EVENT_HEADER_EXT_TYPE_* of evntcons.h. */
typedef enum etl_extended_type {
    ETL_EXT_RELATED_ACTIVITY = 1,
    ETL_EXT_SID = 2,
    ETL_EXT_TERMINAL_SESSION = 3,
    ETL_EXT_INSTANCE_INFO = 4,
    ETL_EXT_STACK32 = 5,
    ETL_EXT_STACK64 = 6,
    ETL_EXT_PEBS_INDEX = 7,
    ETL_EXT_PMC_COUNTERS = 8,
    ETL_EXT_PSM_KEY = 9,
    ETL_EXT_EVENT_KEY = 10,
    ETL_EXT_SCHEMA_TL = 11,
    ETL_EXT_PROVIDER_TRAITS = 12,
    ETL_EXT_PROCESS_START_KEY = 13,
    ETL_EXT_CONTROL_GUID = 14,
    ETL_EXT_QPC_DELTA = 15,
    ETL_EXT_CONTAINER_ID = 16,
    ETL_EXT_STACK_KEY32 = 17,
    ETL_EXT_STACK_KEY64 = 18
} etl_extended_type;

/* Bytes inside the record; data NULL when absent. */
typedef struct etl_bytes {
    const uint8_t *data;
    uint32_t size;
} etl_bytes;

typedef struct etl_record {
    uint64_t file_offset; /* of the record; of its buffer when that is compressed */
    int64_t raw_time;     /* in ticks of the session clock */
    etl_time time;        /* converted, FILETIME */
    etl_guid provider;    /* provider, class, or WPP message GUID */
    uint64_t keyword;     /* this and the next seven: EVENT_DESCRIPTOR */
    uint16_t id;          /* WPP: message number; 0 for classic events */
    uint16_t task;
    uint8_t version;
    uint8_t channel;
    uint8_t level;
    uint8_t opcode;
    uint8_t kind;            /* etl_header_kind */
    uint8_t pointer_size;    /* 4 or 8: of this record, not of the log */
    uint16_t flags;          /* ETL_RECORD_… */
    uint16_t header_flags;   /* as stored: EVENT_HEADER.Flags, or WPP option flags */
    uint16_t event_property; /* EVENT_HEADER.EventProperty */
    uint16_t hook_id;        /* group << 8 | type for SYSTEM and PERFINFO, else 0 */
    uint16_t cpu;
    uint16_t source;          /* index of the source in the trace */
    const uint8_t *data;      /* the whole record as stored, `size` bytes */
    uint32_t size;            /* up to 0xFFFF, but for WNODE */
    uint32_t buffer;          /* index of the buffer in its file */
    uint32_t buffer_position; /* byte position inside the (decompressed) buffer, header included */
    uint32_t thread_id;
    uint32_t process_id;
    uint32_t kernel_time; /* in clock interrupts (TimerResolution) */
    uint32_t user_time;
    uint32_t sequence;     /* WPP */
    uint32_t component_id; /* WPP */
    etl_guid activity_id;
    etl_bytes payload;          /* user data, after all extended data */
    etl_bytes extended;         /* raw chain of extended data items, empty if none */
    etl_bytes schema_tl;        /* TraceLogging metadata (item 11), size word included */
    etl_bytes traits;           /* provider traits (item 12), size word included */
    etl_bytes related_activity; /* item 1, 16 bytes */
    etl_bytes sid;              /* item 2 */
    etl_bytes stack;            /* item 5 or 6: u64 match id, then addresses */
    uint8_t stack_pointer_size; /* 4 or 8, 0 without stack */
} etl_record;

/* One extended data item. */
typedef struct etl_extended_item {
    uint16_t type; /* etl_extended_type, or a value this list does not know */
    etl_bytes data;
} etl_extended_item;

/* Walks the chain: *position starts at 0. ETL_OK with an item, or ETL_END. A damaged item ends the
   chain. */
int etl_record_extended_next(const etl_record *record, uint32_t *position,
                             etl_extended_item *ret_item);

/* What an INSTANCE header says beyond a classic one: u32 instance, u32 parent instance, parent
   class GUID; in logs of layout 1.0 u64 registration handle, u32 instance, u32 parent instance,
   processor times, u64 parent handle. Empty for other kinds. */
etl_bytes etl_record_instance(const etl_record *record);

/* Short name such as "EVENT64". */
const char *etl_record_kind_name(const etl_record *record);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
