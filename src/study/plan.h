// Which values the variables of a study take in run i.
//
// Everything follows from the text of the plan and from its seed: draws are no stream of random
// numbers but a function of seed, variable and run, so that any run can be made by anybody. Latin
// hypercubes need a permutation a variable, which is drawn when the plan is made.
#pragma once

#include "base/arena.h"
#include "segue/diag.h"
#include "segue/status.h"

typedef enum sg_spread {
    SG_SPREAD_LISTED, // values in a list: grid, list, column of a table
    SG_SPREAD_UNIFORM,
    SG_SPREAD_LOGUNIFORM,
    SG_SPREAD_NORMAL,
    SG_SPREAD_LOGNORMAL,
    SG_SPREAD_TRIANGULAR,
} sg_spread;

typedef struct sg_plan_variable {
    const char *name;
    sg_spread spread;
    double p[3];           // of the distribution
    const double *listed;  // values
    size_t n;              // of them
    bool of_table;         // goes along with the other columns of the table
    uint64_t stride;       // so many runs go by before the next value comes
    const uint32_t *order; // of a Latin hypercube: which slice run i is in
    uint32_t dimension;    // among those that are drawn
} sg_plan_variable;

typedef enum sg_sampler {
    SG_SAMPLER_RANDOM,
    SG_SAMPLER_LHS,
    SG_SAMPLER_SOBOL,
    // For indices of sensitivity [Saltelli2010]: n points A, n points B, and for each variable the
    // points of A with that variable's value of B.
    SG_SAMPLER_SALTELLI
} sg_sampler;

typedef struct sg_plan {
    sg_plan_variable *variables;
    size_t n;
    uint64_t runs, seed;
    uint64_t combinations; // of listed values
    uint64_t base;         // points A of sensitivity
    uint32_t dimensions;   // variables that are drawn
    sg_sampler sampler;
} sg_plan;

struct sg_study_options;
sg_status sg_plan_make(sg_arena *arena, const struct sg_study_options *options, sg_diags *diags,
                       sg_plan *out);
double sg_plan_value(const sg_plan *plan, const sg_plan_variable *variable, uint64_t run);
uint64_t sg_plan_seed(const sg_plan *plan, uint64_t run);

// 64 bits that look random, of two numbers.
uint64_t sg_plan_mix(uint64_t a, uint64_t b);
// The number whose standard normal distribution is u, 0 < u < 1, to the last digits.
double sg_plan_normal(double u);

enum { SG_SOBOL_DIMENSIONS = 21 };
// Point i of Sobol's sequence in a dimension from 0, 0 <= x < 1: [Joe-Kuo] direction numbers.
double sg_sobol(uint32_t dimension, uint64_t i);
