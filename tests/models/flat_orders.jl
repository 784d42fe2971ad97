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

# Nor does it, nor how the world lies, where a disk that spins stands out over two edges of a box that spins the other way. Pressure is summed
# over points, and where these are must follow from the bodies alone: damping that changes sides within the disk sees them. With points that
# depended on where a polygon begins the disk was 8e-7 m elsewhere after 0.1 s.
function spins(turn, first)
    down = Modia3D.rot123(turn[1], turn[2], turn[3])'*[0.0, 0.0, -1.0]
    place(r, w, shape) = Object3D(parent = :frame, fixedToParent = false, translation = r, angularVelocity = [0, 0, w], feature = steel(shape))
    w = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = down)))
    frame = Object3D(parent = :world, rotation = turn)
    floor = Object3D(parent = :frame, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1)))
    box = place([0, 0, 0.05], 5.0, Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1))
    disk = place([0.045, 0.045, 0.13], -5.0, Cylinder(axis = 3, diameter = 0.12, length = 0.06))
    m = @instantiateModel(first ? Model3D(world = w, frame = frame, floor = floor, disk = disk, box = box) :
                                  Model3D(world = w, frame = frame, floor = floor, box = box, disk = disk), unitless = true)
    simulate!(m, stopTime = 0.1, tolerance = 1e-10, interval = 0.1)
    return [getLastValue(m, "disk.translation"); getLastValue(m, "disk.velocity"); 0.1*getLastValue(m, "box.angularVelocity")]
end
one = spins(zeros(3), false)
@test abs(one[1] - 0.045) > 1e-3 # it has gone on
for (turn, first) in [(zeros(3), true), ([0, 0, 0.7], false), ([0.4, 0.5, 0.7], true)]
    @test norm(spins(turn, first) - one) < 1e-10
end

# Nor where a body with round sides falls askew on a box that stands on a plate.
function falls(shape, turn, first)
    down = Modia3D.rot123(turn[1], turn[2], turn[3])'*[0.0, 0.0, -1.0]
    w = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = down)))
    frame = Object3D(parent = :world, rotation = turn)
    floor = Object3D(parent = :frame, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1)))
    box = Object3D(parent = :frame, fixedToParent = false, translation = [0, 0, 0.05], feature = steel(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1)))
    body = Object3D(parent = :frame, fixedToParent = false, translation = [0.06, 0.05, 0.2], rotation = [0.5, 0.4, 0.3], velocity = [0.3, 0.1, -1.0], feature = steel(shape))
    m = @instantiateModel(first ? Model3D(world = w, frame = frame, floor = floor, body = body, box = box) :
                                  Model3D(world = w, frame = frame, floor = floor, box = box, body = body), unitless = true)
    simulate!(m, stopTime = 0.06, tolerance = 1e-10, interval = 0.1)
    return [getLastValue(m, "body.translation"); 0.1*getLastValue(m, "body.velocity"); 0.1*getLastValue(m, "box.translation")]
end
for shape in [Capsule(axis = 1, diameter = 0.05, length = 0.12), Cone(axis = 3, diameter = 0.1, length = 0.1),
              Cone(axis = 3, diameter = 0.1, topDiameter = 0.05, length = 0.08)]
    upright = falls(shape, zeros(3), false)
    @test upright[6] > -0.1 # it has been hit: falling freely it would have -0.16
    for (turn, first) in [(zeros(3), true), ([0.4, 0.5, 0.7], true)]
        @test norm(falls(shape, turn, first) - upright) < 1e-9
    end
end
