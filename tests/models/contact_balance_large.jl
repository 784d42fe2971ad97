# Balls of 10 m to 1 km with a balance: powers of 1e16 W that cancel leave kilowatts of rounding, which are no energy from outside.
# They kept steps at microseconds, or ended the run with E0723.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_elastic.txt")
solid(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)

for D in [10.0, 1000.0], touch in ["Grip", "Steel"]
    Fall = Model3D(world = Object3D(feature = Scene(balance = true)),
                   plate = Object3D(parent = :world, translation = [0.0, -D, 0.0], feature = solid(Box(lengthX = 40*D, lengthY = 2*D, lengthZ = 40*D), touch)),
                   ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.6*D, 0.0], velocity = [1.0, 0.0, 0.0],
                                   feature = solid(Sphere(diameter = D), touch)))
    m = @instantiateModel(Fall, unitless = true)
    simulate!(m, Rodas5(), stopTime = 2*sqrt(D/5), tolerance = 1e-9)
    speed = getLastValue(m, "ball.velocity")
    for method in [CVODE_BDF(), IDA(), Tsit5(), DP8()]
        simulate!(m, method, stopTime = 2*sqrt(D/5))
        E = getValues(m, "balance.totalEnergy")
        @test getLastValue(m, "contacts.ended") >= 1
        @test norm(getLastValue(m, "ball.velocity") - speed) < 1e-3*norm(speed)
        @test all(abs.(getValues(m, "balance.suppliedEnergy")) .<= 1e-10*E[1])
        @test abs(E[end] + getValues(m, "balance.dissipatedEnergy")[end] - E[1]) < 1e-4*E[1]
    end
end
