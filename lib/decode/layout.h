/* Compiled layouts, private to decode: compile.c builds them, layout.c runs them, value.c runs the
   elements of arrays again to write them as JSON. */
#ifndef ETL_DECODE_LAYOUT_H
#define ETL_DECODE_LAYOUT_H

#include "decode/decode.h"

enum {
    LAYOUT_NO_REGISTER = 0xFFFF,
    /* Members of an element and of the elements inside it. */
    LAYOUT_MAX_FIELDS = ETL_LIMIT_PROPERTIES
};

typedef enum layout_code {
    OP_END,
    OP_RUN,     /* `n` fields of fixed size */
    OP_WSTRING, /* to the UTF-16 NUL */
    OP_STRING,  /* to the NUL */
    OP_SIZED,   /* `from` units of `unit` bytes */
    OP_ARRAY,   /* `from` elements of one size: `unit`, times length_register if there is one */
    OP_EACH,    /* `from` elements that have to be walked */
    OP_SID,
    OP_WBEMSID,
    OP_LOAD,     /* field value to register: something refers to it */
    OP_OPTIONAL, /* skips the next op at the end of the payload */
    OP_ABSENT,
    OP_OPAQUE
} layout_code;

typedef enum layout_from {
    FROM_NUMBER,
    FROM_REGISTER,
    FROM_U16, /* in front of the data */
    FROM_BE16,
    FROM_U32,
    FROM_REST
} layout_from;

enum {
    OP_CLAMP = 1,    /* a count beyond the end means: to the end */
    OP_TEXT = 2,     /* a missing tail is empty */
    OP_CUT_NUL = 4,  /* ends at the first NUL */
    OP_TRIM_NUL = 8, /* a terminator that was counted is none of the text */
    OP_WIDE = 16     /* UTF-16 */
};

typedef struct layout_span {
    uint32_t offset;
    uint32_t size;
    uint32_t count;
} layout_span;

typedef struct etl_layout_op {
    uint8_t code;
    uint8_t from;
    uint8_t flags;
    uint16_t slot;
    uint16_t length_register;
    uint16_t reg; /* of FROM_REGISTER and OP_LOAD */
    uint16_t n;
    uint32_t unit; /* OP_RUN: bytes of the whole run */
    union {
        const layout_span *spans;
        const struct layout_element *element;
    } u;
} etl_layout_op;

/* Fields that lie behind each other: a whole layout, or one element of an array. ONLY64 and pointer
   sizes are settled when compiling: one program a pointer size. */
typedef struct layout_scope {
    etl_layout layout;
    const etl_layout_op *programs[2]; /* pointers of 4 and 8 bytes */
    uint16_t register_count;
    /* A register that is read here but set outside, or LAYOUT_NO_REGISTER. */
    uint16_t outer_register;
    bool many_outer; /* there are more of them */
} layout_scope;

/* What etl_field.property of an array whose elements have to be walked points into. */
typedef struct layout_element {
    etl_property property; /* first: found from the field */
    layout_scope scope;
    bool is_struct;
} layout_element;

typedef struct layout_walk {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t *registers;
    etl_slice *scratch; /* for members of elements that are only measured */
    uint32_t *steps;    /* members walked so far; set where scratch is */
    uint8_t pointer_size;
} layout_walk;

/* True when the elements of this array field do not have one common size. */
bool layout_is_walked(const etl_property *property);
/* Slices one scope; walk->at moves behind what was read. */
etl_fit layout_run(const layout_scope *scope, layout_walk *walk, etl_slice *ret_slices);

#endif
