# A crane: a trolley on rails, pushed for 2 s and braked for 2 s, with a load on a stiff rod; rails and hinge have dry friction.
#
# Shows: 3D bodies whose joints carry parts of the library on their flanges, friction that sticks: the trolley stands still while its load swings, until the
# load stops, too, where the friction of the hinge holds it.
# Expect: the trolley moves 3.7 m; each half swing is smaller than the one before by the same angle, 2 tau/(m g L). SciPy solves the equations of Lagrange with sticking and sliding as different models
# that events lead from one to another: 3.6913278 m and 0.0021141 rad at the end, at rest.
module Crane

using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/Control.jl")
include("$(Modia3D.modelsPath)/Driveline.jl")
include("$(Modia3D.modelsPath)/LinearMotion.jl")

Crane = Model(
    bodies = Model3D(
        world = Object3D(feature = Scene(nominalLength = 4.0)),
        rail = Object3D(parent = :world, feature = Visual(shape = Beam(axis = 1, length = 8.0, width = 0.1, thickness = 0.1))),
        trolley = Object3D(feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.3, lengthZ = 0.6), massProperties = MassPropertiesFromShapeAndMass(mass = 200.0))),
        hook = Object3D(),
        rod = Object3D(parent = :hook, translation = [0.0, -2.0, 0.0], feature = Visual(shape = Cylinder(axis = 2, diameter = 0.05, length = 4.0))),
        load = Object3D(parent = :hook, translation = [0.0, -4.0, 0.0],
                        feature = Solid(shape = Box(lengthX = 0.8, lengthY = 0.8, lengthZ = 0.8), massProperties = MassPropertiesFromShapeAndMass(mass = 100.0))),
        rails = PrismaticWithFlange(obj1 = :world, obj2 = :trolley, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0)),
        hinge = RevoluteWithFlange(obj1 = :trolley, obj2 = :hook, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0))
    ),
    push = Force, guide = GuideFriction | Map(f_c = 100.0u"N", f_s = 100.0u"N"), bearing = BearingFriction | Map(tau_c = 40.0u"N*m", tau_s = 40.0u"N*m"),
    equations = :[push.f = if time < 2.0u"s"; 400.0u"N" elseif time < 4.0u"s"; -200.0u"N" else 0.0u"N" end],
    connect = :[
        (push.flange, guide.flange, bodies.rails.flange)
        (bearing.flange_a, bodies.hinge.flange)
    ])

crane = @instantiateModel(Crane, unitless = true)
simulate!(crane, stopTime = 30.0, tolerance = 1e-8)
plot(crane, ["bodies.rails.s", "bodies.hinge.phi", ("guide.flange.f", "bearing.tau")], heading = "Crane: trolley, swing of the load, friction of rails and hinge")
println("at the end: ", getLastValue(crane, "bodies.rails.s"), " m, ", getLastValue(crane, "bodies.hinge.phi"), " rad, turning with ", getLastValue(crane, "bodies.hinge.w"), " rad/s")
@test abs(getLastValue(crane, "bodies.rails.s") - 3.6913278) < 2e-6
@test abs(getLastValue(crane, "bodies.hinge.phi") - 0.0021141) < 1e-6 && abs(getLastValue(crane, "bodies.hinge.w")) < 1e-9

end
