# Scenario E4: three capsules, which press at points as published, make the same motion in cyclically renamed axes.
using Modia3D
using Test

capsule(axis) = Solid(shape = Capsule(axis = axis, diameter = 0.4, length = 1.0), solidMaterial = "Steel", collision = true)
BouncingCapsules = Model3D(
    world = Object3D(feature = Scene(flatContact = "point", gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    ground = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                      feature = Solid(shape = Box(lengthX = 5.0, lengthY = 3.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true)),
    frameX = Object3D(parent = :world, translation = [-1.0, 0.0, 1.0], rotation = [-pi/2, 0.0, -pi/2]),
    capsuleX = Object3D(parent = :frameX, fixedToParent = false, rotation = [0.0, -pi/3, 0.0], velocity = [0.0, 1.0, 0.0], feature = capsule(1)),
    frameY = Object3D(parent = :world, translation = [0.0, 0.0, 1.0], rotation = [pi/2, pi/2, 0.0]),
    capsuleY = Object3D(parent = :frameY, fixedToParent = false, rotation = [0.0, 0.0, -pi/3], velocity = [0.0, 0.0, 1.0], feature = capsule(2)),
    frameZ = Object3D(parent = :world, translation = [1.0, 0.0, 1.0]),
    capsuleZ = Object3D(parent = :frameZ, fixedToParent = false, rotation = [-pi/3, 0.0, 0.0], velocity = [1.0, 0.0, 0.0], feature = capsule(3))
)
stored = [-0.7673603852532035, 0.9516987938720817, 0.24982627222882978, 0.014181604247774255, 0.5036323108091764, -0.18340043302903947,
          1.5220130850376044, 1.189054333976943, 1.4103120018571025, 0.1404386744698787, 0.7566171345994552, 2.518780172214569,
          0.24984395219388528, -0.7676016983741861, 0.9516561037775035, -0.18458497129918844, 0.013039131889693219, 0.5033713001962383,
          2.7566146230019166, 0.20558776690709502, -1.5523147262260408, 2.5177060411206855, 0.140488382214332, 0.7639936864415756,
          0.9516460922089696, 0.24961032780512585, -0.7679007020906763, 0.503176747722619, -0.18568702124334946, 0.017287192617502473,
          -1.5102920379213918, 0.19727751116246142, 2.7538915212516004, 0.771095914174634, 2.5170524258497915, 0.1400597191869728]
# capsuleX in meters; the others are the same motion with other names of the axes (their angles are other ones).
metric = [-0.766655444, 0.951698412, 0.250519554, 0.00205903, 0.503987272, -0.181181889,
          1.52170008, 1.18537174, 1.41017269, 0.141582926, 0.741950765, 2.51973082]
capsules = @instantiateModel(BouncingCapsules, unitless = true)
simulate!(capsules, stopTime = 1.4, tolerance = 1e-8)
last(name) = getLastValue(capsules, name)
x = vcat([vcat(last("$c.translation"), last("$c.velocity"), last("$c.rotation"), last("$c.angularVelocity"))
          for c in ["capsuleX", "capsuleY", "capsuleZ"]]...)
near(a, b, rtol) = norm(a - b) <= rtol*norm(b)
@test near(x[1:12], metric, 1e-5)
@test near(x[[13:15; 16:18; 22:24]], x[[3, 1, 2, 6, 4, 5, 12, 10, 11]], 1e-5)
@test near(x[[25:27; 28:30; 34:36]], x[[2, 3, 1, 5, 6, 4, 11, 12, 10]], 1e-5)
