# Jacobians of islands of balls are made of the slopes of their contacts: no evaluation goes into differences, of which there
# would be more than one a step, and Newton's method finds its way by them, so hardly a step is lost.
cat >drop.jl <<'MODEL'
using Modia3D
Drop = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), islands = true)),
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                     feature = Solid(shape = Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)))
for i in 0:19
    Drop[Symbol("ball$i")] = Object3D(parent = :world, fixedToParent = false,
        translation = [0.12*mod(i, 2) + 0.005*sin(i), 0.12*mod(div(i, 2), 2) + 0.005*cos(2*i), 0.1 + 0.12*div(i, 4)],
        feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "DryWood", collision = true))
end
spheres = @instantiateModel(Drop, unitless = true)
simulate!(spheres, stopTime = 0.25, tolerance = 1e-5, interval = 0.05, log = true)
MODEL
status 0 within 20 "$SEGUE" run drop.jl
count() { awk -v name="$1" '$1 == name { print $3 }' out; }
steps=$(count nAcceptedSteps)
[ "$(count nJac)" -gt 100 ] || fail "$(count nJac) Jacobians are too few to tell"
[ "$(count nf_integrator)" -lt $((25 * steps / 10)) ] || fail "$(count nf_integrator) evaluations in $steps steps"
[ "$(count nRejectedSteps)" -lt $((16 * steps / 100)) ] || fail "$(count nRejectedSteps) rejections in $steps steps"
