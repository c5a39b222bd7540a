/* Ratios measured in one run: opening the schema pack, full decode into columns, the least that
   loading the same rows into SQLite can cost, and convert. usage: bench TRACE PACK [ROUNDS]; the
   best of all rounds counts. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "etlkit/sink.h"
#include "schema/pack.h"
#include "sink/sqlite_sink.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static _Noreturn void die(const char *what, const etl_error *error)
{
    fprintf(stderr, "bench: %s: %s\n", what, error->message);
    exit(1);
}

typedef struct run {
    etl_source *source;
    etl_trace *trace;
    etl_decoder *decoder;
} run;

static run start(const char *trace, const char *pack, size_t batch_rows)
{
    run r = {0};
    etl_error error = {0};
    etl_decoder_options options = {.pack_path = pack, .batch_rows = batch_rows};
    if (etl_source_open(trace, &r.source, &error) ||
        etl_trace_open(&r.source, 1, &r.trace, &error) ||
        etl_decoder_open(r.trace, &options, &r.decoder, &error))
        die("open", &error);
    return r;
}

static void stop(run *r)
{
    etl_decoder_close(r->decoder);
    etl_trace_close(r->trace);
    etl_source_close(r->source);
}

/* Both passes, into recycled batches. */
static uint64_t decode(const char *trace, const char *pack, double *ret_seconds)
{
    double begin = cpu_now();
    run r = start(trace, pack, 0);
    etl_error error = {0};
    etl_batch *batch;
    int status;
    while ((status = etl_decoder_next(r.decoder, &batch, &error)) == ETL_OK)
        etl_decoder_recycle(r.decoder, batch);
    if (status < 0)
        die("decode", &error);
    uint64_t events = etl_decoder_totals_get(r.decoder)->events;
    *ret_seconds = cpu_now() - begin;
    stop(&r);
    return events;
}

/* The same rows from memory: one batch holds the whole trace before the clock starts. */
static double load(const char *trace, const char *pack, const char *path)
{
    run r = start(trace, pack, (size_t)1 << 21);
    etl_error error = {0};
    etl_batch *batch;
    if (etl_decoder_next(r.decoder, &batch, &error) != ETL_OK)
        die("decode", &error);
    fclose(fopen(path, "w"));
    double begin = now();
    etl_convert_options options = {0};
    void *sink;
    if (etl_sink_sqlite.open(path, &options, &sink, &error) ||
        etl_sink_sqlite.write(sink, batch, &error) ||
        etl_sqlite_exec(((etl_sqlite_sink *)sink)->db, "COMMIT", &error))
        die("load", &error);
    double seconds = now() - begin;
    etl_sink_sqlite.destroy(sink);
    unlink(path);
    stop(&r);
    return seconds;
}

static double convert(const char *trace, const char *pack, const char *path)
{
    double begin = now();
    run r = start(trace, pack, 0);
    etl_error error = {0};
    etl_convert_options options = {.format = "sqlite", .overwrite = true};
    if (etl_convert(r.decoder, path, &options, NULL, &error))
        die("convert", &error);
    stop(&r);
    double seconds = now() - begin;
    unlink(path);
    return seconds;
}

static double open_pack(const char *path)
{
    double begin = now();
    etl_pack *pack;
    etl_error error = {0};
    if (etl_pack_open(path, &pack, &error))
        die("pack", &error);
    double seconds = now() - begin;
    etl_pack_close(pack);
    return seconds;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench TRACE PACK [ROUNDS]\n");
        return 2;
    }
    int rounds = argc > 3 ? atoi(argv[3]) : 10;
    const char *directory = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    char path[4096];
    snprintf(path, sizeof path, "%s/etlkit-bench-%ld.db", directory, (long)getpid());
    double best_pack = 1e9, best_decode = 1e9, best_load = 1e9, best_convert = 1e9;
    uint64_t events = 0;
    for (int i = 0; i < rounds; i++) {
        double seconds = open_pack(argv[2]);
        if (seconds < best_pack)
            best_pack = seconds;
        events = decode(argv[1], argv[2], &seconds);
        if (seconds < best_decode)
            best_decode = seconds;
        seconds = convert(argv[1], argv[2], path);
        if (seconds < best_convert)
            best_convert = seconds;
        if (i == 0) {
            struct rusage usage;
            getrusage(RUSAGE_SELF, &usage);
            printf("peak memory after convert: %.1f MiB\n", (double)usage.ru_maxrss / 1024);
        }
        /* The three take turns, so that a slow phase of the machine hits all of them. */
        seconds = load(argv[1], argv[2], path);
        if (seconds < best_load)
            best_load = seconds;
    }
    printf("pack open: %.2f ms\n", best_pack * 1e3);
    printf("decode into columns: %.1f ms, %.2f million events/s\n", best_decode * 1e3,
           (double)events / best_decode / 1e6);
    printf("INSERT ... SELECT from memory: %.1f ms\n", best_load * 1e3);
    printf("convert: %.1f ms, %.2f times the load\n", best_convert * 1e3, best_convert / best_load);
    return 0;
}
