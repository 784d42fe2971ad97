# A tree of 40 joints under implicit and explicit solvers: sliders, joints with springs and dampers, with
# rotors behind gears, and without flange. The implicit ones work with the mass matrix of the tree instead of a
# full Jacobian; all end where the explicit one does. A filter of an acceleration keeps the full Jacobian.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

Lump(x, y) = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [x, y, 0.0],
                                                                      Ixx = 0.02, Iyy = 0.03, Izz = 0.025)))
Held(; keywords...) = Model(
    joint = RevoluteWithFlange(; keywords...),
    spring = SpringDamper | Map(c = 2.0, d = 0.2),
    fixed = Fixed,
    connect = :[(spring.flange_b, joint.flange); (spring.flange_a, fixed.flange)]
)
Geared(; keywords...) = Model(
    joint = RevoluteWithFlange(; keywords...),
    rotor = Inertia | Map(J = 1e-3, phi = Var(init = nothing), w = Var(init = nothing)),
    gear = IdealGear | Map(ratio = 20.0),
    torque = UnitlessTorque,
    equations = :[torque.tau = 0.02*sin(2*time) - 1e-3*rotor.w],
    connect = :[(torque.flange, rotor.flange_a); (rotor.flange_b, gear.flange_a); (gear.flange_b, joint.flange)]
)
Plain(; keywords...) = Model(joint = Revolute(; keywords...))

# Each branch hangs from a bar by a joint; the bar hangs from the tip of a rod.
branch(depth) = depth == 0 ? Model(rod = Lump(0.05, -0.3)) : Model(
    rod = Lump(0.0, -0.1),
    bottom = Object3D(parent = :rod, translation = [0.0, -0.3, 0.0]),
    bar = Lump(0.01, 0.0),
    ends = Model(a = Object3D(parent = :bar, translation = [-0.4, 0.0, 0.0]),
                 b = Object3D(parent = :bar, translation = [0.4, 0.0, 0.0])),
    left = branch(depth - 1),
    right = branch(depth - 1),
    turn = Held(obj1 = :bottom, obj2 = :bar, axis = 2, phi = Var(init = 0.2*depth), w = Var(init = 0.5)),
    swingLeft = Plain(obj1 = :(ends.a), obj2 = :(left.rod), axis = [0.0, 0.6, 0.8]),
    swingRight = Geared(obj1 = :(ends.b), obj2 = :(right.rod), phi = Var(init = 0.3))
)
Tree = Model3D(
    world = Object3D(feature = Scene()),
    cart = Lump(0.1, 0.0),
    trunk = branch(3),
    other = branch(3),
    slide = Prismatic(obj1 = :world, obj2 = :cart, axis = 1, s = Var(init = 0.2)),
    first = Held(obj1 = :cart, obj2 = :(trunk.rod), phi = Var(init = 0.3)),
    second = Geared(obj1 = :cart, obj2 = :(other.rod), axis = 1)
)
Filtered = Tree | Map(filtered = Var(init = 0.0), equations = :[0.1*der(filtered) = der(slide.v) - filtered])

tree = @instantiateModel(Tree, unitless = true)
filtered = @instantiateModel(Filtered, unitless = true)
simulate!(tree, Tsit5(), stopTime = 1.0, tolerance = 1e-9)
names = get_xNames(tree)
@test length(names) == 90
states = [getLastValue(tree, name) for name in names]
for solver in [CVODE_BDF(), IDA(), KenCarp4()]
    simulate!(tree, solver, stopTime = 1.0, tolerance = 1e-8)
    @test maximum(abs.([getLastValue(tree, name) for name in names] - states)) < 1e-5
end
simulate!(filtered, CVODE_BDF(), stopTime = 1.0, tolerance = 1e-8)
@test maximum(abs.([getLastValue(filtered, name) for name in names] - states)) < 1e-5
