# A crate and a drum on a slope, a capsule and a ball: areas that stick, a point that creeps.
using Modia3D

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
slope = 0.2
Patches = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [sin(slope), 0, -cos(slope)]), flatContact = "area",
                                      visualizeContactPoints = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), "Grey")),
    crate = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.1], feature = steel(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), "SaddleBrown")),
    drum = Object3D(parent = :world, fixedToParent = false, translation = [0.02, 0, 0.3], feature = steel(Cylinder(axis = 3, diameter = 0.15, length = 0.2), "Peru")),
    capsule = Object3D(parent = :world, fixedToParent = false, translation = [-0.4, -0.4, 0.05], feature = steel(Capsule(axis = 1, diameter = 0.1, length = 0.2), "SteelBlue")),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [-0.5, 0.3, 0.05], feature = steel(Sphere(diameter = 0.1), "Red")))
patches = @instantiateModel(Patches, unitless = true)
simulate!(patches, stopTime = 0.5, tolerance = 1e-6, interval = 0.02, log = false)
