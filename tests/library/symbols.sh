#!/bin/sh
# symbols.sh BUILD SCRATCH HEADERS: libsegue.so and libsegue.a export the functions of the public headers,
# each of them and nothing else.
set -eu
build=$1 headers=$3
mkdir -p "$2" && cd "$2"
command -v nm >/dev/null 2>&1 || { echo "no nm"; exit 77; }
cmake --build "$build" --target bundle >/dev/null

# What the headers declare: SG_API, a type, a name, a parenthesis; perhaps over two lines.
cat "$headers"/*.h | grep -v '^#' | sed 's|//.*||' | tr '\n' ' ' | grep -o 'SG_API [^;(]*(' |
    sed 's/($//; s/.*[ *]//' | sort >declared
[ "$(wc -l <declared)" -gt 100 ] || { echo "too few declarations were found"; cat declared; exit 1; }
[ -z "$(uniq -d declared)" ] || { echo "declared twice:"; uniq -d declared; exit 1; }
nm -D --defined-only "$build"/libsegue.so | awk '{ print $3 }' | sort >shared
nm -g --defined-only "$build"/libsegue.a | awk 'NF == 3 { print $3 }' | sort >static
for form in shared static; do
    if ! cmp -s declared $form; then
        echo "$form: < declared, > exported"
        diff declared $form
        exit 1
    fi
done

# Functions that a header declares without SG_API would be missing for whoever uses the library.
bare=$(sed 's|//.*||' "$headers"/*.h | grep -E '^[a-z_][a-z0-9_ ]*[ *]sg_[a-z0-9_]+\(' |
    grep -Ev '^(static|typedef|SG_API)' || true)
[ -z "$bare" ] || { echo "without SG_API: $bare"; exit 1; }
# Nothing in it must be moved to where it is loaded.
! readelf -d "$build"/libsegue.so | grep -q TEXTREL || { echo "not position independent"; exit 1; }
echo "$(wc -l <declared) names"
