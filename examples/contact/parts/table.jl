# A small billiard table with its top at z = 0 and cushions around it, and balls to put on it.
D = 0.057
R, g = D/2, 9.81
slab(x, y, z, material) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = z), solidMaterial = material, collision = true)
# The cushions have upright faces, which touch a ball at the height of its center.
rail(x, y, lx, ly) = Object3D(parent = :world, translation = [x, y, R], feature = slab(lx, ly, 0.03, "BilliardCushion"))
Table(lx, ly) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), balance = true)),
    cloth = Object3D(parent = :world, translation = [0.0, 0.0, -0.02], feature = slab(lx + 0.2, ly + 0.2, 0.04, "BilliardTable")),
    right = rail(lx/2 + 0.025, 0.0, 0.05, ly),
    left = rail(-lx/2 - 0.025, 0.0, 0.05, ly),
    back = rail(0.0, ly/2 + 0.025, lx, 0.05),
    front = rail(0.0, -ly/2 - 0.025, lx, 0.05)
)
ball(x, y; velocity = [0.0, 0.0, 0.0], spin = [0.0, 0.0, 0.0]) = Object3D(
    parent = :world, fixedToParent = false, translation = [x, y, R], velocity = velocity, angularVelocity = spin,
    feature = Solid(shape = Sphere(diameter = D), solidMaterial = "BilliardBall", collision = true))
