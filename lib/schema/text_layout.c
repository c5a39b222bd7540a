/* Bodies: the entries of maps and the fields of templates. */
#include "schema/text_parser.h"

static int no_memory(etl_text_parser *parser)
{
    return etl_fail(parser->error, ETL_ERR_NOMEM, "no memory");
}

/* ---- maps ---- */

static int take_block_name(etl_text_parser *parser, etl_text_line *line, const etl_hashmap *known,
                           const char *what)
{
    etl_text_token token;
    int r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    if (r == ETL_END || token.value || !*token.key)
        return etl_text_bad(parser, "the name of the %s is missing", what);
    if (etl_hashmap_get(known, token.key, strlen(token.key)))
        return etl_text_bad(parser, "the file has a %s \"%.100s\" already", what, token.key);
    parser->block_name = etl_text_intern(parser, token.key);
    parser->block_line = parser->line_number;
    return parser->block_name ? ETL_OK : ETL_ERR_NOMEM;
}

int etl_text_begin_map(etl_text_parser *parser, etl_text_line *line)
{
    int r = take_block_name(parser, line, &parser->maps, "map");
    if (r < 0)
        return r;
    etl_text_token token;
    r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    if (r == ETL_OK && strcmp(token.key, "value") == 0)
        parser->map_kind = ETL_MAP_VALUE;
    else if (r == ETL_OK && strcmp(token.key, "bits") == 0)
        parser->map_kind = ETL_MAP_BITS;
    else
        return etl_text_bad(parser, "the kind of a map is \"value\" or \"bits\"");
    parser->block = ETL_TEXT_MAP;
    etl_builder_begin_map(&parser->builder);
    return ETL_OK;
}

static int read_entry(etl_text_parser *parser, etl_text_line *line)
{
    etl_text_token token;
    int r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    uint64_t value;
    if (token.value || !etl_text_number(token.key, UINT64_MAX, &value))
        return etl_text_bad(parser, "a map entry is VALUE TEXT, not \"%.40s\"", token.key);
    const char *text;
    r = etl_text_rest(line, &parser->scratch, &text, parser->error);
    if (r < 0)
        return r;
    text = etl_text_intern(parser, text);
    return etl_builder_add_entry(&parser->builder, value, text, parser->error);
}

static int finish_map(etl_text_parser *parser)
{
    const etl_map *map;
    int r = etl_builder_finish_map(&parser->builder, parser->block_name, parser->map_kind, &map,
                                   parser->error);
    if (r < 0)
        return r;
    if (etl_hashmap_put(&parser->maps, map->name, strlen(map->name), (void *)(uintptr_t)map) < 0)
        return no_memory(parser);
    return ETL_OK;
}

/* ---- templates ---- */

int etl_text_begin_template(etl_text_parser *parser, etl_text_line *line)
{
    int r = take_block_name(parser, line, &parser->layouts, "template");
    if (r < 0)
        return r;
    parser->block = ETL_TEXT_TEMPLATE;
    parser->parent = ETL_BUILDER_NO_PARENT;
    etl_builder_begin_layout(&parser->builder);
    return ETL_OK;
}

/* The nearest field of that name before this one, in the same struct or around it. */
static bool find_field(const etl_text_parser *parser, const char *name, uint16_t *ret_index)
{
    const etl_builder *builder = &parser->builder;
    for (uint16_t scope = parser->parent;; scope = builder->nodes[scope].parent) {
        for (size_t i = builder->node_count - 1; i-- > 0;) {
            if (builder->nodes[i].parent == scope &&
                strcmp(builder->nodes[i].property.name, name) == 0) {
                *ret_index = (uint16_t)i;
                return true;
            }
        }
        if (scope == ETL_BUILDER_NO_PARENT)
            return false;
    }
}

/* A number, or the name of a field before. A quoted number is a name. */
static int read_size(etl_text_parser *parser, const etl_text_token *token, uint16_t *ret_value,
                     bool *ret_is_reference)
{
    uint64_t number;
    *ret_is_reference = false;
    if (!token->value_quoted && token->value[0] >= '0' && token->value[0] <= '9') {
        if (!etl_text_number(token->value, UINT16_MAX, &number) || number == 0)
            return etl_text_bad(parser, "%s is 1 to %d or the name of a field", token->key,
                                UINT16_MAX);
        *ret_value = (uint16_t)number;
        return ETL_OK;
    }
    *ret_is_reference = true;
    if (!find_field(parser, token->value, ret_value))
        return etl_text_bad(parser, "%s names no field before this one: \"%.100s\"", token->key,
                            token->value);
    return ETL_OK;
}

static int read_flag(etl_text_parser *parser, const char *word, etl_property *property)
{
    if (strcmp(word, "rest") == 0)
        property->flags |= ETL_PROPERTY_REST;
    else if (strcmp(word, "optional") == 0)
        property->flags |= ETL_PROPERTY_OPTIONAL;
    else if (strcmp(word, "only64") == 0)
        property->flags |= ETL_PROPERTY_ONLY64;
    else if (strcmp(word, "guess") != 0) /* for the reader of the file; nothing depends on it */
        return etl_text_bad(parser, "unknown attribute \"%.40s\"", word);
    return ETL_OK;
}

static int read_attribute(etl_text_parser *parser, const etl_text_token *token,
                          etl_property *property)
{
    bool is_reference;
    int r;
    if (!token->value)
        return read_flag(parser, token->key, property);
    if (strcmp(token->key, "len") == 0) {
        r = read_size(parser, token, &property->length, &is_reference);
        property->flags |= is_reference ? ETL_PROPERTY_PARAM_LENGTH : ETL_PROPERTY_FIXED_LENGTH;
        return r;
    }
    if (strcmp(token->key, "cnt") == 0) {
        r = read_size(parser, token, &property->count, &is_reference);
        property->flags |= is_reference ? ETL_PROPERTY_PARAM_COUNT : ETL_PROPERTY_FIXED_COUNT;
        return r;
    }
    if (strcmp(token->key, "out") == 0) {
        property->out_type = etl_out_type_by_name(token->value);
        if (!property->out_type)
            return etl_text_bad(parser, "unknown out-type \"%.40s\"", token->value);
        return ETL_OK;
    }
    if (strcmp(token->key, "map") == 0) {
        property->map = etl_hashmap_get(&parser->maps, token->value, strlen(token->value));
        if (!property->map)
            return etl_text_bad(parser, "no map \"%.100s\" before this line", token->value);
        return ETL_OK;
    }
    return etl_text_bad(parser, "unknown attribute \"%.40s\"", token->key);
}

static int read_type_name(etl_text_parser *parser, const char *name, etl_property *property)
{
    if (strcmp(name, "struct") == 0) {
        property->flags |= ETL_PROPERTY_STRUCT;
        property->in_type = ETL_IN_STRUCT;
    } else if (strcmp(name, "opaque") == 0) {
        property->flags |= ETL_PROPERTY_OPAQUE;
        property->in_type = ETL_IN_BINARY;
    } else if ((property->in_type = etl_in_type_by_name(name)) == 0) {
        return etl_text_bad(parser, "unknown type \"%.40s\"", name);
    }
    return ETL_OK;
}

static int close_struct(etl_text_parser *parser)
{
    if (parser->parent == ETL_BUILDER_NO_PARENT)
        return etl_text_bad(parser, "\"}\" without a struct");
    if (parser->builder.node_count == (size_t)parser->parent + 1)
        return etl_text_bad(parser, "a struct without fields");
    parser->parent = parser->builder.nodes[parser->parent].parent;
    return ETL_OK;
}

static int read_field(etl_text_parser *parser, etl_text_line *line)
{
    etl_text_token token;
    etl_builder_node *node;
    int r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    if (strcmp(token.key, "}") == 0)
        return close_struct(parser);
    if (token.value || !*token.key)
        return etl_text_bad(parser, "a field is NAME TYPE, then attributes");
    r = etl_builder_add_property(&parser->builder, parser->parent,
                                 etl_text_intern(parser, token.key), &node, parser->error);
    if (r < 0)
        return r;
    r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    if (r == ETL_END || token.value)
        return etl_text_bad(parser, "field %.100s has no type", node->property.name);
    r = read_type_name(parser, token.key, &node->property);
    bool is_struct = node->property.flags & ETL_PROPERTY_STRUCT, opened = false;
    while (r == ETL_OK) {
        r = etl_text_next(line, &parser->scratch, &token, parser->error);
        if (r != ETL_OK)
            break;
        if (opened)
            return etl_text_bad(parser, "\"{\" ends the line of a struct");
        if (is_struct && strcmp(token.key, "{") == 0)
            opened = true;
        else
            r = read_attribute(parser, &token, &node->property);
    }
    if (r < 0)
        return r;
    if (is_struct && !opened)
        return etl_text_bad(parser, "the line of a struct ends with \"{\"");
    if (is_struct)
        parser->parent = (uint16_t)(parser->builder.node_count - 1);
    return ETL_OK;
}

static int finish_template(etl_text_parser *parser)
{
    if (parser->parent != ETL_BUILDER_NO_PARENT)
        return etl_text_bad(parser, "a struct of template %.100s is not closed",
                            parser->block_name);
    etl_builder_layout *layout = etl_arena_alloc(parser->builder.arena, sizeof *layout);
    if (!layout)
        return no_memory(parser);
    int r = etl_builder_finish_layout(&parser->builder, layout, parser->error);
    if (r < 0)
        return r;
    if (etl_hashmap_put(&parser->layouts, parser->block_name, strlen(parser->block_name), layout) <
        0)
        return no_memory(parser);
    return ETL_OK;
}

/* ---- blocks ---- */

int etl_text_body(etl_text_parser *parser, etl_text_line *line)
{
    return parser->block == ETL_TEXT_MAP ? read_entry(parser, line) : read_field(parser, line);
}

int etl_text_finish_block(etl_text_parser *parser)
{
    etl_text_block block = parser->block;
    parser->block = ETL_TEXT_NO_BLOCK;
    return block == ETL_TEXT_MAP ? finish_map(parser) : finish_template(parser);
}
