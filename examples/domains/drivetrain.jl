# Parts of a drivetrain: a planetary gear with a one-way clutch, a lossy gear with play, a rack, a lead screw, stops and sensors
#
# Shows: flanges that are led, gears with a housing, clutches that let go in one direction, play that is crossed, an end stop, and what sensors of torque, speed and acceleration read.
# Expect: ratios, losses and times by hand, in the lines below.
module Drivetrain

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Driveline.jl")
include("$(Modia.modelsPath)/LinearMotion.jl")
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
last(m, name) = getLastValue(m, name, unit = false)

# A bicycle's hub: the rider turns the carrier, the ring drives the wheel through a freewheel, the sun stands still. When the rider stops the wheel rolls on.
Hub = Model(
    rider = SpeedSource, gear = PlanetaryGear | Map(ratio = 3.0), sun = Fixed, torque = TorqueSensor, free = OneWayClutch | Map(tau_max = 500.0u"N*m"), wheel = Inertia | Map(J = 0.2u"kg*m^2"), drag = Damper | Map(d = 0.05u"N*m*s/rad"), frame = Fixed, slip = RelativeSpeedSensor, ring = Inertia | Map(J = 1.0e-3u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
    equations = :[rider.w = if time < 2.0u"s"; 3.0u"rad/s^2"*time else 0.0u"rad/s" end],
    connect = :[
        (rider.flange, torque.flange_a)
        (torque.flange_b, gear.carrier)
        (gear.sun, sun.flange)
        (gear.ring, ring.flange_a)
        (ring.flange_b, free.flange_a, slip.flange_a)
        (free.flange_b, wheel.flange_a, slip.flange_b)
        (wheel.flange_b, drag.flange_b)
        (drag.flange_a, frame.flange)
    ])
hub = @instantiateModel(Hub, unitless = true)
simulate!(hub, stopTime = 5.0, tolerance = 1e-8)
plot(hub, [("wheel.w", "slip.w"), "torque.tau"], heading = "Hub with a freewheel: speeds, torque of the rider")
# The ring turns (1 + 3)/3 times as fast as the carrier; after 2 s the wheel is alone: w0 exp(-d t/J).
@test near(last(hub, "wheel.w"), 8.0*exp(-0.05*3.0/0.2), 1e-5) && near(last(hub, "slip.w"), last(hub, "wheel.w"))

# A gear that loses 10 % behind a play of 0.2 rad: 1 N m needs sqrt(0.2*2*J) to cross it; then both sides go together. Damped, so that it does not rattle for long.
Play = Model(push = ConstantTorque | Map(tau = 1.0u"N*m"), motor = Inertia | Map(J = 0.1u"kg*m^2"), play = Backlash | Map(b = 0.2u"rad", c = 2.0e3u"N*m/rad", d = 5.0u"N*m*s/rad"), gear = LossyGear | Map(ratio = 4.0, eta = 0.9), load = Inertia | Map(J = 1.6u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), a = AngularAccelerationSensor,
             connect = :[(push.flange, motor.flange_a); (motor.flange_b, play.flange_a, a.flange); (play.flange_b, gear.flange_a); (gear.flange_b, load.flange_a)])
play = @instantiateModel(Play, unitless = true)
simulate!(play, stopTime = 3.0, tolerance = 1e-8)
# At the end 1 N m = J a + (1.6/16)/0.9 a.
println("acceleration ", round(last(play, "a.a"), digits = 6), " rad/s^2, by hand ", round(1/(0.1 + 0.1/0.9), digits = 6))
@test near(last(play, "a.a"), 1/(0.1 + 0.1/0.9), 1e-4)
times, rel = getValues(play, "time"), getValues(play, "play.phi_rel")
k = findfirst(rel .<= -0.1)
@test near(times[k], sqrt(2*0.1*0.1/1.0), 2e-2)       # from the middle of the play: 0.1 rad

# A press: a screw with a lead of 5 mm, which loses 30 %, pushes a ram against a spring; a rack measures the way; the handwheel stops at 6 rad.
Press = Model(hand = ConstantTorque | Map(tau = 2.0u"N*m"), wheel = Inertia | Map(J = 0.01u"kg*m^2"), screw = LeadScrew | Map(lead = 0.005u"m", eta = 0.7), ram = TranslationalMass | Map(m = 5.0u"kg", s = Var(init = nothing), v = Var(init = nothing)), force = ForceSensor, buffer = LinearSpringDamper | Map(c = 1.0e6u"N/m", d = 5.0e5u"N*s/m"), wall = FixedPosition,
              rack = RackAndPinion | Map(r = 0.01u"m"), dial = UnitlessAngleSensor,
              connect = :[(hand.flange, wheel.flange_a); (wheel.flange_b, screw.flange); (screw.nut, ram.flange_a, rack.rod); (rack.flange, dial.flange); (ram.flange_b, force.flange_a); (force.flange_b, buffer.flange_a); (buffer.flange_b, wall.flange)])
press = @instantiateModel(Press, unitless = true)
simulate!(press, stopTime = 15.0, tolerance = 1e-8)
# Moving forward it gives eta*tau*2 pi/lead; there it sticks.
println("force ", round(last(press, "force.f"), digits = 3), " N, by hand ", round(0.7*2.0*2*pi/0.005, digits = 3), " N; dial ", round(last(press, "dial.phi"), digits = 5))
@test near(last(press, "force.f"), 0.7*2.0*2*pi/0.005, 1e-3) && near(last(press, "dial.phi"), last(press, "force.f")/1e6/0.01, 1e-6)

# A valve stem led by an angle, against a stop behind a gear whose housing is held by a spring: the housing turns by the torque of the other two.
Stem = Model(lead = AngleSource, gear = IdealGear_withSupport | Map(ratio = 5.0), hold = Spring | Map(c = 1000.0u"N*m/rad"), ground = Fixed, stop = RotationalStop | Map(phi_max = 0.4u"rad", c = 1.0e3u"N*m/rad", d = 0.0u"N*m*s/rad"), leaf = Inertia | Map(J = 0.1u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), soft = Damper | Map(d = 1.0u"N*m*s/rad"), housing = Inertia | Map(J = 0.2u"kg*m^2"), slow = Damper | Map(d = 20.0u"N*m*s/rad"), speed = UnitlessSpeedSensor,
             equations = :[lead.phi = 3.0*(1 - exp(-time))],
             connect = :[(lead.flange, gear.flange_a); (gear.flange_b, leaf.flange_a, stop.flange, speed.flange); (leaf.flange_b, soft.flange_b); (soft.flange_a, ground.flange, hold.flange_a, slow.flange_a); (gear.support, hold.flange_b, housing.flange_a); (housing.flange_b, slow.flange_b)])
stem = @instantiateModel(Stem, unitless = true)
simulate!(stem, stopTime = 30.0, tolerance = 1e-9)
# Standing: the leaf is at phi with 3 - s = 5 (phi - s), the stop gives 1000 (phi - 0.4), the housing s: 1000 s = -(1 - 1/5) of that.
T = (0.6 - 0.4)/(1e-3 + 0.64e-3)
println("stop ", round(last(stem, "stop.flange.tau"), digits = 5), " N m, by hand ", round(T, digits = 5))
@test near(last(stem, "stop.flange.tau"), T, 1e-5) && abs(last(stem, "speed.w")) < 1e-6

end
