# A free body that carries a joint, beside springs on others: the pattern of the Jacobian has no place for such a joint
# in its groups, and the run must not depend on it.
using Modia3D
using Test
lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m))
Beside = Model3D(
    world = Object3D(feature = Scene()),
    wheel = Object3D(feature = lump(2.0)),
    rim = Object3D(parent = :wheel, translation = [0.3, 0.0, 0.0]),
    axle = Revolute(obj1 = :world, obj2 = :wheel, w = Var(init = 1.0)),
    tied = Object3D(parent = :world, fixedToParent = false, translation = [0.5, 0.2, 0.0], feature = lump(1.0)),
    spring = SpringDamperPtP(obj1 = :rim, obj2 = :tied, nominalLength = 0.1, springForceLaw = 50.0, damperForceLaw = 1.0),
    hub = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1.0, 0.0], angularVelocity = [0.5, 0.2, 1.0], feature = lump(1.5)),
    vane = Object3D(feature = lump(0.5)),
    pin = Revolute(obj1 = :hub, obj2 = :vane, axis = 1, w = Var(init = -2.0))
)
beside = @instantiateModel(Beside, unitless = true)
names = ["axle.phi", "pin.phi", "pin.w", "tied.translation", "hub.translation", "hub.angularVelocity"]
values(solver) = (simulate!(beside, solver, stopTime = 2.0, tolerance = 1e-9); [getLastValue(beside, name, unit = false) for name in names])
(x, y) = values(CVODE_BDF()), values(Tsit5())
for i in 1:length(names)
    @test isapprox(x[i], y[i], atol = 1e-6)
end
