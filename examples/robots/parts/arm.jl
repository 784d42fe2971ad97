# A robot arm of six joints with a load in its hand, for the examples of this folder. In each joint the flange is where
# a drive is connected. Stretched upwards all angles are zero. A run leaves a moving picture, arm.json, to be dropped on
# https://threejs.org/editor (docs/animation.md).

Link(; L, width, mass) = Model(
    base = Object3D(feature = Visual(shape = Sphere(diameter = 1.2*width))),
    body = Object3D(parent = :base, translation = [0.0, L/2, 0.0],
                    feature = Solid(shape = Capsule(axis = 2, diameter = width, length = L - width),
                                    massProperties = MassPropertiesFromShapeAndMass(mass = mass),
                                    visualMaterial = VisualMaterial(color = "Dark Orange"))),
    tip = Object3D(parent = :base, translation = [0.0, L, 0.0])
)

# The motion of a joint comes from its drive, so the joint brings no initial values of its own.
Joint(obj1, obj2, axis; start = nothing) = RevoluteWithFlange(
    obj1 = obj1, obj2 = obj2, axis = axis,
    phi = Var(init = start), w = Var(init = start === nothing ? nothing : 0.0))

linkMass = [12.0, 8.0, 5.0, 2.0, 1.0, 0.5]
loadMass = 2.0

Arm(start) = Model3D(
    world = Object3D(feature = Scene(animationFile = "arm.json", nominalLength = 0.3)),
    link1 = Link(L = 0.4, width = 0.14, mass = linkMass[1]),
    link2 = Link(L = 0.5, width = 0.12, mass = linkMass[2]),
    link3 = Link(L = 0.4, width = 0.10, mass = linkMass[3]),
    link4 = Link(L = 0.2, width = 0.08, mass = linkMass[4]),
    link5 = Link(L = 0.15, width = 0.07, mass = linkMass[5]),
    link6 = Link(L = 0.1, width = 0.06, mass = linkMass[6]),
    load = Object3D(parent = :(link6.tip),
                    feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1),
                                    massProperties = MassPropertiesFromShapeAndMass(mass = loadMass))),
    rev1 = Joint(:world, :(link1.base), 2, start = start[1]),
    rev2 = Joint(:(link1.tip), :(link2.base), 3, start = start[2]),
    rev3 = Joint(:(link2.tip), :(link3.base), 3, start = start[3]),
    rev4 = Joint(:(link3.tip), :(link4.base), 2, start = start[4]),
    rev5 = Joint(:(link4.tip), :(link5.base), 3, start = start[5]),
    rev6 = Joint(:(link5.tip), :(link6.base), 2, start = start[6])
)

# The arm with a drive in each joint: drive(1) to drive(6) are models with a flange.
Robot(start, drive) = Model(
    arm = Arm(start),
    drive1 = drive(1),
    drive2 = drive(2),
    drive3 = drive(3),
    drive4 = drive(4),
    drive5 = drive(5),
    drive6 = drive(6),
    connect = :[
        (drive1.flange, arm.rev1.flange)
        (drive2.flange, arm.rev2.flange)
        (drive3.flange, arm.rev3.flange)
        (drive4.flange, arm.rev4.flange)
        (drive5.flange, arm.rev5.flange)
        (drive6.flange, arm.rev6.flange)
    ]
)

# All that has mass, with the masses in the same order.
bodies = ["link1.body", "link2.body", "link3.body", "link4.body", "link5.body", "link6.body", "load"]
masses = [linkMass; loadMass]
