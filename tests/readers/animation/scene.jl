# Every shape that an animation file can show, each about each axis, in motion; read by ../read_three.mjs.
using Modia3D

Shapes(; axis) = Model(
    frame = Object3D(parent = :body, translation = [0.2 * axis, 0.0, 0.1], rotation = [0.3, -0.2, 0.1 * axis]),
    cylinder = Object3D(parent = :frame, translation = [1.0, 0.0, 0.0],
                        feature = Visual(shape = Cylinder(axis = axis, diameter = 0.4, length = 0.9))),
    pipe = Object3D(parent = :frame, translation = [2.0, 0.0, 0.0],
                    feature = Visual(shape = Cylinder(axis = axis, diameter = 0.5, length = 0.3, innerDiameter = 0.4))),
    cone = Object3D(parent = :frame, translation = [3.0, 0.0, 0.0],
                    feature = Visual(shape = Cone(axis = axis, diameter = 0.5, length = 0.8, topDiameter = 0.2))),
    capsule = Object3D(parent = :frame, translation = [4.0, 0.0, 0.0],
                       feature = Visual(shape = Capsule(axis = axis, diameter = 0.3, length = 0.7))),
    beam = Object3D(parent = :frame, translation = [5.0, 0.0, 0.0],
                    feature = Visual(shape = Beam(axis = axis, length = 0.8, width = 0.3, thickness = 0.1))),
    grid = Object3D(parent = :frame, translation = [6.0, 0.0, 0.0],
                    feature = Visual(shape = Grid(axis = axis, length = 1.0, width = 0.5, distance = 0.25)))
)

Scenery = Model3D(
    world = Object3D(feature = Scene(animationFile = "scenery.json", nominalLength = 0.7, visualizeFrames = true,
                                     cameraLongitude = 0.4, gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    still = Object3D(parent = :world, translation = [0.0, 0.0, 0.5], rotation = [0.1, 0.2, 0.3],
                     feature = Visual(shape = Box(lengthX = 0.3, lengthY = 0.5, lengthZ = 0.7),
                                      visualMaterial = VisualMaterial(color = "Red", transparency = 0.25))),
    body = Object3D(parent = :world, fixedToParent = false, translation = [0.1, 0.2, 0.3], rotation = [0.4, 0.5, 0.6],
                    velocity = [1.0, -0.5, 3.0], angularVelocity = [7.0, 2.0, -5.0],
                    feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.4, lengthZ = 0.6), massProperties = 2.0)),
    ball = Object3D(parent = :body, translation = [0.0, 1.0, 0.0], feature = Visual(shape = Sphere(diameter = 0.6))),
    egg = Object3D(parent = :body, translation = [0.0, 2.0, 0.0], rotation = [0.0, 0.7, 0.0],
                   feature = Visual(shape = Ellipsoid(lengthX = 0.4, lengthY = 0.6, lengthZ = 1.0))),
    axes = Object3D(parent = :body, translation = [0.0, 3.0, 0.0], feature = Visual(shape = CoordinateSystem(length = 0.5))),
    wedge = Object3D(parent = :body, translation = [0.0, 4.0, 0.0],
                     feature = Visual(shape = FileMesh(filename = "wedge.obj", scale = [2.0, 1.0, 1.0]))),
    same = Object3D(parent = :body, translation = [0.0, 4.5, 0.0],
                    feature = Visual(shape = FileMesh(filename = "wedge.obj", scale = [2.0, 1.0, 1.0], doubleSided = true))),
    smooth = Object3D(parent = :body, translation = [0.0, 5.0, 0.0],
                      feature = Visual(shape = FileMesh(filename = "wedge.obj", smoothNormals = true))),
    turned = Object3D(parent = :body, translation = [0.0, 5.5, 0.0],
                      feature = Visual(shape = FileMesh(filename = "inside_out.obj", smoothNormals = true))),
    drawn = Object3D(parent = :body, translation = [0.0, 6.0, 0.0],
                     feature = Visual(shape = FileMesh(filename = "drawn.json", scale = [1.0, 1.0, 3.0], useMaterialColor = true,
                                                       doubleSided = true),
                                      visualMaterial = VisualMaterial(color = [10, 20, 30]))),
    again = Object3D(parent = :body, translation = [0.0, 7.0, 0.0], feature = Visual(shape = FileMesh(filename = "drawn.json"))),
    x = Shapes(axis = 1),
    y = Shapes(axis = 2),
    z = Shapes(axis = 3)
)
scenery = @instantiateModel(Scenery, unitless = true)
simulate!(scenery, stopTime = 1.0, interval = 0.02)
