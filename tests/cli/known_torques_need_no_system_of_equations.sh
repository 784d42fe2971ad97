# Joints with dampers, and with rotors behind gears of their own: forward dynamics instead of a linear system.
# What couples the accelerations of two joints keeps it.
cat > chain.jl <<'END'
using Modia3D
include("$(Modia.modelsPath)/AllModels.jl")
Link = Model(body = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
             left = Object3D(parent = :body, translation = [-0.5, 0.0, 0.0]))
Damped = Model3D(
    world = Object3D(feature = Scene()),
    a = Link, b = Link, c = Link,
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(a.left)),
    rev2 = RevoluteWithFlange(obj1 = :(a.body), obj2 = :(b.left)),
    rev3 = Revolute(obj1 = :(b.body), obj2 = :(c.left)),
    damper = Damper | Map(d = 0.1),
    spring = SpringDamper | Map(c = 3.0, d = 0.1),
    fixed = Fixed,
    connect = :[(damper.flange_b, rev1.flange); (damper.flange_a, fixed.flange, spring.flange_a); (spring.flange_b, rev2.flange)]
)
damped = @instantiateModel(Damped, unitless = true)
simulate!(damped, stopTime = 1.0)
END
cat > rotor.jl <<'END'
include("chain.jl")
Rotor = Damped | Map(rotor = Inertia | Map(J = 0.01, phi = Var(init = nothing), w = Var(init = nothing)),
                     moreConnections = :[(rotor.flange_a, rev2.flange)])
rotor = @instantiateModel(Rotor, unitless = true)
END
status 0 "$SEGUE" dump blocks chain.jl
has out "forwardDynamics"
lacks out "linear in"
status 0 "$SEGUE" dump blocks rotor.jl
has out "forwardDynamics"
lacks out "linear in"
cat > differential.jl <<'END'
include("chain.jl")
Both = Model(
    a = Flange, b = Flange,
    equations = :[w = der(a.phi) + der(b.phi); a.tau = 0.01*der(w); b.tau = 0.01*der(w)]
)
Differential = Damped | Map(both = Both, moreConnections = :[(both.a, rev1.flange); (both.b, rev2.flange)])
differential = @instantiateModel(Differential, unitless = true)
END
status 0 "$SEGUE" dump blocks differential.jl
has out "linear in"
# Where all motion is prescribed, inverse dynamics without a mass matrix.
cat > prescribed.jl <<'END2'
include("chain.jl")
Prescribed = Model3D(
    world = Object3D(feature = Scene()),
    a = Link, b = Link,
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(a.left), phi = Var(), w = Var()),
    rev2 = RevoluteWithFlange(obj1 = :(a.body), obj2 = :(b.left), phi = Var(), w = Var()),
    equations = :[rev1.phi = sin(time); rev2.phi = cos(time)]
)
prescribed = @instantiateModel(Prescribed, unitless = true)
END2
status 0 "$SEGUE" dump blocks prescribed.jl
has out "multibodyForces := inverseDynamics"
