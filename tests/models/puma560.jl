# The Puma 560 by the parameters of Armstrong, Khatib and Burdick (1986), in the frames of Corke's Robotics Toolbox: its published tables (Robotics, Vision and Control, chapters 7 to 9),
# the gravity constants g1 to g5 of the explicit model, and a Newton-Euler recursion of its own.
using Modia3D
using Test

# Denavit and Hartenberg: alpha, a, d; mass, center, inertia about it, in the frame behind the link; rotor inertia times the square of the gear ratio.
alpha = [pi/2, 0.0, -pi/2, pi/2, -pi/2, 0.0]
a = [0.0, 0.4318, 0.0203, 0.0, 0.0, 0.0]
d = [0.0, 0.0, 0.15005, 0.4318, 0.0, 0.0]
mass = [0.0, 17.4, 4.8, 0.82, 0.34, 0.09]
center = [[0.0, 0.0, 0.0], [-0.3638, 0.006, 0.2275], [-0.0203, -0.0141, 0.070], [0.0, 0.019, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.032]]
moments = [[0.0, 0.35, 0.0], [0.13, 0.524, 0.539], [0.066, 0.086, 0.0125], [1.8e-3, 1.3e-3, 1.8e-3], [0.3e-3, 0.4e-3, 0.3e-3], [0.15e-3, 0.15e-3, 0.04e-3]]
rotor = [200e-6*62.6111^2, 200e-6*107.815^2, 200e-6*53.7063^2, 33e-6*76.0364^2, 33e-6*71.923^2, 33e-6*76.686^2]

turned(k) = Object3D()
function frame(k, parent)
    I = moments[k]
    return Object3D(parent = parent, translation = [a[k]*1.0, 0.0, d[k]], rotation = [alpha[k], 0.0, 0.0],
                    feature = Solid(massProperties = MassProperties(mass = max(mass[k], 1e-12), centerOfMass = center[k], Ixx = I[1], Iyy = I[2], Izz = I[3])))
end
joint(obj1, obj2) = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = 3)
Puma = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]))),
    l1 = turned(1), f1 = frame(1, :l1), l2 = turned(2), f2 = frame(2, :l2), l3 = turned(3), f3 = frame(3, :l3), l4 = turned(4), f4 = frame(4, :l4), l5 = turned(5), f5 = frame(5, :l5), l6 = turned(6), tool = frame(6, :l6),
    j1 = joint(:world, :l1), j2 = joint(:f1, :l2), j3 = joint(:f2, :l3), j4 = joint(:f3, :l4), j5 = joint(:f4, :l5), j6 = joint(:f5, :l6))
m = @instantiateModel(Puma, unitless = true)
@test coordinateNames(m) == ["j1.phi", "j2.phi", "j3.phi", "j4.phi", "j5.phi", "j6.phi"]
z = zeros(6)
near(x, table, tolerance) = maximum(abs.(x - table)) < tolerance

# ---- the tables of the toolbox at its pose qn, four digits
qn = [0.0, pi/4, pi, 0.0, pi/4, 0.0]
r, R = forwardKinematics(m, "tool", qn)
@test near(r, [0.5963, -0.1501, -0.0144], 6e-5)
@test near(R, [0.0 0.0 1.0; 0.0 1.0 0.0; -1.0 0.0 0.0], 1e-12)
@test near(jacobian(m, "tool", qn), [0.1501 0.0144 0.3197 0.0 0.0 0.0; 0.5963 0.0 0.0 0.0 0.0 0.0; 0.0 0.5963 0.2910 0.0 0.0 0.0
                                     0.0 0.0 0.0 0.7071 0.0 1.0; 0.0 -1.0 -1.0 0.0 -1.0 0.0; 1.0 0.0 0.0 -0.7071 0.0 0.0], 6e-5)
@test near(inverseDynamics(m, qn, z, z), [0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0], 6e-5)
M = massMatrix(m, qn)
for k = 1:6
    M[k, k] += rotor[k]
end
@test near(M, [3.6594 -0.4044 0.1006 -0.0025 0.0 0.0; -0.4044 4.4137 0.3509 0.0 0.0024 0.0; 0.1006 0.3509 0.9378 0.0 0.0015 0.0
               -0.0025 0.0 0.0 0.1925 0.0 0.0; 0.0 0.0024 0.0015 0.0 0.1713 0.0; 0.0 0.0 0.0 0.0 0.0 0.1941], 6e-5)

# ---- gravity on the second joint by the constants g1 to g5 of the explicit model, in its angles: the third is half a turn from that of the toolbox. The paper gives g1 to 0.5, g2 to 0.2 N m.
for q in [[0.3, 0.2, -0.4, 0.5, 0.6, 0.1], [1.0, -0.7, 0.9, 0.0, 1.2, 0.0], [0.0, 1.4, 2.0, -1.0, -0.8, 0.4]]
    s23, c23 = sin(q[2] + q[3] + pi), cos(q[2] + q[3] + pi)
    g2 = -37.2*cos(q[2]) - 8.44*s23 + 1.02*sin(q[2]) + 0.249*c23 - 0.0282*(s23*cos(q[5]) + c23*cos(q[4])*sin(q[5]))
    @test abs(inverseDynamics(m, q, z, z)[2] + g2) < 0.1
end

# ---- Newton and Euler, by hand, at any motion
cross3(x, y) = [x[2]*y[3] - x[3]*y[2], x[3]*y[1] - x[1]*y[3], x[1]*y[2] - x[2]*y[1]]
turn(k, q) = [cos(q) -sin(q)*cos(alpha[k]) sin(q)*sin(alpha[k]); sin(q) cos(q)*cos(alpha[k]) -cos(q)*sin(alpha[k]); 0.0 sin(alpha[k]) cos(alpha[k])]
function newtonEuler(q, qd, qdd)
    w, wd, v = zeros(3), zeros(3), [0.0, 0.0, 9.81]
    e = [0.0, 0.0, 1.0]
    f, n, Rs, ps = [], [], [], []
    for k = 1:6
        Rk = turn(k, q[k])
        p = [a[k]*cos(q[k]), a[k]*sin(q[k]), d[k]]
        p = transpose(Rk)*p
        wd = transpose(Rk)*(wd + e*qdd[k] + cross3(w, e*qd[k]))
        w = transpose(Rk)*(w + e*qd[k])
        v = transpose(Rk)*v + cross3(wd, p) + cross3(w, cross3(w, p))
        ac = v + cross3(wd, center[k]) + cross3(w, cross3(w, center[k]))
        push!(f, mass[k]*ac)
        push!(n, moments[k] .* wd + cross3(w, moments[k] .* w))
        push!(Rs, Rk)
        push!(ps, p)
    end
    tau, F, N = zeros(6), zeros(3), zeros(3)
    for k = 6:-1:1
        Fk = k < 6 ? Rs[k + 1]*F : zeros(3)
        Nk = k < 6 ? Rs[k + 1]*N : zeros(3)
        N = Nk + cross3(ps[k], Fk) + cross3(ps[k] + center[k], f[k]) + n[k]
        F = Fk + f[k]
        tau[k] = (Rs[k]*N)[3]
    end
    return tau
end
worst = 0.0
for i = 1:20
    q, qd, qdd = 3*sin.(i*[1.1, 2.3, 3.7, 5.1, 6.7, 7.9]), 2*cos.(i*[2.1, 1.3, 4.7, 3.1, 0.7, 1.9]), 5*sin.(i*[0.4, 0.9, 1.6, 2.2, 2.9, 3.3])
    tau = newtonEuler(q, qd, qdd)
    global worst = max(worst, maximum(abs.(inverseDynamics(m, q, qd, qdd) - tau))/maximum(abs.(tau)))
    # tau is linear in the accelerations, by the mass matrix
    @test near(inverseDynamics(m, q, qd, qdd) - inverseDynamics(m, q, qd, z), massMatrix(m, q)*qdd, 1e-10)
    # and the Jacobian is the slope of the position
    h, J = 1e-6, jacobian(m, "tool", q)
    step = zeros(6)
    step[1 + i % 6] = h
    @test near((forwardKinematics(m, "tool", q + step)[1] - forwardKinematics(m, "tool", q - step)[1])/(2*h), J[1:3, 1 + i % 6], 1e-8)
    # A pose that is reached is reached again.
    pose = forwardKinematics(m, "tool", q)
    found = inverseKinematics!(m, "tool", pose, q + 0.3*cos.([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    again = forwardKinematics(m, "tool", found)
    @test near(again[1], pose[1], 1e-9) && near(again[2], pose[2], 1e-9)
end
@test worst < 1e-12

# inverseKinematics! sets start values: a run begins there.
goal = [0.4, 0.2, 0.3]
q = inverseKinematics!(m, "tool", goal, qn)
@test near(forwardKinematics(m, "tool")[1], goal, 1e-10)
simulate!(m, stopTime = 0.01)
@test near([getValues(m, "j1.phi")[1], getValues(m, "j2.phi")[1], getValues(m, "j3.phi")[1]], q[1:3], 1e-12)
@test near(getValues(m, "tool.r_abs")[1, :], goal, 1e-9)
# Behind a run the model stands where it ended.
@test near(forwardKinematics(m, "tool")[1], getLastValue(m, "tool.r_abs", unit = false), 1e-12)
