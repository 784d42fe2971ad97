// 3D parts in the session: the functions that Model3D names, and those that its equations call.
#pragma once

#include "natives/model_object.h"
#include "program/exec.h"
#include "vm/value.h"

// The function of the numeric program behind a value that an equation calls; false if the value is
// none of a 3D part.
bool sg_part_extern(sg_value function, sg_extern *out);

// Between instantiation and translation: the functions of 3D parts that only a rewritten block
// calls become known to the flat model. False when memory ran out.
bool sg_parts_prepare(sg_model_object *m);
// After translation: what implicit methods ask the parts (sim/trees.h).
bool sg_parts_trees(sg_model_object *m);
// After translation failed: what joints may have to do with it.
void sg_parts_explain(const sg_model_object *m);
// Of sg_compile_options: blocks that a part solves better itself (parts/inside.h).
void sg_parts_rewrite(void *model, sg_exprs *exprs, sg_blocks *blocks, sg_arena *arena, bool first);
