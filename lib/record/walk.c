/* The records of one buffer. */
#include "record/headers.h"

enum { SMALLEST_RECORD = 8 };

/* Bits of the first word (ntwmi.h, TRACE_HEADER_FLAG and its like). */
#define MARKER_FLAG    UINT32_C(0x80000000) /* clear: WNODE_HEADER */
#define MARKER_KIND    UINT32_C(0xF0000000)
#define MARKER_TYPED   UINT32_C(0xC0000000)
#define MARKER_MESSAGE UINT32_C(0x90000000)
#define MARKER_FILL    UINT32_C(0xFFFFFFFF)

etl_record_walk etl_record_walk_start(etl_buffer_view view)
{
    return (etl_record_walk){.view = view, .position = ETL_BUFFER_HEADER_SIZE};
}

/* SYSTEM, COMPACT and PERFINFO headers begin with the version word and have the size behind the
   marker; all others begin with the size (etl-format 3.1). */
static bool size_behind_marker(uint8_t type)
{
    return (type >= 1 && type <= 4) || type == HEADER_PERFINFO32 || type == HEADER_PERFINFO64;
}

static bool all_equal(const uint8_t *data, uint32_t size)
{
    return memcmp(data, data + 1, size - 1) == 0;
}

/* In pieces: compilers turn one memset of this size into `rep stos`, which takes as long as reading
   the record. */
static inline void clear(etl_record *record)
{
    enum { PIECE = sizeof(etl_record) / 3 };
    uint8_t *bytes = (uint8_t *)record;
    memset(bytes, 0, PIECE);
    memset(bytes + PIECE, 0, PIECE);
    memset(bytes + 2 * PIECE, 0, sizeof *record - 2 * PIECE);
}

int etl_record_walk_next(etl_record_walk *walk, etl_record *ret)
{
    for (;;) {
        uint32_t left = walk->view.size - walk->position;
        if (walk->position >= walk->view.size || left < SMALLEST_RECORD)
            return ETL_END;
        const uint8_t *data = walk->view.data + walk->position;
        uint32_t marker = etl_load_u32(data);
        if (marker == MARKER_FILL || marker == 0) {
            /* Nothing but fill ends a buffer; a zeroed page in the middle of data is damage. */
            if (all_equal(data, left))
                walk->fill_position = walk->position;
            else
                walk->damaged_position = walk->position;
            walk->position = walk->view.size;
            return ETL_END;
        }
        uint8_t type = (uint8_t)(marker >> 16);
        bool typed = (marker & MARKER_TYPED) == MARKER_TYPED;
        uint32_t size;
        if (typed && size_behind_marker(type))
            size = etl_load_u16(data + 4);
        else if (marker & MARKER_FLAG)
            size = marker & 0xFFFF;
        else
            size = marker; /* WNODE_HEADER.BufferSize */
        const etl_header_kind_row *row = typed ? etl_header_row(type) : NULL;
        if (size < (row ? row->size : SMALLEST_RECORD) || size > left) {
            walk->damaged_position = walk->position;
            walk->position = walk->view.size;
            return ETL_END;
        }
        uint32_t position = walk->position;
        uint32_t step = (size + 7) & ~7u;
        walk->position = step > left ? walk->view.size : position + step;
        bool message = (marker & MARKER_KIND) == MARKER_MESSAGE;
        if (ETL_UNLIKELY(!row && !message)) {
            if (!walk->unknown++)
                walk->unknown_position = position;
            continue;
        }
        clear(ret);
        ret->data = data;
        ret->size = (uint16_t)size;
        ret->buffer_position = position;
        ret->kind = row ? row->kind : ETL_HEADER_MESSAGE;
        ret->pointer_size = row ? row->pointer_size : 0;
        int r = row ? row->read(data, left, ret) : etl_read_message(data, left, ret);
        if (r != ETL_OK) {
            if (!walk->unknown++)
                walk->unknown_position = position;
            continue;
        }
        return ETL_OK;
    }
}
