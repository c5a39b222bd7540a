/* Schemas that a merge embedded in the trace: TRACE_EVENT_INFO and EVENT_MAP_INFO as TDH returned
   them on the recording machine (etl-format 5.13, 6.3, 6.4). */
#include "schema/sources.h"

#include <stdlib.h>

/* TRACE_EVENT_INFO. */
enum {
    INFO_EVENT_GUID = 16,
    INFO_ID = 32,
    INFO_VERSION = 34,
    INFO_CHANNEL = 35,
    INFO_LEVEL = 36,
    INFO_OPCODE = 37,
    INFO_TASK = 38,
    INFO_KEYWORD = 40,
    INFO_DECODING_SOURCE = 48,
    INFO_PROVIDER_NAME = 52,
    INFO_LEVEL_NAME = 56,
    INFO_CHANNEL_NAME = 60,
    INFO_KEYWORD_NAMES = 64,
    INFO_TASK_NAME = 68,
    INFO_OPCODE_NAME = 72,
    INFO_MESSAGE = 76,
    INFO_EVENT_NAME = 92,
    INFO_PROPERTY_COUNT = 100,
    INFO_TOP_LEVEL_COUNT = 104,
    INFO_PROPERTIES = 112,
};

/* EVENT_PROPERTY_INFO. */
enum {
    PROPERTY_NAME = 4,
    PROPERTY_IN_TYPE = 8,
    PROPERTY_OUT_TYPE = 10,
    PROPERTY_MAP_NAME = 12,
    PROPERTY_COUNT = 16,
    PROPERTY_LENGTH = 18,
    PROPERTY_SIZE = 24,
};

/* PROPERTY_FLAGS of tdh.h. */
enum {
    TDH_STRUCT = 0x01,
    TDH_PARAM_LENGTH = 0x02,
    TDH_PARAM_COUNT = 0x04,
    TDH_FIXED_LENGTH = 0x10,
    TDH_FIXED_COUNT = 0x20,
    TDH_CUSTOM_SCHEMA = 0x80,
};

/* DECODING_SOURCE of tdh.h. */
enum { DECODING_XML = 0, DECODING_WBEM = 1 };

/* EVENT_MAP_INFO, behind the provider GUID. */
enum {
    MAP_FLAGS = 4,
    MAP_ENTRY_COUNT = 8,
    MAP_VALUE_TYPE = 12,
    MAP_ENTRIES = 16,
    MAP_ENTRY_SIZE = 8,
    MAP_VALUE_STRING = 1,
    MAP_FLAG_VALUE = 0x01,
    MAP_FLAG_BITS = 0x02,
    MAP_FLAG_WBEM_VALUE = 0x08,
    MAP_FLAG_WBEM_BITS = 0x10,
    MAP_FLAG_WBEM_FLAG = 0x20,
    MAP_FLAG_WBEM_NO_MAP = 0x40,
};

enum { KEYWORD_NAMES_MAX = 64, MESSAGE_BYTES_MAX = 0xFFFF };

typedef struct info_reader {
    etl_builder *builder;
    const uint8_t *blob;
    size_t size;
    etl_error *error;
    int status; /* first failure; later reads do nothing */
} info_reader;

/* UTF-16 units of the string at `offset`, or NULL and status. */
static const uint8_t *wide_at(info_reader *reader, size_t offset, size_t *ret_units)
{
    *ret_units = 0;
    if (reader->status < 0)
        return NULL;
    if (offset > reader->size) {
        reader->status = etl_fail(reader->error, ETL_ERR_DAMAGED, "a name is at byte %zu of %zu",
                                  offset, reader->size);
        return NULL;
    }
    size_t room = (reader->size - offset) / 2;
    *ret_units = etl_utf16_length(reader->blob + offset, room);
    if (*ret_units == room) {
        reader->status = etl_fail(reader->error, ETL_ERR_DAMAGED,
                                  "the name at byte %zu of %zu has no end", offset, reader->size);
        return NULL;
    }
    return reader->blob + offset;
}

static const char *text_at(info_reader *reader, size_t offset, size_t limit)
{
    size_t units;
    const uint8_t *text = wide_at(reader, offset, &units);
    if (!text)
        return NULL;
    /* Every unit becomes at least one byte, so that units beyond the limit cannot matter. */
    const char *copy =
        etl_builder_wide(reader->builder, text, units < limit ? units : limit, limit);
    if (!copy)
        reader->status = etl_fail(reader->error, ETL_ERR_NOMEM, "no memory for a name");
    return copy;
}

/* The string that the u32 at `field` points to; NULL where there is none or it is blank. */
static const char *field_text(info_reader *reader, size_t field, size_t limit)
{
    uint32_t offset = etl_load_u32(reader->blob + field);
    const char *text = offset ? text_at(reader, offset, limit) : NULL;
    return text && *text ? text : NULL;
}

/* Names that winmeta.xml predefines come with its prefix. */
static const char *without_prefix(const char *name)
{
    return name && strncmp(name, "win:", 4) == 0 ? name + 4 : name;
}

static const char *field_name(info_reader *reader, size_t field)
{
    return without_prefix(field_text(reader, field, ETL_LIMIT_NAME_BYTES));
}

/* A list of strings that an empty one ends, joined by ", ". */
static const char *keyword_names(info_reader *reader)
{
    size_t offset = etl_load_u32(reader->blob + INFO_KEYWORD_NAMES);
    if (offset == 0)
        return NULL;
    etl_str joined = {0};
    for (int i = 0; i < KEYWORD_NAMES_MAX; i++) {
        size_t units;
        if (!wide_at(reader, offset, &units) || units == 0)
            break;
        const char *name = without_prefix(text_at(reader, offset, ETL_LIMIT_NAME_BYTES));
        if (!name)
            break;
        if (joined.size > 0 && *name)
            etl_str_puts(&joined, ", ");
        etl_str_puts(&joined, name);
        offset += (units + 1) * 2;
    }
    const char *names = NULL;
    if (reader->status == ETL_OK && joined.size > 0) {
        names = joined.failed ? NULL : etl_builder_name(reader->builder, joined.data, joined.size);
        if (!names)
            reader->status = etl_fail(reader->error, ETL_ERR_NOMEM, "no memory for keywords");
    }
    etl_str_free(&joined);
    return names;
}

static void read_property(info_reader *reader, const uint8_t *info, etl_property *ret)
{
    uint32_t flags = etl_load_u32(info);
    uint16_t count = etl_load_u16(info + PROPERTY_COUNT);
    uint16_t length = etl_load_u16(info + PROPERTY_LENGTH);
    ret->name = text_at(reader, etl_load_u32(info + PROPERTY_NAME), ETL_LIMIT_NAME_BYTES);
    ret->count = 1;
    if (flags & TDH_PARAM_COUNT) {
        ret->flags |= ETL_PROPERTY_PARAM_COUNT;
        ret->count = count;
    } else if ((flags & TDH_FIXED_COUNT) || count != 1) {
        /* Arrays of two pointers come without the flag (etl-format 6.3). */
        ret->flags |= ETL_PROPERTY_FIXED_COUNT;
        ret->count = count;
    }
    if (flags & TDH_STRUCT) {
        ret->flags |= ETL_PROPERTY_STRUCT;
        ret->in_type = ETL_IN_STRUCT;
        ret->struct_start = etl_load_u16(info + PROPERTY_IN_TYPE);
        ret->struct_members = etl_load_u16(info + PROPERTY_OUT_TYPE);
        return;
    }
    ret->in_type = etl_load_u16(info + PROPERTY_IN_TYPE);
    ret->out_type = etl_load_u16(info + PROPERTY_OUT_TYPE);
    if (ret->out_type == ETL_OUT_NULL)
        ret->out_type = etl_default_out_type(ret->in_type);
    if (!etl_in_type_is_known(ret->in_type))
        ret->flags |= ETL_PROPERTY_OPAQUE;
    if (flags & TDH_PARAM_LENGTH) {
        ret->flags |= ETL_PROPERTY_PARAM_LENGTH;
        ret->length = length;
    } else if (etl_in_type_has_length(ret->in_type)) {
        /* Other types repeat their own size here. */
        if (flags & TDH_FIXED_LENGTH)
            ret->flags |= ETL_PROPERTY_FIXED_LENGTH;
        ret->length = length;
    }
}

/* Map names are read after the schema proved sound: a reference outlives this call. */
static void read_map_names(info_reader *reader, const etl_event_schema *schema,
                           etl_property *properties, const etl_builder_sink *sink)
{
    for (size_t i = 0; i < schema->property_count && reader->status == ETL_OK; i++) {
        const uint8_t *info = reader->blob + INFO_PROPERTIES + i * PROPERTY_SIZE;
        uint32_t flags = etl_load_u32(info), offset = etl_load_u32(info + PROPERTY_MAP_NAME);
        if (offset == 0 || (flags & (TDH_STRUCT | TDH_CUSTOM_SCHEMA)))
            continue;
        const char *name = text_at(reader, offset, ETL_LIMIT_NAME_BYTES);
        if (name && *name && sink->map_reference)
            reader->status = sink->map_reference(sink->context, &schema->provider, name,
                                                 &properties[i], reader->error);
    }
}

static void read_header(info_reader *reader, uint32_t decoding, etl_event_schema *ret)
{
    const uint8_t *blob = reader->blob;
    bool classic = decoding == DECODING_WBEM;
    etl_guid event_guid = etl_guid_load(blob + INFO_EVENT_GUID);
    *ret = (etl_event_schema){
        .provider = classic && !etl_guid_is_zero(&event_guid) ? event_guid : etl_guid_load(blob),
        .id = classic ? 0 : etl_load_u16(blob + INFO_ID),
        .version = blob[INFO_VERSION],
        .opcode = blob[INFO_OPCODE],
        .level = blob[INFO_LEVEL],
        .channel = blob[INFO_CHANNEL],
        .task = etl_load_u16(blob + INFO_TASK),
        .keyword = etl_load_u64(blob + INFO_KEYWORD),
        .classic = classic,
        .source = ETL_SCHEMA_TRACE,
        .provider_name = field_name(reader, INFO_PROVIDER_NAME),
        .task_name = field_name(reader, INFO_TASK_NAME),
        .opcode_name = field_name(reader, INFO_OPCODE_NAME),
        .level_name = field_name(reader, INFO_LEVEL_NAME),
        .channel_name = field_name(reader, INFO_CHANNEL_NAME),
        .keyword_names = keyword_names(reader),
        .message = field_text(reader, INFO_MESSAGE, MESSAGE_BYTES_MAX),
    };
    if (!ret->level_name)
        ret->level_name = etl_winmeta_level(ret->level);
    if (classic) {
        /* MOF calls the class group a task and the event type an opcode; offset 92 is not a name.
         */
        if (ret->task_name)
            ret->provider_name = ret->task_name;
        ret->event_name = ret->opcode_name;
        return;
    }
    bool failed = false;
    ret->event_name = field_name(reader, INFO_EVENT_NAME);
    if (!ret->event_name)
        ret->event_name = etl_builder_event_name(reader->builder, ret->task_name, ret->opcode,
                                                 ret->opcode_name, &failed);
    if (failed && reader->status == ETL_OK)
        reader->status = etl_fail(reader->error, ETL_ERR_NOMEM, "no memory for an event name");
}

int etl_event_info_parse(etl_builder *builder, const uint8_t *blob, size_t size,
                         const etl_builder_sink *sink, etl_error *error)
{
    if (size < INFO_PROPERTIES)
        return etl_fail(error, ETL_ERR_DAMAGED, "an event schema has %zu bytes, needs %d", size,
                        INFO_PROPERTIES);
    uint32_t decoding = etl_load_u32(blob + INFO_DECODING_SOURCE);
    if (decoding != DECODING_XML && decoding != DECODING_WBEM)
        return ETL_OK;
    uint32_t count = etl_load_u32(blob + INFO_PROPERTY_COUNT);
    uint32_t top_level_count = etl_load_u32(blob + INFO_TOP_LEVEL_COUNT);
    if (count > ETL_LIMIT_PROPERTIES || top_level_count > count)
        return etl_fail(error, ETL_ERR_DAMAGED, "an event schema has %u of %u properties",
                        top_level_count, count);
    if (count > (size - INFO_PROPERTIES) / PROPERTY_SIZE)
        return etl_fail(error, ETL_ERR_DAMAGED, "an event schema of %zu bytes has %u properties",
                        size, count);

    info_reader reader = {.builder = builder, .blob = blob, .size = size, .error = error};
    etl_event_schema header;
    read_header(&reader, decoding, &header);
    if (reader.status < 0)
        return reader.status;
    etl_event_schema *schema = etl_arena_alloc(builder->arena, sizeof *schema);
    etl_property *properties =
        count > 0 ? etl_arena_array(builder->arena, count, sizeof *properties) : NULL;
    if (!schema || (count > 0 && !properties))
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for an event schema");
    for (size_t i = 0; i < count && reader.status == ETL_OK; i++)
        read_property(&reader, blob + INFO_PROPERTIES + i * PROPERTY_SIZE, &properties[i]);
    if (reader.status < 0)
        return reader.status;
    *schema = header;
    schema->property_count = (uint16_t)count;
    schema->top_level_count = (uint16_t)top_level_count;
    schema->properties = properties;
    int r = etl_schema_check(schema, error);
    if (r < 0)
        return r;
    read_map_names(&reader, schema, properties, sink);
    if (reader.status < 0)
        return reader.status;
    if (schema->provider_name && sink->provider) {
        r = sink->provider(sink->context, &schema->provider, schema->provider_name,
                           ETL_NAME_RANK_SCHEMA, error);
        if (r < 0)
            return r;
    }
    return sink->event ? sink->event(sink->context, schema, error) : ETL_OK;
}

/* WBEM maps may key entries by text; only text that is a number can match a value. */
static bool entry_value(info_reader *reader, const uint8_t *entry, bool is_text, uint64_t *ret)
{
    *ret = etl_load_u32(entry + 4);
    if (!is_text)
        return true;
    const char *text = text_at(reader, (size_t)*ret, ETL_LIMIT_NAME_BYTES);
    if (!text)
        return false;
    char *end;
    *ret = (uint32_t)strtoul(text, &end, 0);
    return end != text && *end == 0;
}

int etl_map_info_parse(etl_builder *builder, const uint8_t *blob, size_t size,
                       const etl_builder_sink *sink, etl_error *error)
{
    if (size < sizeof(etl_guid) + MAP_ENTRIES)
        return etl_fail(error, ETL_ERR_DAMAGED, "a value map has %zu bytes", size);
    etl_guid provider = etl_guid_load(blob);
    const uint8_t *info = blob + sizeof(etl_guid);
    info_reader reader = {
        .builder = builder, .blob = info, .size = size - sizeof(etl_guid), .error = error};
    uint32_t flags = etl_load_u32(info + MAP_FLAGS);
    uint32_t value_flags = MAP_FLAG_VALUE | MAP_FLAG_WBEM_VALUE | MAP_FLAG_WBEM_NO_MAP;
    uint32_t bit_flags = MAP_FLAG_BITS | MAP_FLAG_WBEM_BITS | MAP_FLAG_WBEM_FLAG;
    if (!(flags & (value_flags | bit_flags)))
        return ETL_OK;
    uint32_t count = etl_load_u32(info + MAP_ENTRY_COUNT);
    if (count > ETL_LIMIT_MAP_ENTRIES || count > (reader.size - MAP_ENTRIES) / MAP_ENTRY_SIZE)
        return etl_fail(error, ETL_ERR_DAMAGED, "a value map of %zu bytes has %u entries", size,
                        count);
    bool is_text = etl_load_u32(info + MAP_VALUE_TYPE) == MAP_VALUE_STRING;
    const char *name = field_name(&reader, 0);
    if (reader.status < 0)
        return reader.status;
    if (!name)
        return etl_fail(error, ETL_ERR_DAMAGED, "a value map has no name");
    etl_builder_begin_map(builder);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *entry = info + MAP_ENTRIES + i * MAP_ENTRY_SIZE;
        uint64_t value;
        bool usable = entry_value(&reader, entry, is_text, &value);
        const char *text =
            usable ? text_at(&reader, etl_load_u32(entry), ETL_LIMIT_NAME_BYTES) : NULL;
        if (reader.status < 0)
            return reader.status;
        if (!usable)
            continue;
        int r = etl_builder_add_entry(builder, value, text, error);
        if (r < 0)
            return r;
    }
    const etl_map *map;
    int r = etl_builder_finish_map(builder, name, flags & bit_flags ? ETL_MAP_BITS : ETL_MAP_VALUE,
                                   &map, error);
    if (r < 0)
        return r;
    return sink->map ? sink->map(sink->context, &provider, map, error) : ETL_OK;
}
