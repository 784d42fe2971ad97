#!/bin/sh
# Runs the cases of one file of tests/mistakes: small scripts, each with what is to be said about it.
#   usage: SEGUE=... SG_BINARY_DIR=... mistakes.sh FILE
# A case begins with a line `## its name` and goes on with lines of these kinds, then the script:
#   #status N       exit status, 0 if not given
#   #options ...    of `segue run`, as in a shell
#   #command ...    instead of `segue run OPTIONS FILE`; FILE stands for the script
#   #says TEXT      standard error holds TEXT
#   #prints TEXT    standard output holds TEXT
#   #not TEXT       neither of the two holds TEXT
# All errors and warnings must be asked for: there are as many as #says lines that hold `error[` and
# `warning[`. Lines are counted from the line with the name, which is line 1.
set -u
file=$1
name=$(basename "$file" .jl)
work=$SG_BINARY_DIR/tests/mistakes/$name
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
export SEGUE
awk '/^## / { n++ } n { print > sprintf("case%02d.jl", n) } END { exit !n }' "$file" || {
    echo "$file holds no case"
    exit 1
}
failures=0

fail() {
    echo "FAILED: $title: $*"
    failures=$((failures + 1))
}

lines_of() { # lines_of KIND: what stands behind #KIND
    sed -n "s/^#$1 //p" "$case"
}

count() { # count WORD TEXT: errors or warnings of a kind
    got=$(grep -cF "$1[" err)
    [ "$got" -eq "$(lines_of says | grep -cF "$1[")" ] || fail "there are $got ${1}s"
}

for case in case*.jl; do
    title=$(sed -n '1s/^## //p' "$case")
    before=$failures
    want=$(lines_of status)
    command=$(lines_of command)
    [ -n "$command" ] || command="\$SEGUE run $(lines_of options) FILE"
    eval "$(echo "$command" | sed "s/FILE/$case/")" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "${want:-0}" ] || fail "exit status $got, expected ${want:-0}"
    lines_of says >says
    lines_of prints >prints
    lines_of not >nots
    [ -s says ] || [ -s prints ] || fail "nothing is expected"
    while IFS= read -r text; do
        grep -qF -- "$text" err || fail "not said: $text"
    done <says
    while IFS= read -r text; do
        grep -qF -- "$text" out || fail "not printed: $text"
    done <prints
    while IFS= read -r text; do
        cat err out | grep -qF -- "$text" && fail "said: $text"
    done <nots
    count error
    count warning
    [ "$failures" -eq "$before" ] || sed 's/^/    /' err
done
[ "$failures" -eq 0 ]
