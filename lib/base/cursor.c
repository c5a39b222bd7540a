/* The cursor functions that are too large to inline. */
#include "base/base.h"

etl_guid etl_cur_guid(etl_cur *c)
{
    const uint8_t *p = etl_cur_take(c, 16);
    return p ? etl_guid_load(p) : (etl_guid){{0}};
}

const char *etl_cur_cstring(etl_cur *c, size_t *ret_length)
{
    size_t left = etl_cur_left(c);
    const uint8_t *start = left ? c->data + c->position : NULL;
    const uint8_t *end = left ? memchr(start, 0, left) : NULL;
    if (!end) {
        c->failed = true;
        return NULL;
    }
    size_t length = (size_t)(end - start);
    c->position += length + 1;
    if (ret_length)
        *ret_length = length;
    return (const char *)start;
}

const uint8_t *etl_cur_wstring(etl_cur *c, size_t *ret_units)
{
    size_t most = etl_cur_left(c) / 2;
    const uint8_t *start = most ? c->data + c->position : NULL;
    size_t units = most ? etl_utf16_length(start, most) : 0;
    if (units == most) {
        c->failed = true;
        return NULL;
    }
    c->position += 2 * (units + 1);
    if (ret_units)
        *ret_units = units;
    return start;
}
