// Runge-Kutta coefficients: Debian's ARKODE has no table for Tsit5, classic RK4 and the plain
// low-order methods, so those are ours; the others are taken from it.
#pragma once

#include "solver/methods.h"

#include <arkode/arkode.h> // before the next, which uses FILE without including it
#include <arkode/arkode_butcher.h>

// The caller frees it with ARKodeButcherTable_Free. Null when memory runs out.
ARKodeButcherTable sg_table_load(sg_table table);
