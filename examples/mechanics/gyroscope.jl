# A fast wheel at the end of a level arm: it does not fall, it goes around. The run leaves an animation,
# gyroscope-results/gyroscope.json, to be dropped on https://threejs.org/editor (docs/animation.md).
# Expect: the arm stays level and turns at m g l/(I w), to the tolerance of the run.
# A point every 0.01 s, since between two frames the wheel must turn by less than half a turn.
using Modia3D

m, radius, l, w = 1.2, 0.15, 0.3, 200.0   # kg, m, m, rad/s
I = 0.5*m*radius^2
precession = m*9.81*l/(I*w)

Gyroscope = Model3D(
    world = Object3D(feature = Scene(animationFile = "gyroscope.json", provideAnimationHistory = true, nominalLength = 0.12)),
    floor = Object3D(parent = :world, translation = [0.0, -0.4, 0.0],
                     feature = Visual(shape = Grid(axis = 2, length = 1.2, width = 1.2, distance = 0.1))),
    post = Object3D(parent = :world, translation = [0.0, -0.4, 0.0],
                    feature = Visual(shape = Cone(axis = 2, diameter = 0.12, topDiameter = 0.03, length = 0.38),
                                     visualMaterial = VisualMaterial(color = "DarkSlateGray"))),
    head = Object3D(feature = Visual(shape = Sphere(diameter = 0.06), visualMaterial = VisualMaterial(color = "Gold"))),
    arm = Object3D(feature = Visual(shape = CoordinateSystem(length = 0.1))),
    rod = Object3D(parent = :arm, translation = [0.5*l, 0.0, 0.0],
                   feature = Visual(shape = Cylinder(axis = 1, diameter = 0.02, length = l),
                                    visualMaterial = VisualMaterial(color = "Silver"))),
    wheel = Object3D(feature = Solid(shape = Cylinder(axis = 1, diameter = 2*radius, length = 0.03), massProperties = m,
                                     visualMaterial = VisualMaterial(color = "FireBrick"))),
    mark = Object3D(parent = :wheel, translation = [0.0, 0.7*radius, 0.0],
                    feature = Visual(shape = Box(lengthX = 0.034, lengthY = 0.04, lengthZ = 0.02),
                                     visualMaterial = VisualMaterial(color = "White"))),
    hub = Object3D(parent = :arm, translation = [l, 0.0, 0.0]),
    around = Revolute(obj1 = :world, obj2 = :head, axis = 2, w = Var(init = precession)),
    tilt = Revolute(obj1 = :head, obj2 = :arm, axis = 3),
    spin = Revolute(obj1 = :hub, obj2 = :wheel, axis = 1, w = Var(init = w))
)

gyroscope = @instantiateModel(Gyroscope, unitless = true)
simulate!(gyroscope, Tsit5(), stopTime = 4.0, interval = 0.01, tolerance = 1e-8)

angle = getLastValue(gyroscope, "around.phi")
println("the arm turned by ", angle, " rad, expected ", 4.0*precession, " rad")
@test isapprox(angle, 4.0*precession, rtol = 1e-6)
@test maximum(abs.(getValues(gyroscope, "tilt.phi"))) < 1e-6

history = get_animationHistory(gyroscope, "")
println("the wheel was at ", history["wheel"].positions[end], " in frame ", length(history["time"]))
