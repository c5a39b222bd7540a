/* text_parser: what the files of the text reader share. Nothing else includes it. */
#ifndef ETL_SCHEMA_TEXT_PARSER_H
#define ETL_SCHEMA_TEXT_PARSER_H

#include "schema/builder.h"
#include "schema/text_model.h"

typedef enum etl_text_block { ETL_TEXT_NO_BLOCK, ETL_TEXT_MAP, ETL_TEXT_TEMPLATE } etl_text_block;

typedef enum etl_text_name_kind {
    ETL_TEXT_TASK,
    ETL_TEXT_OPCODE,      /* of any task */
    ETL_TEXT_TASK_OPCODE, /* of one task */
    ETL_TEXT_LEVEL,
    ETL_TEXT_CHANNEL
} etl_text_name_kind;

typedef struct etl_text_keyword {
    uint64_t mask;
    const char *name;
} etl_text_keyword;

/* State of one file. Templates and maps are known from their line to the end of the file, the names
   of tasks and so on from theirs to the next provider. */
typedef struct etl_text_parser {
    etl_text_set *set;
    etl_error *error;
    size_t line_number;
    etl_builder builder;
    etl_str scratch;
    etl_str joined;
    etl_hashmap layouts; /* template name to etl_builder_layout */
    etl_hashmap maps;    /* map name to etl_map */

    etl_text_block block;
    size_t block_line;
    const char *block_name;
    etl_map_kind map_kind;
    uint16_t parent; /* the open struct, or ETL_BUILDER_NO_PARENT */

    etl_text_provider *provider; /* NULL before the first; lives until the next is added */
    const char *provider_name;
    bool classic;
    uint16_t build_first;
    uint16_t build_last;
    etl_hashmap names;    /* see etl_text_find_name */
    etl_hashmap channels; /* name to value + 1 */
    etl_text_keyword *keywords;
    size_t keyword_count;
    size_t keyword_capacity;
} etl_text_parser;

/* All return ETL_OK or an error whose message lacks file and line. */

int etl_text_bad(etl_text_parser *parser, const char *format, ...) ETL_PRINTF(2, 3);
/* One copy of `text`; NULL and an error without memory. */
const char *etl_text_intern(etl_text_parser *parser, const char *text);
/* Text of a task, opcode … of the current provider, or NULL. */
const char *etl_text_find_name(const etl_text_parser *parser, etl_text_name_kind kind,
                               uint16_t task, uint32_t value);
/* "10240-19041", "10240", or "-" for unknown. */
int etl_text_builds(etl_text_parser *parser, const char *text, uint16_t *ret_first,
                    uint16_t *ret_last);
/* Room for one more of `size` bytes each. */
int etl_text_grow(etl_text_parser *parser, void **items, size_t count, size_t *capacity,
                  size_t size);

/* text_layout.c: maps and templates */
int etl_text_begin_map(etl_text_parser *parser, etl_text_line *line);
int etl_text_begin_template(etl_text_parser *parser, etl_text_line *line);
int etl_text_body(etl_text_parser *parser, etl_text_line *line);
int etl_text_finish_block(etl_text_parser *parser);

/* text_event.c: one layout of one event version */
int etl_text_event(etl_text_parser *parser, etl_text_line *line);
int etl_text_type(etl_text_parser *parser, etl_text_line *line);

#endif
