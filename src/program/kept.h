// Room for what evaluations leave behind; see sg_exec_keep.
#pragma once

#include "program/exec.h"

// At the end of linking. False when memory ran out.
bool sg_link_kept(sg_exec *exec);
