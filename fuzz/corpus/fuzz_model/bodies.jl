using Modia3D
Pair = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]))),
    floor = Object3D(parent = :world, translation = [0.0, -0.3, 0.0],
                     feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "Steel", collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.1, 0.0], velocity = [0.1, 0.0, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)),
    bar = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.2, thickness = 0.2), solidMaterial = "Aluminium")),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar, axis = 3, phi = Var(init = 0.2), w = Var(init = 0.0)),
    spring = SpringDamperPtP(obj1 = :world, obj2 = :ball, springForceLaw = 5.0, nominalLength = 0.1))
pair = @instantiateModel(Pair, unitless = true)
simulate!(pair, stopTime = 0.3, tolerance = 1e-4, logStates = true)
