# A pendulum of 3D parts with a damper from the rotational library (thesis, section 3.2.3).
#
# Shows: how 3D components and equations stand in one model. The beam swings and comes to rest below the
# bearing.
module DampedPendulum

using Modia3D
using Test

include("$(Modia3D.modelsPath)/AllModels.jl")

Pendulum = Model3D(
    world = Object3D(feature = Scene()),
    beam = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.2, thickness = 0.2),
                                    solidMaterial = "Steel")),
    bearing = Object3D(parent = :beam, translation = [-0.5, 0.0, 0.0],
                       feature = Visual(shape = Cylinder(diameter = 0.1, length = 0.21),
                                        visualMaterial = VisualMaterial(color = "Red"))),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bearing),
    damper = Damper | Map(d = 100.0),
    fixed = Fixed,
    connect = :[
        (damper.flange_b, rev.flange)
        (damper.flange_a, fixed.flange)
    ]
)
@showModel Pendulum

pendulum = @instantiateModel(Pendulum, unitless = true)
simulate!(pendulum, stopTime = 12.0)
plot(pendulum, ["rev.phi", "beam.r_abs"], figure = 1)
@test abs(getLastValue(pendulum, "rev.phi") + pi/2) < 0.2

end
