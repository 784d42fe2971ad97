// Readers of elements: each turns one evaluated dictionary into what a part holds.
#pragma once

#include "parts/read.h"

typedef sg_status sg_element_reader(sg_part *part, const sg_part_element *element);

#define SG_ELEMENT(name, reader) sg_element_reader reader;
#include "parts/elements_list.h"
#undef SG_ELEMENT

// Reads a feature (scene.c, solid.c).
void sg_read_scene(sg_reader *r);
void sg_read_solid(sg_reader *r, sg_mass *mass);
