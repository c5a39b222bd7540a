/* base: what every other module stands on. Bytes, bounded cursor, text, GUID, time, arena, hash
   map, errors, limits. Depends on nothing. */
#ifndef ETL_BASE_H
#define ETL_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "etlkit/error.h"
#include "etlkit/types.h"

/* ---- limits: everything that a file can ask for is bounded here; each has a test ---- */

enum {
    ETL_LIMIT_BUFFER_SIZE = 16 << 20, /* a buffer, compressed or not (Windows 8+: 16 MiB) */
    ETL_LIMIT_RECORD_SIZE = 0xFFFF,   /* header, extended data and payload */
    ETL_LIMIT_PROPERTIES = 1024,      /* of one event schema, struct members included */
    ETL_LIMIT_STRUCT_DEPTH = 8,
    ETL_LIMIT_MAP_ENTRIES = 4096,
    ETL_LIMIT_NAME_BYTES = 1024,         /* a provider, event or property name */
    ETL_LIMIT_MANIFEST_BYTES = 16 << 20, /* one EventSource manifest, all chunks */
    ETL_LIMIT_MANIFESTS = 4096,          /* kept per catalog */
    /* Later types share one and stay raw: SQLite's time for tables and views grows with the square
       of their number. */
    ETL_LIMIT_EVENT_TYPES = 1 << 14,
    ETL_LIMIT_COLUMNS = 1 << 17,       /* of all event types */
    ETL_LIMIT_JSON_BYTES = 1 << 20,    /* of one array; beyond it the event is kept raw, too */
    ETL_LIMIT_ELEMENT_STEPS = 1 << 18, /* struct members walked in one array */
    ETL_LIMIT_TYPE_COLUMNS = 1900,     /* of one event type, all versions; SQLite allows 2,000 */
    ETL_LIMIT_DIAGNOSTIC_DETAILS = 50  /* rows with an offset kept per code and source */
};
#define ETL_LIMIT_OPEN_BYTES  (UINT64_C(1) << 30)   /* decompressed buffers held by one cursor */
#define ETL_LIMIT_SPOOL_BYTES (UINT64_C(256) << 30) /* a decompressed input stream */
#define ETL_LIMIT_SPOOL_RATIO 2000                  /* decompressed : stored, once past 64 MiB */

/* ---- compiler ---- */

#define ETL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ETL_LIKELY(x)         __builtin_expect(!!(x), 1)
#define ETL_UNLIKELY(x)       __builtin_expect(!!(x), 0)
#define ETL_COUNT_OF(array)   (sizeof(array) / sizeof((array)[0]))

/* ---- errors ---- */

/* Fills *error (NULL is fine) and returns `code`, so that `return etl_fail(…)` reads well. */
int etl_fail(etl_error *error, int code, const char *format, ...) ETL_PRINTF(3, 4);
int etl_fail_at(etl_error *error, int code, uint64_t offset, const char *format, ...)
    ETL_PRINTF(4, 5);
/* Appends ": " and the text of `system_errno`. */
int etl_fail_errno(etl_error *error, int code, int system_errno, const char *format, ...)
    ETL_PRINTF(4, 5);

/* ---- unaligned little- and big-endian loads: the only way bytes of a file become numbers ---- */

static inline uint16_t etl_load_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}
static inline uint16_t etl_load_be16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}
static inline uint32_t etl_load_u32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t etl_load_u64(const uint8_t *p)
{
    return etl_load_u32(p) | (uint64_t)etl_load_u32(p + 4) << 32;
}
static inline int64_t etl_load_s64(const uint8_t *p)
{
    return (int64_t)etl_load_u64(p);
}

/* ---- cursor: reads never pass its end; a read too far gives zero and latches `failed` ---- */

typedef struct etl_cur {
    const uint8_t *data;
    size_t size;
    size_t position;
    bool failed;
} etl_cur;

static inline etl_cur etl_cur_make(const uint8_t *data, size_t size)
{
    return (etl_cur){.data = data, .size = size};
}
static inline size_t etl_cur_left(const etl_cur *c)
{
    return c->failed ? 0 : c->size - c->position;
}
/* The next `size` bytes, or NULL. */
static inline const uint8_t *etl_cur_take(etl_cur *c, size_t size)
{
    if (c->failed || size > c->size - c->position) {
        c->failed = true;
        return NULL;
    }
    const uint8_t *p = c->data + c->position;
    c->position += size;
    return p;
}
static inline uint8_t etl_cur_u8(etl_cur *c)
{
    const uint8_t *p = etl_cur_take(c, 1);
    return p ? *p : 0;
}
static inline uint16_t etl_cur_u16(etl_cur *c)
{
    const uint8_t *p = etl_cur_take(c, 2);
    return p ? etl_load_u16(p) : 0;
}
static inline uint32_t etl_cur_u32(etl_cur *c)
{
    const uint8_t *p = etl_cur_take(c, 4);
    return p ? etl_load_u32(p) : 0;
}
static inline uint64_t etl_cur_u64(etl_cur *c)
{
    const uint8_t *p = etl_cur_take(c, 8);
    return p ? etl_load_u64(p) : 0;
}
static inline int64_t etl_cur_s64(etl_cur *c)
{
    return (int64_t)etl_cur_u64(c);
}
etl_guid etl_cur_guid(etl_cur *c);
/* A NUL-terminated byte string; the pointer is into the data. Without a NUL before the end: fails.
 */
const char *etl_cur_cstring(etl_cur *c, size_t *ret_length);
/* A NUL-terminated UTF-16 string: pointer into the data, *ret_units without the NUL. Fails without
   a NUL. */
const uint8_t *etl_cur_wstring(etl_cur *c, size_t *ret_units);

/* ---- GUID ---- */

static inline bool etl_guid_equal(const etl_guid *a, const etl_guid *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
static inline bool etl_guid_is_zero(const etl_guid *g)
{
    static const etl_guid zero;
    return etl_guid_equal(g, &zero);
}
static inline etl_guid etl_guid_load(const uint8_t *p)
{
    etl_guid g;
    memcpy(g.bytes, p, sizeof g.bytes);
    return g;
}
/* {0x9e814aad, 0x3204, 0x11d2, {0x9a, 0x82, …}} written as in Windows headers. */
#define ETL_GUID(a, b, c, d0, d1, d2, d3, d4, d5, d6, d7)                                          \
    {                                                                                              \
        {                                                                                          \
            (a) & 0xFF, (a) >> 8 & 0xFF, (a) >> 16 & 0xFF, (a) >> 24 & 0xFF, (b)&0xFF,             \
                (b) >> 8 & 0xFF, (c)&0xFF, (c) >> 8 & 0xFF, d0, d1, d2, d3, d4, d5, d6, d7         \
        }                                                                                          \
    }

/* ---- text ---- */

/* Most bytes that `units` UTF-16 units can take in UTF-8. */
#define ETL_UTF8_MAX(units) ((size_t)(units)*3)
/* Converts; lone surrogates become U+FFFD. Writes no NUL; returns bytes written
   (<= ETL_UTF8_MAX(units)). `in` needs no alignment. ASCII runs are fast. */
size_t etl_utf16_to_utf8(const uint8_t *in, size_t units, char *out);
/* Units before the first UTF-16 NUL, or max_units. */
size_t etl_utf16_length(const uint8_t *in, size_t max_units);
/* 8-bit text of unknown code page: kept when it is valid UTF-8, else read as Windows-1252. Returns
   bytes written (<= 3 * size). */
size_t etl_ansi_to_utf8(const uint8_t *in, size_t size, char *out);
bool etl_utf8_valid(const uint8_t *in, size_t size);
/* ASCII only, as SQLite compares names, whatever locale the program has set. */
static inline bool etl_ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool etl_ascii_is_alnum(char c)
{
    return etl_ascii_is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
static inline char etl_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}
bool etl_ascii_equal(const char *a, const char *b); /* ignoring case */
/* Case-insensitive (ASCII) match of `text` against a pattern with * and ?. */
bool etl_wildcard_match(const char *pattern, const char *text);

/* ---- arena: many small allocations freed at once ---- */

typedef struct etl_arena {
    struct etl_arena_block *blocks;
    size_t used;  /* in the newest block */
    size_t total; /* bytes of all blocks */
} etl_arena;

/* Zeroed and 16-byte aligned; NULL when memory is out. */
void *etl_arena_alloc(etl_arena *arena, size_t size);
/* count * size without overflow */
void *etl_arena_array(etl_arena *arena, size_t count, size_t size);
char *etl_arena_strdup(etl_arena *arena, const char *text);
char *etl_arena_strndup(etl_arena *arena, const char *text, size_t length);
/* UTF-8 copy of UTF-16 text, ends trimmed of blanks and line ends when `trim`. */
char *etl_arena_utf16(etl_arena *arena, const uint8_t *in, size_t units, bool trim);
void etl_arena_free(etl_arena *arena);

/* ---- growing byte buffer / string builder ---- */

typedef struct etl_str {
    char *data; /* NUL-terminated once anything was added */
    size_t size;
    size_t capacity;
    bool failed; /* memory ran out: content is incomplete */
} etl_str;

/* Room for `extra` more bytes (plus NUL) at data + size, or NULL. */
char *etl_str_reserve(etl_str *s, size_t extra);
void etl_str_add(etl_str *s, const void *data, size_t size);
void etl_str_puts(etl_str *s, const char *text);
void etl_str_printf(etl_str *s, const char *format, ...) ETL_PRINTF(2, 3);
/* JSON string content with escapes, without the quotes; invalid UTF-8 becomes U+FFFD. */
void etl_str_json(etl_str *s, const char *text, size_t size);
static inline void etl_str_clear(etl_str *s)
{
    s->size = 0;
    s->failed = false;
}
void etl_str_free(etl_str *s);

/* ---- hash map: bytes to pointer, open addressing; keys are copied ---- */

typedef struct etl_map_slot {
    uint64_t hash;
    void *value; /* NULL: free */
    const uint8_t *key;
    uint32_t key_size;
} etl_map_slot;

typedef struct etl_hashmap {
    etl_map_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
    etl_arena keys;
} etl_hashmap;

uint64_t etl_hash(const void *data, size_t size);
void *etl_hashmap_get(const etl_hashmap *map, const void *key, size_t key_size);
/* With the hash already at hand. */
void *etl_hashmap_get_hashed(const etl_hashmap *map, uint64_t hash, const void *key,
                             size_t key_size);
/* Inserts or replaces; value must not be NULL. ETL_OK or ETL_ERR_NOMEM. */
int etl_hashmap_put(etl_hashmap *map, const void *key, size_t key_size, void *value);
/* Walks all entries in no defined order: *position starts at 0; false at the end. */
bool etl_hashmap_next(const etl_hashmap *map, size_t *position, const etl_map_slot **ret_slot);
void etl_hashmap_free(etl_hashmap *map);

/* ---- diagnostics: data problems are data ---- */

/* Code, severity, what it means. Order is stable: codes are stored in databases by name. */
#define ETL_DIAG_LIST(X)                                                                           \
    X(STREAM_DAMAGED, ERROR, "a compressed input is damaged; what came before was read")           \
    X(BUFFER_BAD, ERROR, "a buffer header is not plausible; bytes were skipped")                   \
    X(BUFFER_TRUNCATED, ERROR, "the file ends inside a buffer; its complete records were read")    \
    X(BUFFER_DECOMPRESS, ERROR, "a compressed buffer cannot be decompressed; it was skipped")      \
    X(BUFFER_TRAILING, WARNING, "bytes after the last buffer that belong to none")                 \
    X(BUFFER_SEQUENCE_GAP, WARNING, "buffer sequence numbers are missing")                         \
    X(BUFFER_LOSS_FLAG, WARNING, "a buffer says that events or buffers were lost before it")       \
    X(RECORD_BAD, ERROR, "a record length is impossible; the rest of the buffer was skipped")      \
    X(RECORD_UNKNOWN, WARNING, "a record of an unknown kind is kept raw")                          \
    X(RECORD_EXTENDED, WARNING, "an extended data item is damaged")                                \
    X(BUFFERS_MISSING, WARNING, "the file holds fewer buffers than its header says; it was cut")   \
    X(EVENTS_LOST, WARNING, "the session lost events")                                             \
    X(BUFFERS_LOST, WARNING, "the session lost buffers")                                           \
    X(NOT_CLOSED, WARNING, "the log file was not closed")                                          \
    X(HEADER_ODD, WARNING, "a field of the log file header is not plausible")                      \
    X(MANIFEST_BAD, WARNING, "an EventSource manifest is not usable")                              \
    X(SCHEMA_BAD, WARNING, "an event schema in the trace is not usable")                           \
    X(EVENT_TYPE_LIMIT, WARNING, "too many kinds of events; later ones share one, undecoded")      \
    X(SCHEMA_MISSING, INFO, "no schema is known for an event type; its payload is kept raw")       \
    X(SCHEMA_LOWER_VERSION, INFO, "events were decoded with the schema of a lower version")        \
    X(PAYLOAD_TRAILING, INFO, "a payload is longer than its schema; the rest is kept raw")         \
    X(PAYLOAD_SHORT, WARNING, "a payload is shorter than its schema; what is missing is NULL")     \
    X(PAYLOAD_OPAQUE, INFO, "part of a layout is not known; the payload is kept raw")              \
    X(TIME_RANGE, WARNING, "a time is outside what the output can hold")

typedef enum etl_diag_code {
#define ETL_DIAG_ENUM(name, severity, text) ETL_DIAG_##name,
    ETL_DIAG_LIST(ETL_DIAG_ENUM)
#undef ETL_DIAG_ENUM
        ETL_DIAG_COUNT
} etl_diag_code;

typedef enum etl_severity {
    ETL_SEVERITY_INFO,
    ETL_SEVERITY_WARNING,
    ETL_SEVERITY_ERROR
} etl_severity;

const char *etl_diag_name(int code); /* "BUFFER_BAD" */
const char *etl_diag_meaning(int code);
etl_severity etl_diag_severity(int code);
const char *etl_severity_name(int severity); /* "info", "warning", "error" */

typedef struct etl_diagnostic {
    int code;
    uint32_t source; /* index of the source, or ETL_NO_SOURCE */
    uint64_t offset; /* or ETL_NO_OFFSET */
    uint64_t count;  /* how many this row stands for */
    char *text;      /* what exactly, or NULL */
} etl_diagnostic;

/* Collects them: the first ETL_LIMIT_DIAGNOSTIC_DETAILS of a (code, source) keep offset and text,
   the others add to one last row without. Memory is bounded by that. */
typedef struct etl_diag {
    etl_diagnostic *rows;
    size_t row_count;
    size_t row_capacity;
    etl_hashmap seen;
    uint64_t totals[ETL_DIAG_COUNT];
} etl_diag;

/* Never fails: without memory only the totals grow. `d` may be NULL. */
void etl_diag_add(etl_diag *d, int code, uint32_t source, uint64_t offset, uint64_t count,
                  const char *format, ...) ETL_PRINTF(6, 7);
void etl_diag_free(etl_diag *d);

#endif
