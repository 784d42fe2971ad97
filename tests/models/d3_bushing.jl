# Scenario D3: a free box in a bushing whose laws are numbers and functions, with large angles and
# with small ones.
using Modia3D
using Test

fx(x) = 50.0*x
fy(v) = 2.0*v
tz(phi) = 20.0*phi
ty(w) = 0.2*w

BoxBushing(angles, large) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0, 0, -1]))),
    box = Object3D(parent = :world, fixedToParent = false, translation = [0.2, 0.1, 0.05], rotation = angles,
                   feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1),
                                   massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    bushing = Bushing(obj1 = :world, obj2 = :box,
                      springForceLaw = [fx, 100.0u"N/m", 200.0], damperForceLaw = [1.0, fy, 4.0],
                      rotSpringForceLaw = [5.0, 10.0, tz], rotDamperForceLaw = [0.1, ty, 0.4],
                      largeAngles = large)
)

large = @instantiateModel(BoxBushing([0.8, 0.4, 0.2], true), unitless = true)
simulate!(large, stopTime = 5.0, interval = 0.1,
          requiredFinalStates = [-0.013214709281307713, 0.000552354087222612, -0.04904666187675468,
                                 0.07579402127381728, 0.0033411984137335553, -4.9513118790869216e-05,
                                 -0.056707801161520716, 0.0009597189920446882, 4.333168563994031e-05,
                                 0.380922690677635, 0.0010802088978311055, -0.000616198472040944])
# The angles of the bushing are those of the box, and springs pull by their laws.
@test maximum(abs.(getValues(large, "bushing.rotation") - getValues(large, "box.rotation"))) < 1e-12
phi = getValues(large, "bushing.rotation")
@test maximum(abs.(getValues(large, "bushing.springTorque")[:, 3] - 20*phi[:, 3])) < 1e-12

small = @instantiateModel(BoxBushing([0.12, 0.06, 0.03], false), unitless = true)
simulate!(small, stopTime = 5.0, interval = 0.1,
          requiredFinalStates = [-0.013214485263238932, 0.0005522500941536969, -0.0490466643002863,
                                 0.0757922207638451, 0.0033409424747158703, -4.942995177735604e-05,
                                 -0.00804978203315705, 0.0003491684885472317, 1.460136858508138e-06,
                                 0.04510757535421865, 0.00182330830539622, -2.0621586293093137e-05])
