# Scenario I4: init values that the equations contradict are reported after initialization, with what
# was given and what came out, in both modes; there is no result.
cp "$SG_SOURCE_DIR/tests/models/scenes/gear.jl" scene.jl
cat > gear.jl <<'END'
include("scene.jl")
using Test
gear = @instantiateModel(Contradicting, unitless = true)
result = simulate!(gear, stopTime = 4.0)
@test isnothing(result)
END
cat > damper.jl <<'END'
using Modia
using Test
Damped = Model(J = 1.0, d = 0.5, phi = Var(init = 0.0), w = Var(init = 2.0), damper_phi = Var(init = 1.0),
               equations = :[
                   w = der(phi)
                   J*der(w) = -d*damper_w
                   damper_phi = phi
                   damper_w = der(damper_phi)
               ])
damped = @instantiateModel(Damped, unitless = true)
@test isnothing(simulate!(damped, stopTime = 4.0))
END
for mode in "" "--compat modia-0.12"; do
    # shellcheck disable=SC2086 # the mode is two words or none
    status 3 "$SEGUE" run $mode gear.jl
    has err "init values contradict the equations"
    has err "phi1: init = 0, but the equations give 52.5"
    has err "w1: init = 1, but the equations give 0"
    lacks err "test failed"
    # shellcheck disable=SC2086
    status 3 "$SEGUE" run $mode damper.jl
    has err "damper_phi: init = 1, but the equations give 0"
    lacks err "test failed"
done
