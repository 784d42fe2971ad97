# Joint angles, torques, positions and velocities carry their units in results, though equations of 3D parts are written without;
# scripts see plain numbers as ever. Values that are replaced keep the unit.
cat >arm.jl <<'END'
using Modia3D
include("$(Modia.modelsPath)/Rotational.jl")
Arm = Model3D(world = Object3D(feature = Scene()),
    bar = Object3D(feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 0.1), solidMaterial = "Steel")),
    joint = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = Var(init = 0.5)),
    box = Object3D(feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1), solidMaterial = "Steel")),
    slide = Prismatic(obj1 = :bar, obj2 = :box, s = Var(init = 0.1)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 5.0, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel")),
    damper = Damper | Map(d = 2.0u"N*m*s/rad"), fixed = Fixed,
    connect = :[(damper.flange_b, joint.flange)
                (damper.flange_a, fixed.flange)])
arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 0.2)
println(typeof(getLastValue(arm, "joint.phi")), " ", typeof(getLastValue(arm, "ball.translation")[2]))
println(getSignalInfo(arm, "ball.der(velocity)")[:unit], " ", haskey(getSignalInfo(arm, "ball.translation"), :unit))
END
status 0 "$SEGUE" run arm.jl
has out "Float64 Float64"
has out "s^-1 false"
status 0 "$SEGUE" info arm-results
mv out info
unit() { # unit SIGNAL UNIT: of a line of info
    got=$(awk -v name="$1" '$1 == name { print $2 }' info)
    [ "$got" = "$2" ] || fail "$1 has the unit '$got', not '$2'"
}
unit joint.phi rad
unit joint.w rad/s
unit 'joint.der(phi)' rad/s
unit joint.flange.tau 'N*m'
unit joint.flange.phi rad
unit damper.flange_b.phi rad
unit slide.s m
unit slide.v m/s
unit ball.translation m
unit ball.velocity m/s
unit ball.rotation rad
unit ball.angularVelocity rad/s
unit 'ball.der(translation)' m/s
unit 'ball.der(angularVelocity)' rad/s^2
unit ball.r_abs m
status 0 "$SEGUE" info --parameters arm-results
grep -qE "damper.d = 2 .*N" out || fail "no unit of damper.d"
status 0 "$SEGUE" plot -o arm.svg arm-results joint.phi ball.velocity
has arm.svg "joint.phi [rad]"
has arm.svg "[m/s]"
status 0 "$SEGUE" run -q --html page.html arm.jl
grep -q 'rad/s' page.html || fail 'the page has no units'

# Values of the command line and of merge.
cat >rc.jl <<'END'
using Modia
include("$(Modia.modelsPath)/Electric.jl")
Filter = Model(R = Resistor | Map(R = 5.0u"kΩ"), C = Capacitor | Map(C = 0.1u"F", v = Var(init = 10u"mV")), V = ConstantVoltage,
    ground = Ground, connect = :[(V.p, R.p), (R.n, C.p), (C.n, V.n, ground.p)])
filter = @instantiateModel(Filter)
simulate!(filter, stopTime = 1.0)
simulate!(filter, stopTime = 1.0, merge = Map(R = Map(R = 7.0), C = Map(v = Var(init = 2.0))))
println(getLastValue(filter, "R.R"), ", ", getLastValue(filter, "C.C"))
END
status 0 "$SEGUE" run --set C.C=0.3 rc.jl
has out "7.0 Ω, 0.3 F"
[ "$(grep -c "'C.C' = 0.3 is a plain number" err)" -eq 1 ] || fail "the note is told more than once"
status 0 "$SEGUE" info --parameters rc-results/Filter.segue
has out "R.R = 5000 Ω"
has out "C.C = 0.3 F"
mv out info
unit C.v V
status 0 "$SEGUE" info --parameters rc-results/Filter-2.segue
has out "R.R = 7 Ω"
mv out info
unit C.v V
status 1 "$SEGUE" run --set C.C=0.3u\"m\" rc.jl
has err "another dimension"

# The derivative of an angle.
cat >shaft.jl <<'END'
using Modia
include("$(Modia.modelsPath)/Rotational.jl")
Shaft = Model(J = Inertia | Map(w = Var(init = 2.0u"rad/s")), angle = Var(init = 0.0u"rad"), equations = :[der(angle) = 2.0u"rad/s"])
shaft = @instantiateModel(Shaft)
simulate!(shaft, stopTime = 1.0)
END
status 0 "$SEGUE" run shaft.jl
status 0 "$SEGUE" info shaft-results
mv out info
grep -qE '^der\(angle\) +rad(/s|\*s\^-1) ' info || fail "der(angle): $(grep '^der(angle)' info)"
