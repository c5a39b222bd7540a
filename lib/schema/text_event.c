/* Lines "event" and "type": one layout of one event version, all its names resolved. */
#include "schema/text_parser.h"

#include <stdlib.h>

static int take_id(etl_text_parser *parser, etl_text_line *line, const char *what, uint64_t max,
                   uint64_t *ret_id, uint8_t *ret_version)
{
    etl_text_token token;
    int r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    if (r == ETL_END || token.value || !etl_text_number(token.key, max, ret_id))
        return etl_text_bad(parser, "the %s is a number up to %llu", what, (unsigned long long)max);
    r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    uint64_t version;
    if (r == ETL_END || token.value || token.key[0] != 'v' ||
        !etl_text_number(token.key + 1, UINT8_MAX, &version))
        return etl_text_bad(parser, "the version is v0 to v255");
    *ret_version = (uint8_t)version;
    return ETL_OK;
}

static int set_number(etl_text_parser *parser, const etl_text_token *token, uint64_t max,
                      uint64_t *ret_value)
{
    if (!etl_text_number(token->value, max, ret_value))
        return etl_text_bad(parser, "%s is a number up to %llu, not \"%.40s\"", token->key,
                            (unsigned long long)max, token->value);
    return ETL_OK;
}

static int set_text(etl_text_parser *parser, const etl_text_token *token, const char **ret_text)
{
    *ret_text = etl_text_intern(parser, token->value);
    return *ret_text ? ETL_OK : ETL_ERR_NOMEM;
}

/* A number, or a name whose number may be unknown. */
static int set_channel(etl_text_parser *parser, const etl_text_token *token,
                       etl_event_schema *schema)
{
    uint64_t value;
    if (!token->value_quoted && etl_text_number(token->value, UINT8_MAX, &value)) {
        schema->channel = (uint8_t)value;
        schema->channel_name = etl_text_find_name(parser, ETL_TEXT_CHANNEL, 0, (uint32_t)value);
        return ETL_OK;
    }
    uintptr_t known =
        (uintptr_t)etl_hashmap_get(&parser->channels, token->value, strlen(token->value));
    if (known != 0)
        schema->channel = (uint8_t)(known - 1);
    return set_text(parser, token, &schema->channel_name);
}

static int set_template(etl_text_parser *parser, const etl_text_token *token,
                        etl_event_schema *schema)
{
    const etl_builder_layout *layout =
        etl_hashmap_get(&parser->layouts, token->value, strlen(token->value));
    if (!layout)
        return etl_text_bad(parser, "no template \"%.100s\" before this line", token->value);
    schema->properties = layout->properties;
    schema->property_count = layout->property_count;
    schema->top_level_count = layout->top_level_count;
    return ETL_OK;
}

/* An attribute that only one of the two kinds of lines takes. */
typedef int read_attribute_fn(etl_text_parser *parser, const etl_text_token *token,
                              etl_event_schema *schema);

static int read_type_attribute(etl_text_parser *parser, const etl_text_token *token,
                               etl_event_schema *schema)
{
    if (strcmp(token->key, "name") == 0)
        return set_text(parser, token, &schema->event_name);
    return etl_text_bad(parser, "unknown attribute \"%.40s\"", token->key);
}

static int read_event_attribute(etl_text_parser *parser, const etl_text_token *token,
                                etl_event_schema *schema)
{
    const char *key = token->key;
    uint64_t value = 0;
    int r;
    if (strcmp(key, "level") == 0) {
        r = set_number(parser, token, UINT8_MAX, &value);
        schema->level = (uint8_t)value;
        return r;
    }
    if (strcmp(key, "opcode") == 0) {
        r = set_number(parser, token, UINT8_MAX, &value);
        schema->opcode = (uint8_t)value;
        return r;
    }
    if (strcmp(key, "task") == 0) {
        r = set_number(parser, token, UINT16_MAX, &value);
        schema->task = (uint16_t)value;
        return r;
    }
    if (strcmp(key, "keywords") == 0)
        return set_number(parser, token, UINT64_MAX, &schema->keyword);
    if (strcmp(key, "channel") == 0)
        return set_channel(parser, token, schema);
    if (strcmp(key, "sym") == 0)
        return set_text(parser, token, &schema->event_name);
    if (strcmp(key, "opcode-name") == 0)
        return set_text(parser, token, &schema->opcode_name);
    if (strcmp(key, "task-name") == 0)
        return set_text(parser, token, &schema->task_name);
    if (strcmp(key, "keyword-names") == 0)
        return set_text(parser, token, &schema->keyword_names);
    return etl_text_bad(parser, "unknown attribute \"%.40s\"", key);
}

/* Names of all bits that have one, behind those that the line gives itself. */
static int join_keywords(etl_text_parser *parser, etl_event_schema *schema)
{
    etl_str *joined = &parser->joined;
    etl_str_clear(joined);
    if (schema->keyword_names)
        etl_str_puts(joined, schema->keyword_names);
    for (size_t i = 0; i < parser->keyword_count; i++) {
        const etl_text_keyword *keyword = &parser->keywords[i];
        if (keyword->mask == 0 || (schema->keyword & keyword->mask) != keyword->mask)
            continue;
        if (joined->size > 0)
            etl_str_puts(joined, ", ");
        etl_str_puts(joined, keyword->name);
    }
    if (joined->failed)
        return etl_fail(parser->error, ETL_ERR_NOMEM, "no memory");
    if (joined->size == 0)
        return ETL_OK;
    /* Many names: the limit of one does not hold. */
    schema->keyword_names =
        etl_builder_text(&parser->builder, joined->data, joined->size, joined->size);
    return schema->keyword_names ? ETL_OK : etl_fail(parser->error, ETL_ERR_NOMEM, "no memory");
}

static int resolve_names(etl_text_parser *parser, etl_event_schema *schema)
{
    if (!schema->task_name)
        schema->task_name = etl_text_find_name(parser, ETL_TEXT_TASK, 0, schema->task);
    if (!schema->opcode_name)
        schema->opcode_name =
            etl_text_find_name(parser, ETL_TEXT_TASK_OPCODE, schema->task, schema->opcode);
    if (!schema->opcode_name)
        schema->opcode_name = etl_text_find_name(parser, ETL_TEXT_OPCODE, 0, schema->opcode);
    if (!schema->opcode_name)
        schema->opcode_name = etl_winmeta_opcode(schema->opcode);
    schema->level_name = etl_text_find_name(parser, ETL_TEXT_LEVEL, 0, schema->level);
    if (!schema->level_name)
        schema->level_name = etl_winmeta_level(schema->level);
    return join_keywords(parser, schema);
}

static int add_schema(etl_text_parser *parser, const etl_event_schema *schema)
{
    etl_text_provider *provider = parser->provider;
    int r = etl_text_grow(parser, (void **)&provider->schemas, provider->schema_count,
                          &provider->schema_capacity, sizeof *provider->schemas);
    if (r == ETL_OK)
        provider->schemas[provider->schema_count++] = *schema;
    return r;
}

static etl_event_schema new_schema(const etl_text_parser *parser)
{
    return (etl_event_schema){.provider = parser->provider->guid,
                              .classic = parser->classic,
                              .source = ETL_SCHEMA_PACK,
                              .build_first = parser->build_first,
                              .build_last = parser->build_last,
                              .provider_name = parser->provider_name};
}

/* All attributes behind the id and the version: ETL_OK or an error. */
static int read_attributes(etl_text_parser *parser, etl_text_line *line,
                           read_attribute_fn *read_own, etl_event_schema *schema)
{
    etl_text_token token;
    int r;
    while ((r = etl_text_next(line, &parser->scratch, &token, parser->error)) == ETL_OK) {
        if (!token.value)
            return etl_text_bad(parser, "attribute \"%.40s\" has no value", token.key);
        if (strcmp(token.key, "template") == 0)
            r = set_template(parser, &token, schema);
        else if (strcmp(token.key, "builds") == 0)
            r = etl_text_builds(parser, token.value, &schema->build_first, &schema->build_last);
        else
            r = read_own(parser, &token, schema);
        if (r < 0)
            return r;
    }
    return r == ETL_END ? ETL_OK : r;
}

int etl_text_event(etl_text_parser *parser, etl_text_line *line)
{
    if (parser->classic)
        return etl_text_bad(parser, "\"event\" in a class; the lines of a class say \"type\"");
    etl_event_schema schema = new_schema(parser);
    uint64_t id = 0;
    int r = take_id(parser, line, "event id", UINT16_MAX, &id, &schema.version);
    if (r < 0)
        return r;
    schema.id = (uint16_t)id;
    r = read_attributes(parser, line, read_event_attribute, &schema);
    if (r == ETL_OK)
        r = resolve_names(parser, &schema);
    return r < 0 ? r : add_schema(parser, &schema);
}

int etl_text_type(etl_text_parser *parser, etl_text_line *line)
{
    if (!parser->classic)
        return etl_text_bad(parser, "\"type\" outside a class; the lines of a provider say "
                                    "\"event\"");
    etl_event_schema schema = new_schema(parser);
    uint64_t type = 0;
    int r = take_id(parser, line, "type", UINT8_MAX, &type, &schema.version);
    if (r < 0)
        return r;
    schema.opcode = (uint8_t)type;
    r = read_attributes(parser, line, read_type_attribute, &schema);
    if (r < 0)
        return r;
    schema.opcode_name = schema.event_name;
    return add_schema(parser, &schema);
}
