// SG_SHAPE(NAME, name, Constructor, keywords): the shapes of bodies, one a line. A new one is a
// line here and a file of src/shapes with the table sg_form_name (shapes/shape_form.h), which
// holds all that a shape is asked for. The order is that of sg_shape_kind, so new ones come last.
// Define SG_SHAPE before including this; without it the list says nothing.
#ifndef SG_SHAPE
#define SG_SHAPE(NAME, name, Constructor, keywords)
#endif

SG_SHAPE(SPHERE, sphere, Sphere, "diameter")
SG_SHAPE(BOX, box, Box, "lengthX lengthY lengthZ")
SG_SHAPE(ELLIPSOID, ellipsoid, Ellipsoid, "lengthX lengthY lengthZ")
SG_SHAPE(CAPSULE, capsule, Capsule, "axis diameter length")
SG_SHAPE(CYLINDER, cylinder, Cylinder, "axis diameter length innerDiameter")
SG_SHAPE(CONE, cone, Cone, "axis diameter length topDiameter")
SG_SHAPE(BEAM, beam, Beam, "axis length width thickness")
SG_SHAPE(MESH, mesh, FileMesh,
         "filename scale useMaterialColor doubleSided smoothNormals convexPartition")
SG_SHAPE(SUPERELLIPSOID, superellipsoid, Superellipsoid, "lengthX lengthY lengthZ e1 e2")

#undef SG_SHAPE
