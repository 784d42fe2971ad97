# A billiard table with cushions, and its balls (scenarios E7 and E8).
using Modia3D

LX = 2.24; LY = 1.12; D = 0.06
ball() = Solid(shape = Sphere(diameter = D), solidMaterial = "BilliardBall", collision = true)
cushion(lx, ly) = Solid(shape = Box(lengthX = lx, lengthY = ly, lengthZ = 0.014), solidMaterial = "BilliardCushion", collision = true)
resting(x, y; velocity = [0.0, 0.0, 0.0]) = Object3D(parent = :world, fixedToParent = false, translation = [x, y, D/2],
    rotation = [pi/2, 0.0, 0.0], velocity = velocity, feature = ball())
Table(; scene...) = Model3D(
    world = Object3D(feature = Scene(; gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), scene...)),
    table = Object3D(parent = :world, translation = [0.0, 0.0, -0.025],
                     feature = Solid(shape = Box(lengthX = LX, lengthY = LY, lengthZ = 0.05), solidMaterial = "BilliardTable", collision = true)),
    cushionPlusX  = Object3D(parent = :world, translation = [ 1.0825, 0.0, 0.049], feature = cushion(0.075, LY)),
    cushionMinusX = Object3D(parent = :world, translation = [-1.0825, 0.0, 0.049], feature = cushion(0.075, LY)),
    cushionPlusY  = Object3D(parent = :world, translation = [0.0,  0.5225, 0.049], feature = cushion(LX, 0.075)),
    cushionMinusY = Object3D(parent = :world, translation = [0.0, -0.5225, 0.049], feature = cushion(LX, 0.075))
)
cue = resting(-0.8, -0.1, velocity = [3.0, 0.1, 0.0])
first = resting(LX/6, 0.0)
