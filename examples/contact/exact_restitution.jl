# The restitution that was asked for
#
# Shows: Scene(restitution = "exact"). Balls fly against a plate with 4 m/s, without gravity, each with another coefficient of
# restitution. By the damping of the thesis, the default, they leave with less than it says; with the exact one with what it says.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "exact_restitution.txt")
asked = [0.05, 0.3, 0.5, 0.7, 0.9]
ball(k) = Object3D(parent = :world, fixedToParent = false, translation = [0.3*k, 0.15, 0.0], velocity = [0.0, -4.0, 0.0],
                   feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", contactMaterial = "Ball$k", collision = true))
function rebounds(restitution)
    Shot = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), restitution = restitution)),
                   plate = Object3D(parent = :world, translation = [0.9, -0.1, 0.0],
                                    feature = Solid(shape = Box(lengthX = 2.0, lengthY = 0.2, lengthZ = 0.4), solidMaterial = "Steel", contactMaterial = "Plate", collision = true)))
    for k in 1:5
        Shot[Symbol("ball$k")] = ball(k)
    end
    shot = @instantiateModel(Shot, unitless = true)
    simulate!(shot, stopTime = 0.1, tolerance = 1e-8)
    return [getLastValue(shot, "ball$k.velocity")[2]/4 for k in 1:5]
end

thesis = rebounds("thesis")
exact = rebounds("exact")
println("asked for   by the thesis   exact")
for k in 1:5
    println(rpad(string(asked[k]), 12), rpad(string(round(thesis[k], digits = 3)), 16), round(exact[k], digits = 3))
    @test abs(exact[k]/asked[k] - 1) < 0.01
end
@test thesis[4] < 0.69 && thesis[2] < 0.26
