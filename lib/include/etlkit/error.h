/* Status codes and the error object that every fallible etlkit function shares. */
#ifndef ETLKIT_ERROR_H
#define ETLKIT_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Name, value, meaning. Zero is success, positive a defined non-error, negative a failure. */
#define ETL_STATUS_LIST(X)                                                                         \
    X(ETL_OK, 0, "done")                                                                           \
    X(ETL_END, 1, "no more items")                                                                 \
    X(ETL_ERR_ARG, -1, "wrong argument or call order")                                             \
    X(ETL_ERR_NOMEM, -2, "out of memory")                                                          \
    X(ETL_ERR_IO, -3, "input or output failed")                                                    \
    X(ETL_ERR_NOT_ETL, -4, "not an ETL file")                                                      \
    X(ETL_ERR_DAMAGED, -5, "damaged data")                                                         \
    X(ETL_ERR_LIMIT, -6, "a limit was exceeded")                                                   \
    X(ETL_ERR_UNSUPPORTED, -7, "not supported")                                                    \
    X(ETL_ERR_EXISTS, -8, "the output exists")                                                     \
    X(ETL_ERR_OUTPUT, -9, "the output could not be written")                                       \
    X(ETL_ERR_CHANGED, -10, "the input changed while it was read")                                 \
    X(ETL_ERR_INTERRUPTED, -11, "interrupted")

typedef enum etl_status {
#define ETL_STATUS_ENUM(name, value, text) name = value,
    ETL_STATUS_LIST(ETL_STATUS_ENUM)
#undef ETL_STATUS_ENUM
} etl_status;

#define ETL_NO_OFFSET UINT64_MAX
#define ETL_NO_SOURCE UINT32_MAX /* where the index of a source stands: none in particular */

/* Owned by the caller, filled on failure only. Every function that takes one accepts NULL. */
typedef struct etl_error {
    int code;          /* an etl_status below zero */
    int system_errno;  /* errno of the failed call, or 0 */
    uint64_t offset;   /* byte offset in the input, or ETL_NO_OFFSET */
    char message[512]; /* one line of UTF-8, no newline; names file, offset and way out */
} etl_error;

/* Static text of a status code; never NULL. */
const char *etl_status_text(int status);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
