// SG_ELEMENT(constructor, reader): the kinds of elements that a Model3D part may hold. A new kind
// is a file with its reader and a line here.
SG_ELEMENT(Object3D, sg_read_object3d)
SG_ELEMENT(Fix, sg_read_fix)
SG_ELEMENT(Free, sg_read_free)
SG_ELEMENT(Revolute, sg_read_joint)
SG_ELEMENT(RevoluteWithFlange, sg_read_joint)
SG_ELEMENT(Prismatic, sg_read_joint)
SG_ELEMENT(PrismaticWithFlange, sg_read_joint)
SG_ELEMENT(FreeMotion, sg_read_joint)
SG_ELEMENT(FreeMotion2, sg_read_joint)
