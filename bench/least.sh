# Sourced by the benches of the whole program: a scratch folder that goes away, the least CPU time of
# some runs (the machine only ever adds to it), a number of a log, a line of JSON.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

least() { # runs command: least user + system time
    runs=$1
    shift
    i=0
    while [ "$i" -lt "$runs" ]; do
        TIMEFORMAT='%U %S' bash -c 'time "$@" >/dev/null 2>"$0"' "$scratch/err" "$@" 2>&1 ||
            { cat "$scratch/err" >&2; exit 1; }
        i=$((i + 1))
    done | awk '{ t = $1 + $2; if (NR == 1 || t < least) least = t } END { print least }'
}

field() { # name file: a number of the log of a run
    awk -v name="$1" '$1 == name { print $3 }' "$2"
}

line() { # name size unit time extra
    printf '{"name": "%s", "size": %s, "unit": "%s", "time": %s%s}\n' "$1" "$2" "$3" "$4" "$5"
}
