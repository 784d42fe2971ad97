# label: long
# The models of models/scales_of_events.jl in many units and scales of time, with every kind of solver.
sed -e 's/^scales = .*/scales = [(10.0^u, 10.0^t) for u in [-20, -15, -11, -6, 0, 6, 20] for t in [-15, -12, -9, -4, 0, 5, 10]]/' \
    -e 's/^solvers = .*/solvers = [CVODE_BDF(), CVODE_Adams(), IDA(), QBDF2(), Tsit5(), RK4(), DP8(), Vern8(), BS3(), ARKODE(), TRBDF2(), Rodas5P(), KenCarp4()]/' \
    "$SG_SOURCE_DIR/tests/models/scales_of_events.jl" > scales.jl
grep -q '10.0^u' scales.jl || fail "the list of scales is not where it was"
status 0 within 900 "$SEGUE" run scales.jl
