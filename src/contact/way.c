#include "contact/way.h"

#include <float.h>

// An edge counts in full where its pressure is this part of what the depth of the touch makes, and
// less and less below, so that nothing jumps where one comes in.
static const double in_full = 0.1;
// How much more a way that leaves the plane of an edge in full costs than one that is not across
// the piece; and less than that where these two are nearly against each other (sine squared).
static const double stiff = 1000.0, opposed = 0.1;
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
// is touched.
static bool is_neighbor(const sg_area_face *own, const sg_area_face *other)
{
    if (own->cell && other->cell)
        return own->cell->plane != other->cell->plane;
    if (own->cell && own->cell->side == other->side)
        return other->middle;
    return own->cell || other->cell;
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
    s.bend.g = kappa[0] * kappa[1] / v3_norm(gap) * fabs(v3_dot(own->n, m));
    double full = in_full * kappa[0] * kappa[1] / (kappa[0] + kappa[1]) * work->deepest;
    double hair = 1e-6 * work->deepest + 64.0 * DBL_EPSILON * work->size;
    // The way w that makes |w - m|^2 and stiff (c w)^2 of all edges together least: along an edge's
    // plane if there is one, and across the piece between two that look at each other.
    sg_mat3 A = m3_diagonal(v3_make(1.0, 1.0, 1.0));
    for (int k = 0; k < work->n[which]; k++) {
        sg_vec3 c = v3_sub(face[k].n, own->n), end[2];
        double length = v3_norm(c);
        if (&face[k] == own || length < same || !is_neighbor(own, &face[k]))
            continue;
        c = v3_scale(c, 1.0 / length);
        if (!cross(polygon, c, (face[k].o - own->o) / length, hair, end))
            continue;
        double part = fmin(1.0, most_on(&s, end) / full), along = v3_dot(c, m);
        double cost =
            stiff * part * part * (3.0 - 2.0 * part) * fmin(1.0, (1.0 - along * along) / opposed);
        A = m3_add(A, m3_outer(v3_scale(c, cost), c));
    }
    sg_vec3 w;
    return m3_solve(&A, m, &w) ? v3_unit(w) : m;
}
