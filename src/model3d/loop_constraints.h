// Loops whose constraints are equations of the solver: what sg_sim_constraints asks of one part.
//
// The stabilized form of Gear, Leimkuhler and Gupta, [Neumayr-thesis] equation 2.4, in the
// coordinates of the tree:
//     0 = der(q) - v + transpose(G) mu
//     0 = der(v) - a(q, v, t, lambda)      forward dynamics with the forces lambda
//     0 = G v,  0 = g
// Coordinates that are no states, as those of prescribed motion, get no mu. The angle of a cut
// joint and its speed are functions of q and v; here they are found as such, since integrated by
// themselves they would drift away.
#pragma once

#include "integration/model.h"
#include "model3d/model3d.h"

// Whether the part has loops in this segment that may be treated so; how many rows at most.
bool sg_part_constrains(const sg_part *part);
uint32_t sg_part_most_constraints(const sg_part *part);
// ... and how many there are since the last beginning.
uint32_t sg_part_n_constraints(const sg_part *part);

// The functions of sg_sim_constraints, each for the rows of this part alone.
uint32_t sg_part_begin_constraints(const sg_part *part, const struct sg_compiled *compiled,
                                   bool *differential);
void sg_part_constraint_forces(const sg_part *part, double *lambda);
void sg_part_constraint_sizes(const sg_part *part, double *lambda, double *mu);
void sg_part_impose(const sg_part *part, const double *lambda);
void sg_part_constraint_residuals(const sg_part *part, const double *x, const double *mu, double *r,
                                  double *rate, double *gap);
void sg_part_constraint_accelerations(const sg_part *part, double *out);
bool sg_part_constraints_near(const sg_part *part);
// Another number when other rows were chosen at a beginning.
uint64_t sg_part_constraints_chosen(const sg_part *part);
sg_status sg_part_look_at_constraints(sg_part *part, struct sg_compiled *compiled,
                                      sg_events *events, double t, double *x,
                                      sg_constraint_outlook *out);
