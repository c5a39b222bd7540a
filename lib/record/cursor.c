/* Time order: one stream of buffers for each processor of each file, merged by a heap. */
#include "record/trace.h"

#include <stdlib.h>

#include "logfile/format.h"

typedef struct stream {
    const uint32_t *buffers; /* indexes, in order */
    size_t count, next;
    uint16_t source;
    uint16_t cpu;
    const etl_session_info *session;
    const etl_buffer_info *buffer;
    uint32_t buffer_index;
    etl_record_walk walk;
    int64_t last_raw_time;
    etl_scratch scratch;
    etl_record record; /* the next one of this stream */
} stream;

struct etl_cursor {
    etl_trace *trace;
    etl_time begin, end;
    stream *streams;
    size_t stream_count;
    uint32_t *buffer_lists;
    stream **heap; /* smallest record first */
    size_t heap_size;
    bool top_used; /* the top stream's record was given out */
    uint64_t buffers_loaded;
    uint64_t open_bytes; /* of all streams' scratch space */
};

/* Order of records: time; raw clock within a file, which may be finer; then source, processor. Both
   buffers and records of one stream are in order already. */
static inline bool before(const stream *a, const stream *b)
{
    if (a->record.time != b->record.time)
        return a->record.time < b->record.time;
    if (a->source != b->source)
        return a->source < b->source;
    if (a->record.raw_time != b->record.raw_time)
        return a->record.raw_time < b->record.raw_time;
    return a->cpu < b->cpu;
}

static void sift_down(etl_cursor *cursor, size_t at)
{
    stream **heap = cursor->heap;
    stream *moving = heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= cursor->heap_size)
            break;
        if (child + 1 < cursor->heap_size && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], moving))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

static bool buffer_wanted(const etl_cursor *cursor, const stream *s, const etl_buffer_info *buffer)
{
    if (buffer->skip || !buffer->record_count)
        return false;
    return etl_logfile_time(s->session, buffer->max_time) >= cursor->begin &&
           etl_logfile_time(s->session, buffer->min_time) <= cursor->end;
}

/* One decompressed buffer a processor is open at a time. A small hostile file can claim 2,048
   processors with buffers of 16 MiB each; real ones stay far below the limit. */
static bool has_room(const etl_cursor *cursor, const stream *s, const etl_buffer_info *buffer)
{
    size_t have = s->scratch.capacity;
    return !(buffer->flags & ETL_BUFFER_COMPRESSED) || buffer->used <= have ||
           cursor->open_bytes - have + buffer->used <= ETL_LIMIT_OPEN_BYTES;
}

/* The next wanted record of a stream into s->record. ETL_END when there is none. */
static int advance(etl_cursor *cursor, stream *s, etl_error *error)
{
    for (;;) {
        while (s->buffer && etl_record_walk_next(&s->walk, &s->record) == ETL_OK) {
            etl_record_place(&s->record, s->session, s->buffer, s->buffer_index, s->source,
                             &s->last_raw_time);
            if (s->record.time >= cursor->begin && s->record.time <= cursor->end)
                return ETL_OK;
        }
        s->buffer = NULL;
        etl_logfile *logfile = etl_trace_logfile(cursor->trace, s->source);
        while (s->next < s->count) {
            uint32_t index = s->buffers[s->next++];
            const etl_buffer_info *buffer = etl_logfile_buffer(logfile, index);
            if (!buffer_wanted(cursor, s, buffer))
                continue;
            if (!has_room(cursor, s, buffer)) {
                etl_diag_add(&cursor->trace->diag, ETL_DIAG_BUFFER_DECOMPRESS, s->source,
                             buffer->offset, buffer->record_count,
                             "too many large buffers are open at once; its events are left out");
                continue;
            }
            etl_buffer_view view;
            size_t capacity = s->scratch.capacity;
            int r = etl_logfile_load(logfile, index, &s->scratch, &view);
            cursor->open_bytes += s->scratch.capacity - capacity;
            if (r == ETL_ERR_NOMEM)
                return etl_fail(error, r, "out of memory for a buffer");
            if (r != ETL_OK)
                continue; /* reported by the scan */
            cursor->buffers_loaded++;
            s->buffer = buffer;
            s->buffer_index = index;
            s->walk = etl_record_walk_start(view);
            s->last_raw_time = etl_record_start_time(view, s->session, buffer);
            break;
        }
        if (!s->buffer) {
            cursor->open_bytes -= s->scratch.capacity;
            etl_scratch_free(&s->scratch);
            return ETL_END;
        }
    }
}

typedef struct sort_key {
    uint32_t index;
    uint16_t cpu;
    int64_t sequence;
} sort_key;

static int by_stream(const void *a, const void *b)
{
    const sort_key *x = a, *y = b;
    if (x->cpu != y->cpu)
        return x->cpu < y->cpu ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Groups the buffers of one file by processor. In a circular log the file order is rotated, so the
   sequence number counts; elsewhere file order is time order, also where numbers restart. */
static int add_streams(etl_cursor *cursor, size_t file, uint32_t *list, etl_error *error)
{
    etl_logfile *logfile = etl_trace_logfile(cursor->trace, file);
    const etl_session_info *session = etl_logfile_session(logfile);
    size_t count = etl_logfile_buffer_count(logfile);
    bool circular = (session->log_file_mode & MODE_CIRCULAR) != 0;
    sort_key *keys = malloc((count ? count : 1) * sizeof *keys);
    if (!keys)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the merge");
    for (size_t i = 0; i < count; i++) {
        const etl_buffer_info *buffer = etl_logfile_buffer(logfile, i);
        keys[i] = (sort_key){(uint32_t)i, buffer->cpu, circular ? buffer->sequence : 0};
    }
    qsort(keys, count, sizeof *keys, by_stream);
    for (size_t i = 0; i < count; i++) {
        list[i] = keys[i].index;
        if (i == 0 || keys[i].cpu != keys[i - 1].cpu) {
            stream *s = &cursor->streams[cursor->stream_count++];
            s->source = (uint16_t)file;
            s->cpu = keys[i].cpu;
            s->session = session;
            s->buffers = list + i;
        }
        cursor->streams[cursor->stream_count - 1].count++;
    }
    free(keys);
    return ETL_OK;
}

/* Processors that occur in a file. */
static size_t count_streams(etl_logfile *logfile)
{
    uint8_t seen[65536 / 8] = {0};
    size_t streams = 0;
    for (size_t i = 0; i < etl_logfile_buffer_count(logfile); i++) {
        uint16_t cpu = etl_logfile_buffer(logfile, i)->cpu;
        streams += !(seen[cpu >> 3] >> (cpu & 7) & 1);
        seen[cpu >> 3] |= (uint8_t)(1u << (cpu & 7));
    }
    return streams;
}

static int open_streams(etl_cursor *cursor, etl_error *error)
{
    etl_trace *trace = cursor->trace;
    size_t buffers = 0, streams = 0;
    for (size_t i = 0; i < trace->count; i++) {
        buffers += etl_logfile_buffer_count(trace->files[i].logfile);
        streams += count_streams(trace->files[i].logfile);
    }
    cursor->streams = calloc(streams ? streams : 1, sizeof *cursor->streams);
    cursor->heap = calloc(streams ? streams : 1, sizeof *cursor->heap);
    cursor->buffer_lists = malloc((buffers ? buffers : 1) * sizeof *cursor->buffer_lists);
    if (!cursor->streams || !cursor->heap || !cursor->buffer_lists)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the merge");
    uint32_t *list = cursor->buffer_lists;
    for (size_t i = 0; i < trace->count; i++) {
        int r = add_streams(cursor, i, list, error);
        if (r != ETL_OK)
            return r;
        list += etl_logfile_buffer_count(trace->files[i].logfile);
    }
    for (size_t i = 0; i < cursor->stream_count; i++) {
        int r = advance(cursor, &cursor->streams[i], error);
        if (r < ETL_OK)
            return r;
        if (r == ETL_OK)
            cursor->heap[cursor->heap_size++] = &cursor->streams[i];
    }
    for (size_t i = cursor->heap_size / 2; i-- > 0;)
        sift_down(cursor, i);
    return ETL_OK;
}

int etl_cursor_open(etl_trace *trace, etl_time begin, etl_time end, etl_cursor **ret_cursor,
                    etl_error *error)
{
    if (!trace || !ret_cursor)
        return etl_fail(error, ETL_ERR_ARG, "etl_cursor_open: trace and result are needed");
    if (!trace->scanned) {
        int r = etl_trace_scan(trace, NULL, NULL, error);
        if (r != ETL_OK)
            return r;
    }
    etl_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for the merge");
    cursor->trace = trace;
    cursor->begin = begin;
    cursor->end = end;
    int r = open_streams(cursor, error);
    if (r != ETL_OK) {
        etl_cursor_close(cursor);
        return r;
    }
    *ret_cursor = cursor;
    return ETL_OK;
}

etl_cursor *etl_cursor_close(etl_cursor *cursor)
{
    if (!cursor)
        return NULL;
    for (size_t i = 0; i < cursor->stream_count; i++)
        etl_scratch_free(&cursor->streams[i].scratch);
    free(cursor->streams);
    free(cursor->heap);
    free(cursor->buffer_lists);
    free(cursor);
    return NULL;
}

static int check_sources(const etl_cursor *cursor, etl_error *error)
{
    for (size_t i = 0; i < cursor->trace->count; i++) {
        int r = etl_source_check(cursor->trace->files[i].source, error);
        if (r != ETL_OK)
            return r;
    }
    return ETL_END;
}

int etl_cursor_next(etl_cursor *cursor, etl_record *ret_record, etl_error *error)
{
    if (cursor->top_used) {
        stream *top = cursor->heap[0];
        int r = advance(cursor, top, error);
        if (r < ETL_OK)
            return r;
        if (r == ETL_END)
            cursor->heap[0] = cursor->heap[--cursor->heap_size];
        cursor->top_used = false;
        if (cursor->heap_size)
            sift_down(cursor, 0);
    }
    if (!cursor->heap_size)
        return check_sources(cursor, error);
    *ret_record = cursor->heap[0]->record;
    cursor->top_used = true;
    return ETL_OK;
}

uint64_t etl_cursor_buffers_loaded(const etl_cursor *cursor)
{
    return cursor->buffers_loaded;
}
