# Ten boxes of steel, 1 mm askew and 0.1 mm apart, rattle for 20 ms: each of their contacts begins, ends, slips and sticks several
# times, more than 100 events within a five hundredth of the run. That is what they do, and no warning is due.
cat > settle.jl <<'EOF'
using Modia3D, Test
steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
box(i) = Object3D(parent = :world, fixedToParent = false, translation = [1e-3*(i%2), 1e-3*((i ÷ 2)%2), 0.1 + 0.2*(i - 1) + 1e-4*i], feature = steel(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2)))
Stack = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))),
    b1 = box(1), b2 = box(2), b3 = box(3), b4 = box(4), b5 = box(5), b6 = box(6), b7 = box(7), b8 = box(8), b9 = box(9), b10 = box(10))
stack = @instantiateModel(Stack, unitless = true)
simulate!(stack, stopTime = 10.0, tolerance = 1e-6, interval = 0.1)
@test getValues(stack, "contacts.number")[end] == 10
EOF
status 0 "$SEGUE" run -q --strict settle.jl
lacks err E0706
