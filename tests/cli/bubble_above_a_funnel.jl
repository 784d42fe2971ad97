# Scenario F1, without its run: a bubble of soft skin above a funnel of four faces. Scripts copy the shared meshes beside it.
using Modia3D
Fall = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    funnel = Object3D(parent = :world, feature = Solid(shape = FileMesh(filename = "funnel.obj", doubleSided = true),
                                                       massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    bubble = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 1.0], rotation = [-30, 15, 0]*u"°",
                      feature = Solid(shape = FileMesh(filename = "bubble.obj"), massProperties = MassProperties(mass = 2.0, Ixx = 0.02, Iyy = 0.01, Izz = 0.02))),
    contact = PolygonalContactModel(obj1 = :funnel, obj2 = :bubble, task = 3,
                                    bodyF_YoungsModulus = 5500.0, bodyF_PoissonsRatio = 0.4, bodyF_LayerDepth = 0.01, maxPenetration = 0.05,
                                    compressionArealDampingFactor = 500.0, expansionArealDampingFactor = 500.0, expansionDampingMode = 1,
                                    dampingTransitionMode = 0, dampingTransitionDepth = 0.001,
                                    frictionCoefficient = 0.25, frictionRegularizationVelocity = 0.0005))
fall = @instantiateModel(Fall, unitless = true)
