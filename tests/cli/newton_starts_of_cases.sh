# The cases of shared/cases: systems that Newton's method gave up at run, with the values of their closed forms and of SciPy.
cases=$SG_SOURCE_DIR/../shared/cases/equations
[ -f "$cases/turbulent.jl" ] || { echo "skipped: no shared cases"; return 0; }
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { exit !(a - b <= e && b - a <= e) }'; }
status 0 "$SEGUE" run -q "$cases/turbulent.jl"
near "$(sed -n 's/^q = //p' out)" 0.7071067811865476 1e-9 || fail "turbulent: $(cat out)"
status 0 "$SEGUE" run -q "$cases/diode_bridge.jl"
[ "$(grep -c '^bridge' out)" -eq 4 ] || fail "bridge: $(cat out)"
for v in $(sed -n 's/^bridge.* = //p' out); do
    near "$v" 10.01573 1e-5 || fail "bridge: $v"
done
status 0 "$SEGUE" run -q "$cases/pipe_grid_14.jl"
# The inflow is 1 + 0.2 sin t, and pressures go with its power 1.75: 1.15341439485232 from SciPy, at t = pi again.
near "$(sed -n 's/^OUT s.a.p //p' out)" 1.15341439485 1e-8 || fail "grid: $(cat out)"
near "$(sed -n 's/^OUT x //p' out)" 4.477869 1e-4 || fail "grid: $(cat out)"
