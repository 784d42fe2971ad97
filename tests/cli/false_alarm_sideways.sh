# A ball that falls on a bore and rests there moves sideways by roundings only. How small a component of its motion is depends on
# how axes lie, so nobody is told that it is below a tolerance (E0718).
cat > bores.jl <<'END'
using Modia3D
Bore(bore, part) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = true)),
    tube = Object3D(parent = :world, feature = Solid(shape = Cylinder(axis = 2, diameter = 2*bore, length = 2*bore, innerDiameter = bore), solidMaterial = "Steel", collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0, 1.05*bore + 0.5*bore*sqrt(part^2 - 1), 0],
                    feature = Solid(shape = Sphere(diameter = part*bore), solidMaterial = "Steel", collision = true)))
for bore in [0.01, 0.1, 1.0], part in [1.001, 1.05, 1.1]
    m = @instantiateModel(Bore(bore, part), unitless = true)
    simulate!(m, stopTime = 0.5)
    println("aside = ", abs(getLastValue(m, "ball.translation")[1]) < 1e-9*bore)
end
END
status 0 within 60 "$SEGUE" run bores.jl
lacks err E0718
lacks out false
