# A satellite captures a tumbling body with its arm.
#
# Shows: ActionAttach(...; impulse = true). The arm closes its hand when the body is near enough, however it moves: the impulse
# that ends the relative motion is applied to all of the system at once, joint speeds jump, and momentum stays. Then the dampers
# of the joints calm everything down, until satellite, arm and captive turn as one.
# Expect: two segments. Momentum and angular momentum as at the start; the energy that the capture takes is the one that is told;
# at the end one rigid body turns with the angular momentum that was there.
using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/AllModels.jl")

function program(actions)
    ActionWaitUntil(actions, "grapple", "hand"; closer = 0.02)
    ActionAttach(actions, "grapple", "hand"; impulse = true)
end
plate(m, x, y, z, color) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = z), massProperties = MassPropertiesFromShapeAndMass(mass = m),
                                 visualMaterial = VisualMaterial(color = color))
# A spring and a damper hold the joint where it was.
Brake = Model(flange = Flange, hold = 0.0, equations = :[flange.tau = 20.0*(flange.phi - hold) + 25.0*der(flange.phi)])
joint(obj1, obj2, axis, phi) = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, phi = Var(init = phi), w = Var(init = 0.0))

# Where the hand is, and how the debris must begin to have its grapple there after three seconds. It turns steadily, since all its
# axes are alike.
R2(a) = [cos(a) 0.0 sin(a); 0.0 1.0 0.0; -sin(a) 0.0 cos(a)]
R3(a) = [cos(a) -sin(a) 0.0; sin(a) cos(a) 0.0; 0.0 0.0 1.0]
reach = [0.6, 0.0, 0.0] + R3(0.4)*([0.8, 0.0, 0.0] + R2(-0.5)*([0.7, 0.0, 0.0] + R3(0.3)*[0.1, 0.0, 0.0]))
(drift, rate, handle, meet) = ([-0.15, 0.05, 0.02], 0.4, [0.35, 0.0, 0.0], 3.0)
tumble = [0.0, 0.0, rate]
begin_ = reach - R3(rate*meet + pi)*handle - drift*meet

Capture = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 0.05, balance = true, animationFile = "capture.json", nominalLength = 1.0)),
    satellite = Object3D(parent = :world, fixedToParent = false, feature = plate(400.0, 1.2, 1.2, 1.0, "Light Grey")),
    mount = Object3D(parent = :satellite, translation = [0.6, 0.0, 0.0]),
    shoulder = Object3D(),
    upper = Object3D(parent = :shoulder, translation = [0.4, 0.0, 0.0], feature = plate(12.0, 0.8, 0.1, 0.1, "Light Blue")),
    elbow = Object3D(parent = :shoulder, translation = [0.8, 0.0, 0.0]),
    forearm = Object3D(),
    lower = Object3D(parent = :forearm, translation = [0.35, 0.0, 0.0], feature = plate(8.0, 0.7, 0.08, 0.08, "Light Blue")),
    wrist = Object3D(parent = :forearm, translation = [0.7, 0.0, 0.0]),
    palm = Object3D(feature = plate(2.0, 0.1, 0.1, 0.1, "Blue")),
    hand = Object3D(parent = :palm, lockable = true, translation = [0.1, 0.0, 0.0]),
    rev1 = joint(:mount, :shoulder, 3, 0.4),
    rev2 = joint(:elbow, :forearm, 2, -0.5),
    rev3 = joint(:wrist, :palm, 3, 0.3),
    brake1 = Brake | Map(hold = 0.4), brake2 = Brake | Map(hold = -0.5), brake3 = Brake | Map(hold = 0.3),
    # It drifts by, turning about all axes, such that its grapple passes through the hand.
    debris = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = begin_, rotation = [0.0, 0.0, pi],
                      velocity = drift, angularVelocity = tumble, feature = plate(80.0, 0.6, 0.6, 0.6, "Dark Orange")),
    grapple = Object3D(parent = :debris, lockable = true, translation = handle),
    connect = :[(brake1.flange, rev1.flange); (brake2.flange, rev2.flange); (brake3.flange, rev3.flange)],
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)]
)
capture = @instantiateModel(Capture, unitless = true)
simulate!(capture, stopTime = 60.0, tolerance = 1e-8)

values(name) = getValues(capture, name, unit = false)
last(name) = getLastValue(capture, name, unit = false)
time = values("time")
event = findfirst(i -> time[i] == time[i+1], 1:length(time)-1)      # stored before and behind
println("captured at ", round(time[event], digits = 4), " s with an impulse of ", round(norm(last("actions.impulse")), digits = 3), " N s, which takes ",
        round(last("actions.energyLoss"), digits = 4), " J")
for k in 1:3
    println("  axis $k jumps to ", round(values("rev$k.w")[event + 1], digits = 4), " rad/s")
end
@test time[event] < meet
# Nothing of the momentum is lost, and of the energy what was told.
for name in ["balance.momentum", "balance.angularMomentum"]
    @test isapprox(values(name)[event, :], values(name)[event + 1, :], rtol = 1e-11)
    @test isapprox(last(name), values(name)[1, :], rtol = 1e-6)
end
energy = values("balance.kineticEnergy")
@test isapprox(energy[event] - energy[event + 1], last("actions.energyLoss"), rtol = 1e-9)

# In the end it is one body: its center drifts with P/M, and L about it belongs to one angular velocity.
for k in 1:3
    @test abs(last("rev$k.w")) < 1e-4
end
center() = (400.0*last("satellite.r_abs") + 12.0*last("upper.r_abs") + 8.0*last("lower.r_abs") + 2.0*last("palm.r_abs") + 80.0*last("debris.r_abs"))/502.0
w = last("satellite.angularVelocity")
@test isapprox(last("balance.momentum")/502.0, drift*80.0/502.0, atol = 1e-8)
spin = 0.5*sum(w .* (last("balance.angularMomentum") - cross(center(), last("balance.momentum"))))
drifting = 0.5*sum(last("balance.momentum") .^ 2)/502.0
println("at the end it turns with ", round(norm(w), digits = 4), " rad/s")
@test isapprox(last("balance.kineticEnergy"), spin + drifting, rtol = 1e-4)

plot(capture, [("rev1.w", "rev2.w", "rev3.w"), "balance.kineticEnergy", "debris.r_abs"], heading = "A tumbling body is captured")
