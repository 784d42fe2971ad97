# Scenarios C3 and C4: bars with the mass of their shape and material, one and two of them, with
# dampers; the same chain with the equations in a DAE solver.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

Bar = Model(
    L = 1.0,
    body = Object3D(feature = Solid(shape = Beam(axis = 1, length = :L, width = 0.2, thickness = 0.2),
                                    solidMaterial = "Aluminium")),
    left = Object3D(parent = :body, translation = :[-L/2, 0.0, 0.0]),
    right = Object3D(parent = :body, translation = :[L/2, 0.0, 0.0])
)
Single = Model3D(
    world = Object3D(feature = Scene()),
    bar = Bar,
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :(bar.left), phi = Var(init = 1.0)),
    damper = Damper | Map(d = 40),
    fixed = Fixed,
    connect = :[
        (damper.flange_b, rev.flange)
        (damper.flange_a, fixed.flange)
    ]
)
single = @instantiateModel(Single, unitless = true)
simulate!(single, stopTime = 6.0, requiredFinalStates = [-1.47312952226279, -0.5146766053301051])

Double = Model3D(
    world = Object3D(feature = Scene()),
    bar1 = Bar,
    bar2 = Bar,
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(bar1.left), phi = Var(init = 1.0)),
    rev2 = RevoluteWithFlange(obj1 = :(bar1.right), obj2 = :(bar2.left)),
    damper1 = Damper | Map(d = 20),
    damper2 = Damper | Map(d = 20),
    fixed1 = Fixed,
    fixed2 = Fixed,
    connect = :[
        (damper1.flange_b, rev1.flange)
        (damper1.flange_a, fixed1.flange)
        (damper2.flange_b, rev2.flange)
        (damper2.flange_a, fixed2.flange)
    ]
)
final = [-0.9608496178685947, 1.0258202272580021, -6.0828664801544345, -0.11676963250128454]
double = @instantiateModel(Double, unitless = true)
simulate!(double, stopTime = 10.0, tolerance = 1e-8, requiredFinalStates = final)
@test get_xNames(double) == ["rev1.phi", "rev1.w", "rev2.phi", "rev2.w"]
simulate!(double, IDA(), stopTime = 10.0, tolerance = 1e-8, nlinearMinForDAE = 1, requiredFinalStates = final)

# Without dampers the joints with and without flange are the same system, eliminated inside or
# solved with the equations; energy stays.
m = 2700*(0.2 + pi*0.1^2)*0.2
I = 14.40597308
ends = []
for kind1 in [Revolute, RevoluteWithFlange], kind2 in [Revolute, RevoluteWithFlange]
    Chain = Model3D(
        world = Object3D(feature = Scene()),
        bar1 = Bar,
        bar2 = Bar,
        rev1 = kind1(obj1 = :world, obj2 = :(bar1.left), phi = Var(init = 1.0)),
        rev2 = kind2(obj1 = :(bar1.right), obj2 = :(bar2.left))
    )
    chain = @instantiateModel(Chain, unitless = true)
    simulate!(chain, stopTime = 1.0, tolerance = 1e-10)
    a = getValues(chain, "rev1.phi")
    b = a + getValues(chain, "rev2.phi")
    wa = getValues(chain, "rev1.w")
    wb = wa + getValues(chain, "rev2.w")
    kinetic = 0.5*(I + 0.25*m)*wa.^2 + 0.5*I*wb.^2 + 0.5*m*(wa.^2 + 0.25*wb.^2 + wa.*wb.*cos.(a - b))
    energy = kinetic + m*9.81*(1.5*sin.(a) + 0.5*sin.(b))
    @test maximum(abs.(energy .- energy[1])) < 1e-5
    push!(ends, [a[end], b[end], wa[end], wb[end]])
end
@test maximum(abs.(ends[2] - ends[1])) < 1e-7
@test maximum(abs.(ends[3] - ends[1])) < 1e-7
@test maximum(abs.(ends[4] - ends[1])) < 1e-7
