#!/bin/sh
# Runs one test script in a fresh folder of its own, with the helpers below at hand.
#   usage: SEGUE=... SG_SOURCE_DIR=... SG_BINARY_DIR=... script.sh FILE [TOPIC]
# A script that runs for several topics has a folder for each, and the word in $topic.
# In a script: `status N COMMAND...` runs a command and wants that exit status; its streams are in
# the files out and err. `has FILE TEXT` and `lacks FILE TEXT` look for a fixed text. `fail WHY`
# reports and goes on. `within SECONDS COMMAND...` gives up on a command that takes longer.
# `until_true COMMAND...` waits for something that another process does, however busy the machine.
set -u
script=$1
topic=${2-}
name=$(basename "$script" .sh)${topic:+_$topic}
work=$SG_BINARY_DIR/tests/$(basename "$(dirname "$script")")/$name
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

status() {
    want=$1
    shift
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$want" ] && return 0
    fail "exit status $got, expected $want: $*"
    sed 's/^/  err: /' err | head -n 20
}

has() {
    grep -qF -- "$2" "$1" && return 0
    fail "$1 lacks: $2"
    sed 's/^/  '"$1"': /' "$1" | head -n 20
}

lacks() {
    grep -qF -- "$2" "$1" || return 0
    fail "$1 has: $2"
}

within() {
    limit=$1
    shift
    timeout -s KILL "$limit" "$@"
}

until_true() {
    for _ in $(seq 1200); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.05
    done
    fail "waited in vain for a minute: $*"
}

. "$script"
[ "$failures" -eq 0 ]
