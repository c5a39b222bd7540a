/* Words of the line format: blank-separated, quoted where they hold blanks. */
#include "schema/text_model.h"

#include <errno.h>
#include <stdlib.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(etl_text_line *line)
{
    while (line->position < line->end && is_blank(*line->position))
        line->position++;
}

/* The byte that a backslash and `c` stand for, or 0. */
static char escaped(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '\\':
    case '"': return c;
    default: return 0;
    }
}

static int add_escape(etl_text_line *line, etl_str *scratch, etl_error *error)
{
    line->position++;
    char c = line->position < line->end ? escaped(*line->position) : 0;
    if (!c)
        return etl_fail(error, ETL_ERR_DAMAGED, "unknown escape; known are \\n \\r \\t \\\\ \\\"");
    line->position++;
    etl_str_add(scratch, &c, 1);
    return ETL_OK;
}

static int add_quoted(etl_text_line *line, etl_str *scratch, etl_error *error)
{
    line->position++;
    while (line->position < line->end && *line->position != '"') {
        if (*line->position == '\\') {
            int r = add_escape(line, scratch, error);
            if (r < 0)
                return r;
            continue;
        }
        etl_str_add(scratch, line->position++, 1);
    }
    if (line->position == line->end)
        return etl_fail(error, ETL_ERR_DAMAGED, "a quote is not closed");
    line->position++;
    if (line->position < line->end && !is_blank(*line->position) && *line->position != '=')
        return etl_fail(error, ETL_ERR_DAMAGED, "text right behind a closing quote");
    return ETL_OK;
}

/* A word up to a blank, for keys also up to the first '='. */
static int add_word(etl_text_line *line, etl_str *scratch, bool is_key, etl_error *error)
{
    if (line->position < line->end && *line->position == '"')
        return add_quoted(line, scratch, error);
    const char *begin = line->position;
    while (line->position < line->end && !is_blank(*line->position) &&
           !(is_key && *line->position == '=')) {
        if (*line->position == '"')
            return etl_fail(error, ETL_ERR_DAMAGED, "a quote inside a word");
        line->position++;
    }
    etl_str_add(scratch, begin, (size_t)(line->position - begin));
    return ETL_OK;
}

int etl_text_next(etl_text_line *line, etl_str *scratch, etl_text_token *ret_token,
                  etl_error *error)
{
    *ret_token = (etl_text_token){0};
    skip_blanks(line);
    if (line->position == line->end)
        return ETL_END;
    etl_str_clear(scratch);
    int r = add_word(line, scratch, true, error);
    if (r < 0)
        return r;
    size_t value_at = 0;
    if (line->position < line->end && *line->position == '=') {
        line->position++;
        etl_str_add(scratch, "", 1);
        value_at = scratch->size;
        ret_token->value_quoted = line->position < line->end && *line->position == '"';
        r = add_word(line, scratch, false, error);
        if (r < 0)
            return r;
    }
    etl_str_add(scratch, "", 1);
    if (scratch->failed)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a word");
    ret_token->key = scratch->data;
    if (value_at > 0)
        ret_token->value = scratch->data + value_at;
    return ETL_OK;
}

int etl_text_rest(etl_text_line *line, etl_str *scratch, const char **ret_text, etl_error *error)
{
    skip_blanks(line);
    while (line->end > line->position && is_blank(line->end[-1]))
        line->end--;
    etl_str_clear(scratch);
    while (line->position < line->end) {
        if (*line->position == '\\') {
            int r = add_escape(line, scratch, error);
            if (r < 0)
                return r;
            continue;
        }
        const char *begin = line->position;
        while (line->position < line->end && *line->position != '\\')
            line->position++;
        etl_str_add(scratch, begin, (size_t)(line->position - begin));
    }
    etl_str_add(scratch, "", 1);
    if (scratch->failed)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a line");
    *ret_text = scratch->data;
    return ETL_OK;
}

bool etl_text_number(const char *text, uint64_t max, uint64_t *ret_value)
{
    /* strtoull takes signs and blanks, and base 0 takes octal. */
    if (text[0] < '0' || text[0] > '9')
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hex && text[2] == 0)
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, hex ? 16 : 10);
    if (errno != 0 || *end != 0 || value > max)
        return false;
    *ret_value = value;
    return true;
}
