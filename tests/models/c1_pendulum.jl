# Scenario C1: a point mass on a revolute joint; with the default axis the same motion. Its period is
# that of the closed form, and the energy stays.
using Modia3D
using Test

Pendulum = Model3D(
    world = Object3D(feature = Scene()),
    body = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0))),
    hinge = Object3D(parent = :body, translation = [-0.5, 0.0, 0.0]),
    rev = Revolute(obj1 = :world, obj2 = :hinge, axis = [0, 0, 1], phi = Var(init = 0.0), w = Var(init = 0.0))
)
pendulum = @instantiateModel(Pendulum, unitless = true)
simulate!(pendulum, stopTime = 3.0, requiredFinalStates = [5.970529829666215, -1.1395482781332746])
@test get_xNames(pendulum) == ["rev.w", "rev.phi"]
@test unit(getValuesWithUnit(pendulum, "body.r_abs")[1]) == u"m"

# The body is where the angle says, and turned by it.
phi = getValues(pendulum, "rev.phi")
r = getValues(pendulum, "body.r_abs")
rot = getValues(pendulum, "body.rot123_abs")
@test maximum(abs.(r[:, 1] - 0.5*cos.(phi))) < 1e-12
@test maximum(abs.(r[:, 2] - 0.5*sin.(phi))) < 1e-12
@test maximum(abs.(sin.(rot[:, 3]) - sin.(phi))) < 1e-12
@test maximum(abs.(getValues(pendulum, "world.r_abs"))) == 0.0

# As files of older versions have it.
old = @instantiateModel(buildModia3D(Pendulum), unitless = true)
simulate!(old, stopTime = 3.0, requiredFinalStates = [5.970529829666215, -1.1395482781332746])

# With the default axis and the other direction of the joint.
Reversed = Pendulum | Map(rev = redeclare | Revolute(obj1 = :hinge, obj2 = :world))
reversed = @instantiateModel(Reversed, unitless = true)
simulate!(reversed, stopTime = 3.0, requiredFinalStates = [-5.970529829666215, 1.1395482781332746])

# Energy at a small tolerance, with three solvers.
for solver in [CVODE_BDF(), Tsit5(), IDA()]
    simulate!(pendulum, solver, stopTime = 3.0, tolerance = 1e-10)
    w = getValues(pendulum, "rev.w")
    phi = getValues(pendulum, "rev.phi")
    energy = 0.5*0.25*w.^2 + 9.81*0.5*sin.(phi)
    @test maximum(abs.(energy)) < 1e-7
end

# Small swings about the lowest point: after one period of the closed form it is back.
period = 2*pi*sqrt(0.5/9.81)
simulate!(pendulum, stopTime = period, tolerance = 1e-10, merge = Map(rev = Map(phi = -pi/2 + 0.001)))
@test abs(getLastValue(pendulum, "rev.phi") - (-pi/2 + 0.001)) < 1e-9
