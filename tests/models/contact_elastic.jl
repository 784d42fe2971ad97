# Restitution 1 at the default tolerance of 1e-6: an impact keeps the energy to 1e-6, whatever the size, the material, the scene and
# the method (theory/contact.md, "Impacts that keep their energy").
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_elastic.txt")
solid(shape, material, touch) = Solid(shape = shape, solidMaterial = material, contactMaterial = touch, collision = true)
free(from, velocity, spin, feature) = Object3D(parent = :world, fixedToParent = false, translation = from, velocity = velocity,
                                               angularVelocity = spin, feature = feature)
space() = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true))
# The upper face goes through the origin and is turned about z.
plate(D, angle, material, touch) = Object3D(parent = :world, translation = [D*sin(angle), -D*cos(angle), 0.0], rotation = [0.0, 0.0, angle],
                                            feature = solid(Box(lengthX = 40*D, lengthY = 2*D, lengthZ = 40*D), material, touch))
none = [0.0, 0.0, 0.0]

# The largest change of energy from where a contact begins to where it ends, as a part of the energy; flights have errors of their own.
function change(m)
    E, begun, ended = getValues(m, "balance.totalEnergy"), getValues(m, "contacts.begun"), getValues(m, "contacts.ended")
    @test begun[end] == ended[end]
    return maximum(abs(E[findfirst(ended .== k)] - E[findfirst(begun .== k)]) for k in 1:Int(ended[end]))/E[1]
end

function headon(D, v, material)
    return Model3D(world = space(), plate = plate(D, 0.0, material, "Spring"),
                   ball = free([0.0, 0.7*D, 0.0], [0.0, -v, 0.0], none, solid(Sphere(diameter = D), material, "Spring")))
end
function askew(D, v, material)
    return Model3D(world = space(), plate = plate(D, -0.5, material, "Spring"),
                   ball = free([0.0, 0.9*D, 0.0], [0.0, -v, 0.0], [0.0, 0.0, 3*v/D], solid(Sphere(diameter = D), material, "Spring")))
end
function two(D, v, material)
    return Model3D(world = space(), a = free([-D, 0.0, 0.0], [v, 0.0, 0.1*v], [0.0, 0.0, 2*v/D], solid(Sphere(diameter = D), material, "Spring")),
                   b = free([0.9*D, 0.3*D, 0.0], [-v, 0.0, 0.0], [0.0, v/D, 0.0], solid(Sphere(diameter = 2*D), material, "Spring")))
end
# A box turns and strikes with a sphere at one of its corners.
function corner(D, v, material)
    foot = Solid(shape = Sphere(diameter = 0.1*D), solidMaterial = material, massProperties = MassProperties(mass = 0.0), contactMaterial = "Spring", collision = true)
    return Model3D(world = space(), plate = plate(D, 0.0, material, "Spring"),
                   box = free([0.0, 1.2*D, 0.0], [0.2*v, -v, 0.0], [v/D, 0.5*v/D, 2*v/D],
                              Solid(shape = Box(lengthX = D, lengthY = 0.7*D, lengthZ = 0.8*D), solidMaterial = material)),
                   foot = Object3D(parent = :box, translation = [0.5*D, -0.35*D, 0.4*D], feature = foot))
end

methods = [CVODE_BDF(), IDA(), CVODE_Adams(), Tsit5(), DP8(), Vern7(), Rodas5()]
for scene in [headon, askew, two, corner], (D, v, material) in [(0.003, 1.0, "Steel"), (0.1, 0.2, "DryWood"), (2.0, 7.0, "Steel")]
    m = @instantiateModel(scene(D, v, material), unitless = true)
    for method in methods
        simulate!(m, method, stopTime = 4*D/v)
        @test getLastValue(m, "contacts.ended") >= 1
        @test change(m) < 1e-6
    end
end

# Shapes whose point of contact moves while they are pressed, faces, and what hangs on a joint.
function turned(D, v, material, shape)
    return Model3D(world = space(), plate = plate(D, 0.0, material, "Spring"),
                   body = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1.2*D, 0.0], rotation = [0.3, 0.4, 0.5],
                                   velocity = [0.2*v, -v, 0.0], angularVelocity = [0.0, 0.0, 0.5*v/D], feature = solid(shape, material, "Spring")))
end
egg(D, v, material) = turned(D, v, material, Ellipsoid(lengthX = D, lengthY = 0.7*D, lengthZ = 0.5*D))
brick(D, v, material) = turned(D, v, material, Box(lengthX = D, lengthY = 0.7*D, lengthZ = 0.5*D))
flat(D, v, material) = Model3D(world = space(), plate = plate(D, 0.0, material, "Spring"),
    box = free([0.0, 0.6*D, 0.0], [0.0, -v, 0.0], none, solid(Box(lengthX = D, lengthY = 0.7*D, lengthZ = 0.5*D), material, "Spring")))
function pendulum(D, v, material)
    return Model3D(world = space(), arm = Object3D(),
                   wall = Object3D(parent = :world, translation = [-D, -2*D, 0.0],
                                   feature = solid(Box(lengthX = D, lengthY = 1.5*D, lengthZ = 2*D), material, "Spring")),
                   bob = Object3D(parent = :arm, translation = [0.0, -2*D, 0.0], feature = solid(Sphere(diameter = D), material, "Spring")),
                   rev = Revolute(axis = 3, obj1 = :world, obj2 = :arm, phi = Var(init = 0.4), w = Var(init = -0.5*v/D)))
end
for scene in [egg, brick, flat, pendulum], (D, v, material) in [(0.003, 1.0, "Steel"), (0.1, 0.2, "DryWood"), (2.0, 7.0, "Steel")]
    m = @instantiateModel(scene(D, v, material), unitless = true)
    for method in [CVODE_BDF(), IDA(), Tsit5()]
        simulate!(m, method, stopTime = 4*D/v)
        @test getLastValue(m, "contacts.ended") >= 1
        @test change(m) < 1e-6
    end
end

# A ball that falls again and again, straight down on what has friction, too. Beside it another one lies on the ground, with losses.
Bounce = Model3D(world = Object3D(feature = Scene(balance = true)), plate = plate(0.2, 0.0, "Steel", "Grip"),
                 rests = free([1.0, 0.05, 0.0], none, none, solid(Sphere(diameter = 0.1), "Steel", "Dull")),
                 ball = free([0.0, 0.3, 0.0], none, none, solid(Sphere(diameter = 0.1), "Steel", "Grip")))
m = @instantiateModel(Bounce, unitless = true)
for method in [CVODE_BDF(), IDA(), Tsit5()]
    simulate!(m, method, stopTime = 4.0)
    speed, number = getValues(m, "ball.velocity")[:, 2], getValues(m, "contacts.number")
    hits = [i for i in 2:length(number) if number[i] == 2 && number[i-1] == 1]
    @test length(hits) >= 8
    for i in hits
        after = i + findfirst(number[i:end] .== 1) - 1
        @test abs((speed[after]/speed[i])^2 - 1) < 1e-6
    end
    # With the flights between them.
    @test all(abs((speed[hits[k]]/speed[hits[k-1]])^2 - 1) < 1e-6 for k in 2:length(hits))
end

# Other methods than the default ones choose their step anew where a contact begins. With the long one of the flight, stages of high
# order were thrown out of the contact, felt nothing, and the ball went on as if there were no plate.
for (touch, left) in [("Spring", 1.0), ("Dull", 0.6831842)], D in [0.001, 0.02, 0.5], v in [0.5, 1.0, 20.0], method in [Tsit5(), DP8(), Vern6(), Vern7(), Vern8(), Vern9()]
    Strike = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())), plate = plate(D, 0.0, "Steel", touch),
                     ball = free([0.0, 0.7*D, 0.0], [0.0, -v, 0.0], none, solid(Sphere(diameter = D), "Steel", touch)))
    m = @instantiateModel(Strike, unitless = true)
    simulate!(m, method, stopTime = 2*D/v, tolerance = 1e-9)
    @test getLastValue(m, "contacts.begun") == 1
    @test abs(getLastValue(m, "ball.velocity")[2]/v - left) < 1e-6
end
