# Things on rails: a wagon that is pulled along and comes to a buffer, a sled on a moving belt, a table that is led and what its sensors say
#
# Shows: constant forces, springs, dry friction between two moving parts, stops, led velocities, sensors with and without units.
# Expect: the wagon runs into the stop with v = sqrt(2 F s/m) and presses it together by v sqrt(m/c) beyond the rest; the sled is taken along until it has the speed of the belt.
module LinearAxes

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/LinearMotion.jl")
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
last(m, name) = getLastValue(m, name, unit = false)

Wagon = Model(pull = ConstantForce | Map(f = 50.0u"N"), wagon = TranslationalMass | Map(m = 100.0u"kg"), stop = LinearStop | Map(s_max = 4.0u"m", c = 1.0e4u"N/m", d = 0.0u"N*s/m"), place = PositionSensor, speed = VelocitySensor, felt = AccelerationSensor,
              connect = :[(pull.flange, wagon.flange_a); (wagon.flange_b, stop.flange, place.flange, speed.flange, felt.flange)])
wagon = @instantiateModel(Wagon)
simulate!(wagon, stopTime = 5.0, tolerance = 1e-8, interval = 0.001)
plot(wagon, ["place.s", "speed.v", "felt.a"], heading = "A wagon runs into a stop: way, speed, acceleration")
v = sqrt(2*0.5*4.0)
depth = 50/1e4 + sqrt((50/1e4)^2 + 100*v^2/1e4)
println("deepest ", round(maximum(getValues(wagon, "place.s", unit = false)), digits = 5), " m, by hand ", round(4.0 + depth, digits = 5), " m")
@test near(maximum(getValues(wagon, "place.s", unit = false)), 4.0 + depth, 1e-5) && near(minimum(getValues(wagon, "felt.a", unit = false)), 0.5 - 1e4*depth/100, 1e-3)

# A sled of 20 kg on a belt with 0.8 m/s; 30 N of friction bring it along within 0.8*20/30 s. Then a spring holds it back, and it slides again where the spring pulls with 36 N.
Belt = Model(belt = VelocitySource, grip = LinearFriction | Map(f_c = 30.0u"N", f_s = 36.0u"N", v_s = 0.001u"m/s"), sled = TranslationalMass | Map(m = 20.0u"kg"), cord = LinearSpring | Map(c = 0.0u"N/m"), wall = FixedPosition, pull = ForceSensor, way = UnitlessPositionSensor, rate = UnitlessVelocitySensor,
             equations = :[belt.v = 0.8u"m/s"],
             connect = :[(belt.flange, grip.flange_a); (grip.flange_b, sled.flange_a, way.flange, rate.flange); (sled.flange_b, pull.flange_a); (pull.flange_b, cord.flange_b); (cord.flange_a, wall.flange)])
belt = @instantiateModel(Belt)
simulate!(belt, stopTime = 2.0, tolerance = 1e-8)
t = 0.8*20/30
println("after 2 s the sled is ", round(last(belt, "way.s"), digits = 5), " m along, by hand ", round(0.8*2.0 - 0.4*t, digits = 5), " m")
@test near(last(belt, "way.s"), 0.8*2.0 - 0.4*t, 1e-4) && near(last(belt, "rate.v"), 0.8, 1e-9)
simulate!(belt, stopTime = 3.0, tolerance = 1e-8, interval = 0.001, merge = Map(cord = Map(c = 40.0u"N/m")))
most = maximum(getValues(belt, "pull.f", unit = false))
# It leaves the belt with 36 N and 0.8 m/s and swings about 30 N: 30 + sqrt(6^2 + m c v^2), and a little more, since friction needs a while to fall.
by_hand = 30 + sqrt(6.0^2 + 20*40*0.8^2)
println("the cord pulls with up to ", round(most, digits = 3), " N, by hand ", round(by_hand, digits = 3), " N")
@test by_hand < most < 1.005*by_hand

# A table led by a profile: what its drive gives is m a + d v + c s.
Table = Model(lead = PositionSource, drive = ForceSensor, table = TranslationalMass | Map(m = 50.0u"kg", s = Var(init = nothing), v = Var(init = nothing)), cover = LinearSpringDamper | Map(c = 200.0u"N/m", d = 30.0u"N*s/m"), wall = FixedPosition,
              equations = :[lead.s = 0.3u"m"*sin(2.0u"rad/s"*time)],
              connect = :[(lead.flange, drive.flange_a); (drive.flange_b, table.flange_a); (table.flange_b, cover.flange_b); (cover.flange_a, wall.flange)])
table = @instantiateModel(Table)
simulate!(table, stopTime = 3.0, tolerance = 1e-9)
right = (200 - 50*4)*0.3*sin(6.0) + 30*0.6*cos(6.0)
println("the drive gives ", round(last(table, "drive.f"), digits = 5), " N, by hand ", round(right, digits = 5), " N")
@test near(last(table, "drive.f"), right, 1e-6)

# For a script that knows no units: a force as a plain number of newtons.
Plain = Model(push = UnitlessForce, cart = TranslationalMass | Map(m = 4.0u"kg"), equations = :[push.f = 10.0], connect = :[(push.flange, cart.flange_a)])
plain = @instantiateModel(Plain)
simulate!(plain, stopTime = 2.0, tolerance = 1e-9)
@test near(last(plain, "cart.s"), 0.5*10.0/4.0*4.0, 1e-8)

end
