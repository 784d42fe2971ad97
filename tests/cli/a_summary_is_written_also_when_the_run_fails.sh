get() { "$SG_BINARY_DIR"/json_get "$@"; }
same() { [ "$1" = "$2" ] || fail "found '$1', expected '$2'"; }

cat >ok.jl <<'END'
using Modia
using Test
M = Model(T = 0.5, x = Var(init = 1.0), equations = :[ T*der(x) = -x ])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0, tolerance = 1e-8, requiredFinalStates = [exp(-2.0)])
@test 1 == 1
@test_skip 1 == 2
END
status 0 "$SEGUE" run --summary ok.json ok.jl
same "$(get ok.json status)" ok
same "$(get ok.json exitStatus)" 0
same "$(get ok.json tests.passed)" 2 # requiredFinalStates counts as one
same "$(get ok.json tests.failed)" 0
same "$(get ok.json tests.broken)" 1
same "$(get ok.json 'simulations.#')" 1
same "$(get ok.json simulations.0.model)" M
same "$(get ok.json simulations.0.line)" 5
same "$(get ok.json simulations.0.status)" ok
same "$(get ok.json simulations.0.requiredFinalStates)" ok
same "$(get ok.json simulations.0.stateNames)" '["x"]'
get ok.json file messages simulations.0.solver simulations.0.startTime simulations.0.stopTime \
    simulations.0.tolerance simulations.0.message simulations.0.finalTime \
    simulations.0.finalStates.0 simulations.0.nSteps simulations.0.nRhs simulations.0.nJac \
    simulations.0.nEvents simulations.0.nSegments simulations.0.nTranslations \
    simulations.0.cpuTime >fields || fail 'a field of the summary is missing'

printf 'using Modia\nx = 1\ny = unknownName\n' >bad.jl
status 2 "$SEGUE" run --summary bad.json bad.jl
same "$(get bad.json status)" failed
same "$(get bad.json exitStatus)" 2
same "$(get bad.json messages.0.severity)" error
same "$(get bad.json messages.0.line)" 3
same "$(get bad.json messages.0.column)" 5
same "$(get bad.json 'simulations.#')" 0
get bad.json messages.0.code messages.0.file messages.0.text >fields || fail 'a field is missing'

printf 'x = (1\n' >syntax.jl
status 2 "$SEGUE" run --summary syntax.json syntax.jl
same "$(get syntax.json status)" failed
status 1 "$SEGUE" run --summary missing.json missing.jl
same "$(get missing.json exitStatus)" 1

# A run that cannot reach its end has not reached the required states either.
cat >blows_up.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[ der(x) = x^2 ])
m = @instantiateModel(M)
simulate!(m, stopTime = 2.0, requiredFinalStates = [1.0])
END
status 4 "$SEGUE" run --summary up.json blows_up.jl
same "$(get up.json simulations.0.status)" failed
same "$(get up.json simulations.0.requiredFinalStates)" failed
