# Which of two bodies is declared first changes nothing: a box that is hit by another shape ends where it does in the other order, within what the
# tolerance leaves. Anchors turn with the mean of both bodies for that.
using Modia3D, Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
free(shape, r, rot, v) = Object3D(parent = :world, fixedToParent = false, translation = r, rotation = rot, velocity = v, feature = steel(shape))
space() = Object3D(feature = Scene(gravityField = NoGravityField()))
function ends(shape, first)
    a = free(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), [0, 0, 0.0], [0.3, 0.2, 0.1], [0, 0, 0.0])
    b = free(shape, [0.03, 0.02, 0.3], [0.2, 0.5, 0.3], [0, 0, -1.0])
    m = @instantiateModel(first ? Model3D(world = space(), a = a, b = b) : Model3D(world = space(), b = b, a = a), unitless = true)
    simulate!(m, stopTime = 0.3, tolerance = 1e-12, interval = 0.1)
    return [getLastValue(m, name) for name in ["a.velocity", "b.velocity", "a.angularVelocity", "b.angularVelocity"]]
end
for shape in [Box(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.2), Cylinder(diameter = 0.1, length = 0.2), Cone(diameter = 0.1, length = 0.2),
              Cone(diameter = 0.1, topDiameter = 0.05, length = 0.2), Beam(length = 0.2, width = 0.05, thickness = 0.03)]
    one, other = ends(shape, true), ends(shape, false)
    @test norm(one[1]) > 0.05 && abs(one[2][3]) < 0.9
    for i in 1:4
        arm = i > 2 ? 0.05 : 1.0 # half of how thick it is
        @test arm*norm(one[i] - other[i]) < 1e-9
    end
end
