#!/bin/sh
# Every public header compiles alone, as C17 and as C++17, without a warning.
# check_headers.sh ROOT
set -eu
code=0
count=0
strict='-Wall -Wextra -pedantic -Werror -fsyntax-only'
for header in "$1"/lib/include/etlkit/*.h; do
    name=etlkit/$(basename "$header")
    for language in c c++; do
        compiler=cc
        [ "$language" = c ] || compiler=c++
        count=$((count + 1))
        # shellcheck disable=SC2086
        if ! echo "#include <$name>" |
            $compiler -x "$language" -std="${language}17" $strict -I "$1/lib/include" -; then
            echo "$name does not compile alone as $language"
            code=1
        fi
    done
done
[ "$code" -ne 0 ] || echo "$count compilations are clean"
exit "$code"
