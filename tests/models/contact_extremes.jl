# What an engineer tries next: restitution 0, 1 and 0.999, friction 0, 1 and 5, much spin, and balls of a micrometer to ten meters.
# Energy does not rise, momenta stay, the balance closes, and all methods and sizes agree.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_extremes.txt")
ball(D, touch) = Solid(shape = Sphere(diameter = D), solidMaterial = "Steel", contactMaterial = touch, collision = true)
free(feature, from, v, w) = Object3D(parent = :world, fixedToParent = false, translation = from, velocity = v, angularVelocity = w, feature = feature)
space() = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true))

include("scenes/rise.jl")

methods = [(CVODE_BDF(), 1e-4), (CVODE_BDF(), 1e-6), (CVODE_BDF(), 1e-8), (IDA(), 1e-6), (KenCarp4(), 1e-6), (Rodas5(), 1e-8)]
for touch in ["Dead", "Spring", "Nearly", "Rough", "Grip", "Glue"]
    Meet = Model3D(world = space(), a = free(ball(0.1, touch), [-0.06, 0.0, 0.0], [3.0, 0.0, 0.5], [20.0, 50.0, 300.0]),
                   b = free(ball(0.1, touch), [0.06, 0.02, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 100.0]))
    m = @instantiateModel(Meet, unitless = true)
    simulate!(m, Rodas5(), stopTime = 0.02, tolerance = 1e-10)
    lost = getValues(m, "balance.dissipatedEnergy")[end]
    for (method, tolerance) in methods
        simulate!(m, method, stopTime = 0.02, tolerance = tolerance, interval = 2e-5)
        E, p, L = getValues(m, "balance.totalEnergy"), getValues(m, "balance.momentum"), getValues(m, "balance.angularMomentum")
        @test getLastValue(m, "contacts.ended") == 1
        @test rise(E) < (touch == "Spring" ? 50 : 10)*tolerance*E[1]
        @test norm(p[end, :] - p[1, :]) < 1e-3*tolerance*norm(p[1, :])
        @test norm(L[end, :] - L[1, :]) < 3*tolerance*norm(L[1, :])
        @test abs(E[end] + getValues(m, "balance.dissipatedEnergy")[end] - E[1]) < 50*tolerance*E[1]
        @test abs(E[1] - E[end] - lost) < 100*tolerance*E[1]
        # Elastic: to 1e-6 in a bounce at 1e-8.
        @test touch != "Spring" || tolerance > 1e-8 || abs(E[end] - E[1]) < 1e-6*E[1]
    end
end

# The law knows no size: a ball leaves a plate with 0.683184 of its speed, and rolling (see contact_closed_forms.jl).
for D in [1e-6, 1e-4, 1e-2, 1.0, 10.0], v in [1.0, 10.0]
    plate = Object3D(parent = :world, translation = [0.0, -D, 0.0],
                     feature = Solid(shape = Box(lengthX = 20*D, lengthY = 2*D, lengthZ = 20*D), solidMaterial = "Steel", collision = true))
    Strike = Model3D(world = space(), plate = plate, ball = free(ball(D, "Steel"), [0.0, 1.5*D, 0.0], [0.3*v, -v, 0.0], [0.0, 0.0, 3*v/D]))
    m = @instantiateModel(Strike, unitless = true)
    for tolerance in [1e-6, 1e-8]
        simulate!(m, stopTime = 4*D/v, tolerance = tolerance)
        @test abs(getLastValue(m, "ball.velocity")[2]/v - 0.6831842) < 100*tolerance
    end
end
