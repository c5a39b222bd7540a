/* The log file builder; see builder.h. Layouts: etl-format sections 1 to 3. */
#include "builder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compress.h"

enum { HEAD = 72, MODE_COMPRESSED = 0x04000000 };

struct etl_build {
    etl_build_options options;
    uint8_t *file;
    size_t file_size, file_capacity;
    uint8_t *buffer; /* the open one, uncompressed */
    size_t used;
    uint16_t cpu, flags, type; /* of the open one */
    int64_t sequence;
    size_t written_field; /* file offset of BuffersWritten */
    uint32_t buffers;
};

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "builder: %s\n", what);
        abort();
    }
}

static void store(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void append(etl_build *b, const uint8_t *data, size_t size)
{
    while (b->file_size + size > b->file_capacity) {
        b->file_capacity = b->file_capacity ? b->file_capacity * 2 : 1 << 16;
        b->file = realloc(b->file, b->file_capacity);
        check(b->file, "out of memory");
    }
    memcpy(b->file + b->file_size, data, size);
    b->file_size += size;
}

/* Fills in the buffer header and writes the buffer out. */
static void close_buffer(etl_build *b)
{
    if (!b->buffer)
        return;
    bool header = b->sequence == 0;
    bool compressed = b->options.compression && !header;
    size_t size = compressed || (b->options.compression && header) ? (b->used + 511) & ~(size_t)511
                                                                   : b->options.buffer_size;
    uint8_t *out = NULL;
    if (compressed) {
        out = malloc(2 * b->used + 1024);
        check(out, "out of memory");
        memcpy(out, b->buffer, HEAD);
        size = HEAD + etl_test_compress(b->options.compression, b->buffer + HEAD, b->used - HEAD,
                                        out + HEAD);
    } else {
        memset(b->buffer + b->used, 0xFF, size - b->used);
        out = b->buffer;
    }
    store(out + 0x00, size, 4);
    store(out + 0x04, b->used, 4);
    store(out + 0x08, b->used, 4);
    store(out + 0x18, (uint64_t)b->sequence, 8);
    store(out + 0x28, b->options.processor_number ? 0x0800u | b->cpu : b->cpu, 2);
    store(out + 0x2A, 3, 2);
    store(out + 0x2C, header && b->options.compression ? b->options.compression : 3, 4);
    store(out + 0x30, b->used, 4);
    store(out + 0x34,
          (b->options.processor_number ? 0u : 0x20u) | (compressed ? 0x40u : 0u) | b->flags, 2);
    store(out + 0x36, header ? 4 : b->type, 2);
    append(b, out, size);
    if (out != b->buffer)
        free(out);
    free(b->buffer);
    b->buffer = NULL;
    b->sequence++;
    b->buffers++;
}

void etl_build_buffer(etl_build *b, uint16_t cpu)
{
    close_buffer(b);
    b->buffer = calloc(1, b->options.buffer_size + 1024u);
    check(b->buffer, "out of memory");
    b->used = HEAD;
    b->cpu = cpu;
    b->flags = b->type = 0;
}

void etl_build_typed_buffer(etl_build *b, uint16_t cpu, uint16_t flags, uint16_t type)
{
    etl_build_buffer(b, cpu);
    b->flags = flags;
    b->type = type;
}

/* Room for a record of `size` bytes, zeroed; the next record starts at a multiple of 8. */
static uint8_t *record(etl_build *b, size_t size)
{
    size_t start = (b->used + 7) & ~(size_t)7;
    if (start + size > b->options.buffer_size) {
        check(size + HEAD <= b->options.buffer_size, "record larger than a buffer");
        etl_build_buffer(b, b->cpu);
        start = HEAD;
    }
    b->used = start + size;
    return b->buffer + start;
}

static void copy(uint8_t *to, const void *data, size_t size)
{
    if (size)
        memcpy(to, data, size);
}

static void put_guid(uint8_t *to, const char *text)
{
    etl_guid guid;
    check(etl_guid_parse(text, &guid), "GUID text");
    memcpy(to, guid.bytes, 16);
}

void etl_build_system(etl_build *b, int pointer_size, uint16_t hook, uint16_t version_word,
                      uint32_t process, uint32_t thread, int64_t time, const void *payload,
                      size_t size)
{
    uint8_t *r = record(b, 0x20 + size);
    store(r, version_word, 2);
    r[2] = pointer_size == 8 ? 2 : 1;
    r[3] = 0xC0;
    store(r + 0x04, 0x20 + size, 2);
    store(r + 0x06, hook, 2);
    store(r + 0x08, thread, 4);
    store(r + 0x0C, process, 4);
    store(r + 0x10, (uint64_t)time, 8);
    copy(r + 0x20, payload, size);
}

void etl_build_perfinfo(etl_build *b, int pointer_size, uint16_t hook, uint16_t version_word,
                        int64_t time, const void *payload, size_t size)
{
    uint8_t *r = record(b, 0x10 + size);
    store(r, version_word, 2);
    r[2] = pointer_size == 8 ? 17 : 16;
    r[3] = 0xC0;
    store(r + 0x04, 0x10 + size, 2);
    store(r + 0x06, hook, 2);
    store(r + 0x08, (uint64_t)time, 8);
    copy(r + 0x10, payload, size);
}

void etl_build_full(etl_build *b, int pointer_size, const char *guid, uint8_t opcode,
                    uint16_t version, uint32_t process, uint32_t thread, int64_t time,
                    const void *payload, size_t size)
{
    uint8_t *r = record(b, 0x30 + size);
    store(r, 0x30 + size, 2);
    r[2] = pointer_size == 8 ? 0x14 : 0x0A;
    r[3] = 0xC0;
    r[4] = opcode;
    store(r + 0x06, version, 2);
    store(r + 0x08, thread, 4);
    store(r + 0x0C, process, 4);
    store(r + 0x10, (uint64_t)time, 8);
    put_guid(r + 0x18, guid);
    copy(r + 0x30, payload, size);
}

void etl_build_compact(etl_build *b, int pointer_size, uint16_t hook, uint16_t version_word,
                       uint32_t process, uint32_t thread, int64_t time, const void *payload,
                       size_t size)
{
    uint8_t *r = record(b, 0x18 + size);
    store(r, version_word, 2);
    r[2] = pointer_size == 8 ? 4 : 3;
    r[3] = 0xC0;
    store(r + 0x04, 0x18 + size, 2);
    store(r + 0x06, hook, 2);
    store(r + 0x08, thread, 4);
    store(r + 0x0C, process, 4);
    store(r + 0x10, (uint64_t)time, 8);
    copy(r + 0x18, payload, size);
}

void etl_build_instance(etl_build *b, int pointer_size, const char *guid, const char *parent,
                        uint8_t opcode, uint16_t version, uint32_t process, uint32_t thread,
                        int64_t time, const void *payload, size_t size)
{
    uint8_t *r = record(b, 0x48 + size);
    store(r, 0x48 + size, 2);
    r[2] = pointer_size == 8 ? 21 : 11;
    r[3] = 0xC0;
    r[4] = opcode;
    store(r + 0x06, version, 2);
    store(r + 0x08, thread, 4);
    store(r + 0x0C, process, 4);
    store(r + 0x10, (uint64_t)time, 8);
    put_guid(r + 0x18, guid);
    store(r + 0x30, 31, 4);
    store(r + 0x34, 32, 4);
    put_guid(r + 0x38, parent);
    copy(r + 0x48, payload, size);
}

void etl_build_wnode(etl_build *b, bool typed, const char *guid, int64_t time, const void *payload,
                     size_t size)
{
    uint8_t *r = record(b, 0x30 + size);
    store(r, 0x30 + size, typed ? 2 : 4);
    if (typed) {
        r[2] = 14;
        r[3] = 0xC0;
    }
    store(r + 0x10, (uint64_t)time, 8);
    put_guid(r + 0x18, guid);
    copy(r + 0x30, payload, size);
}

void etl_build_event_record(etl_build *b, int pointer_size, const etl_build_event *e,
                            const void *payload, size_t size)
{
    size_t extended = 0;
    for (size_t i = 0; i < e->item_count; i++)
        extended += 8 + ((e->items[i].size + 7u) & ~7u);
    uint8_t *r = record(b, 0x50 + extended + size);
    store(r, 0x50 + extended + size, 2);
    r[2] = pointer_size == 8 ? 0x13 : 0x12;
    r[3] = 0xC0;
    store(r + 0x04, e->flags | (e->item_count ? 1u : 0u), 2);
    store(r + 0x08, e->thread, 4);
    store(r + 0x0C, e->process, 4);
    store(r + 0x10, (uint64_t)e->time, 8);
    put_guid(r + 0x18, e->provider);
    store(r + 0x28, e->id, 2);
    r[0x2A] = e->version;
    r[0x2B] = e->channel;
    r[0x2C] = e->level;
    r[0x2D] = e->opcode;
    store(r + 0x2E, e->task, 2);
    store(r + 0x30, e->keyword, 8);
    if (e->activity)
        put_guid(r + 0x40, e->activity);
    uint8_t *at = r + 0x50;
    for (size_t i = 0; i < e->item_count; i++) {
        const etl_build_item *item = &e->items[i];
        size_t item_size = 8 + ((item->size + 7u) & ~7u);
        store(at, item_size, 2);
        store(at + 2, item->type, 2);
        store(at + 4, i + 1 < e->item_count, 2);
        store(at + 6, item->size, 2);
        copy(at + 8, item->data, item->size);
        at += item_size;
    }
    copy(at, payload, size);
}

void etl_build_message(etl_build *b, const char *guid, uint16_t number, uint16_t options,
                       uint32_t process, uint32_t thread, int64_t time, const void *payload,
                       size_t size)
{
    uint8_t parts[64];
    size_t at = 8;
    if (options & 0x01) {
        store(parts + at, 5, 4);
        at += 4;
    }
    if (options & 0x04) {
        store(parts + at, 7, 4);
        at += 4;
    } else if (options & 0x02) {
        put_guid(parts + at, guid);
        at += 16;
    }
    if (options & 0x18) {
        store(parts + at, (uint64_t)time, 8);
        at += 8;
    }
    if (options & 0x20) {
        store(parts + at, thread, 4);
        store(parts + at + 4, process, 4);
        at += 8;
    }
    uint8_t *r = record(b, at + size);
    store(parts, at + size, 2);
    parts[2] = 0;
    parts[3] = 0x90;
    store(parts + 4, number, 2);
    store(parts + 6, options, 2);
    memcpy(r, parts, at);
    copy(r + at, payload, size);
}

void etl_build_raw(etl_build *b, const void *data, size_t size)
{
    copy(record(b, size), data, size);
}

static void put_header_record(etl_build *b)
{
    const etl_build_options *o = &b->options;
    size_t pointer = o->header32 ? 4 : 8;
    etl_payload p = {.size = 0};
    etl_put_u32(&p, o->buffer_size);
    etl_put_u32(&p,
                10 | 0 << 8 | (o->compression ? 2u : 1u) << 16 | (o->compression ? 0u : 5u) << 24);
    etl_put_u32(&p, o->build);
    etl_put_u32(&p, o->processors);
    etl_put_u64(&p, (uint64_t)o->end_time);
    etl_put_u32(&p, 156250);
    etl_put_u32(&p, 0);
    etl_put_u32(&p, o->mode | (o->compression ? (uint32_t)MODE_COMPRESSED : 0));
    b->written_field = HEAD + 0x20 + p.size;
    etl_put_u32(&p, 0);
    etl_put_u32(&p, 1);
    etl_put_u32(&p, (uint32_t)pointer);
    etl_put_u32(&p, o->events_lost);
    etl_put_u32(&p, 3000);
    p.size += 2 * pointer; /* LoggerName and LogFileName, no pointers in files */
    size_t zone = p.size;
    etl_put_u32(&p, (uint32_t)-60);
    etl_put_wide(&p, "Test Standard Time");
    p.size = zone + 172 + 4;
    etl_put_u64(&p, (uint64_t)(o->start_time - INT64_C(36000000000)));
    etl_put_u64(&p, (uint64_t)o->frequency);
    etl_put_u64(&p, (uint64_t)o->start_time);
    etl_put_u32(&p, (uint32_t)o->clock);
    etl_put_u32(&p, o->buffers_lost);
    etl_put_wide(&p, o->logger_name);
    etl_put_wide(&p, "C:\\test.etl");
    etl_build_system(b, (int)pointer, 0x0000, 2, 4, 8, o->first_time, p.data, p.size);
}

etl_build *etl_build_new(const etl_build_options *options)
{
    etl_build *b = calloc(1, sizeof *b);
    check(b, "out of memory");
    if (options)
        b->options = *options;
    etl_build_options *o = &b->options;
    o->clock = o->clock ? o->clock : 1;
    o->frequency = o->frequency ? o->frequency : 10000000;
    o->start_time = o->start_time ? o->start_time : INT64_C(134274384000000000);
    if (o->end_time == 0)
        o->end_time = o->start_time + INT64_C(600000000);
    else if (o->end_time == -1)
        o->end_time = 0;
    o->build = o->build ? o->build : 26100;
    o->buffer_size = o->buffer_size ? o->buffer_size : 4096;
    o->processors = o->processors ? o->processors : 2;
    o->logger_name = o->logger_name ? o->logger_name : "etlkit test";
    etl_build_buffer(b, 0);
    put_header_record(b);
    return b;
}

uint8_t *etl_build_finish(etl_build *b, size_t *ret_size)
{
    close_buffer(b);
    uint8_t *file = b->file;
    store(file + b->written_field, b->options.end_time ? b->buffers : 1, 4);
    *ret_size = b->file_size;
    free(b);
    return file;
}

/* ---- payload bytes ---- */

void etl_put_bytes(etl_payload *p, const void *data, size_t size)
{
    check(size <= sizeof p->data - p->size, "payload too large");
    copy(p->data + p->size, data, size);
    p->size += size;
}

static void put(etl_payload *p, uint64_t value, int bytes)
{
    uint8_t data[8];
    store(data, value, bytes);
    etl_put_bytes(p, data, (size_t)bytes);
}

void etl_put_u8(etl_payload *p, uint8_t value)
{
    put(p, value, 1);
}

void etl_put_u16(etl_payload *p, uint16_t value)
{
    put(p, value, 2);
}

void etl_put_u32(etl_payload *p, uint32_t value)
{
    put(p, value, 4);
}

void etl_put_u64(etl_payload *p, uint64_t value)
{
    put(p, value, 8);
}

void etl_put_guid(etl_payload *p, const char *text)
{
    uint8_t guid[16];
    put_guid(guid, text);
    etl_put_bytes(p, guid, sizeof guid);
}

void etl_put_string(etl_payload *p, const char *text)
{
    etl_put_bytes(p, text, strlen(text) + 1);
}

void etl_put_wide(etl_payload *p, const char *ascii)
{
    do
        etl_put_u16(p, (uint8_t)*ascii);
    while (*ascii++);
}

void etl_put_tl_event(etl_payload *p, const char *name)
{
    etl_put_u16(p, 0);
    etl_put_u8(p, 0);
    etl_put_string(p, name);
    store(p->data, p->size, 2);
}

void etl_put_tl_field(etl_payload *p, const char *name, uint8_t in, int out, int count)
{
    etl_put_string(p, name);
    etl_put_u8(p, (uint8_t)(in | (out >= 0 ? 0x80 : 0)));
    if (out >= 0)
        etl_put_u8(p, (uint8_t)out);
    if ((in & 0x60) == 0x20)
        etl_put_u16(p, (uint16_t)count);
    store(p->data, p->size, 2);
}

void etl_put_traits(etl_payload *p, const char *provider_name)
{
    etl_put_u16(p, 0);
    etl_put_string(p, provider_name);
    store(p->data, p->size, 2);
}

/* ---- files ---- */

void etl_test_write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    check(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, path);
}

const char *etl_test_memory_file(const void *data, size_t size)
{
    /* Tests that cut or flip everywhere make thousands; a process may have 1,024 open. */
    static int files[16];
    static unsigned count;
    int *oldest = &files[count++ % 16];
    if (*oldest > 0)
        close(*oldest);
    int fd = memfd_create("etl", 0);
    check(fd >= 0 && write(fd, data, size) == (ssize_t)size, "memory file");
    *oldest = fd;
    static char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}
