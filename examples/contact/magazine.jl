# A trolley drops ball after ball from its magazine; those that wait are parked.
#
# Shows: ActionPark and ActionWake. A parked ball has no states and touches nothing, but its mass rides along: the trolley
# becomes faster with every ball that it leaves behind, as a constant force drives it. A ball wakes with the velocity that the
# trolley has just then, falls on a plate, and some time later is parked there, wherever it rolls: on the world.
# Expect: one free ball at a time, so 12 states and those of the trolley instead of 74; speeds of the trolley by closed form.
using Modia3D
using Test
@usingModiaPlot

(n, diameter, mass, trolleyMass, force, first, pause) = (6, 0.1, 2.0, 10.0, 8.0, 0.3, 0.6)
Ball(k) = Object3D(parent = :trolley, assemblyRoot = true, translation = [0.0, 0.15*(k - 1), 0.0],
                   feature = Solid(shape = Sphere(diameter = diameter), massProperties = MassPropertiesFromShapeAndMass(mass = mass),
                                   solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = "Dark Orange")))
Lock(k) = Object3D(parent = Symbol("ball$k"), lockable = true)

function program(actions)
    for k in 1:n
        ActionPark(actions, "lock$k")
    end
    ActionWait(actions, first)
    for k in 1:n
        ActionWake(actions, "lock$k")
        ActionWaitUntil(actions, "ball$k", "plate"; contact = true)
        ActionWait(actions, pause)
        ActionPark(actions, "lock$k")
    end
end

Trolley = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), animationFile = "magazine.json", nominalLength = 1.0)),
    plate = Object3D(parent = :world, translation = [5.0, 0.4, -0.05],
                     feature = Solid(shape = Box(lengthX = 14.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
    rail = Object3D(parent = :world, translation = [0.0, 0.0, 0.3]),
    trolley = Object3D(feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.1),
                                       massProperties = MassPropertiesFromShapeAndMass(mass = trolleyMass))),
    slide = Prismatic(obj1 = :rail, obj2 = :trolley, axis = 1),
    pull = WorldForce(objectApply = :trolley, forceFunction = (; args...) -> [force, 0.0, 0.0]),
    ball1 = Ball(1), ball2 = Ball(2), ball3 = Ball(3), ball4 = Ball(4), ball5 = Ball(5), ball6 = Ball(6),
    lock1 = Lock(1), lock2 = Lock(2), lock3 = Lock(3), lock4 = Lock(4), lock5 = Lock(5), lock6 = Lock(6),
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)]
)
trolley = @instantiateModel(Trolley, unitless = true)
simulate!(trolley, stopTime = 6.0, tolerance = 1e-7)

values(name) = getValues(trolley, name, unit = false)
time = values("time")
awake(k) = findall(x -> !ismissing(x), values("ball$k.translation")[:, 1])
# Each ball leaves with the speed of the trolley, which has grown with the force over the mass that was left.
speed, before = 0.0, 0.0
for k in 1:n
    i = awake(k)[1]
    global speed += force/(trolleyMass + mass*(n - k + 1))*(time[i] - before)
    global before = time[i]
    println("ball $k leaves at ", round(time[i], digits = 3), " s with ", round(values("ball$k.velocity")[i, 1], digits = 4), " m/s")
    @test isapprox(values("ball$k.velocity")[i, :], [speed, 0.0, 0.0], rtol = 1e-5, atol = 1e-6)
    @test isapprox(values("slide.v")[i], speed, rtol = 1e-5)
end
# It falls half a diameter less than the height of the rail, and is never below the plate by more than its dent.
i = awake(1)
fall = time[i[findfirst(values("ball1.velocity")[i, 3] .> 0.0)]] - first
@test abs(fall - sqrt(2.0*(0.3 - diameter/2)/9.81)) < 0.02
@test minimum(values("ball1.r_abs")[:, 3]) > diameter/2 - 1e-3
# Once parked again a ball stays where it is, to the last digit.
@test values("ball1.r_abs")[i[end] + 2, :] == getLastValue(trolley, "ball1.r_abs", unit = false)
# Never more than one ball moves freely.
@test all(sum(!ismissing(values("ball$k.translation")[j, 1]) for k in 1:n) <= 1 for j in 1:length(time))
plot(trolley, [("slide.v", "ball1.velocity[1]", "ball3.velocity[1]", "ball5.velocity[1]"),
               ("ball1.r_abs[3]", "ball3.r_abs[3]", "ball5.r_abs[3]")], heading = "Balls wake one after the other")
