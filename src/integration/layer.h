// What is over before time can tell: the first instants behind a restart.
//
// A step of 5 V on a capacitor behind a bare exponential diode has a current of 1e72 A: within
// 1e-16 s, the last digit of time at 0.5 s, the voltage goes from 0 to 3.8 V, and a Newton method
// that begins where the step does needs 200 iterations. But nothing is wrong with such a model, and
// its solution is soon the same wherever it began. So where a solver cannot take its first step,
// the time behind the restart is counted from there, by a method that needs no iterations and takes
// steps as short as 1e-300 s: extrapolated linearly implicit Euler steps (SEULEX), with the
// tolerances of the run, until steps can be told from time again. The solver goes on from there.
//
// Ref: Hairer and Wanner 1996, section IV.9.
#pragma once

#include "integration/integration.h"

// Behind a restart: would the first step of a solver lose the states it begins with?
bool sg_layer_is_ahead(sg_integration *g, double t_stop);
// There, or after a solver failed within what is hardly any time behind its restart: goes through
// the layer, not beyond t_stop, and restarts it there. False if it cannot, or nothing changes so
// quickly that this was the reason; then nothing has changed.
bool sg_layer_pass(sg_integration *g, double t_stop);
