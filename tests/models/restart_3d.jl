# 3D parts across full restarts: free objects and joints go on as they moved.
using Modia3D
using Test

restart_period = 0.3
include("scenes/restarter.jl")

Lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.3))
Plain = Model(part = Model3D(
    world = Object3D(feature = Scene(provideAnimationHistory = true, visualizeFrames = true)),
    nut = Object3D(parent = :world, fixedToParent = false, velocity = [1.0, 2.0, 0.0], angularVelocity = [0.01, 5.0, 0.02], feature = Lump),
    arm = Object3D(feature = Lump),
    hinge = Object3D(parent = :arm, translation = [0.5, 0.0, 0.0]),
    rev = Revolute(obj1 = :world, obj2 = :hinge)
))
plain = @instantiateModel(Plain, unitless = true)
simulate!(plain, stopTime = 2.0, tolerance = 1e-9)
broken = @instantiateModel(Plain | Map(beats = Beats), unitless = true)
simulate!(broken, stopTime = 2.0, tolerance = 1e-9)
for name in ["part.rev.phi", "part.nut.translation", "part.nut.velocity", "part.nut.rotation", "part.nut.angularVelocity"]
    @test maximum(abs.(getLastValue(plain, name) - getLastValue(broken, name))) < 1e-5
end
@test getLastValue(plain, "part.nut.rotationXYZ") == getLastValue(broken, "part.nut.rotationXYZ")

# An animation goes on, too: a frame for each time of the grid, none more for the restarts.
frames = get_animationHistory(plain, "part", log = false)
others = get_animationHistory(broken, "part", log = false)
@test length(frames["time"]) == 501
@test isapprox(others["time"], frames["time"], atol = 1e-12)
@test collect(keys(frames)) == collect(keys(others))
for name in ["part.nut.frame", "part.arm.frame"], i in 1:100:501
    @test maximum(abs.(frames[name].positions[i] - others[name].positions[i])) < 1e-5
    @test maximum(abs.(frames[name].quaternions[i] - others[name].quaternions[i])) < 1e-5
end
