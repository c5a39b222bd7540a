/* Opens log files as one trace, and the scan pass. */
#include "record/trace.h"

#include <stdlib.h>

int etl_trace_open(etl_source *const *sources, size_t source_count, etl_trace **ret_trace,
                   etl_error *error)
{
    if (!sources || !source_count || !ret_trace || source_count > UINT16_MAX)
        return etl_fail(error, ETL_ERR_ARG, "etl_trace_open: 1 to %d sources are needed",
                        UINT16_MAX);
    etl_trace *trace = calloc(1, sizeof *trace);
    int r = ETL_OK;
    if (trace)
        trace->files = calloc(source_count, sizeof *trace->files);
    if (!trace || !trace->files)
        r = etl_fail(error, ETL_ERR_NOMEM, "out of memory for the trace");
    for (size_t i = 0; i < source_count && r == ETL_OK; i++) {
        trace->files[i].source = sources[i];
        const char *damage = etl_source_damage(sources[i]);
        if (damage)
            etl_diag_add(&trace->diag, ETL_DIAG_STREAM_DAMAGED, (uint32_t)i, ETL_NO_OFFSET, 1, "%s",
                         damage);
        r = etl_logfile_open(sources[i], (uint32_t)i, &trace->diag, &trace->files[i].logfile,
                             error);
        trace->count = i + 1;
    }
    if (r != ETL_OK) {
        etl_trace_close(trace);
        return r;
    }
    *ret_trace = trace;
    return ETL_OK;
}

etl_trace *etl_trace_close(etl_trace *trace)
{
    if (!trace)
        return NULL;
    for (size_t i = 0; i < trace->count; i++)
        etl_logfile_close(trace->files[i].logfile);
    free(trace->files);
    etl_diag_free(&trace->diag);
    free(trace);
    return NULL;
}

size_t etl_trace_source_count(const etl_trace *trace)
{
    return trace->count;
}

const etl_source *etl_trace_source(const etl_trace *trace, size_t source)
{
    return trace->files[source].source;
}

const etl_session_info *etl_trace_session(const etl_trace *trace, size_t source)
{
    return etl_logfile_session(trace->files[source].logfile);
}

etl_diag *etl_trace_diag(etl_trace *trace)
{
    return &trace->diag;
}

etl_logfile *etl_trace_logfile(etl_trace *trace, size_t source)
{
    return trace->files[source].logfile;
}

int64_t etl_record_start_time(etl_buffer_view view, const etl_session_info *session,
                              const etl_buffer_info *buffer)
{
    etl_record_walk walk = etl_record_walk_start(view);
    etl_record record;
    while (etl_record_walk_next(&walk, &record) == ETL_OK)
        if (record.flags & ETL_RECORD_HAS_TIME)
            return record.raw_time;
    return etl_logfile_flush_time(session, buffer);
}

void etl_record_place(etl_record *record, const etl_session_info *session,
                      const etl_buffer_info *buffer, uint32_t buffer_index, uint16_t source,
                      int64_t *last_raw_time)
{
    /* A WPP message without a time stands where it stands. */
    if (ETL_UNLIKELY(!(record->flags & ETL_RECORD_HAS_TIME)))
        record->raw_time = *last_raw_time;
    *last_raw_time = record->raw_time;
    if (ETL_UNLIKELY(!record->pointer_size))
        record->pointer_size = session->pointer_size == 4 ? 4 : 8;
    record->time = etl_logfile_time(session, record->raw_time);
    record->cpu = buffer->cpu;
    record->source = source;
    record->buffer = buffer_index;
    record->file_offset =
        buffer->offset + (buffer->flags & ETL_BUFFER_COMPRESSED ? 0 : record->buffer_position);
}

/* ---- scan ---- */

static void report_buffer(etl_trace *trace, size_t file, const etl_buffer_info *buffer,
                          const etl_record_walk *walk)
{
    etl_session_info *session = etl_logfile_session_mutable(trace->files[file].logfile);
    bool compressed = buffer->flags & ETL_BUFFER_COMPRESSED;
    if (walk->unknown) {
        session->records_unknown += walk->unknown;
        etl_diag_add(&trace->diag, ETL_DIAG_RECORD_UNKNOWN, (uint32_t)file,
                     buffer->offset + (compressed ? 0 : walk->unknown_position), walk->unknown,
                     "kept raw; the first begins with 0x%08x",
                     etl_load_u32(walk->view.data + walk->unknown_position));
    }
    if (walk->fill_position && !compressed) {
        uint32_t fill = walk->view.size - walk->fill_position;
        session->bytes_used -= fill;
        session->bytes_padding += fill;
    }
    if (walk->damaged_position) {
        uint32_t lost = walk->view.size - walk->damaged_position;
        session->buffers_damaged += !buffer->truncated;
        if (!compressed) {
            session->bytes_used -= lost;
            session->bytes_skipped += lost;
        }
        /* The record that a cut goes through is part of the cut, which was reported. */
        if (!buffer->truncated)
            etl_diag_add(&trace->diag, ETL_DIAG_RECORD_BAD, (uint32_t)file,
                         buffer->offset + (compressed ? 0 : walk->damaged_position), 1,
                         "%u bytes of the buffer were skipped", lost);
    }
}

static int scan_buffer(etl_trace *trace, size_t file, size_t index, etl_scratch *scratch,
                       etl_record_fn **callback, void *context, etl_error *error)
{
    etl_logfile *logfile = trace->files[file].logfile;
    etl_session_info *session = etl_logfile_session_mutable(logfile);
    etl_buffer_info *buffer = etl_logfile_buffer(logfile, index);
    etl_buffer_view view;
    int r = etl_logfile_load(logfile, index, scratch, &view);
    if (r == ETL_ERR_NOMEM)
        return etl_fail(error, r, "out of memory for a buffer");
    if (r != ETL_OK) {
        buffer->skip = true;
        uint32_t body = buffer->stored_size - ETL_BUFFER_HEADER_SIZE;
        session->buffers_damaged++;
        session->bytes_used -= body;
        session->bytes_skipped += body;
        etl_diag_add(&trace->diag, ETL_DIAG_BUFFER_DECOMPRESS, (uint32_t)file, buffer->offset, 1,
                     "%u bytes", body);
        return ETL_OK;
    }
    etl_record_walk walk = etl_record_walk_start(view);
    int64_t last = etl_record_start_time(view, session, buffer);
    etl_record record;
    while (etl_record_walk_next(&walk, &record) == ETL_OK) {
        etl_record_place(&record, session, buffer, (uint32_t)index, (uint16_t)file, &last);
        if (record.raw_time < buffer->min_time)
            buffer->min_time = record.raw_time;
        if (record.raw_time > buffer->max_time)
            buffer->max_time = record.raw_time;
        buffer->record_count++;
        if (ETL_UNLIKELY(record.flags & ETL_RECORD_BAD_EXTENDED))
            etl_diag_add(&trace->diag, ETL_DIAG_RECORD_EXTENDED, (uint32_t)file, record.file_offset,
                         1, "an item does not fit its record");
        if (*callback) {
            r = (*callback)(&record, context, error);
            if (r < ETL_OK)
                return r;
            /* The index is needed whole: who has seen enough is not called again. */
            if (r == ETL_END)
                *callback = NULL;
        }
    }
    report_buffer(trace, file, buffer, &walk);
    if (buffer->record_count) {
        etl_time first = etl_logfile_time(session, buffer->min_time);
        etl_time latest = etl_logfile_time(session, buffer->max_time);
        if (!session->records || first < session->first_event)
            session->first_event = first;
        if (!session->records || latest > session->last_event)
            session->last_event = latest;
        session->records += buffer->record_count;
    }
    return ETL_OK;
}

int etl_trace_scan(etl_trace *trace, etl_record_fn *callback, void *context, etl_error *error)
{
    if (!trace)
        return etl_fail(error, ETL_ERR_ARG, "etl_trace_scan: a trace is needed");
    if (trace->scan_begun)
        return etl_fail(error, ETL_ERR_ARG, "etl_trace_scan: %s",
                        trace->scanned ? "the trace was scanned already"
                                       : "an earlier scan of the trace failed");
    trace->scan_begun = true;
    etl_scratch scratch = {0};
    int r = ETL_OK;
    for (size_t file = 0; file < trace->count && r == ETL_OK; file++) {
        etl_logfile *logfile = trace->files[file].logfile;
        size_t count = etl_logfile_buffer_count(logfile);
        for (size_t i = 0; i < count && r == ETL_OK; i++) {
            const etl_buffer_info *buffer = etl_logfile_buffer(logfile, i);
            if (!buffer->skip)
                r = scan_buffer(trace, file, i, &scratch, &callback, context, error);
            /* The bytes are in the cache now. */
            etl_source_hash_until(trace->files[file].source, buffer->offset + buffer->stored_size);
        }
        if (r == ETL_OK)
            r = etl_source_check(trace->files[file].source, error);
    }
    etl_scratch_free(&scratch);
    trace->scanned = r == ETL_OK;
    return r;
}

int etl_trace_process(etl_trace *trace, etl_record_fn *callback, etl_time begin, etl_time end,
                      void *context, etl_error *error)
{
    if (!trace || !callback)
        return etl_fail(error, ETL_ERR_ARG, "etl_trace_process: trace and callback are needed");
    etl_cursor *cursor;
    int r = etl_cursor_open(trace, begin, end, &cursor, error);
    etl_record record;
    while (r == ETL_OK) {
        r = etl_cursor_next(cursor, &record, error);
        if (r == ETL_OK)
            r = callback(&record, context, error);
        if (r != ETL_OK)
            etl_cursor_close(cursor);
    }
    return r == ETL_END ? ETL_OK : r;
}
