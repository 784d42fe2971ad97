// 3D parts in the session: the functions that Model3D names, and those that its equations call.
#pragma once

#include "vm/exec.h"
#include "vm/value.h"

// The function of the numeric program behind a value that an equation calls; false if the value is
// none of a 3D part.
bool sg_part_extern(sg_value function, sg_extern *out);
