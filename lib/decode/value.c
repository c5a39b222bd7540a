/* Slices to values: numbers for columns, UTF-8 text for everything that is written out. */
#include "decode/layout.h"

#include <math.h>

enum {
    /* A hostile schema can ask for long member names on every byte of a payload: no element is
       begun past this. */
    JSON_MAX_BYTES = ETL_LIMIT_JSON_BYTES
};

typedef struct json_writer {
    etl_str *out;
    size_t limit;
    uint8_t pointer_size;
} json_writer;

static uint64_t load(const uint8_t *p, size_t size)
{
    switch (size) {
    case 1: return p[0];
    case 2: return etl_load_u16(p);
    case 4: return etl_load_u32(p);
    case 8: return etl_load_u64(p);
    default: return 0;
    }
}

static int64_t int_value(const etl_field *field, const uint8_t *p, size_t size)
{
    if (size == 2 && field->property->out_type == ETL_OUT_PORT)
        return etl_load_be16(p);
    uint64_t value = load(p, size);
    if (field->is_signed) {
        switch (size) {
        case 1: return (int8_t)value;
        case 2: return (int16_t)value;
        case 4: return (int32_t)value;
        default: break;
        }
    }
    return (int64_t)value;
}

int64_t etl_field_int(const etl_field *field, const etl_slice *slice)
{
    return slice->data ? int_value(field, slice->data, slice->size) : 0;
}

static double double_value(const uint8_t *p, size_t size)
{
    if (size == 4) {
        uint32_t bits = etl_load_u32(p);
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint64_t bits = load(p, size);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double etl_field_double(const etl_field *field, const etl_slice *slice)
{
    (void)field;
    return slice->data ? double_value(slice->data, slice->size) : 0;
}

static void add_utf16(etl_str *out, const uint8_t *p, size_t size)
{
    char *to = etl_str_reserve(out, ETL_UTF8_MAX(size / 2));
    if (!to)
        return;
    out->size += etl_utf16_to_utf8(p, size / 2, to);
    out->data[out->size] = '\0';
}

static void add_ansi(etl_str *out, const uint8_t *p, size_t size)
{
    char *to = etl_str_reserve(out, ETL_UTF8_MAX(size));
    if (!to)
        return;
    out->size += etl_ansi_to_utf8(p, size, to);
    out->data[out->size] = '\0';
}

static void add_guid(etl_str *out, const uint8_t *p)
{
    char text[ETL_GUID_TEXT_SIZE];
    etl_guid guid = etl_guid_load(p);
    etl_guid_text(&guid, text);
    etl_str_puts(out, text);
}

static void add_binary(etl_str *out, const etl_property *property, const uint8_t *p, size_t size)
{
    if (property->in_type == ETL_IN_SID || property->in_type == ETL_IN_WBEMSID) {
        if (etl_format_sid(p, size, out))
            return;
    } else if (property->out_type == ETL_OUT_IPV6 && size == 16) {
        etl_format_ipv6(p, out);
        return;
    } else if (property->out_type == ETL_OUT_SOCKETADDRESS) {
        if (etl_format_sockaddr(p, size, out))
            return;
    }
    etl_format_hex(p, size, out);
}

/* One value as text, whatever its kind. */
static void add_value(etl_str *out, const etl_field *field, const uint8_t *p, size_t size)
{
    const etl_property *property = field->property;
    switch (field->kind) {
    case ETL_VALUE_INT:
        etl_format_int(int_value(field, p, size), property->in_type, property->out_type, out);
        break;
    case ETL_VALUE_DOUBLE: etl_format_double(double_value(p, size), size == 4, out); break;
    case ETL_VALUE_UTF16: add_utf16(out, p, size); break;
    case ETL_VALUE_ANSI: add_ansi(out, p, size); break;
    case ETL_VALUE_GUID:
        if (size == 16)
            add_guid(out, p);
        break;
    case ETL_VALUE_SYSTEMTIME:
        if (size == 16)
            etl_format_systemtime(p, property->out_type == ETL_OUT_DATETIME_UTC, out);
        break;
    default: add_binary(out, property, p, size);
    }
}

/* ---- JSON ---- */

/* Stacks and other arrays of numbers are what most JSON holds. */
static void json_int(etl_str *out, int64_t value, bool is_signed)
{
    char digits[24];
    size_t at = sizeof digits;
    bool minus = is_signed && value < 0;
    uint64_t rest = minus ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (minus)
        digits[--at] = '-';
    etl_str_add(out, digits + at, sizeof digits - at);
}

static void json_string(etl_str *out, const etl_field *field, const uint8_t *p, size_t size)
{
    etl_str_puts(out, "\"");
    if (field->kind == ETL_VALUE_UTF16 || field->kind == ETL_VALUE_ANSI) {
        etl_str text = {0};
        add_value(&text, field, p, size);
        if (text.size)
            etl_str_json(out, text.data, text.size);
        out->failed |= text.failed;
        etl_str_free(&text);
    } else { /* digits and the like: nothing to escape */
        add_value(out, field, p, size);
    }
    etl_str_puts(out, "\"");
}

static void json_scalar(etl_str *out, const etl_field *field, const uint8_t *p, size_t size)
{
    if (field->kind == ETL_VALUE_DOUBLE) {
        double value = double_value(p, size);
        if (isfinite(value))
            etl_format_double(value, size == 4, out);
        else
            etl_str_puts(out, "null");
    } else if (field->kind == ETL_VALUE_INT && field->property->out_type != ETL_OUT_IPV4) {
        json_int(out, int_value(field, p, size), field->is_signed);
    } else {
        json_string(out, field, p, size);
    }
}

/* Elements of one size. Fixed-length strings end at their NUL. */
static void json_uniform(json_writer *w, const etl_field *field, const etl_slice *slice)
{
    const etl_property *property = field->property;
    size_t size = slice->count ? slice->size / slice->count : 0;
    bool cut = !(property->flags & ETL_PROPERTY_PARAM_LENGTH);
    etl_str_puts(w->out, "[");
    for (uint32_t i = 0; i < slice->count && w->out->size < w->limit; i++) {
        const uint8_t *p = slice->data + i * size;
        size_t shown = size;
        if (cut && field->kind == ETL_VALUE_UTF16) {
            shown = 2 * etl_utf16_length(p, size / 2);
        } else if (cut && field->kind == ETL_VALUE_ANSI) {
            const uint8_t *nul = memchr(p, 0, size);
            shown = nul ? (size_t)(nul - p) : size;
        }
        if (i)
            etl_str_puts(w->out, ",");
        json_scalar(w->out, field, p, shown);
    }
    etl_str_puts(w->out, "]");
}

static void json_walked(json_writer *w, const etl_field *field, const etl_slice *slice,
                        uint32_t *registers, etl_slice *scratch);

static void json_member(json_writer *w, const etl_field *field, const etl_slice *slice,
                        uint32_t *registers, etl_slice *scratch)
{
    if (!slice->data)
        etl_str_puts(w->out, "null");
    else if (field->type != ETL_FIELD_JSON)
        json_scalar(w->out, field, slice->data, slice->size);
    else if (layout_is_walked(field->property))
        json_walked(w, field, slice, registers, scratch);
    else
        json_uniform(w, field, slice);
}

static void json_walked(json_writer *w, const etl_field *field, const etl_slice *slice,
                        uint32_t *registers, etl_slice *scratch)
{
    const layout_element *element = (const layout_element *)(const void *)field->property;
    const etl_layout *layout = &element->scope.layout;
    uint32_t steps = 0;
    layout_walk walk = {.at = slice->data,
                        .end = slice->data + slice->size,
                        .registers = registers,
                        .scratch = scratch + layout->field_count,
                        .steps = &steps,
                        .pointer_size = w->pointer_size};
    etl_str_puts(w->out, "[");
    for (uint32_t i = 0; i < slice->count && w->out->size < w->limit; i++) {
        if (layout_run(&element->scope, &walk, scratch) != ETL_FIT_EXACT)
            break;
        if (i)
            etl_str_puts(w->out, ",");
        if (element->is_struct)
            etl_str_puts(w->out, "{");
        for (size_t k = 0; k < layout->field_count; k++) {
            const etl_field *member = &layout->fields[k];
            if (element->is_struct) {
                etl_str_puts(w->out, k ? ",\"" : "\"");
                etl_str_json(w->out, member->name, strlen(member->name));
                etl_str_puts(w->out, "\":");
            }
            json_member(w, member, &scratch[k], registers, walk.scratch);
        }
        if (element->is_struct)
            etl_str_puts(w->out, "}");
    }
    etl_str_puts(w->out, "]");
}

/* Whether the elements use up the slice exactly when the one length or count that stands outside of
   them is `value`; negative or positive: too small or too large. */
static int try_outer(const layout_element *element, const etl_slice *slice, uint8_t pointer_size,
                     uint32_t *registers, etl_slice *scratch, uint32_t value)
{
    const layout_scope *scope = &element->scope;
    registers[scope->outer_register] = value;
    uint32_t steps = 0;
    layout_walk walk = {.at = slice->data,
                        .end = slice->data + slice->size,
                        .registers = registers,
                        .scratch = scratch + scope->layout.field_count,
                        .steps = &steps,
                        .pointer_size = pointer_size};
    for (uint32_t i = 0; i < slice->count; i++)
        if (layout_run(scope, &walk, scratch) != ETL_FIT_EXACT)
            return 1;
    return walk.at == walk.end ? 0 : -1;
}

/* A slice does not carry the values that stand outside of its elements. One of them follows from
   the size, which grows with it; more of them (no known provider does that) leave hex. */
static bool find_outer(const layout_element *element, const etl_slice *slice, uint8_t pointer_size,
                       uint32_t *registers, etl_slice *scratch)
{
    if (element->scope.outer_register == LAYOUT_NO_REGISTER)
        return true;
    if (element->scope.many_outer)
        return false;
    uint32_t low = 0, high = slice->size;
    while (low <= high) {
        uint32_t middle = low + (high - low) / 2;
        int order = try_outer(element, slice, pointer_size, registers, scratch, middle);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else if (middle == 0)
            break;
        else
            high = middle - 1;
    }
    return false;
}

static __attribute__((noinline)) void json_outermost(json_writer *w, const etl_field *field,
                                                     const etl_slice *slice)
{
    const layout_element *element = (const layout_element *)(const void *)field->property;
    uint32_t registers[ETL_LIMIT_PROPERTIES] = {0};
    etl_slice scratch[LAYOUT_MAX_FIELDS];
    if (find_outer(element, slice, w->pointer_size, registers, scratch)) {
        json_walked(w, field, slice, registers, scratch);
        return;
    }
    etl_str_puts(w->out, "\"");
    etl_format_hex(slice->data, slice->size, w->out);
    etl_str_puts(w->out, "\"");
}

void etl_field_text(const etl_field *field, const etl_slice *slice, uint8_t pointer_size,
                    etl_str *out)
{
    if (!slice->data)
        return;
    if (field->type != ETL_FIELD_JSON) {
        add_value(out, field, slice->data, slice->size);
        return;
    }
    json_writer w = {
        .out = out, .limit = out->size + JSON_MAX_BYTES, .pointer_size = pointer_size == 8 ? 8 : 4};
    if (layout_is_walked(field->property))
        json_outermost(&w, field, slice);
    else
        json_uniform(&w, field, slice);
}
