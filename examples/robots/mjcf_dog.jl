# A quadruped from an MJCF file lands on its feet, stands, bows and stands up again
#
# Shows: MJCF("dog.xml") as a component: default classes, hips of two joints in one body, a free trunk, position servos as drives led by expressions, feet that touch the plane of the file and stick.
# Expect: standing, the four feet bear the weight of the whole, and the trunk is level. Servos of 200 N m/rad yield a little under it.
module MjcfDog

using Modia3D
using Test
@usingModiaPlot

# The file's angle of the knees is -80 degrees as it is drawn. Between 1.5 s and 3 s the front knees bend by 0.4 rad more.
bend = :(-80*pi/180 - 0.4*(if time < 1.5; 0.0 elseif time < 2.0; sin(pi*(time - 1.5))^2 elseif time < 3.0; 1.0 elseif time < 3.5; cos(pi*(time - 3.0))^2 else 0.0 end))
rest = Map(ctrl = -80*pi/180)
Stand = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]), friction = "stick", nominalLength = 0.8)),
    dog = MJCF("parts/dog.xml", material = "Rubber") | Map(servo_knee_fl = Map(ctrl = bend), servo_knee_fr = Map(ctrl = bend), servo_knee_bl = rest, servo_knee_br = rest),
    fl = ContactResult(object1 = :(dog.foot_fl), object2 = :(dog.floor)), fr = ContactResult(object1 = :(dog.foot_fr), object2 = :(dog.floor)),
    bl = ContactResult(object1 = :(dog.foot_bl), object2 = :(dog.floor)), br = ContactResult(object1 = :(dog.foot_br), object2 = :(dog.floor)))
dog = @instantiateModel(Stand, unitless = true)
simulate!(dog, stopTime = 5.0, tolerance = 1e-6, interval = 0.01)
plot(dog, [("dog.trunk.translation[3]"), ("dog.knee_fl.phi", "dog.knee_bl.phi"), ("fl.normalForce", "bl.normalForce")], heading = "A quadruped from MJCF: height, knees, feet")

mass, center = totalMass(dog)
last(name) = getLastValue(dog, name, unit = false)
feet = last("fl.normalForce") + last("fr.normalForce") + last("bl.normalForce") + last("br.normalForce")
height, tilt = getValues(dog, "dog.trunk.translation")[:, 3], last("dog.trunk.rotation")
println("mass ", round(mass, digits = 3), " kg, feet bear ", round(feet, digits = 3), " N (weight ", round(9.81*mass, digits = 3), " N); the trunk is ", round(height[end], digits = 4), " m high, bowed ", round(height[250], digits = 4), " m")
@test abs(feet/(9.81*mass) - 1) < 1e-3
@test abs(tilt[1]) < 1e-3 && abs(tilt[2]) < 0.05 && 0.25 < height[end] < 0.34 && height[250] < height[end] - 0.005

end
