# 3D models that cannot be: one clear message each, at the line of the object or joint.
model() { # model STATUS TEXT LINE COMPONENTS
    cat > bad.jl <<END
using Modia3D
Bad = Model3D(
    world = Object3D(feature = Scene()),
$4
)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 0.1)
END
    status "$1" "$SEGUE" run bad.jl
    has err "$2"
    has err "bad.jl:$3:"
    [ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one message"
}
body='box = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0)))'

# Scenario I1.
model 2 "'loose' has no parent" 5 "    box = Object3D(parent = :world),
    loose = Object3D()"
model 2 "both have a Scene" 4 "    other = Object3D(feature = Scene())"
model 2 "has a parent and a Scene" 4 "    other = Object3D(parent = :world, feature = Scene())"
model 2 "rigidly connected" 5 "    box = Object3D(parent = :world),
    rev = Revolute(obj1 = :world, obj2 = :box)"
model 2 "closed kinematic loop" 6 "    $body,
    rev = Revolute(obj1 = :world, obj2 = :box),
    again = Revolute(obj1 = :world, obj2 = :box)"
model 2 "mass is negative" 4 "    box = Object3D(parent = :world, fixedToParent = false, feature = Solid(massProperties = MassProperties(mass = -1.0)))"
model 2 "moves freely, but" 4 "    box = Object3D(parent = :world, fixedToParent = false)"
model 2 "moves nothing that has inertia" 4 "    link = Object3D(),
    rev = Revolute(obj1 = :world, obj2 = :link)"
model 2 "triangle inequality" 4 "    box = Object3D(parent = :world, fixedToParent = false, feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 3.0)))"
model 2 "axis must be 1, 2, 3" 5 "    $body,
    rev = Revolute(obj1 = :world, obj2 = :box, axis = 4)"
model 2 "three finite numbers" 4 "    box = Object3D(parent = :world, translation = [1.0, 2.0])"
model 2 "is not an Object3D" 5 "    $body,
    rev = Revolute(obj1 = :world, obj2 = 3)"
model 2 "must be Scene, Solid or Visual" 4 "    box = Object3D(parent = :world, feature = Box())"
model 2 "'later' is not defined" 4 "    box = Object3D(parent = :later),
    later = Object3D(parent = :world)"

cat > units.jl <<'END'
using Modia3D
Bad = Model3D(world = Object3D(feature = Scene()))
bad = @instantiateModel(Bad)
END
status 2 "$SEGUE" run units.jl
has err "unitless = true"
has err "units.jl:3:"

# Impossible numbers of what never moves are only worth a warning.
cat > pipe.jl <<'END'
using Modia3D
Pipe = Model3D(
    world = Object3D(feature = Scene()),
    pipe = Object3D(parent = :world, feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 3, Iyy = 4, Izz = 4, Ixy = 6, Ixz = 7, Iyz = 9)))
)
pipe = @instantiateModel(Pipe, unitless = true)
simulate!(pipe, stopTime = 0.0)
END
status 0 "$SEGUE" run pipe.jl
has err "pipe.jl:4:"
has err "does not matter"
