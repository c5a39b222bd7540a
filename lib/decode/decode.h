/* decode: record and schema to typed property values.

   A layout is a schema compiled for decoding: its properties flattened into fields (a member of a
   single struct becomes the field Struct_Member; arrays and arrays of structs stay one field).
   Slicing a payload finds where each field lies, without copying or converting anything; whether
   the slices use up the payload exactly tells whether the layout is the right one. */
#ifndef ETL_DECODE_H
#define ETL_DECODE_H

#include "base/base.h"
#include "etlkit/schema.h"
#include "etlkit/status.h"

/* How a scalar value or the elements of an array read. */
typedef enum etl_value_kind {
    ETL_VALUE_INT,    /* signed or unsigned integer, boolean, pointer, FILETIME, IPv4, port:
                         `width` bytes */
    ETL_VALUE_DOUBLE, /* width 4 or 8 */
    ETL_VALUE_UTF16,  /* text without its terminator or count */
    ETL_VALUE_ANSI,   /* 8-bit text; out-type UTF8, XML, JSON or plain: valid UTF-8 is kept */
    ETL_VALUE_GUID,
    ETL_VALUE_BINARY, /* also IPV6, SOCKETADDRESS, SID: see the out-type and in-type */
    ETL_VALUE_SYSTEMTIME,
    ETL_VALUE_STRUCT
} etl_value_kind;

/* What one value becomes in a column. */
typedef enum etl_field_type {
    ETL_FIELD_INT, /* 64-bit integer; unsigned values keep their bits */
    ETL_FIELD_DOUBLE,
    ETL_FIELD_TEXT, /* UTF-8: strings, SIDs, IPv6, socket addresses, SYSTEMTIME */
    ETL_FIELD_BINARY,
    ETL_FIELD_GUID,
    ETL_FIELD_JSON /* UTF-8 JSON: arrays, arrays of structs */
} etl_field_type;

typedef struct etl_field {
    const char *name;             /* flattened */
    const etl_property *property; /* types, map */
    uint8_t type;                 /* etl_field_type */
    uint8_t kind;                 /* etl_value_kind of a value, or of an element */
    bool is_signed;
    uint8_t width; /* bytes of an INT or DOUBLE value; 0: the pointer size */
} etl_field;

typedef struct etl_layout {
    const etl_event_schema *schema;
    uint16_t field_count;
    const etl_field *fields;
    const struct etl_layout_op *ops; /* private to layout.c */
    uint16_t op_count;
} etl_layout;

/* Compiles; memory comes from `arena`. The schema must have passed etl_schema_check. */
int etl_layout_compile(const etl_event_schema *schema, etl_arena *arena,
                       const etl_layout **ret_layout, etl_error *error);

/* Where one field lies. data NULL: absent (SQL NULL). Strings: without terminator, count prefix, or
   whatever lies behind an embedded NUL of a fixed-length field. Arrays: the element bytes; count
   elements. */
typedef struct etl_slice {
    const uint8_t *data;
    uint32_t size;
    uint32_t count;
} etl_slice;

typedef enum etl_fit {
    ETL_FIT_EXACT,
    ETL_FIT_TRAILING, /* bytes are left over */
    ETL_FIT_SHORT,    /* the payload ends inside a field: it and all behind it are absent */
    ETL_FIT_OPAQUE    /* the layout is only known up to some field */
} etl_fit;

/* Fills ret_slices[field_count]. Missing trailing strings are empty, not short (etl-format 6.5). */
etl_fit etl_layout_slice(const etl_layout *layout, const uint8_t *payload, size_t size,
                         uint8_t pointer_size, etl_slice *ret_slices);

/* ---- values ---- */

/* Integer value of an INT slice, sign- or zero-extended by the field; port byte order applied. */
int64_t etl_field_int(const etl_field *field, const etl_slice *slice);
double etl_field_double(const etl_field *field, const etl_slice *slice);
/* Appends the UTF-8 of a TEXT or JSON field. */
void etl_field_text(const etl_field *field, const etl_slice *slice, uint8_t pointer_size,
                    etl_str *out);
/* Appends a stored integer as a reader wants it: decimal or hex by out-type, true/false, dotted
   IPv4, FILETIME as ISO text, error codes as 0x… (etl-format 6.7). No map text. */
void etl_format_int(int64_t value, uint16_t in_type, uint16_t out_type, etl_str *out);
/* Name of a value: exact match, or names of set bits joined by "|" with a hex remainder. False when
   the map has none for it. */
bool etl_format_map(const etl_map *map, uint64_t value, etl_str *out);
void etl_format_double(double value, bool single, etl_str *out);
void etl_format_hex(const uint8_t *data, size_t size, etl_str *out); /* upper case, no prefix */
/* S-1-5-… ; false (nothing written) when the bytes are no SID of exactly that size. */
bool etl_format_sid(const uint8_t *data, size_t size, etl_str *out);
void etl_format_ipv6(const uint8_t data[16], etl_str *out); /* RFC 5952 */
bool etl_format_sockaddr(const uint8_t *data, size_t size, etl_str *out);
void etl_format_systemtime(const uint8_t data[16], bool utc, etl_str *out);
bool etl_out_type_is_hex(uint16_t in_type, uint16_t out_type);
/* A FILETIME, by in-type or by out-type. */
bool etl_out_type_is_time(uint16_t in_type, uint16_t out_type);

#endif
