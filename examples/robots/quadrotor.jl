# A quadrotor flies around the corners of a square and faces into a gust.
#
# Shows: equations that see how a body moves (r_abs, v_abs, R_abs, w_abs) and push it: a force for each rotor along the
# axes of the body, and a torque for the drag of the rotors. The controller is all equations: where to be gives the wanted
# acceleration, this the wanted direction of the thrust, and the turn from the present to the wanted axes the torque. Each
# rotor follows its command with a delay and cannot pull.
# Beside it flies the same drone written as the equations of Newton and Euler, with a rotation matrix of nine states and
# its own controller.
# Expect: corners at (1,0), (1,1), (0,1), (0,0) at 1.5 m; a gust from 9.5 s to 10.5 s pushes it away by 20 cm; both
# fly the same way.
using Modia3D
using LinearAlgebra
using Test
@usingModiaPlot

m, g, arm, drag, lag, most = 1.2, 9.81, 0.2, 0.016, 0.03, 6.0
Jx, Jy, Jz = 0.012, 0.013, 0.022

# From the motion of the body to what each rotor is told: r, v in the world, R from the world to the body, w in the body.
Pilot = Model(
    m = m, g = g, arm = arm, drag = drag, Jx = Jx, Jy = Jy, Jz = Jz,
    r = Var(), v = Var(), R = Var(), w = Var(),
    equations = :[
        goal = [if after(1.0); (if after(5.0); 0.0 else 1.0 end) else 0.0 end, if after(3.0); (if after(7.0); 0.0 else 1.0 end) else 0.0 end, 1.5]
        a = 4.0*(goal - r) - 3.2*v + [0.0, 0.0, g]
        z = [R[3,1], R[3,2], R[3,3]]                         # present axes of the body
        x = [R[1,1], R[1,2], R[1,3]]
        zWanted = a/norm(a)
        side = cross(zWanted, [1.0, 0.0, 0.0])               # it looks along x
        xWanted = cross(side/norm(side), zWanted)
        turn = R*(cross(z, zWanted) + cross(x, xWanted))
        M = [Jx*(60.0*turn[1] - 14.0*w[1]), Jy*(60.0*turn[2] - 14.0*w[2]), Jz*(30.0*turn[3] - 10.0*w[3])]
        T = m*dot(a, z)
        # Rotors in front, left, behind and right: the first and third turn the other way than the two others.
        told = [T/4 - M[2]/(2*arm) + M[3]/(4*drag), T/4 + M[1]/(2*arm) - M[3]/(4*drag),
                T/4 + M[2]/(2*arm) + M[3]/(4*drag), T/4 - M[1]/(2*arm) - M[3]/(4*drag)]
    ]
)
Rotors = Model(
    lag = lag, most = most, told = Var(), f = Var(init = m*g/4*ones(4)),
    equations = :[
        der(f) = ([min(most, max(0.0, told[1])), min(most, max(0.0, told[2])), min(most, max(0.0, told[3])), min(most, max(0.0, told[4]))] - f)/lag
    ]
)
rotor(place) = Object3D(parent = :drone, translation = place,
                        feature = Visual(shape = Cylinder(axis = 3, diameter = 0.22, length = 0.015), visualMaterial = VisualMaterial(color = "Steel Blue", transparency = 0.3)))
beam(axis) = Object3D(parent = :drone, feature = Visual(shape = Beam(axis = axis, length = 0.4, width = 0.03, thickness = 0.02), visualMaterial = VisualMaterial(color = "Grey")))
Quadrotor = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), balance = true, nominalLength = 2.0,
                                     cameraDistance = 4.0, cameraLatitude = 0.5)),
    ground = Object3D(parent = :world, translation = [0.5, 0.5, 0.0], feature = Visual(shape = Grid(axis = 3, length = 3.0, width = 3.0, distance = 0.25))),
    drone = Object3D(parent = :world, fixedToParent = false,
                     feature = Solid(shape = Box(lengthX = 0.16, lengthY = 0.08, lengthZ = 0.06), visualMaterial = VisualMaterial(color = "Red"),
                                     massProperties = MassProperties(mass = m, Ixx = Jx, Iyy = Jy, Izz = Jz))),
    beam1 = beam(1), beam2 = beam(2),
    front = rotor([arm, 0, 0.04]), left = rotor([0, arm, 0.04]), back = rotor([-arm, 0, 0.04]), right = rotor([0, -arm, 0.04]),
    pull1 = WorldForce(objectApply = :front, objectCoord = :drone), pull2 = WorldForce(objectApply = :left, objectCoord = :drone),
    pull3 = WorldForce(objectApply = :back, objectCoord = :drone), pull4 = WorldForce(objectApply = :right, objectCoord = :drone),
    spin = WorldTorque(objectApply = :drone, objectCoord = :drone),
    gust = WorldForce(objectApply = :drone),
    pilot = Pilot, rotors = Rotors,
    equations = :[
        pilot.r = drone.r_abs
        pilot.v = drone.v_abs
        pilot.R = drone.R_abs
        pilot.w = drone.w_abs
        rotors.told = pilot.told
        pull1.force = [0.0, 0.0, rotors.f[1]]
        pull2.force = [0.0, 0.0, rotors.f[2]]
        pull3.force = [0.0, 0.0, rotors.f[3]]
        pull4.force = [0.0, 0.0, rotors.f[4]]
        spin.torque = [0.0, 0.0, 0.016*(rotors.f[1] - rotors.f[2] + rotors.f[3] - rotors.f[4])]
        gust.force = [0.0, if after(9.5); (if after(10.5); 0.0 else 1.0 end) else 0.0 end, 0.0]
    ]
)
# The forces act at the height of the rotors, along the axis z of the body: that makes no difference to their moments.
Equations = Model(
    m = m, g = g, arm = arm, drag = drag, Jx = Jx, Jy = Jy, Jz = Jz,
    r = Var(init = zeros(3)), v = Var(init = zeros(3)), R = Var(init = [1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 1.0]), w = Var(init = zeros(3)),
    pilot = Pilot, rotors = Rotors,
    equations = :[
        pilot.r = r
        pilot.v = v
        pilot.R = R
        pilot.w = w
        rotors.told = pilot.told
        f = rotors.f
        der(r) = v
        m*der(v) = transpose(R)*[0.0, 0.0, f[1] + f[2] + f[3] + f[4]] + [0.0, if after(9.5); (if after(10.5); 0.0 else 1.0 end) else 0.0 end, -m*g]
        der(R) = -[0.0 -w[3] w[2]; w[3] 0.0 -w[1]; -w[2] w[1] 0.0]*R
        der(w) = [(arm*(f[2] - f[4]) - (Jz - Jy)*w[2]*w[3])/Jx, (arm*(f[3] - f[1]) - (Jx - Jz)*w[3]*w[1])/Jy,
                  (drag*(f[1] - f[2] + f[3] - f[4]) - (Jy - Jx)*w[1]*w[2])/Jz]
    ]
)
quadrotor = @instantiateModel(Quadrotor, unitless = true)
equations = @instantiateModel(Equations, unitless = true)
simulate!(quadrotor, Tsit5(), stopTime = 13.0, tolerance = 1e-9, interval = 0.01)
simulate!(equations, Tsit5(), stopTime = 13.0, tolerance = 1e-9, interval = 0.01)

t, r = getValues(quadrotor, "time"), getValues(quadrotor, "drone.r_abs")
at(time) = r[argmin(abs.(t .- time)), :]
f = getValues(quadrotor, "rotors.f")
R33 = getValues(quadrotor, "pilot.z")[:, 3]
println("at 3 s it is at ", round.(at(3.0), digits = 3), " m, at 5 s at ", round.(at(5.0), digits = 3), " m")
println("it leans by ", round(180/pi*acos(minimum(R33)), digits = 1), " degrees at most; its rotors pull from ", round(minimum(f), digits = 2), " to ",
        round(maximum(f), digits = 2), " N; the gust takes it ", round(100*(maximum(r[t .> 9.5, 2])), digits = 1), " cm away")
@test length(t) == length(getValues(equations, "time"))
apart = maximum(abs.(r - getValues(equations, "r")))
println("from the equations of Newton and Euler it is at most ", apart < 1e-6 ? "less than 1e-6" : apart, " m away")
@test apart < 1e-6
@test maximum(abs.(getValues(quadrotor, "pilot.R")[end, :, :] - getValues(equations, "R")[end, :, :])) < 1e-6
@test maximum(abs.(at(13.0) - [0.0, 0.0, 1.5])) < 0.01
@test minimum(f) > 0.0 && maximum(f) < most
plot(quadrotor, [("drone.r_abs"), ("rotors.f"), ("drone.w_abs")], heading = "Quadrotor")
