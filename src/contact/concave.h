// Where a concave function is positive: slices of a convex region are, in how wide they are.
#pragma once

#include <stdbool.h>

// A place between x[0] < x[1] < x[2] where f is positive, if it is not at any of the three, where
// it is y; false if there is none. It may be minus infinity where it is not defined, on one side of
// the place at least. x and y are changed.
bool sg_concave_find(double (*f)(const void *of, double x), const void *of, double x[3],
                     double y[3], double *out);
