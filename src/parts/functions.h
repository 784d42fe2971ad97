// Functions of 3D parts for scripts, under the name Modia3D: measuring frames and pushing them, for
// the functions of force elements (components3d.md 9.1), and what shapes and solids weigh (14).
#pragma once

#include "parts/host.h"
#include "vm/vm.h"

// All are false when memory ran out.
bool sg_parts_register_measures(sg_vm *vm, sg_module *module, sg_part_host *host);
// volume, centroid, inertiaMatrix, massProperties, supportPoint, boundingBox (shape_functions.c).
bool sg_parts_register_shapes(sg_vm *vm, sg_module *module, sg_part_host *host);
// Names that models of later steps use; a call says that it is not supported yet (unsupported.c).
bool sg_parts_register_later(sg_vm *vm, sg_module *module);
// Defines Modia3D.Composition: objects and joints that a script puts together and moves itself
// (by_hand.h). Lets Object3D, Revolute, Prismatic and Fix of Modia3D take such objects, too, so the
// ones of models must be registered before.
bool sg_parts_register_by_hand(sg_vm *vm, sg_module *modia3d, sg_part_host *host);
// The part that the last initAnalysis! made of an object's world; null for anything else.
struct sg_part *sg_by_hand_part(sg_value value);
