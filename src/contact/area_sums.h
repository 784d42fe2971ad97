// What is summed over the points of a patch (contact/area.h): first pressure alone, piece by piece
// as they are found, then damping and what friction needs to know.
//
// Points are summed by twos, so a sum is that of its even points and that of its odd ones.
#pragma once

#include "contact/area.h"

// An evaluation that is under way.
typedef struct sg_area_pressing {
    sg_area_work *work;
    const sg_area_law *law;
    const sg_area_place *place;
    sg_area_patch *out;
    double least; // pressure that rounding makes [Pa]; it is added where directions are measured
    sg_vec3 v, w; // how A moves against B at the origin
    sg_area_sums sums; // over what presses
    double closed;     // sum of speeds of approach over the area,
    sg_vec3 drawn;     // and of these times x
    sg_bend bend;      // of the piece
} sg_area_pressing;

// Puts an evaluation of two bodies up.
sg_area_pressing sg_area_pressing_make(sg_area_work *work, const sg_area_law *law,
                                       const sg_area_place place[2], sg_area_patch *out);
// Behind all pieces: damping, and how pressure is spread. False where nothing presses.
bool sg_area_finish(sg_area_pressing *s);
