/* TraceLogging: the event describes itself in extended data item 0x0B; item 0x0C names the provider
   (etl-format 7; microsoft/tracelogging). */
#include "schema/sources.h"

enum {
    FIELD_TYPE_MASK = 0x1F,
    FIELD_COUNT_MASK = 0x60,
    FIELD_CONST_COUNT = 0x20,
    FIELD_VAR_COUNT = 0x40,
    FIELD_CUSTOM = 0x60,
    FIELD_CHAIN = 0x80,
    TAG_BYTES_MAX = 4,
    TRAITS_SIZE_MIN = 3, /* size word and the NUL of an empty name */
    TRAIT_HEADER_SIZE = 3,
    TRAIT_GROUP = 1,
    TRAIT_DECODE_GUID = 2,
};

/* Tags mean something to the provider only: they are skipped. */
static void skip_tag(etl_cur *cursor)
{
    for (int i = 0; i < TAG_BYTES_MAX; i++) {
        if (!(etl_cur_u8(cursor) & FIELD_CHAIN))
            return;
    }
    cursor->failed = true; /* a tag has 28 bits */
}

static uint16_t hex_out_type(uint16_t in_type)
{
    switch (in_type) {
    case ETL_IN_INT8:
    case ETL_IN_UINT8: return ETL_OUT_HEXINT8;
    case ETL_IN_INT16:
    case ETL_IN_UINT16: return ETL_OUT_HEXINT16;
    case ETL_IN_INT32:
    case ETL_IN_UINT32:
    case ETL_IN_BOOLEAN:
    case ETL_IN_HEXINT32: return ETL_OUT_HEXINT32;
    case ETL_IN_INT64:
    case ETL_IN_UINT64:
    case ETL_IN_HEXINT64:
    case ETL_IN_POINTER: return ETL_OUT_HEXINT64;
    case ETL_IN_BINARY:
    case ETL_IN_COUNTEDBINARY16: return ETL_OUT_HEXBINARY;
    default: return ETL_OUT_NULL;
    }
}

static uint16_t decimal_out_type(uint16_t in_type, bool is_signed)
{
    switch (in_type) {
    case ETL_IN_INT8:
    case ETL_IN_UINT8: return is_signed ? ETL_OUT_BYTE : ETL_OUT_UNSIGNEDBYTE;
    case ETL_IN_INT16:
    case ETL_IN_UINT16: return is_signed ? ETL_OUT_SHORT : ETL_OUT_UNSIGNEDSHORT;
    case ETL_IN_INT32:
    case ETL_IN_UINT32:
    case ETL_IN_HEXINT32: return is_signed ? ETL_OUT_INT : ETL_OUT_UNSIGNEDINT;
    case ETL_IN_INT64:
    case ETL_IN_UINT64:
    case ETL_IN_HEXINT64:
    case ETL_IN_POINTER: return is_signed ? ETL_OUT_LONG : ETL_OUT_UNSIGNEDLONG;
    default: return ETL_OUT_NULL;
    }
}

/* TraceLogging numbers formats by itself (etl-format 7.2); ETL_OUT_NULL means the in-type's own. */
static uint16_t tdh_out_type(uint16_t in_type, uint8_t out)
{
    static const uint8_t direct[] = {
        [5] = ETL_OUT_PID,       [6] = ETL_OUT_TID,      [7] = ETL_OUT_PORT,
        [8] = ETL_OUT_IPV4,      [9] = ETL_OUT_IPV6,     [10] = ETL_OUT_SOCKETADDRESS,
        [11] = ETL_OUT_XML,      [12] = ETL_OUT_JSON,    [13] = ETL_OUT_WIN32ERROR,
        [14] = ETL_OUT_NTSTATUS, [15] = ETL_OUT_HRESULT, [16] = ETL_OUT_DATETIME,
        [2] = ETL_OUT_STRING,    [3] = ETL_OUT_BOOLEAN,
    };
    switch (out) {
    case 1: return ETL_OUT_NOPRINT;
    case 4: return hex_out_type(in_type);
    case 17:
    case 18: return decimal_out_type(in_type, out == 17);
    case ETL_OUT_CULTURE_INSENSITIVE_DATETIME:
    case ETL_OUT_UTF8:
    case ETL_OUT_PKCS7_WITH_TYPE_INFO:
    case ETL_OUT_CODE_POINTER:
    case ETL_OUT_DATETIME_UTC: return out;
    default: return out < ETL_COUNT_OF(direct) ? direct[out] : ETL_OUT_NULL;
    }
}

/* The structs that are open while fields are read. */
typedef struct open_structs {
    struct {
        uint16_t node;
        uint8_t members_left;
    } levels[ETL_LIMIT_STRUCT_DEPTH];
    size_t depth;
} open_structs;

static uint16_t enter_field(open_structs *open)
{
    if (open->depth == 0)
        return ETL_BUILDER_NO_PARENT;
    open->levels[open->depth - 1].members_left--;
    return open->levels[open->depth - 1].node;
}

static void leave_full_structs(open_structs *open)
{
    while (open->depth > 0 && open->levels[open->depth - 1].members_left == 0)
        open->depth--;
}

static int read_field(etl_builder *builder, etl_cur *cursor, open_structs *open, etl_error *error)
{
    size_t start = cursor->position, name_length = 0;
    const char *name = etl_cur_cstring(cursor, &name_length);
    uint8_t in = etl_cur_u8(cursor), out = 0;
    if (in & FIELD_CHAIN) {
        out = etl_cur_u8(cursor);
        if (out & FIELD_CHAIN)
            skip_tag(cursor);
        out &= 0x7F;
    }
    uint8_t kind = in & FIELD_COUNT_MASK;
    uint16_t count = kind == FIELD_CONST_COUNT ? etl_cur_u16(cursor) : 1;
    if (kind == FIELD_CUSTOM)
        etl_cur_take(cursor, etl_cur_u16(cursor)); /* type description of a private serializer */
    if (cursor->failed)
        return etl_fail(error, ETL_ERR_DAMAGED,
                        "TraceLogging metadata ends inside the field at byte %zu", start);

    etl_builder_node *node;
    uint16_t parent = enter_field(open);
    int r = etl_builder_add_property(builder, parent, etl_builder_name(builder, name, name_length),
                                     &node, error);
    if (r < 0)
        return r;
    etl_property *property = &node->property;
    property->in_type = in & FIELD_TYPE_MASK;
    if (kind == FIELD_CUSTOM) {
        property->in_type = ETL_IN_BINARY;
        property->flags = ETL_PROPERTY_PAYLOAD_LENGTH;
        return ETL_OK;
    }
    if (kind == FIELD_CONST_COUNT) {
        property->flags |= ETL_PROPERTY_FIXED_COUNT;
        property->count = count;
    } else if (kind == FIELD_VAR_COUNT) {
        property->flags |= ETL_PROPERTY_PAYLOAD_COUNT;
    }
    if (property->in_type == ETL_IN_STRUCT) {
        property->flags |= ETL_PROPERTY_STRUCT;
        if (out == 0)
            return ETL_OK;
        if (open->depth == ETL_LIMIT_STRUCT_DEPTH)
            return etl_fail(error, ETL_ERR_LIMIT, "TraceLogging structs nest deeper than %d",
                            ETL_LIMIT_STRUCT_DEPTH);
        open->levels[open->depth].node = (uint16_t)(builder->node_count - 1);
        open->levels[open->depth++].members_left = out;
        return ETL_OK;
    }
    if (property->in_type == ETL_IN_BINARY)
        property->flags |= ETL_PROPERTY_PAYLOAD_LENGTH;
    if (!etl_in_type_is_known(property->in_type))
        property->flags |= ETL_PROPERTY_OPAQUE;
    property->out_type = tdh_out_type(property->in_type, out);
    return ETL_OK;
}

int etl_tracelogging_parse(etl_builder *builder, const uint8_t *metadata, size_t size,
                           etl_event_schema *ret_schema, etl_error *error)
{
    etl_cur cursor = etl_cur_make(metadata, size);
    uint16_t stated = etl_cur_u16(&cursor);
    if (cursor.failed || stated < 4 || stated > size)
        return etl_fail(error, ETL_ERR_DAMAGED, "TraceLogging metadata of %zu bytes says it has %u",
                        size, stated);
    cursor.size = stated;
    skip_tag(&cursor);
    size_t name_length = 0;
    const char *name = etl_cur_cstring(&cursor, &name_length);
    if (cursor.failed)
        return etl_fail(error, ETL_ERR_DAMAGED, "TraceLogging metadata has no event name");

    open_structs open = {0};
    etl_builder_begin_layout(builder);
    while (etl_cur_left(&cursor) > 0) {
        int r = read_field(builder, &cursor, &open, error);
        if (r < 0)
            return r;
        leave_full_structs(&open);
    }
    if (open.depth > 0)
        return etl_fail(error, ETL_ERR_DAMAGED, "TraceLogging metadata ends inside a struct");
    etl_builder_layout layout;
    int r = etl_builder_finish_layout(builder, &layout, error);
    if (r < 0)
        return r;
    const char *event_name = etl_builder_name(builder, name, name_length);
    if (!event_name)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for an event name");
    *ret_schema = (etl_event_schema){
        .source = ETL_SCHEMA_TRACELOGGING,
        .event_name = event_name,
        .property_count = layout.property_count,
        .top_level_count = layout.top_level_count,
        .properties = layout.properties,
    };
    return ETL_OK;
}

bool etl_traits_parse(const uint8_t *traits, size_t size, etl_traits *ret_traits)
{
    *ret_traits = (etl_traits){0};
    etl_cur cursor = etl_cur_make(traits, size);
    uint16_t stated = etl_cur_u16(&cursor);
    if (cursor.failed || stated < TRAITS_SIZE_MIN || stated > size)
        return false;
    cursor.size = stated;
    ret_traits->name = etl_cur_cstring(&cursor, &ret_traits->name_length);
    if (cursor.failed) {
        *ret_traits = (etl_traits){0};
        return false;
    }
    while (etl_cur_left(&cursor) > 0) {
        uint16_t trait_size = etl_cur_u16(&cursor);
        uint8_t type = etl_cur_u8(&cursor);
        if (cursor.failed || trait_size < TRAIT_HEADER_SIZE)
            return false;
        size_t data_size = (size_t)trait_size - TRAIT_HEADER_SIZE;
        const uint8_t *data = etl_cur_take(&cursor, data_size);
        if (!data)
            return false;
        if (data_size != sizeof(etl_guid))
            continue;
        if (type == TRAIT_GROUP) {
            ret_traits->has_group = true;
            ret_traits->group = etl_guid_load(data);
        } else if (type == TRAIT_DECODE_GUID) {
            ret_traits->has_decode_guid = true;
            ret_traits->decode_guid = etl_guid_load(data);
        }
    }
    return true;
}
