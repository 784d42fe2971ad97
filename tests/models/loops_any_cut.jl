# Which joint of a loop is cut changes nothing: start values that only come near are those of the joints declared first, be they
# cut or not, and the motion goes on from there.
using Modia3D
using Test

bar(l) = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [l/2, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1)))
tip(name, l) = Object3D(parent = name, translation = [l, 0.0, 0.0])
scene = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false))
function run(model, algorithm)
    m = @instantiateModel(model, unitless = true)
    simulate!(m, algorithm, stopTime = 1.0, tolerance = 1e-10)
    return m
end
# What the first joints start with stays, and all runs are one.
function check(models, kept, compared)
    first = run(models[1], DP8())
    for model in models
        for algorithm in [DP8(), IDA()]
            m = run(model, algorithm)
            for (name, value) in kept
                @test abs(getValues(m, name)[1] - value) < 1e-9
            end
            for name in compared
                @test abs(getLastValue(m, name) - getLastValue(first, name)) < 1e-6
            end
        end
    end
end

# A fourbar: one joint is free.
Fourbar(cut) = Model3D(world = scene, pivot = tip(:world, 1.0), a = bar(0.3), b = bar(0.9), c = bar(0.6),
    aEnd = tip(:a, 0.3), bEnd = tip(:b, 0.9), cEnd = tip(:c, 0.6),
    rev1 = Revolute(obj1 = :world, obj2 = :a, phi = Var(init = 1.0), w = Var(init = 2.0), cut = cut == 1),
    rev2 = Revolute(obj1 = :aEnd, obj2 = :b, phi = Var(init = -0.6), cut = cut == 2),
    rev3 = Revolute(obj1 = :pivot, obj2 = :c, phi = Var(init = 1.5), cut = cut == 3),
    rev4 = Revolute(obj1 = :bEnd, obj2 = :cEnd, phi = Var(init = 1.0), cut = cut == 4))
check([Fourbar(i) for i in 1:4], [("rev1.phi", 1.0), ("rev1.w", 2.0)], ["rev1.phi", "rev2.phi", "rev3.phi", "rev4.phi", "rev1.w", "rev4.w"])

# A slider-crank that starts with the place and the speed of its piston; more than a turn is counted.
Slider(cut) = Model3D(world = scene, crank = bar(0.3), crankEnd = tip(:crank, 0.3), rod = bar(0.8), rodEnd = tip(:rod, 0.8),
    piston = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    slide = Prismatic(obj1 = :world, obj2 = :piston, axis = 1, s = Var(init = 0.9), v = Var(init = 0.5), cut = cut == 1),
    main = Revolute(obj1 = :world, obj2 = :crank, phi = Var(init = 2*pi - 1.0), cut = cut == 2),
    big = Revolute(obj1 = :crankEnd, obj2 = :rod, phi = Var(init = 1.3), cut = cut == 3),
    small = Revolute(obj1 = :rodEnd, obj2 = :piston, phi = Var(init = -0.3), cut = cut == 4))
check([Slider(i) for i in 1:4], [("slide.s", 0.9), ("slide.v", 0.5)], ["slide.s", "main.phi", "big.phi", "small.phi", "main.w"])

# A fivebar: two joints are free, the first with a flange.
Fivebar(cut) = Model3D(world = scene, pivot = tip(:world, 0.5), a = bar(0.3), b = bar(0.6), c = bar(0.3), d = bar(0.7),
    aEnd = tip(:a, 0.3), bEnd = tip(:b, 0.6), cEnd = tip(:c, 0.3), dEnd = tip(:d, 0.7),
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :a, phi = Var(init = 2.0), w = Var(init = 1.0), cut = cut == 1),
    rev2 = Revolute(obj1 = :pivot, obj2 = :c, phi = Var(init = 1.0), w = Var(init = -1.5), cut = cut == 2),
    rev3 = Revolute(obj1 = :aEnd, obj2 = :b, phi = Var(init = -1.2), cut = cut == 3),
    rev4 = Revolute(obj1 = :cEnd, obj2 = :d, phi = Var(init = 1.0), cut = cut == 4),
    rev5 = Revolute(obj1 = :bEnd, obj2 = :dEnd, phi = Var(init = 1.0), cut = cut == 5),
    equations = :[rev1.flange.tau = 0.3*time - 0.1*rev1.w])
check([Fivebar(i) for i in 1:5], [("rev1.phi", 2.0), ("rev1.w", 1.0), ("rev2.phi", 1.0), ("rev2.w", -1.5)], ["rev1.phi", "rev2.phi", "rev3.phi", "rev4.w", "rev5.phi"])
