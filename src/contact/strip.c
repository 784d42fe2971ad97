#include "contact/strip.h"

#include "contact/concave.h"

#include <stdlib.h>

// Slices lie across the capsule unless the plane is nearly one along it and its normal, where that
// has no direction; then they lie across the part of the axis that is left in the plane.
static const double along_normal = 0.7;

sg_strip sg_strip_make(const sg_bend *bend, sg_vec3 m, double d, double level, sg_vec3 slope)
{
    const sg_bulge *b = bend->bulge;
    sg_strip x;
    x.o = v3_add_scaled(b->at, m, d - v3_dot(m, b->at));
    sg_vec3 from = v3_sub(x.o, b->at), beside = v3_cross(b->u, bend->n);
    double faces = v3_dot(beside, m);
    if (fabs(faces) < along_normal) {
        x.et = v3_unit(v3_add_scaled(beside, m, -faces));
        x.es = v3_cross(x.et, m);
    } else {
        x.es = v3_unit(v3_add_scaled(b->u, m, -v3_dot(b->u, m)));
        x.et = v3_cross(m, x.es);
    }
    double g = 1.0 / bend->g;
    double h0 = v3_dot(bend->n, from), hs = v3_dot(bend->n, x.es), ht = v3_dot(bend->n, x.et);
    double y0 = v3_dot(beside, from), ys = v3_dot(beside, x.es), yt = v3_dot(beside, x.et);
    double q0 = g * (level + v3_dot(slope, x.o)), qs = g * v3_dot(slope, x.es),
           qt = g * v3_dot(slope, x.et);
    x.c = q0 * (2.0 * h0 + q0) - y0 * y0;
    x.s = 2.0 * (q0 * hs + qs * (h0 + q0) - y0 * ys);
    x.t = 2.0 * (q0 * ht + qt * (h0 + q0) - y0 * yt);
    x.ss = qs * (2.0 * hs + qs) - ys * ys;
    x.st = 2.0 * (qs * (ht + qt) + qt * hs - ys * yt);
    x.tt = qt * (2.0 * ht + qt) - yt * yt;
    x.rises = qt + ht > 0.0;
    x.q0 = q0;
    x.qs = qs;
    x.qt = qt;
    return x;
}

// Roots of a + b x + c x^2, the smaller one first; false if there are none. (A root that is
// infinitely far away is the other one once more.)
static bool roots(double a, double b, double c, double out[2])
{
    double disc = b * b - 4.0 * a * c;
    if (disc < 0.0 || (b == 0.0 && c == 0.0))
        return false;
    double q = -0.5 * (b + copysign(sqrt(disc), b));
    double x = c == 0.0 ? -a / b : q / c, y = q == 0.0 ? x : a / q;
    out[0] = fmin(x, y);
    out[1] = fmax(x, y);
    return true;
}

// Where F > 0 at s with q + h > 0, the branch of the conic that is the capsule's; false if nowhere.
static bool widest(const sg_strip *x, double s, double width[2])
{
    double a = x->c + s * (x->s + s * x->ss), b = x->t + s * x->st, root[2];
    width[0] = -INFINITY;
    width[1] = INFINITY;
    if (!roots(a, b, x->tt, root))
        return x->tt > 0.0 || (x->tt == 0.0 && a > 0.0);
    bool opens = x->tt >= 0.0;
    bool up = x->tt == 0.0 ? b > 0.0 : x->rises;
    if (!opens || up)
        width[0] = opens ? root[1] : root[0];
    if (!opens || !up)
        width[1] = opens ? root[0] : root[1];
    return true;
}

typedef struct slicing {
    const sg_strip *x;
    int n; // corners
    double s[SG_REGION_CORNERS], t[SG_REGION_CORNERS];
    const sg_rim *rim;
    int n_rims;
    double tip[6]; // where the conic and a rim begin and end along s, and what is left of them
    int n_tips;    // 2 of each, or none
} slicing;

// What the polygon leaves of the line at s.
static void cross_polygon(const slicing *z, double s, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (int i = 0; i < z->n; i++) {
        int k = i + 1 < z->n ? i + 1 : 0;
        double a = z->s[i], b = z->s[k];
        if ((a < s) == (b < s))
            continue;
        double t = z->t[i] + (z->t[k] - z->t[i]) * (s - a) / (b - a);
        *least = fmin(*least, t);
        *most = fmax(*most, t);
    }
}

// The slice at s, from lo to hi; false if there is none. `ended` says what ends it: two digits of
// base 8, 0 the conic, 1 the polygon, 2 and up rims.
static bool slice(const slicing *z, double s, double *lo, double *hi, int *ended)
{
    const sg_strip *x = z->x;
    double width[2], least, most;
    *ended = -1;
    if (!widest(x, s, width))
        return false;
    cross_polygon(z, s, &least, &most);
    int low = least > width[0], high = most < width[1];
    *lo = fmax(least, width[0]);
    *hi = fmin(most, width[1]);
    for (int k = 0; k < z->n_rims && *lo < *hi; k++) {
        double was[2] = {*lo, *hi};
        if (!sg_rim_cut_line(&z->rim[k], v3_add_scaled(x->o, x->es, s), x->et, lo, hi))
            return false;
        low = *lo > was[0] ? 2 + k : low;
        high = *hi < was[1] ? 2 + k : high;
    }
    *ended = 8 * low + high;
    // F is positive on the other side of the axis, too.
    return *lo < *hi && x->q0 + x->qs * s + 0.5 * x->qt * (*lo + *hi) > 0.0;
}

// How wide the slice at s is; where there is none, how far its ends are on the wrong sides of each
// other. Conic, polygon and rims are convex, so this is concave between their tips.
static double room_at(const void *of, double s)
{
    const slicing *z = of;
    double width[2], least, most;
    if (!widest(z->x, s, width))
        return -INFINITY;
    cross_polygon(z, s, &least, &most);
    double lo = fmax(least, width[0]), hi = fmin(most, width[1]);
    for (int k = 0; k < z->n_rims; k++) {
        double a = -INFINITY, b = INFINITY;
        sg_vec3 at = v3_add_scaled(z->x->o, z->x->es, s);
        if (!sg_rim_cut_line(&z->rim[k], at, z->x->et, &a, &b))
            return -INFINITY;
        lo = fmax(lo, a);
        hi = fmin(hi, b);
    }
    return hi - lo;
}

static const double gauss8[8] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355,
                                 0.4082826787521751,   0.5917173212478249,  0.7627662049581645,
                                 0.8983332387068134,   0.9801449282487681};
static const double share8[8] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363,
                                 0.18134189168918100, 0.18134189168918100, 0.15685332293894363,
                                 0.11119051722668724, 0.05061426814518813};
static const double gauss3[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double share3[3] = {0.2777777777777778, 0.4444444444444444, 0.2777777777777778};

// A tip is felt as far as this, in lengths of the interval.
static const double near_tip = 10.0;

static int add_interval(const slicing *z, double from, double to, sg_region_point *out, int count)
{
    const sg_strip *x = z->x;
    double tip = from, sign = 0.0, none = 1e-12 * (to - from);
    double before = near_tip * (to - from), behind = before;
    for (int k = 0; k < z->n_tips; k++) {
        if (z->tip[k] <= from + none && from - z->tip[k] < before) {
            before = fmax(0.0, from - z->tip[k]);
            tip = from - before;
            sign = 1.0;
        }
        if (z->tip[k] >= to - none && z->tip[k] - to < fmin(before, behind)) {
            behind = fmax(0.0, z->tip[k] - to);
            tip = to + behind;
            sign = -1.0;
        }
    }
    double a = sign == 0.0 ? from : sqrt(fmax(0.0, sign * ((sign > 0.0 ? from : to) - tip)));
    double b = sign == 0.0 ? to : sqrt(sign * ((sign > 0.0 ? to : from) - tip));
    for (int i = 0; i < 8 && count + 3 <= SG_REGION_POINTS; i++) {
        double v = a + (b - a) * gauss8[i], s = sign == 0.0 ? v : tip + sign * v * v;
        double ds = (b - a) * share8[i] * (sign == 0.0 ? 1.0 : 2.0 * v), lo, hi;
        int ended;
        if (!slice(z, s, &lo, &hi, &ended))
            continue;
        for (int k = 0; k < 3; k++) {
            double t = lo + (hi - lo) * gauss3[k];
            out[count++] = (sg_region_point){v3_add_scaled(v3_add_scaled(x->o, x->es, s), x->et, t),
                                             ds * share3[k] * (hi - lo)};
        }
    }
    return count;
}

enum { BREAKS = 3 * SG_REGION_CORNERS + 8, LOOKS = 8, CHANGES = 4, HALVINGS = 45 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Where corners lie in the conic and edges cross it.
static int find_breaks(const slicing *z, double from, double to, double *out)
{
    const sg_strip *x = z->x;
    int n = 0;
    out[n++] = from;
    out[n++] = to;
    for (int i = 0; i < z->n; i++) {
        int k = i + 1 < z->n ? i + 1 : 0;
        double s = z->s[i], t = z->t[i], ds = z->s[k] - s, dt = z->t[k] - t, at[2];
        double F = x->c + s * (x->s + s * x->ss + t * x->st) + t * (x->t + t * x->tt);
        if (F > 0.0)
            out[n++] = s;
        double rate =
            ds * (x->s + 2.0 * s * x->ss + t * x->st) + dt * (x->t + 2.0 * t * x->tt + s * x->st);
        if (!roots(F, rate, ds * ds * x->ss + ds * dt * x->st + dt * dt * x->tt, at))
            continue;
        for (int l = 0; l < 2; l++)
            if (at[l] > 0.0 && at[l] < 1.0)
                out[n++] = s + at[l] * ds;
    }
    qsort(out, (size_t)n, sizeof *out, ascending);
    return n;
}

// What ends the slice at s, as above; -1 if there is none.
static int kind_at(const slicing *z, double s)
{
    double lo, hi;
    int ended;
    return slice(z, s, &lo, &hi, &ended) ? ended : -1;
}

// The slices from `from` to `to`, which all are of one kind. Where a rim begins or ends them
// (`born`, `dies`) they grow like a root from there.
static int add_alike(const slicing *whole, double from, double to, bool born, bool dies,
                     sg_region_point *out, int count)
{
    slicing z = *whole;
    if (born)
        z.tip[z.n_tips++] = from;
    if (dies)
        z.tip[z.n_tips++] = to;
    return kind_at(&z, 0.5 * (from + to)) < 0 ? count : add_interval(&z, from, to, out, count);
}

// Where to look for changes between `from` and `to`; the number of places. What a rim leaves of a
// conic may be a lens far shorter than the interval.
static int place_looks(const slicing *z, double from, double to, double at[LOOKS + 2])
{
    double room[LOOKS + 1], s;
    int best = 0;
    for (int i = 0; i <= LOOKS; i++) {
        // Tips have no slice.
        double inside = i == 0 ? 1e-9 : i == LOOKS ? -1e-9 : 0.0;
        at[i] = from + (to - from) * i / LOOKS;
        room[i] = room_at(z, at[i] + (to - from) * inside);
        best = room[i] > room[best] ? i : best;
    }
    int i = best == 0 ? 1 : best == LOOKS ? LOOKS - 1 : best, k = LOOKS + 1;
    double x[3] = {at[i - 1], at[i], at[i + 1]}, y[3] = {room[i - 1], room[i], room[i + 1]};
    if (room[best] > 0.0 || !sg_concave_find(room_at, z, x, y, &s))
        return k;
    for (; at[k - 1] > s; k--)
        at[k] = at[k - 1];
    at[k] = s;
    return LOOKS + 2;
}

// Where a rim takes over within an interval it is looked for by halving.
static int add_between(const slicing *z, double from, double to, sg_region_point *out, int count)
{
    double last = from, look[LOOKS + 2];
    bool born = false;
    int n = z->n_rims ? place_looks(z, from, to, look) : 0;
    for (int i = 0; i + 1 < n; i++) {
        double hair = 1e-9 * (look[i + 1] - look[i]);
        double begin = look[i] + hair, end = look[i + 1] - hair;
        int last_kind = kind_at(z, end);
        for (int change = 0; change < CHANGES; change++) {
            int before = kind_at(z, begin);
            double a = begin, b = end;
            if (before == last_kind)
                break;
            for (int k = 0; k < HALVINGS; k++) {
                double mid = 0.5 * (a + b);
                if (kind_at(z, mid) == before)
                    a = mid;
                else
                    b = mid;
            }
            count = add_alike(z, last, a, born, kind_at(z, b) < 0, out, count);
            born = before < 0;
            last = begin = b;
        }
    }
    return add_alike(z, last, to, born, false, out, count);
}

// Where a conic begins and ends along s; the number of places, 2 or none.
static int find_tips(const sg_strip *x, double out[2])
{
    return x->tt < 0.0 &&
                   roots(x->t * x->t - 4.0 * x->tt * x->c, 2.0 * x->t * x->st - 4.0 * x->tt * x->s,
                         x->st * x->st - 4.0 * x->tt * x->ss, out)
               ? 2
               : 0;
}

// The same of a rim, which is a conic in the plane, too.
static int find_rim_tips(const sg_strip *x, const sg_rim *rim, double out[2])
{
    sg_vec3 axes[3] = {v3_sub(x->o, rim->at), x->es, x->et};
    double l[3];
    for (int i = 0; i < 3; i++) {
        l[i] = v3_dot(rim->slope, i == 0 ? x->o : axes[i]) + (i == 0 ? rim->level : 0.0);
        axes[i] = v3_add_scaled(axes[i], rim->u, -v3_dot(axes[i], rim->u));
    }
    sg_strip conic = {.c = l[0] * l[0] - v3_norm2(axes[0]),
                      .s = 2.0 * (l[0] * l[1] - v3_dot(axes[0], axes[1])),
                      .t = 2.0 * (l[0] * l[2] - v3_dot(axes[0], axes[2])),
                      .ss = l[1] * l[1] - v3_norm2(axes[1]),
                      .st = 2.0 * (l[1] * l[2] - v3_dot(axes[1], axes[2])),
                      .tt = l[2] * l[2] - v3_norm2(axes[2])};
    return find_tips(&conic, out);
}

// Looks at the strip within the polygon, and finds where its slices change their kind; the number
// of places, in order.
static int prepare(slicing *z, const sg_polygon *p, double at[BREAKS])
{
    const sg_strip *x = z->x;
    double from = INFINITY, to = -INFINITY;
    z->n = p->n;
    for (int i = 0; i < p->n; i++) {
        sg_vec3 d = v3_sub(p->corner[i], x->o);
        z->s[i] = v3_dot(d, x->es);
        z->t[i] = v3_dot(d, x->et);
        from = fmin(from, z->s[i]);
        to = fmax(to, z->s[i]);
    }
    z->n_tips = find_tips(x, z->tip);
    if (z->n_rims)
        z->n_tips += find_rim_tips(x, z->rim, z->tip + z->n_tips);
    int n = find_breaks(z, from, to, at);
    // The tips themselves, as long as they lie in the polygon.
    for (int k = 0; k < z->n_tips; k++)
        if (z->tip[k] > from && z->tip[k] < to)
            at[n++] = z->tip[k];
    qsort(at, (size_t)n, sizeof *at, ascending);
    return n;
}

// Of all intervals together: shorter ones are roundings.
static const double too_short = 1e-12;

static bool is_there(const slicing *z, const double *at, int n, int i)
{
    double lo, hi;
    int ended;
    // A rim may leave any part of it.
    return at[i + 1] - at[i] > too_short * (at[n - 1] - at[0]) &&
           (z->n_rims || slice(z, 0.5 * (at[i] + at[i + 1]), &lo, &hi, &ended));
}

static bool is_tip(const slicing *z, double s)
{
    for (int k = 0; k < z->n_tips; k++)
        if (z->tip[k] == s)
            return true;
    return false;
}

static int strip_points(const sg_strip *x, const sg_polygon *p, const sg_rim *rim, int n_rims,
                        sg_region_point out[SG_REGION_POINTS])
{
    slicing z = {.x = x, .rim = rim, .n_rims = n_rims};
    double at[BREAKS];
    int n = prepare(&z, p, at), count = 0;
    for (int i = 0; i + 1 < n; i++) {
        double a = at[i], b = at[i + 1];
        if (!is_there(&z, at, n, i))
            continue;
        // Both ends of conics: each half by its own.
        bool both = is_tip(&z, a) && is_tip(&z, b);
        double mid = both ? 0.5 * (a + b) : a;
        if (both)
            count = add_between(&z, a, mid, out, count);
        count = add_between(&z, mid, b, out, count);
    }
    return count;
}

int sg_bend_points(const sg_bend *bend, const sg_polygon *polygon, sg_vec3 m, double d,
                   double level, sg_vec3 slope, const sg_rim *rim, int n_rims,
                   sg_region_point out[SG_REGION_POINTS])
{
    if (!bend->bulge->ball) {
        sg_strip strip = sg_strip_make(bend, m, d, level, slope);
        return strip_points(&strip, polygon, rim, n_rims, out);
    }
    sg_rim rims[SG_REGION_RIMS];
    if (!sg_bend_rim(bend, m, d, level, slope, &rims[0]))
        return 0;
    if (n_rims)
        rims[1] = *rim;
    return sg_region_points(polygon, m, rims, n_rims ? 2 : 1, out);
}

// ---- to be looked at ------------------------------------------------------------------------

// Columns along and rows across the strip, so that colors show how pressure falls off.
enum { COLUMNS = 4, ROWS = 6, FAN = 3 };

static sg_outline_corner corner_at(const sg_bend *bend, double level, sg_vec3 slope, sg_vec3 x)
{
    double p = level + v3_dot(slope, x) + sg_bend_at(bend, x);
    return (sg_outline_corner){x, p > 0.0 ? p : 0.0};
}

static void outline_strip(sg_outline *out, const sg_bend *bend, const sg_strip *x,
                          const sg_polygon *p, double level, sg_vec3 slope, const sg_rim *rim,
                          int n_rims)
{
    slicing z = {.x = x, .rim = rim, .n_rims = n_rims};
    double at[BREAKS], lo[2], hi[2], s[2];
    int n = prepare(&z, p, at), ended;
    for (int i = 0; i + 1 < n; i++)
        for (int column = 0; is_there(&z, at, n, i) && column < COLUMNS; column++) {
            bool there = true;
            for (int e = 0; e < 2; e++) {
                // Tips have no slice; a hair beside them there is one.
                double hair = column + e == 0 ? 1e-6 : column + e == COLUMNS ? -1e-6 : 0.0;
                double part = (double)(column + e) / COLUMNS + hair;
                s[e] = at[i] + (at[i + 1] - at[i]) * part;
                there = slice(&z, s[e], &lo[e], &hi[e], &ended) && there;
            }
            for (int row = 0; there && row < ROWS; row++) {
                sg_outline_corner c[4];
                for (int k = 0; k < 4; k++) {
                    int e = k == 1 || k == 2;
                    double t = lo[e] + (hi[e] - lo[e]) * (row + (k > 1)) / ROWS;
                    sg_vec3 at_s = v3_add_scaled(x->o, x->es, s[e]);
                    c[k] = corner_at(bend, level, slope, v3_add_scaled(at_s, x->et, t));
                }
                sg_outline_put(out, c, 4);
            }
        }
}

// A fan around the place below the center, or the middle of what is left of the disk.
static void outline_ball(sg_outline *out, const sg_bend *bend, const sg_vec3 *x, int n,
                         double level, sg_vec3 slope)
{
    sg_vec3 sum = V3_ZERO;
    for (int i = 0; i < n; i++)
        sum = v3_add_scaled(sum, x[i], 1.0 / n);
    for (int i = 0; i < n; i += FAN) {
        sg_outline_corner c[FAN + 2] = {corner_at(bend, level, slope, sum)};
        int count = 1;
        for (int k = i; k <= i + FAN && k <= n; k++)
            c[count++] = corner_at(bend, level, slope, x[k < n ? k : 0]);
        sg_outline_put(out, c, count);
    }
}

void sg_bend_outline(sg_outline *out, const sg_bend *bend, const sg_polygon *polygon, sg_vec3 m,
                     double d, double level, sg_vec3 slope, const sg_rim *rim, int n_rims)
{
    sg_rim rims[SG_REGION_RIMS];
    sg_vec3 x[SG_REGION_OUTLINE];
    if (!bend->bulge->ball) {
        sg_strip strip = sg_strip_make(bend, m, d, level, slope);
        outline_strip(out, bend, &strip, polygon, level, slope, rim, n_rims);
    } else if (sg_bend_rim(bend, m, d, level, slope, &rims[0])) {
        if (n_rims)
            rims[1] = *rim;
        int n = sg_region_outline(polygon, m, rims, n_rims ? 2 : 1, x);
        outline_ball(out, bend, x, n, level, slope);
    }
}
