# Scenario C7: a free shaft whose x-y-z angles pass their singularity; the sequence changes at events.
using Modia3D
using Test

rotation0 = [30, 90, 10]*pi/180
spin0 = Modia3D.resolve1(rotation0, [-2.0, 0.0, 0.0])
Shaft = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 0.3, n = [0, 0, -1]))),
    shaft = Object3D(parent = :world, fixedToParent = false, rotation = :rotation0, velocity = [0, 0.1, 0],
                     angularVelocity = :spin0,
                     feature = Solid(shape = Cylinder(axis = 3, diameter = 0.2, length = 1.0),
                                     massProperties = MassPropertiesFromShapeAndMass(mass = 84.7154)))
)
final = [0.0, 0.7, -7.350074420637136, 0.0, 0.1, -2.1,
         0.6981317007977381, 1.4336293856408397, 1.5707963267949017, 0.0, -1.2855752193730614, 1.5320888862379711]
shaft = @instantiateModel(Shaft, unitless = true)
simulate!(shaft, stopTime = 7.0, dtmax = 0.1, requiredFinalStates = final)
@test get_xNames(shaft)[1:3] == ["shaft.translation[1]", "shaft.translation[2]", "shaft.translation[3]"]
@test get_xNames(shaft)[12] == "shaft.angularVelocity[3]"
@test getLastValue(shaft, "shaft.rotationXYZ") == false
simulate!(shaft, stopTime = 7.0, dtmax = 0.1, requiredFinalStates = final)
simulate!(shaft, IDA(), stopTime = 7.0, dtmax = 0.1, requiredFinalStates = final)
# The derivatives are signals, too, with the names of the language.
@test maximum(abs.(getValues(shaft, "shaft.der(velocity)")[end, :] - [0.0, 0.0, -0.3])) < 1e-12
# In the frame of the object the spin does not change.
body = @instantiateModel(Shaft | Map(shaft = Map(angularVelocityResolvedInParent = false, angularVelocity = [-2.0, 0.0, 0.0])), unitless = true)
simulate!(body, stopTime = 7.0, dtmax = 0.1)
@test maximum(abs.(getLastValue(body, "shaft.angularVelocity") - [-2.0, 0.0, 0.0])) < 1e-9
@test maximum(abs.(getLastValue(body, "shaft.rotation") - final[7:9])) < 1e-4

# The same motion by the joint with variables of its own; the angles begin beyond the safe range.
Jointed = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 0.3, n = [0, 0, -1]))),
    shaft = Object3D(feature = Solid(shape = Cylinder(axis = 3, diameter = 0.2, length = 1.0),
                                     massProperties = MassPropertiesFromShapeAndMass(mass = 84.7154))),
    free = FreeMotion(obj1 = :world, obj2 = :shaft, rot = Var(init = SVector{3,Float64}(rotation0)),
                      v = Var(init = SVector{3,Float64}([0, 0.1, 0])), w = Var(init = SVector{3,Float64}([-2.0, 0, 0])))
)
jointed = @instantiateModel(Jointed, unitless = true)
simulate!(jointed, stopTime = 7.0, dtmax = 0.1, requiredFinalStates = [final[1:9]; [-2.0, 0.0, 0.0]])
@test get_xNames(jointed)[[1, 4, 7, 10]] == ["free.r[1]", "free.v[1]", "free.rot[1]", "free.w[1]"]
@test getLastValue(jointed, "free.isrot123") == false
