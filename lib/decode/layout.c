/* Slices payloads with compiled layouts: once per event, so nothing is copied, converted or
   allocated. Sizing rules: etl-format 6.5 and 5.2 (sidU). */
#include "decode/layout.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SID_HEADER = 8, SID_MAX_AUTHORITIES = 15 };

/* Bytes before the first UTF-16 NUL, or those of all whole units. */
static inline size_t wstring_bytes(const uint8_t *p, size_t size)
{
    size_t i = 0;
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128();
    for (; size - i >= 16; i += 16) {
        __m128i units = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        int mask = _mm_movemask_epi8(_mm_cmpeq_epi16(units, zero));
        if (mask)
            return i + (size_t)__builtin_ctz((unsigned)mask);
    }
#endif
    for (; size - i >= 2; i += 2)
        if (!(p[i] | p[i + 1]))
            return i;
    return i;
}

/* The count or length of an op; what stands in front of the data is skipped. False: cut off. */
static inline bool read_amount(const etl_layout_op *op, const layout_walk *walk, const uint8_t **at,
                               uint64_t *ret_amount)
{
    size_t left = (size_t)(walk->end - *at);
    switch (op->from) {
    case FROM_NUMBER: *ret_amount = op->n; return true;
    case FROM_REGISTER: *ret_amount = walk->registers[op->reg]; return true;
    case FROM_U16:
    case FROM_BE16:
        if (left < 2)
            return false;
        *ret_amount = op->from == FROM_U16 ? etl_load_u16(*at) : etl_load_be16(*at);
        *at += 2;
        return true;
    case FROM_U32:
        if (left < 4)
            return false;
        *ret_amount = etl_load_u32(*at);
        *at += 4;
        return true;
    default:
        *ret_amount = left / (op->unit ? op->unit : 1);
        if (op->n && *ret_amount > op->n) /* as many as may stand for padding */
            *ret_amount = op->n;
        return true;
    }
}

/* What of a text of known size is shown. */
static inline size_t shown_bytes(uint8_t flags, const uint8_t *p, size_t size)
{
    if (flags & OP_CUT_NUL) {
        if (flags & OP_WIDE)
            return wstring_bytes(p, size);
        const uint8_t *nul = memchr(p, 0, size);
        return nul ? (size_t)(nul - p) : size;
    }
    if (flags & OP_WIDE)
        size &= ~(size_t)1;
    if (flags & OP_TRIM_NUL && size) {
        if (!(flags & OP_WIDE))
            size -= p[size - 1] == 0;
        else if (!(p[size - 1] | p[size - 2]))
            size -= 2;
    }
    return size;
}

static inline bool slice_sized(const etl_layout_op *op, const layout_walk *walk, const uint8_t **at,
                               etl_slice *slice)
{
    if (*at == walk->end && op->flags & OP_TEXT) {
        *slice = (etl_slice){*at, 0, 1};
        return true;
    }
    uint64_t amount;
    if (!read_amount(op, walk, at, &amount))
        return false;
    size_t left = (size_t)(walk->end - *at);
    uint64_t bytes = amount * op->unit;
    if (bytes > left) {
        if (!(op->flags & OP_CLAMP))
            return false;
        bytes = left;
    }
    *slice = (etl_slice){*at, (uint32_t)shown_bytes(op->flags, *at, (size_t)bytes), 1};
    *at += bytes;
    return true;
}

static bool slice_array(const etl_layout_op *op, const layout_walk *walk, const uint8_t **at,
                        etl_slice *slice)
{
    uint64_t count, unit = op->unit;
    if (op->length_register != LAYOUT_NO_REGISTER)
        unit *= walk->registers[op->length_register];
    size_t left = (size_t)(walk->end - *at);
    if (op->from == FROM_REST)
        count = unit ? left / unit : 0;
    else if (!read_amount(op, walk, at, &count))
        return false;
    left = (size_t)(walk->end - *at);
    if (!unit)
        count = 0; /* so many nothings are nothing */
    if (count && unit > left / count)
        return false;
    *slice = (etl_slice){*at, (uint32_t)(count * unit), (uint32_t)count};
    *at += count * unit;
    return true;
}

static etl_fit walk_elements(const etl_layout_op *op, layout_walk *walk, etl_slice *slice)
{
    const uint8_t *at = walk->at;
    uint64_t count;
    if (!read_amount(op, walk, &at, &count))
        return ETL_FIT_SHORT;
    bool rest = op->from == FROM_REST;
    if (rest)
        count = (uint64_t)(walk->end - at);
    else if (count > (uint64_t)(walk->end - at))
        return ETL_FIT_SHORT; /* every element takes a byte or more */
    const layout_scope *scope = &op->u.element->scope;
    layout_walk inner = *walk;
    inner.at = at;
    inner.scratch += scope->layout.field_count;
    uint32_t done = 0;
    const uint8_t *behind = at;
    for (; done < count; done++) {
        if (rest && behind == inner.end)
            break;
        /* Members of no bytes cost time but no payload. */
        *walk->steps += scope->layout.field_count + 1u;
        if (*walk->steps > ETL_LIMIT_ELEMENT_STEPS)
            return ETL_FIT_OPAQUE;
        etl_fit fit = layout_run(scope, &inner, walk->scratch);
        /* An element of no bytes would let a count that costs nothing ask for any amount of work.
         */
        if (fit == ETL_FIT_EXACT && inner.at == behind)
            fit = ETL_FIT_SHORT;
        if (fit != ETL_FIT_EXACT) {
            if (rest && fit == ETL_FIT_SHORT)
                break; /* what is left over is no element: padding, reported as trailing */
            return fit;
        }
        behind = inner.at;
    }
    *slice = (etl_slice){at, (uint32_t)(behind - at), done};
    walk->at = behind;
    return ETL_FIT_EXACT;
}

/* Keeps the 16 KB for members out of the frame of events that have no such arrays. */
static __attribute__((noinline)) etl_fit walk_outermost(const etl_layout_op *op, layout_walk *walk,
                                                        etl_slice *slice)
{
    etl_slice scratch[LAYOUT_MAX_FIELDS];
    uint32_t steps = 0;
    walk->scratch = scratch;
    walk->steps = &steps;
    etl_fit fit = walk_elements(op, walk, slice);
    walk->scratch = NULL;
    return fit;
}

static bool slice_sid(const uint8_t **at, const uint8_t *end, size_t before, etl_slice *slice)
{
    size_t left = (size_t)(end - *at);
    if (left < before + SID_HEADER)
        return false;
    size_t size = SID_HEADER + 4 * (size_t)(*at)[before + 1];
    if (size > left - before)
        return false;
    *slice = (etl_slice){*at + before, (uint32_t)size, 1};
    *at += before + size;
    return true;
}

/* Zero in place of a TOKEN_USER says that no SID follows. But sawbuck's traces hold a zeroed
   TOKEN_USER with its SID: what lies behind it decides. */
static bool slice_wbemsid(const layout_walk *walk, const uint8_t **at, etl_slice *slice)
{
    const uint8_t *p = *at;
    size_t left = (size_t)(walk->end - p), user = 2u * walk->pointer_size;
    if (left < 4)
        return false;
    if (etl_load_u32(p) == 0) {
        static const uint8_t zero[16];
        bool follows = left >= user + SID_HEADER && memcmp(p, zero, user) == 0 && p[user] == 1 &&
                       p[user + 1] >= 1 && p[user + 1] <= SID_MAX_AUTHORITIES &&
                       left - user >= SID_HEADER + 4u * p[user + 1];
        if (!follows) {
            *slice = (etl_slice){0};
            *at += 4;
            return true;
        }
    }
    return slice_sid(at, walk->end, user, slice);
}

static uint32_t register_value(const etl_slice *slice)
{
    if (!slice->data)
        return 0;
    switch (slice->size) {
    case 1: return slice->data[0];
    case 2: return etl_load_u16(slice->data);
    case 4: return etl_load_u32(slice->data);
    case 8: {
        uint64_t value = etl_load_u64(slice->data);
        return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    }
    default: return 0;
    }
}

/* The fields of a run before the one that the payload does not hold whole. */
static uint16_t slice_part_of_run(const etl_layout_op *op, const uint8_t *at, size_t left,
                                  etl_slice *slices)
{
    uint16_t i = 0;
    for (; i < op->n; i++) {
        const layout_span *span = &op->u.spans[i];
        if (span->offset > left || span->size > left - span->offset)
            break;
        slices[i] = (etl_slice){at + span->offset, span->size, span->count};
    }
    return i;
}

etl_fit layout_run(const layout_scope *scope, layout_walk *walk, etl_slice *ret_slices)
{
    const etl_layout_op *op = scope->programs[walk->pointer_size == 8];
    const uint8_t *at = walk->at, *const end = walk->end;
    etl_fit fit = ETL_FIT_SHORT;
    size_t slot;
    for (;; op++) {
        size_t left = (size_t)(end - at);
        etl_slice *slice = ret_slices + op->slot;
        slot = op->slot;
        switch (op->code) {
        case OP_RUN: {
            if (ETL_UNLIKELY(left < op->unit)) {
                slot += slice_part_of_run(op, at, left, slice);
                goto stop;
            }
            const layout_span *span = op->u.spans, *const last = span + op->n;
            for (; span < last; span++, slice++)
                *slice = (etl_slice){at + span->offset, span->size, span->count};
            at += op->unit;
            break;
        }
        case OP_WSTRING: {
            size_t size = wstring_bytes(at, left);
            *slice = (etl_slice){at, (uint32_t)size, 1};
            at = left - size >= 2 ? at + size + 2 : end;
            break;
        }
        case OP_STRING: {
            const uint8_t *nul = memchr(at, 0, left);
            *slice = (etl_slice){at, (uint32_t)((nul ? nul : end) - at), 1};
            at = nul ? nul + 1 : end;
            break;
        }
        case OP_SIZED:
            if (ETL_UNLIKELY(!slice_sized(op, walk, &at, slice)))
                goto stop;
            break;
        case OP_ARRAY:
            if (ETL_UNLIKELY(!slice_array(op, walk, &at, slice)))
                goto stop;
            break;
        case OP_EACH:
            walk->at = at;
            fit = walk->scratch ? walk_elements(op, walk, slice) : walk_outermost(op, walk, slice);
            if (fit != ETL_FIT_EXACT)
                goto stop;
            fit = ETL_FIT_SHORT;
            at = walk->at;
            break;
        case OP_SID:
            if (ETL_UNLIKELY(!slice_sid(&at, end, 0, slice)))
                goto stop;
            break;
        case OP_WBEMSID:
            if (ETL_UNLIKELY(!slice_wbemsid(walk, &at, slice)))
                goto stop;
            break;
        case OP_LOAD: walk->registers[op->reg] = register_value(slice); break;
        case OP_OPTIONAL:
            if (!left) {
                *slice = (etl_slice){0};
                op++;
            }
            break;
        case OP_ABSENT: *slice = (etl_slice){0}; break;
        case OP_OPAQUE: fit = ETL_FIT_OPAQUE; goto stop;
        default: walk->at = at; return ETL_FIT_EXACT;
        }
    }

stop:
    walk->at = at;
    for (; slot < scope->layout.field_count; slot++)
        ret_slices[slot] = (etl_slice){0};
    return fit;
}

etl_fit etl_layout_slice(const etl_layout *layout, const uint8_t *payload, size_t size,
                         uint8_t pointer_size, etl_slice *ret_slices)
{
    static const uint8_t nothing[1]; /* an empty string is not an absent one */
    const layout_scope *scope = (const layout_scope *)layout;
    uint32_t registers[ETL_LIMIT_PROPERTIES];
    for (size_t i = 0; i < scope->register_count; i++)
        registers[i] = 0;
    if (size > UINT32_MAX)
        size = UINT32_MAX;
    if (!payload) {
        payload = nothing;
        size = 0;
    }
    layout_walk walk = {.at = payload,
                        .end = payload + size,
                        .registers = registers,
                        .pointer_size = pointer_size == 8 ? 8 : 4};
    etl_fit fit = layout_run(scope, &walk, ret_slices);
    return fit == ETL_FIT_EXACT && walk.at != walk.end ? ETL_FIT_TRAILING : fit;
}
