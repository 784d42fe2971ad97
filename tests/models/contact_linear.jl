# LinearResponse against closed forms: a spring and a damper along the normal, friction, a torque about the normal.
#
# A ball of mass m that hits with v, no gravity: m p'' = -(c p + d p') until the force is zero, which is where p'' is. With
# w0 = sqrt(c/m), z = d/(2 sqrt(c m)), wd = w0 sqrt(1 - z^2) that is the time ts with
#     tan(wd ts) = -2 z sqrt(1 - z^2)/(1 - 2 z^2),
# and the ball leaves with exp(-z w0 ts) of its speed.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_linear.txt")
Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_linear.json")
still() = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true))
down() = Object3D(feature = Scene(balance = true))
touching(shape, name) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = name, collision = true)
floor_of(name) = Object3D(parent = :world, translation = [0.0, -0.1, 0.0],
                          feature = touching(Box(lengthX = 40.0, lengthY = 0.2, lengthZ = 4.0), name))
last(model, name) = getValues(model, name)[end]
R = 0.1
m = 8000.0*4/3*pi*R^3

# ---- along the normal -------------------------------------------------------------------------------------------------

function impact(name, other, v, c, d; first = :floor)
    w0, z = sqrt(c/m), d/(2*sqrt(c*m))
    wd = w0*sqrt(1 - z^2)
    ts = (pi - atan(2*z*sqrt(1 - z^2), 1 - 2*z^2))/wd
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, R + 0.2*v/w0, 0.0], velocity = [0.0, -v, 0.0],
                    feature = touching(Sphere(diameter = 2*R), name))
    Impact = Model3D(world = still())
    for part in (first == :ball ? [:ball, :floor] : [:floor, :ball])
        Impact[part] = part == :ball ? ball : floor_of(other)
    end
    Impact[:touch] = ContactResult(object1 = :ball, object2 = :floor)
    model = @instantiateModel(Impact, unitless = true)
    simulate!(model, stopTime = 6*ts, tolerance = 1e-11, interval = ts/400)
    p, f = getValues(model, "touch.penetration"), getValues(model, "touch.normalForce")
    tp = atan(sqrt(1 - z^2), z)/wd
    deepest = v/wd*exp(-z*w0*tp)*sin(wd*tp)
    @test abs(maximum(p)/deepest - 1) < 1e-5
    @test minimum(f) >= 0.0
    @test all(abs(f[i] - max(c*p[i] + d*getValues(model, "touch.penetrationVelocity")[i], 0.0)) < 1e-9*maximum(f)
              for i in 1:length(f) if p[i] > 0.0)
    u = getLastValue(model, "ball.velocity")[2]
    @test abs(u/v - exp(-z*w0*ts)) < 1e-7
    # What was lost is accounted for.
    lost = last(model, "balance.dissipatedEnergy")
    @test abs(lost - m/2*(v^2 - u^2)) < 1e-7*m*v^2
    return u
end

u = impact("Soft", "Soft", 1.0, 1e6, 0.0)
@test abs(u - 1) < 1e-7
for v in [0.01, 1.0, 10.0]
    impact("Damped", "Damped", v, 4e6, 3000.0)
end
# Neither the order of the two bodies nor their materials' changes anything.
@test impact("Damped", "Damped", 1.0, 4e6, 3000.0, first = :ball) == impact("Damped", "Damped", 1.0, 4e6, 3000.0)
# A pair that is not listed: springs in series, everything else the mean.
impact("Damped", "Soft", 1.0, 2/(1/4e6 + 1/1e6), 1500.0)
@test impact("Damped", "Soft", 1.0, 1.6e6, 1500.0) == impact("Soft", "Damped", 1.0, 1.6e6, 1500.0)
# Keys and defaults of the file in JSON: 1e7 N/m and nothing else.
impact("Plain", "Plain", 1.0, 1e7, 0.0)
impact("Rich", "Rich", 1.0, 3e6, 40.0)
impact("Rich", "Plain", 1.0, 2/(1/3e6 + 1/1e7), 20.0)

# ---- across it ----------------------------------------------------------------------------------------------------------

# A ball that slides rolls after v/((1 + k) mu g) with k/(1 + k) of its speed, k = l^2/(2/5 R^2); nothing resists rolling. Forces
# act in the middle of the dent, so l is less than R by half the penetration.
g = 9.81
sink = m*g/1e6
k = (R - sink/2)^2/(2/5*R^2)
Slide = Model3D(world = down(), floor = floor_of("Slip"),
                ball = Object3D(parent = :world, fixedToParent = false, translation = [-5.0, R - sink + 1e-6, 0.0], velocity = [2.0, 0.0, 0.0],
                                feature = touching(Sphere(diameter = 2*R), "Slip")))
slide = @instantiateModel(Slide, unitless = true)
rolls = 2.0/((1 + k)*0.2*g)
simulate!(slide, stopTime = 0.5*rolls, tolerance = 1e-8)
@test abs(getLastValue(slide, "ball.velocity")[1] - (2.0 - 0.2*g*0.5*rolls)) < 1e-6
@test abs(getLastValue(slide, "ball.angularVelocity")[3] + k/(R - sink/2)*0.2*g*0.5*rolls) < 1e-5
simulate!(slide, stopTime = 1.5*rolls, tolerance = 1e-8)
@test abs(getLastValue(slide, "ball.velocity")[1] - k/(1 + k)*2.0) < 1e-5
@test abs(last(slide, "balance.dissipatedEnergy") - m/2*2.0^2/(1 + k)) < 1e-5*m

# ---- about the normal -----------------------------------------------------------------------------------------------------

# A ball that spins about the vertical loses d_w m g of torque; about the horizontal it spins on, as there is no friction.
Drill = Model3D(world = down(), floor = floor_of("Drill"),
                ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, R - sink + 1e-6, 0.0],
                                angularVelocity = [0.0, 3.0, 0.0], feature = touching(Sphere(diameter = 2*R), "Drill")),
                touch = ContactResult(object1 = :ball, object2 = :floor))
drill = @instantiateModel(Drill, unitless = true)
simulate!(drill, stopTime = 1.0, tolerance = 1e-8)
slows = 0.0005*g/(2/5*R^2)
@test abs(getLastValue(drill, "ball.angularVelocity")[2] - (3.0 - slows)) < 1e-6
@test norm(getValues(drill, "touch.torqueVector")[end, :] + [0.0, 0.0005*m*g, 0.0]) < 1e-6*m
simulate!(drill, stopTime = 4.0, tolerance = 1e-8) # below wsmall it decays with wsmall/slows
@test abs(getLastValue(drill, "ball.angularVelocity")[2]) < 1e-9
@test abs(last(drill, "balance.dissipatedEnergy") - 0.5*2/5*m*R^2*3.0^2) < 1e-5*m
Spin = Drill | Map(ball = Map(angularVelocity = [2.0, 0.0, 0.0]))
spin = @instantiateModel(Spin, unitless = true)
simulate!(spin, stopTime = 1.0, tolerance = 1e-8)
@test abs(getLastValue(spin, "ball.angularVelocity")[1] - 2.0) < 1e-9
