# What equations jerk meanwhile does not pass through what stands in its way: the bound on a step knows velocities and
# accelerations at its beginning, and where bodies moved otherwise the step is looked at in pieces. Before, the plates and
# blades below were behind the ball at the end of a step, and no contact began.
using Modia3D
using Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
still() = Object3D(feature = Scene(gravityField = NoGravityField()))
ball(r, d) = Object3D(parent = :world, fixedToParent = false, translation = r, feature = steel(Sphere(diameter = d)))
methods = [CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), Rodas5()]

function bat(motion, y, thickness, d)
    Hit = Model3D(world = still(), bat = Object3D(feature = steel(Box(lengthX = 0.1, lengthY = thickness, lengthZ = 0.1))),
                  prism = PrismaticWithFlange(obj1 = :world, obj2 = :bat, axis = 2, s = Var(init = nothing), v = Var(init = nothing)),
                  ball = ball([0.0, y, 0.0], d))
    Struck = Model(hit = Hit, equations = motion)
    return @instantiateModel(Struck, unitless = true)
end
speed(m) = getLastValue(m, "hit.ball.velocity")[2]

# From rest, a jerk of 0.1 m within 0.2 ms, and at rest again. Where it is met the plate has 482.1 m/s; the ball leaves with 1.68318
# times that, but for what the plate loses of its speed within the microseconds of the contact.
at(y, k) = 0.05*k*(1 - (y/0.05)^2)
for (thickness, d) in [(1e-4, 1e-3), (1e-3, 1e-4)]
    jerk = bat(:[hit.prism.s = 0.05*tanh(1e4*(time - 0.5))], 0.01, thickness, d)
    for method in (d > thickness ? methods : [CVODE_BDF(), Tsit5()])
        simulate!(jerk, method, stopTime = 1.0)
        @test getLastValue(jerk, "hit.contacts.begun") == 1
        @test abs(speed(jerk)/(1.68318*at(0.01 - (thickness + d)/2, 1e4)) - 1) < 3e-3
    end
end

# A power of time has neither speed nor acceleration at the start.
power = bat(:[hit.prism.s = 0.05*(2*time)^30 - 0.05], 0.01, 1e-4, 1e-3)
met = ((0.01 - 0.00055 + 0.05)/0.05)^(1/30)/2
for method in methods
    simulate!(power, method, stopTime = met + 1e-4)
    @test abs(speed(power)/(1.68318*0.05*60*(2*met)^29) - 1) < 3e-3
end

# To and fro, ever farther; what meets the ball is the third swing or so. All methods say the same.
swing = bat(:[hit.prism.s = 0.02*(cos(200*time) - 1)*exp(2*time) + 0.04*(exp(2*time) - 1)], 0.01, 1e-4, 1e-3)
for method in methods
    simulate!(swing, method, stopTime = 0.2)
    @test abs(speed(swing)/3.32816 - 1) < 2e-4
end

# A blade of 0.1 mm that is turned by half a turn at once, with up to 12,000 rad/s.
Blade = Model3D(world = still(), blade = Object3D(feature = steel(Box(lengthX = 0.4, lengthY = 1e-4, lengthZ = 0.02))),
                hinge = RevoluteWithFlange(obj1 = :world, obj2 = :blade, axis = 3, phi = Var(init = nothing), w = Var(init = nothing)),
                ball = ball([0.1, 0.0, 0.0], 1e-3))
Fan = Model(hit = Blade, equations = :[hit.hinge.phi = 1.2*tanh(1e4*(time - 0.05))])
fan = @instantiateModel(Fan, unitless = true)
for method in methods
    simulate!(fan, method, stopTime = 0.1)
    @test abs(speed(fan)/2019.81 - 1) < 1e-4
end

# Two balls of 1 mm at 1 km/s each, 100 km apart, and a bullet against 0.1 mm, here and 1000 km away: steps are as long as the
# flight, and only the bound on them sees anything.
fast(r, v) = Object3D(parent = :world, fixedToParent = false, translation = r, velocity = v, feature = steel(Sphere(diameter = 0.001)))
for x in [0.0, 1e6]
    Meet = Model3D(world = still(), a = fast([x - 1e5, 0.0, 0.0], [1000.0, 0.0, 0.0]), b = fast([x + 1e5, 0.0, 0.0], [-1000.0, 0.0, 0.0]))
    Thin = Model3D(world = still(), plate = Object3D(parent = :world, translation = [x, 0.0, 0.0], feature = steel(Box(lengthX = 0.1, lengthY = 1e-4, lengthZ = 0.1))),
                   ball = fast([x, 1e5, 0.0], [0.0, -1000.0, 0.0]))
    meet = @instantiateModel(Meet, unitless = true)
    thin = @instantiateModel(Thin, unitless = true)
    for method in [CVODE_BDF(), CVODE_Adams(), Tsit5(), Rodas5()]
        simulate!(meet, method, stopTime = 101.0)
        @test abs(getLastValue(meet, "a.velocity")[1]/1000 + 0.68318) < 5e-5
        @test abs(getLastValue(meet, "b.velocity")[1]/1000 - 0.68318) < 5e-5
        simulate!(thin, method, stopTime = 101.0)
        @test abs(getLastValue(thin, "ball.velocity")[2]/1000 - 0.68318) < 5e-5
    end
end
