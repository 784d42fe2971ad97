# Contact laws written in the language: those of the program written once more, their signs, and what is said where one is wrong.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_written.txt")
touching(shape, name) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = name, collision = true)
ground(name) = Object3D(parent = :world, translation = [0.0, -0.1, 0.0],
                        feature = touching(Box(lengthX = 40.0, lengthY = 0.2, lengthZ = 4.0), name))
ball(name; y = 0.3) = Object3D(parent = :world, fixedToParent = false, translation = [0.0, y, 0.0], velocity = [1.0, 0.0, 0.5],
                               angularVelocity = [1.0, 5.0, 2.0], feature = touching(Sphere(diameter = 0.2), name))
touch(a, b) = ContactResult(object1 = a, object2 = b)

# ---- the linear law once more ---------------------------------------------------------------------------------------------

# delta [m] and deltaDot [m/s] are penetration and its rate; vt and wrel move object1 against object2; normal points into object1.
function spring(; delta, deltaDot, vt, wrel, normal, time)
    f = delta > 0.0 ? max(1e6*delta + 1000.0*deltaDot, 0.0) : 0.0
    drill = dot(wrel, normal)
    force = f*normal - 0.2*f*vt/max(norm(vt), 0.001)
    torque = -0.0005*f*drill/max(abs(drill), 0.001)*normal
    return force, torque
end

function bounce(name; extra...)
    Bounce = Model3D(world = Object3D(feature = Scene(balance = true)), floor = ground(name), ball = ball(name),
                     touch = touch(:ball, :floor))
    for (key, value) in extra
        Bounce[key] = value
    end
    m = @instantiateModel(Bounce, unitless = true)
    simulate!(m, stopTime = 0.6, tolerance = 1e-10, interval = 0.001)
    return m
end

own = bounce("Both")
for (a, b) in [(:ball, :floor), (:floor, :ball)]
    # The same numbers whichever of the two is object1; pairs of materials that nobody knows do not matter.
    m = bounce("Aluminium", law = ContactLaw(object1 = a, object2 = b, law = spring))
    for name in ["ball.translation", "ball.velocity", "ball.rotation", "ball.angularVelocity", "touch.forceVector", "touch.torqueVector",
                 "touch.normalForce", "touch.tangentialForce"]
        x, y = getValues(own, name), getValues(m, name)
        @test size(x) == size(y) && maximum(abs.(x - y)) < 1e-6*(1 + maximum(abs.(x)))
    end
    # All that it took is counted as lost, also what it gives back later: at the end both sheets agree.
    @test abs(getValues(m, "balance.dissipatedEnergy")[end] - getValues(own, "balance.dissipatedEnergy")[end]) < 1e-5
    sum_of(m) = getValues(m, "balance.totalEnergy") + getValues(m, "balance.dissipatedEnergy") - getValues(m, "balance.suppliedEnergy")
    @test maximum(sum_of(m)) - minimum(sum_of(m)) < 1e-6
end

# ---- time, and quantities -----------------------------------------------------------------------------------------------------

# A pull along the surface that grows, on a ball that just touches; with units.
pull(; delta, deltaDot, vt, wrel, normal, time) = ([time, 0.0, 0.0]*u"kN", [0.0, 20.0*time, 0.0]*u"N*cm")
Pull = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())), floor = ground("Aluminium"),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.1 - 1e-9, 0.0],
                               feature = touching(Sphere(diameter = 0.2), "Aluminium")),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = pull), touch = touch(:floor, :ball))
m = @instantiateModel(Pull, unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-8)
mass = 8000.0*4/3*pi*0.1^3
@test abs(getLastValue(m, "ball.velocity")[1] - 500.0/mass) < 1e-5
@test abs(getLastValue(m, "ball.angularVelocity")[2] - 0.1/(2/5*mass*0.1^2)) < 1e-5
@test norm(getValues(m, "touch.forceVector")[end, :] - [-1000.0, 0.0, 0.0]) < 1e-8 # on the floor
@test norm(getValues(m, "touch.torqueVector")[end, :] - [0.0, -0.2, 0.0]) < 1e-10
