# An arm from a URDF file: servo drives lead it to a pose and close its gripper, whose second finger mimics the first
#
# Shows: URDF("arm.urdf") as a component, parts of the library on the flanges of its joints, friction, damping and end stops as the file says, a mimic joint.
# Expect: the drives hold the arm within their stiffness: the torques at rest are those of gravity, by hand from masses and lengths of the file. The fingers stay opposite to each other and stop at
# 0.045 m.
module UrdfArm

using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/Mechanics3D.jl")

# A servo with the stiffness k and damping d about an angle that rises within a second.
Servo = Model(flange = Flange, target = 0.0, k = 2000.0, d = 100.0, phi = Var(start = 0.0),
              equations = :[
                  phi = flange.phi
                  w = der(phi)
                  aim = target*(if time < 1.0; time^2*(3 - 2*time) else 1.0 end)
                  tau = k*(aim - phi) - d*w
                  flange.tau = -tau
              ])
Arm = Model(
    bodies = Model3D(
        world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]), nominalLength = 1.0)),
        robot = URDF("parts/arm.urdf")),
    turn = Servo | Map(target = 1.2), shoulder = Servo | Map(target = 0.8), elbow = Servo | Map(target = 1.0),
    close = ConstantForce | Map(f = 2.0),
    connect = :[
        (turn.flange, bodies.robot.turn_flange)
        (shoulder.flange, bodies.robot.shoulder_flange)
        (elbow.flange, bodies.robot.elbow_flange)
        (close.flange, bodies.robot.grip_flange)
    ])
arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 6.0, tolerance = 1e-8)
plot(arm, [("turn.phi", "shoulder.phi", "elbow.phi"), ("bodies.robot.grip.s", "bodies.robot.grip2.s"), ("shoulder.tau", "elbow.tau")], heading = "An arm from URDF: angles, fingers, torques")

last(name) = getLastValue(arm, name, unit = false)
# Gravity about the elbow: forearm, palm and two fingers, at their distances along the forearm; about the shoulder the upper arm and all of that, too.
a, b = last("shoulder.phi"), last("shoulder.phi") + last("elbow.phi")
hand = 0.3*0.315 + 0.2*(0.315 + 0.015 + 0.03)
elbow = -9.81*(1.0*0.15 + hand)*sin(b)
shoulder = -9.81*(2.0*0.2 + 1.5*0.4)*sin(a) + elbow
println("elbow ", round(last("elbow.tau"), digits = 4), " N m (gravity ", round(elbow, digits = 4), "), shoulder ", round(last("shoulder.tau"), digits = 4), " N m (gravity ", round(shoulder, digits = 4), ")")
println("fingers at ", round(last("bodies.robot.grip.s"), digits = 5), " and ", round(last("bodies.robot.grip2.s"), digits = 5), " m")
# Friction of 0.1 and 0.2 N m may hold what is missing.
@test abs(last("elbow.tau") - elbow) < 0.1 + 1e-3 && abs(last("shoulder.tau") - shoulder) < 0.2 + 1e-3
@test abs(last("turn.phi") - 1.2) < 1e-3 && abs(a - 0.8) < 0.01
# Both fingers have a stop; 2 N on one of them press both together: 2 N = 2*c*depth with c = 40 N/1 mm each.
@test last("bodies.robot.grip.s") == last("bodies.robot.grip2.s") && abs(last("bodies.robot.grip.s") - (0.045 + 2.0/(2*4.0e4))) < 1e-7

end
