#include "multibody/mass.h"

#include "base/number.h"
#include "math/dense.h"

#include <float.h>

// Principal moments are compared up to this part of the largest one: published inertias of flat
// parts, where two moments add up to the third, are rounded to some digits.
#define INERTIA_SLACK 1e-6

// Moments about the axis and about any line across it.
static sg_mat3 about_axis(int axis, double along, double across)
{
    return m3_diagonal(v3_with(v3_make(across, across, across), axis, along));
}

static void cylinder(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double R = 0.5 * s->size[0], L = s->size[1], r = 0.5 * s->size[2];
    double rr = R * R + r * r;
    *volume = SG_PI * (R * R - r * r) * L;
    out->I_CM = about_axis(s->axis, 0.5 * m * rr, m / 12.0 * (3.0 * rr + L * L));
}

// Slices of a frustum are disks: their areas and moments are polynomials of the height. Taking a
// tip from a full cone gives the same but loses all digits where the two diameters are close.
static void cone(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double R = 0.5 * s->size[0], L = s->size[1], r = 0.5 * s->size[2];
    double RR = R * R, Rr = R * r, rr = r * r, sum = RR + Rr + rr;
    double h = 0.25 * L * (RR + 2.0 * Rr + 3.0 * rr) / sum;
    double fourth = (RR * RR + RR * Rr + Rr * Rr + Rr * rr + rr * rr) / sum;
    double along = 0.3 * m * fourth;
    double across = 0.5 * along + m * (0.1 * L * L * (RR + 3.0 * Rr + 6.0 * rr) / sum - h * h);
    *volume = SG_PI / 3.0 * L * sum;
    out->c = v3_scale(v3_axis(s->axis), h);
    out->I_CM = about_axis(s->axis, along, across);
}

static void capsule(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double r = 0.5 * s->size[0], L = s->size[1];
    double V = SG_PI * r * r * L + 4.0 / 3.0 * SG_PI * r * r * r;
    double mc = m / V * SG_PI * r * r * L;             // the cylinder
    double mh = m / V * 2.0 / 3.0 * SG_PI * r * r * r; // a half ball, its center of mass at dc
    double dc = 0.375 * r, ball = 0.4 * mh * r * r;
    double arm = dc + 0.5 * L;
    *volume = V;
    out->I_CM =
        about_axis(s->axis, 0.5 * mc * r * r + 2.0 * ball,
                   mc / 12.0 * (3.0 * r * r + L * L) + 2.0 * (ball + mh * (arm * arm - dc * dc)));
}

static void beam(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double L = s->size[0], W = s->size[1], T = s->size[2];
    double q = 0.5 * W, V = (L * W + SG_PI * q * q) * T;
    double mb = m / V * L * W * T;               // the box
    double mh = m / V * 0.5 * SG_PI * q * q * T; // a half cylinder, its center of mass at dc
    double dc = 4.0 / (3.0 * SG_PI) * q, arm = dc + 0.5 * L;
    double shift = mh * (arm * arm - dc * dc), flat = mh / 12.0 * (3.0 * q * q + T * T);
    double I[3] = {mb / 12.0 * (W * W + T * T) + 2.0 * flat,
                   mb / 12.0 * (T * T + L * L) + 2.0 * (flat + shift),
                   mb / 12.0 * (L * L + W * W) + 2.0 * (0.5 * mh * q * q + shift)};
    // Length, width and thickness lie along the axis and the two that follow it in a circle.
    sg_vec3 d = V3_ZERO;
    for (int i = 0; i < 3; i++)
        d = v3_with(d, (s->axis + i) % 3, I[i]);
    *volume = V;
    out->I_CM = m3_diagonal(d);
}

// Box and ellipsoid: m/k diag(y2 + z2, x2 + z2, x2 + y2).
static sg_mat3 by_lengths(const double *l, double scale)
{
    double x = l[0] * l[0], y = l[1] * l[1], z = l[2] * l[2];
    return m3_diagonal(v3_scale(v3_make(y + z, x + z, x + y), scale));
}

static const char *check_size(const sg_solid_size *s)
{
    static const int n_sizes[] = {1, 3, 3, 2, 2, 2, 3}; // by kind
    // Capsules and beams end in round caps, and have volume without anything between them.
    int middle = s->kind == SG_SHAPE_CAPSULE ? 1 : s->kind == SG_SHAPE_BEAM ? 0 : -1;
    if ((int)s->kind < 0 || s->kind >= SG_SHAPE_MESH)
        return "the shape has no closed form for its mass";
    if (s->axis < 0 || s->axis > 2)
        return "an axis must be 0, 1 or 2";
    for (int i = 0; i < n_sizes[s->kind]; i++)
        if (!(s->size[i] > 0.0 || (i == middle && s->size[i] == 0.0)) || !isfinite(s->size[i]))
            return "a size must be positive and finite";
    if (s->kind == SG_SHAPE_CYLINDER || s->kind == SG_SHAPE_CONE)
        if (!(s->size[2] >= 0.0 && s->size[2] < s->size[0]))
            return "the inner or top diameter must be at least 0 and less than the diameter";
    return NULL;
}

sg_status sg_mass_of_solid(const sg_solid_size *s, double m, sg_mass *out, double *volume,
                           const char **why)
{
    const double *l = s->size;
    *why = check_size(s);
    if (!*why && !(m >= 0.0 && isfinite(m)))
        *why = "the mass must be at least 0 and finite";
    if (*why)
        return SG_ERR_INPUT;
    *out = (sg_mass){.m = m};
    switch (s->kind) {
    case SG_SHAPE_SPHERE:
        *volume = SG_PI / 6.0 * l[0] * l[0] * l[0];
        out->I_CM = m3_scale(M3_IDENTITY, 0.1 * m * l[0] * l[0]);
        break;
    case SG_SHAPE_BOX:
        *volume = l[0] * l[1] * l[2];
        out->I_CM = by_lengths(l, m / 12.0);
        break;
    case SG_SHAPE_ELLIPSOID:
        *volume = SG_PI / 6.0 * l[0] * l[1] * l[2];
        out->I_CM = by_lengths(l, m / 20.0);
        break;
    case SG_SHAPE_CAPSULE:
        capsule(s, m, out, volume);
        break;
    case SG_SHAPE_CYLINDER:
        cylinder(s, m, out, volume);
        break;
    case SG_SHAPE_CONE:
        cone(s, m, out, volume);
        break;
    case SG_SHAPE_BEAM:
        beam(s, m, out, volume);
        break;
    case SG_SHAPE_MESH:
        return SG_ERR_INTERNAL; // check_size refused it
    }
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
