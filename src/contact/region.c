#include "contact/region.h"

#include "contact/sliver.h"
#include "math/two.h"

#include <string.h>

void sg_polygon_square(sg_vec3 o, sg_vec3 m, double reach, sg_polygon *out)
{
    sg_vec3 s = v3_scale(v3_perpendicular(m), reach), t = v3_cross(m, s);
    out->corner[0] = v3_sub(v3_sub(o, s), t);
    out->corner[1] = v3_sub(v3_add(o, s), t);
    out->corner[2] = v3_add(v3_add(o, s), t);
    out->corner[3] = v3_add(v3_sub(o, s), t);
    out->n = 4;
}

// Keeps corners with d <= 0, and adds where edges cross 0. In place where `from` is p->corner: of a
// convex polygon what is written is one corner ahead of what was read, at most, and that one is at
// hand.
static bool keep_inside(sg_polygon *p, const sg_vec3 *from, const double *d)
{
    sg_vec3 first = from[0], here = first, next;
    int n = 0, end = p->n;
    for (int i = 0; i < end; i++, here = next) {
        int j = i + 1 < end ? i + 1 : 0;
        next = j ? from[j] : first;
        if (d[i] <= 0.0)
            p->corner[n++] = here;
        if ((d[i] < 0.0 && d[j] > 0.0) || (d[i] > 0.0 && d[j] < 0.0))
            p->corner[n++] = v3_add_scaled(here, v3_sub(next, here), d[i] / (d[i] - d[j]));
    }
    p->n = n;
    return n > 2;
}

// By rounding a sliver may not be convex. (Apart, so that a cut has no need of a page of stack.)
static __attribute__((noinline)) bool keep_apart(sg_polygon *p, const double *d)
{
    sg_vec3 kept[SG_REGION_CORNERS];
    memcpy(kept, p->corner, (size_t)p->n * sizeof *kept);
    return keep_inside(p, kept, d);
}

static bool cut_many(sg_polygon *p, sg_vec3 a, double b)
{
    double d[SG_REGION_CORNERS];
    int inside = 0, crossed = 0, end = p->n;
    for (int i = 0; i < end; i++) {
        d[i] = v3_dot(a, p->corner[i]) - b;
        inside += d[i] <= 0.0;
    }
    if (inside == end)
        return true;
    if (inside == 0)
        return false;
    for (int i = 1; i < end; i++)
        crossed += (d[i] <= 0.0) != (d[i - 1] <= 0.0);
    // Without room for the new corners it stays as it is: one of so many matters little.
    if (inside + crossed + 1 > SG_REGION_CORNERS)
        return true;
    return crossed > 2 ? keep_apart(p, d) : keep_inside(p, p->corner, d);
}

enum { FEW = 16 };

bool sg_polygon_cut(sg_polygon *p, sg_vec3 a, double b)
{
    double d[FEW];
    unsigned inside = 0, end = (unsigned)p->n;
    if (end > FEW)
        return cut_many(p, a, b);
    for (unsigned i = 0; i < end; i++) {
        d[i] = v3_dot(a, p->corner[i]) - b;
        inside |= (unsigned)(d[i] <= 0.0) << i;
    }
    if (inside == (1u << end) - 1u)
        return true;
    if (inside == 0)
        return false;
    // Between corners that follow each other, but for the last and the first.
    unsigned changes = (inside ^ (inside >> 1)) & ((1u << (end - 1)) - 1u);
    unsigned behind_one = changes & (changes - 1u), behind_two = behind_one & (behind_one - 1u);
    return behind_two == 0 ? keep_inside(p, p->corner, d) : keep_apart(p, d);
}

// ---- rims -----------------------------------------------------------------------------------

static sg_vec3 across(const sg_rim *rim, sg_vec3 v)
{
    return v3_add_scaled(v, rim->u, -v3_dot(v, rim->u));
}

static double inside_by(const sg_rim *rim, sg_vec3 x)
{
    return rim->level + v3_dot(rim->slope, x) - v3_norm(across(rim, v3_sub(x, rim->at)));
}

// Cuts [lo, hi], a part of the line x + s d, to what lies within the rim. Convex sets are met in
// one piece. L^2 = rho^2 at its ends; where L is negative that is the other nappe of a cone.
bool sg_rim_cut_line(const sg_rim *rim, sg_vec3 x, sg_vec3 d, double *lo, double *hi)
{
    sg_vec3 px = across(rim, v3_sub(x, rim->at)), pd = across(rim, d);
    double level = rim->level + v3_dot(rim->slope, x), rise = v3_dot(rim->slope, d);
    double a = rise * rise - v3_norm2(pd), b = level * rise - v3_dot(px, pd);
    double c = level * level - v3_norm2(px);
    double root = b * b - a * c;
    if (a == 0.0) {
        if (b == 0.0)
            return c >= 0.0 && level >= 0.0;
        double s = -0.5 * c / b;
        if (b > 0.0)
            *lo = fmax(*lo, s);
        else
            *hi = fmin(*hi, s);
        return *lo < *hi;
    }
    if (root < 0.0)
        return false;
    double q = -(b + copysign(sqrt(root), b));
    double s1 = q / a, s2 = q == 0.0 ? 0.0 : c / q;
    double first = fmin(s1, s2), second = fmax(s1, s2);
    if (a < 0.0) {
        if (level + rise * 0.5 * (first + second) < 0.0)
            return false;
        *lo = fmax(*lo, first);
        *hi = fmin(*hi, second);
    } else if (rise > 0.0) {
        *lo = fmax(*lo, second);
    } else {
        *hi = fmin(*hi, first);
    }
    return *lo < *hi;
}

sg_vec3 sg_rim_turn(sg_vec3 way, sg_vec3 u, sg_vec3 m)
{
    sg_vec3 to = v3_dot(u, m) < 0.0 ? v3_neg(m) : m, sum = v3_add(u, to);
    return v3_add_scaled(way, sum, -v3_dot(way, to) / (1.0 + v3_dot(u, to)));
}

// ---- the region -----------------------------------------------------------------------------

typedef struct view {
    const sg_polygon *p;
    sg_vec3 m;
    const sg_rim *rim;
    int n_rims;
    double size;                        // of the polygon [m]
    sg_vec3 outward[SG_REGION_CORNERS]; // of its edges, in the plane; not of unit length
    double offset[SG_REGION_CORNERS];
} view;

static void look(view *v, const sg_polygon *p, sg_vec3 m, const sg_rim *rim, int n_rims)
{
    v->p = p;
    v->m = m;
    v->rim = rim;
    v->n_rims = n_rims;
    v->size = 0.0;
    for (int i = 0; i < p->n; i++) {
        sg_vec3 edge = v3_sub(p->corner[i + 1 < p->n ? i + 1 : 0], p->corner[i]);
        v->outward[i] = v3_cross(edge, m);
        v->offset[i] = v3_dot(v->outward[i], p->corner[i]);
        v->size = fmax(v->size, v3_distance(p->corner[i], p->corner[0]));
    }
}

// The part of the line x + s d in the region.
static bool cut_all(const view *v, sg_vec3 x, sg_vec3 d, double *lo, double *hi)
{
    for (int i = 0; i < v->p->n; i++) {
        double rate = v3_dot(v->outward[i], d), room = v->offset[i] - v3_dot(v->outward[i], x);
        if (rate > 0.0)
            *hi = fmin(*hi, room / rate);
        else if (rate < 0.0)
            *lo = fmax(*lo, room / rate);
        else if (room < 0.0)
            return false;
    }
    for (int k = 0; k < v->n_rims && *lo < *hi; k++)
        if (!sg_rim_cut_line(&v->rim[k], x, d, lo, hi))
            return false;
    return *lo < *hi;
}

// A corner on the rim itself, as where the straight edges of a beam go over in its round ends, is
// within it whatever rounding says: lost, it would take a part of the region with it.
static const double on_rim = 1e-12;

static bool is_within_rims(const view *v, sg_vec3 x, int but)
{
    for (int k = 0; k < v->n_rims; k++)
        if (k != but && inside_by(&v->rim[k], x) < -on_rim * v->size)
            return false;
    return true;
}

enum { WAYS = 12, MARKS = SG_REGION_CORNERS * (2 + 2 * SG_REGION_RIMS) + WAYS };

// Corners of the region that lie on the polygon.
static int find_corners(const view *v, sg_vec3 out[MARKS])
{
    int n = 0;
    for (int i = 0; i < v->p->n; i++) {
        sg_vec3 from = v->p->corner[i], to = v->p->corner[i + 1 < v->p->n ? i + 1 : 0];
        sg_vec3 d = v3_sub(to, from);
        if (is_within_rims(v, from, -1))
            out[n++] = from;
        for (int k = 0; k < v->n_rims; k++) {
            double lo = 0.0, hi = 1.0;
            if (!sg_rim_cut_line(&v->rim[k], from, d, &lo, &hi))
                continue;
            sg_vec3 a = v3_add_scaled(from, d, lo), b = v3_add_scaled(from, d, hi);
            if (lo > 0.0 && is_within_rims(v, a, k))
                out[n++] = a;
            if (hi < 1.0 && is_within_rims(v, b, k))
                out[n++] = b;
        }
    }
    return n;
}

// Where the axis meets the plane; the point of the axis if it never does.
static sg_vec3 center_of(const view *v, const sg_rim *rim)
{
    double rate = v3_dot(rim->u, v->m);
    double way = v3_dot(v3_sub(v->p->corner[0], rim->at), v->m);
    if (fabs(rate) < 1e-3)
        return v3_add_scaled(rim->at, v->m, way);
    return v3_add_scaled(rim->at, rim->u, way / rate);
}

// Takes x so much of the way to the middle of the line along d through it; how long that is within
// the region, 0 where it misses.
static double halve(const view *v, sg_vec3 *x, sg_vec3 d, double part)
{
    double lo = -4.0 * v->size, hi = 4.0 * v->size;
    if (!cut_all(v, *x, d, &lo, &hi))
        return 0.0;
    *x = v3_add_scaled(*x, d, 0.5 * part * (lo + hi));
    return hi - lo;
}

// The same across d, along it and across; about how large the region is as seen from there.
static double settle(const view *v, sg_vec3 *x, sg_vec3 d, double part)
{
    sg_vec3 side = v3_cross(v->m, d);
    double wide = halve(v, x, side, part), length = halve(v, x, d, part);
    return length * fmax(wide, halve(v, x, side, part));
}

// How corners are spread around their middle.
typedef struct corner_spread {
    sg_vec3 middle, along; // and along what, a unit vector
    double far;            // how far, in the mean [m]
    double slender;        // 1 where they are in a row, 0 where no way is longer than another
} corner_spread;

static corner_spread spread_of(const view *v, const sg_vec3 *corner, int n)
{
    sg_vec3 e1 = v3_perpendicular(v->m), e2 = v3_cross(v->m, e1), sum = V3_ZERO;
    double aa = 0.0, ab = 0.0, bb = 0.0;
    for (int i = 0; i < n; i++)
        sum = v3_add(sum, v3_sub(corner[i], corner[0]));
    corner_spread out = {.middle = v3_add_scaled(corner[0], sum, 1.0 / n), .along = e1};
    for (int i = 0; i < n; i++) {
        sg_vec3 from = v3_sub(corner[i], out.middle);
        double a = v3_dot(from, e1), b = v3_dot(from, e2);
        aa += a * a / n;
        ab += a * b / n;
        bb += b * b / n;
    }
    double half = 0.5 * (aa - bb), apart = sqrt(half * half + ab * ab), mean = 0.5 * (aa + bb);
    double a = half >= 0.0 ? half + apart : ab, b = half >= 0.0 ? ab : apart - half;
    double norm = sqrt(a * a + b * b), most = mean + apart;
    if (norm > 0.0)
        out.along = v3_add(v3_scale(e1, a / norm), v3_scale(e2, b / norm));
    out.far = sqrt(most);
    out.slender = most > 0.0 ? 2.0 * apart / most : 1.0;
    out.slender *= out.slender;
    return out;
}

// In the plane of a circle there is no part of the axis but rounding; centers are as near.
static const double level_rim = 1e-9;

// Where the axis of a rim meets the plane, or on the line between the two; as above.
static double find_center(const view *v, sg_vec3 *out)
{
    for (int k = 0; k < v->n_rims; k++) {
        const sg_rim *rim = &v->rim[k], *last = &v->rim[v->n_rims - 1 - k];
        sg_vec3 c = center_of(v, rim), to = v3_sub(center_of(v, last), c);
        // A conic is the same on both sides of the line on which its axis lies above the plane.
        bool apart = v3_norm(to) > level_rim * v->size;
        sg_vec3 flat = v3_cross(v->m, apart ? to : rim->u);
        bool round = !apart && !(v3_norm(flat) > level_rim);
        sg_vec3 way = round ? v3_perpendicular(v->m) : v3_unit(v3_cross(flat, v->m));
        *out = c;
        if (halve(v, out, way, 1.0) > 0.0)
            return settle(v, out, way, 1.0);
    }
    return 0.0;
}

// In the middle of the corners. Of what is done to it so much is done as has a direction that does
// not depend on which corner comes first, and on how the plane lies in the world.
static double find_among(const view *v, const sg_vec3 *corner, int n, sg_vec3 *out)
{
    corner_spread s = spread_of(v, corner, n);
    sg_vec3 c = V3_ZERO;
    for (int k = 0; k < v->n_rims; k++)
        c = v3_add_scaled(c, v3_sub(center_of(v, &v->rim[k]), s.middle), 1.0 / v->n_rims);
    double away = v3_norm(c), beyond = s.far > 0.0 ? away * away / (s.far * s.far) : 1.0;
    *out = s.middle;
    if (away > 0.0)
        halve(v, out, v3_scale(c, 1.0 / away), beyond / (1.0 + beyond));
    return settle(v, out, s.along, s.slender);
}

// A point well within the region, which points to sum over are seen from; false if there is none.
// Between two rims lies a lens, and corners that cut off a bit of its tip all lie there.
static bool find_middle(const view *v, const sg_vec3 *corner, int n, sg_vec3 *out)
{
    sg_vec3 center;
    double there = n > 0 ? find_among(v, corner, n, out) : 0.0;
    double here = n == 0 || v->n_rims > 1 ? find_center(v, &center) : 0.0;
    if (here > there)
        *out = center;
    return fmax(here, there) > 0.0;
}

// ---- points ---------------------------------------------------------------------------------

typedef struct fan {
    sg_vec3 apex;
    sg_region_point *out;
    int n;
} fan;

static void add(fan *f, sg_vec3 x, double w)
{
    if (f->n < SG_REGION_POINTS)
        f->out[f->n++] = (sg_region_point){x, w};
}

// Six points, exact for the fourth degree [Dunavant1985]: in two sets, each point with two equal
// coordinates in the triangle, and their shares of the area.
#define NEAR_1 0.445948490915965
#define NEAR_2 0.091576213509771
#define FAR_1 (1.0 - 2.0 * NEAR_1)
#define FAR_2 (1.0 - 2.0 * NEAR_2)
static const double inner[6][2] = {{NEAR_1, NEAR_1}, {FAR_1, NEAR_1}, {NEAR_1, FAR_1},
                                   {NEAR_2, NEAR_2}, {FAR_2, NEAR_2}, {NEAR_2, FAR_2}};
static const double share6[2] = {0.223381589678011, 0.109951743655322};

static void add_triangle(fan *f, sg_vec3 m, sg_vec3 p, sg_vec3 q)
{
    sg_vec3 u = v3_sub(p, f->apex), v = v3_sub(q, f->apex);
    double area = 0.5 * v3_triple(m, u, v);
    if (!(area > 0.0) || f->n + 6 > SG_REGION_POINTS)
        return;
    sg_region_point *out = &f->out[f->n];
    double w[2] = {share6[0] * area, share6[1] * area};
    f->n += 6;
    for (int k = 0; k < 6; k++) {
        sg_vec3 x = v3_add_scaled(f->apex, u, inner[k][0]);
        out[k] = (sg_region_point){v3_add_scaled(x, v, inner[k][1]), w[k / 3]};
    }
}

// Legendre's points in [0, 1].
static const double gauss3[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double share3[3] = {0.2777777777777778, 0.4444444444444444, 0.2777777777777778};
static const double gauss5[5] = {0.0469100770306680, 0.2307653449471585, 0.5, 0.7692346550528415,
                                 0.9530899229693320};
static const double share5[5] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                                 0.2393143352496832, 0.1184634425280945};

// How far a ray from the apex goes, in its own lengths, and which rim ends it.
static double reach_of_rims(const view *v, sg_vec3 apex, sg_vec3 d, int *which)
{
    double best = INFINITY;
    *which = -1;
    for (int k = 0; k < v->n_rims; k++) {
        double lo = 0.0, hi = INFINITY;
        if (sg_rim_cut_line(&v->rim[k], apex, d, &lo, &hi) && hi < best) {
            best = hi;
            *which = k;
        }
    }
    return best;
}

// How far a ray from the apex goes to the polygon's edges, in its own lengths.
static double reach_of_edges(const view *v, sg_vec3 apex, sg_vec3 d)
{
    double edge = INFINITY;
    for (int i = 0; i < v->p->n; i++) {
        double rate = v3_dot(v->outward[i], d);
        if (rate > 0.0)
            edge = fmin(edge, (v->offset[i] - v3_dot(v->outward[i], apex)) / rate);
    }
    return edge;
}

// An arc of an eighth of the way round is nowhere this far behind its chord. Beyond, a conic that
// is open on one side may have been met where the polygon ended long before.
static const double behind_chord = 1.1;

static double end_ray(const view *v, sg_vec3 apex, sg_vec3 d, double far)
{
    return far > behind_chord ? fmin(far, fmax(1.0, reach_of_edges(v, apex, d))) : far;
}

// Between p and q, both on a rim. Rays go to points of the chord and on to the rim, so a slender
// sliver is walked evenly, too.
static void add_curved(fan *f, const view *v, sg_vec3 p, sg_vec3 q)
{
    sg_vec3 u = v3_sub(p, f->apex), chord = v3_sub(q, p);
    double twice = v3_triple(v->m, u, chord);
    if (!(twice > 0.0))
        return;
    for (int i = 0; i < 5; i++) {
        int which;
        sg_vec3 d = v3_add_scaled(u, chord, gauss5[i]);
        double far = reach_of_rims(v, f->apex, d, &which);
        if (which < 0)
            far = 1.0;
        far = end_ray(v, f->apex, d, far);
        for (int k = 0; k < 3; k++)
            add(f, v3_add_scaled(f->apex, d, far * gauss3[k]),
                share5[i] * share3[k] * gauss3[k] * far * far * twice);
    }
}

// As above where one rim takes over from the other in between.
static void add_kinked(fan *f, const view *v, sg_vec3 p, sg_vec3 q)
{
    int first, last, which;
    sg_vec3 u = v3_sub(p, f->apex), chord = v3_sub(q, p);
    reach_of_rims(v, f->apex, v3_add_scaled(u, chord, 1e-9), &first);
    reach_of_rims(v, f->apex, v3_add_scaled(u, chord, 1.0 - 1e-9), &last);
    if (first == last) {
        add_curved(f, v, p, q);
        return;
    }
    double lo = 0.0, hi = 1.0, far = 1.0;
    for (int i = 0; i < 40; i++) {
        double mid = 0.5 * (lo + hi);
        far = reach_of_rims(v, f->apex, v3_add_scaled(u, chord, mid), &which);
        if (which == first)
            lo = mid;
        else
            hi = mid;
    }
    sg_vec3 d = v3_add_scaled(u, chord, lo);
    sg_vec3 kink = v3_add_scaled(f->apex, d, end_ray(v, f->apex, d, far));
    add_curved(f, v, p, kink);
    add_curved(f, v, kink, q);
}

typedef struct mark {
    double angle;
    sg_vec3 x;
} mark;

static void sort_marks(mark *m, int n)
{
    for (int i = 1; i < n; i++) {
        mark it = m[i];
        int k = i;
        for (; k > 0 && m[k - 1].angle > it.angle; k--)
            m[k] = m[k - 1];
        m[k] = it;
    }
}

// Does the polygon, not a rim, end rays in this direction?
static bool ends_at_edge(const view *v, sg_vec3 apex, sg_vec3 d)
{
    int which;
    return reach_of_edges(v, apex, d) <= reach_of_rims(v, apex, d, &which);
}

static double angle_of(const view *v, sg_vec3 d)
{
    sg_vec3 e1 = v3_perpendicular(v->m);
    return atan2(v3_dot(d, v3_cross(v->m, e1)), v3_dot(d, e1));
}

static sg_vec3 direction_of(const view *v, double angle)
{
    sg_vec3 e1 = v3_perpendicular(v->m), e2 = v3_cross(v->m, e1);
    return v3_add(v3_scale(e1, cos(angle)), v3_scale(e2, sin(angle)));
}

static const double all_round = 2.0 * 3.14159265358979323846;

// Where a rim touches an edge from within, rounding says that its arc there is as good as nothing
// or goes all the way round: what lies beyond the edges is none of it.
static bool is_within_edges(const view *v, sg_vec3 x)
{
    for (int i = 0; i < v->p->n; i++) {
        double out = v3_dot(v->outward[i], x) - v->offset[i];
        if (out > 0.0 && out > on_rim * v->size * v3_norm(v->outward[i]))
            return false;
    }
    return true;
}

// Marks on a rim, `turn` of the way round `c` from the angle `from` on, in equal parts. Where they
// are depends on the ends of the arc alone, so it does not matter how all lies in the world.
static int mark_arc(const view *v, const sg_rim *rim, sg_vec3 apex, sg_vec3 c, double from,
                    double turn, mark *out, int room)
{
    int parts = (int)ceil(turn * WAYS / all_round - 1e-6), count = 0;
    for (int k = turn < all_round ? 1 : 0; k < parts && count < room; k++) {
        double lo = 0.0, hi = INFINITY;
        sg_vec3 d = direction_of(v, from + turn * k / parts);
        if (!sg_rim_cut_line(rim, c, d, &lo, &hi) || !isfinite(hi))
            continue;
        sg_vec3 x = v3_add_scaled(c, d, hi);
        if (is_within_edges(v, x))
            out[count++] = (mark){angle_of(v, v3_sub(x, apex)), x};
    }
    return count;
}

// How the body of a rim lies on the plane.
static sg_vec3 way_of(const view *v, const sg_rim *rim)
{
    return sg_rim_turn(rim->way, rim->u, v->m);
}

// Where marks begin that two rims share: between both ways, or between one and the other turned
// round, which is a right angle from it and so the same to marks in twelve directions.
static double first_of_both(const view *v)
{
    sg_vec3 a = way_of(v, &v->rim[0]), b = way_of(v, &v->rim[1]);
    double angle = angle_of(v, v3_dot(a, b) < 0.0 ? v3_sub(a, b) : v3_add(a, b));
    double step = all_round / WAYS, turns = floor(angle / step);
    return angle - turns * step;
}

// Arcs of the only rim, between each two of the n corners: short ones as seen from its center, and
// from the apex, which may be next to it.
static int mark_arcs(const view *v, sg_vec3 apex, mark *at, int n)
{
    const sg_rim *rim = &v->rim[0];
    sg_vec3 c = center_of(v, rim);
    int count = n;
    if (!(inside_by(rim, c) > 0.0))
        c = apex;
    if (n == 0)
        return mark_arc(v, rim, apex, c, angle_of(v, way_of(v, rim)), all_round, at, MARKS);
    for (int i = 0; i < n; i++) {
        const mark *p = &at[i], *q = &at[i + 1 < n ? i + 1 : 0];
        double gap = q->angle - p->angle + (i + 1 < n ? 0.0 : all_round);
        // A corner may be there twice.
        if (gap < 1e-9 || ends_at_edge(v, apex, direction_of(v, p->angle + 0.5 * gap)))
            continue;
        double from = angle_of(v, v3_sub(p->x, c)), turn = angle_of(v, v3_sub(q->x, c)) - from;
        turn += turn < 0.0 ? all_round : 0.0;
        count += mark_arc(v, rim, apex, c, from, turn, at + count, MARKS - count);
        count += mark_arc(v, rim, apex, apex, p->angle, gap, at + count, MARKS - count);
    }
    return count;
}

static int mark_corners(const view *v, const fan *f, const sg_vec3 *corner, int n, mark *out)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        out[count++] = (mark){angle_of(v, v3_sub(corner[i], f->apex)), corner[i]};
    sort_marks(out, count);
    if (v->n_rims == 1)
        count = mark_arcs(v, f->apex, out, count);
    // Of two rims it is not known where one takes over from the other.
    double first = v->n_rims > 1 ? first_of_both(v) : 0.0;
    for (int i = 0; v->n_rims > 1 && i < WAYS; i++) {
        double angle = first + all_round * i / WAYS - 0.5 * all_round, lo = 0.0, hi = INFINITY;
        sg_vec3 d = direction_of(v, angle);
        if (!ends_at_edge(v, f->apex, d) && cut_all(v, f->apex, d, &lo, &hi) && isfinite(hi))
            out[count++] = (mark){angle, v3_add_scaled(f->apex, d, hi)};
    }
    sort_marks(out, count);
    return count;
}

// Between a slender lens and its edges marks may be missing. From the apex, arcs are seen within 60
// degrees and edges within 120; else the chord runs past the apex, and rays along it say nothing of
// what lies behind.
static const double arc_seen = 0.5, edge_seen = -0.5;
enum { SPLITS = 5 };

static void add_piece(fan *f, const view *v, sg_vec3 p, sg_vec3 q, int splits)
{
    sg_vec3 a = v3_sub(p, f->apex), b = v3_sub(q, f->apex);
    double along = v3_dot(a, b), lengths = sqrt(v3_norm2(a) * v3_norm2(b));
    bool edge = ends_at_edge(v, f->apex, v3_scale(v3_add(a, b), 0.5));
    if (splits < SPLITS && along < (edge ? edge_seen : arc_seen) * lengths) {
        int which;
        sg_vec3 d = along < edge_seen * lengths ? v3_cross(v3_sub(q, p), v->m) : v3_add(a, b);
        double far = fmin(reach_of_rims(v, f->apex, d, &which), reach_of_edges(v, f->apex, d));
        if (isfinite(far)) {
            sg_vec3 x = v3_add_scaled(f->apex, d, far);
            add_piece(f, v, p, x, splits + 1);
            add_piece(f, v, x, q, splits + 1);
            return;
        }
    }
    if (edge)
        add_triangle(f, v->m, p, q);
    else
        add_kinked(f, v, p, q);
}

static int add_cut(const view *v, sg_region_point *out)
{
    sg_vec3 corner[MARKS];
    mark at[MARKS];
    fan f = {.out = out};
    int n = find_corners(v, corner);
    if (!find_middle(v, corner, n, &f.apex))
        return 0;
    n = mark_corners(v, &f, corner, n, at);
    for (int i = 0; i < n; i++) {
        sg_vec3 p = at[i].x, q = at[i + 1 < n ? i + 1 : 0].x;
        add_piece(&f, v, p, q, 0);
    }
    return f.n;
}

// Twice the area of a polygon, and its center, from where triangles go all around.
static double find_apex(const sg_polygon *p, sg_vec3 m, sg_vec3 *apex)
{
    sg_vec3 sum = V3_ZERO;
    double twice = 0.0;
    for (int k = 1; k + 1 < p->n; k++) {
        sg_vec3 u = v3_sub(p->corner[k], p->corner[0]), v = v3_sub(p->corner[k + 1], p->corner[0]);
        double area = v3_triple(m, u, v);
        sum = v3_add_scaled(sum, v3_add(u, v), area);
        twice += area;
    }
    *apex = twice > 0.0 ? v3_add_scaled(p->corner[0], sum, 1.0 / (3.0 * twice)) : p->corner[0];
    return twice;
}

// The same coordinates and shares by twos of points.
static const double inner_u[6] = {NEAR_1, FAR_1, NEAR_1, NEAR_2, FAR_2, NEAR_2};
static const double inner_v[6] = {NEAR_1, NEAR_1, FAR_1, NEAR_2, NEAR_2, FAR_2};

static sg_region_twin *twin_triangle(sg_vec3 apex, sg_vec3 m, sg_vec3 p, sg_vec3 q,
                                     sg_region_twin *out)
{
    sg_vec3 u = v3_sub(p, apex), v = v3_sub(q, apex);
    double area = 0.5 * v3_triple(m, u, v), w0 = share6[0] * area, w1 = share6[1] * area;
    if (!(area > 0.0))
        return out;
    for (int k = 0; k < 6; k += 2, out++) {
        sg_two a = two_load(&inner_u[k]), b = two_load(&inner_v[k]);
        sg_two x = two_add_product(two_both(apex.x), two_both(u.x), a);
        sg_two y = two_add_product(two_both(apex.y), two_both(u.y), a);
        sg_two z = two_add_product(two_both(apex.z), two_both(u.z), a);
        two_store(two_add_product(x, two_both(v.x), b), out->x);
        two_store(two_add_product(y, two_both(v.y), b), out->y);
        two_store(two_add_product(z, two_both(v.z), b), out->z);
        two_store(two_make(k < 4 ? w0 : w1, k < 2 ? w0 : w1), out->w);
    }
    return out;
}

int sg_region_twins(const sg_polygon *p, sg_vec3 m, sg_region_twin out[SG_REGION_TWINS])
{
    sg_vec3 apex;
    sg_region_twin *end = out;
    double twice = find_apex(p, m, &apex);
    if (!(twice > 0.0))
        return 0;
    if (sg_is_sliver(p, twice))
        return sg_sliver_twins(p, m, out);
    for (int k = 0; k < p->n; k++)
        end = twin_triangle(apex, m, p->corner[k], p->corner[k + 1 < p->n ? k + 1 : 0], end);
    return (int)(end - out);
}

// The same one by one. (Apart, as its room is needed by nothing else.)
static __attribute__((noinline)) int add_polygon(const sg_polygon *p, sg_vec3 m,
                                                 sg_region_point *out)
{
    sg_region_twin twin[SG_REGION_TWINS];
    int n = sg_region_twins(p, m, twin);
    for (int i = 0; i < 2 * n; i++) {
        const sg_region_twin *t = &twin[i / 2];
        int k = i % 2;
        out[i] = (sg_region_point){v3_make(t->x[k], t->y[k], t->z[k]), t->w[k]};
    }
    return 2 * n;
}

int sg_region_points(const sg_polygon *p, sg_vec3 m, const sg_rim *rim, int n_rims,
                     sg_region_point out[SG_REGION_POINTS])
{
    if (n_rims == 0)
        return add_polygon(p, m, out);
    view v;
    look(&v, p, m, rim, n_rims);
    bool whole = true;
    for (int i = 0; i < p->n && whole; i++)
        whole = is_within_rims(&v, p->corner[i], -1);
    return whole ? add_polygon(p, m, out) : add_cut(&v, out);
}

// ---- its boundary ---------------------------------------------------------------------------

// Chords of an arc between two marks, which are no further apart than a twelfth of the way round.
enum { CHORDS = 4 };

static int walk_boundary(const view *v, sg_vec3 out[SG_REGION_OUTLINE])
{
    sg_vec3 corner[MARKS];
    mark at[MARKS];
    fan f = {0};
    int n = find_corners(v, corner), count = 0, which;
    if (!find_middle(v, corner, n, &f.apex))
        return 0;
    n = mark_corners(v, &f, corner, n, at);
    for (int i = 0; i < n && count + CHORDS <= SG_REGION_OUTLINE; i++) {
        sg_vec3 p = at[i].x, q = at[i + 1 < n ? i + 1 : 0].x;
        out[count++] = p;
        if (ends_at_edge(v, f.apex, v3_sub(v3_scale(v3_add(p, q), 0.5), f.apex)))
            continue;
        for (int k = 1; k < CHORDS; k++) {
            sg_vec3 d = v3_sub(v3_add_scaled(p, v3_sub(q, p), (double)k / CHORDS), f.apex);
            double far = reach_of_rims(v, f.apex, d, &which);
            if (which >= 0)
                out[count++] = v3_add_scaled(f.apex, d, far);
        }
    }
    return count;
}

int sg_region_outline(const sg_polygon *p, sg_vec3 m, const sg_rim *rim, int n_rims,
                      sg_vec3 out[SG_REGION_OUTLINE])
{
    view v;
    look(&v, p, m, rim, n_rims);
    bool whole = true;
    for (int i = 0; i < p->n && whole; i++)
        whole = is_within_rims(&v, p->corner[i], -1);
    if (!whole)
        return walk_boundary(&v, out);
    memcpy(out, p->corner, (size_t)p->n * sizeof *out);
    return p->n;
}
