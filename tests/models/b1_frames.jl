# Scenario B1: rotation matrices and resolving vectors, in radian and degrees, in both sequences.
using Modia3D
using Test

near(a, b) = maximum(abs.(a - b)) < 1e-14
@test near(Modia3D.rot1(90u"°"), Modia3D.rot1(pi/2))
@test near(Modia3D.rot123(90u"°", 90u"°", 90u"°"), [0.0 0.0 1.0; 0.0 -1.0 0.0; 1.0 0.0 0.0])
@test near(Modia3D.rot123([90, 90, 90]u"°"), Modia3D.rot123(pi/2, pi/2, pi/2))
v = [1.0, -2.0, 3.0]
angles = [30, 40, 50]u"°"
R = Modia3D.rot123(angles)
@test near(Modia3D.resolve1(R, Modia3D.resolve2(R, v)), v)
@test near(Modia3D.resolve1(angles, Modia3D.resolve2(angles, v)), v)
@test near(Modia3D.resolve2(R, v), Modia3D.resolve2(angles, v))
@test near(Modia3D.resolve1(angles, Modia3D.resolve2(angles, v, rotationXYZ = false), rotationXYZ = false), v)
@test near(Modia3D.resolve2(angles, v, rotationXYZ = false), Modia3D.rot2(50u"°")*Modia3D.rot3(40u"°")*Modia3D.rot1(30u"°")*v)
@test near(R*R', [1.0 0 0; 0 1.0 0; 0 0 1.0])
@test Modia3D.XZ_Plane != Modia3D.XY_Plane
