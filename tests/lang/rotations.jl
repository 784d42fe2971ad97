# Rotations of the 3D part: matrices, angles and quaternions say the same.
using Modia3D, LinearAlgebra, Test
M = Modia3D
near(a, b) = maximum(abs.(a - b)) < 1e-12

R = M.rot123(0.3, -0.5, 1.2)
@test near(R, M.rot3(1.2)*M.rot2(-0.5)*M.rot1(0.3))
@test near(M.rot123fromR(R), [0.3, -0.5, 1.2])
@test near(M.rot132(M.rot132fromR(R)), R)
@test near(M.Rfromrot123([0.3, -0.5, 1.2]), R) && near(M.Rfromrot132(M.rot132fromR(R)), R)
@test near(M.rot123(0.3, pi/2, 0.4), M.rot123(M.rot123fromR(M.rot123(0.3, pi/2, 0.4))))
@test near(M.rot1(0.2, [1.0, 2.0, 3.0]), M.rot1(0.2)*[1.0, 2.0, 3.0])
@test near(M.rotAxis(2, 0.7), M.rot2(0.7)) && near(M.rotAxis(2, false, 0.7), M.rot2(-0.7))
@test near(M.rot_e([0.0, 0.0, 1.0], 0.4), M.rot3(0.4))
@test near(M.rot1(30u"°"), M.rot1(pi/6))

q = M.qrot123(0.3, -0.5, 1.2)
@test near(M.from_q(q), R) && near(M.from_R(R), q)
@test near(M.from_R(R; q_guess = -q), -q)
for angle in [0.1, 1.6, 3.0, 4.5]
    for k in 1:3
        @test near(M.from_q(M.from_R(M.rotAxis(k, angle))), M.rotAxis(k, angle))
    end
end
@test near(M.from_q(M.absoluteRotation(q, M.qrot1(0.4))), M.rot1(0.4)*R)
@test near(M.absoluteRotation(R, M.rot1(0.4)), M.rot1(0.4)*R)
@test near(M.relativeRotation(M.rot1(0.4), R)*M.rot1(0.4), R)
@test near(M.absoluteRotation(M.qrot1(0.4), M.relativeRotation(M.qrot1(0.4), q)), q)
@test near(M.from_q(M.inverseRotation(q)), M.inverseRotation(R))

v = [1.0, -2.0, 0.5]
@test near(M.resolve2(R, v), R*v) && near(M.resolve2(q, v), R*v) && near(M.resolve2([0.3, -0.5, 1.2], v), R*v)
@test near(M.resolve1(R, M.resolve2(q, v)), v)
@test near(M.resolve1(M.rot132fromR(R), R*v; rotationXYZ = false), v)
@test near(M.skew(v)*[1.0, 1.0, 2.0], cross(v, [1.0, 1.0, 2.0]))

N = M.rot_nxy([0.0, 2.0, 0.0], [0.0, 1.0, 1.0])
@test near(N[1,:], [0.0, 1.0, 0.0]) && near(N[2,:], [0.0, 0.0, 1.0]) && near(N[3,:], [1.0, 0.0, 0.0])
@test near(M.rot_nxz([1.0, 0.0, 0.3], [0.0, 0.0, 2.0]), M.NullRotation)
@test near(M.rot_nxy([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]), M.NullRotation)     # parallel: the y axis helps
@test near(M.from_q(M.qrot_nxy([0.0, 2.0, 0.0], [0.0, 1.0, 1.0])), N)
@test near(M.planarRotationAngle([0.0, 0.0, 1.0], [1.0, 0.0, 0.0], M.rot3(0.3)*[1.0, 0.0, 0.0]), 0.3)
@test abs(M.planarRotationAngle([0.0, 0.0, 1.0], [1.0, 0.0, 0.0], M.rot3(0.3)*[1.0, 0.0, 0.0]; angle_guess = 6.0) - 0.3 - 2pi) < 1e-12
@test M.eAxis(2) == [0.0, 1.0, 0.0] && M.axisValue(3, false, 2.0) == [0.0, 0.0, -2.0]

# der(angles) = J*w, against a difference.
(w, h) = ([0.2, -0.4, 0.7], 1e-6)
turned(angles) = M.rot_e(w/norm(w), norm(w)*h)*M.rot123(angles)
@test maximum(abs.((M.rot123fromR(turned([0.3, -0.5, 1.2])) - [0.3, -0.5, 1.2])/h - M.J123([0.3, -0.5, 1.2])*w)) < 1e-5
a132 = M.rot132fromR(R)
@test maximum(abs.((M.rot132fromR(turned([0.3, -0.5, 1.2])) - a132)/h - M.J132(a132)*w)) < 1e-5

M.assertRotationMatrix(R)
M.assertQuaternion(q)
@test_throws ErrorException M.assertRotationMatrix(1.001*R)
@test_throws ErrorException M.assertQuaternion([1.0, 1.0, 0.0, 0.0])

# A path: two seconds straight on, then a quarter turn on the spot.
path = M.Path([[0.0,0.0,0.0], [2.0,0.0,0.0], [2.0,0.0,0.0]], [M.NullQuaternion, M.NullQuaternion, M.qrot3(pi/2)])
@test near(M.t_pathEnd(path), 2.0 + pi/2)
@test near(M.interpolate_r(path, 0.5), [0.5, 0.0, 0.0])
@test near(M.interpolate_r(path, -1.0), [-1.0, 0.0, 0.0])
(r, qp) = M.interpolate(path, 2.0 + pi/4)
@test near(r, [2.0, 0.0, 0.0]) && near(qp, M.qrot3(pi/4))
@test_throws ErrorException M.Path([[0.0,0.0,0.0], [0.0,0.0,0.0]])
@test M.linearMovement(4.0, 1.0, 3.0, 1.5) == 1.0

# The same rotation, with the sign of the guess.
@test near(M.qrot1(0.2; q_guess = -M.NullQuaternion), -M.qrot1(0.2)) && M.qrot1(0.2; q_guess = M.NullQuaternion) == M.qrot1(0.2)
@test near(M.qrot3(3pi; q_guess = [0.0, 0.0, 1.0, 0.0]), -M.qrot3(3pi)) && near(M.qrot3(3pi), [0.0, 0.0, -1.0, 0.0])
@test near(M.qrot2(0.2; q_guess = -M.NullQuaternion), -M.qrot2(0.2))
@test near(M.qrot_e([0.6, 0.0, 0.8], 0.2; q_guess = -M.NullQuaternion), -M.qrot_e([0.6, 0.0, 0.8], 0.2))
@test near(M.qrot123(0.1, 0.2, 0.3; q_guess = -M.NullQuaternion), -M.qrot123(0.1, 0.2, 0.3))
@test near(M.qrot_nxy([1.0, 1.0, 0.0], [0.0, 1.0, 0.0]; q_guess = -M.NullQuaternion), -M.qrot_nxy([1.0, 1.0, 0.0], [0.0, 1.0, 0.0]))
@test near(M.qrot_nxz([1.0, 0.0, 0.0], [0.0, 1.0, 1.0]; q_guess = -M.NullQuaternion), -M.qrot_nxz([1.0, 0.0, 0.0], [0.0, 1.0, 1.0]))
# Where two of the angles turn about the same axis, a guess is one of them.
for side in [-pi/2, pi/2]
    @test near(M.rot123fromR(M.rot123(0.1, side, 0.3); rot3_guess = 0.3), [0.1, side, 0.3])
    @test near(M.rot132fromR(M.rot132(0.1, side, 0.3); rot3_guess = 0.3), [0.1, side, 0.3])
end

# Arguments that make no sense are not passed over.
@test_throws ErrorException M.eAxis(4)
@test_throws ErrorException M.rotAxis(0, 0.1)
@test_throws ErrorException M.axisValue(-1, 2.0)
@test_throws ErrorException M.rot123([1.0, 2.0, 3.0, 4.0])
@test_throws ErrorException M.skew([1.0, 2.0])
@test_throws ErrorException M.resolve1([1.0, 2.0, 3.0, 4.0, 5.0], v)
@test_throws ErrorException M.assertRotationMatrix([-1.0 0 0; 0 1.0 0; 0 0 1.0])
@test M.rot1(0.5f0) isa Matrix{Float64}
println("done")     # expect: done
