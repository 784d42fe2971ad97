#include "contact/sliver.h"

// Its width over its length is below this.
static const double narrow = 5e-4;
// Of four edges two that are so much shorter than the others are its ends.
static const double ends = 0.1;
// Shorter slices hold nothing but rounding, in parts of the length.
static const double no_slice = 1e-12;

static sg_vec3 edge_of(const sg_polygon *p, int i)
{
    return v3_sub(p->corner[i + 1 < p->n ? i + 1 : 0], p->corner[i]);
}

bool sg_is_sliver(const sg_polygon *p, double twice)
{
    double squares = 0.0; // twice that of the length
    for (int i = 0; i < p->n; i++)
        squares += v3_norm2(edge_of(p, i));
    return twice < narrow * squares;
}

// Along the sliver: of its edges the long ones count, all alike, so that it does not matter which
// of two is the longest by a rounding.
static sg_vec3 axis_of(const sg_polygon *p)
{
    sg_vec3 longest = V3_ZERO, sum = V3_ZERO;
    for (int i = 0; i < p->n; i++) {
        sg_vec3 e = edge_of(p, i);
        if (v3_norm2(e) > v3_norm2(longest))
            longest = e;
    }
    for (int i = 0; i < p->n; i++) {
        sg_vec3 e = edge_of(p, i);
        sum = v3_add_scaled(sum, e, v3_dot(e, longest));
    }
    return v3_unit(sum);
}

// Legendre's points in [0, 1].
static const double few[3][2] = {{0.1127016653792583, 0.2777777777777778},
                                 {0.5, 0.4444444444444444},
                                 {0.8872983346207417, 0.2777777777777778}};
static const double many[4][2] = {{0.0694318442029737, 0.1739274225687269},
                                  {0.3300094782075719, 0.3260725774312731},
                                  {0.6699905217924281, 0.3260725774312731},
                                  {0.9305681557970263, 0.1739274225687269}};
static const double two[2] = {0.2113248654051871, 0.7886751345948129};

static void put(sg_vec3 a, sg_vec3 b, double wa, double wb, sg_region_twin *out)
{
    *out = (sg_region_twin){{a.x, b.x}, {a.y, b.y}, {a.z, b.z}, {wa, wb}, {0.0, 0.0}};
}

// ---- with two ends --------------------------------------------------------------------------

// Nearly all are: between the corners of one end and those of the other, whatever way these lean.
static bool find_ends(const sg_polygon *p, int *first)
{
    double sum[2] = {0.0, 0.0};
    if (p->n != 4)
        return false;
    for (int i = 0; i < 4; i++)
        sum[i % 2] += v3_norm2(edge_of(p, i));
    *first = sum[0] < sum[1] ? 0 : 1;
    return sum[*first] < ends * ends * sum[1 - *first];
}

static int walk(const sg_polygon *p, sg_vec3 m, int first, sg_region_twin *out)
{
    const sg_vec3 *c = p->corner;
    sg_vec3 a = c[first], b = c[first + 1];
    sg_vec3 da = v3_sub(c[(first + 3) % 4], a), db = v3_sub(c[(first + 2) % 4], b);
    for (int k = 0; k < 4; k++) {
        sg_vec3 x = v3_add_scaled(a, da, many[k][0]);
        sg_vec3 over = v3_sub(v3_add_scaled(b, db, many[k][0]), x);
        double wa = fabs(v3_triple(m, da, over)), wb = fabs(v3_triple(m, db, over));
        double w = 0.5 * many[k][1], more = wb - wa;
        put(v3_add_scaled(x, over, two[0]), v3_add_scaled(x, over, two[1]),
            w * (wa + two[0] * more), w * (wa + two[1] * more), &out[k]);
    }
    return 4;
}

// ---- with corners in between ----------------------------------------------------------------

// Corners along and across, from the first one.
typedef struct slices {
    sg_vec3 o, along, across;
    int n;
    double s[SG_REGION_CORNERS], t[SG_REGION_CORNERS];
    double at[SG_REGION_CORNERS]; // s in order
} slices;

static void lay_out(const sg_polygon *p, sg_vec3 m, slices *x)
{
    x->o = p->corner[0];
    x->along = axis_of(p);
    x->across = v3_cross(m, x->along);
    x->n = p->n;
    for (int i = 0; i < p->n; i++) {
        sg_vec3 from = v3_sub(p->corner[i], x->o);
        double s = x->s[i] = v3_dot(from, x->along);
        int k = i;
        x->t[i] = v3_dot(from, x->across);
        for (; k > 0 && x->at[k - 1] > s; k--)
            x->at[k] = x->at[k - 1];
        x->at[k] = s;
    }
}

// From where to where the polygon reaches across at s.
static void reach_at(const slices *x, double s, double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = -INFINITY;
    for (int i = 0; i < x->n; i++) {
        int j = i + 1 < x->n ? i + 1 : 0;
        double a = x->s[i] - s, b = x->s[j] - s;
        if ((a < 0.0) == (b < 0.0))
            continue;
        double t = x->t[i] + (x->t[j] - x->t[i]) * (a / (a - b));
        *lo = fmin(*lo, t);
        *hi = fmax(*hi, t);
    }
}

static int slice(const sg_polygon *p, sg_vec3 m, sg_region_twin out[SG_REGION_TWINS])
{
    slices x;
    lay_out(p, m, &x);
    double length = x.at[x.n - 1] - x.at[0];
    int count = 0;
    for (int i = 0; i + 1 < x.n; i++) {
        double from = x.at[i], long_by = x.at[i + 1] - from;
        if (!(long_by > no_slice * length))
            continue;
        bool is_long = long_by > 0.25 * length;
        const double(*gauss)[2] = is_long ? many : few;
        for (int k = 0; k < (is_long ? 4 : 3) && count < SG_REGION_TWINS; k++) {
            double s = from + long_by * gauss[k][0], lo, hi;
            reach_at(&x, s, &lo, &hi);
            if (!(hi > lo))
                continue;
            sg_vec3 at = v3_add_scaled(x.o, x.along, s);
            double w = 0.5 * long_by * gauss[k][1] * (hi - lo);
            put(v3_add_scaled(at, x.across, lo + two[0] * (hi - lo)),
                v3_add_scaled(at, x.across, lo + two[1] * (hi - lo)), w, w, &out[count++]);
        }
    }
    return count;
}

int sg_sliver_twins(const sg_polygon *p, sg_vec3 m, sg_region_twin out[SG_REGION_TWINS])
{
    int first;
    return find_ends(p, &first) ? walk(p, m, first, out) : slice(p, m, out);
}
