# What the code of a component may use beside states: aliases of results, also negated, and crossing
# functions of its own. A ball that lives in a component bounces; every bounce is located.
using Modia

mutable struct BallMemory
    h
    v
    index_h
    index_v
    z
    falling
    n
    BallMemory() = new(0.0, 0.0, 0, 0, 0, true, 0)
end

function buildBall!(model, modelModule, FloatType, TimeType, options, ID, path)
    model = model | Model(
        ball = Var(hideResult = true), success = Var(hideResult = true),
        equations = :[
            ball = openBall!(instantiatedModel, $ID)
            success = moveBall!(instantiatedModel, ball)
        ])
    return (model, BallMemory())
end

function initBall!(instantiatedModel, path, ID, parameters; log = false)
    b = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    b.falling = true
    b.index_h = Modia.new_x_segmented_variable!(instantiatedModel, path * ".h", path * ".der(h)", parameters[:h0], "m")
    b.index_v = Modia.new_x_segmented_variable!(instantiatedModel, path * ".v", path * ".der(v)", 0.0, "m/s")
    b.z = Modia.new_z_segmented_variable!(instantiatedModel, 1)
    Modia.new_alias_segmented_variable!(instantiatedModel, path * ".height", path * ".h")
    Modia.new_alias_segmented_variable!(instantiatedModel, path * ".depth", path * ".h", true)
    return nothing
end

function openBall!(instantiatedModel, ID)
    b = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    b.h = Modia.copy_scalar_x_segmented_value_from_state(instantiatedModel, b.index_h)
    b.v = Modia.copy_scalar_x_segmented_value_from_state(instantiatedModel, b.index_v)
    return b
end

# Below the ground a stiff spring acts; where it begins and ends to act is an event.
function moveBall!(instantiatedModel, b)
    if Modia.isEvent(instantiatedModel)
        touching = b.h < 0.0
        if touching && b.falling && !Modia.isInitial(instantiatedModel)
            b.n = b.n + 1
        end
        b.falling = !touching
    end
    hysteresis = b.falling ? 1e-12 : -1e-12
    Modia.copy_z_segmented_value_to_crossing(instantiatedModel, b.z, b.h + hysteresis)
    Modia.copy_der_x_segmented_value_to_state(instantiatedModel, b.index_h, b.v)
    Modia.copy_der_x_segmented_value_to_state(instantiatedModel, b.index_v, b.falling ? -9.81 : -9.81 - 1e4*b.h)
    return true
end

Ball = Model(_buildFunction = Par(functionName = :(buildBall!)), _initSegmentFunction = Par(functionName = :(initBall!)),
             h0 = 1.0)
Scene = Model(ball = Ball)
scene = @instantiateModel(Scene, unitless = true)
simulate!(scene, stopTime = 3.0, tolerance = 1e-9)
# The spring is elastic: energy is conserved to the tolerance, at every point in the air.
h = getValues(scene, "ball.h"); v = getValues(scene, "ball.v")
energy = [9.81*h[i] + 0.5*v[i]^2 + (h[i] < 0 ? 0.5e4*h[i]^2 : 0.0) for i in 1:length(h)]
@test maximum(abs.(energy .- 9.81)) < 1e-4
# Each contact is two events: 0.4515 s down, then 0.931 s for each flight and its contact.
t = getValues(scene, "time")
events = [t[i] for i in 2:length(t) if t[i] == t[i-1]]
@test length(events) == 6
@test abs(events[1] - sqrt(2/9.81)) < 1e-7
@test getValues(scene, "ball.height") == h && getValues(scene, "ball.depth") == -h
@test getSignalInfo(scene, "ball.height")[:alias] == "ball.h"
