// SG_3D(name, path, unknown, required, optional): name of the function and of its object; whether
// the object gets its path; what an unknown keyword is; keywords separated by blanks.
SG_3D(Object3D, true, WARN, "",
      "parent fixedToParent translation rotation velocity angularVelocity feature lockable "
      "assemblyRoot angularVelocityResolvedInParent")
SG_3D(Scene, false, FAIL, "",
      "gravityField useOptimizedStructure enableContactDetection islands threads mprTolerance "
      "mprIterMax "
      "elasticContactReductionFactor maximumContactDamping gap enableVisualization animationFile "
      "provideAnimationHistory visualizeFrames visualizeBoundingBox visualizeContactPoints "
      "visualizeSupportPoints nominalLength defaultFrameLength nVisualContSupPoints "
      "defaultContactSphereDiameter cameraDistance cameraLongitude cameraLatitude lightDistance "
      "lightLongitude lightLatitude compatibility provideAnimationData balance zeroCrossings nz "
      "attachSpeed attachAngularSpeed reactions loops restitution flatContact "
      "friction")
SG_3D(UniformGravityField, false, FAIL, "", "g n")
SG_3D(NoGravityField, false, FAIL, "", "")
SG_3D(PointGravityField, false, FAIL, "", "mass mue")
SG_3D(Solid, false, FAIL, "",
      "shape solidMaterial massProperties collision contactMaterial collisionSmoothingRadius "
      "visualMaterial contactSphereRadius collidable visualMaterialConvexDecomposition "
      "collisionGroups collidesWith")
SG_3D(Visual, false, FAIL, "", "shape visualMaterial")
SG_3D(MassProperties, false, FAIL, "", "mass centerOfMass Ixx Iyy Izz Ixy Ixz Iyz")
SG_3D(MassPropertiesFromShape, false, FAIL, "", "")
SG_3D(MassPropertiesFromShapeAndMass, false, FAIL, "mass", "")
#define SG_SHAPE(NAME, name, Constructor, keywords) SG_3D(Constructor, false, FAIL, "", keywords)
#include "segue/shape_list.h"
SG_3D(CoordinateSystem, false, FAIL, "", "length")
SG_3D(Grid, false, FAIL, "", "axis length width distance lineWidth")
SG_3D(SpringShape, false, FAIL, "", "axis length diameter wireDiameter windings")
SG_3D(GearWheel, false, FAIL, "", "axis diameter length innerDiameter rootDiameter angle teeth")
SG_3D(TextShape, false, FAIL, "", "text font offset axisAlignment alignment")
SG_3D(Font, false, FAIL, "", "fontFamily bold italic charSize color transparency")
SG_3D(ModelicaShape, false, FAIL, "", "type lengthX lengthY lengthZ extra")
SG_3D(VisualMaterial, false, FAIL, "",
      "color wireframe transparency reflectslight shininess shadowMask")
SG_3D(SolidMaterial, false, FAIL, "",
      "density YoungsModulus PoissonsRatio meltingPoint specificHeatCapacity thermalConductivity "
      "linearThermalExpansionCoefficient")
SG_3D(Fix, true, FAIL, "obj1 obj2", "translation rotation")
#define SG_TIE(KIND, name, Constructor, required, optional)                                        \
    SG_3D(Constructor, true, FAIL, "obj1 obj2" required, optional)
#define SG_TIE_OF_JOINT(KIND, name, Constructor)
#include "multibody/ties_list.h"
#undef SG_TIE
#undef SG_TIE_OF_JOINT
SG_3D(Free, true, FAIL, "obj1 obj2", "translation rotation velocity angularVelocity")
SG_3D(Bushing, true, FAIL, "obj1 obj2",
      "nominalForce springForceLaw damperForceLaw nominalTorque rotSpringForceLaw "
      "rotDamperForceLaw largeAngles")
SG_3D(SpringDamperPtP, true, FAIL, "obj1 obj2",
      "nominalLength nominalForce springForceLaw damperForceLaw")
SG_3D(WorldForce, true, FAIL, "objectApply", "forceFunction objectCoord")
SG_3D(WorldTorque, true, FAIL, "objectApply", "torqueFunction objectCoord")
SG_3D(PolygonalContactModel, true, FAIL, "obj1 obj2",
      "task surfaceE_FlipFaces surfaceF_FlipFaces bodyE_YoungsModulus bodyF_YoungsModulus "
      "bodyE_PoissonsRatio bodyF_PoissonsRatio bodyE_LayerDepth bodyF_LayerDepth maxPenetration "
      "expansionDampingMode compressionArealDampingFactor expansionArealDampingFactor "
      "dampingTransitionMode dampingTransitionDepth frictionCoefficient "
      "frictionRegularizationVelocity")
SG_3D(SensorResult, true, FAIL, "object", "objectOrigin objectCoordinateRef objectObserveRef")
SG_3D(ContactLaw, true, FAIL, "object1 object2 law", "")
SG_3D(NoContact, true, FAIL, "object1 object2", "")
SG_3D(ContactResult, true, FAIL, "object1 object2", "objectCoordinateRef outlineCorners")
SG_3D(DistanceResult, true, FAIL, "object1 object2", "objectCoordinateRef")
SG_3D(ModelActions, true, FAIL, "world actions", "startTime closesLoops")
