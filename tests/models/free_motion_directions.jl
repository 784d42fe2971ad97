# One motion, described in all ways there are: relative to the world or to a turning arm, by states of the object or
# by FreeMotion, with the object as obj2 or as obj1, and with an object in the middle of what moves.
using Modia3D
using Test

Body = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.1, 0.05, -0.1], Ixx = 0.3, Iyy = 0.5, Izz = 0.7, Ixy = 0.02))
Heavy = Solid(massProperties = MassProperties(mass = 1e3, Ixx = 1e3, Iyy = 1e3, Izz = 1e3))
(phi, speed) = (0.3, 1.7)
T = Modia3D.rot3(phi)          # world to arm
(r, rot, v, w) = ([0.4, 0.2, 0.1], [0.1, 1.4, 0.3], [0.3, -0.2, 0.5], [2.0, 1.0, -3.0])   # in the arm
R = Modia3D.rot123(rot)        # arm to object
turn = [0.0, 0.0, speed]
# In the world.
(r0, v0, w0) = (T'*r, T'*(v + cross(turn, r)), T'*(w + turn))
R0 = R*T
rot0 = Modia3D.rot123fromR(R0)
# The arm, or the world, seen from the object: -R r, and its derivative with der(R) = -skew(w) R for w in the object.
seen(R, r) = -(R*r)
seenVelocity(R, r, v, w) = cross(R*w, R*r) - R*v
angles(R) = Modia3D.rot123fromR(R)
(a, b) = ([0.3, 0.1, -0.2], [0.4, -0.3, 0.2]) # a frame on a body
F = Modia3D.rot123(b)

Ways = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    arm = Object3D(feature = Heavy),
    rev = Revolute(obj1 = :world, obj2 = :arm, phi = Var(init = phi), w = Var(init = speed)),
    free = Object3D(parent = :world, fixedToParent = false, translation = r0, rotation = rot0, velocity = v0, angularVelocity = w0, feature = Body),
    onArm = Object3D(parent = :arm, fixedToParent = false, translation = r, rotation = rot, velocity = v, angularVelocity = w, feature = Body),
    own = Object3D(parent = :arm, fixedToParent = false, translation = r, rotation = rot, velocity = v, angularVelocity = R*w,
                   angularVelocityResolvedInParent = false, feature = Body),
    joined = Object3D(feature = Body),
    by = Free(obj1 = :arm, obj2 = :joined, translation = r, rotation = rot, velocity = v, angularVelocity = w),
    moved = Object3D(feature = Body),
    by1 = FreeMotion(obj1 = :arm, obj2 = :moved, r = Var(init = r), rot = Var(init = rot), v = Var(init = v), w = Var(init = R*w)),
    watching = Object3D(feature = Body),
    by2 = FreeMotion(obj1 = :watching, obj2 = :arm, r = Var(init = seen(R, r)), rot = Var(init = angles(R')),
                     v = Var(init = seenVelocity(R, r, v, w)), w = Var(init = -w)),
    alone = Object3D(feature = Body),
    by3 = FreeMotion(obj1 = :alone, obj2 = :world, r = Var(init = seen(R0, r0)), rot = Var(init = angles(R0')),
                     v = Var(init = seenVelocity(R0, r0, v0, w0)), w = Var(init = -w0)),
    # The joint carries a frame, and the body hangs on it: frame = body + R0' a, turned by F.
    held = Object3D(feature = Body),
    frame = Object3D(parent = :held, translation = a, rotation = b),
    by4 = FreeMotion(obj1 = :world, obj2 = :frame, r = Var(init = r0 + R0'*a), rot = Var(init = angles(F*R0)),
                     v = Var(init = v0 + cross(w0, R0'*a)), w = Var(init = F*R0*w0))
)
ways = @instantiateModel(Ways, unitless = true)
simulate!(ways, Tsit5(), stopTime = 10.0, tolerance = 1e-10)
place(name) = getValues(ways, "$name.r_abs")[end, :]
turned(name) = Modia3D.rot123(getValues(ways, "$name.rot123_abs")[end, :])
for name in ["onArm", "own", "joined", "moved", "watching", "alone", "held"]
    @test maximum(abs.(place(name) - place("free"))) < 1e-6
    @test maximum(abs.(turned(name) - turned("free"))) < 1e-6
end
# Both sequences of angles were in use, in states of objects and of the joints.
@test any(getValues(ways, "free.rotationXYZ") .== 0)
for joint in ["by2", "by3", "by4"]
    @test any(getValues(ways, "$joint.isrot123") .== 0)
end
