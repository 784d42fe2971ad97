# A robot arm of five axes with a gripper of two fingers, for gripping_robot.jl and gripping_scenarios.jl. Stretched upwards all angles are zero;
# axis 1 turns the column, axes 2 to 4 bend the arm in its plane, axis 5 turns the hand.

axes = ["q1", "q2", "q3", "q4", "q5", "width"]
shoulder, upper, fore, tool = 0.25, 0.28, 0.24, 0.16   # height of axis 2, lengths from axis to axis and to the grip [m]
plateTop = 0.10

# The angles at which the grip is at r = [x, y, z], from above.
function reach(r)
    radius, height = hypot(r[1], r[2]), r[3] + tool - shoulder   # of the wrist, seen from the shoulder
    q3 = acos((radius^2 + height^2 - upper^2 - fore^2)/(2.0*upper*fore))
    q2 = atan(radius, height) - atan(fore*sin(q3), upper + fore*cos(q3))
    return [atan(r[2], r[1]), q2, q3, pi - q2 - q3, 0.0]
end

# Of each axis: gear ratio, inertia of the rotor [kg*m^2], stiffness [N*m/rad] and damping [N*m*s/rad] of the gear.
ratio = [156.0, 156.0, 100.0, 71.0, 71.0]
inertia = [1.4e-5, 1.4e-5, 1.4e-5, 9.3e-6, 3.6e-6]
stiffness = [8000.0, 8000.0, 5000.0, 2000.0, 500.0]
damping = [40.0, 40.0, 20.0, 5.0, 0.5]

# Proportional on the position of the motor, proportional-integral on its speed.
Cascade(k) = Model(
    ref = input, position = input, speed = input, y = output,
    PI = PI | Map(k = k, T = 1.0),
    equations = :[
        PI.u = 50.0*(ref - position) - speed
        y = PI.y
    ]
)

Drive(k, start) = Model(
    ref = input,
    flange = Flange,
    controller = Cascade(0.1),
    motor = UnitlessTorque,
    rotor = Inertia | Map(J = inertia[k], phi = Var(init = ratio[k]*start)),
    gear = IdealGear | Map(ratio = ratio[k]),
    elastic = SpringDamper | Map(c = stiffness[k], d = damping[k]),
    equations = :[
        controller.ref = $(ratio[k])*ref
        controller.position = rotor.phi
        controller.speed = rotor.w
        motor.tau = controller.y
    ],
    connect = :[
        (motor.flange, rotor.flange_a)
        (rotor.flange_b, gear.flange_a)
        (gear.flange_b, elastic.flange_a)
        (elastic.flange_b, flange)
    ]
)

FingerDrive = Model(
    ref = input,
    flange = TranslationalFlange,
    controller = Cascade(10.0),
    motor = UnitlessForce,
    slide = TranslationalMass | Map(m = 0.1, s = Var(init = nothing), v = Var(init = nothing)),
    equations = :[
        controller.ref = ref
        controller.position = slide.s
        controller.speed = slide.v
        motor.f = controller.y
    ],
    connect = :[
        (motor.flange, slide.flange_a)
        (slide.flange_b, flange)
    ]
)

Link(length, width, mass) = Model(
    base = Object3D(feature = Visual(shape = Cylinder(axis = 2, diameter = 1.1*width, length = 1.2*width))),
    body = Object3D(parent = :base, translation = [0.0, 0.0, length/2],
                    feature = Solid(shape = Box(lengthX = 0.8*width, lengthY = 0.8*width, lengthZ = length),
                                    massProperties = MassPropertiesFromShapeAndMass(mass = mass))),
    tip = Object3D(parent = :base, translation = [0.0, 0.0, length])
)

# With pads of rubber it touches what it grips; it is shorter then, to stay clear of the plate.
Finger(pads) = Solid(shape = Box(lengthX = 0.02, lengthY = 0.01, lengthZ = pads ? 0.03 : 0.05), massProperties = MassPropertiesFromShapeAndMass(mass = 0.02),
                     solidMaterial = pads ? "DryWood" : nothing, contactMaterial = pads ? "Pad" : "", collision = pads)

# What axis 2 carries [kg].
loads = [("upperArm.body", 1.5), ("foreArm.body", 1.0), ("wrist.body", 0.5), ("palm.body", 0.3), ("rightFinger", 0.02),
         ("leftFinger", 0.02)]

Axis(obj1, obj2, axis, start) = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, phi = Var(init = start), w = Var(init = 0.0))

# The right finger is fixed to the palm, the left one slides. The grip is where the middle of a sphere is, once they touch it.
Robot(start; pads = false) = Model(
    foot = Object3D(parent = :world, feature = Visual(shape = Cylinder(axis = 3, diameter = 0.2, length = 0.05))),
    column = Link(shoulder, 0.12, 3.0),
    upperArm = Link(upper, 0.08, 1.5),
    foreArm = Link(fore, 0.07, 1.0),
    wrist = Link(0.06, 0.06, 0.5),
    palm = Link(tool - 0.09, 0.06, 0.3),
    hand = Object3D(parent = :(palm.base), lockable = true, translation = [0.0, 0.0, tool - 0.06]),
    rightSide = Object3D(parent = :hand, translation = [0.0, -0.025, 0.0]),
    rightFinger = Object3D(parent = :rightSide, translation = [0.0, -0.005, 0.0], feature = Finger(pads)),
    leftSide = Object3D(),
    leftFinger = Object3D(parent = :leftSide, translation = [0.0, 0.005, 0.0], feature = Finger(pads)),
    rev1 = Axis(:foot, :(column.base), 3, start[1]),
    rev2 = Axis(:(column.tip), :(upperArm.base), 2, start[2]),
    rev3 = Axis(:(upperArm.tip), :(foreArm.base), 2, start[3]),
    rev4 = Axis(:(foreArm.tip), :(wrist.base), 2, start[4]),
    rev5 = Axis(:(wrist.tip), :(palm.base), 3, start[5]),
    grip = PrismaticWithFlange(obj1 = :rightSide, obj2 = :leftSide, axis = 2, s = Var(init = start[6]), v = Var(init = 0.0)),
    drive1 = Drive(1, start[1]),
    drive2 = Drive(2, start[2]),
    drive3 = Drive(3, start[3]),
    drive4 = Drive(4, start[4]),
    drive5 = Drive(5, start[5]),
    finger = FingerDrive,
    connect = :[
        (drive1.flange, rev1.flange)
        (drive2.flange, rev2.flange)
        (drive3.flange, rev3.flange)
        (drive4.flange, rev4.flange)
        (drive5.flange, rev5.flange)
        (finger.flange, grip.flange)
    ]
)
