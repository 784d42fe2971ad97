# Shapes collide as they look, or say so: tubes by their walls, concave meshes with a warning that names what helps.
cat > through.jl <<'END2'
using Modia3D
s(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
M = Model3D(world = Object3D(feature = Scene()),
    pipe = Object3D(parent = :world, feature = s(Cylinder(axis = 2, diameter = 0.4, innerDiameter = 0.3, length = 0.5))),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.5, 0.0], feature = s(Sphere(diameter = 0.1))))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-7)
println("y = ", round(getLastValue(m, "ball.translation", unit = false)[2], digits = 3))
END2
status 0 "$SEGUE" run through.jl
has out "y = -4.405"
lacks err "warning"
# The published program closes the bore.
for compat in modia-0.12 solid-tubes; do
    status 0 "$SEGUE" run --compat "$compat" through.jl
    has out "y = 0.3"
done
has err "solid-tubes"

# An L of six faces more than a box: its hull is a quarter larger, or a seventh of it empty.
cat > angle.obj <<'END2'
v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
v 0 0 1
v 2 0 1
v 2 1 1
v 1 1 1
v 1 2 1
v 0 2 1
f 4 3 2 1
f 6 5 4 1
f 7 8 9 10
f 7 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
END2
cat > box.obj <<'END2'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END2
cat > meshes.jl <<'END2'
using Modia3D
mesh(file, x, on) = Object3D(parent = :world, translation = [x, 0.0, 0.0], feature = Solid(shape = FileMesh(filename = file), solidMaterial = "Steel", collision = on))
M = Model3D(world = Object3D(feature = Scene()), a = mesh("FILE", 0.0, ON), b = mesh("FILE", 5.0, ON), c = mesh("box.obj", 10.0, true),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 9.5, 0.0], feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
END2
sed 's/FILE/angle.obj/g; s/ON/true/g' meshes.jl > concave.jl
status 0 "$SEGUE" run concave.jl
has err "the mesh 'angle.obj' is not convex and collides as its convex hull, of which it leaves 14.3 % empty"
has err "convexPartition = true"
has err "PolygonalContactModel"
[ "$(grep -c 'is not convex' err)" -eq 1 ] || fail "not once for a mesh"
status 0 "$SEGUE" run --compat modia-0.12 concave.jl
lacks err "is not convex"
sed 's/FILE/angle.obj/g; s/ON/false/g' meshes.jl > quiet.jl
status 0 "$SEGUE" run quiet.jl
lacks err "is not convex"
sed 's/FILE/box.obj/g; s/ON/true/g' meshes.jl > convex.jl
status 0 "$SEGUE" run convex.jl
lacks err "is not convex"
# With convex parts there is nothing to say.
mkdir convexSolids_angle.obj
cp box.obj convexSolids_angle.obj/part1.obj
sed 's/FileMesh(filename = file)/FileMesh(filename = file, convexPartition = file == "angle.obj")/' concave.jl > parts.jl
status 0 "$SEGUE" run parts.jl
lacks err "is not convex"
