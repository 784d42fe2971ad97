// A part with its accelerations held: what implicit methods differentiate (sim/trees.h).
#pragma once

#include "model3d/model3d.h"
#include "sim/trees.h"

// The part, once coupled, as a tree.
sg_sim_tree sg_part_tree(const sg_part *part);
// Its functions while it is held.
sg_status sg_part_evaluate_held(const struct sg_part_state *s, sg_part_function kind,
                                const sg_extern_call *call);
