# A peanut falls into a funnel, tumbles and comes to rest: pressure over areas instead of contact points.
#
# PolygonalContactModel presses every face of the peanut (the base) that lies behind a face of the funnel (the target) by its depth,
# with damping and friction. Neither of the two is convex. At rest the funnel carries the weight.
using Modia3D

Fall = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    funnel = Object3D(parent = :world, feature = Solid(shape = FileMesh(filename = "meshes/funnel.obj", doubleSided = true),
                                                       massProperties = MassProperties(mass = 1.0),
                                                       visualMaterial = VisualMaterial(color = "LightSteelBlue", transparency = 0.4))),
    peanut = Object3D(parent = :world, fixedToParent = false, translation = [0.05, 0.02, 0.6], rotation = [-30, 15, 0]*u"°",
                      feature = Solid(shape = FileMesh(filename = "meshes/peanut.obj"), massProperties = 0.5,
                                      visualMaterial = VisualMaterial(color = "Peru"))),
    contact = PolygonalContactModel(obj1 = :funnel, obj2 = :peanut, task = 3,
                                    bodyF_YoungsModulus = 2e4, bodyF_PoissonsRatio = 0.4, bodyF_LayerDepth = 0.01, maxPenetration = 0.02,
                                    compressionArealDampingFactor = 2e4, expansionDampingMode = 1,
                                    frictionCoefficient = 0.25, frictionRegularizationVelocity = 1e-3))
fall = @instantiateModel(Fall, unitless = true)
simulate!(fall, stopTime = 4.0, tolerance = 1e-6, interval = 0.01)

area, force = getValues(fall, "contact.contactPatchArea"), getValues(fall, "contact.forceVector")
println("at rest the funnel carries ", round(force[end, 3], digits = 3), " N of ", round(0.5*9.81, digits = 3), " N over ",
        round(1e4*area[end], digits = 1), " cm2; the deepest penetration was ",
        round(1000*maximum(getValues(fall, "contact.maxPenetration")), digits = 1), " mm")
