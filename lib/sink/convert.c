/* Drains a decoder into a sink: temporary file, worker thread, rename. */
#include "sink/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const etl_sink_ops *const sink_table[] = {&etl_sink_sqlite};

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && etl_ascii_equal(text + length - tail, ending);
}

static const etl_sink_ops *find_sink(const char *path, const char *format)
{
    for (size_t i = 0; i < ETL_COUNT_OF(sink_table); i++) {
        const etl_sink_ops *ops = sink_table[i];
        if (format) {
            if (strcmp(format, ops->name) == 0)
                return ops;
            continue;
        }
        for (const char *const *ending = ops->endings; *ending; ending++)
            if (ends_with(path, *ending))
                return ops;
    }
    return NULL;
}

const char *etl_sink_for(const char *path, const char *format)
{
    const etl_sink_ops *ops = find_sink(path, format);
    return ops ? ops->name : NULL;
}

/* ---- the temporary file ---- */

static int check_target(const char *path, bool overwrite, etl_error *error)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return ETL_OK;
    if (!S_ISREG(st.st_mode))
        return etl_fail(error, ETL_ERR_OUTPUT, "%s: is not a regular file; name another output",
                        path);
    if (!overwrite)
        return etl_fail(error, ETL_ERR_EXISTS, "%s: exists; use --force to replace it", path);
    return ETL_OK;
}

static int make_temporary(const char *path, char **ret_name, etl_error *error)
{
    for (unsigned n = 0; n < 1000; n++) {
        etl_str name = {0};
        etl_str_printf(&name, "%s.%ld-%u.tmp", path, (long)getpid(), n);
        if (name.failed) {
            etl_str_free(&name);
            return etl_fail(error, ETL_ERR_NOMEM, "out of memory for a file name");
        }
        int fd = open(name.data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            close(fd);
            *ret_name = name.data;
            return ETL_OK;
        }
        int failed = errno;
        etl_str_free(&name);
        if (failed != EEXIST)
            return etl_fail_errno(error, ETL_ERR_OUTPUT, failed, "%s: cannot be created", path);
    }
    return etl_fail(error, ETL_ERR_OUTPUT, "%s: no free temporary name beside it", path);
}

/* The name must not come before the bytes: late errors, as of a network file system, show here. */
static int flush(const char *temporary, const char *path, etl_error *error)
{
    int fd = open(temporary, O_RDONLY | O_CLOEXEC);
    int r = ETL_OK;
    if (fd < 0 || fsync(fd) != 0)
        r = etl_fail_errno(error, ETL_ERR_OUTPUT, errno, "%s: cannot be written", path);
    if (fd >= 0)
        close(fd);
    return r;
}

static int publish(const char *temporary, const char *path, bool overwrite, etl_error *error)
{
    if (!overwrite) {
        if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
            return ETL_OK;
        if (errno == EEXIST)
            return etl_fail(error, ETL_ERR_EXISTS, "%s: exists; use --force to replace it", path);
        /* Not every file system knows the flag; then the check at the start has to do. */
        if (errno != EINVAL && errno != ENOSYS)
            return etl_fail_errno(error, ETL_ERR_OUTPUT, errno, "%s: cannot be named so", path);
    }
    return rename(temporary, path) == 0
               ? ETL_OK
               : etl_fail_errno(error, ETL_ERR_OUTPUT, errno, "%s: cannot be named so", path);
}

/* ---- the pipeline: the calling thread decodes, a second one writes ---- */

typedef struct pipeline {
    const etl_sink_ops *ops;
    void *sink;
    etl_decoder *decoder;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    etl_batch *queue[ETL_DECODER_BATCHES];
    unsigned head, count; /* batches queued */
    unsigned out;         /* batches not given back */
    bool closed;          /* no more batches will come */
    int failed;           /* status of the writer */
    etl_error error;
} pipeline;

static void *writer_main(void *context)
{
    pipeline *p = context;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->count && !p->closed)
            pthread_cond_wait(&p->changed, &p->lock);
        if (!p->count)
            break;
        etl_batch *batch = p->queue[p->head];
        p->head = (p->head + 1) % ETL_DECODER_BATCHES;
        p->count--;
        bool skip = p->failed != ETL_OK;
        pthread_mutex_unlock(&p->lock);
        int r = skip ? ETL_OK : p->ops->write(p->sink, batch, &p->error);
        etl_decoder_recycle(p->decoder, batch);
        pthread_mutex_lock(&p->lock);
        if (r != ETL_OK)
            p->failed = r;
        p->out--;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static int decode_all(pipeline *p, etl_error *error)
{
    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (p->out == ETL_DECODER_BATCHES && p->failed == ETL_OK)
            pthread_cond_wait(&p->changed, &p->lock);
        int failed = p->failed;
        pthread_mutex_unlock(&p->lock);
        if (failed != ETL_OK)
            return ETL_OK; /* the writer's error is reported by the caller */
        etl_batch *batch;
        int r = etl_decoder_next(p->decoder, &batch, error);
        if (r != ETL_OK)
            return r == ETL_END ? ETL_OK : r;
        pthread_mutex_lock(&p->lock);
        p->queue[(p->head + p->count) % ETL_DECODER_BATCHES] = batch;
        p->count++;
        p->out++;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
}

static int run_threads(pipeline *p, etl_error *error)
{
    pthread_t writer;
    int made = pthread_create(&writer, NULL, writer_main, p);
    if (made != 0)
        return etl_fail_errno(error, ETL_ERR_NOMEM, made, "no thread for the output");
    int r = decode_all(p, error);
    pthread_mutex_lock(&p->lock);
    p->closed = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(writer, NULL);
    return r;
}

static int run_alone(pipeline *p, etl_error *error)
{
    for (;;) {
        etl_batch *batch;
        int r = etl_decoder_next(p->decoder, &batch, error);
        if (r != ETL_OK)
            return r == ETL_END ? ETL_OK : r;
        r = p->ops->write(p->sink, batch, error);
        etl_decoder_recycle(p->decoder, batch);
        if (r != ETL_OK)
            return r;
    }
}

static int write_file(etl_decoder *decoder, const etl_sink_ops *ops, const char *temporary,
                      const etl_convert_options *options, etl_convert_result *ret_result,
                      etl_error *error)
{
    pipeline p = {.ops = ops, .decoder = decoder, .error = {.offset = ETL_NO_OFFSET}};
    int r = ops->open(temporary, options, &p.sink, error);
    if (r != ETL_OK)
        return r;
    if (options->jobs == 1) {
        r = run_alone(&p, error);
    } else {
        pthread_mutex_init(&p.lock, NULL);
        pthread_cond_init(&p.changed, NULL);
        r = run_threads(&p, error);
        pthread_cond_destroy(&p.changed);
        pthread_mutex_destroy(&p.lock);
        if (r == ETL_OK && p.failed != ETL_OK) {
            r = p.failed;
            if (error)
                *error = p.error;
        }
    }
    if (r == ETL_OK)
        r = ops->finish(p.sink, decoder, error);
    if (r == ETL_OK) {
        struct stat st;
        ret_result->events = etl_decoder_totals_get(decoder)->events;
        ret_result->rows = ops->rows(p.sink);
        ret_result->output_bytes = stat(temporary, &st) == 0 ? (uint64_t)st.st_size : 0;
    }
    ops->destroy(p.sink);
    return r;
}

int etl_convert(etl_decoder *decoder, const char *path, const etl_convert_options *options,
                etl_convert_result *ret_result, etl_error *error)
{
    static const etl_convert_options defaults = {0};
    if (!decoder || !path)
        return etl_fail(error, ETL_ERR_ARG, "etl_convert: decoder and path are needed");
    if (!options)
        options = &defaults;
    const etl_sink_ops *ops = find_sink(path, options->format);
    if (!ops)
        return etl_fail(error, ETL_ERR_UNSUPPORTED,
                        "%s: the kind of output is not known; end the name in .db or .sqlite",
                        path);
    int r = check_target(path, options->overwrite, error);
    if (r != ETL_OK)
        return r;
    char *temporary = NULL;
    r = make_temporary(path, &temporary, error);
    if (r != ETL_OK)
        return r;
    etl_convert_result result = {0};
    r = write_file(decoder, ops, temporary, options, &result, error);
    if (r == ETL_OK)
        r = flush(temporary, path, error);
    if (r == ETL_OK)
        r = publish(temporary, path, options->overwrite, error);
    if (r != ETL_OK)
        unlink(temporary);
    else if (ret_result)
        *ret_result = result;
    if (r == ETL_ERR_OUTPUT && error && strncmp(error->message, path, strlen(path)) != 0) {
        etl_error inner = *error;
        etl_fail(error, r, "%s: %.400s", path, inner.message);
        error->system_errno = inner.system_errno;
    }
    free(temporary);
    return r;
}
