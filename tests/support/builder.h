/* Builds log files in memory: any header kind, 32 or 64 bit, plain or compressed buffers. Tests and
   fixtures are made with it, never with copies of real traces. Failures abort: it is test code. */
#ifndef ETL_TEST_BUILDER_H
#define ETL_TEST_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "etlkit/types.h"

typedef enum etl_build_compression {
    ETL_BUILD_PLAIN,
    ETL_BUILD_LZNT1 = 2,
    ETL_BUILD_XPRESS = 3,
    ETL_BUILD_XPRESS_HUFFMAN = 4
} etl_build_compression;

typedef struct etl_build_options {
    bool header32;        /* 32-bit logfile header */
    int clock;            /* etl_clock; 0 is taken as QPC */
    int64_t frequency;    /* 0: 10 MHz */
    int64_t first_time;   /* raw time of the header record */
    etl_time start_time;  /* 0: 2026-07-01T12:00:00Z */
    etl_time end_time;    /* 0: a minute later; -1: not closed */
    uint32_t mode;        /* LogFileMode without the compression bit */
    uint32_t build;       /* Windows build, 0: 26100 */
    uint32_t buffer_size; /* 0: 4096 */
    uint32_t processors;  /* 0: 2 */
    uint32_t events_lost, buffers_lost;
    etl_build_compression compression;
    bool processor_number;   /* Windows 7 rule: number and alignment instead of an index */
    const char *logger_name; /* NULL: "etlkit test" */
} etl_build_options;

typedef struct etl_build etl_build;

/* The header buffer with its record is there afterwards, and still open for more records. */
etl_build *etl_build_new(const etl_build_options *options);
/* Closes the open buffer and begins one of that processor. */
void etl_build_buffer(etl_build *b, uint16_t cpu);
/* The same with BufferFlag bits to add and a BufferType; the next buffer has none of them again. */
void etl_build_typed_buffer(etl_build *b, uint16_t cpu, uint16_t flags, uint16_t type);

/* Records into the open buffer; when it is full the next one of the same processor is begun. */
void etl_build_system(etl_build *b, int pointer_size, uint16_t hook, uint16_t version_word,
                      uint32_t process, uint32_t thread, int64_t time, const void *payload,
                      size_t size);
void etl_build_perfinfo(etl_build *b, int pointer_size, uint16_t hook, uint16_t version_word,
                        int64_t time, const void *payload, size_t size);
void etl_build_full(etl_build *b, int pointer_size, const char *guid, uint8_t opcode,
                    uint16_t version, uint32_t process, uint32_t thread, int64_t time,
                    const void *payload, size_t size);

void etl_build_compact(etl_build *b, int pointer_size, uint16_t hook, uint16_t version_word,
                       uint32_t process, uint32_t thread, int64_t time, const void *payload,
                       size_t size);
/* Instance 31 of `guid`, whose parent is instance 32 of `parent`. */
void etl_build_instance(etl_build *b, int pointer_size, const char *guid, const char *parent,
                        uint8_t opcode, uint16_t version, uint32_t process, uint32_t thread,
                        int64_t time, const void *payload, size_t size);
/* `typed`: with the marker of header type 14, else with a size as first word. */
void etl_build_wnode(etl_build *b, bool typed, const char *guid, int64_t time, const void *payload,
                     size_t size);

typedef struct etl_build_item {
    uint16_t type;
    const void *data;
    uint16_t size;
} etl_build_item;

typedef struct etl_build_event {
    const char *provider; /* GUID text */
    uint16_t id, task, flags;
    uint8_t version, channel, level, opcode;
    uint64_t keyword;
    uint32_t process, thread;
    int64_t time;
    const char *activity; /* GUID text or NULL */
    const etl_build_item *items;
    size_t item_count;
} etl_build_event;
void etl_build_event_record(etl_build *b, int pointer_size, const etl_build_event *event,
                            const void *payload, size_t size);
/* WPP; `guid` NULL: a component id of 7. Option flags say which parts are written. */
void etl_build_message(etl_build *b, const char *guid, uint16_t number, uint16_t options,
                       uint32_t process, uint32_t thread, int64_t time, const void *payload,
                       size_t size);
/* Any bytes where a record would stand, padded to 8. */
void etl_build_raw(etl_build *b, const void *data, size_t size);

/* The file's bytes, the caller's to free; the builder is freed. */
uint8_t *etl_build_finish(etl_build *b, size_t *ret_size);

/* ---- payload bytes ---- */

typedef struct etl_payload {
    uint8_t data[4096];
    size_t size;
} etl_payload;

void etl_put_u8(etl_payload *p, uint8_t value);
void etl_put_u16(etl_payload *p, uint16_t value);
void etl_put_u32(etl_payload *p, uint32_t value);
void etl_put_u64(etl_payload *p, uint64_t value);
void etl_put_bytes(etl_payload *p, const void *data, size_t size);
void etl_put_guid(etl_payload *p, const char *text);
void etl_put_string(etl_payload *p, const char *text); /* with NUL */
void etl_put_wide(etl_payload *p, const char *ascii);  /* UTF-16 with NUL */
/* TraceLogging metadata (etl-format 7.1): size word, no tag, event name; fields follow through
   etl_put_tl_field; the size word is kept right. */
void etl_put_tl_event(etl_payload *p, const char *name);
/* `out` < 0: none. Arrays: give 0x20 or 0x40 with the type, and the count for 0x20. */
void etl_put_tl_field(etl_payload *p, const char *name, uint8_t in, int out, int count);
/* Provider traits with a name. */
void etl_put_traits(etl_payload *p, const char *provider_name);

/* Writes bytes to a file, or aborts. */
void etl_test_write_file(const char *path, const void *data, size_t size);
/* Writes to an unnamed file and gives a path that opens it: to be opened before 16 more are made.
 */
const char *etl_test_memory_file(const void *data, size_t size);

#endif
