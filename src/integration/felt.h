// How large are the states that a state feels?
//
// Rounding of a large state is noise in what depends on it, directly or through others, and in
// nothing else: a current of 1e-12 A beside a pressure of 1e5 Pa is exact if no equation connects
// them.
#pragma once

struct sg_integration;

// out[i] becomes the largest of `sizes` of the states that the derivative of state i depends on,
// itself among them; the largest of all where nobody knows what depends on what.
void sg_felt_sizes(const struct sg_integration *g, const double *sizes, double *out);
