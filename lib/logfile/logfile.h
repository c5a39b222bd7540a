/* logfile: the container of one .etl. Buffers, index, decompression, logfile header, clock, loss.
   Knows nothing of what is inside a record but the first one. */
#ifndef ETL_LOGFILE_H
#define ETL_LOGFILE_H

#include "base/base.h"
#include "etlkit/session.h"
#include "etlkit/source.h"

/* WMI_BUFFER_HEADER.BufferFlag */
enum {
    ETL_BUFFER_FLUSH_MARKER = 0x01,
    ETL_BUFFER_EVENTS_LOST = 0x02,
    ETL_BUFFER_BUFFER_LOST = 0x04,
    ETL_BUFFER_RTBACKUP_CORRUPT = 0x08,
    ETL_BUFFER_RTBACKUP = 0x10,
    ETL_BUFFER_PROC_INDEX = 0x20,
    ETL_BUFFER_COMPRESSED = 0x40
};
/* WMI_BUFFER_HEADER.BufferType */
enum {
    ETL_BUFFER_GENERIC = 0,
    ETL_BUFFER_RUNDOWN = 1,
    ETL_BUFFER_CTX_SWAP = 2,
    ETL_BUFFER_REFTIME = 3, /* no events */
    ETL_BUFFER_HEADER = 4,
    ETL_BUFFER_BATCHED = 5,
    ETL_BUFFER_EMPTY_MARKER = 6, /* no events */
    ETL_BUFFER_DBG_INFO = 7
};
enum { ETL_BUFFER_HEADER_SIZE = 72 };

/* One buffer of the index. min_time and max_time are filled by the scan pass (raw clock;
   min > max: no dated record). */
typedef struct etl_buffer_info {
    uint64_t offset; /* in the file */
    int64_t timestamp;
    int64_t sequence;
    int64_t min_time;
    int64_t max_time;
    uint32_t stored_size; /* bytes on disk that are there, header included */
    uint32_t used;        /* valid bytes after decompression, header included */
    uint32_t record_count;
    uint16_t cpu;
    uint16_t logger_id;
    uint16_t flags;
    uint16_t type;
    bool truncated; /* the file ends inside it */
    bool skip;      /* carries no records (type 3, 6, or not decompressible) */
} etl_buffer_info;

/* Bytes of one loaded buffer; records start at data + ETL_BUFFER_HEADER_SIZE and end at
   data + size. Points into the mapping, or into the scratch space it was decompressed to. */
typedef struct etl_buffer_view {
    const uint8_t *data;
    uint32_t size;
    bool old_instances; /* the log's layout is before 1.1: EVENT_INSTANCE_HEADER has no GUIDs */
} etl_buffer_view;

/* Space for one decompressed buffer, owned by whoever walks; starts zeroed. */
typedef struct etl_scratch {
    uint8_t *data;
    size_t capacity;
} etl_scratch;

typedef struct etl_logfile etl_logfile;

/* Checks that `source` is an ETL, reads the logfile header and walks all buffer headers to the end
   of the file, whatever BuffersWritten says. The source stays the caller's and must outlive it.
   Data problems go to `diag` under index `source_index`. ETL_ERR_NOT_ETL names what is wrong with
   the first buffer and where. */
int etl_logfile_open(etl_source *source, uint32_t source_index, etl_diag *diag,
                     etl_logfile **ret_logfile, etl_error *error);
etl_logfile *etl_logfile_close(etl_logfile *logfile);

const etl_session_info *etl_logfile_session(const etl_logfile *logfile);
/* The scan pass fills in what only it learns (event counts, times). */
etl_session_info *etl_logfile_session_mutable(etl_logfile *logfile);
size_t etl_logfile_buffer_count(const etl_logfile *logfile);
etl_buffer_info *etl_logfile_buffer(etl_logfile *logfile, size_t index);
/* ETL_OK; ETL_ERR_DAMAGED when it cannot be decompressed. */
int etl_logfile_load(const etl_logfile *logfile, size_t index, etl_scratch *scratch,
                     etl_buffer_view *ret_view);
void etl_scratch_free(etl_scratch *scratch);

/* Raw session clock to FILETIME: StartTime + (raw - first raw) * 10^7 / frequency, exact, truncated
   toward zero (etl-format section 4); system time is taken as it is. Saturates. */
etl_time etl_logfile_time(const etl_session_info *session, int64_t raw);
/* Raw time of a buffer's flush. Writers in user mode store a FILETIME whatever the clock, most
   header buffers none (etl-format 1.2): then it is the session's first time. */
int64_t etl_logfile_flush_time(const etl_session_info *session, const etl_buffer_info *buffer);

/* Decompressors (MS-XCA; LZNT1 also serves blobs inside events). Each writes exactly out_size bytes
   and returns true, or returns false; neither reads nor writes outside. */
bool etl_xpress_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);
bool etl_xpress_huffman_decompress(const uint8_t *in, size_t in_size, uint8_t *out,
                                   size_t out_size);
bool etl_lznt1_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);

#endif
