/* Columnar batches: events as typed columns, one table per event type plus one narrow table for
   the header fields of all events. Column memory follows the Arrow layout (validity bitmap LSB
   first, 32-bit offsets), so that a batch can be handed on without copying. */
#ifndef ETLKIT_BATCH_H
#define ETLKIT_BATCH_H

#include "error.h"
#include "schema.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum etl_column_type {
    ETL_COLUMN_INT64,  /* int64_t; unsigned 64-bit values keep their bits */
    ETL_COLUMN_DOUBLE, /* double */
    ETL_COLUMN_TEXT,   /* UTF-8 */
    ETL_COLUMN_BINARY,
    ETL_COLUMN_GUID /* 16 bytes */
} etl_column_type;

/* Describes a column; lives as long as the decoder that made it. Never changes but for `map`, which
   a later version of the event may widen: only the thread that decodes reads it before the end. */
typedef struct etl_column_def {
    const char *name;     /* unique in its table, ignoring case */
    const char *property; /* name as the schema spells it; NULL for header columns */
    uint8_t type;         /* etl_column_type */
    bool json;            /* TEXT holds JSON: an array or an array of structs */
    uint16_t in_type;     /* of the property, for rendering */
    uint16_t out_type;
    uint16_t ordinal;
    const etl_map *map; /* or NULL */
} etl_column_def;

typedef struct etl_column {
    const etl_column_def *def;
    size_t length;
    size_t null_count;
    uint8_t *validity; /* bit set: there is a value; NULL: all rows have one */
    union {
        int64_t *ints;
        double *doubles;
        etl_guid *guids;
        uint8_t *data; /* TEXT, BINARY: bytes; row i is offsets[i] … offsets[i + 1] */
    } values;
    uint32_t *offsets; /* length + 1 of them */
    size_t capacity;   /* rows */
    size_t data_size;  /* bytes used and allocated, TEXT and BINARY */
    size_t data_capacity;
} etl_column;

typedef struct etl_provider {
    uint32_t id; /* from 1, in order of first appearance */
    etl_guid guid;
    const char *name; /* never NULL: the GUID text when nothing better is known */
    uint64_t event_count;
} etl_provider;

typedef enum etl_event_kind {
    ETL_KIND_MANIFEST, /* EVENT_HEADER with id */
    ETL_KIND_TRACELOGGING,
    ETL_KIND_STRING,  /* EventWriteString */
    ETL_KIND_CLASSIC, /* class GUID and opcode */
    ETL_KIND_WPP      /* message GUID and number */
} etl_event_kind;
const char *etl_event_kind_name(int kind);

/* (provider or class GUID, kind, event id or opcode, TraceLogging name). Versions share one. */
typedef struct etl_event_type {
    uint32_t id;  /* from 1, in order of first appearance */
    uint8_t kind; /* etl_event_kind */
    uint8_t opcode, level, channel;
    uint16_t event_id, task;
    uint64_t keywords;
    const etl_provider *provider;
    const char *name; /* unique, a valid name in SQL and file systems: Process_Start */
    const char *event_name, *task_name, *opcode_name, *level_name, *channel_name, *keyword_names;
    const char *message;
    uint8_t schema_source; /* etl_schema_source: the best that decoded one of its events */
    size_t column_count;   /* columns of its table, all versions united by name */
    const etl_column_def *const *columns;
    uint64_t event_count;
    uint64_t status_count[8]; /* by etl_event_status */
} etl_event_type;

/* Columns of the event table, in order. */
typedef enum etl_event_column {
    ETL_EVENT_ID, /* from 1, in time order */
    ETL_EVENT_TS, /* nanoseconds since 1970 */
    ETL_EVENT_TYPE_ID,
    ETL_EVENT_SOURCE_ID, /* from 1 */
    ETL_EVENT_PROCESS_ID,
    ETL_EVENT_THREAD_ID,
    ETL_EVENT_CPU,
    ETL_EVENT_LEVEL,
    ETL_EVENT_OPCODE,
    ETL_EVENT_KEYWORDS,
    ETL_EVENT_ACTIVITY_ID, /* interned: rows of the activity, sid and stack tables */
    ETL_EVENT_RELATED_ACTIVITY_ID,
    ETL_EVENT_USER_ID,
    ETL_EVENT_STACK_ID,
    ETL_EVENT_VERSION,
    ETL_EVENT_STATUS, /* etl_event_status */
    ETL_EVENT_FILE_OFFSET,
    ETL_EVENT_RAW_TIME,
    ETL_EVENT_COLUMN_COUNT
} etl_event_column;

typedef struct etl_table {
    const char *name;           /* SQL name */
    const etl_event_type *type; /* of a data table, else NULL */
    size_t row_count;
    size_t column_count;
    etl_column *columns; /* data tables: column 0 is event_id, then the type's columns */
    size_t column_capacity;
} etl_table;

/* A slice of the trace in time order. All tables are consistent with each other: whatever an event
   row refers to is in this batch or in one before it. */
typedef struct etl_batch {
    etl_table events;
    etl_table *tables; /* of event type id at [id - 1]; those without rows here have row_count 0 */
    size_t table_count;
    size_t table_capacity;
    etl_table raw_payload; /* event_id, payload */
    etl_table extended;    /* event_id, type, value: extended items without a column of their own */
    etl_table activity;    /* id, guid: those that are new in this batch; likewise the next three */
    etl_table sid;         /* id, sid */
    etl_table stack;       /* id, frame_count */
    etl_table stack_frame; /* stack_id, ordinal, address */
    /* Of event row i: its type, and its row in tables[type->id - 1], or UINT32_MAX when it has no
       decoded row. */
    const etl_event_type **event_type;
    uint32_t *event_row;
    size_t event_capacity;
} etl_batch;

static inline bool etl_column_is_null(const etl_column *column, size_t row)
{
    return column->validity && !(column->validity[row >> 3] >> (row & 7) & 1);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
