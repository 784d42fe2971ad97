# Steel cubes that fall on an edge or a corner tumble and come to rest on a face, as deep as their weight presses them; a domino that is
# pushed too little rocks on its edges and does not ring there.
using Modia3D, Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Fall(shape, r, rotation, w) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))),
    a = Object3D(parent = :world, fixedToParent = false, translation = r, rotation = rotation, angularVelocity = w, feature = steel(shape)))

cube, modulus = Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), 2e11*0.7/(1.3*0.4)
for (rotation, w) in [([0.5, 0.6, 0.2], zeros(3)), ([0.3, 0.4, 0.2], zeros(3)), ([0.8, 0.1, 0.7], [1.0, 2.0, 0.5]), ([0.0, 0.3, 0.0], zeros(3))]
    m = @instantiateModel(Fall(cube, [0, 0, 0.25], rotation, w), unitless = true)
    simulate!(m, stopTime = 3.0, tolerance = 1e-6, interval = 0.05)
    t, r = getValues(m, "time"), getValues(m, "a.translation")
    from = findfirst(x -> x >= 2.0, t)
    @test maximum([norm(r[i, :] - r[end, :]) for i in from:length(t)]) < 1e-9
    @test abs((0.1 - r[end, 3])/(8000*9.81*0.2*0.3/modulus) - 1) < 0.01
end

# Between two hits it turns about an edge that holds: no gap, and energy that only falls.
rocks = @instantiateModel(Fall(Box(lengthX = 0.01, lengthY = 0.025, lengthZ = 0.05), [0, 0, 0.025], zeros(3), [0, 6.0, 0]), unitless = true)
simulate!(rocks, stopTime = 0.5, tolerance = 1e-6, interval = 0.005)
r, q = getValues(rocks, "a.translation"), abs.(getValues(rocks, "a.rotation")[:, 2])
height = [0.025*cos(x) + 0.005*sin(x) for x in q]
late = [i for i in 1:length(q) if i > 20]
@test maximum(abs.(r[late, 3] - height[late])) < 1e-5
@test maximum(q[late[div(end, 2):end]]) < maximum(q)
