#include "cli/pack_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Relative to the folder of the program: build tree, then installation. */
static const char *const relative_places[] = {
    "../schemas/etlkit.pack",
    "../share/etlkit/etlkit.pack",
};

static size_t program_folder(char *buffer, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", buffer, size - 1);
    if (length <= 0)
        return 0;
    buffer[length] = 0;
    char *slash = strrchr(buffer, '/');
    return slash ? (size_t)(slash - buffer) + 1 : 0;
}

const char *cli_pack_path(const char *given, char *buffer, size_t size)
{
    if (given)
        return given;
    const char *environment = getenv("ETLKIT_PACK");
    if (environment && *environment)
        return environment;
    size_t folder = program_folder(buffer, size);
    for (size_t i = 0; folder > 0 && i < sizeof relative_places / sizeof *relative_places; i++) {
        int length = snprintf(buffer + folder, size - folder, "%s", relative_places[i]);
        if ((size_t)length < size - folder && access(buffer, R_OK) == 0)
            return buffer;
    }
    return access(ETLKIT_PACK_DIR "/etlkit.pack", R_OK) == 0 ? ETLKIT_PACK_DIR "/etlkit.pack"
                                                             : NULL;
}
