# How large, how heavy, where: of shapes, of the solids that have them, and of objects.
using Modia3D
using Test

M = Modia3D
near(a, b) = maximum(abs.(a - b)) < 1e-12
edges(b) = [b.x_min, b.x_max, b.y_min, b.y_max, b.z_min, b.z_max]

box = Box(lengthX = 1.0, lengthY = 2.0, lengthZ = 4.0)
solid = Solid(shape = box, massProperties = 3.0)
object = Object3D(parent = :world, translation = [5.0, 0.0, 0.0], feature = solid)
seen = Object3D(parent = :world, feature = Visual(shape = box))
for x in [box, solid, object, seen]
    @test M.volume(x) == 8.0
    @test near(M.centroid(x), [0.0, 0.0, 0.0])
    @test near(M.inertiaMatrix(x, 3.0), [5.0 0.0 0.0; 0.0 4.25 0.0; 0.0 0.0 1.25])
    @test near(M.supportPoint(x, [1.0, 1.0, -1.0]), [0.5, 1.0, -2.0])
    @test near(M.boundingBox(x)[2], [0.5, 1.0, 2.0])
end
(m, c, I) = M.massProperties(object)
@test m == 3.0 && near(c, [0.0, 0.0, 0.0]) && near(I, M.inertiaMatrix(box, 3.0))
@test_throws ArgumentError M.volume(Object3D(parent = :world))
@test_throws ArgumentError M.massProperties(seen)

# A quarter turn about x exchanges y and z; each face of the loose box is 0.005 of the longest edge farther out.
b = M.BoundingBox()
M.boundingBox!(object, b; r_abs = [10.0, 20.0, 30.0], R_abs = M.rot1(pi/2), tight = true)
@test near(edges(b), [9.5, 10.5, 18.0, 22.0, 29.0, 31.0])
M.boundingBox!(box, b)
@test near(edges(b), [-0.52, 0.52, -1.02, 1.02, -2.02, 2.02])
M.boundingBox!(box, b; scaleFactor = 0.1)
@test near(edges(b), [-0.7, 0.7, -1.2, 1.2, -2.2, 2.2])
# The corner of a square that stands on it, after an eighth of a turn about z.
M.boundingBox!(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 2.0), b; R_abs = M.rot3(pi/4), tight = true)
@test near(edges(b), [-sqrt(2.0), sqrt(2.0), -sqrt(2.0), sqrt(2.0), -1.0, 1.0])
