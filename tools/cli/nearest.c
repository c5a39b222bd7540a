#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 31 };

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance with swapped neighbours counted as one edit; names are short. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[LONGEST_NAME + 1][LONGEST_NAME + 1];
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length > LONGEST_NAME || b_length > LONGEST_NAME)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        rows[i][0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            rows[i][j] = smallest(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && rows[i - 2][j - 2] + 1 < rows[i][j])
                rows[i][j] = rows[i - 2][j - 2] + 1;
        }
    }
    return rows[a_length][b_length];
}

const char *cli_nearest(const char *text, const char *const *names)
{
    const char *best = NULL;
    /* A third of the letters may be wrong; more is another word. */
    size_t best_distance = strlen(text) / 3 + 2;
    for (; *names; names++) {
        size_t edits = distance(text, *names);
        bool begins = strlen(text) >= 2 && strncmp(*names, text, strlen(text)) == 0;
        if (begins)
            edits = 1;
        if (edits < best_distance && edits < strlen(*names)) {
            best = *names;
            best_distance = edits;
        }
    }
    return best;
}
