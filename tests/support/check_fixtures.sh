#!/bin/sh
# usage: check_fixtures.sh MAKE_FIXTURES DIRECTORY
set -eu
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$1" "$made"
for file in "$made"/*.etl; do
    cmp "$file" "$2/$(basename "$file")" || {
        echo "run '$1 $2' when a recipe has changed" >&2
        exit 1
    }
done
