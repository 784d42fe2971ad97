# Unknowns that only results depend on go on along the solution that they are on, however far apart the points are that somebody asked for.
# A coarse output grid used to end a whole turn away: Newton's method began where the point before was.
using Modia, Modia3D, Test

# An angle by its sine and cosine: the tangent is to be 10 x, and tan(y) has branches.
Angle(s, w) = Model(x = Var(init = 0.0), y = Var(start = 0.0), equations = :[
    der(x) = $(s*w)*cos($w*time)
    sin(y)*$s = 10*x*cos(y)
])
# A crank of radius 1 on a rod of length 3, whose angle is that of the rod's end.
Crank(w) = Model(phi = Var(init = 0.0), beta = Var(start = 0.0), equations = :[
    der(phi) = $w
    3.0*sin(beta) + 2.7*sin(phi) = 0.0
])
# Kepler's equation: the mean anomaly goes around, the eccentric one with it.
Kepler(w) = Model(M = Var(init = 0.0), E = Var(start = 0.0), equations = :[
    der(M) = $w
    E - 0.9*sin(E) = M
])
solvers = [CVODE_BDF(), Tsit5(), IDA(), Rodas5()]

@testset "an angle turns back through zero" begin
    for (s, w) in [(1.0, 1.0), (1e-12, 1e9), (1e6, 1e-5)]
        m = @instantiateModel(Angle(s, w), unitless = true)
        stop = 1.5*pi/w
        for solver in solvers, parts in [471, 10, 3, 2, 1], tolerance in [1e-3, 1e-8]
            simulate!(m, solver, stopTime = stop, interval = stop/parts, tolerance = tolerance)
            @test abs(getLastValue(m, "y") + atan(10.0)) < 0.02
        end
    end
end

@testset "a crank turns, and its rod swings" begin
    for w in [1.0, 1e7]
        m = @instantiateModel(Crank(w), unitless = true)
        stop = 8.25*2*pi/w
        for solver in solvers, parts in [1000, 16, 3, 1]
            simulate!(m, solver, stopTime = stop, interval = stop/parts, tolerance = 1e-6)
            @test abs(getLastValue(m, "beta") + asin(0.9)) < 1e-4
        end
    end
end

@testset "an orbit goes around" begin
    m = @instantiateModel(Kepler(1.0), unitless = true)
    for solver in solvers, parts in [600, 7, 1]
        simulate!(m, solver, stopTime = 20.0, interval = 20.0/parts, tolerance = 1e-9)
        @test abs(getLastValue(m, "E") - 0.9*sin(getLastValue(m, "E")) - 20.0) < 1e-6
    end
end

# Bodies with solvers of their own wait for each place where somebody looks. Behind the first one within a step they did not, and the run
# ended without a message.
@testset "balls with solvers of their own beside it" begin
    ball(i) = Object3D(parent = :world, fixedToParent = false, translation = [0.3*i, 0.0, 0.2 + 0.05*i],
                       feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "DryWood", collision = true))
    Balls = Model3D(
        world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), islands = true)),
        floor = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                         feature = Solid(shape = Box(lengthX = 20.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
        angle = Angle(1.0, 1.0))
    for i in 1:9
        Balls[Symbol("b$i")] = ball(i)
    end
    m = @instantiateModel(Balls, unitless = true)
    for parts in [1000, 40, 5, 1]
        simulate!(m, stopTime = 2.0, interval = 2.0/parts)
        @test abs(getLastValue(m, "angle.y") - atan(10.0*sin(2.0))) < 1e-4
    end
end
