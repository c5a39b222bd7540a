#include "cli/json_out.h"

#include "cli/terminal.h"

static void begin_member(json_out *json, const char *key)
{
    if (json->filled)
        fputc(',', json->file);
    if (json->depth > 0)
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    if (key)
        fprintf(json->file, "\"%s\": ", key);
    json->filled = true;
}

void json_open(json_out *json, const char *key, char bracket)
{
    begin_member(json, key);
    fputc(bracket, json->file);
    json->depth++;
    json->filled = false;
}

void json_close(json_out *json, char bracket)
{
    json->depth--;
    if (json->filled)
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->file);
    json->filled = true;
}

void json_text(json_out *json, const char *key, const char *text)
{
    begin_member(json, key);
    if (!text) {
        fputs("null", json->file);
        return;
    }
    fputc('"', json->file);
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        uint32_t code = 0;
        int length = cli_decode_utf8(p, &code);
        if (length == 0)
            fputs("\xEF\xBF\xBD", json->file);
        else if (code == '"' || code == '\\')
            fprintf(json->file, "\\%c", (int)code);
        else if (cli_is_harmful(code))
            fprintf(json->file, "\\u%04x", (unsigned)code);
        else
            fwrite(p, 1, (size_t)length, json->file);
        p += length ? length : 1;
    }
    fputc('"', json->file);
}

void json_number(json_out *json, const char *key, int64_t number)
{
    begin_member(json, key);
    fprintf(json->file, "%lld", (long long)number);
}

void json_unsigned(json_out *json, const char *key, uint64_t number)
{
    begin_member(json, key);
    fprintf(json->file, "%llu", (unsigned long long)number);
}

void json_bool(json_out *json, const char *key, bool value)
{
    begin_member(json, key);
    fputs(value ? "true" : "false", json->file);
}
