# A hand from a URDF file: one drive a finger, and the outer joints mimic the inner ones
#
# Shows: mimic joints as gears without loss, drives on the flanges of joints, inverseDynamics as a check: what a drive must hold is the sum of the gravity torques of its three joints, each times
# how far it turns with the drive (virtual work).
# Expect: the fingers close one after the other; the outer joints turn 0.9 and 0.6 times as far as the inner one.
module UrdfHand

using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/Mechanics3D.jl")

# A servo that closes its finger to `target` within half a second from `begins` on.
Servo = Model(flange = Flange, target = 1.2, begins = 0.0, k = 2.0, d = 0.05, phi = Var(start = 0.0),
              equations = :[
                  phi = flange.phi
                  w = der(phi)
                  x = min(max((time - begins)/0.5, 0.0), 1.0)
                  tau = k*(target*x^2*(3 - 2*x) - phi) - d*w
                  flange.tau = -tau
              ])
Bodies = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]), nominalLength = 0.3)), hand = URDF("parts/hand.urdf"))
Hand = Model(bodies = Bodies, index = Servo, middle = Servo | Map(begins = 0.3), ring = Servo | Map(begins = 0.6, target = 0.8),
    connect = :[
        (index.flange, bodies.hand.index_joint1_flange)
        (middle.flange, bodies.hand.middle_joint1_flange)
        (ring.flange, bodies.hand.ring_joint1_flange)
    ])
hand = @instantiateModel(Hand, unitless = true)
simulate!(hand, stopTime = 3.0, tolerance = 1e-8)
plot(hand, [("bodies.hand.index_joint1.phi", "bodies.hand.index_joint2.phi", "bodies.hand.index_joint3.phi"), ("index.tau", "middle.tau", "ring.tau")], heading = "A hand from URDF: joints of a finger, torques")

last(name) = getLastValue(hand, name, unit = false)
angles = [last("bodies.hand." * f * "_joint" * string(k) * ".phi") for f in ["index", "middle", "ring"], k in 1:3]
println("index ", round.(angles[1, :], digits = 4), " rad, held by ", round(last("index.tau"), digits = 6), " N m")
@test maximum(abs.(angles[:, 2] - 0.9*angles[:, 1])) < 1e-12 && maximum(abs.(angles[:, 3] - 0.6*angles[:, 1])) < 1e-12

# Virtual work: gravity of the bodies alone, at the angles where the run ended.
names = coordinateNames(hand)
q = [last(name) for name in names]
gravity = inverseDynamics(hand, q, zeros(9), zeros(9))
load(f) = sum([c*gravity[findfirst(n -> n == "bodies.hand." * f * "_joint" * string(k) * ".phi", names)] for (k, c) in [(1, 1.0), (2, 0.9), (3, 0.6)]])
for f in ["index", "middle", "ring"]
    @test abs(last(f * ".tau") - load(f)) < 1e-6
end

end
