#!/bin/sh
# stiff_bench.sh BUILD [SUNDIALS]: whole stiff runs beside the same problems written by hand in C (docs/performance.md).
#
# For each problem the CPU seconds of the shortest of some runs: in C with CVODE and its own vectors and matrices (gcc -O2), in Segue
# interpreted and with --native, and Segue's time as a part of that of C. SUNDIALS is a folder with other archives than the
# system's, that BUILD was made with (-DSG_SUNDIALS_DIR).     goal: 1.1 interpreted, 0.9 native, with an optimized CVODE
set -eu
segue=$1/segue
archives=${2:+-L$2}
here=$(dirname "$0")
. "$here/least.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME

${CC:-cc} -O2 -o "$scratch/by_hand" "$here/stiff/by_hand.c" $archives -Wl,-Bstatic -lsundials_cvode -lsundials_nvecserial \
    -lsundials_sunmatrixdense -lsundials_sunmatrixband -lsundials_sunlinsoldense -lsundials_sunlinsolband -lsundials_generic \
    -Wl,-Bdynamic -lm
runs() { # option...: a line "name time steps" for each problem
    "$segue" run --no-sandbox "$@" -o "$scratch" "$here/stiff/problems.jl" 2>"$scratch/err" | awk '
        $1 == "problem" { name = $2 }
        $1 == "simCpuTime" && (!(name in t) || $3 < t[name]) { t[name] = $3 }
        $1 == "nAcceptedSteps" { s[name] = $3 }
        END { for (name in t) print name, t[name], s[name] }'
}
runs >"$scratch/interpreted"
runs --native >"$scratch/native" # compiles
runs --native >"$scratch/native"
# In turns, since the machine may be busy with other things at times.
"$scratch/by_hand" 20 >"$scratch/c1"
runs >>"$scratch/interpreted"
"$scratch/by_hand" 20 >"$scratch/c2"
cat "$scratch/c1" "$scratch/c2" | tr -d '{}",:' | awk -v i="$scratch/interpreted" -v n="$scratch/native" '
    { if (!($2 in c) || $6 < c[$2]) c[$2] = $6; size[$2] = $4; steps[$2] = $8 }
    END {
        while ((getline line <i) > 0) { split(line, f, " "); if (!(f[1] in a) || f[2] < a[f[1]]) a[f[1]] = f[2]; s[f[1]] = f[3] }
        while ((getline line <n) > 0) { split(line, f, " "); b[f[1]] = f[2] }
        for (k in c)
            printf "{\"name\": \"stiff_%s\", \"size\": %d, \"unit\": \"states\", \"time\": %s, \"native\": %s, \"c\": %s, " \
                "\"ratio\": %.3g, \"ratio_native\": %.3g, \"steps\": %d, \"steps_c\": %d}\n",
                k, size[k], a[k], b[k], c[k], a[k]/c[k], b[k]/c[k], s[k], steps[k]
    }'
