# Four balls bounce by four laws: elastic, spring and damper, impulse, and one written here.
#
# Shows: ElasticResponse, LinearResponse and ImpulseResponse as pairs of materials (parts/laws.txt), ContactLaw for two objects.
# All are meant for the restitution 0.7. Impulses keep it to the last digit, spring and damper for this mass. Of the elastic law, and of
# Hunt and Crossley's, which the fourth ball has, it is the limit for small losses: 0.683 and 0.768 come out.
# Expect: figure 1 has the heights, figure 2 the forces of the first impact: short and high, or long and low.
using Modia3D
using Test
@usingModiaPlot

Modia3D.loadPalettes!(contactPairMaterialPalette = "parts/laws.txt")
R, h, g = 0.1, 1.0, 9.81
m, v = 8000*4/3*pi*R^3, sqrt(2*g*h)

# Hunt and Crossley 1975, for an approach with 4.4 m/s.
function hunt_crossley(; delta, deltaDot, vt, wrel, normal, time)
    k = 4/3*sqrt(R)*2e11/(2*(1 - 0.3^2))
    f = delta > 0.0 ? max(0.0, k*delta^1.5*(1 + 1.5*(1 - 0.7)/v*deltaDot)) : 0.0
    return f*normal, [0.0, 0.0, 0.0]
end

names, plates = ["elastic", "spring", "impulse", "written"], ["Elastic", "Spring", "Blow", "Elastic"]
solid(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
function scene(y, speed, gravity)
    Balls = Model3D(world = Object3D(feature = Scene(gravityField = gravity, balance = true)))
    for i in 1:4
        ball, plate, x = Symbol(names[i]), Symbol("$(names[i])Plate"), 0.6*(i - 2.5)
        Balls[plate] = Object3D(parent = :world, translation = [x, -0.1, 0.0],
                                feature = solid(Box(lengthX = 0.5, lengthY = 0.2, lengthZ = 0.5), plates[i]))
        Balls[ball] = Object3D(parent = :world, fixedToParent = false, translation = [x, R + y, 0.0], velocity = [0.0, -speed, 0.0],
                               feature = solid(Sphere(diameter = 2*R), "Steel"))
        Balls[Symbol("$(names[i])Touch")] = ContactResult(object1 = ball, object2 = plate)
    end
    Balls[:law] = ContactLaw(object1 = :written, object2 = :writtenPlate, law = hunt_crossley)
    return @instantiateModel(Balls, unitless = true)
end

bounce = scene(h, 0.0, UniformGravityField(g = g, n = [0, -1, 0]))
simulate!(bounce, stopTime = 2.0, tolerance = 1e-8, interval = 0.005)
plot(bounce, Tuple("$name.translation[2]" for name in names), heading = "Heights of four balls")
hit = scene(1e-5, v, NoGravityField())
simulate!(hit, stopTime = 0.0025, tolerance = 1e-9, interval = 1e-5)
plot(hit, ("elasticTouch.normalForce", "springTouch.normalForce", "writtenTouch.normalForce"), heading = "Forces of the first impact", figure = 2)

println("          leaves with   deepest      lasts")
kept = [getValues(hit, "$name.velocity")[end, 2]/v for name in names]
for i in 1:4
    p = getValues(hit, "$(names[i])Touch.penetration")
    t = [x for (x, d) in zip(getValues(hit, "time"), p) if d > 1e-9]
    println(rpad(names[i], 10), rpad(string(round(kept[i], digits = 5)), 14), rpad(string(round(1e6*maximum(p), digits = 1), " um"), 13),
            isempty(t) ? "0 ms" : string(round(1000*(t[end] - t[1]), digits = 2), " ms"))
end

# The elastic law, and Hunt and Crossley's, have the first integral log((1 + d v)/(1 - d u)) = d (v + u).
leaves(d) = (u = 0.7*v; for i in 1:200; u = (1 - (1 + d*v)*exp(-d*(v + u)))/d; end; u/v)
@test abs(kept[1] - leaves(8*(1 - 0.7)/(5*0.7*v))) < 1e-5
@test abs(kept[2] - 0.7) < 1e-5
@test abs(kept[3] - 0.7) < 1e-12
@test abs(kept[4] - leaves(1.5*(1 - 0.7)/v)) < 1e-5
t = getValues(bounce, "time")
i = findfirst(x -> x > 0.8, t) # in the first flight
@test abs(getValues(bounce, "impulse.translation")[i, 2] - R - (0.7*v*(t[i] - v/g) - g/2*(t[i] - v/g)^2)) < 1e-6
total = getValues(bounce, "balance.totalEnergy") + getValues(bounce, "balance.dissipatedEnergy")
@test maximum(total) - minimum(total) < 1e-5*maximum(total)
