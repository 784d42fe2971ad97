# Three capsules, three beams, three cones and three frustums fall on a plate (thesis figures B.1
# to B.4).
#
# Shows: the same start told three times with other names of the axes: x of the first body is y of the second and z of the
# third. Nothing in the model knows that they are the same; shapes along x, y and z, their frames and the contact have to
# say so themselves.
# They press at points, as published (flatContact = "point").
# Expect: the three paths are equal until the contacts have multiplied the rounding errors: here they still agree to 1e-6 m.
using Modia3D
using Test
@usingModiaPlot

along = [:X, :Y, :Z]
frames = [[-pi/2, 0.0, -pi/2], [pi/2, pi/2, 0.0], [0.0, 0.0, 0.0]]
tilts = [[0.0, -pi/3, 0.0], [0.0, 0.0, -pi/3], [-pi/3, 0.0, 0.0]]
velocities = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
# A little spin, so that no edge comes down level.
spins = [[0.2, 0.5, 0.3], [0.3, 0.2, 0.5], [0.5, 0.3, 0.2]]

# The same shape along axis 1, 2 or 3. A beam is wide along the axis that follows its own, as that is what is renamed.
capsule(axis) = Capsule(axis = axis, diameter = 0.4, length = 1.0)
beam(axis) = Beam(axis = axis, length = 0.8, width = 0.2, thickness = 0.4)
cone(axis) = Cone(axis = axis, diameter = 0.4, length = 1.0)
frustum(axis) = Cone(axis = axis, diameter = 0.6, length = 1.0, topDiameter = 0.2)

function trio(shape, material)
    model = Model3D(
        world = Object3D(feature = Scene(flatContact = "point", gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
        plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                         feature = Solid(shape = Box(lengthX = 5.0, lengthY = 3.0, lengthZ = 0.1), solidMaterial = material, collision = true))
    )
    for i in 1:3
        frame = Symbol("frame$(along[i])")
        model[frame] = Object3D(parent = :world, translation = [i - 2.0, -0.5, 1.0], rotation = frames[i])
        model[Symbol("body$(along[i])")] = Object3D(parent = frame, fixedToParent = false, rotation = tilts[i], velocity = velocities[i],
                                                    angularVelocity = spins[i],
                                                    feature = Solid(shape = shape(i), solidMaterial = material, collision = true))
    end
    return model
end

# Path of body i in the axes of the third one.
function path(m, i)
    r = getValues(m, "body$(along[i]).translation")
    order = [mod1(k + i, 3) for k in 1:3]
    return r[:, order]
end

for (figure, (name, shape, material)) in enumerate([("capsules", capsule, "Steel"), ("beams", beam, "DryWood"), ("cones", cone, "DryWood"), ("frustums", frustum, "DryWood")])
    Trio = trio(shape, material)
    falling = @instantiateModel(Trio, unitless = true)
    simulate!(falling, stopTime = 1.1, tolerance = 1e-8, interval = 0.01)
    apart = maximum(abs.(path(falling, 1) - path(falling, 3))), maximum(abs.(path(falling, 2) - path(falling, 3)))
    println(name, ": paths differ by ", apart)
    @test maximum(apart) < 1e-6
    plot(falling, [("bodyX.translation[3]", "bodyY.translation[1]", "bodyZ.translation[2]")], heading = "Three $name", figure = figure)
end
