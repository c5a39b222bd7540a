/* Growing strings. */
#include "base/base.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

char *etl_str_reserve(etl_str *s, size_t extra)
{
    if (s->failed)
        return NULL;
    size_t need;
    if (__builtin_add_overflow(s->size, extra, &need) || need > SIZE_MAX / 4) {
        s->failed = true;
        return NULL;
    }
    need++;
    if (need > s->capacity) {
        size_t capacity = s->capacity ? s->capacity : 64;
        while (capacity < need)
            capacity *= 2;
        char *data = realloc(s->data, capacity);
        if (!data) {
            s->failed = true;
            return NULL;
        }
        s->data = data;
        s->capacity = capacity;
    }
    return s->data + s->size;
}

void etl_str_add(etl_str *s, const void *data, size_t size)
{
    char *to = etl_str_reserve(s, size);
    if (!to)
        return;
    if (size)
        memcpy(to, data, size);
    s->size += size;
    s->data[s->size] = 0;
}

void etl_str_puts(etl_str *s, const char *text)
{
    etl_str_add(s, text, strlen(text));
}

void etl_str_printf(etl_str *s, const char *format, ...)
{
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    if (length < 0) {
        s->failed = true;
    } else if ((size_t)length < sizeof small) {
        etl_str_add(s, small, (size_t)length);
    } else {
        char *to = etl_str_reserve(s, (size_t)length);
        if (to) {
            vsnprintf(to, (size_t)length + 1, format, again);
            s->size += (size_t)length;
        }
    }
    va_end(again);
    va_end(args);
}

void etl_str_json(etl_str *s, const char *text, size_t size)
{
    const uint8_t *in = (const uint8_t *)text;
    size_t clean = 0; /* start of the run that needs no escape */
    for (size_t i = 0; i < size; i++) {
        uint8_t c = in[i];
        size_t length = etl_utf8_sequence(in + i, size - i);
        bool bad = length == 0;
        /* DEL and the C1 controls (C2 80 … C2 9F) would act on a terminal. */
        bool c1 = length == 2 && c == 0xC2 && in[i + 1] < 0xA0;
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F && !bad && !c1) {
            i += length - 1;
            continue;
        }
        etl_str_add(s, text + clean, i - clean);
        if (bad)
            etl_str_puts(s, "\xEF\xBF\xBD");
        else if (c1)
            etl_str_printf(s, "\\u%04x", in[++i]);
        else if (c == '"' || c == '\\')
            etl_str_printf(s, "\\%c", c);
        else if (c == '\n')
            etl_str_puts(s, "\\n");
        else if (c == '\r')
            etl_str_puts(s, "\\r");
        else if (c == '\t')
            etl_str_puts(s, "\\t");
        else
            etl_str_printf(s, "\\u%04x", c);
        clean = i + 1;
    }
    if (clean < size)
        etl_str_add(s, text + clean, size - clean);
    else
        etl_str_add(s, "", 0);
}

void etl_str_free(etl_str *s)
{
    free(s->data);
    memset(s, 0, sizeof *s);
}
