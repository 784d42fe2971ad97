# Nothing passes through anything: thin and fast bodies, default settings, methods of all families.
using Modia3D
using Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
plate() = steel(Box(lengthX = 0.1, lengthY = 0.001, lengthZ = 0.1))
still() = Object3D(feature = Scene(gravityField = NoGravityField()))
ball(r, v) = Object3D(parent = :world, fixedToParent = false, translation = r, velocity = v, feature = steel(Sphere(diameter = 0.001)))
methods = [CVODE_BDF(), IDA(), Tsit5(), Rodas5(), Rosenbrock23()]
families = [CVODE_BDF(), CVODE_Adams(), IDA(), BS3(), Tsit5(), Vern7(), TRBDF2(), KenCarp4(), Rodas5(), Rosenbrock23()]

# 1 mm of steel at 1 km/s against 1 mm of steel, from 1 m and from 1 km; cor = 0.7 gives 0.68318.
for (height, stop) in [(1.0, 0.002), (1000.0, 1.5)]
    Bullet = Model3D(world = still(), plate = Object3D(parent = :world, feature = plate()),
                     ball = ball([0.0, height, 0.0], [0.0, -1000.0, 0.0]))
    bullet = @instantiateModel(Bullet, unitless = true)
    for method in methods
        simulate!(bullet, method, stopTime = stop)
        @test abs(getLastValue(bullet, "ball.velocity")[2] - 683.18) < 0.05
    end
end

# All families of methods, all tolerances.
Shot = Model3D(world = still(), plate = Object3D(parent = :world, feature = plate()), ball = ball([0.0, 1.0, 0.0], [0.0, -1000.0, 0.0]))
shot = @instantiateModel(Shot, unitless = true)
for method in families, tolerance in [1e-4, 1e-7, 1e-10]
    simulate!(shot, method, stopTime = 0.002, tolerance = tolerance)
    @test abs(getLastValue(shot, "ball.velocity")[2] - 683.18) < (tolerance > 1e-5 ? 2.0 : 0.03)
end

# A thin mesh instead of the box.
sheet() = Solid(shape = FileMesh(filename = "sheet.obj"), solidMaterial = "Steel", collision = true)
Sheet = Model3D(world = still(), plate = Object3D(parent = :world, feature = sheet()), ball = ball([0.01, 1.0, 0.02], [0.0, -1000.0, 0.0]))
sheet1 = @instantiateModel(Sheet, unitless = true)
for method in methods
    simulate!(sheet1, method, stopTime = 0.002)
    @test abs(getLastValue(sheet1, "ball.velocity")[2] - 683.18) < 0.05
end

# At 45 degrees: the normal part as before; friction and spin are those of a tolerance of 1e-10.
Oblique = Model3D(world = still(), plate = Object3D(parent = :world, feature = plate()), ball = ball([-0.5, 0.5, 0.0], [700.0, -700.0, 0.0]))
oblique = @instantiateModel(Oblique, unitless = true)
for method in methods
    simulate!(oblique, method, stopTime = 0.002, tolerance = 1e-8)
    @test abs(getLastValue(oblique, "ball.velocity")[2]/700 - 0.68318) < 2e-5
    @test abs(getLastValue(oblique, "ball.velocity")[1] - 470.955) < 2e-3
    @test abs(getLastValue(oblique, "ball.angularVelocity")[3]/969951.6 + 1) < 1e-5
end

# A rod of 1 mm at 1000 rad/s strikes another one crosswise.
Rods = Model3D(
    world = still(),
    rod = Object3D(parent = :world, fixedToParent = false, angularVelocity = [0.0, 0.0, 1000.0],
                   feature = steel(Capsule(axis = 1, diameter = 0.001, length = 0.2))),
    other = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.08, 0.0],
                     feature = steel(Capsule(axis = 3, diameter = 0.001, length = 0.2))))
rods = @instantiateModel(Rods, unitless = true)
for method in methods
    simulate!(rods, method, stopTime = 0.01)
    @test abs(getLastValue(rods, "rod.angularVelocity")[3] - 178.438) < 5e-3
    @test norm(getLastValue(rods, "rod.velocity") + getLastValue(rods, "other.velocity")) < 1e-9
end

# A plate that equations move to and fro strikes a ball at rest: 1.68 times its own speed there, 35.7 m/s.
Hit = Model3D(world = still(), bat = Object3D(feature = plate()),
              prism = PrismaticWithFlange(obj1 = :world, obj2 = :bat, axis = 2, s = Var(init = nothing), v = Var(init = nothing)),
              ball = ball([0.0, 0.01, 0.0], [0.0, 0.0, 0.0]))
Driven = Model(hit = Hit, equations = :[hit.prism.s = 0.02*sin(2000*time)])
driven = @instantiateModel(Driven, unitless = true)
speed = 40*sqrt(1 - ((0.01 - 0.001)/0.02)^2)
for method in methods
    simulate!(driven, method, stopTime = 0.002)
    @test abs(getLastValue(driven, "hit.ball.velocity")[2]/speed - 1.68318) < 2e-3
end

# A blade of 1 mm that equations turn at 1000 rad/s strikes a ball at rest, 0.1 m from its axis: 1.68 times 100 m/s.
Blade = Model3D(world = still(), blade = Object3D(feature = steel(Box(lengthX = 0.4, lengthY = 0.001, lengthZ = 0.02))),
                hinge = RevoluteWithFlange(obj1 = :world, obj2 = :blade, axis = 3, phi = Var(init = nothing), w = Var(init = nothing)),
                ball = ball([0.1, 0.0, 0.0], [0.0, 0.0, 0.0]))
Fan = Model(fan = Blade, equations = :[fan.hinge.phi = 1000*time - 1.5])
fan = @instantiateModel(Fan, unitless = true)
for method in families
    simulate!(fan, method, stopTime = 0.0018)
    @test abs(norm(getLastValue(fan, "fan.ball.velocity"))/168.318 - 1) < 2e-3
end
