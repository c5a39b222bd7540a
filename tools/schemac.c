/* schemac: compiles the text of schemas/ into the pack that etlkit loads. Part of the build, not
   installed.

     schemac [-d DEPFILE] OUT.pack FILE|DIRECTORY ...

   Of a directory it takes all *.txt, those of its subdirectories too, in the order of names. The
   depfile names what was read for make and ninja, directories included: a new file changes them. */
#include "schema/text_model.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct paths {
    char **items;
    size_t count;
    size_t capacity;
} paths;

static bool add_path(paths *list, const char *path)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        char **items = realloc(list->items, capacity * sizeof *items);
        if (!items)
            return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count] = strdup(path);
    return list->items[list->count] && ++list->count;
}

static void free_paths(paths *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
}

static int fail(const char *path, const char *what)
{
    fprintf(stderr, "schemac: %s: %s\n", path, what);
    return -1;
}

/* Byte order, so that the pack does not depend on the locale. */
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_text(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".txt") == 0;
}

static int collect(const char *path, bool named, paths *files, paths *seen)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return fail(path, strerror(errno));
    if (!S_ISDIR(status.st_mode)) {
        if (!named && !is_text(path))
            return 0;
        return add_path(files, path) && add_path(seen, path) ? 0 : fail(path, "out of memory");
    }
    if (!add_path(seen, path))
        return fail(path, "out of memory");
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, compare_entries);
    if (count < 0)
        return fail(path, strerror(errno));
    int r = 0;
    for (int i = 0; i < count; i++) {
        if (r == 0 && entries[i]->d_name[0] != '.') {
            etl_str child = {0};
            etl_str_printf(&child, "%s/%s", path, entries[i]->d_name);
            r = child.failed ? fail(path, "out of memory")
                             : collect(child.data, false, files, seen);
            etl_str_free(&child);
        }
        free(entries[i]);
    }
    free(entries);
    return r;
}

/* Replaces `path` at once, so that an interrupted build leaves no half pack. */
static int write_file(const char *path, const char *data, size_t size)
{
    etl_str temporary = {0};
    etl_str_printf(&temporary, "%s.tmp", path);
    if (temporary.failed)
        return fail(path, "out of memory");
    FILE *file = fopen(temporary.data, "wbe");
    bool written = file && fwrite(data, 1, size, file) == size;
    int saved = errno;
    if (file && fclose(file) != 0 && written) {
        saved = errno;
        written = false;
    }
    if (written && rename(temporary.data, path) < 0) {
        saved = errno;
        written = false;
    }
    if (file && !written)
        unlink(temporary.data);
    etl_str_free(&temporary);
    return written ? 0 : fail(path, strerror(saved));
}

static int write_depfile(const char *path, const char *target, const paths *seen)
{
    etl_str text = {0};
    etl_str_printf(&text, "%s:", target);
    for (size_t i = 0; i < seen->count; i++) {
        etl_str_puts(&text, " \\\n  ");
        for (const char *c = seen->items[i]; *c; c++) {
            if (*c == ' ' || *c == '#')
                etl_str_puts(&text, "\\");
            etl_str_add(&text, c, 1);
        }
    }
    etl_str_puts(&text, "\n");
    int r = text.failed ? fail(path, "out of memory") : write_file(path, text.data, text.size);
    etl_str_free(&text);
    return r;
}

static int compile(const paths *files, const char *out_path)
{
    etl_text_set set = {0};
    etl_str bytes = {0};
    etl_error error = {0};
    int r = ETL_OK;
    for (size_t i = 0; r == ETL_OK && i < files->count; i++)
        r = etl_text_read_file(&set, files->items[i], &error);
    if (r == ETL_OK)
        r = etl_pack_write(&set, &bytes, &error);
    if (r < 0)
        fprintf(stderr, "schemac: %s\n", error.message);
    else
        r = write_file(out_path, bytes.data, bytes.size);
    etl_str_free(&bytes);
    etl_text_set_free(&set);
    return r;
}

int main(int argc, char **argv)
{
    const char *depfile = NULL;
    int option;
    while ((option = getopt(argc, argv, "d:")) != -1) {
        if (option != 'd')
            optind = argc;
        else
            depfile = optarg;
    }
    if (argc - optind < 2) {
        fprintf(stderr, "usage: schemac [-d DEPFILE] OUT.pack FILE|DIRECTORY ...\n");
        return 2;
    }
    const char *out_path = argv[optind];
    paths files = {0}, seen = {0};
    int r = 0;
    for (int i = optind + 1; r == 0 && i < argc; i++)
        r = collect(argv[i], true, &files, &seen);
    if (r == 0)
        r = compile(&files, out_path);
    if (r == 0 && depfile)
        r = write_depfile(depfile, out_path, &seen);
    free_paths(&files);
    free_paths(&seen);
    return r == 0 ? 0 : 1;
}
