# Two bars of a kilometer and a rod, fast and next to where the rod is in line with a bar: the steps of IDA with the constraints
# among its equations became so short that roundings of positions decided about forces. None of them failed, and the run
# did not end. Now the loops are closed between the steps from there on.
using Modia3D
using Test

Bars = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9810.0), enableContactDetection = false)),
    a = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.00296, centerOfMass = [232.818, -36.6987, -13.9014], Ixx = 174540, Iyy = 236801, Izz = 240326, Ixy = -69463.2, Ixz = 16082.6, Iyz = -8921.25))),
    b = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.810846, centerOfMass = [371.311, 148.529, 332.521], Ixx = 128678, Iyy = 121099, Izz = 179055, Ixy = 37331.6, Ixz = 25035.5, Iyz = -9156.69))),
    aPivot = Object3D(parent = :a, translation = [611.906, -743.637, -28.0352], rotation = [-0.638462, 0.0214323, -0.399274]),
    aEnd = Object3D(parent = :a, translation = [-799.675, 1307.75, 803.855]),
    bPivot = Object3D(parent = :b, translation = [180.332, -385.238, 280.238], rotation = [-2.85622, 0.0158759, 1.81502]),
    bEnd = Object3D(parent = :b, translation = [-180.332, 385.238, -280.238]),
    first = Object3D(parent = :world, translation = [-134.842, -1097.77, 1209.31], rotation = [-1.0033, -0.701645, 0.588412]),
    second = Object3D(parent = :world, translation = [-673.526, -312.201, 651.751], rotation = [1.00928, 0.253018, 1.17498]),
    rev1 = RevoluteWithFlange(obj1 = :aPivot, obj2 = :first, axis = 3, phi = Var(init = 1.0232), w = Var(init = -0.776827)),
    rev2 = Revolute(obj1 = :second, obj2 = :bPivot, axis = 2, phi = Var(init = -1.88522), w = Var(init = -1.17789)),
    rod = Rod(obj1 = :bEnd, obj2 = :aEnd, length = 977.433),
    equations = :[rev1.flange.tau = -871760.0 - 1.56811e6*rev1.w; force = rod.reactionForce])
bars = @instantiateModel(Bars, unitless = true)
simulate!(bars, DP8(), stopTime = 0.3, tolerance = 1e-9)
(angle, force) = (getLastValue(bars, "rev2.phi"), getLastValue(bars, "force", unit = false))
simulate!(bars, IDA(), stopTime = 0.3, tolerance = 1e-9)
@test abs(getLastValue(bars, "rev2.phi") - angle) < 1e-6
@test maximum(abs.(getLastValue(bars, "force", unit = false) - force)) < 1e-5*maximum(abs.(force))
