# Group A of the scenarios with --compat modia-0.12, too (by default they run as tests/models/a*.jl),
# and I4, the init values that contradict each other, in both modes.
models=$SG_SOURCE_DIR/tests/models
mkdir models
cp -r "$SG_SOURCE_DIR/tests/models/scenes" models/scenes
cd models || exit 1
for file in "$models"/a[0-9]*.jl; do
    name=$(basename "$file")
    case $name in
    a07*) # the stored state carries the error of stepping over the torque steps; the exact one does not
        sed -e 's/^exact = .*/exact = [1.5628074713622309, -6.878080753044174e-05]/' -e 's/_rtol = 1e-[56]/_rtol = 1e-3/' "$file" > $name ;;
    a08*) # the flow of the open end must be set by hand
        sed 's/^        tau1 = sin(time)$/&\n        I3.flange_b.tau = 0.0/' "$file" > $name ;;
    a16*) # the first tick does not advance the memory of the PI controller
        sed 's/\[155.24584446787892, 100.18551326202883\]/[145.828878491462, 99.95723678839984]/' "$file" > $name ;;
    *) cp "$file" $name ;;
    esac
    status 0 within 60 "$SEGUE" run -q --compat modia-0.12 $name
done
cd ..

cp models/scenes/gear.jl scene.jl
cat > gear.jl <<'END'
include("scene.jl")
gear = @instantiateModel(Contradicting, unitless = true)
println(simulate!(gear, Tsit5(), stopTime = 4.0))
println("and on")
END
cat > damper.jl <<'END'
using Modia
include("$(Modia.modelsPath)/AllModels.jl")
Damped = Model(
    I = Inertia | Map(J = 1.0, phi = Var(init = 0.0), w = Var(init = 1.0)),
    damper = Model(flange = Flange, d = 2.0, phi = Var(init = 1.0),
                   equations = :[phi = flange.phi; d*der(phi) = flange.tau]),
    connect = :[(I.flange_b, damper.flange)]
)
damped = @instantiateModel(Damped, unitless = true)
simulate!(damped, stopTime = 4.0)
END
sed 's/phi = Var(init = 1.0)/phi = Var(init = 0.0)/' damper.jl > fitting.jl
for mode in "" "--compat plain-comparisons,previous-at-start,path-rows"; do
    status 3 "$SEGUE" run $mode gear.jl
    has err "init values contradict the equations"
    has err "phi1: init = 0, but the equations give 52.5"
    has err "w1: init = 1, but the equations give 0"
    has out nothing
    has out "and on" # no exception
    status 3 "$SEGUE" run $mode damper.jl
    has err "damper.phi: init = 1, but the equations give 0"
    status 0 "$SEGUE" run $mode fitting.jl
done

# When required final states fail and a peculiarity of the published program was in play, it is named.
cat > path.jl <<'END'
using Modia
path = PTP_path(["a"], positions = [0.0; 1.0; 1.0; 2.0;;], v_max = [1.0], a_max = [1.0])
place(t) = getPosition(path, 1, t)
Follow = Model(x = Var(init = 0.0), equations = :[der(x) = place(time)])
follow = @instantiateModel(Follow, unitless = true)
simulate!(follow, stopTime = 5.0, requiredFinalStates = [0.0])
END
status 5 "$SEGUE" run path.jl
has err "--compat path-rows"
