// Inside the solver folder: the solver of many islands behind the functions of solver.h.
#pragma once

#include "solver/islands.h"

typedef struct sg_archipelago sg_archipelago;

void sg_archipelago_destroy(sg_archipelago *all);
sg_status sg_archipelago_restart(sg_archipelago *all, double t, const double *x);
sg_status sg_archipelago_step(sg_archipelago *all, double t_stop, sg_advance *step);
// The event that ended the last step changed nothing that asks for a restart.
sg_status sg_archipelago_go_on(sg_archipelago *all, sg_advance *step);
sg_status sg_archipelago_interpolate(sg_archipelago *all, double t, double *x, double *dx);
// For the solver of each island.
void sg_archipelago_each(sg_archipelago *all, void (*act)(sg_solver *solver));
// All states where the caller stands (sg_solver_show_all).
sg_status sg_archipelago_show_all(sg_archipelago *all, double *x);
void sg_archipelago_pause(sg_archipelago *all, double t);
double sg_archipelago_time(const sg_archipelago *all);
sg_solver_stats sg_archipelago_statistics(const sg_archipelago *all);
double sg_archipelago_last_step(const sg_archipelago *all);
const char *sg_archipelago_message(const sg_archipelago *all);
