# A rocket of two stages (thesis section 12.1). The stages stand on each other, are locked at the start, fly as
# one body for five seconds, part, and five seconds later the first stage is given up. Each of these is a
# structural change: states appear and disappear, and the model is translated once.
#
# Expect four segments with 24, 12, 24 and 12 states, and the closed form of the flight: 77.85 m/s at
# 1232.21 m when the second stage has burnt out.
using Modia3D
using Test

function rocketProgram(actions)
    ActionAttach(actions, "stage1.top", "stage2.bottom")  # at initialization
    EventAfterPeriod(actions, 5)
    ActionRelease(actions, "stage1.top")
    EventAfterPeriod(actions, 5)
    ActionDelete(actions, "stage1.top")
end

thrust1(; time, objectApply, objectCoord) = [0.0, time < 5.0 ? 1e4*(1.0 - time/5.0) : 0.0, 0.0]
thrust2(; time, objectApply, objectCoord) =
    [0.0, time >= 5.0 && time < 15.0 ? 2000.0*(1.0 - (time - 5.0)/10.0) : 0.0, 0.0]

Stage(; length = 1.0, diameter = 0.2, start = [0.0, 0.0, 0.0], thrust) = Model(
    body = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = start,
                    feature = Solid(shape = Cylinder(axis = 2, diameter = diameter, length = length),
                                    massProperties = MassProperties(mass = 100.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    bottom = Object3D(parent = :body, lockable = true, translation = [0.0, -length/2, 0.0]),
    top = Object3D(parent = :body, lockable = true, translation = [0.0, length/2, 0.0]),
    thrust = WorldForce(objectApply = :bottom, forceFunction = thrust)
)

TwoStageRocket = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]))),
    stage1 = Stage(length = 2.0, start = [0.0, 1.0, 0.0], thrust = thrust1),
    stage2 = Stage(length = 1.0, diameter = 0.15, start = [0.0, 2.5, 0.0], thrust = thrust2),
    modelActions = ModelActions(world = :world, actions = rocketProgram),
    currentAction = Var(hideResult = true),
    equations = :[currentAction = executeActions(modelActions)]
)

rocket = @instantiateModel(TwoStageRocket, unitless = true)
simulate!(rocket, stopTime = 15.0, log = true,
          requiredFinalStates = [0.0, 1232.2083333, 0.0, 0.0, 77.85, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

# Where the first stage is not, it has no values.
height = getValues(rocket, "stage1.body.translation")
@test ismissing(height[end, 2])
plot(rocket, [("stage1.body.r_abs[2]", "stage2.body.r_abs[2]"), ("stage1.body.velocity[2]", "stage2.body.velocity[2]")])
