# Arrays of objects, joints, sensors and whole 3D parts; elements are named by index or by number.
using Modia3D
using Test

Ball = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))
Balls = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    balls = [Object3D(parent = :world, fixedToParent = false, translation = [i, 0, 0], velocity = [0.0, i, 0.0], feature = Ball) for i in 1:3],
    onSecond = Object3D(parent = :(balls[2]), translation = [0, 0, 1]),
    onThird = Object3D(parent = :balls_3, translation = [0, 0, 1]),
    group = Model(frames = [Object3D(parent = :(balls[1]), translation = [1, 0, 0]), Object3D(parent = :balls_1)]),
    onFrame = Object3D(parent = :(group.frames[1]), translation = [1, 0, 0]),
    sensors = [SensorResult(object = :(balls[1])), SensorResult(object = :onFrame)]
)
balls = @instantiateModel(Balls, unitless = true)
place(model, name) = getValues(model, name)[end, :]
near(a, b) = maximum(abs.(a - b)) < 1e-12
simulate!(balls, stopTime = 1.0)
@test length(get_xNames(balls)) == 36 && get_xNames(balls)[13] == "balls_2.translation[1]"
@test near(place(balls, "onSecond.r_abs"), [2.0, 2.0, 1.0]) && near(place(balls, "onThird.r_abs"), [3.0, 3.0, 1.0])
@test near(place(balls, "onFrame.r_abs"), [3.0, 1.0, 0.0]) && near(place(balls, "sensors_2.translation"), [3.0, 1.0, 0.0])
simulate!(balls, stopTime = 1.0, merge = Map(balls_2 = Map(velocity = [0.0, 0.0, 0.0])))
@test near(place(balls, "onSecond.r_abs"), [2.0, 0.0, 1.0])

# A chain: the same as written out.
Bar = Solid(shape = Beam(axis = 1), solidMaterial = "Steel")
Chain = Model3D(
    world = Object3D(feature = Scene()),
    bars = [Object3D(feature = Bar) for i in 1:2],
    heads = [Object3D(parent = Symbol("bars_$i"), translation = [-0.5, 0, 0]) for i in 1:2],
    tails = [Object3D(parent = Symbol("bars_$i"), translation = [0.5, 0, 0]) for i in 1:2],
    joints = [Revolute(obj1 = :world, obj2 = :(heads[1]), phi = Var(init = 1.0)), Revolute(obj1 = :(tails[1]), obj2 = :(heads[2]))]
)
Written = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(feature = Bar), b = Object3D(feature = Bar),
    a1 = Object3D(parent = :a, translation = [-0.5, 0, 0]), b1 = Object3D(parent = :b, translation = [-0.5, 0, 0]),
    a2 = Object3D(parent = :a, translation = [0.5, 0, 0]),
    j1 = Revolute(obj1 = :world, obj2 = :a1, phi = Var(init = 1.0)), j2 = Revolute(obj1 = :a2, obj2 = :b1)
)
chain = @instantiateModel(Chain, unitless = true)
written = @instantiateModel(Written, unitless = true)
simulate!(chain, stopTime = 1.0)
simulate!(written, stopTime = 1.0)
@test get_xNames(chain) == ["joints_1.w", "joints_1.phi", "joints_2.w", "joints_2.phi"]
@test getLastValue(chain, "joints_2.phi") == getLastValue(written, "j2.phi")

# Parts, each with its own world; instantiated twice, as the first time must leave the model as it is.
Swing = Model3D(
    world = Object3D(feature = Scene()),
    bob = Object3D(feature = Ball),
    hinge = Object3D(parent = :bob, translation = [0, 1, 0]),
    rev = Revolute(obj1 = :world, obj2 = :hinge, phi = Var(init = 1.0))
)
Pair = Model(swings = [Swing, Swing | Map(rev = Map(phi = Var(init = 0.5)))], sum = Var(),
             equations = :[sum = swings[1].rev.phi + swings_2.rev.phi])
single = @instantiateModel(Swing | Map(rev = Map(phi = Var(init = 0.5))), unitless = true)
simulate!(single, stopTime = 1.0, tolerance = 1e-9)
for i in 1:2
    pair = @instantiateModel(Pair, unitless = true)
    simulate!(pair, stopTime = 1.0, tolerance = 1e-9)
    @test get_xNames(pair) == ["swings_1.rev.w", "swings_1.rev.phi", "swings_2.rev.w", "swings_2.rev.phi"]
    @test abs(getLastValue(pair, "swings_2.rev.phi") - getLastValue(single, "rev.phi")) < 1e-7
    @test abs(getLastValue(pair, "sum") - getLastValue(pair, "swings_1.rev.phi") - getLastValue(pair, "swings_2.rev.phi")) < 1e-12
end

# A component that holds a part may stand in several places, and be instantiated again: the script's stays as it is.
Holder = Model(part = Swing)
Many = Model(one = Holder, two = Holder, more = [Holder, Holder], deep = Model(er = Model(still = Holder)))
for i in 1:2
    many = @instantiateModel(Many, unitless = true)
    simulate!(many, stopTime = 0.2)
    @test length(get_xNames(many)) == 10
    for path in ["two", "more_2", "deep.er.still"]
        @test getLastValue(many, "$path.part.rev.phi") == getLastValue(many, "one.part.rev.phi")
    end
end
@test haskey(Holder[:part], :_buildFunction)
