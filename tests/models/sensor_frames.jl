# A sensor from every origin, along all axes and for each observer, `nothing` among them, beside differences of the places
# and angles that the objects have in the result. The sensors come by merging.
using Modia3D
using LinearAlgebra
using Test

body(m) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.1, 0.05, -0.02], Ixx = 0.06, Iyy = 0.15, Izz = 0.2, Ixy = 0.01))
frames = [nothing, :hand, :cap, :still]
Eyes = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    still = Object3D(parent = :world, translation = [0.3, 0.2, 0.1], rotation = [0.3, 0.5, 0.1]),
    link = Object3D(feature = body(1.0)),
    hand = Object3D(parent = :link, translation = [0.5, 0.1, 0.2], rotation = [0.2, 0.7, 0.1]),
    rev = Revolute(obj1 = :still, obj2 = :link, axis = 2, w = Var(init = 2.0)),
    nut = Object3D(parent = :hand, fixedToParent = false, translation = [0.5, 0.4, 1.0], velocity = [0.2, 0.0, 1.0], angularVelocity = [1.1, 2.0, -0.2], feature = body(0.5)),
    cap = Object3D(parent = :nut, translation = [0.1, 0.2, 0.3], rotation = [1.0, 0.1, 0.2]),
    ball = Object3D(parent = :world, fixedToParent = false, velocity = [1.0, 0.2, 0.3], angularVelocity = [0.4, -1.0, 2.0], feature = body(0.3)),
    tip = Object3D(parent = :ball, translation = [0.0, 0.3, 0.2], rotation = [0.4, 0.2, 0.9])
)
for (i, origin) in enumerate(frames), (j, axes) in enumerate(frames), (k, observer) in enumerate(frames)
    global Eyes = Eyes | Map(; Symbol("eye$i$j$k") => SensorResult(object = :tip, objectOrigin = origin, objectCoordinateRef = axes, objectObserveRef = observer))
end
eyes = @instantiateModel(Eyes, unitless = true)
h = 1e-3
simulate!(eyes, Tsit5(), stopTime = 0.4, interval = h, tolerance = 1e-12)
at(name, i) = vec(getValues(eyes, name)[i, :])
identity = [1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 1.0]
place(frame, i) = frame === nothing ? zeros(3) : at("$frame.r_abs", i)
turn(frame, i) = frame === nothing ? identity : Modia3D.rot123(at("$frame.rot123_abs", i))
first(f, i) = (f(i - 2) - 8*f(i - 1) + 8*f(i + 1) - f(i + 2))/(12h)
second(f, i) = (-f(i - 2) + 16*f(i - 1) - 30*f(i) + 16*f(i + 1) - f(i + 2))/(12h^2)
# Angular velocity of a frame in the world, from R' = -skew(w) R.
function spin(frame, i)
    S = -transpose(turn(frame, i))*first(k -> turn(frame, k), i)
    return [S[3, 2], S[1, 3], S[2, 1]]
end
function check(eye, origin, axes, observer, i)
    seen(k) = turn(observer, k)*(place(:tip, k) - place(origin, k))
    spun(k) = turn(observer, k)*(spin(:tip, k) - spin(origin, k))
    along = turn(axes, i)*transpose(turn(observer, i))
    @test norm(at("$eye.translation", i) - along*seen(i)) < 1e-12
    @test norm(at("$eye.velocity", i) - along*first(seen, i)) < 1e-8
    @test norm(at("$eye.acceleration", i) - along*second(seen, i)) < 1e-6
    @test norm(at("$eye.angularVelocity", i) - along*spun(i)) < 1e-8
    @test norm(at("$eye.angularAcceleration", i) - along*first(spun, i)) < 1e-6
    @test norm(Modia3D.rot123(at("$eye.rotation", i)) - turn(:tip, i)*transpose(turn(origin, i))) < 1e-12
    d(k) = norm(place(:tip, k) - place(origin, k))
    @test abs(at("$eye.distance", i)[1] - d(i)) < 1e-12
    @test abs(at("$eye.distanceVelocity", i)[1] - first(d, i)) < 1e-8
    @test abs(at("$eye.distanceAcceleration", i)[1] - second(d, i)) < 1e-6
end
for (i, origin) in enumerate(frames), (j, axes) in enumerate(frames), (k, observer) in enumerate(frames)
    for t in [30, 200, 370]
        check("eye$i$j$k", origin, axes, observer, t)
    end
end
