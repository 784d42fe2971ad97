# Scenarios B2 and B3: mass, center and inertia of every shape, from density, from mass, or given.
using Modia3D
using Test

near(a, b) = maximum(abs.(a .- b)) <= 1e-8*maximum(abs.(b))
diagonal(x, y, z) = [x 0.0 0.0; 0.0 y 0.0; 0.0 0.0 z]

# Mass properties of a solid against mass, center and principal moments.
function check(solid, mass, center, moments)
    (m, c, I) = Modia3D.massProperties(solid)
    @test near(m, mass)
    @test maximum(abs.(c - center)) < 1e-6
    @test near(I, diagonal(moments[1], moments[2], moments[3]))
end
origin = [0.0, 0.0, 0.0]

# B2: closed forms.
@test near(Modia3D.volume(Sphere(diameter = 4.0)), 4/3*pi*2.0^3)
@test near(Modia3D.inertiaMatrix(Sphere(diameter = 4.0), 3.0), diagonal(4.8, 4.8, 4.8))
@test near(Modia3D.volume(Ellipsoid(lengthX = 2.0, lengthY = 4.0, lengthZ = 6.0)), 4/3*pi*6.0)
@test near(Modia3D.inertiaMatrix(Ellipsoid(lengthX = 2.0, lengthY = 4.0, lengthZ = 6.0), 4.0), diagonal(4/5*13, 4/5*10, 4/5*5))
box = Box(lengthX = 1.0, lengthY = 2.0, lengthZ = 3.0u"m")
@test near(Modia3D.volume(box), 6.0)
check(Solid(shape = box, solidMaterial = "Aluminium"), 16200.0, origin, 16200/12*[13.0, 10.0, 5.0])
check(Solid(shape = box, solidMaterial = SolidMaterial(density = 2700.0)), 16200.0, origin, 16200/12*[13.0, 10.0, 5.0])
check(Solid(shape = box, massProperties = "Aluminium"), 16200.0, origin, 16200/12*[13.0, 10.0, 5.0])
check(Solid(shape = box, massProperties = 12.0), 12.0, origin, [13.0, 10.0, 5.0])
check(Solid(shape = box, solidMaterial = "Steel", massProperties = MassPropertiesFromShape()), 48000.0, origin, 4000*[13.0, 10.0, 5.0])
(m, c, I) = Modia3D.massProperties(Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [1, 2, 3],
                                                                        Ixx = 5.0, Iyy = 6.0, Izz = 7.0, Ixy = 1.0, Ixz = 2.0, Iyz = 3.0)))
@test m == 2.0 && c == [1.0, 2.0, 3.0] && I == [5.0 1.0 2.0; 1.0 6.0 3.0; 2.0 3.0 7.0]

# B3: the catalogue.
check(Solid(shape = Sphere(diameter = 0.5), solidMaterial = "Steel"), 523.598776, origin, 13.0899694*[1, 1, 1])
check(Solid(shape = Ellipsoid(lengthX = 0.6, lengthY = 0.9, lengthZ = 0.3), solidMaterial = "DryWood"), 59.3761012, origin,
      [2.67192455, 1.33596228, 3.47350192])
check(Solid(shape = Box(lengthX = 0.9, lengthY = 0.5, lengthZ = 0.3), solidMaterial = "Steel"), 1080.0, origin, [30.6, 81.0, 95.4])
check(Solid(shape = Cylinder(diameter = 0.5, length = 0.8), solidMaterial = "Steel"), 1256.63706, origin,
      [86.6555974, 86.6555974, 39.2699082])
check(Solid(shape = Cone(diameter = 0.3, length = 0.7), solidMaterial = "Steel"), 131.946891, [0.0, 0.0, 0.175],
      [2.86984489, 2.86984489, 0.890641517])
check(Solid(shape = Cone(diameter = 0.3, topDiameter = 0.15, length = 0.7), solidMaterial = "Steel"), 230.90706, [0.0, 0.0, 0.275],
      [9.26205328, 9.26205328, 1.72561794])
check(Solid(shape = Capsule(diameter = 0.4, length = 0.45), massProperties = MassPropertiesFromShapeAndMass(mass = 4.5)), 4.5, origin,
      [0.244007267, 0.244007267, 0.0833023256])
check(Solid(shape = Beam(axis = 1, length = 0.4, width = 0.5, thickness = 0.3), solidMaterial = "Steel"), 951.238898, origin,
      [24.4973995, 59.7469554, 69.9757715])

# All of them, and what is only seen, in one scene.
steel(shape) = Solid(shape = shape, solidMaterial = "Steel", visualMaterial = VisualMaterial(color = "Sea Green", transparency = 0.3, shadowMask = Modia3D.CastsShadows))
seen(shape) = Visual(shape = shape, visualMaterial = "RedTransparent")
Catalogue = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0, 0, -1]))),
    sphere = Object3D(parent = :world, feature = steel(Sphere(diameter = 0.5))),
    ellipsoid = Object3D(parent = :world, fixedToParent = false, feature = steel(Ellipsoid(lengthX = 0.6, lengthY = 0.9, lengthZ = 0.3))),
    cylinder = Object3D(parent = :ellipsoid, feature = steel(Cylinder(axis = 2))),
    pipe = Object3D(parent = :world, feature = Solid(shape = Cylinder(innerDiameter = 0.9), massProperties = MassProperties(mass = 2.0))),
    cone = Object3D(parent = :world, feature = steel(Cone(axis = 1))),
    capsule = Object3D(parent = :world, feature = steel(Capsule())),
    beam = Object3D(parent = :world, feature = steel(Beam())),
    frame = Object3D(parent = :world, feature = seen(CoordinateSystem(length = 0.5))),
    grid = Object3D(parent = :world, feature = seen(Grid(axis = 2, length = 2.0, width = 2.0))),
    spring = Object3D(parent = :world, feature = seen(SpringShape())),
    gear = Object3D(parent = :world, feature = seen(GearWheel())),
    text = Object3D(parent = :world, feature = seen(TextShape(text = "shapes", axisAlignment = Modia3D.XZ_Plane))),
    modelica = Object3D(parent = :world, feature = seen(ModelicaShape(type = 3)))
)
catalogue = @instantiateModel(Catalogue, unitless = true)
simulate!(catalogue, stopTime = 0.0)
@test length(get_xNames(catalogue)) == 12
