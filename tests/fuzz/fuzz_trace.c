/* Container, records, in-stream schemas, decoding and columns: everything between a file and a
   batch. */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "etlkit/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    etl_source *source = NULL;
    etl_trace *trace = NULL;
    etl_decoder *decoder = NULL;
    etl_text_writer *writer = NULL;
    etl_error error = {0};
    FILE *null = fopen("/dev/null", "w");
    etl_decoder_options options = {
        .pack_path = getenv("ETLKIT_PACK"), .keep_raw = true, .batch_rows = 64};
    if (null && etl_source_open(path, &source, &error) == ETL_OK &&
        etl_trace_open(&source, 1, &trace, &error) == ETL_OK &&
        etl_decoder_open(trace, &options, &decoder, &error) == ETL_OK &&
        etl_text_writer_open(null, size % 2 ? ETL_TEXT_JSON : ETL_TEXT_LINE, &writer, &error) ==
            ETL_OK) {
        etl_batch *batch;
        uint64_t events = 0;
        while (etl_decoder_next(decoder, &batch, &error) == ETL_OK) {
            events += batch->events.row_count;
            etl_text_writer_batch(writer, batch, NULL, &error);
            etl_decoder_recycle(decoder, batch);
        }
        const etl_session_info *s = etl_trace_session(trace, 0);
        /* Accounting closes, and no record is lost between the passes. */
        if (s->bytes_header + s->bytes_used + s->bytes_padding + s->bytes_skipped != size ||
            events != s->records)
            abort();
    }
    etl_text_writer_close(writer);
    etl_decoder_close(decoder);
    etl_trace_close(trace);
    etl_source_close(source);
    if (null)
        fclose(null);
    close(fd);
    return 0;
}
