/* Reader of schemas/: lines that say who a provider is and what its numbers are called. Maps and
   templates are in text_layout.c, events in text_event.c. */
#include "schema/text_parser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { FILE_BYTES_MAX = 64 << 20 };

/* ---- shared ---- */

int etl_text_bad(etl_text_parser *parser, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return etl_fail(parser->error, ETL_ERR_DAMAGED, "%s", text);
}

static int no_memory(etl_text_parser *parser)
{
    return etl_fail(parser->error, ETL_ERR_NOMEM, "no memory");
}

const char *etl_text_intern(etl_text_parser *parser, const char *text)
{
    const char *copy = etl_builder_name(&parser->builder, text, strlen(text));
    if (!copy)
        no_memory(parser);
    return copy;
}

int etl_text_grow(etl_text_parser *parser, void **items, size_t count, size_t *capacity,
                  size_t size)
{
    if (count < *capacity)
        return ETL_OK;
    size_t wanted = *capacity ? *capacity * 2 : 16;
    void *grown = realloc(*items, wanted * size);
    if (!grown)
        return no_memory(parser);
    *items = grown;
    *capacity = wanted;
    return ETL_OK;
}

typedef struct name_key {
    uint16_t kind;
    uint16_t task;
    uint32_t value;
} name_key;

const char *etl_text_find_name(const etl_text_parser *parser, etl_text_name_kind kind,
                               uint16_t task, uint32_t value)
{
    name_key key = {(uint16_t)kind, task, value};
    return etl_hashmap_get(&parser->names, &key, sizeof key);
}

int etl_text_builds(etl_text_parser *parser, const char *text, uint16_t *ret_first,
                    uint16_t *ret_last)
{
    *ret_first = *ret_last = 0;
    if (strcmp(text, "-") == 0)
        return ETL_OK;
    char first[16];
    const char *dash = strchr(text, '-');
    size_t length = dash ? (size_t)(dash - text) : strlen(text);
    uint64_t low, high;
    if (length >= sizeof first)
        return etl_text_bad(parser, "builds are FIRST-LAST, not \"%.40s\"", text);
    memcpy(first, text, length);
    first[length] = 0;
    if (!etl_text_number(first, UINT16_MAX, &low) ||
        !etl_text_number(dash ? dash + 1 : first, UINT16_MAX, &high) || low > high)
        return etl_text_bad(parser, "builds are FIRST-LAST, not \"%.40s\"", text);
    *ret_first = (uint16_t)low;
    *ret_last = (uint16_t)high;
    return ETL_OK;
}

/* ---- parts of a line ---- */

static int take_word(etl_text_parser *parser, etl_text_line *line, const char *what,
                     const char **ret_text)
{
    etl_text_token token;
    *ret_text = "";
    int r = etl_text_next(line, &parser->scratch, &token, parser->error);
    if (r < 0)
        return r;
    if (r == ETL_END || token.value)
        return etl_text_bad(parser, "%s is missing", what);
    *ret_text = token.key;
    return ETL_OK;
}

static int take_number(etl_text_parser *parser, etl_text_line *line, const char *what, uint64_t max,
                       uint64_t *ret_value)
{
    const char *text;
    *ret_value = 0;
    int r = take_word(parser, line, what, &text);
    if (r < 0)
        return r;
    if (!etl_text_number(text, max, ret_value))
        return etl_text_bad(parser, "%s is no number up to %llu: \"%.40s\"", what,
                            (unsigned long long)max, text);
    return ETL_OK;
}

/* With `may_lack`, "-" stands for an unknown GUID, which is zero. */
static int take_guid(etl_text_parser *parser, etl_text_line *line, bool may_lack,
                     etl_guid *ret_guid)
{
    const char *text;
    int r = take_word(parser, line, "the GUID", &text);
    if (r < 0)
        return r;
    *ret_guid = (etl_guid){{0}};
    if (may_lack && strcmp(text, "-") == 0)
        return ETL_OK;
    if (!etl_guid_parse(text, ret_guid))
        return etl_text_bad(parser, "not a GUID: \"%.40s\"", text);
    return ETL_OK;
}

/* The rest of the line; "" when there is none. */
static int take_rest(etl_text_parser *parser, etl_text_line *line, bool needed, const char **ret)
{
    const char *text;
    *ret = "";
    int r = etl_text_rest(line, &parser->scratch, &text, parser->error);
    if (r < 0)
        return r;
    if (needed && !*text)
        return etl_text_bad(parser, "the name is missing");
    *ret = etl_text_intern(parser, text);
    return *ret ? ETL_OK : ETL_ERR_NOMEM;
}

/* ---- providers and classes ---- */

static int find_provider(etl_text_parser *parser, const etl_guid *guid, etl_text_provider **ret)
{
    etl_text_set *set = parser->set;
    uintptr_t at = (uintptr_t)etl_hashmap_get(&set->by_guid, guid, sizeof *guid);
    if (at == 0) {
        int r = etl_text_grow(parser, (void **)&set->providers, set->provider_count,
                              &set->provider_capacity, sizeof *set->providers);
        if (r < 0)
            return r;
        at = set->provider_count + 1;
        if (etl_hashmap_put(&set->by_guid, guid, sizeof *guid, (void *)at) < 0)
            return no_memory(parser);
        set->providers[set->provider_count++] = (etl_text_provider){.guid = *guid};
    }
    *ret = &set->providers[at - 1];
    return ETL_OK;
}

static int read_provider(etl_text_parser *parser, etl_text_line *line, bool classic)
{
    etl_guid guid;
    const char *name = "";
    int r = take_guid(parser, line, false, &guid);
    if (r < 0)
        return r;
    /* A few providers are known by their GUID only; a class always has its group. */
    r = take_rest(parser, line, classic, &name);
    if (r < 0)
        return r;
    r = find_provider(parser, &guid, &parser->provider);
    if (r < 0)
        return r;
    parser->provider_name = *name ? name : NULL;
    if (!parser->provider->name)
        parser->provider->name = parser->provider_name;
    parser->classic = classic;
    parser->build_first = parser->build_last = 0;
    parser->keyword_count = 0;
    etl_hashmap_free(&parser->names);
    parser->names = (etl_hashmap){0};
    etl_hashmap_free(&parser->channels);
    parser->channels = (etl_hashmap){0};
    return ETL_OK;
}

static int read_default_builds(etl_text_parser *parser, etl_text_line *line)
{
    const char *text;
    int r = take_word(parser, line, "the range of builds", &text);
    return r < 0 ? r : etl_text_builds(parser, text, &parser->build_first, &parser->build_last);
}

static int add_name_of(etl_text_parser *parser, const etl_guid *guid, const char *name)
{
    etl_text_set *set = parser->set;
    int r = etl_text_grow(parser, (void **)&set->names, set->name_count, &set->name_capacity,
                          sizeof *set->names);
    if (r == ETL_OK)
        set->names[set->name_count++] = (etl_text_name){*guid, name};
    return r;
}

static int read_aka(etl_text_parser *parser, etl_text_line *line)
{
    const char *name = "";
    int r = take_rest(parser, line, true, &name);
    return r < 0 ? r : add_name_of(parser, &parser->provider->guid, name);
}

/* ---- names of values ---- */

static int put_name(etl_text_parser *parser, etl_text_name_kind kind, uint16_t task, uint32_t value,
                    const char *name)
{
    name_key key = {(uint16_t)kind, task, value};
    if (etl_hashmap_get(&parser->names, &key, sizeof key))
        return etl_text_bad(parser, "%u has a name already", value);
    if (etl_hashmap_put(&parser->names, &key, sizeof key, (void *)(uintptr_t)name) < 0)
        return no_memory(parser);
    return ETL_OK;
}

static int read_value_name(etl_text_parser *parser, etl_text_line *line, etl_text_name_kind kind,
                           uint16_t max)
{
    uint64_t value;
    const char *name = "";
    int r = take_number(parser, line, "the value", max, &value);
    if (r == ETL_OK)
        r = take_rest(parser, line, true, &name);
    if (r == ETL_OK)
        r = put_name(parser, kind, 0, (uint32_t)value, name);
    if (r == ETL_OK && kind == ETL_TEXT_CHANNEL &&
        etl_hashmap_put(&parser->channels, name, strlen(name), (void *)(uintptr_t)(value + 1)) < 0)
        r = no_memory(parser);
    return r;
}

/* "value" for all tasks or "task:value". */
static int read_opcode(etl_text_parser *parser, etl_text_line *line)
{
    const char *text;
    int r = take_word(parser, line, "the value", &text);
    if (r < 0)
        return r;
    char task_text[16] = "";
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : 0;
    uint64_t task = 0, value;
    if (colon && length < sizeof task_text)
        memcpy(task_text, text, length);
    if ((colon && !etl_text_number(task_text, UINT16_MAX, &task)) ||
        !etl_text_number(colon ? colon + 1 : text, UINT8_MAX, &value))
        return etl_text_bad(parser, "an opcode is VALUE or TASK:VALUE, not \"%.40s\"", text);
    const char *name = "";
    r = take_rest(parser, line, true, &name);
    if (r < 0)
        return r;
    return put_name(parser, colon ? ETL_TEXT_TASK_OPCODE : ETL_TEXT_OPCODE, (uint16_t)task,
                    (uint32_t)value, name);
}

static int read_keyword(etl_text_parser *parser, etl_text_line *line)
{
    uint64_t mask;
    const char *name = "";
    int r = take_number(parser, line, "the mask", UINT64_MAX, &mask);
    if (r == ETL_OK)
        r = take_rest(parser, line, true, &name);
    if (r == ETL_OK)
        r = etl_text_grow(parser, (void **)&parser->keywords, parser->keyword_count,
                          &parser->keyword_capacity, sizeof *parser->keywords);
    if (r == ETL_OK)
        parser->keywords[parser->keyword_count++] = (etl_text_keyword){mask, name};
    return r;
}

/* ---- schemas/names ---- */

static int read_name(etl_text_parser *parser, etl_text_line *line)
{
    etl_guid guid;
    const char *text = "";
    int r = take_guid(parser, line, false, &guid);
    if (r == ETL_OK)
        r = take_word(parser, line, "the kind", &text);
    if (r == ETL_OK)
        r = take_rest(parser, line, true, &text);
    return r < 0 ? r : add_name_of(parser, &guid, text);
}

static int read_hook(etl_text_parser *parser, etl_text_line *line)
{
    etl_text_set *set = parser->set;
    etl_pack_hook hook = {0};
    uint64_t group, type;
    const char *text;
    int r = take_number(parser, line, "the group", UINT8_MAX, &group);
    if (r == ETL_OK)
        r = take_number(parser, line, "the type", UINT8_MAX, &type);
    if (r == ETL_OK)
        r = take_guid(parser, line, true, &hook.class_guid);
    if (r == ETL_OK)
        r = take_word(parser, line, "the group name", &text);
    if (r < 0)
        return r;
    hook.group = (uint8_t)group;
    hook.type = (uint8_t)type;
    hook.group_name = etl_text_intern(parser, text);
    if (!hook.group_name)
        return ETL_ERR_NOMEM;
    r = take_rest(parser, line, true, &hook.name);
    if (r == ETL_OK)
        r = etl_text_grow(parser, (void **)&set->hooks, set->hook_count, &set->hook_capacity,
                          sizeof *set->hooks);
    if (r == ETL_OK)
        set->hooks[set->hook_count++] = hook;
    return r;
}

/* ---- lines ---- */

static int read_in_provider(etl_text_parser *parser, const char *word, etl_text_line *line)
{
    bool known =
        strcmp(word, "event") == 0 || strcmp(word, "type") == 0 || strcmp(word, "aka") == 0 ||
        strcmp(word, "builds") == 0 || strcmp(word, "keyword") == 0 || strcmp(word, "task") == 0 ||
        strcmp(word, "opcode") == 0 || strcmp(word, "level") == 0 || strcmp(word, "channel") == 0;
    if (!known)
        return etl_text_bad(parser, "unknown word at the begin of a line: \"%.40s\"", word);
    if (!parser->provider)
        return etl_text_bad(parser, "\"%s\" before the first provider or class", word);
    switch (word[0]) {
    case 'a': return read_aka(parser, line);
    case 'b': return read_default_builds(parser, line);
    case 'c': return read_value_name(parser, line, ETL_TEXT_CHANNEL, UINT8_MAX);
    case 'e': return etl_text_event(parser, line);
    case 'k': return read_keyword(parser, line);
    case 'l': return read_value_name(parser, line, ETL_TEXT_LEVEL, UINT8_MAX);
    case 'o': return read_opcode(parser, line);
    default: break;
    }
    if (word[1] == 'y')
        return etl_text_type(parser, line);
    return read_value_name(parser, line, ETL_TEXT_TASK, UINT16_MAX);
}

static int read_line(etl_text_parser *parser, etl_text_line *line)
{
    const char *text;
    int r = take_word(parser, line, "the first word", &text);
    if (r < 0)
        return r;
    char word[16];
    snprintf(word, sizeof word, "%s", text);
    if (strcmp(word, "provider") == 0)
        return read_provider(parser, line, false);
    if (strcmp(word, "class") == 0)
        return read_provider(parser, line, true);
    if (strcmp(word, "map") == 0)
        return etl_text_begin_map(parser, line);
    if (strcmp(word, "template") == 0)
        return etl_text_begin_template(parser, line);
    if (strcmp(word, "name") == 0)
        return read_name(parser, line);
    if (strcmp(word, "hook") == 0)
        return read_hook(parser, line);
    return read_in_provider(parser, word, line);
}

static int dispatch(etl_text_parser *parser, etl_text_line line)
{
    const char *first = line.position;
    while (first < line.end && (*first == ' ' || *first == '\t'))
        first++;
    if (first == line.end || *first == '#')
        return ETL_OK;
    if (!etl_utf8_valid((const uint8_t *)first, (size_t)(line.end - first)))
        return etl_text_bad(parser, "not UTF-8");
    if (memchr(first, 0, (size_t)(line.end - first)))
        return etl_text_bad(parser, "a NUL byte");
    if (first > line.position) {
        if (parser->block == ETL_TEXT_NO_BLOCK)
            return etl_text_bad(parser, "an indented line outside a map or template");
        return etl_text_body(parser, &line);
    }
    return read_line(parser, &line);
}

static int read_lines(etl_text_parser *parser, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *next = newline ? newline : end;
        etl_text_line line = {text, next};
        if (line.end > line.position && line.end[-1] == '\r')
            line.end--;
        size_t number = ++parser->line_number;
        bool ends_block = line.position < line.end && *line.position != ' ' &&
                          *line.position != '\t' && *line.position != '#';
        if (ends_block && parser->block != ETL_TEXT_NO_BLOCK) {
            parser->line_number = parser->block_line;
            int r = etl_text_finish_block(parser);
            if (r < 0)
                return r;
            parser->line_number = number;
        }
        int r = dispatch(parser, line);
        if (r < 0)
            return r;
        text = newline ? newline + 1 : end;
    }
    if (parser->block == ETL_TEXT_NO_BLOCK)
        return ETL_OK;
    parser->line_number = parser->block_line;
    return etl_text_finish_block(parser);
}

int etl_text_read(etl_text_set *set, const char *file_name, const char *text, size_t size,
                  etl_error *error)
{
    etl_error inner = {0};
    etl_text_parser parser = {.set = set, .error = &inner, .parent = ETL_BUILDER_NO_PARENT};
    etl_builder_init(&parser.builder, &set->arena, &set->strings);
    int r = read_lines(&parser, text, size);
    etl_builder_free(&parser.builder);
    etl_str_free(&parser.scratch);
    etl_str_free(&parser.joined);
    etl_hashmap_free(&parser.layouts);
    etl_hashmap_free(&parser.maps);
    etl_hashmap_free(&parser.names);
    etl_hashmap_free(&parser.channels);
    free(parser.keywords);
    if (r < 0)
        return etl_fail(error, r, "%s:%zu: %s", file_name, parser.line_number, inner.message);
    return ETL_OK;
}

int etl_text_read_file(etl_text_set *set, const char *path, etl_error *error)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return etl_fail_errno(error, ETL_ERR_IO, errno, "cannot open %s", path);
    etl_str text = {0};
    size_t got = 1;
    while (got > 0 && text.size <= FILE_BYTES_MAX) {
        char *room = etl_str_reserve(&text, 1 << 16);
        if (!room)
            break;
        got = fread(room, 1, 1 << 16, file);
        text.size += got;
    }
    int r = ETL_OK;
    if (ferror(file))
        r = etl_fail_errno(error, ETL_ERR_IO, errno, "cannot read %s", path);
    else if (text.failed)
        r = etl_fail(error, ETL_ERR_NOMEM, "no memory for %s", path);
    else if (text.size > FILE_BYTES_MAX)
        r = etl_fail(error, ETL_ERR_LIMIT, "%s is larger than %d bytes", path, FILE_BYTES_MAX);
    fclose(file);
    if (r == ETL_OK)
        r = etl_text_read(set, path, text.data, text.size, error);
    etl_str_free(&text);
    return r;
}

void etl_text_set_free(etl_text_set *set)
{
    for (size_t i = 0; i < set->provider_count; i++)
        free(set->providers[i].schemas);
    free(set->providers);
    free(set->names);
    free(set->hooks);
    etl_hashmap_free(&set->by_guid);
    etl_hashmap_free(&set->strings);
    etl_arena_free(&set->arena);
    *set = (etl_text_set){0};
}
