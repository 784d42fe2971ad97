// Readers of elements: each turns one evaluated dictionary into what a part holds.
#pragma once

#include "parts/read.h"

typedef sg_status sg_element_reader(sg_part *part, const sg_part_element *element);

#define SG_ELEMENT(name, reader) sg_element_reader reader;
#include "elements/elements_list.h"
#undef SG_ELEMENT

// What the Scene says about pictures (visuals.c).
void sg_read_view(sg_keywords *r);
// Of an Object3D: the switches of its Scene, if it has one (scene.c).
sg_element_reader sg_read_switches;
// Reads the feature of the world (scene.c); those of others are in parts/solid.h.
void sg_read_scene(sg_keywords *r);
