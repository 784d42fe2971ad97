printf 'velocity = 3\nprintln(1 + velocty)\n' >a.jl
status 2 "$SEGUE" run a.jl
has err 'a.jl:2:13: error['
has err 'println(1 + velocty)'
has err '^~~~~~~'
has err velocity
lacks err "$(printf '\033')"

# Several independent mistakes are all reported, one mistake once.
printf 'a = ]\nb = 1\nc = )\n' >b.jl
status 2 "$SEGUE" run b.jl
has err 'b.jl:1:'
has err 'b.jl:3:'
[ "$(grep -c 'error\[' err)" -eq 2 ] || fail "expected two errors: $(cat err)"

# A misspelt keyword argument is named with those that exist.
printf 'f(; stopTime = 1, startTime = 0) = 1\nf(stoptime = 3)\n' >c.jl
status 2 "$SEGUE" run c.jl
has err 'c.jl:2:'
has err stopTime

# The stack of calls and includes.
printf 'inner(x) = x + nowhere\nouter(x) = inner(x)\n' >lib.jl
printf 'include("lib.jl")\nouter(1)\n' >d.jl
status 2 "$SEGUE" run d.jl
has err 'lib.jl:1:'
has err 'd.jl:2:'
