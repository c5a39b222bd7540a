#include "cli/terminal.h"

#include "cli/options.h"
#include "cli/progress.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

int cli_decode_utf8(const unsigned char *p, uint32_t *ret_code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
    if (length <= 1) {
        *ret_code = *p;
        return length;
    }
    uint32_t code = *p & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        code = code << 6 | (p[i] & 0x3F);
    }
    *ret_code = code;
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < smallest[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

bool cli_is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

void cli_puts_safe(const char *text, FILE *file)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        uint32_t code = 0;
        int length = cli_decode_utf8(p, &code);
        if (length == 0 || (length == 1 && cli_is_harmful(code))) {
            fprintf(file, "\\x%02x", *p);
            p++;
            continue;
        }
        if (cli_is_harmful(code))
            fprintf(file, "\\u%04x", (unsigned)code);
        else
            fwrite(p, 1, (size_t)length, file);
        p += length;
    }
}

void cli_say(const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    cli_progress_wipe();
    fputs("etlkit: ", stderr);
    cli_puts_safe(line, stderr);
    fputc('\n', stderr);
}

const char *cli_number(uint64_t number, char text[CLI_NUMBER_SIZE])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    size_t out = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = 0;
    return text;
}

const char *cli_bytes(uint64_t bytes, char text[CLI_NUMBER_SIZE])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) {
        snprintf(text, CLI_NUMBER_SIZE, "%u bytes", (unsigned)bytes);
        return text;
    }
    double value = (double)bytes / 1000;
    size_t unit = 0;
    while (value >= 999.95 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    snprintf(text, CLI_NUMBER_SIZE, "%.1f %s", value, units[unit]);
    return text;
}

/* Of the first flush that failed; stdio does not keep it. */
static int output_errno;

void cli_flush_output(void)
{
    if (fflush(stdout) != 0 && output_errno == 0)
        output_errno = errno;
}

/* An early write may have met the closed pipe and its errno be long gone: ask the pipe itself. */
static bool reader_has_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

int cli_finish_output(void)
{
    cli_flush_output();
    if (!ferror(stdout) || reader_has_gone())
        return EXIT_DONE;
    cli_say("cannot write to standard output: %s",
            output_errno ? strerror(output_errno) : "write error");
    return EXIT_FAILED;
}
