# Two fingers grip a lying cylinder away from its middle and lift it by turning a joint; a friction torque holds it level.
#
# Shows: LinearResponse with its torque about the normal (parts/grip.txt), prismatic and revolute joints with forces and prescribed motion.
# After Otter, Elmqvist and Díaz López, 2005, section 3.3: without that torque the cylinder turns between the fingers and hangs down.
# A finger presses with f = 400 N. Both together hold up to 2 d_w f = 3.2 N m; the weight, 3 cm beside the fingers, takes 0.89 N m.
# Expect: the cylinder turns with the hand, 0.6 rad; with slick fingers it swings below them.
using Modia3D
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/AllModels.jl")
include("$(Modia.modelsPath)/Translational.jl")

Modia3D.loadPalettes!(contactPairMaterialPalette = "parts/grip.txt")
g, force, beside = 9.81, 400.0, 0.03
mass = 8000*pi*0.02^2*0.3

# The hand turns about z at the end of an arm; fingers slide along z.
Turn = Model(flange = Flange, equations = :[flange.phi = time < 0.5 ? 0.0 : time < 1.5 ? 0.6*(time - 0.5 - sin(2*pi*(time - 0.5))/(2*pi)) : 0.6])
Press = Model(flange = TranslationalFlange, force = 0.0, d = 100.0, equations = :[flange.f = -force + d*der(flange.s)])
finger(name) = Object3D(feature = Solid(shape = Capsule(axis = 2, diameter = 0.03, length = 0.06), massProperties = 0.3, solidMaterial = "Steel",
                                        contactMaterial = name, collision = true, visualMaterial = VisualMaterial(color = "Blue")))
rest(x, z) = Object3D(parent = :world, translation = [x, -0.035*sqrt(0.75), z],
                      feature = Solid(shape = Sphere(diameter = 0.03), massProperties = 0.1, solidMaterial = "Steel", contactMaterial = "Rest", collision = true))
Hand(name) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]))),
    arm = Object3D(feature = Solid(shape = Box(lengthX = 0.02, lengthY = 0.02, lengthZ = 0.2), massProperties = 1.0)),
    hand = Object3D(parent = :arm, translation = [0.5, 0.0, 0.0]),
    base = Object3D(parent = :world, translation = [-0.5 - beside, 0.0, 0.0]),
    left = finger(name), right = finger(name),
    turn = RevoluteWithFlange(obj1 = :base, obj2 = :arm, axis = 3, phi = Var(init = nothing), w = Var(init = nothing), canCollide = false),
    close1 = PrismaticWithFlange(obj1 = :hand, obj2 = :left, axis = 3, s = Var(init = -0.04), v = Var(init = 0.0)),
    close2 = PrismaticWithFlange(obj1 = :hand, obj2 = :right, axis = 3, s = Var(init = 0.04), v = Var(init = 0.0)),
    rest1 = rest(-0.12, 0.0175), rest2 = rest(-0.12, -0.0175), rest3 = rest(0.12, 0.0175), rest4 = rest(0.12, -0.0175),
    cylinder = Object3D(parent = :world, fixedToParent = false,
                        feature = Solid(shape = Cylinder(axis = 1, diameter = 0.04, length = 0.3), solidMaterial = "Steel", collision = true,
                                        visualMaterial = VisualMaterial(color = "Red"))),
    touch = ContactResult(object1 = :cylinder, object2 = :left))
function grip(name)
    Grip = Model(gripper = Hand(name), turn = Turn, press1 = Press | Map(force = force), press2 = Press | Map(force = -force),
                 connect = :[(turn.flange, gripper.turn.flange); (press1.flange, gripper.close1.flange); (press2.flange, gripper.close2.flange)])
    model = @instantiateModel(Grip, unitless = true)
    simulate!(model, stopTime = 2.0, tolerance = 1e-6, interval = 0.01)
    return model
end
slips, held = grip("Slick"), grip("Rubber")
angle(model) = getValues(model, "gripper.cylinder.rotation")[:, 3]
plot(held, ["gripper.cylinder.rotation[3]", "gripper.cylinder.translation[2]", ("gripper.touch.normalForce", "gripper.touch.torque")], heading = "A gripped cylinder")
println("the hand turned by 0.6 rad; the cylinder by ", round(angle(held)[end], digits = 3), " rad, and with slick fingers it swings down to ",
        round(minimum(angle(slips)), digits = 2), " rad")
# Each finger bears half of the weight's moment about it, and the two normal forces are those of the drives.
@test abs(angle(held)[end] - 0.6) < 2e-3
@test abs(getValues(held, "gripper.touch.torque")[end] - mass*g*beside*cos(0.6)/2) < 2e-3
@test abs(getValues(held, "gripper.touch.normalForce")[end] - force) < 0.1
@test abs(getValues(held, "gripper.cylinder.translation")[end, 2] - (0.5 + beside)*sin(0.6)) < 1e-3
@test minimum(angle(slips)) < -1.5
