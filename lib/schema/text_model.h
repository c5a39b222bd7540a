/* text_model: schemas/ in memory. The text reader fills it file by file (schemas/README.md has the
   format), the pack writer turns it into a pack. Only the build uses both. */
#ifndef ETL_SCHEMA_TEXT_MODEL_H
#define ETL_SCHEMA_TEXT_MODEL_H

#include "schema/pack.h"

/* What all files say about one GUID, in the order of reading. */
typedef struct etl_text_provider {
    etl_guid guid;
    const char *name; /* or NULL */
    etl_event_schema *schemas;
    size_t schema_count;
    size_t schema_capacity;
} etl_text_provider;

typedef struct etl_text_name {
    etl_guid guid;
    const char *name;
} etl_text_name;

/* All text and layouts live in the arena. Start with {0}. */
typedef struct etl_text_set {
    etl_arena arena;
    etl_hashmap strings; /* each text once */
    etl_hashmap by_guid; /* GUID to index + 1 of providers */
    etl_text_provider *providers;
    size_t provider_count;
    size_t provider_capacity;
    etl_text_name *names; /* of one GUID, the first is the best */
    size_t name_count;
    size_t name_capacity;
    etl_pack_hook *hooks;
    size_t hook_count;
    size_t hook_capacity;
} etl_text_set;

/* Adds the content of one file. `file_name` stands in messages: "file:line: what is wrong". After a
   failure the set is only good for etl_text_set_free. */
int etl_text_read(etl_text_set *set, const char *file_name, const char *text, size_t size,
                  etl_error *error);
int etl_text_read_file(etl_text_set *set, const char *path, etl_error *error);
void etl_text_set_free(etl_text_set *set);

/* The bytes of a pack; the same set always gives the same bytes. */
int etl_pack_write(const etl_text_set *set, etl_str *ret_bytes, etl_error *error);

/* ---- text_lexer.c ---- */

typedef struct etl_text_line {
    const char *position;
    const char *end;
} etl_text_line;

/* One word of a line: `key` alone, or `key=value`. Quotes are gone and escapes are resolved; both
   are NUL-terminated and live until the next call. */
typedef struct etl_text_token {
    const char *key;
    const char *value; /* NULL without '=' */
    bool value_quoted;
} etl_text_token;

/* ETL_OK, ETL_END at the end of the line, ETL_ERR_DAMAGED with a message that lacks file and line,
   or ETL_ERR_NOMEM. */
int etl_text_next(etl_text_line *line, etl_str *scratch, etl_text_token *ret_token,
                  etl_error *error);
/* The rest of the line without blanks around it, escapes resolved; valid until the next call. */
int etl_text_rest(etl_text_line *line, etl_str *scratch, const char **ret_text, etl_error *error);
/* Decimal or 0x hexadecimal, nothing behind it, at most `max`. */
bool etl_text_number(const char *text, uint64_t max, uint64_t *ret_value);

#endif
