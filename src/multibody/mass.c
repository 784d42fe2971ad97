#include "multibody/mass.h"

#include "math/dense.h"

#include <float.h>

// Principal moments are compared up to this part of the largest one: published inertias of flat
// parts, where two moments add up to the third, are rounded to some digits.
#define INERTIA_SLACK 1e-6

sg_status sg_mass_of_solid(const sg_solid_size *s, double m, sg_mass *out, double *volume,
                           const char **why)
{
    *why = sg_solid_check(s);
    if (!*why && !(m >= 0.0 && isfinite(m)))
        *why = "the mass must be at least 0 and finite";
    if (*why)
        return SG_ERR_INPUT;
    *out = (sg_mass){.m = m};
    sg_shape_forms[s->kind]->mass(s, m, out, volume);
    return SG_OK;
}

static const char *check_inertia(const sg_mass *mass)
{
    const double(*I)[3] = mass->I_CM.m;
    double l[3], axes[3][3], largest = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (!isfinite(I[i][j]))
                return "the inertia is not finite";
            largest = fmax(largest, fabs(I[i][j]));
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (fabs(I[i][j] - I[j][i]) > 8.0 * DBL_EPSILON * largest)
                return "the inertia is not symmetric";
    sg_symmetric_eigen3(I, l, axes);
    if (l[0] < -INERTIA_SLACK * largest)
        return "a principal moment of inertia is negative";
    return NULL;
}

const char *sg_mass_oddity(const sg_mass *mass)
{
    const double(*I)[3] = mass->I_CM.m;
    double l[3], axes[3][3], largest = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            largest = fmax(largest, fabs(I[i][j]));
    if (mass->m == 0.0 && largest > 0.0)
        return "the inertia is not zero, but the mass is";
    sg_symmetric_eigen3(I, l, axes);
    if (l[0] + l[1] < l[2] - INERTIA_SLACK * largest)
        return "the inertia violates the triangle inequality: a principal moment is larger than "
               "the sum of the two others";
    return NULL;
}

sg_status sg_mass_check(const sg_mass *mass, const char **why)
{
    *why = NULL;
    if (!isfinite(mass->m))
        *why = "the mass is not finite";
    else if (mass->m < 0.0)
        *why = "the mass is negative";
    else if (!v3_is_finite(mass->c))
        *why = "the center of mass is not finite";
    else
        *why = check_inertia(mass);
    return *why ? SG_ERR_INPUT : SG_OK;
}
