#include "contact/way.h"

#include <float.h>

// An edge counts in full where its pressure is this part of what the depth of the touch makes, and
// less and less below, so that nothing jumps where one comes in.
static const double in_full = 0.1;
// How much more a way that leaves the plane of an edge in full costs than one that is not across
// the piece.
static const double stiff = 1000.0;
// A plane that leans away by more than the square root of one over this is followed less and less:
// the surface lies beside the piece by about the depth, and what is wide by its root. So a way may
// lean the more the less deep the bulge is, in parts of its radius: over this many it is held back.
static const double opposed = 0.1, shallow = 100.0;
// Two edges that look at each other ask for opposite ways. What they have in common, along them
// both, is all of what they ask for where they meet at a corner, and chance where they hardly lean
// towards each other: the smaller to the larger part of it.
static const double chance = 0.02, common = 0.2;
// Faces that lean against a piece as if they hardly pressed on it bend no less than this.
static const double least_lean = 1e-3;
// A piece whose face leans away from it ends at edges only, even where these do not press: then
// nothing of it does. So they count for this part of what those do that press.
static const double unpressed = 0.1, leans_away = 0.1;
// Normals that differ by less are those of one face.
static const double same = 1e-9;

// What presses on the piece, with points moved across it.
typedef struct pressed {
    sg_bend bend;
    sg_vec3 n; // pressure without the bend is kappa (o - n x)
    double o, kappa;
} pressed;

static double pressure(const pressed *s, sg_vec3 x)
{
    return s->kappa * (s->o - v3_dot(s->n, x)) + sg_bend_at(&s->bend, x);
}

// Where the plane c x = o crosses the polygon; false if it does not.
static bool cross(const sg_polygon *p, sg_vec3 c, double o, double hair, sg_vec3 end[2])
{
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        sg_vec3 x = p->corner[i], y = p->corner[i + 1 < p->n ? i + 1 : 0], at;
        double from = v3_dot(c, x) - o, to = v3_dot(c, y) - o;
        if (fabs(from) <= hair)
            at = x;
        else if (fabs(to) > hair && (from < 0.0) != (to < 0.0))
            at = v3_add_scaled(x, v3_sub(y, x), from / (from - to));
        else
            continue;
        // The two that are farthest apart, as corners may lie on it.
        if (n < 2)
            end[n++] = at;
        else if (v3_distance(at, end[0]) > v3_distance(end[1], end[0]))
            end[1] = at;
    }
    return n == 2 && v3_distance(end[0], end[1]) > hair;
}

// The most that presses on a line: at its ends, in its middle, or where it is nearest to the bulge.
static double most_on(const pressed *s, const sg_vec3 end[2])
{
    const sg_bulge *b = s->bend.bulge;
    sg_vec3 d = v3_sub(end[1], end[0]), from = v3_sub(end[0], b->at), across = d;
    if (!b->ball) {
        across = v3_add_scaled(d, b->u, -v3_dot(d, b->u));
        from = v3_add_scaled(from, b->u, -v3_dot(from, b->u));
    }
    double square = v3_norm2(across), near = 0.5, most = 0.0;
    if (square > DBL_EPSILON * v3_norm2(d))
        near = fmin(1.0, fmax(0.0, -v3_dot(across, from) / square));
    double part[] = {0.0, 0.5, 1.0, near};
    for (int i = 0; i < 4; i++)
        most = fmax(most, pressure(s, v3_add_scaled(end[0], d, part[i])));
    return most;
}

// Of the row of planes that a round side is, the rim of a face ends at the one in its middle, which
// is touched. A face with a rim ends at no flank, and a flank at no rim: of a beam, whose sides go
// over into each other, the planes of others run past.
static bool is_neighbor(const sg_area_face *own, const sg_area_face *other)
{
    int side = own->cell ? own->cell->side : own->side;
    int beside = other->cell ? other->cell->side : other->side;
    if (own->cell && other->cell && own->cell->plane == other->cell->plane)
        return false;
    return side == beside && (own->cell ? other->cell || other->middle : other->cell != NULL);
}

// What edges ask q for: o q = t of each, with its weight, by least squares.
typedef struct asked_way {
    sg_vec3 e[2]; // across the piece's normal
    double aa, ab, bb, a, b;
} asked_way;

static void ask(asked_way *q, sg_vec3 o, double t, double weight)
{
    double a = v3_dot(o, q->e[0]), b = v3_dot(o, q->e[1]);
    q->aa += weight * a * a;
    q->ab += weight * a * b;
    q->bb += weight * b * b;
    q->a += weight * t * a;
    q->b += weight * t * b;
}

static sg_vec3 answer(const asked_way *q)
{
    double half = 0.5 * (q->aa - q->bb), apart = sqrt(half * half + q->ab * q->ab);
    double mean = 0.5 * (q->aa + q->bb), most = mean + apart, least = fmax(0.0, mean - apart);
    double a = half >= 0.0 ? half + apart : q->ab, b = half >= 0.0 ? q->ab : apart - half;
    double norm = sqrt(a * a + b * b);
    if (!(most > 0.0))
        return V3_ZERO;
    a = norm > 0.0 ? a / norm : 1.0;
    b = norm > 0.0 ? b / norm : 0.0;
    double part = fmax(0.0, fmin(1.0, (least / most - chance) / (common - chance)));
    part *= part * (3.0 - 2.0 * part);
    // Nothing costs 1.
    double along = (a * q->a + b * q->b) / (1.0 + most);
    double beside = part * (a * q->b - b * q->a) / (1.0 + least);
    return v3_add(v3_scale(q->e[0], a * along - b * beside),
                  v3_scale(q->e[1], b * along + a * beside));
}

sg_vec3 sg_way_find(const sg_area_work *work, const sg_area_law *law, const sg_area_face *a,
                    const sg_area_face *b, sg_vec3 m, const sg_polygon *polygon,
                    const sg_bend *bend)
{
    int which = a->bulge ? 1 : 0;
    const double *kappa = law->kappa;
    const sg_area_face *own = which ? b : a, *face = work->face[which];
    sg_vec3 gap = v3_sub(v3_scale(a->n, kappa[0]), v3_scale(b->n, kappa[1]));
    pressed s = {.bend = *bend, .n = a->n, .o = a->o, .kappa = kappa[0]};
    double stiffness = kappa[0] * kappa[1] / v3_norm(gap),
           facing = (which ? -1.0 : 1.0) * v3_dot(own->n, m);
    double across = fabs(facing), away = fmin(1.0, fmax(0.0, 1.0 - facing / leans_away));
    double full = in_full * kappa[0] * kappa[1] / (kappa[0] + kappa[1]) * work->deepest;
    double hair = 1e-6 * work->deepest + 64.0 * DBL_EPSILON * work->size;
    // The way w = m + q, q across m: in the plane of an edge if there is one, and across the piece
    // between two that look at each other.
    double cheap = fmin(1.0, shallow * work->deepest / s.bend.bulge->r);
    asked_way q = {.e = {v3_perpendicular(m), V3_ZERO}};
    q.e[1] = v3_cross(m, q.e[0]);
    for (int k = 0; k < work->n[which]; k++) {
        sg_vec3 c = v3_sub(face[k].n, own->n), end[2];
        double length = v3_norm(c);
        if (&face[k] == own || length < same || !is_neighbor(own, &face[k]))
            continue;
        c = v3_scale(c, 1.0 / length);
        if (!cross(polygon, c, (face[k].o - own->o) / length, hair, end))
            continue;
        double along = v3_dot(c, m), off = v3_norm(v3_cross(c, m));
        double sharp = fmin(1.0, v3_norm(v3_add(face[k].n, own->n)));
        double leans = (which ? -1.0 : 1.0) * v3_dot(own->n, v3_add_scaled(m, c, -along));
        s.bend.g = stiffness * fmin(across, fmax(least_lean, leans / (off * off)));
        double part = fmin(1.0, most_on(&s, end) / (full * sharp));
        double counts = fmax(unpressed * away, part * part * (3.0 - 2.0 * part));
        if (off > same)
            ask(&q, v3_scale(c, 1.0 / off), -along / off,
                stiff * counts * fmin(1.0, off * off / (opposed * cheap)));
    }
    return v3_unit(v3_add(m, answer(&q)));
}
