// The shape of a public description, as the rooms below know it.
#pragma once

#include "segue/distance.h"
#include "shapes/shape_form.h"

#include <string.h>

// For a kind and an axis that exist; a mesh has no sizes.
static inline sg_solid_size sg_solid_of_spec(const sg_shape_spec *spec)
{
    _Static_assert(sizeof spec->size == sizeof(double) * SG_SHAPE_SIZES, "the same sizes");
    sg_solid_size solid = {.kind = (sg_shape_kind)spec->kind,
                           .axis = spec->axis == 0 ? 2 : spec->axis - 1,
                           .base = spec->base};
    memcpy(solid.size, spec->size, sizeof solid.size);
    return solid;
}
