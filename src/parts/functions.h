// Functions of 3D parts for scripts, under the name Modia3D: measuring frames and pushing them, for
// the functions of force elements (components3d.md 9.1), and what shapes and solids weigh (14).
#pragma once

#include "parts/host.h"
#include "vm/vm.h"

// All are false when memory ran out.
bool sg_parts_register_measures(sg_vm *vm, sg_module *module, sg_part_host *host);
// volume, centroid, inertiaMatrix, massProperties, supportPoint, boundingBox (shape_functions.c).
bool sg_parts_register_shapes(sg_vm *vm, sg_module *module, sg_part_host *host);
