#include "contact/area_side.h"

#include "shapes/support.h"

#include <stdlib.h>

enum { STEPS = SG_AREA_STEPS, HALF = STEPS + 1, WIDER = SG_AREA_WIDER };

double sg_area_reach(const sg_area_place *p, sg_vec3 n, sg_vec3 origin)
{
    uint32_t piece;
    sg_vec3 local = pose_inverse_vector(&p->frame, n), half = p->body->shape->half;
    if (p->body->shape->core == SG_CORE_BOX) // without a corner
        return v3_dot(n, v3_sub(p->frame.r, origin)) + fabs(local.x) * half.x +
               fabs(local.y) * half.y + fabs(local.z) * half.z + p->body->shape->radius;
    sg_vec3 x = sg_support(p->body->shape, local, UINT32_MAX, &piece);
    return v3_dot(n, v3_sub(pose_point(&p->frame, x), origin)) + p->body->shape->radius;
}

// How a round side is touched.
typedef struct side_view {
    sg_vec3 e1, e2;     // across its axis: where it is touched, and beside
    double least, most; // half the angle about the axis over which it lies in the overlap
} side_view;

// Touched along its axis, a round side matters to the force by this at most, [m]/[m].
static const double end_on = 1e-4;
// Arcs are this wide at least, so that planes beside each other end where they meet, not where
// rounding says (the one in the middle was lost, and those beside it pressed twice); wider ones
// than the second need the longer row.
static const double narrowest = 4e-6, widest = 0.8;
// Of arcs that differ, by their spread: where even steps end, and where the row does, which goes
// this much beyond it.
static const double below_mean = 1.3, above_mean = 3.0, beyond_arcs = 1.25;
static const double pi = 3.14159265358979323846;

// Where the first planes of the row are, in even steps. They are so narrow in the middle as what is
// pressed there may be far narrower than the row, as where a rim crosses an edge askew: in the
// middle of a plane as wide as an even step the side is 0.5 % of the depth too low, for which a
// corner presses with 1.5 % too little. These, which a search found, are off by 0.13 % of the force
// at most where what is pressed is as wide as the row or any part of that, with the depth, its
// square or its cube.
static const double near_middle[STEPS + 2] = {0.0, 0.2782, 0.8991, 1.7989, 3.2385, 4.9675};

// How far a body reaches along v, which need not be of unit length, from the origin.
static double reach_along(const sg_area_place *p, sg_vec3 v, sg_vec3 origin)
{
    double length = v3_norm(v);
    return length > 0.0 ? length * sg_area_reach(p, v3_scale(v, 1.0 / length), origin) : 0.0;
}

// How far what a body has within `depth` of its end against n reaches along u. That is no more than
// it reaches along u - a n, and a times where that layer ends, whatever a is; one of a few that
// grow is nearly the best: small ones at corners and edges, large ones at what is round.
static double reach_of_layer(const sg_area_place *p, sg_vec3 u, sg_vec3 n, double depth,
                             sg_vec3 origin)
{
    double ends = depth - sg_area_reach(p, v3_neg(n), origin), least = sg_area_reach(p, u, origin);
    double a = 0.25; // up to 2^21
    for (int k = 0; k < 14; k++) {
        least = fmin(least, reach_along(p, v3_add_scaled(u, n, -a), origin) + a * ends);
        a *= k < 8 ? 2.0 : 8.0;
    }
    return least;
}

// Where a side is looked at.
typedef struct side_look {
    double along, across; // parts of the normal
    double depth;
    double beside; // how far the other body reaches to either side of the middle [m]
} side_look;

// How far along the axis of a side the overlap reaches, from y[0] to y[1], and between which places
// it is about as deep as anywhere.
typedef struct side_part {
    double y[2], deepest[2];
} side_part;

// The part of the depth that is left at y: a parabola, as where what is round touches.
static double left_at(const side_part *part, double y)
{
    int end = y < part->deepest[0] ? 0 : 1;
    double beyond = fabs(y - part->deepest[end]), all = fabs(part->y[end] - part->deepest[end]);
    if (y >= part->deepest[0] && y <= part->deepest[1])
        return 1.0;
    return beyond < all ? 1.0 - beyond * beyond / (all * all) : 0.0;
}

// How deep a side lies in the overlap at y of its axis, along the normal; `level` is where that
// ends.
static double deep_at(const sg_area_side *s, const side_look *look, double level, double y)
{
    return fmax(s->r + s->slope * y, 0.0) * look->across + y * look->along - level;
}

// Nothing of the overlap lies further in along the normal than its depth, nor further beside than
// the other body: at y of the axis that is an arc of this half angle.
static double arc_at(const sg_area_side *s, const side_look *look, double level, double y)
{
    double r = fmax(s->r + s->slope * y, 0.0);
    double rise = level - y * look->along, far = r * look->across;
    // cos(angle) = rise / far; small angles by their half
    double angle = rise <= -far ? pi : 2.0 * asin(sqrt(fmax(0.0, 0.5 * (1.0 - rise / far))));
    // A base that is touched face on is touched all the way round, behind what is widest, too.
    double beside = look->beside < r ? asin(look->beside / r) : pi;
    return angle < pi - beside ? fmin(angle, beside) : angle;
}

// Arcs of a cone may be hundreds of times as wide at its tip as at its base, where most of the
// force is. What counts is their mean and how they are spread, both of logarithms and by the force
// that such arcs press with; so nothing jumps as a cone is tilted.
static bool weigh_arcs(const sg_area_side *s, const side_look *look, double level,
                       const side_part *part, side_view *out)
{
    enum { SLICES = 16 };
    double sum = 0.0, first = 0.0, second = 0.0;
    double lo = part->y[0], hi = part->y[1], at_lo = deep_at(s, look, level, lo);
    double at_hi = deep_at(s, look, level, hi);
    // Depth is linear along the axis.
    if (at_lo < 0.0 && at_hi > 0.0)
        lo += (hi - lo) * at_lo / (at_lo - at_hi);
    else if (at_hi < 0.0 && at_lo > 0.0)
        hi -= (hi - lo) * at_hi / (at_hi - at_lo);
    for (int i = 0; i < SLICES; i++) {
        double at = lo + (hi - lo) * (i + 0.5) / SLICES, deep = deep_at(s, look, level, at);
        double gone = fmax(0.0, deep - look->depth * left_at(part, at));
        deep -= gone;
        double angle = arc_at(s, look, level + gone, at);
        double weight = deep * angle * (s->r + s->slope * at);
        if (!(weight > 0.0))
            continue;
        double l = log(angle);
        sum += weight;
        first += weight * l;
        second += weight * l * l;
    }
    if (!(sum > 0.0))
        return false;
    double mean = first / sum, spread = sqrt(fmax(0.0, second / sum - mean * mean));
    out->least = exp(mean - below_mean * spread);
    out->most = exp(mean + above_mean * spread);
    return true;
}

static void find_arcs(const sg_area_side *s, const side_look *look, const side_part *part,
                      side_view *out)
{
    double level = fmax(deep_at(s, look, 0.0, s->y[0]), deep_at(s, look, 0.0, s->y[1]));
    level -= look->depth;
    bool differ = s->slope != 0.0 && weigh_arcs(s, look, level, part, out);
    if (s->slope != 0.0 && !differ) {
        side_part whole = {{s->y[0], s->y[1]}, {s->y[0], s->y[1]}};
        differ = weigh_arcs(s, look, level, &whole, out);
    }
    if (!differ) // the widest one, at an end
        out->least = out->most =
            fmax(arc_at(s, look, level, s->y[0]), arc_at(s, look, level, s->y[1]));
    out->least = fmax(narrowest, out->least);
}

// Across the touch: what lies between -wide and wide along e2.
typedef struct side_strip {
    sg_vec3 u, n, e2;
    double ends; // of the other body's layer, along n
    double wide;
} side_strip;

// A bound of how far the other body's layer reaches along u within the strip, one for each a and b.
static double reach_in_strip(const sg_area_place *p, const side_strip *t, double a, double b,
                             sg_vec3 origin)
{
    sg_vec3 v = v3_add_scaled(v3_add_scaled(t->u, t->n, -a), t->e2, -b);
    return reach_along(p, v, origin) + a * t->ends + fabs(b) * t->wide;
}

static void best_a(const sg_area_place *p, const side_strip *t, double b, sg_vec3 origin,
                   double *least)
{
    double a = 0.25;
    for (int k = 0; k < 14; k++) {
        *least = fmin(*least, reach_in_strip(p, t, a, b, origin));
        a *= k < 8 ? 2.0 : 8.0;
    }
}

// Bounds are convex in b. What crosses at a smaller angle than 1/steepest is as good as along.
static double best_b(const sg_area_place *p, const side_strip *t, double a, sg_vec3 origin,
                     double *least)
{
    const double part = 0.6180339887498949, steepest = 30.0;
    double lo = -steepest, hi = steepest, x = hi - part * (hi - lo), y = lo + part * (hi - lo);
    double at_x = reach_in_strip(p, t, a, x, origin), at_y = reach_in_strip(p, t, a, y, origin);
    for (int i = 0; i < 60; i++) {
        bool left = at_x < at_y;
        if (left) {
            hi = y;
            y = x;
            at_y = at_x;
            x = hi - part * (hi - lo);
            at_x = reach_in_strip(p, t, a, x, origin);
        } else {
            lo = x;
            x = y;
            at_x = at_y;
            y = lo + part * (hi - lo);
            at_y = reach_in_strip(p, t, a, y, origin);
        }
    }
    *least = fmin(*least, fmin(at_x, at_y));
    return at_x < at_y ? x : y;
}

// What crosses askew shows at an a that is large, but costs no more than this part of the reach.
static const double some_of_reach = 0.01;

static double reach_beside(const sg_area_place *p, const side_strip *t, double depth,
                           sg_vec3 origin)
{
    double least = sg_area_reach(p, t->u, origin), far = least;
    best_a(p, t, 0.0, origin, &least);
    double a = some_of_reach * (far + sg_area_reach(p, v3_neg(t->u), origin)) / depth;
    best_a(p, t, best_b(p, t, a, origin, &least), origin, &least);
    return least;
}

// About as deep as anywhere is what lies within this part of the depth; so thin a layer that its
// place is still known well.
static const double about_deepest = 1.0 / 64.0;

// The part of a side which the other body reaches. It matters where a side that is not equally wide
// everywhere is touched along: a capsule across a cone would see arcs of its base and its tip
// otherwise, and planes that were made for these. Of what lies across it askew, such as the side of
// a cylinder near the tip, only that counts which is no farther beside than the overlap is wide.
static void find_part(const sg_area_side *s, const sg_area_place *own, const sg_area_place *other,
                      sg_vec3 n, sg_vec3 e2, const side_look *look, side_part *part)
{
    sg_vec3 at = pose_point(&own->frame, s->at), u = pose_vector(&own->frame, s->u);
    side_strip t = {.n = n, .e2 = e2};
    double y[2] = {s->y[0], s->y[1]};
    t.ends = look->depth - sg_area_reach(other, v3_neg(n), at);
    double level = fmax(deep_at(s, look, 0.0, s->y[0]), deep_at(s, look, 0.0, s->y[1]));
    level -= look->depth;
    for (int pass = 0; pass < 2; pass++) {
        t.wide = 0.0;
        for (int i = 0; i < 2; i++) {
            double angle = fmin(0.5 * pi, arc_at(s, look, level, y[i]));
            t.wide = fmax(t.wide, fmax(s->r + s->slope * y[i], 0.0) * sin(angle));
        }
        for (int i = 0; i < 2; i++) {
            t.u = i ? u : v3_neg(u);
            double reach = reach_beside(other, &t, look->depth, at);
            y[i] = fmin(s->y[1], fmax(s->y[0], i ? reach : -reach));
        }
    }
    *part = (side_part){{y[0], y[1]}, {y[0], y[1]}};
    t.wide *= sqrt(about_deepest);
    t.ends -= (1.0 - about_deepest) * look->depth;
    for (int i = 0; i < 2; i++) {
        t.u = i ? u : v3_neg(u);
        double reach = reach_beside(other, &t, look->depth, at);
        part->deepest[i] = fmin(y[1], fmax(y[0], i ? reach : -reach));
    }
}

static bool look_at_side(const sg_area_side *s, const sg_area_place *p, const sg_area_place *other,
                         const sg_area_touch *touch, double sign, side_view *out)
{
    sg_vec3 ahead = v3_scale(touch->n, sign), n = pose_inverse_vector(&p->frame, ahead);
    double along = v3_dot(n, s->u);
    sg_vec3 across = v3_add_scaled(n, s->u, -along);
    side_look look = {along, v3_norm(across), touch->depth, 0.0};
    // A tip has no face that could be pressed instead. A capsule beside it asks where its rim is
    // (contact/way.h).
    double r_end = s->r + s->slope * s->y[along > 0.0 ? 1 : 0];
    if (look.across < 1e-4 && touch->depth < end_on * r_end && !other->body->round_ends)
        return false;
    if (look.across < 1e-9) {
        sg_vec3 x = v3_sub(pose_inverse_point(&p->frame, touch->point), s->at);
        across = v3_add_scaled(x, s->u, -v3_dot(x, s->u));
    }
    out->e1 = v3_norm(across) > 0.0 ? v3_unit(across) : v3_perpendicular(s->u);
    out->e2 = v3_cross(s->u, out->e1);
    sg_vec3 at = pose_point(&p->frame, s->at), e2 = pose_vector(&p->frame, out->e2);
    look.beside = fmax(reach_of_layer(other, e2, ahead, touch->depth, at),
                       reach_of_layer(other, v3_neg(e2), ahead, touch->depth, at));
    look.beside = fmax(look.beside, 0.0);
    side_part part;
    if (s->slope != 0.0)
        find_part(s, p, other, ahead, e2, &look, &part);
    find_arcs(s, &look, &part, out);
    return true;
}

// The last angle of a ring of equal parts.
static double all_round(int n) { return 2.0 * pi * n / (2 * n + 1); }

static bool is_ring(int n, const double *angle)
{
    return n > HALF && angle[n] > (1.0 - 1e-6) * all_round(n);
}

// The angles of the row, one half of it; the number of them but the first. Where all arcs are alike
// they are as above, and else grow from those of the least one, by sinh(q i)/q. All the way round,
// as on a tip, they are a ring of equal parts: any other would push aside, whichever way rounding
// says that it is touched.
static int space_row(const sg_area_side *s, const side_view *view, double angle[SG_AREA_TANGENTS])
{
    double step = view->least / STEPS;
    int n = s->slope != 0.0 || view->most > widest ? HALF + WIDER : HALF;
    double round = all_round(n), q = 0.0;
    double far = fmin(round, beyond_arcs * fmax(view->most, view->least));
    if (n > HALF && far < step * n)
        step = far / n;
    // far / step = sinh(q n) / q, by Newton's method from above, where it cannot miss
    if (n > HALF && far > step * n * (1.0 + 1e-9)) {
        double goal = far / step;
        q = log(2.0 * goal * goal) / n;
        for (int k = 0; k < 50; k++) {
            double f = sinh(q * n) / q - goal, slope = (n * cosh(q * n) - sinh(q * n) / q) / q;
            double by = f / slope;
            q -= by;
            if (fabs(by) < 1e-14 * q)
                break;
        }
    }
    double part = fmin(1.0, fmax(0.0, 2.0 * far / round - 1.0));
    part *= part * (3.0 - 2.0 * part);
    for (int i = 0; i <= n; i++) {
        double at = i <= HALF ? near_middle[i] + part * (i - near_middle[i]) : i;
        angle[i] = q * n > 1e-6 ? step * sinh(q * at) / q : step * at;
    }
    return n;
}

// The plane that touches the side at an angle, moved in by the mean of what one stands out that has
// so much of the circle for itself.
static sg_area_face tangent(const sg_area_side *s, const side_view *view, double angle,
                            double share, const sg_area_place *p, sg_vec3 shift)
{
    double in = 1.0 - share * share / 24.0, slope = in * s->slope;
    double c = 1.0 / sqrt(1.0 + slope * slope);
    sg_vec3 e = v3_add(v3_scale(view->e1, cos(angle)), v3_scale(view->e2, sin(angle)));
    sg_vec3 n = v3_scale(v3_add_scaled(e, s->u, -slope), c);
    double o = c * in * s->r + v3_dot(n, s->at);
    n = pose_vector(&p->frame, n);
    return (sg_area_face){.n = n, .o = o + v3_dot(n, shift), .beyond = v3_dot(e, s->half) < 0.0};
}

void sg_area_take_sides(sg_area_work *work, int which, const sg_area_place place[2],
                        const sg_area_touch *touch, sg_vec3 origin)
{
    const sg_area_place *own = &place[which];
    sg_vec3 shift = v3_sub(own->frame.r, origin);
    for (int k = 0; k < own->body->n_sides && !own->body->round_ends; k++) {
        const sg_area_side *s = &own->body->side[k];
        side_view view;
        double angle[SG_AREA_TANGENTS];
        if (!look_at_side(s, own, &place[1 - which], touch, which == 0 ? 1.0 : -1.0, &view))
            continue;
        if (view.most < 1.5 && v3_dot(view.e1, s->half) < -0.01 - sin(view.most))
            continue; // of half a cylinder the other one
        int half = space_row(s, &view, angle);
        // A ring turns with its body: there is no place where it is touched but by rounding. (A
        // capsule asks where that is, see contact/way.h.)
        if (is_ring(half, angle) && !place[1 - which].body->round_ends) {
            view.e1 = v3_perpendicular(s->u);
            view.e2 = v3_cross(s->u, view.e1);
        }
        angle[half + 1] = 2.0 * angle[half] - angle[half - 1];
        for (int i = -half; i <= half && work->n[which] < work->room[which]; i++) {
            int a = i < 0 ? -i : i;
            double share = a == 0 ? angle[1] : 0.5 * (angle[a + 1] - angle[a - 1]);
            sg_area_face f = tangent(s, &view, i < 0 ? -angle[a] : angle[a], share, own, shift);
            f.side = k;
            f.middle = i == 0;
            f.ends = half > HALF && (a == half) ? (i < 0 ? 2 * half : -2 * half) : 0;
            work->face[which][work->n[which]++] = f;
        }
    }
}
