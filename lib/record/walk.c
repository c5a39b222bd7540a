/* The records of one buffer. */
#include "record/headers.h"

enum { SMALLEST_RECORD = 8 };

#define MARKER_FILL UINT32_C(0xFFFFFFFF)

etl_record_walk etl_record_walk_start(etl_buffer_view view)
{
    return (etl_record_walk){.view = view, .position = ETL_BUFFER_HEADER_SIZE};
}

/* SYSTEM, COMPACT and PERFINFO headers begin with the version word and have the size behind the
   marker; all others begin with the size (etl-format 3.1). */
static bool size_behind_marker(uint8_t type)
{
    return (type >= HEADER_SYSTEM32 && type <= HEADER_COMPACT64) || type == HEADER_PERFINFO32 ||
           type == HEADER_PERFINFO64;
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

static inline void begin(etl_record *ret, const etl_header_kind_row *row, const uint8_t *data,
                         uint32_t size, uint32_t position)
{
    clear(ret);
    ret->data = data;
    ret->size = size;
    ret->buffer_position = position;
    ret->kind = row->kind;
    ret->pointer_size = row->pointer_size;
}

/* What its own row cannot read. */
static void keep_raw(etl_record *ret, const uint8_t *data, uint32_t size, uint32_t position)
{
    const etl_header_kind_row *row = etl_header_row_other();
    begin(ret, row, data, size, position);
    row->read(data, size, ret);
}

int etl_record_walk_next(etl_record_walk *walk, etl_record *ret)
{
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
    uint32_t size;
    if (ETL_MARKER_IS_TYPED(marker) && size_behind_marker((uint8_t)(marker >> 16)))
        size = etl_load_u16(data + 4);
    else if (ETL_MARKER_IS_WNODE(marker))
        size = marker; /* WNODE_HEADER.BufferSize */
    else
        size = marker & 0xFFFF;
    const etl_header_kind_row *row = etl_header_row(marker, walk->view.old_instances);
    if (size < row->size || size > left) {
        walk->damaged_position = walk->position;
        walk->position = walk->view.size;
        return ETL_END;
    }
    uint32_t position = walk->position;
    uint32_t step = (size + 7) & ~7u;
    walk->position = step > left ? walk->view.size : position + step;
    begin(ret, row, data, size, position);
    if (ETL_UNLIKELY(row->read(data, left, ret) != ETL_OK))
        keep_raw(ret, data, size, position);
    if (ETL_UNLIKELY(ret->kind == ETL_HEADER_OTHER) && !walk->unknown++)
        walk->unknown_position = position;
    return ETL_OK;
}
