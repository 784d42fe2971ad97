# Constructors that a file defines itself in the way Modia3D does ([Neumayr-thesis] 3.2.2, 3.2.3): a 3D part from its two
# functions, an object from a Par, joints with more or fewer variables than the usual ones.
using Modia3D
using Test

MyModel3D(; keys...) = Model(; _buildFunction = :(Modia3D.buildModel3D!),
                             _initSegmentFunction = Par(functionName = :(Modia3D.initSegmentModel3D!)), keys...)
Frame(; keys...) = Par(; _constructor = :(Modia3D.Composition.Object3D{FloatType}), _path = true, keys...)
Body(; keys...) = Par(; _constructor = :(Modia3D.Shapes.Solid{FloatType}), keys...)

# A hinge with a damper inside.
DampedHinge(; obj1, obj2, d = 2.0, phi = Var(init = 0.0), w = Var(init = 0.0)) = Model(;
    _constructor = Par(value = :(Modia3D.Revolute), _jointType = :RevoluteWithFlange),
    obj1 = Par(value = obj1), obj2 = Par(value = obj2), axis = Par(value = 3),
    flange = Model(phi = Var(potential = true), tau = Var(flow = true)),
    d = d, phi = phi, w = w,
    equations = :[phi = flange.phi; w = der(phi); flange.tau = -d*w])
# One that cannot be driven.
Pivot(; obj1, obj2, phi = Var(init = 0.0)) = Model(;
    _constructor = Par(value = :(Modia3D.Joints.Revolute), _jointType = :Revolute),
    obj1 = Par(value = obj1), obj2 = Par(value = obj2), phi = phi, w = Var(init = 0.0), equations = :[w = der(phi)])

arm(model, object, body, hinge, pivot; more...) = model(;
    world = object(feature = Scene()),
    bar = object(feature = body(shape = Beam(axis = 1), solidMaterial = "Steel")),
    head = object(parent = :bar, translation = [-0.5, 0, 0]), tail = object(parent = :bar, translation = [0.5, 0, 0]),
    ball = object(feature = body(shape = Sphere(diameter = 0.2), massProperties = 3.0)),
    link = object(parent = :ball, translation = [-0.3, 0, 0]),
    hinge = hinge(obj1 = :world, obj2 = :head, phi = Var(init = 0.5)),
    pivot = pivot(obj1 = :tail, obj2 = :link, phi = Var(init = -0.3)),
    more...
)
include("$(Modia.modelsPath)/AllModels.jl")
Own = arm(MyModel3D, Frame, Body, DampedHinge, Pivot)
Usual = arm(Model3D, Object3D, Solid, RevoluteWithFlange, Revolute, damper = Damper | Map(d = 2.0), fixed = Fixed,
            connect = :[(damper.flange_b, hinge.flange), (damper.flange_a, fixed.flange)])
own = @instantiateModel(Own, unitless = true)
usual = @instantiateModel(Usual, unitless = true)
simulate!(own, stopTime = 1.0, tolerance = 1e-9)
simulate!(usual, stopTime = 1.0, tolerance = 1e-9)
for name in ["hinge.phi", "hinge.w", "pivot.phi", "pivot.w"]
    @test abs(getLastValue(own, name) - getLastValue(usual, name)) < 1e-7
end

# Equations of such a joint, and of a component in it, may name variables without declaring them, and others may use these.
MeteredHinge(; obj1, obj2, d = 2.0, phi = Var(init = 0.0), w = Var(init = 0.0)) = Model(;
    _constructor = Par(value = :(Modia3D.Revolute), _jointType = :RevoluteWithFlange, _path = true),
    obj1 = Par(value = obj1), obj2 = Par(value = obj2), axis = Par(value = 3), flange = Flange, d = d, phi = phi, w = w,
    meter = Model(power = Var(), equations = :[tenfold = 10*power]),
    equations = :[phi = flange.phi; w = der(phi); loss = d*w; flange.tau = -loss; meter.power = loss*w])
metered = @instantiateModel(arm(Model3D, Object3D, Solid, MeteredHinge, Revolute, equations = :[seen = hinge.loss; more = hinge.meter.tenfold]), unitless = true)
simulate!(metered, stopTime = 1.0, tolerance = 1e-9)
w = getLastValue(usual, "hinge.w")
@test abs(getLastValue(metered, "seen") - 2*w) < 1e-6
@test abs(getLastValue(metered, "more") - 20*w^2) < 1e-5
