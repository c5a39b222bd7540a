/* Text of traces and of the command line is hostile: what a terminal would obey is escaped. */
#ifndef ETL_CLI_TERMINAL_H
#define ETL_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Length of the well-formed UTF-8 sequence at p, 0 when there is none. p ends with NUL. */
int cli_decode_utf8(const unsigned char *p, uint32_t *ret_code);
/* Control characters, and what changes the direction or hides text. */
bool cli_is_harmful(uint32_t code);

/* Control characters, bidirectional overrides and bytes that are no UTF-8 become \x1b or \u202e. */
void cli_puts_safe(const char *text, FILE *file);

/* "etlkit: " and one line on stderr, escaped. A progress line is wiped before it. */
void cli_say(const char *format, ...) CLI_PRINTF(1, 2);

/* 1234567 as "1,234,567". */
enum { CLI_NUMBER_SIZE = 32 };
const char *cli_number(uint64_t number, char text[CLI_NUMBER_SIZE]);
/* 1234567 as "1.2 MB". */
const char *cli_bytes(uint64_t bytes, char text[CLI_NUMBER_SIZE]);

void cli_flush_output(void);
/* Flushes stdout. EXIT_DONE also when the reader has gone, else EXIT_FAILED and a message. */
int cli_finish_output(void);

#endif
