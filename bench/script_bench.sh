#!/bin/sh
# script_bench.sh BUILD: the program as a whole, in CPU seconds, least of N runs.
#
# start    start to exit of a ten-line file                     goal: 5 ms
# lines    a generated script of 100,000 lines building models  goal: 1 s
# merge    one dictionary of 10,000 and one of 100,000 entries  goal: linear
# loop     10 million steps of a scalar loop, beside lua5.4     goal: at most 5 times its time
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"

cat >"$scratch/ten.jl" <<'END'
module Ten
using Modia
Pendulum = Model(
    L = 0.8,
    g = 9.81,
    phi = Var(init = pi/2),
    w = Var(init = 0.0),
    equations = :[ w = der(phi); der(w) = -g/L*sin(phi) ])
println(Pendulum[:L])
end
END
line start 10 lines "$(least 30 "$segue" run "$scratch/ten.jl")" ', "goal": 0.005'

awk 'BEGIN {
    print "module Lines\nusing Modia\nBase0 = Model(k = 1.0, x = Var(init = 0.0))"
    for (i = 1; i <= 49998; i++) {
        printf "M%d = Model(a = %d, b = Var(init = %d.5), equations = :[ der(b) = -a*b ])\n", i, i, i
        printf "N%d = M%d | Map(a = %d.0, c = 2)\n", i, i, i
    }
    print "end"
}' >"$scratch/lines.jl"
line lines 100000 lines "$(least 5 "$segue" run "$scratch/lines.jl")" ', "goal": 1.0'

merge() {
    awk -v n="$1" 'BEGIN {
        print "module Merge\nusing Modia\nfunction grow(n)\n    m = Map()"
        print "    for i in 1:n\n        m = m | Map(; (Symbol(\"k$i\") => i,)...)\n    end"
        print "    return m\nend"
        printf "m = grow(%d)\nprintln(length(keys(m)))\nend\n", n
    }' >"$scratch/merge.jl"
    least 5 "$segue" run "$scratch/merge.jl"
}
small=$(merge 1000)
large=$(merge 10000)
line merge 1000 entries "$small" ''
line merge 10000 entries "$large" \
    "$(awk -v a="$small" -v b="$large" 'BEGIN { printf ", \"ratio\": %.1f, \"goal_ratio\": 10", b / (a > 0.001 ? a : 0.001) }')"

cat >"$scratch/loop.jl" <<'END'
function total(n)
    s = 0.0
    for i in 1:n
        s = s + 1.0/(i*i)
        if s > 1.0e9
            s = 0.0
        end
    end
    return s
end
println(total(10000000))
END
cat >"$scratch/loop.lua" <<'END'
local function total(n)
    local s = 0.0
    for i = 1, n do
        s = s + 1.0/(i*i)
        if s > 1.0e9 then
            s = 0.0
        end
    end
    return s
end
print(total(10000000))
END
ours=$(least 5 "$segue" run "$scratch/loop.jl")
line loop 10000000 steps "$ours" ''
if command -v lua5.4 >/dev/null 2>&1; then
    theirs=$(least 5 lua5.4 "$scratch/loop.lua")
    line loop_lua 10000000 steps "$theirs" \
        "$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf ", \"ratio\": %.2f, \"goal_ratio\": 5", a / b }')"
fi
