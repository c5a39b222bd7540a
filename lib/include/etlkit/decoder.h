/* The decoder: a trace in, columnar batches out. Runs the scan pass, builds the schema catalog,
   decodes each record in time order into the columns of its event type. */
#ifndef ETLKIT_DECODER_H
#define ETLKIT_DECODER_H

#include "batch.h"
#include "status.h"
#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct etl_decoder etl_decoder;

/* An inclusive range of event ids (opcodes for classic events), or a name pattern. */
typedef struct etl_event_pattern {
    uint16_t first, last;
    const char *name; /* NULL: by id; else event or type name with * and ?, ignoring case */
} etl_event_pattern;

/* Which events are wanted. An empty list lets everything through; several items of one list are
   alternatives; different lists must all agree. Arrays and texts stay the caller's and must outlive
   the decoder. */
typedef struct etl_filter {
    etl_time begin; /* both inclusive */
    etl_time end;
    const char *const *providers; /* names or GUIDs, * and ? in names, ignoring case */
    size_t provider_count;
    const etl_event_pattern *events;
    size_t event_count;
    const uint32_t *processes;
    size_t process_count;
} etl_filter;
#define ETL_FILTER_INIT                                                                            \
    {                                                                                              \
        .begin = ETL_TIME_MIN, .end = ETL_TIME_MAX                                                 \
    }

typedef struct etl_decoder_options {
    const char *pack_path; /* compiled schema pack; NULL: none */
    bool keep_raw;         /* payload bytes of decoded events too */
    size_t batch_rows;     /* events per batch, 0: default */
    /* Called now and then with bytes done and in all, over both passes; may be NULL. Anything but
       ETL_OK stops with that error. */
    int (*progress)(uint64_t done, uint64_t total, void *context);
    void *progress_context;
} etl_decoder_options;

/* First pass over the trace, then ready to give batches. The trace stays the caller's. */
int etl_decoder_open(etl_trace *trace, const etl_decoder_options *options,
                     etl_decoder **ret_decoder, etl_error *error);
etl_decoder *etl_decoder_close(etl_decoder *decoder);
/* Before the first batch only. Times of the filter may depend on the session's, known after open.
 */
int etl_decoder_set_filter(etl_decoder *decoder, const etl_filter *filter, etl_error *error);

/* The next events, or ETL_END. A batch is the caller's until it gives it back; at most
   ETL_DECODER_BATCHES may be out at once (another thread may hold them while this one goes on). */
enum { ETL_DECODER_BATCHES = 4 };
int etl_decoder_next(etl_decoder *decoder, etl_batch **ret_batch, etl_error *error);
void etl_decoder_recycle(etl_decoder *decoder, etl_batch *batch);
/* Instead of batches: the next record of the whole trace in time order, valid until the next call,
   or ETL_END. *ret_wanted: the filter, its times included, lets it through. Who copies events needs
   also those that describe them, such as manifests, wherever they stand. */
int etl_decoder_next_record(etl_decoder *decoder, etl_record *ret_record, bool *ret_wanted,
                            etl_error *error);

/* For long work after the last batch: calls the progress callback once more, and returns what it
   says. */
int etl_decoder_poll(etl_decoder *decoder);

/* Everything seen so far; complete after ETL_END. Entries live as long as the decoder, and those
   that a batch refers to do not move. */
size_t etl_decoder_type_count(const etl_decoder *decoder);
const etl_event_type *etl_decoder_type(const etl_decoder *decoder, size_t index);
size_t etl_decoder_provider_count(const etl_decoder *decoder);
const etl_provider *etl_decoder_provider(const etl_decoder *decoder, size_t index);
const etl_trace *etl_decoder_trace(const etl_decoder *decoder);

typedef struct etl_decoder_totals {
    uint64_t events;              /* given out */
    uint64_t filtered;            /* left out by the filter, those in skipped buffers not counted */
    uint64_t by_schema_source[8]; /* events by etl_schema_source */
    uint64_t by_status[8];        /* events by etl_event_status */
} etl_decoder_totals;
const etl_decoder_totals *etl_decoder_totals_get(const etl_decoder *decoder);

/* Data problems found by all layers so far. Text is NULL or one line of UTF-8. */
typedef struct etl_problem {
    const char *code;     /* "RECORD_BAD" */
    const char *severity; /* "info", "warning", "error" */
    const char *meaning;
    const char *text;
    uint32_t source; /* index, or ETL_NO_SOURCE */
    uint64_t offset; /* or ETL_NO_OFFSET */
    uint64_t count;
} etl_problem;
size_t etl_decoder_problem_count(const etl_decoder *decoder);
etl_problem etl_decoder_problem(const etl_decoder *decoder, size_t index);

/* ---- text ---- */

/* Appends into a caller's buffer the text of one value (maps by name when there is one); what
   snprintf would return. NULL values give nothing. */
size_t etl_column_text(const etl_column *column, size_t row, char *text, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
