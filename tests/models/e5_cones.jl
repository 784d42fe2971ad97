# Scenario E5: three cones of wood, which press at points as published.
using Modia3D
using Test

cone(axis) = Solid(shape = Cone(axis = axis, diameter = 0.4, length = 1.0), solidMaterial = "DryWood", collision = true)
BouncingCones = Model3D(
    world = Object3D(feature = Scene(flatContact = "point", gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    ground = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                      feature = Solid(shape = Box(lengthX = 5.0, lengthY = 3.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
    frameX = Object3D(parent = :world, translation = [-1.0, -0.5, 1.0], rotation = [-pi/2, 0.0, -pi/2]),
    coneX = Object3D(parent = :frameX, fixedToParent = false, rotation = [0.0, -pi/3, 0.0], velocity = [0.0, 1.0, 0.0], feature = cone(1)),
    frameY = Object3D(parent = :world, translation = [0.0, -0.5, 1.0], rotation = [pi/2, pi/2, 0.0]),
    coneY = Object3D(parent = :frameY, fixedToParent = false, rotation = [0.0, 0.0, -pi/3], velocity = [0.0, 0.0, 1.0], feature = cone(2)),
    frameZ = Object3D(parent = :world, translation = [1.0, -0.5, 1.0]),
    coneZ = Object3D(parent = :frameZ, fixedToParent = false, rotation = [-pi/3, 0.0, 0.0], velocity = [1.0, 0.0, 0.0], feature = cone(3))
)
stored = [-0.7999311625652963, 1.0550589340109533, 0.8921255200490438, -0.18969494953144356, 0.8841403146779124, 0.43402600857718365,
          1.3606906685626896, 1.1282713416507297, 2.0528833436012595, -0.030303266151766442, -1.514825830499711, 4.510758033358663,
          0.8916596085646129, -0.800040034923405, 1.0551915260680085, 0.43363424025808023, -0.19001477209520348, 0.8846396171051895,
          2.7358742077100384, -0.2906589654151757, -1.4769196629577481, 4.514472763028119, -0.030810996624682587, -1.515427655179665,
          1.0551437942348352, 0.8923793589673877, -0.8001535827544871, 0.884868848392877, 0.4342007829869422, -0.1917344341104826,
          -1.7767415484303393, -0.2277633762477909, 2.698544037765237, -1.521254393123658, 4.516519345054235, -0.03229086240525738]
metric = [-0.79966186, 1.05397993, 0.88992214, -0.18855837, 0.88252148, 0.43155943,
          1.36631311, 1.1232099, 2.04511241, -0.02728108, -1.500103, 4.500135]
cones = @instantiateModel(BouncingCones, unitless = true)
simulate!(cones, stopTime = 1.2, tolerance = 1e-8)
last(name) = getLastValue(cones, name)
x = vcat([vcat(last("$c.translation"), last("$c.velocity"), last("$c.rotation"), last("$c.angularVelocity"))
          for c in ["coneX", "coneY", "coneZ"]]...)
near(a, b, rtol) = norm(a - b) <= rtol*norm(b)
@test near(x[1:12], metric, 1e-5)
