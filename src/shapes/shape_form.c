#include "shapes/shape_form.h"

#include "math/scalar.h"

#define SG_SHAPE(NAME, name, Constructor, keywords) extern const sg_shape_form sg_form_##name;
#include "segue/shape_list.h"

const sg_shape_form *const sg_shape_forms[SG_SHAPE_KINDS] = {
#define SG_SHAPE(NAME, name, Constructor, keywords) [SG_SHAPE_##NAME] = &sg_form_##name,
#include "segue/shape_list.h"
};

const char *sg_solid_check(const sg_solid_size *s)
{
    if ((int)s->kind < 0 || s->kind >= SG_SHAPE_KINDS || !sg_shape_forms[s->kind]->mass)
        return "the shape has no closed form for its mass";
    const sg_shape_form *form = sg_shape_forms[s->kind];
    if (s->axis < 0 || s->axis > 2)
        return "an axis must be 0, 1 or 2";
    for (int i = 0; i < form->n_sizes; i++)
        if (!(s->size[i] > 0.0 || (i + 1 == form->may_vanish && s->size[i] == 0.0)) ||
            !isfinite(s->size[i]))
            return "a size must be positive and finite";
    if (form->inner && !(s->size[form->inner] >= 0.0 && s->size[form->inner] < s->size[0]))
        return "the inner or top diameter must be at least 0 and less than the diameter";
    return form->check ? form->check(s->size) : NULL;
}

// ---- sizes --------------------------------------------------------------------------------------

// Sizes beyond this range would overflow or vanish in products of six lengths.
#define SMALLEST_SIZE 1e-40
#define LARGEST_SIZE 1e40

sg_status sg_shape_refuse(const char *text, const char **why)
{
    *why = text;
    return SG_ERR_INPUT;
}

sg_status sg_shape_check_sizes(const double *sizes, int n, const char **why)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(sizes[i]))
            return sg_shape_refuse("a size is not a finite number", why);
        if (sizes[i] <= 0.0)
            return sg_shape_refuse("a size is zero or negative; the shape has no volume", why);
        if (sizes[i] < SMALLEST_SIZE || sizes[i] > LARGEST_SIZE)
            return sg_shape_refuse("a size is outside 1e-40 m to 1e40 m", why);
    }
    return SG_OK;
}

sg_status sg_shape_check_axis(int axis, const char **why)
{
    return axis >= 0 && axis <= 2 ? SG_OK : sg_shape_refuse("the axis is not 1, 2 or 3", why);
}

sg_status sg_shape_cut_smoothing(double smoothing, double smallest, double *rho, const char **why)
{
    if (!(smoothing >= 0.0) || !isfinite(smoothing))
        return sg_shape_refuse("the smoothing radius is negative or not a finite number", why);
    *rho = fmin(smoothing, 0.1 * smallest);
    return SG_OK;
}

// ---- support functions --------------------------------------------------------------------------

double sg_sign_dd(sg_dd v)
{
    const double dead = 100.0 * SG_DD_NEPS;
    return v.hi > dead ? 1.0 : v.hi < -dead ? -1.0 : 0.0;
}

sg_dd sg_across_dd(sg_dd x, sg_dd y) { return dd_sqrt(dd_add(dd_mul(x, x), dd_mul(y, y))); }

void sg_radial_dd(double r, sg_dd x, sg_dd y, sg_dd length, sg_dd *px, sg_dd *py)
{
    *px = *py = dd_from(0.0);
    if (length.hi > SG_DD_NEPS) {
        *px = dd_mul_d(dd_div(x, length), r);
        *py = dd_mul_d(dd_div(y, length), r);
    }
}

// How much of its curvature at n the support function |D n| of an ellipsoid keeps for the bound of
// sg_support_least_curvature. With h = |D n|, the slope g along the unit tangent u, and c, s the
// cosine and sine of the way,
//
//     |D (c n + s u)|^2 = (c h + s g)^2 + s^2 h H(u),   so
//     |D (c n + s u)| = c h + s g + s^2 h H(u) / (|D (c n + s u)| + c h + s g) .
//
// With b = (|D u| + |g|) / (2 h) the denominator is at most 2 h (c + s b), or 2 h s b where c is
// negative. With t the tangent of half the way, that makes (1 - c) / (1 - t^2 + 2 t b) of s^2 h
// over it up to t = 1 and (1 - c) / (2 t b) beyond.
double sg_kept_curvature(double b, double tau)
{
    double t = s_min(b, s_min(tau, 1.0)), most = 1.0 - t * t + 2.0 * t * b;
    return 1.0 / s_max(most, tau > 1.0 ? 2.0 * tau * b : most);
}

// The same for a rim of radius 1, an ellipsoid without height: a factor of the square of the way
// across its plane. It is a times that plane's part of n; `axial` is the other part. Nowhere is the
// curvature radius less than the constant 1 / a^3, which is the better bound where a is near 1.
double sg_least_of_rim(double a2, double axial, double tau)
{
    double a = sqrt(a2), most = tau < 1.0 ? s_min(1.0, a + 2.0 * tau / (1.0 + tau * tau)) : 1.0;
    double steady = 1.0 / (most * most * most);
    if (!(a > 0.0))
        return steady;
    return s_max(steady, sg_kept_curvature(0.5 * (1.0 + fabs(axial)) / a, tau) / (a * a2));
}

// ---- closed forms -------------------------------------------------------------------------------

sg_core_field sg_field_along(sg_vec3 d, sg_vec3 otherwise)
{
    double length = v3_norm(d);
    if (!(length > 1e-140)) // squares are lost; rare enough for the careful way
        return (sg_core_field){length, v3_max_abs(d) > 0.0 ? v3_unit(d) : otherwise};
    return (sg_core_field){length, v3_scale(d, 1.0 / length)};
}

sg_core_field sg_field_from_segment(double half, sg_vec3 p)
{
    double z = s_max(-half, s_min(half, p.z));
    return sg_field_along(v3_make(p.x, p.y, p.z - z), v3_make(1, 0, 0));
}
