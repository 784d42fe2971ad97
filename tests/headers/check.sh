#!/bin/sh
# check.sh MODE ROOT SCRATCH, with CC, CXX and FLAGS (include paths) in the environment.
#   alone     every header compiles by itself: the public ones in C and in C++, the others in C
#   together  one translation unit includes all headers: no name has two meanings
#   types     no name of a type is defined twice, be it inside of one file (types.awk); small
#             fixtures of tests are left out
#   usage     every public function is called with arguments that cannot be, in usage_test.c of api and study, and
#             the page of the public headers names each of them
#   self      ... and each of these finds what it is made for, in a small tree that is wrong
set -u
mode=$1
root=$2
scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
warnings='-Wall -Wextra -Wpedantic -Wundef -Werror'
here=$(cd "$(dirname "$0")" && pwd)
failed=0

fail() {
    echo "$1"
    failed=1
}

# Lists that are included in the middle of other files are no headers of this kind: no guard.
headers() {
    (cd "$1" && find src include -name '*.h' ! -name '*_test.h' -exec grep -l '^#pragma once' {} + | sort)
}

# compile LANGUAGE FILE...
compile() {
    language=$1
    shift
    if [ "$language" = c ]; then
        "$CC" -std=c17 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $warnings $FLAGS -fsyntax-only "$@"
    else
        "$CXX" -std=c++17 $warnings $FLAGS -fsyntax-only "$@"
    fi
}

check_alone() {
    for header in $(cd "$1" && ls include/segue/*.h); do
        echo "#include \"segue/$(basename "$header")\"" >"$scratch/alone.c"
        echo 'int sg_only_a_header;' >>"$scratch/alone.c"
        cp "$scratch/alone.c" "$scratch/alone.cpp"
        compile c "$scratch/alone.c" || fail "$header does not compile alone in C"
        [ -z "$CXX" ] || compile c++ "$scratch/alone.cpp" || fail "$header does not compile alone in C++"
    done
    files= # all in one run of the compiler
    for header in $(headers "$1" | grep '^src/'); do
        file=$scratch/$(echo "${header#src/}" | tr / _).c
        printf '#include "%s"\ntypedef int sg_only_a_header;\n' "${header#src/}" >"$file"
        files="$files $file"
    done
    [ -z "$files" ] || compile c $files || fail 'a header of src does not compile alone'
}

check_together() {
    headers "$1" | sed 's,^src/,,; s,^include/,,; s,.*,#include "&",' >"$scratch/together.c"
    compile c "$scratch/together.c" || fail 'two headers give one name two meanings'
    echo "$(wc -l <"$scratch/together.c") headers in one translation unit"
}

check_types() {
    (cd "$1" && find src include -name '*.[ch]' ! -name '*_test.[ch]' -exec awk -f "$here/types.awk" {} + |
        sort -u) >"$scratch/types"
    repeated=$(awk '{ n[$1]++; where[$1] = where[$1] " " $2 }
        END { for (name in n) if (n[name] > 1) print name ":" where[name] }' "$scratch/types" | sort)
    [ -z "$repeated" ] || fail "names of several types:
$repeated"
    echo "$(wc -l <"$scratch/types") names of types"
}

# Names of functions stand at the beginning of declarations: those of comments and inline ones are left out.
check_usage() {
    (cd "$1" && sed -n '/^static inline/d; s/^SG_API //; s/^[a-z][a-z0-9_ ]*[ *]\(sg_[a-z0-9_]*\)(.*/\1/p' include/segue/*.h) |
        sort -u >"$scratch/functions"
    for name in $(cat "$scratch/functions"); do
        cat "$1/src/api/usage_test.c" "$1/src/api/study_usage_test.c" 2>/dev/null | grep -q "\<$name(" ||
            fail "src/api/usage_test.c does not call $name"
    done
    for header in $(cd "$1/include/segue" && ls ./*.h); do
        grep -q "\`${header#./}\`" "$1/include/segue/README.md" ||
            fail "include/segue/README.md does not name ${header#./}"
    done
    echo "$(wc -l <"$scratch/functions") public functions"
}

# expect WHAT COMMAND...: it must fail and say so
expect() {
    what=$1
    shift
    failed=0
    "$@" >"$scratch/log" 2>&1
    if [ "$failed" -eq 0 ] || ! grep -q "$what" "$scratch/log"; then
        cat "$scratch/log"
        echo "not found: $what"
        wrong=1
    fi
}

check_self() {
    tree=$scratch/tree
    wrong=0
    mkdir -p "$tree/src/base" "$tree/include/segue"
    FLAGS="-I$tree/src -I$tree/include"
    printf '#pragma once\ntypedef struct sg_one {\n    int i;\n} sg_one;\n' >"$tree/src/base/one.h"
    printf 'typedef struct local {\n    int i;\n} local;\n' >"$tree/src/base/one.c"
    printf '#pragma once\nint sg_fine(void);\n' >"$tree/include/segue/fine.h"
    check_alone "$tree" && check_together "$tree" >/dev/null && check_types "$tree" >/dev/null
    [ "$failed" -eq 0 ] || { echo 'a tree without mistakes is refused'; exit 1; }

    printf '#pragma once\nsize_t sg_size(void);\n' >"$tree/include/segue/size.h"
    expect 'size.h does not compile alone in C$' check_alone "$tree"
    rm "$tree/include/segue/size.h"
    if [ -n "$CXX" ]; then
        printf '#pragma once\nint sg_new(int class, int *restrict new);\n' >"$tree/include/segue/new.h"
        expect 'new.h does not compile alone in C++' check_alone "$tree"
        rm "$tree/include/segue/new.h"
    fi
    printf '#pragma once\nsg_one sg_needs_one(void);\n' >"$tree/src/base/needs.h"
    expect 'a header of src does not compile alone' check_alone "$tree"
    rm "$tree/src/base/needs.h"

    printf '#pragma once\ntypedef enum sg_one { SG_ONE } sg_one;\n' >"$tree/src/base/again.h"
    expect 'two meanings' check_together "$tree"
    expect 'sg_one: src/base/again.h src/base/one.h' check_types "$tree"
    rm "$tree/src/base/again.h"
    printf 'typedef struct {\n    double d;\n} local;\n' >"$tree/src/base/two.c"
    expect 'local: src/base/one.c src/base/two.c' check_types "$tree"
    printf 'typedef int (*local)(void);\n' >"$tree/src/base/two.c"
    expect 'local: src/base/one.c src/base/two.c' check_types "$tree"
    printf 'typedef double local;\n' >"$tree/src/base/two.c"
    expect 'local: src/base/one.c src/base/two.c' check_types "$tree"
    printf 'enum local { A };\n' >"$tree/src/base/two.c"
    expect 'local: src/base/one.c src/base/two.c' check_types "$tree"
    printf '// typedef struct local {\nstruct local;\nstatic struct local *f(struct local *x);\n' >"$tree/src/base/two.c"
    failed=0
    check_types "$tree" >/dev/null || true
    [ "$failed" -eq 0 ] || { echo 'a declaration counts as a definition'; wrong=1; }
    mkdir -p "$tree/src/api"
    echo 'sg_fin(void);' >"$tree/src/api/usage_test.c"
    echo 'none' >"$tree/include/segue/README.md"
    expect 'does not call sg_fine$' check_usage "$tree"
    expect 'README.md does not name fine.h$' check_usage "$tree"
    failed=$wrong
}

"check_$mode" "$root"
exit $failed
