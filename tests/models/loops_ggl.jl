# Loops with their constraints among the equations of IDA (Gear, Leimkuhler and Gupta), against states that are moved back
# between the steps of other solvers, and against closed forms: positions, speeds and forces, with drives, events and actions.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")

off(x, y) = maximum(abs.(x .- y))
instance(model) = @instantiateModel(model, unitless = true)
# Largest deviations relative to the size of each signal: of positions and speeds, and of forces.
function compare(m, stop, motion, forces; reference = DP8())
    simulate!(m, reference, stopTime = stop, tolerance = 1e-11)
    names = vcat(motion, forces)
    expected = [getValues(m, n) for n in names]
    simulate!(m, IDA(), stopTime = stop, tolerance = 1e-9)
    worst = [off(getValues(m, names[i]), expected[i])/max(1.0, maximum(abs.(expected[i]))) for i in 1:length(names)]
    return (maximum(worst[1:length(motion)]), maximum(worst))
end
function agrees(m, stop, motion, forces; reference = DP8())
    (moved, all) = compare(m, stop, motion, forces, reference = reference)
    return moved < 1e-6 && all < 5e-6
end

# Free bodies, held by every kind of joint that closes a loop.
g = 9.81
solid = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.3, 0.0, 0.1], Ixx = 0.05, Iyy = 0.09, Izz = 0.07))
scene = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]), enableContactDetection = false))
Held(joint; translation = [0.0, 0.0, 0.0], angularVelocity = [1.0, 0.5, 2.0]) = instance(Model3D(world = scene,
    body = Object3D(parent = :world, fixedToParent = false, translation = translation, angularVelocity = angularVelocity, feature = solid), joint = joint))
for m in [Held(Spherical(obj1 = :world, obj2 = :body)), Held(Universal(obj1 = :world, obj2 = :body, axis1 = 1, axis2 = 3)),
          Held(Rod(obj1 = :world, obj2 = :body, length = 1.0), translation = [1.0, 0.1, 0.0]),
          Held(Revolute(obj1 = :world, obj2 = :body)), Held(Prismatic(obj1 = :world, obj2 = :body, axis = [0.6, -0.8, 0.0])),
          Held(Fix(obj1 = :world, obj2 = :body))]
    @test agrees(m, 1.0, ["body.translation", "body.velocity", "body.rot123_abs"], ["joint.reactionForce", "joint.reactionTorque"])
end

include("scenes/struck_fourbar.jl")   # its Rod is another one
crank(phi, w) = Map(rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(crank.obj1), phi = phi, w = w))

# Free; with dampers in all joints, whichever is cut; driven through a gear; led by a prescribed angle.
fourbar = instance(Fourbar(lengths))
@test agrees(fourbar, 1.0, ["rev1.phi", "rev3.phi", "rev4.phi", "rev1.w", "rev4.w"], ["rev4.reactionForce", "rev4.reactionTorque"])
hinge(a, b, cut) = RevoluteWithFlange(obj1 = a, obj2 = b, cut = cut)
Damped(cut) = Fourbar(lengths) | Map(
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(crank.obj1), phi = Var(init = 1.2), w = Var(init = 3.0), cut = cut == 1),
    rev2 = hinge(:(crank.obj2), :(coupler.obj1), cut == 2) | Map(phi = Var(init = -0.6)),
    rev3 = hinge(:pivot, :(rocker.obj1), cut == 3) | Map(phi = Var(init = 2.0)), rev4 = hinge(:(coupler.obj2), :(rocker.obj2), cut == 4))
Law = Model(flange = Flange, d = 0.0, w = Var(init = nothing), equations = :[w = der(flange.phi), flange.tau = d*w])
for cut in 1:4
    m = instance(Model(arm = Damped(cut), d1 = Law | Map(d = 0.01), d2 = Law | Map(d = 0.02), d3 = Law | Map(d = 0.05), d4 = Law | Map(d = 0.03),
        connect = :[(d1.flange, arm.rev1.flange); (d2.flange, arm.rev2.flange); (d3.flange, arm.rev3.flange); (d4.flange, arm.rev4.flange)]))
    @test agrees(m, 1.0, ["arm.rev$k.phi" for k in 1:4], ["arm.rev$cut.reactionForce", "arm.rev2.flange.tau"])
end
Torque = Model(flange = Flange, tau = 0.0, equations = :[flange.tau = -tau])
Geared = Model(arm = Fourbar(lengths, w = 0.0) | crank(Var(init = nothing), Var(init = nothing)), gear = IdealGear | Map(ratio = 10.0),
    rotor = Inertia | Map(J = 0.01, phi = Var(init = 12.0)), torque = Torque | Map(tau = 0.2),
    connect = :[(torque.flange, rotor.flange_a); (rotor.flange_b, gear.flange_a); (gear.flange_b, arm.rev1.flange)])
@test agrees(instance(Geared), 1.0, ["arm.rev1.phi", "arm.rev3.phi", "rotor.w"], ["arm.rev4.reactionForce"])
Position = Model(flange = Flange, equations = :[flange.phi = 1.2 + 3.0*time + 0.5*sin(2*time)])
Led = Model(arm = Fourbar(lengths, w = 0.0) | crank(Var(init = nothing), Var(init = nothing)), drive = Position, connect = :[(drive.flange, arm.rev1.flange)])
@test agrees(instance(Led), 3.0, ["arm.rev2.phi", "arm.rev3.phi", "arm.rev3.w"], ["arm.rev4.reactionForce", "arm.rev1.flange.tau"])

# All joints of the tree are led, and nothing but the measured angle is left to the solver.
bar = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.5, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1))
Twice = Model3D(world = scene, bar = Object3D(feature = bar), a = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = Var(init = nothing), w = Var(init = nothing)), b = Revolute(obj1 = :world, obj2 = :bar))
twice = instance(Model(arm = Twice, drive = Position, connect = :[(drive.flange, arm.a.flange)]))
simulate!(twice, IDA(), stopTime = 2.0, tolerance = 1e-9)
@test off(getValues(twice, "arm.b.phi"), getValues(twice, "arm.a.phi")) < 1e-12

# Two mechanisms, each with loops of its own, and a spring between their cranks.
Spring = Model(flange_a = Flange, flange_b = Flange, equations = :[flange_a.tau = 5.0*(flange_a.phi - flange_b.phi), flange_a.tau + flange_b.tau = 0.0])
Two = Model(a = Fourbar(lengths) | crank(Var(init = 1.2), Var(init = 3.0)), spring = Spring,
    b = Fourbar((crank = 0.3, coupler = 0.9, rocker = 0.7, base = 1.0)) | crank(Var(init = 0.7), Var(init = 0.0)),
    connect = :[(a.rev1.flange, spring.flange_a); (b.rev1.flange, spring.flange_b)])
@test agrees(instance(Two), 2.0, ["a.rev1.phi", "b.rev1.phi", "a.rev3.w", "b.rev4.phi"], ["a.rev4.reactionForce", "b.rev4.reactionForce"])

# Events of equations: the torque jumps where the crank passes an angle, and where it does the rotor is stopped.
Switched = Model(arm = Fourbar(lengths, w = 0.0) | crank(Var(init = nothing), Var(init = nothing)), rotor = Inertia | Map(J = 0.1, phi = Var(init = 1.2), w = Var(init = 0.0)),
    torque = Model(flange = Flange, tau = Var(start = 0.0), equations = :[flange.tau = -tau]),
    connect = :[(torque.flange, rotor.flange_a); (rotor.flange_b, arm.rev1.flange)],
    equations = :[below = positive(0.4 - rotor.phi), torque.tau = if below; 3.0 else -1.0 end, stopped = if edge(below); reinit(rotor.w, 0.0) else false end])
switched = instance(Switched)
names = ["arm.rev1.phi", "arm.rev1.w", "arm.rev3.phi", "arm.rev4.w"]
ends(m, names) = [getLastValue(m, n, unit = false) for n in names]
simulate!(switched, DP8(), stopTime = 2.0, tolerance = 1e-11)
expected = ends(switched, names)
simulate!(switched, IDA(), stopTime = 2.0, tolerance = 1e-9)
@test off(ends(switched, names), expected) < 1e-6

# A ball falls on the coupler, and a load is hung to the crank and released.
for (model, stop, reference, names) in [
        (Hit, 0.6, CVODE_BDF(), ["rev1.phi", "rev3.phi", "rev1.w", "ball.velocity", "ball.translation"]),
        (Hung, 1.0, Tsit5(), ["rev1.phi", "rev3.phi", "rev4.w", "load.base.velocity", "load.base.translation"])]
    m = instance(model)
    simulate!(m, reference, stopTime = stop, tolerance = 1e-10)
    expected = ends(m, names)
    simulate!(m, IDA(), stopTime = stop, tolerance = 1e-9)
    for i in 1:length(names)
        @test off(ends(m, names)[i], expected[i]) < 1e-6
    end
end

# Forces in motion: a slider crank that turns at a given speed. Newton and Euler for piston and rod give what the small end
# carries: S_x = -m x'' from the piston, S_y from the moments of the rod about the big end.
(r, l, c, W, mp, mr, J) = (0.043, 0.1435, 0.045, 200.0, 0.5, 0.6, 0.0016)
Slider = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), enableContactDetection = false)),
    crank = Object3D(feature = Solid(massProperties = MassProperties(mass = 4.0, Ixx = 0.01, Iyy = 0.01, Izz = 0.015))),
    pin = Object3D(parent = :crank, translation = [r, 0.0, 0.0]),
    rod = Object3D(feature = Solid(massProperties = MassProperties(mass = mr, centerOfMass = [c, 0.0, 0.0], Ixx = 0.0001, Iyy = J, Izz = J))),
    eye = Object3D(parent = :rod, translation = [l, 0.0, 0.0]),
    piston = Object3D(feature = Solid(massProperties = MassProperties(mass = mp, Ixx = 0.0004, Iyy = 0.0004, Izz = 0.0004))),
    shaft = RevoluteWithFlange(obj1 = :world, obj2 = :crank, phi = Var(init = nothing), w = Var(init = nothing)),
    bigEnd = Revolute(obj1 = :pin, obj2 = :rod), cylinder = Prismatic(obj1 = :world, obj2 = :piston, axis = 1, s = Var(init = 0.18)),
    smallEnd = Revolute(obj1 = :eye, obj2 = :piston)
)
Turned = Model(slider = Slider, motion = Model(flange = Flange, equations = :[flange.phi = 0.1 + 200.0*time]), connect = :[(motion.flange, slider.shaft.flange)])
turned = instance(Turned)
simulate!(turned, IDA(), stopTime = 0.1, tolerance = 1e-9)
function smallEnd(phi)
    (s, co) = (r*sin(phi)/l, sqrt(1 - (r*sin(phi)/l)^2))
    w = -r*cos(phi)*W/(l*co)                                   # of the rod, whose angle is -asin(s)
    a = (r*sin(phi)*W^2 - l*s*w^2)/(l*co)
    x2 = -r*W^2*cos(phi) - l*(co*w^2 - s*a)                    # of the piston
    center = [-r*W^2*cos(phi) - c*(co*w^2 - s*a), -r*W^2*sin(phi) + c*(s*w^2 + co*a)]
    Sx = -mp*x2
    Sy = (J*a + mr*c*(co*center[2] + s*center[1])/1.0)/(l*co) - s/co*Sx
    return [-Sx, -Sy]
end
angle = getValues(turned, "slider.shaft.phi")
force = getValues(turned, "slider.smallEnd.reactionForce")
closed = [smallEnd(angle[i])[k] for i in 1:length(angle), k in 1:2]
@test off(force[:, 1:2], closed) < 1e-6*maximum(abs.(closed))

# 100 s: closed to rounding wherever it is stored, and the energy stays within what the tolerance is good for.
long = instance(Fourbar(lengths) | Map(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false, balance = true))))
simulate!(long, IDA(), stopTime = 100.0, interval = 0.1, tolerance = 1e-8)
@test off(getValues(long, "coupler.obj2.r_abs"), getValues(long, "rocker.obj2.r_abs")) < 1e-12
energy = getValues(long, "balance.totalEnergy")
@test off(energy, energy[1]) < 1e-3*maximum(getValues(long, "balance.kineticEnergy"))

# The other form under IDA, by a word of the Scene.
projected = instance(Fourbar(lengths) | Map(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false, loops = :projected))))
simulate!(projected, IDA(), stopTime = 1.0, tolerance = 1e-9)
simulate!(fourbar, IDA(), stopTime = 1.0, tolerance = 1e-9)
difference = off(getValues(projected, "rev1.phi"), getValues(fourbar, "rev1.phi"))
@test 0.0 < difference < 1e-6
