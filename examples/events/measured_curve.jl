# A motor that was measured: its torque over its speed comes from a CSV file, and a fan slows it down
#
# Shows: readdlm with a header, tables over a signal (linear, and monotone without overshoot) and over time, units for columns without, ends that hold; the points of a table are events.
# Expect: the motor runs up and stays where its torque is that of the fan, 2282 rpm with straight pieces. The speed at the end is checked against the root of both curves,
# and the time at which 1500 rpm are passed against a sum of J/torque over the speed.
module MeasuredCurve

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Sources.jl")
include("$(Modia.modelsPath)/Driveline.jl")

data, names = readdlm("motor_curve.csv", ',', header = true)
speeds, torques = data[:, 1]*(2*pi/60), data[:, 2]
println("columns ", names, ", ", size(data, 1), " rows")

RunUp = Model(
    curve = Table | Map(table_x = speeds*u"rad/s", table_y = torques*u"N*m"),
    motor = Torque, rotor = Inertia | Map(J = 0.002u"kg*m^2"), fan = FanTorque | Map(tau_n = 0.3u"N*m", w_n = 260.0u"rad/s"), sensor = SpeedSensor,
    connect = :[
        (motor.flange, rotor.flange_a)
        (rotor.flange_b, fan.flange, sensor.flange)
    ],
    equations = :[
        curve.u = sensor.w
        motor.tau = curve.y
        rpm = sensor.w*60/(2*pi)*u"s/rad"
    ])
runUp = @instantiateModel(RunUp)
simulate!(runUp, stopTime = 12.0, interval = 0.005, tolerance = 1e-8)
plot(runUp, ["rpm", ("curve.y", "fan.flange.tau")], heading = "Run-up of a measured motor: speed, torques of motor and fan")

# The curve and the fan by hand.
function torque(w)
    k = clamp(findlast(speeds .<= w), 1, length(speeds) - 1)
    return torques[k] + (torques[k+1] - torques[k])*(w - speeds[k])/(speeds[k+1] - speeds[k])
end
excess(w) = torque(w) - 0.3*(w/260)^2
function balance(lo, hi)
    for i in 1:60
        mid = 0.5*(lo + hi)
        if excess(mid) > 0; lo = mid else hi = mid end
    end
    return lo
end
# Simpson's rule between the points of the table, where the curve is smooth.
function runTime(w1)
    sum = 0.0
    for k in 1:length(speeds)-1
        a, b = speeds[k], min(speeds[k+1], w1)
        n = 200
        h = (b - a)/n
        for i in 0:n
            if b > a
                sum += (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2)*h/3*0.002/excess(a + i*h*(1 - 1e-14))
            end
        end
    end
    return sum
end
last = getLastValue(runUp, "sensor.w", unit = false)
times, rpm = getValues(runUp, "time"), getValues(runUp, "rpm")
k = findfirst(rpm .>= 1500)
w = rpm[k]*2*pi/60
println("at the end ", round(last*60/(2*pi), digits = 3), " rpm; ", round(rpm[k], digits = 2), " rpm after ", round(times[k], digits = 5), " s")
@test abs(last - balance(0.0, 330.0)) < 1e-4
@test abs(times[k] - runTime(w)) < 1e-6

# The same with a curve that has no kinks: Steffen's monotone pieces. It ends within the next rows of the table.
smooth = @instantiateModel(RunUp | Map(curve = Map(smoothness = "monotone")))
simulate!(smooth, stopTime = 12.0, tolerance = 1e-8)
println("with a smooth curve ", round(getLastValue(smooth, "rpm", unit = false), digits = 1), " rpm")
@test abs(getLastValue(smooth, "rpm", unit = false) - last*60/(2*pi)) < 20

end
