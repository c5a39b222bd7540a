/* JSON text on a stream, indented by two; the caller keeps the order of calls valid. */
#ifndef ETL_CLI_JSON_OUT_H
#define ETL_CLI_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_out {
    FILE *file;
    int depth;
    bool filled; /* the innermost object or array has members */
} json_out;

/* `key` is NULL for members of an array and for the outermost value. */
void json_open(json_out *json, const char *key, char bracket);
void json_close(json_out *json, char bracket);
/* NULL text gives null. Control characters are escaped and bytes that are no UTF-8 replaced. */
void json_text(json_out *json, const char *key, const char *text);
void json_number(json_out *json, const char *key, int64_t number);
void json_unsigned(json_out *json, const char *key, uint64_t number);
void json_bool(json_out *json, const char *key, bool value);

#endif
