# Between events nothing is allocated, counted at malloc by a program beside the command (harness/count_mallocs.c), and
# the log says the same. Every example; some of them with other solvers, with the balance, and with results of tens of
# megabytes. Where states are chosen anew, bends of a delay arrive, or unknowns begin to be carried, the solver restarts
# without an event that a sink would see, and where states are far below their tolerances a second solver tests whether
# that matters; there the log alone is asked, which counts at malloc, too.
[ "$SG_SLOWNESS" -gt 1 ] && exit 77 # the sanitizers bring their own malloc
count=$SG_BINARY_DIR/count_mallocs
examples=$SG_SOURCE_DIR/examples
restarts="$examples/mechanics/cartesian_pendulum.jl $examples/mechanics/vector_pendulum.jl $examples/events/dead_time.jl
$examples/events/bouncing_ball.jl $examples/loops/stewart.jl $examples/loops/suspension.jl $examples/loops/two_arms.jl
$examples/mechanics/servo_pendulum.jl $examples/robots/gripping_scenarios.jl $examples/robots/quadrotor.jl
$examples/robots/servo_arm.jl $examples/space/walking_robot.jl $examples/space/satellite_arm.jl
$examples/systems/crane.jl $examples/systems/hydraulic_press.jl $examples/mechanics/turning_car.jl
$examples/robots/gripping_robot.jl $examples/robots/urdf_arm.jl $examples/robots/urdf_hand.jl $examples/domains/joints.jl $examples/domains/drivetrain.jl
$examples/domains/bottling.jl"
restarts=$(echo $restarts)

# What is known: with a block of 100 bytes at each of the 500 points behind the first, both say so.
status 1 "$count" --waste "$examples/first/first_order.jl"
has out "501 points, 0 events, 499 calls of malloc between them, 50000 bytes in the log"

# `counted OPTIONS FILES`: nothing, in each of their simulations.
counted() {
    status 0 "$count" "$@"
    grep -q "points" out || fail "no simulation: $*"
    grep -v " 0 calls of malloc between them, 0 bytes in the log" out | head -n 5
}

for file in "$examples"/*/*.jl; do
    case " $restarts $examples/component/heated_rod.jl $examples/fmu/charger.jl $examples/mechanics/drawing_arm.jl \
        $examples/scripting/functions.jl $examples/studies/pendulum_table.jl " in # the last five need more, or do not simulate
    *" $file "*) ;;
    *) counted --seconds 10 "$file" ;;
    esac
done
counted --seconds 30 --restarts $restarts "$SG_SOURCE_DIR/tests/models/carried_unknowns.jl"

some="$examples/contact/two_balls.jl $examples/contact/magazine.jl $examples/contact/five_bodies.jl
    $examples/loops/fourbar.jl $examples/events/stick_slip.jl $examples/robots/servo_arm.jl
    $examples/space/two_stage_rocket.jl $examples/first/heated_chain.jl"
for solver in CVODE_Adams IDA Tsit5 Vern9 BS3 Rodas5 KenCarp4 TRBDF2 ImplicitEuler QBDF; do
    counted --solver "$solver" --stop 0.6 --seconds 1 $some
done
counted "$SG_SOURCE_DIR/tests/models/linear_systems.jl" # pivots are chosen anew
counted "$SG_SOURCE_DIR/tests/models/solver_names.jl" # every name, and fixed steps
counted --balance --stop 0.5 $examples/contact/four_balls.jl $examples/loops/engine.jl $examples/space/capture.jl

# 33 MB of results in one segment: in memory first, then in a file.
cat > long.jl <<'END'
using Modia
M = Model(x = Var(init = ones(20)), equations = :[der(x) = -x .+ sin(time)])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 10.0, interval = 1e-4)
END
counted long.jl

# The command itself counts where the linker leads its calls of malloc.
for name in contact/rattleback contact/pyramid contact/sixteen_balls mechanics/engine_mount mechanics/cartesian_pendulum; do
    status 0 "$SEGUE" run --log statistics -o results "$examples/$name.jl"
    has out "simAlloc               = 0 bytes (between events)"
    has out "eventAlloc             = "
done
