# Every shape that the page draws, in rows, above a grid; nothing here moves but the gear wheel.
using Modia3D

paint(color; transparency = 0.0, wireframe = false, reflectslight = true, shininess = 0.7) =
    VisualMaterial(color = color, transparency = transparency, wireframe = wireframe, reflectslight = reflectslight, shininess = shininess)
seen(shape, look) = Visual(shape = shape, visualMaterial = look)

Shapes = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0, 0, -1]))),
    floor = Object3D(parent = :world, translation = [0.0, 0.0, -0.2], feature = seen(Grid(axis = 3, length = 6.0, width = 4.0, distance = 0.5), paint("SteelBlue"))),
    ball = Object3D(parent = :world, translation = [-2.0, -1.2, 0.3], feature = seen(Sphere(diameter = 0.6), paint("Red", shininess = 1.0))),
    egg = Object3D(parent = :world, translation = [-1.0, -1.2, 0.3], feature = seen(Ellipsoid(lengthX = 0.7, lengthY = 0.4, lengthZ = 0.5), paint("Gold"))),
    brick = Object3D(parent = :world, translation = [0.0, -1.2, 0.3], rotation = [0.0, 0.0, 0.4], feature = seen(Box(lengthX = 0.6, lengthY = 0.3, lengthZ = 0.4), paint("OrangeRed", shininess = 0.0))),
    rod = Object3D(parent = :world, translation = [1.0, -1.2, 0.3], feature = seen(Cylinder(axis = 1, diameter = 0.3, length = 0.7), paint("Teal"))),
    pipe = Object3D(parent = :world, translation = [2.0, -1.2, 0.3], feature = seen(Cylinder(axis = 2, diameter = 0.5, length = 0.6, innerDiameter = 0.35), paint("SlateGray"))),
    cone = Object3D(parent = :world, translation = [-2.0, 0.0, 0.0], feature = seen(Cone(axis = 3, diameter = 0.5, length = 0.6), paint("ForestGreen"))),
    frustum = Object3D(parent = :world, translation = [-1.0, 0.0, 0.0], feature = seen(Cone(axis = 3, diameter = 0.6, length = 0.5, topDiameter = 0.3), paint("OliveDrab"))),
    capsule = Object3D(parent = :world, translation = [0.0, 0.0, 0.3], feature = seen(Capsule(axis = 1, diameter = 0.3, length = 0.4), paint("MediumPurple"))),
    beam = Object3D(parent = :world, translation = [1.0, 0.0, 0.3], feature = seen(Beam(axis = 1, length = 0.5, width = 0.25, thickness = 0.1), paint("Chocolate"))),
    spring = Object3D(parent = :world, translation = [2.0, 0.0, 0.0], feature = seen(SpringShape(axis = 3, length = 0.7, diameter = 0.4, wireDiameter = 0.06, windings = 6), paint("DimGray", shininess = 1.0))),
    gearPlace = Object3D(parent = :world, translation = [-2.0, 1.2, 0.35]),
    shaft = Object3D(feature = Solid(shape = Cylinder(axis = 2, diameter = 0.2, length = 0.4), solidMaterial = "Steel", visualMaterial = paint("LightGray"))),
    gear = Object3D(parent = :shaft, feature = seen(GearWheel(axis = 2, diameter = 0.7, length = 0.2, innerDiameter = 0.2, rootDiameter = 0.58, teeth = 18, angle = 0.3), paint("Goldenrod"))),
    turns = Revolute(obj1 = :gearPlace, obj2 = :shaft, axis = 2, w = Var(init = 1.0)),
    frame = Object3D(parent = :world, translation = [-1.0, 1.2, 0.0], feature = Visual(shape = CoordinateSystem(length = 0.5))),
    glass = Object3D(parent = :world, translation = [0.0, 1.2, 0.3], feature = seen(Sphere(diameter = 0.6), paint("DeepSkyBlue", transparency = 0.6))),
    inside = Object3D(parent = :world, translation = [0.0, 1.2, 0.3], feature = seen(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), paint("Tomato"))),
    wires = Object3D(parent = :world, translation = [1.0, 1.2, 0.3], feature = seen(Sphere(diameter = 0.6), paint("Black", wireframe = true))),
    plain = Object3D(parent = :world, translation = [2.0, 1.2, 0.3], feature = seen(Sphere(diameter = 0.6), paint("HotPink", reflectslight = false))),
    label = Object3D(parent = :world, translation = [0.0, 0.0, 1.1], feature = Visual(shape = TextShape(text = "<b>not bold</b>", font = Font(charSize = 0.2, color = "DarkBlue")))),
    ground = Object3D(parent = :world, translation = [0.0, -1.8, -0.19], feature = Visual(shape = TextShape(text = "every shape", axisAlignment = Modia3D.XY_Plane, font = Font(charSize = 0.3, color = "Gray", bold = true)))),
    bracket = Object3D(parent = :world, translation = [2.6, 0.4, 0.0], feature = seen(ModelicaShape(type = 9, lengthX = 0.4, lengthZ = 0.5, extra = [0.3, 0.0, 0.0]), paint("Sienna")))
)
shapes = @instantiateModel(Shapes, unitless = true)
simulate!(shapes, stopTime = 2.0, interval = 0.02)
