/* Plain value types: GUID and time. */
#ifndef ETLKIT_TYPES_H
#define ETLKIT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A GUID as its 16 bytes in file order (first three groups little-endian). Compare with memcmp. */
typedef struct etl_guid {
    uint8_t bytes[16];
} etl_guid;

/* Point in time: FILETIME, 100 ns units since 1601-01-01 UTC. Signed, so that differences work. */
typedef int64_t etl_time;

#define ETL_TIME_MIN INT64_MIN
#define ETL_TIME_MAX INT64_MAX
/* FILETIME of 1970-01-01 00:00:00 UTC. */
#define ETL_TIME_UNIX_EPOCH INT64_C(116444736000000000)

enum {
    ETL_GUID_TEXT_SIZE = 37, /* 8-4-4-4-12 lower-case hex digits and NUL */
    ETL_TIME_TEXT_SIZE = 40  /* 2026-07-01T12:34:56.1234567Z and NUL, or a raw number */
};

/* Writes lower-case text without braces. */
void etl_guid_text(const etl_guid *guid, char ret_text[ETL_GUID_TEXT_SIZE]);
/* Accepts upper or lower case, with or without braces. */
bool etl_guid_parse(const char *text, etl_guid *ret_guid);

/* ISO 8601 with seven decimals and Z. Times outside the years 1601 to 9999, which have no such
   text, give the raw number. */
void etl_time_text(etl_time time, char ret_text[ETL_TIME_TEXT_SIZE]);
/* Nanoseconds since 1970-01-01 UTC. What does not fit 64 bits is clamped to INT64_MIN / MAX. */
int64_t etl_time_unix_ns(etl_time time);
/* ISO 8601 date with optional time, fraction and zone (Z, +hh:mm; none means UTC), or a FILETIME
   number (18 digits). */
bool etl_time_parse(const char *text, etl_time *ret_time);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
