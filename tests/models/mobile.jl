# A mobile of joints without flange, eliminated by articulated bodies, and one of joints with a
# flange, solved with the equations: without damping both move alike, and no energy is lost.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

Undamped(; keywords...) = Model(
    joint = RevoluteWithFlange(; keywords...),
    damper = Damper | Map(d = 0.0),
    fixed = Fixed,
    connect = :[
        (damper.flange_b, joint.flange)
        (damper.flange_a, fixed.flange)
    ]
)
Plain(; keywords...) = Model(joint = Revolute(; keywords...))
Lump(x, y) = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [x, y, 0.0],
                                                                      Ixx = 0.02, Iyy = 0.03, Izz = 0.025)))
function createMobile(depth, Joint)
    if depth == 1
        return Model(rod = Lump(0.05, -0.3))
    end
    return Model(
        rod = Lump(0.0, -0.1),
        bottom = Object3D(parent = :rod, translation = [0.0, -0.3, 0.0]),
        bar = Lump(0.01, 0.0),
        ends = Model(a = Object3D(parent = :bar, translation = [-0.4, 0.0, 0.0]),
                     b = Object3D(parent = :bar, translation = [0.4, 0.0, 0.0])),
        left = createMobile(depth - 1, Joint),
        right = createMobile(depth - 1, Joint),
        turn = Joint(obj1 = :bottom, obj2 = :bar, axis = 2, phi = Var(init = 0.2*depth), w = Var(init = 1.0)),
        swingLeft = Joint(obj1 = :(ends.a), obj2 = :(left.rod)),
        swingRight = Joint(obj1 = :(ends.b), obj2 = :(right.rod), phi = Var(init = 0.5))
    )
end
Mobile(Joint) = Model3D(
    world = Object3D(feature = Scene()),
    mobile = createMobile(3, Joint),
    top = Joint(obj1 = :world, obj2 = :(mobile.rod), axis = [0.0, 0.6, 0.8], phi = Var(init = 0.3))
)
ends = []
names = []
for Joint in [Plain, Undamped]
    mobile = @instantiateModel(Mobile(Joint), unitless = true)
    simulate!(mobile, stopTime = 1.0, tolerance = 1e-9)
    @test length(get_xNames(mobile)) == 20
    names = sort(get_xNames(mobile))
    push!(ends, [getLastValue(mobile, name) for name in names])
end
@test maximum(abs.(ends[1] - ends[2])) < 1e-5
@test maximum(abs.(ends[1])) > 0.5
