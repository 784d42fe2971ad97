# Twelve free bodies in a row with bushings and springs between them, and one on its own: each depends on its
# neighbors only, which the Jacobian of an implicit solver makes use of. It ends where an explicit one does.
using Modia3D
using Test

Lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.25))
stiffen(x) = 300.0*x + 1000.0*x^3
Row = Model3D(world = Object3D(feature = Scene()))
for i in 1:12
    body = Symbol("body", i)
    before = i == 1 ? :world : Symbol("body", i - 1)
    global Row = Row | Model(; (
        body => Object3D(parent = :world, fixedToParent = false, translation = [1.0*i, 0.0, 0.0],
                         angularVelocity = [0.0, 0.1*i, 0.3], feature = Lump),
        Symbol("mount", i) => Bushing(obj1 = before, obj2 = body, springForceLaw = [800.0, stiffen, 800.0],
                                      damperForceLaw = [5.0, 5.0, 5.0], rotSpringForceLaw = [20.0, 20.0, 20.0],
                                      rotDamperForceLaw = [1.0, 1.0, 1.0], largeAngles = true))...)
end
Row = Row | Model(
    single = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 3.0, 0.0],
                      angularVelocity = [0.01, 5.0, 0.02], feature = Lump),
    far = SpringDamperPtP(obj1 = :body2, obj2 = :body9, nominalLength = 7.0, springForceLaw = 50.0, damperForceLaw = 1.0)
)
row = @instantiateModel(Row, unitless = true)
simulate!(row, Tsit5(), stopTime = 0.3, tolerance = 1e-9)
@test length(get_xNames(row)) == 13*12
bodies = vcat(["body$i" for i in 1:12], "single")
final() = vcat([getLastValue(row, "$body.$name") for body in bodies for name in ["translation", "velocity", "rotation", "angularVelocity"]]...)
expected = final()
for solver in [CVODE_BDF(), IDA()]
    simulate!(row, solver, stopTime = 0.3, tolerance = 1e-8)
    @test maximum(abs.(final() - expected)) < 1e-5
end
