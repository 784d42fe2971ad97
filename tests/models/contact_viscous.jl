# ViscousResponse against its closed form: f = (c + d p') p along the normal.
#
# A ball of mass m that hits with v, no gravity: m p'' = -(c + d p') p. With x = d v/c it leaves with e v,
#     (1 + x)/(1 - e x) = exp(x (1 + e)),
# and its deepest point is sqrt(2 m v^2 (x - log(1 + x))/(c x^2)).
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_viscous.txt")
Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_viscous.json")
touching(shape, name) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = name, collision = true)
floor_of(name) = Object3D(parent = :world, translation = [0.0, -0.1, 0.0],
                          feature = touching(Box(lengthX = 40.0, lengthY = 0.2, lengthZ = 4.0), name))
R = 0.1
m = 8000.0*4/3*pi*R^3

function restitution(x)
    low, high = 0.0, min(1.0, 1/x)
    for i in 1:200
        e = (low + high)/2
        if log(1 + x) - log(1 - e*x) < x*(1 + e)
            low = e
        else
            high = e
        end
    end
    return (low + high)/2
end

function impact(name, other, v, c, d)
    x, w0 = d*v/c, sqrt(c/m)
    Impact = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)), floor = floor_of(other),
                     ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, R + 0.2*v/w0, 0.0],
                                     velocity = [0.0, -v, 0.0], feature = touching(Sphere(diameter = 2*R), name)),
                     touch = ContactResult(object1 = :ball, object2 = :floor))
    model = @instantiateModel(Impact, unitless = true)
    simulate!(model, stopTime = 12/w0, tolerance = 1e-11, interval = 0.005/w0)
    p, f = getValues(model, "touch.penetration"), getValues(model, "touch.normalForce")
    rate = getValues(model, "touch.penetrationVelocity")
    deepest = sqrt(2*m*v^2*(x - log(1 + x))/(c*x^2))
    @test abs(maximum(p)/deepest - 1) < 1e-5
    @test minimum(f) >= 0.0
    @test all(abs(f[i] - max((c + d*rate[i])*p[i], 0.0)) < 1e-9*maximum(f) for i in 1:length(f) if p[i] > 0.0)
    u = getLastValue(model, "ball.velocity")[2]
    @test abs(u/v - restitution(x)) < 1e-7
    lost = getValues(model, "balance.dissipatedEnergy")[end]
    @test abs(lost - m/2*(v^2 - u^2)) < 1e-7*m*v^2
    return u/v
end

# The same x is the same restitution, whatever mass and stiffness; the faster, the less comes back.
for v in [0.01, 0.1, 1.0, 5.0]
    impact("Light", "Light", v, 1e6, 4e5)
    impact("Heavy", "Heavy", v, 4e6, 1.2e7)
end
@test impact("Light", "Light", 1.0, 1e6, 4e5) > impact("Heavy", "Heavy", 1.0, 4e6, 1.2e7)
# From a file in JSON; a pair that is not listed has springs in series and the mean of all else.
impact("Tough", "Tough", 1.0, 2e6, 3e6)
impact("Tough", "Light", 1.0, 2/(1/2e6 + 1/1e6), (3e6 + 4e5)/2)

# It rests where the spring carries it, and slides with its friction.
g = 9.81
Rest = Model3D(world = Object3D(feature = Scene()), floor = floor_of("Slip"),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, R - m*g/1e6, 0.0], velocity = [2.0, 0.0, 0.0],
                               feature = touching(Sphere(diameter = 2*R), "Slip")))
rest = @instantiateModel(Rest, unitless = true)
simulate!(rest, stopTime = 0.1, tolerance = 1e-9)
@test abs(getLastValue(rest, "ball.velocity")[1] - (2.0 - 0.2*g*0.1)) < 1e-6
@test abs(getLastValue(rest, "ball.translation")[2] - (R - m*g/1e6)) < 1e-8
