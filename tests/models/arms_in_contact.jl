# Trees of joints in contact: with each other, with the ground and with free bodies, with and without drives.
using Modia3D
using Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
ball() = steel(Sphere(diameter = 0.1))
massless(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true, massProperties = MassProperties(mass = 0.0))
methods = [CVODE_BDF(), IDA(), Tsit5(), Rodas5()]

# Two pendulums that touch where they hang. The relative speed changes by the effective restitution e = 0.68318 of cor = 0.7.
# The balls touch 0.05 m beside the lines from hinge to center, so friction (0.5) turns both arms back: with N the impulse,
# I w1 changes by -(0.5 + 0.5*0.05) N and I w2 by (0.5 - 0.5*0.05) N.
Pendulums = Model3D(world = Object3D(feature = Scene()),
    base1 = Object3D(parent = :world), bob1 = Object3D(feature = ball()),
    hinge1 = Object3D(parent = :bob1, translation = [0.0, 0.5, 0.0]),
    joint1 = Revolute(obj1 = :base1, obj2 = :hinge1, axis = 3, phi = Var(init = -0.8)),
    base2 = Object3D(parent = :world, translation = [0.1, 0.0, 0.0]), bob2 = Object3D(feature = ball()),
    hinge2 = Object3D(parent = :bob2, translation = [0.0, 0.5, 0.0]),
    joint2 = Revolute(obj1 = :base2, obj2 = :hinge2, axis = 3),
    both = ContactResult(object1 = :bob1, object2 = :bob2))
pendulums = @instantiateModel(Pendulums, unitless = true)
fast = sqrt(2*9.81*0.5*(1 - cos(0.8))/(0.5^2 + 0.4*0.05^2))
for method in methods
    simulate!(pendulums, method, stopTime = 0.42, tolerance = 1e-8)
    # Heights after the impact tell the speeds right behind it.
    speed(name) = sqrt(getLastValue(pendulums, name*".w")^2 + 2*9.81*0.5*(1 - cos(getLastValue(pendulums, name*".phi")))/(0.5^2 + 0.4*0.05^2))
    @test abs(speed("joint1")/fast - (1 - 0.525*1.68318)) < 2e-5
    @test abs(speed("joint2")/fast - 0.475*1.68318) < 2e-5
end

# An arm whose drive presses its tip on the ground, 0.3 m below the joint, while a ball rolls against it. What the drive
# pushes beyond holding the arm's weight goes through the contact.
Press = Model3D(world = Object3D(feature = Scene()),
    ground = Object3D(parent = :world, translation = [0.0, -0.4, 0.0], feature = steel(Box(lengthX = 4.0, lengthY = 0.1, lengthZ = 1.0))),
    arm = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.4, 0.0, 0.0], Ixx = 0.01, Iyy = 0.05, Izz = 0.05))),
    tip = Object3D(parent = :arm, translation = [0.8, 0.0, 0.0], feature = massless(Sphere(diameter = 0.1))),
    joint = RevoluteWithFlange(obj1 = :world, obj2 = :arm, axis = 3, phi = Var(init = -0.3), w = Var(init = 0.0)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.95, -0.3, 0.0], velocity = [-0.5, 0.0, 0.0], feature = ball()),
    down = ContactResult(object1 = :tip, object2 = :ground))
Flange = Model(phi = potential, tau = flow)
Drive = Model(flange = Flange, i = Var(init = 0.0), w = Var(start = 0.0),
              equations = :[w = der(flange.phi); 0.01*der(i) = -0.6 - flange.phi - 0.3*w - i; flange.tau = -20*i])
Machine = Model(press = Press, drive = Drive, connect = :[(drive.flange, press.joint.flange)])
machine = @instantiateModel(Machine, unitless = true)
phi = -asin(0.3/0.8)
force = (20*(phi + 0.6)/cos(phi) + 9.81*0.4)/0.8
for method in [CVODE_BDF(), IDA()]
    simulate!(machine, method, stopTime = 3.0, tolerance = 1e-8)
    @test abs(getLastValue(machine, "press.joint.phi") - phi) < 1e-5
    @test abs(getLastValue(machine, "press.down.normalForce")/u"N"/force - 1) < 1e-3
end
@test minimum(getValues(machine, "press.ball.translation")[:, 1]) < 0.1 + 0.8*cos(phi) + 1e-3 # it arrived
