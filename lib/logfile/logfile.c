/* Opens a log: header, index of all buffers, loading of one buffer. */
#include "logfile/logfile.h"

#include <stdlib.h>

#include "logfile/format.h"
#include "logfile/header.h"

_Static_assert((int)BUFFER_END == (int)ETL_BUFFER_HEADER_SIZE, "WMI_BUFFER_HEADER");

struct etl_logfile {
    const etl_source *source;
    uint32_t source_index;
    etl_diag *diag;
    etl_arena arena;
    etl_session_info session;
    etl_buffer_info *buffers;
    size_t count, capacity;
    uint32_t algorithm;
};

static etl_buffer_info *new_buffer(etl_logfile *logfile)
{
    if (logfile->count == logfile->capacity) {
        size_t capacity = logfile->capacity ? logfile->capacity * 2 : 64;
        etl_buffer_info *buffers = realloc(logfile->buffers, capacity * sizeof *buffers);
        if (!buffers)
            return NULL;
        logfile->buffers = buffers;
        logfile->capacity = capacity;
    }
    etl_buffer_info *buffer = &logfile->buffers[logfile->count++];
    memset(buffer, 0, sizeof *buffer);
    buffer->min_time = INT64_MAX;
    buffer->max_time = INT64_MIN;
    return buffer;
}

/* Bit 0x20: the word is a processor index; else the low byte is the number and the high byte the
   alignment, which reads as 0x08xx (etl-format 1.4). */
static uint16_t processor_of(const uint8_t *head, uint16_t flags)
{
    return flags & ETL_BUFFER_PROC_INDEX ? etl_load_u16(head + BUFFER_PROCESSOR) & 0x7FF
                                         : head[BUFFER_PROCESSOR];
}

/* `Offset` is the end of data; SavedOffset may be 0 or too small, CurrentOffset overshoots
   (etl-format 1.5). */
static uint32_t used_length(const uint8_t *head, uint32_t size, bool pre_vista)
{
    uint32_t used = etl_load_u32(head + BUFFER_OFFSET);
    if (!used && !pre_vista)
        used = etl_load_u32(head + BUFFER_SAVED_OFFSET);
    if (!used) {
        used = etl_load_u32(head + BUFFER_CURRENT_OFFSET);
        used = used < size ? used : size;
    }
    return used < BUFFER_END ? BUFFER_END : used;
}

static void read_buffer(etl_logfile *logfile, uint64_t offset, uint32_t size,
                        etl_buffer_info *buffer)
{
    etl_session_info *session = &logfile->session;
    const uint8_t *head = etl_source_data(logfile->source) + offset;
    uint64_t left = etl_source_size(logfile->source) - offset;
    buffer->offset = offset;
    buffer->timestamp = etl_load_s64(head + BUFFER_TIMESTAMP);
    buffer->logger_id = etl_load_u16(head + BUFFER_LOGGER_ID);
    if (session->pre_vista) {
        buffer->sequence = etl_load_u32(head + BUFFER_SAVED_OFFSET);
        buffer->type = offset == 0 ? ETL_BUFFER_HEADER : ETL_BUFFER_GENERIC;
    } else {
        buffer->sequence = etl_load_s64(head + BUFFER_SEQUENCE);
        buffer->flags = etl_load_u16(head + BUFFER_FLAG);
        buffer->type = etl_load_u16(head + BUFFER_TYPE);
    }
    buffer->cpu = processor_of(head, buffer->flags);
    buffer->used = used_length(head, size, session->pre_vista);
    buffer->stored_size = size;
    if (size > left) {
        buffer->truncated = true;
        buffer->stored_size = (uint32_t)left;
        etl_diag_add(logfile->diag, ETL_DIAG_BUFFER_TRUNCATED, logfile->source_index, offset, 1,
                     "%u of %u bytes are there", buffer->stored_size, size);
    }
    bool compressed = buffer->flags & ETL_BUFFER_COMPRESSED;
    if (!compressed && buffer->used > buffer->stored_size)
        buffer->used = buffer->stored_size;
    if (compressed && (buffer->truncated || buffer->used > ETL_LIMIT_BUFFER_SIZE)) {
        buffer->skip = true;
        if (!buffer->truncated)
            etl_diag_add(logfile->diag, ETL_DIAG_BUFFER_DECOMPRESS, logfile->source_index, offset,
                         1, "its uncompressed size %u is impossible", buffer->used);
    }
    if (buffer->type == ETL_BUFFER_REFTIME || buffer->type == ETL_BUFFER_EMPTY_MARKER)
        buffer->skip = true;
    if (buffer->flags & (ETL_BUFFER_EVENTS_LOST | ETL_BUFFER_BUFFER_LOST))
        etl_diag_add(logfile->diag, ETL_DIAG_BUFFER_LOSS_FLAG, logfile->source_index, offset, 1,
                     "processor %u, sequence %lld: %s lost", buffer->cpu,
                     (long long)buffer->sequence,
                     buffer->flags & ETL_BUFFER_BUFFER_LOST ? "buffers" : "events");

    session->buffers_read++;
    session->bytes_header += ETL_BUFFER_HEADER_SIZE;
    if (buffer->skip && buffer->type != ETL_BUFFER_REFTIME &&
        buffer->type != ETL_BUFFER_EMPTY_MARKER) {
        session->buffers_damaged++;
        session->bytes_skipped += buffer->stored_size - ETL_BUFFER_HEADER_SIZE;
        return;
    }
    uint32_t used = compressed ? buffer->stored_size : buffer->used;
    session->bytes_used += used - ETL_BUFFER_HEADER_SIZE;
    session->bytes_padding += buffer->stored_size - used;
    if (buffer->truncated)
        session->buffers_damaged++;
}

static bool all_zero(const uint8_t *data, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        if (data[i])
            return false;
    return true;
}

static bool decompress(uint32_t algorithm, const uint8_t *in, size_t in_size, uint8_t *out,
                       size_t out_size)
{
    switch (algorithm) {
    case COMPRESSION_LZNT1: return etl_lznt1_decompress(in, in_size, out, out_size);
    case COMPRESSION_XPRESS_HUFFMAN:
        return etl_xpress_huffman_decompress(in, in_size, out, out_size);
    default: return etl_xpress_decompress(in, in_size, out, out_size);
    }
}

/* ---- where buffers are ---- */

/* Whether the words of a buffer header agree with each other and with the log, its size aside, and
   a record follows. */
static bool plausible(const etl_logfile *logfile, uint64_t offset, uint32_t size)
{
    const uint8_t *head = etl_source_data(logfile->source) + offset;
    uint64_t left = etl_source_size(logfile->source) - offset;
    if (left < BUFFER_END)
        return false;
    bool pre_vista = logfile->session.pre_vista;
    uint16_t flags = pre_vista ? 0 : etl_load_u16(head + BUFFER_FLAG);
    uint16_t type = pre_vista ? ETL_BUFFER_GENERIC : etl_load_u16(head + BUFFER_TYPE);
    bool compressed = flags & ETL_BUFFER_COMPRESSED;
    uint32_t limit = compressed ? ETL_LIMIT_BUFFER_SIZE : size;
    uint32_t end_of_data = etl_load_u32(head + BUFFER_OFFSET);
    if (!end_of_data && !pre_vista)
        end_of_data = etl_load_u32(head + BUFFER_SAVED_OFFSET);
    if (flags > BUFFER_FLAGS_ALL || type >= BUFFER_TYPE_COUNT ||
        (!pre_vista && etl_load_u32(head + BUFFER_STATE) >= BUFFER_STATE_COUNT) ||
        end_of_data < BUFFER_END || end_of_data > limit)
        return false;
    if (compressed)
        return etl_load_u32(head + BUFFER_SAVED_OFFSET) == end_of_data;
    if (type == ETL_BUFFER_REFTIME || type == ETL_BUFFER_EMPTY_MARKER)
        return true;
    return left >= BUFFER_END + 8 && (head[BUFFER_END + 3] & 0x80) &&
           etl_load_u32(head + BUFFER_END) != UINT32_MAX;
}

/* What size the buffer at `offset` says it has, 0 when there is none. All buffers of an
   uncompressed log are as large as the first; there a wrong size word costs only itself. */
static uint32_t told_size(const etl_logfile *logfile, uint64_t offset, uint32_t grid)
{
    uint64_t left = etl_source_size(logfile->source) - offset;
    if (left < ETL_BUFFER_HEADER_SIZE)
        return 0;
    uint32_t size = etl_load_u32(etl_source_data(logfile->source) + offset + BUFFER_SIZE);
    if (logfile->session.compressed)
        return size >= ETL_BUFFER_HEADER_SIZE && size <= ETL_LIMIT_BUFFER_SIZE ? size : 0;
    return size == grid || plausible(logfile, offset, grid) ? grid : 0;
}

/* A place where no buffer is expected is one only when all words say so. */
static bool buffer_begins(const etl_logfile *logfile, uint64_t offset, uint32_t grid)
{
    uint32_t size = told_size(logfile, offset, grid);
    return size && plausible(logfile, offset, size) &&
           etl_load_u32(etl_source_data(logfile->source) + offset + BUFFER_SIZE) == size;
}

/* The first buffer that begins in [from, to), else `to`. Bytes may be missing or added, so it can
   be anywhere. */
static uint64_t find_buffer(const etl_logfile *logfile, uint64_t from, uint64_t to, uint32_t grid)
{
    const uint8_t *data = etl_source_data(logfile->source);
    uint64_t left = etl_source_size(logfile->source) - to;
    uint64_t overlap = left < 3 ? left : 3; /* the size word may go over the end */
    uint8_t word[4] = {(uint8_t)grid, (uint8_t)(grid >> 8), (uint8_t)(grid >> 16),
                       (uint8_t)(grid >> 24)};
    for (uint64_t at = from; at < to; at++) {
        if (!logfile->session.compressed) {
            const uint8_t *hit = memmem(data + at, to - at + overlap, word, sizeof word);
            if (!hit)
                return to;
            at = (uint64_t)(hit - data);
        }
        if (buffer_begins(logfile, at, grid))
            return at;
    }
    return to;
}

/* Where the next buffer is after a place that holds none. On the grid less is asked of it. No byte
   is looked at twice, however many such places there are. */
static uint64_t resynchronise(const etl_logfile *logfile, uint64_t offset, uint32_t grid)
{
    uint64_t size = etl_source_size(logfile->source);
    if (logfile->session.compressed)
        return find_buffer(logfile, offset + 1, size, grid);
    uint64_t from = offset + 1;
    for (uint64_t next = offset + grid; next < size; next += grid) {
        uint64_t found = find_buffer(logfile, from, next, grid);
        if (found < next || told_size(logfile, next, grid))
            return found;
        from = next;
    }
    return from < size ? find_buffer(logfile, from, size, grid) : size;
}

/* A compressed buffer, whatever its size word says. */
static bool compressed_at(const etl_logfile *logfile, uint64_t offset)
{
    return logfile->session.compressed && plausible(logfile, offset, ETL_LIMIT_BUFFER_SIZE) &&
           (etl_load_u16(etl_source_data(logfile->source) + offset + BUFFER_FLAG) &
            ETL_BUFFER_COMPRESSED);
}

/* Whether a compressed buffer has the size that it says: then it can be decompressed. */
static bool decompresses(const etl_logfile *logfile, uint64_t offset, uint32_t size)
{
    const uint8_t *head = etl_source_data(logfile->source) + offset;
    uint32_t used = used_length(head, size, false);
    if (!(etl_load_u16(head + BUFFER_FLAG) & ETL_BUFFER_COMPRESSED) ||
        used > ETL_LIMIT_BUFFER_SIZE || size > etl_source_size(logfile->source) - offset)
        return false;
    uint8_t *out = malloc(used);
    bool ok = out && decompress(logfile->algorithm, head + BUFFER_END, size - BUFFER_END, out,
                                used - BUFFER_END);
    free(out);
    return ok;
}

static bool buffer_follows(const etl_logfile *logfile, uint64_t offset, uint32_t grid)
{
    uint64_t file_size = etl_source_size(logfile->source);
    if (offset >= file_size)
        return offset == file_size;
    uint32_t size = told_size(logfile, offset, grid);
    return size ? plausible(logfile, offset, size) : compressed_at(logfile, offset);
}

/* The size of the buffer at `offset`, 0 when there is none. When no buffer follows where it says it
   ends, either some of its bytes are missing or its size is wrong: then it goes to where the next
   one begins. */
static uint32_t buffer_size_at(const etl_logfile *logfile, uint64_t offset, uint32_t grid)
{
    uint64_t file_size = etl_source_size(logfile->source);
    uint32_t size = told_size(logfile, offset, grid);
    if (size && buffer_follows(logfile, offset + size, grid))
        return size;
    /* Without a grid a size word alone makes no buffer. */
    bool told = size && (!logfile->session.compressed || plausible(logfile, offset, size));
    if (!told && !compressed_at(logfile, offset))
        return 0;
    uint64_t from = offset + ETL_BUFFER_HEADER_SIZE;
    uint64_t end = offset + size < file_size ? offset + size : file_size;
    if (end > from) {
        uint64_t next = find_buffer(logfile, from, end, grid);
        if (next < end)
            return (uint32_t)(next - offset);
        from = end;
    }
    if (!compressed_at(logfile, offset) || (size && decompresses(logfile, offset, size)))
        return size;
    end = offset + ETL_LIMIT_BUFFER_SIZE;
    end = end < file_size ? end : file_size;
    uint64_t next = from < end ? find_buffer(logfile, from, end, grid) : end;
    return next < end || !size ? (uint32_t)(next - offset) : size;
}

/* Distance of the buffers of an uncompressed log. The first buffer and the logfile header say the
   same; when they do not, the second buffer shows who is right. */
static uint32_t buffer_grid(const etl_logfile *logfile)
{
    const uint8_t *data = etl_source_data(logfile->source);
    uint64_t size = etl_source_size(logfile->source);
    uint32_t first = etl_load_u32(data + BUFFER_SIZE);
    uint32_t told = logfile->session.buffer_size;
    if (logfile->session.compressed || told == first)
        return first;
    bool other = told >= BUFFER_END && told <= ETL_LIMIT_BUFFER_SIZE &&
                 size >= (uint64_t)told + BUFFER_END &&
                 etl_load_u32(data + told + BUFFER_SIZE) == told;
    etl_diag_add(logfile->diag, ETL_DIAG_HEADER_ODD, logfile->source_index, BUFFER_END, 1,
                 "buffer size %u, but the first buffer says %u", told, first);
    return other ? told : first;
}

static int index_buffers(etl_logfile *logfile, etl_error *error)
{
    const uint8_t *data = etl_source_data(logfile->source);
    uint64_t size = etl_source_size(logfile->source);
    uint32_t grid = buffer_grid(logfile);
    uint64_t offset = 0;
    while (offset < size) {
        uint32_t buffer_size = buffer_size_at(logfile, offset, grid);
        if (!buffer_size) {
            uint64_t next = resynchronise(logfile, offset, grid);
            if (next == size && all_zero(data + offset, size - offset)) {
                /* A preallocated file ends in zeros. */
                etl_diag_add(logfile->diag, ETL_DIAG_BUFFER_TRAILING, logfile->source_index, offset,
                             1, "%llu bytes of zeros", (unsigned long long)(size - offset));
                logfile->session.bytes_padding += size - offset;
            } else {
                etl_diag_add(logfile->diag, ETL_DIAG_BUFFER_BAD, logfile->source_index, offset, 1,
                             "%llu bytes were skipped", (unsigned long long)(next - offset));
                logfile->session.bytes_skipped += next - offset;
                logfile->session.buffers_damaged++;
            }
            offset = next;
            continue;
        }
        if (etl_load_u32(data + offset + BUFFER_SIZE) != buffer_size)
            etl_diag_add(logfile->diag, ETL_DIAG_BUFFER_BAD, logfile->source_index, offset, 1,
                         "its size %u was replaced by %u, going by what follows",
                         etl_load_u32(data + offset + BUFFER_SIZE), buffer_size);
        etl_buffer_info *buffer = new_buffer(logfile);
        if (!buffer)
            return etl_fail(error, ETL_ERR_NOMEM, "%s: out of memory for the buffer index",
                            etl_source_path(logfile->source));
        read_buffer(logfile, offset, buffer_size, buffer);
        offset += buffer->stored_size;
    }
    return ETL_OK;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sequence numbers count the session's buffers. A circular log keeps the newest, a part of a
   new-file set a section, so only holes between the numbers of a file mean loss; an appended log
   starts again with each run. */
static int find_gaps(etl_logfile *logfile, etl_error *error)
{
    const etl_session_info *session = &logfile->session;
    if ((session->log_file_mode & MODE_APPEND) || session->pre_vista || logfile->count < 3)
        return ETL_OK;
    int64_t *numbers = malloc(logfile->count * sizeof *numbers);
    if (!numbers)
        return etl_fail(error, ETL_ERR_NOMEM, "%s: out of memory for the buffer index",
                        etl_source_path(logfile->source));
    size_t count = 0;
    for (size_t i = 1; i < logfile->count; i++)
        if (logfile->buffers[i].type != ETL_BUFFER_HEADER)
            numbers[count++] = logfile->buffers[i].sequence;
    qsort(numbers, count, sizeof *numbers, by_value);
    for (size_t i = 1; i < count; i++) {
        uint64_t step = (uint64_t)numbers[i] - (uint64_t)numbers[i - 1];
        if (step > 1)
            etl_diag_add(logfile->diag, ETL_DIAG_BUFFER_SEQUENCE_GAP, logfile->source_index,
                         ETL_NO_OFFSET, step - 1, "no buffers between sequence %lld and %lld",
                         (long long)numbers[i - 1], (long long)numbers[i]);
    }
    free(numbers);
    return ETL_OK;
}

/* BuffersWritten is exact in a file that was closed, and may be more than there is only in a
   circular log, which overwrites (etl-format 1.8). */
static void find_missing(etl_logfile *logfile)
{
    const etl_session_info *session = &logfile->session;
    if (!(session->log_file_mode & MODE_CIRCULAR) &&
        session->buffers_written > session->buffers_read)
        etl_diag_add(logfile->diag, ETL_DIAG_BUFFERS_MISSING, logfile->source_index, ETL_NO_OFFSET,
                     session->buffers_written - session->buffers_read,
                     "%u buffers were written, %llu are there", session->buffers_written,
                     (unsigned long long)session->buffers_read);
}

int etl_logfile_open(etl_source *source, uint32_t source_index, etl_diag *diag,
                     etl_logfile **ret_logfile, etl_error *error)
{
    etl_logfile *logfile = calloc(1, sizeof *logfile);
    if (!logfile)
        return etl_fail(error, ETL_ERR_NOMEM, "%s: out of memory", etl_source_path(source));
    logfile->source = source;
    logfile->source_index = source_index;
    logfile->diag = diag;
    const uint8_t *data = etl_source_data(source);
    int r = etl_header_read(etl_source_path(source), data, (size_t)etl_source_size(source),
                            source_index, diag, &logfile->arena, &logfile->session, error);
    if (r == ETL_OK) {
        logfile->session.file_size = etl_source_size(source);
        logfile->algorithm = etl_load_u32(data + BUFFER_STATE) & 0xFFFF;
        r = index_buffers(logfile, error);
    }
    if (r == ETL_OK)
        find_missing(logfile);
    if (r == ETL_OK)
        r = find_gaps(logfile, error);
    if (r != ETL_OK) {
        etl_logfile_close(logfile);
        return r;
    }
    *ret_logfile = logfile;
    return ETL_OK;
}

etl_logfile *etl_logfile_close(etl_logfile *logfile)
{
    if (!logfile)
        return NULL;
    etl_arena_free(&logfile->arena);
    free(logfile->buffers);
    free(logfile);
    return NULL;
}

const etl_session_info *etl_logfile_session(const etl_logfile *logfile)
{
    return &logfile->session;
}

etl_session_info *etl_logfile_session_mutable(etl_logfile *logfile)
{
    return &logfile->session;
}

size_t etl_logfile_buffer_count(const etl_logfile *logfile)
{
    return logfile->count;
}

etl_buffer_info *etl_logfile_buffer(etl_logfile *logfile, size_t index)
{
    return &logfile->buffers[index];
}

static bool old_instances(const etl_session_info *session)
{
    return session->layout_major == 1 && session->layout_minor < 1;
}

int etl_logfile_load(const etl_logfile *logfile, size_t index, etl_scratch *scratch,
                     etl_buffer_view *ret_view)
{
    const etl_buffer_info *buffer = &logfile->buffers[index];
    const uint8_t *stored = etl_source_data(logfile->source) + buffer->offset;
    if (!(buffer->flags & ETL_BUFFER_COMPRESSED)) {
        *ret_view = (etl_buffer_view){stored, buffer->used, old_instances(&logfile->session)};
        return ETL_OK;
    }
    if (buffer->used > scratch->capacity) {
        uint8_t *data = realloc(scratch->data, buffer->used);
        if (!data)
            return ETL_ERR_NOMEM;
        scratch->data = data;
        scratch->capacity = buffer->used;
    }
    const uint8_t *in = stored + ETL_BUFFER_HEADER_SIZE;
    size_t in_size = buffer->stored_size - ETL_BUFFER_HEADER_SIZE;
    uint8_t *out = scratch->data + ETL_BUFFER_HEADER_SIZE;
    size_t out_size = buffer->used - ETL_BUFFER_HEADER_SIZE;
    memcpy(scratch->data, stored, ETL_BUFFER_HEADER_SIZE);
    if (!decompress(logfile->algorithm, in, in_size, out, out_size))
        return ETL_ERR_DAMAGED;
    *ret_view = (etl_buffer_view){scratch->data, buffer->used, false};
    return ETL_OK;
}

void etl_scratch_free(etl_scratch *scratch)
{
    free(scratch->data);
    *scratch = (etl_scratch){0};
}
