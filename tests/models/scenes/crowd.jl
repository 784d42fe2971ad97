# Free bodies and controllers that see and push each other in all ways, for Jacobians: `Crowd`.
using Modia3D

solid(m) = Solid(shape = Sphere(diameter = 0.3), massProperties = MassProperties(mass = m, centerOfMass = [0.02, 0.01, 0.03], Ixx = 0.1, Iyy = 0.12, Izz = 0.15),
                 solidMaterial = "Steel", collision = true)
loose(i) = Object3D(parent = :world, fixedToParent = false, translation = [1.0*i, 0.1*i, 0.5], rotation = [0.1*i, 0.2, 0.3],
                    angularVelocity = [0.5, 0.2*i, 0.3], velocity = [0.0, 0.1*i, 0.0], feature = solid(1.0 + 0.1*i))
ball(i) = Object3D(parent = :world, fixedToParent = false, translation = [1.0*i, 5.0, 0.5], feature = Solid(shape = Sphere(diameter = 0.3), massProperties = 1.0))
Crowd = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    floor = Object3D(parent = :world, translation = [0.0, 0.0, -1.0],
                     feature = Solid(shape = Box(lengthX = 30.0, lengthY = 30.0, lengthZ = 1.0), solidMaterial = "Steel", collision = true)),
    b1 = loose(1), b2 = loose(2), b3 = loose(3), b4 = loose(4), b5 = loose(5), b6 = ball(1), b7 = ball(2),
    tip2 = Object3D(parent = :b2, translation = [0.1, 0.2, 0.3], rotation = [0.3, 0.2, 0.1]),
    f1 = WorldForce(objectApply = :b1, objectCoord = :tip2), f2 = WorldForce(objectApply = :tip2), f3 = WorldForce(objectApply = :b3),
    f4 = WorldForce(objectApply = :b4), f5 = WorldForce(objectApply = :b5), f6 = WorldForce(objectApply = :b6), f7 = WorldForce(objectApply = :b7),
    t3 = WorldTorque(objectApply = :b3, objectCoord = :b3), t6 = WorldTorque(objectApply = :b6),
    eye = SensorResult(object = :b4, objectOrigin = :tip2, objectCoordinateRef = :b1, objectObserveRef = :b3),
    rope = SpringDamperPtP(obj1 = :b4, obj2 = :b5, nominalLength = 1.0, springForceLaw = 50.0, damperForceLaw = 2.0),
    hand = Bushing(obj1 = :b6, obj2 = :b7, springForceLaw = [10.0, 10.0, 10.0], damperForceLaw = [1.0, 1.0, 1.0], largeAngles = true),
    touch = ContactResult(object1 = :floor, object2 = :b5),
    x = Var(init = zeros(3)), q = Var(init = 1.0), z = Var(init = 0.0), lag = Var(init = 0.0),
    equations = :[
        der(x) = 20.0*(b1.r_abs - x)
        der(q) = -3.0*q + eye.velocity[2]
        der(z) = 5.0*(rope.springForce + touch.normalForce - z)
        der(lag) = 10.0*(x[1]*q - lag)
        f1.force = [3.0, q, 9.81] - 5.0*b1.v_abs
        f2.force = [0.0, 0.0, 1.2*9.81] - 200.0*(tip2.r_abs - x - [1.0, 0.0, 0.0]) - 10.0*tip2.v_abs
        f3.force = [0.0, 0.0, 1.3*9.81 + 0.1*b2.w_abs[1]] - 30.0*(b3.r_abs - b2.r_abs - [1.0, 0.0, 0.0]) - 4.0*b3.v_abs
        t3.torque = -2.0*b3.w_abs - 3.0*[b3.R_abs[2, 3], b3.R_abs[3, 1], b3.R_abs[1, 2]] + [0.0, 0.0, 0.1*lag]
        f4.force = [0.0, 0.0, 14.0 + 0.1*z] - 10.0*eye.translation
        f5.force = [0.0, 0.0, 10.0*cos(time)]
        f6.force = [0.0, 0.0, 9.81] + hand.springForce + 3.0*(b6.R_abs*[1.0, 0.0, 0.0]) - b6.v_abs
        t6.torque = -0.5*b6.w_abs + 0.1*b7.r_abs
        rope.actuatorForce = 0.2*z
        f7.force = [0.0, 0.0, 9.81] - 20.0*(b7.r_abs - [2.0, 5.0, 0.5])
    ]
)
