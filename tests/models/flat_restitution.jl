# The restitution of the materials comes out for every way that flat sides meet: faces, edges, corners, rims, round sides, tips, meshes; from 1 mm to 10 m;
# on a floor and between two free bodies of different size and material. Nothing pulls.
using Modia3D, Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_restitution.txt")
solid(shape, touch; material = "Steel") = Solid(shape = shape, solidMaterial = material, contactMaterial = touch, collision = true)
free(feature, r, rot, v) = Object3D(parent = :world, fixedToParent = false, translation = r, rotation = rot, velocity = v, feature = feature)
space() = Object3D(feature = Scene(gravityField = UniformGravityField(g = 0.0, n = [0, 0, -1])))
function run(m, stopTime)
    m = @instantiateModel(m, unitless = true)
    simulate!(m, stopTime = stopTime, tolerance = 1e-7)
    return m
end

ways(s) = [("face", Box(lengthX = s, lengthY = s, lengthZ = s), [0, 0, 0.3], s/2), ("edge", Box(lengthX = s, lengthY = s, lengthZ = s), [pi/4, 0, 0], s/sqrt(2)),
    ("corner", Box(lengthX = s, lengthY = s, lengthZ = s), [atan(1/sqrt(2)), pi/4, 0], sqrt(3)/2*s), ("base", Cylinder(axis = 3, diameter = s, length = s), zeros(3), s/2),
    ("side", Cylinder(axis = 1, diameter = s, length = s), [0, 0, 0.2], s/2), ("rim", Cylinder(axis = 3, diameter = s, length = s), [pi/4, 0, 0], s/sqrt(2)),
    ("flank", Beam(axis = 1, length = s, width = s, thickness = s/2), zeros(3), s/4), ("round end", Beam(axis = 1, length = s, width = s, thickness = s/2), [pi/2, 0, 0], s/2),
    ("tip", Cone(axis = 3, diameter = s, length = s), [pi, 0, 0], s), ("mesh", FileMesh(filename = "octahedron.obj", scale = [s, s, s]), zeros(3), s)]
for s in [0.001, 0.1, 10.0], (touch, e) in [("Fifth", 0.2), ("Half", 0.5), ("Lively", 0.8)], (way, shape, turned, height) in ways(s)
    m = run(Model3D(world = space(), floor = Object3D(parent = :world, translation = [0, 0, -s/2], feature = solid(Box(lengthX = 10*s, lengthY = 10*s, lengthZ = s), touch)),
                    body = free(solid(shape, touch), [0, 0, height + 0.001*s], turned, [0, 0, -1.0]), seen = ContactResult(object1 = :body, object2 = :floor)), 0.5*s)
    @test abs(getLastValue(m, "body.velocity")[3]/e - 1) < 0.005
    @test minimum(getValues(m, "seen.normalForce")) >= 0.0
end

# Two free bodies, one of them larger and of wood.
for (touch, e) in [("Fifth", 0.2), ("Half", 0.5), ("Lively", 0.8)], v in [0.1, 1.0, 10.0]
    m = run(Model3D(world = space(), a = free(solid(Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1), touch), [0, 0, 0], zeros(3), [v, 0, 0]),
                    b = free(solid(Box(lengthX = 0.3, lengthY = 0.2, lengthZ = 0.2), touch; material = "DryWood"), [0.201, 0, 0], zeros(3), zeros(3))), 0.05/v)
    @test abs((getLastValue(m, "b.velocity")[1] - getLastValue(m, "a.velocity")[1])/(e*v) - 1) < 0.01
end
