# Contacts against closed forms, over scales of size and speed, directions and the order of the two bodies.
#
# The law of a head-on impact, m p'' = -k p^1.5 (1 + d p'), has a first integral: with u the speed of leaving,
#     log((1 + d v)/(1 - d u)) = d (v + u),
# whatever mass and stiffness. Without damping it is Hertz' impact: the deepest penetration is (5 m v^2/(4 k))^(2/5), and it
# lasts 2.943275 of that over v.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_closed_forms.txt")
still() = Object3D(feature = Scene(gravityField = NoGravityField()))
steel(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
E, nu, density = 2e11, 0.3, 8000.0
stiffness(R) = 4/3*E/(2*(1 - nu^2))*sqrt(R)
mass(R) = density*4/3*pi*R^3

# ---- Hertz' impact ---------------------------------------------------------------------------------------------------

function impact(R, v, axis, first)
    depth = (5*mass(R)*v^2/(4*stiffness(R)))^0.4
    lasts = 2.943275*depth/v
    up, lengths = [0.0, 0.0, 0.0], [20*R, 20*R, 20*R]
    up[axis], lengths[axis] = 1.0, 2*R
    wall = Object3D(parent = :world, translation = -R*up,
                    feature = steel(Box(lengthX = lengths[1], lengthY = lengths[2], lengthZ = lengths[3]), "Spring"))
    ball = Object3D(parent = :world, fixedToParent = false, translation = (R + 0.5*v*lasts)*up, velocity = -v*up,
                    feature = steel(Sphere(diameter = 2*R), "Spring"))
    Impact = Model3D(world = still())
    for name in (first == :ball ? [:ball, :wall] : [:wall, :ball])
        Impact[name] = name == :ball ? ball : wall
    end
    Impact[:touch] = ContactResult(object1 = :ball, object2 = :wall)
    Impact[:apart] = DistanceResult(object1 = :wall, object2 = :ball)
    m = @instantiateModel(Impact, unitless = true)
    simulate!(m, stopTime = 2*lasts, tolerance = 1e-9, interval = lasts/100)
    t, p, f = getValues(m, "time"), getValues(m, "touch.penetration"), getValues(m, "touch.normalForce")
    inside = [i for i in 1:length(t) if p[i] > 0.0]
    i = argmax(p)
    @test abs(maximum(p)/depth - 1) < 1e-5
    @test abs((t[inside[end] + 1] - t[inside[1] - 1])/lasts - 1) < 1e-5
    @test abs(f[i]/(stiffness(R)*depth^1.5) - 1) < 1e-5
    @test abs((getLastValue(m, "ball.velocity")[axis]/v)^2 - 1) < 1e-6  # energy
    @test norm(getValues(m, "touch.forceVector")[i, :]/f[i] - up) < 1e-14  # on the ball, into it
    @test norm(getValues(m, "touch.normalVector")[i, :] - up) < 1e-14
    # The same numbers from the distance, which is there before and after, too; its normal points into the wall.
    @test abs(getValues(m, "apart.distance")[1]/(0.5*v*lasts) - 1) < 1e-9
    @test all(abs(p[j] + getValues(m, "apart.distance")[j]) < 2e-13 for j in inside)
    @test norm(getValues(m, "apart.normalVector")[1, :] + up) < 1e-14
    gap = getValues(m, "apart.positionVector2")[1, :] - getValues(m, "apart.positionVector1")[1, :]
    @test norm(gap - 0.5*v*lasts*up) < 1e-12*R
    return getValues(m, "ball.translation")[:, axis]
end

for R in [1e-5, 1e-3, 0.1, 10.0, 1000.0], v in [0.1, 1.0, 100.0]
    impact(R, v, 1, :wall)
end
# Neither the direction nor the order of the two bodies changes a bit.
@test all(impact(0.1, 1.0, axis, first) == impact(0.1, 1.0, 1, :wall) for axis in 1:3 for first in [:ball, :wall])

# ---- damping ---------------------------------------------------------------------------------------------------------

# The speed of leaving by bisection.
function leaving(d, v)
    low, high = 0.0, min(v, 1/d)
    for i in 1:200
        u = (low + high)/2
        if log((1 + d*v)/(1 - d*u)) < d*(v + u)
            low = u
        else
            high = u
        end
    end
    return (low + high)/2
end
regularized(v, small) = v >= small ? v : v^2/small*(1 - v/(3*small)) + small/3
function damping(cor, v, largest; small = 0.01)
    c = cor + (0.001 - cor)*exp(log(0.01)*v/small)
    return min(largest, 8*(1 - c)/(5*c*regularized(v, small)))
end

function bounce(touch, v; factor = 1.0, largest = 2000.0, shape = Sphere(diameter = 0.1))
    Bounce = Model3D(
        world = Object3D(feature = Scene(gravityField = NoGravityField(), elasticContactReductionFactor = factor, maximumContactDamping = largest)),
        wall = Object3D(parent = :world, translation = [-0.05, 0.0, 0.0], feature = steel(Box(lengthX = 0.1, lengthY = 1.0, lengthZ = 1.0), "Steel")),
        ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0501, 0.0, 0.0], velocity = [-v, 0.0, 0.0], feature = steel(shape, touch)),
        both = ContactResult(object1 = :ball, object2 = :wall))
    m = @instantiateModel(Bounce, unitless = true)
    simulate!(m, stopTime = 3e-4/v + 0.002/factor^0.4, tolerance = 1e-9, interval = 2e-6/factor^0.4)
    return (getLastValue(m, "ball.velocity")[1], maximum(getValues(m, "both.penetration")))
end

# From far below the threshold of 0.01 m/s, where cor falls to 0.001, to fast; pairs of the user's palette.
for (touch, cor) in [("Half", 0.5), ("Tenth", 0.1)], v in [0.002, 0.008, 0.012, 0.1, 1.0, 20.0]
    u, depth = bounce(touch, v)
    @test abs(u/leaving(damping(cor, v, 2000.0), v) - 1) < 1e-5
end
# A palette in the layout of the published program, with a threshold of its own.
Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_closed_forms.json", log = false)
for v in [0.05, 0.2, 2.0]
    u, depth = bounce("Cork", v)
    @test abs(u/leaving(damping(0.4, v, 2000.0, small = 0.1), v) - 1) < 1e-5
end
# maximumContactDamping is a bound of d: with cor = 0 it is what acts.
for largest in [0.5, 5.0, 500.0], v in [0.1, 2.0]
    u, depth = bounce("Dead", v, largest = largest)
    @test abs(u/leaving(largest, v) - 1) < 1e-5
end
# elasticContactReductionFactor makes contacts softer, and impacts without loss deeper by factor^-0.4. Damping stays.
u1, depth1 = bounce("Elastic", 1.0)
for factor in [1e-4, 1e-2, 0.5, 1.1]
    u, depth = bounce("Elastic", 1.0, factor = factor)
    @test abs(u - 1.0) < 1e-6
    @test abs(depth/depth1/factor^(-0.4) - 1) < 1e-3
    u, depth = bounce("Half", 1.0, factor = factor)
    @test abs(u/leaving(damping(0.5, 1.0, 2000.0), 1.0) - 1) < 1e-5
end
# A pair that is not listed has the mean of the two pairs with themselves: DryWood has 0.6, Steel 0.7.
u, depth = bounce("DryWood", 1.0)
@test abs(u/leaving(damping(0.65, 1.0, 2000.0), 1.0) - 1) < 1e-5

# ---- two free bodies -------------------------------------------------------------------------------------------------

# A small ball hits a large one, head-on and off its axis of motion. The relative motion is that of a point with the reduced
# mass in the plane, here integrated by a method of Runge and Kutta with steps of a thousandth of the contact.
function deflected(r, v, R, m, k, d)
    acceleration(r, v) = begin
        l = sqrt(r[1]^2 + r[2]^2)
        p = R - l
        n = r/l
        p > 0 ? n*max(0.0, k*p^1.5*(1 - d*(v[1]*n[1] + v[2]*n[2])))/m : [0.0, 0.0]
    end
    h = 2e-7
    for i in 1:5000
        a1 = acceleration(r, v)
        v2 = v + h/2*a1
        a2 = acceleration(r + h/2*v, v2)
        v3 = v + h/2*a2
        a3 = acceleration(r + h/2*v2, v3)
        v4 = v + h*a3
        a4 = acceleration(r + h*v3, v4)
        r, v = r + h/6*(v + 2*v2 + 2*v3 + v4), v + h/6*(a1 + 2*a2 + 2*a3 + a4)
        if r[1]^2 + r[2]^2 > R^2
            break
        end
    end
    return v
end
for height in [0.0, 0.03], swapped in [false, true]
    R, v = [0.02, 0.05], 3.0
    m = mass.(R)
    bodies = [Object3D(parent = :world, fixedToParent = false, translation = [-0.1, height, 0.0], velocity = [v, 0.0, 0.0], feature = steel(Sphere(diameter = 2*R[1]), "Smooth")),
              Object3D(parent = :world, fixedToParent = false, feature = steel(Sphere(diameter = 2*R[2]), "Smooth"))]
    Two = Model3D(world = still())
    for i in (swapped ? [2, 1] : [1, 2])
        Two[Symbol("body$i")] = bodies[i]
    end
    two = @instantiateModel(Two, unitless = true)
    simulate!(two, stopTime = 0.1, tolerance = 1e-9)
    start = [-sqrt(sum(R)^2 - height^2), height]
    d = damping(0.8, -v*start[1]/sum(R), 2000.0)
    after = deflected(start, [v, 0.0], sum(R), m[1]*m[2]/sum(m), stiffness(R[1]*R[2]/sum(R)), d)
    center = m[1]*v/sum(m)*[1.0, 0.0]
    @test norm(getLastValue(two, "body1.velocity")[1:2] - (center + m[2]/sum(m)*after)) < 1e-5*v
    @test norm(getLastValue(two, "body2.velocity")[1:2] - (center - m[1]/sum(m)*after)) < 1e-5*v
    @test norm(getLastValue(two, "body1.angularVelocity")) < 1e-12
end

# ---- friction --------------------------------------------------------------------------------------------------------

# A ball hits a wall at an angle and slides all through: the impulse of friction is mu times that of the pressure.
Oblique = Model3D(world = still(),
                  wall = Object3D(parent = :world, translation = [-0.05, 0.0, 0.0], feature = steel(Box(lengthX = 0.1, lengthY = 1.0, lengthZ = 1.0), "Rough")),
                  ball = Object3D(parent = :world, fixedToParent = false, translation = [0.06, 0.0, 0.0], velocity = [-1.0, 3.0, -4.0], feature = steel(Sphere(diameter = 0.1), "Rough")))
oblique = @instantiateModel(Oblique, unitless = true)
simulate!(oblique, stopTime = 0.05, tolerance = 1e-9)
u = leaving(damping(0.5, 1.0, 2000.0), 1.0)
across = 0.2*(1 + u)  # change of the speed of sliding, 5 m/s
@test norm(getLastValue(oblique, "ball.velocity") - [u, 3.0*(1 - across/5), -4.0*(1 - across/5)]) < 2e-5
# Friction acts in the middle of the dent, 0.05 m from the center but for half a tenth of a millimeter.
turns = across*0.05/(0.4*0.05^2)
@test norm(getLastValue(oblique, "ball.angularVelocity")/turns - [0.0, 0.8, 0.6]) < 1e-3

# A ball that slides on a plate rolls after 2 v/(7 mu g) with 5/7 of its speed; from then on it is slowed down by 5/7 mu_r g.
# One that spins on the spot is slowed down by mu_r R m g/(2/5 m R^2). In all directions of gravity, in millimeters and in
# hundreds of meters (with speeds that make the times the same numbers).
for (size, axis) in [(0.001, 1), (0.05, 2), (0.05, 3), (100.0, 2)]
    g, mu, resistance = 9.81, 0.5, 0.01
    v0 = 2.0
    down, along, lengths = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]*(10.0 + 20*size)
    down[axis], along[mod(axis, 3) + 1], lengths[axis] = -1.0, 1.0, size
    sunk = (mass(size)*g/stiffness(size))^(2/3)
    lying(sideways, v, spin) = Object3D(parent = :world, fixedToParent = false, translation = -(size - sunk)*down + sideways*cross(down, along),
                                        velocity = v*along, angularVelocity = spin*down, feature = steel(Sphere(diameter = 2*size), "Rolls"))
    Roll = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = down))),
                   plate = Object3D(parent = :world, translation = 0.5*size*down,
                                    feature = steel(Box(lengthX = lengths[1], lengthY = lengths[2], lengthZ = lengths[3]), "Rolls")),
                   ball = lying(0.0, v0, 0.0), top = lying(4*size, 0.0, 5/size))
    roll = @instantiateModel(Roll, unitless = true)
    simulate!(roll, stopTime = 0.3, tolerance = 1e-9, interval = 0.001)
    t, v = getValues(roll, "time"), getValues(roll, "ball.velocity")*along
    w = getValues(roll, "ball.angularVelocity")*cross(down, along)
    rolls = 2*v0/(7*mu*g)
    i, j = argmin(abs.(t .- 0.5*rolls)), argmin(abs.(t .- rolls .- 0.01))
    @test abs(v[i] - (v0 - mu*g*t[i])) < 1e-5*v0
    @test abs(v[j] - 5/7*v0) < 0.01*v0
    arm = size - 0.5*sunk # forces act in the middle of the dent
    @test abs(v[end] + w[end]*arm) < 2e-4*v0 # no slip but what friction needs
    slows = resistance*g*size/arm/(1 + 0.4*(size/arm)^2) # 5/7 of it for a hard ball
    @test abs((v[end] - v[j])/(t[end] - t[j]) + slows) < 1e-4*slows
    spin = getValues(roll, "top.angularVelocity")*down
    @test abs((spin[end] - spin[1])/t[end] + resistance*size*g/(0.4*size^2)) < 1e-4*resistance*g/size
end

# On a slope that friction would hold a crate on four feet creeps with the speed v at which mu v/reg(v) is the slope's tangent.
slope, mu = 0.1, 0.3
foot(x, z) = Object3D(parent = :crate, translation = [x, -0.09, z],
                      feature = Solid(shape = Sphere(diameter = 0.02), solidMaterial = "DryWood", collision = true, massProperties = MassProperties(mass = 0.0)))
Creep = Model3D(world = Object3D(feature = Scene()),
                incline = Object3D(parent = :world, rotation = [0.0, 0.0, -slope]),
                plate = Object3D(parent = :incline, translation = [0.0, -0.05, 0.0],
                                 feature = Solid(shape = Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "DryWood", collision = true)),
                crate = Object3D(parent = :incline, fixedToParent = false, translation = [0.0, 0.1, 0.0],
                                 feature = Solid(shape = Box(lengthX = 0.4, lengthY = 0.2, lengthZ = 0.3), solidMaterial = "DryWood")),
                foot1 = foot(-0.19, -0.14), foot2 = foot(-0.19, 0.14), foot3 = foot(0.19, -0.14), foot4 = foot(0.19, 0.14))
creep = @instantiateModel(Creep, unitless = true)
simulate!(creep, stopTime = 10.0, tolerance = 1e-7)
v = getLastValue(creep, "crate.velocity")[1]
@test abs(v - 0.0011579) < 1e-6
@test abs(mu*v/regularized(v, 0.01)/tan(slope) - 1) < 1e-6
@test getLastValue(creep, "contacts.number") == 4 && getLastValue(creep, "contacts.begun") == 4
