// SG_ELEMENT(constructor, reader): the kinds of elements that a Model3D part may hold. A new kind
// is a file with its reader and a line here.
SG_ELEMENT(Object3D, sg_read_object3d)
SG_ELEMENT(Fix, sg_read_fix)
SG_ELEMENT(Free, sg_read_free)
#define SG_TIE(KIND, name, Constructor, required, optional) SG_ELEMENT(Constructor, sg_read_tie)
#define SG_TIE_OF_JOINT(KIND, name, Constructor)
#include "multibody/ties_list.h"
#undef SG_TIE
#undef SG_TIE_OF_JOINT
#define SG_JOINT(Constructor, ...) SG_ELEMENT(Constructor, sg_read_joint)
#include "parts/joints_list.h"
#undef SG_JOINT
SG_ELEMENT(WorldForce, sg_read_world_force)
SG_ELEMENT(WorldTorque, sg_read_world_torque)
SG_ELEMENT(Bushing, sg_read_bushing)
SG_ELEMENT(SpringDamperPtP, sg_read_spring)
SG_ELEMENT(SensorResult, sg_read_sensor)
SG_ELEMENT(ContactLaw, sg_read_contact_law)
SG_ELEMENT(NoContact, sg_read_no_contact)
SG_ELEMENT(ContactResult, sg_read_contact_result)
SG_ELEMENT(DistanceResult, sg_read_distance_result)
SG_ELEMENT(PolygonalContactModel, sg_read_polygonal_contact)
SG_ELEMENT(ModelActions, sg_read_actions)
