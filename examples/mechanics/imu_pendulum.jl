# An inertial measurement unit on a pendulum, and a filter that finds its angle.
#
# Shows: what an accelerometer feels (properAcceleration, along the axes of the body) and what a gyroscope shows (w_abs) in
# equations. The gyroscope has an offset, and the accelerometer feels the swinging as well as gravity; the filter trusts the
# first for what is fast and the second for what is slow, and learns the offset.
# Expect: the accelerometer shows the closed form. The angle of the gyroscope alone drifts away by 0.05 rad/s; that of the
# filter stays within a few degrees, and the offset is found.
using Modia3D
using Test
@usingModiaPlot

m, l, I, g, offset, arm = 1.5, 0.6, 0.05, 9.81, 0.05, 0.9
Pendulum = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]))),
    rod = Object3D(feature = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0, 0, -l], Ixx = I, Iyy = I, Izz = 0.01))),
    bar = Object3D(parent = :rod, translation = [0, 0, -0.45], feature = Visual(shape = Cylinder(axis = 3, diameter = 0.04, length = 0.9))),
    imu = Object3D(parent = :rod, translation = [0, 0, -arm],
                   feature = Visual(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.05), visualMaterial = VisualMaterial(color = "Red"))),
    bearing = RevoluteWithFlange(obj1 = :world, obj2 = :rod, axis = 2, phi = Var(init = 1.0)),
    damper = Model(d = 0.02, flange = Model(phi = Var(potential = true), tau = Var(flow = true)), equations = :[flange.tau = d*der(flange.phi)]),
    connect = :[(bearing.flange, damper.flange)],
    k1 = 0.6, k2 = 0.12, offset = offset,
    found = Var(init = 0.0), bias = Var(init = 0.0), alone = Var(init = 1.0),
    equations = :[
        gyro = imu.w_abs[2] + offset
        acc = imu.properAcceleration
        tilt = atan(-acc[1], acc[3])                 # the direction that seems to be up
        error = tilt - found
        der(found) = gyro - bias + k1*error
        der(bias) = -k2*error
        der(alone) = gyro
    ]
)
pendulum = @instantiateModel(Pendulum, unitless = true)
simulate!(pendulum, stopTime = 60.0, tolerance = 1e-9, interval = 0.01)

phi, w, acc = getValues(pendulum, "bearing.phi"), getValues(pendulum, "bearing.w"), getValues(pendulum, "acc")
# The closed form: the body turns by phi about y, z = phi'' = -(m g l sin(phi) + d w)/(I + m l^2); at the arm below the
# bearing there is -arm z along x and arm w^2 toward the bearing, and free fall is not felt.
z = -(m*g*l*sin.(phi) + 0.02*w)/(I + m*l^2)
@test maximum(abs.(acc[:, 1] - (-arm*z - g*sin.(phi)))) < 1e-9
@test maximum(abs.(acc[:, 3] - (arm*w.^2 + g*cos.(phi)))) < 1e-9
@test maximum(abs.(acc[:, 2])) < 1e-9

off = abs.(getValues(pendulum, "found") - phi)
println("after 60 s the gyroscope alone is wrong by ", round(abs(getValues(pendulum, "alone")[end] - phi[end]), digits = 2),
        " rad, the filter by ", round(maximum(off[end-300:end]), digits = 3), " rad at most; it takes ",
        round(getValues(pendulum, "bias")[end], digits = 3), " rad/s for the offset of ", offset)
@test abs(getValues(pendulum, "alone")[end] - phi[end] - 60*offset) < 1e-6
@test maximum(off[end-300:end]) < 0.1
@test abs(getValues(pendulum, "bias")[end] - offset) < 0.005
plot(pendulum, [("bearing.phi", "found", "alone"), "acc", "bias"], heading = "A pendulum and its inertial measurement unit")
