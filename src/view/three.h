// Animations as files of three.js ("JSON Object Scene format 4"), which its editor and many pages
// read.
//
// Every visual becomes a direct child of the scene with its pose in the world, which is also the
// simplest right thing when parents change during a run. The clip "Simulation" holds a track for
// position and one for orientation of each; one that never changes has a single key. Tracks name
// their object by uuid, since three.js cannot read names with brackets there. uuids are made from
// names, so the same run gives the same bytes.
//
// Written piece by piece: memory does not grow with the number of frames. components3d.md 11.3 to
// 11.5, formats.md 1.
#pragma once

#include "base/diags.h"
#include "view/animation.h"

// The file appears complete or not at all. Shapes that the format has no place for are left out
// with one warning a kind. SG_ERR_IO after reporting at `span` that it cannot be written.
sg_status sg_three_write(const sg_animation *animation, const char *path, sg_span span,
                         sg_diags *diags);
