// Structural changes: what an action does to the records of a part, between two segments.
//
// Nothing is undone or patched in the tree itself. A change writes other parents, places, masses
// and free motions to the records, and the next segment is built from these as the first one was.
// What a joint connects stays connected: where a chain is flipped, its other end is fixed and the
// links are connected again, which turns around what must be (multibody/connect.h).
//
// All poses and velocities are those of the last evaluation. components3d.md 10.4 and 10.5.
#pragma once

#include "actions/actions.h"

// Which assembly each object belongs to; once a run, when the first tree is there.
void sg_part_find_assemblies(sg_part *part);

// The object of an assembly that something else carries: its root, but where a chain was turned
// around. Of an object without an assembly itself.
int sg_part_carried_object(const sg_part *part, int object);

// Makes the change, or says why not: SG_ERR_ACTION, and nothing is changed. `refused` is why the
// impulse that it asks for was not possible, or null. With the switch
// attach-distance the published program goes on after a warning; then nothing is changed, either.
sg_status sg_part_restructure(sg_part *part, const sg_action *action, const char *refused,
                              double time);
