# How a contact yields is a matter of the contact material: Young's modulus and Poisson's ratio are those of the solid with its name,
# and those of the solid material only where it has none. In both modes.
using Modia3D
using Test

Modia3D.loadPalettes!(solidMaterialPalette = "contact_material.txt")

# A ball of radius R that is p deep in a plate feels k p^1.5, k = 4/3 sqrt(R)/(1/c1 + 1/c2), c = E/(1 - nu^2).
R = 0.1
p = 1e-4
between(c1, c2) = 4/3*sqrt(R)*c1*c2/(c1 + c2)*p^1.5
same(c) = between(c, c)
modulus(E, nu) = E/(1 - nu^2)
iron = modulus(2e11, 0.3)
cork = modulus(3e7, 0.1)

function force(floor, ball, compatibility)
    Press = Model3D(world = Object3D(feature = Scene(compatibility = compatibility)),
                    floor = Object3D(parent = :world, translation = [0.0, -0.1, 0.0],
                                     feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.2, lengthZ = 1.0), collision = true; floor...)),
                    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, R - p, 0.0],
                                    feature = Solid(shape = Sphere(diameter = 2*R), massProperties = 1e6, collision = true; ball...)),
                    both = ContactResult(object1 = :ball, object2 = :floor))
    press = @instantiateModel(Press, unitless = true)
    simulate!(press, stopTime = 1e-6, tolerance = 1e-8)
    return getValues(press, "both.normalForce")[1]
end

cases = [
    # the contact material of both, of one only, and none but the solid's own
    ((solidMaterial = "Iron", contactMaterial = "Cork"), (solidMaterial = "Iron", contactMaterial = "Cork"), same(cork)),
    ((solidMaterial = "Cork", contactMaterial = "Iron"), (solidMaterial = "Cork", contactMaterial = "Iron"), same(iron)),
    ((solidMaterial = "Iron", contactMaterial = "Iron"), (solidMaterial = "Iron", contactMaterial = "Cork"), between(iron, cork)),
    ((solidMaterial = "Iron",), (solidMaterial = "Iron", contactMaterial = "Cork"), between(iron, cork)),
    ((solidMaterial = "Cork",), (solidMaterial = "Cork",), same(cork)),
    # a name of pairs alone, and one of a solid of which only the density is known
    ((solidMaterial = "Cork", contactMaterial = "Coat"), (solidMaterial = "Cork", contactMaterial = "Coat"), same(cork)),
    ((solidMaterial = "Cork", contactMaterial = "Paint"), (solidMaterial = "Cork", contactMaterial = "Paint"), same(cork)),
    # one number of it, and the other one of the solid
    ((solidMaterial = "Cork", contactMaterial = "Half"), (solidMaterial = "Cork", contactMaterial = "Half"), same(modulus(6e7, 0.1))),
    # a solid material that is a value; and no solid material at all, as of the fingers of a gripper
    ((solidMaterial = SolidMaterial(density = 500.0, YoungsModulus = 1e9, PoissonsRatio = 0.2), contactMaterial = "Cork"),
     (contactMaterial = "Cork",), same(cork)),
    ((contactMaterial = "Cork",), (contactMaterial = "Iron",), between(iron, cork)),
]
for (floor, ball, expected) in cases, mode in ["", "modia-0.12"]
    @test abs(force(floor, ball, mode)/expected - 1) < 1e-8
end

# And it is felt as such: a steel ball with a skin of wood is 1.0 mm deep after a fall of 1 m, of steel it would be 0.32 mm.
wooden(shape) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = "DryWood", collision = true)
Drop = Model3D(world = Object3D(feature = Scene()),
               floor = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = wooden(Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 2.0))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1.05, 0.0], feature = wooden(Sphere(diameter = 0.1))))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.455, interval = 1e-5)
@test abs(maximum(0.05 .- getValues(drop, "ball.translation")[:, 2]) - 0.999e-3) < 0.002e-3
