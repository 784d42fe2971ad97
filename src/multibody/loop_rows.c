// One row of constraints or of a drive: its value, its rate, its acceleration without der(v), and
// what it does to the two bodies (multibody/loops.h).
#include "base/number.h"
#include "multibody/loops.h"

#include <math.h>

// The two ends of a path in the world.
typedef struct path_ends {
    const sg_tree_link *l1, *l2;
    sg_vec3 r1, r2; // from the origins of the bodies to the points
    sg_vec3 d, u;   // from the first point to the second, and its rate
    sg_vec3 a;      // second derivative of d, with the accelerations given
    sg_vec3 z1, z2; // angular accelerations
} path_ends;

static sg_vec3 point_acceleration(sg_motion acc, sg_vec3 w, sg_vec3 r)
{
    return v3_add(acc.v, v3_add(v3_cross(acc.w, r), v3_cross(w, v3_cross(w, r))));
}

// With the accelerations of the last pass, or those at der(v) = 0.
static path_ends find_ends(const sg_tree_state *s, const sg_loop_path *p, bool moving)
{
    path_ends e = {.l1 = &s->link[p->body1], .l2 = &s->link[p->body2]};
    e.r1 = m3_mul_v(&e.l1->world.R, p->p1);
    e.r2 = m3_mul_v(&e.l2->world.R, p->p2);
    e.d = v3_sub(v3_add(e.l2->world.r, e.r2), v3_add(e.l1->world.r, e.r1));
    sg_vec3 v1 = v3_add(e.l1->vel.v, v3_cross(e.l1->vel.w, e.r1));
    sg_vec3 v2 = v3_add(e.l2->vel.v, v3_cross(e.l2->vel.w, e.r2));
    e.u = v3_sub(v2, v1);
    sg_motion acc1 = moving ? e.l1->acc : e.l1->rest, acc2 = moving ? e.l2->acc : e.l2->rest;
    e.z1 = acc1.w;
    e.z2 = acc2.w;
    e.a = v3_sub(point_acceleration(acc2, e.l2->vel.w, e.r2),
                 point_acceleration(acc1, e.l1->vel.w, e.r1));
    return e;
}

typedef struct row_values {
    double g, rate, gamma;
    sg_force on1, on2;
} row_values;

static row_values along_values(const path_ends *e, sg_vec3 a_body)
{
    sg_vec3 a = m3_mul_v(&e->l1->world.R, a_body), w = e->l1->vel.w, turn = v3_cross(w, a);
    sg_vec3 bend = v3_add(v3_cross(e->z1, a), v3_cross(w, turn));
    return (row_values){
        .g = v3_dot(a, e->d),
        .rate = v3_dot(a, e->u) + v3_dot(turn, e->d),
        .gamma = v3_dot(a, e->a) + 2.0 * v3_dot(turn, e->u) + v3_dot(bend, e->d),
        .on2 = {v3_cross(e->r2, a), a},
        .on1 = {v3_neg(v3_cross(v3_add(e->r1, e->d), a)), v3_neg(a)},
    };
}

static row_values perp_values(const path_ends *e, sg_vec3 a_body, sg_vec3 b_body)
{
    sg_vec3 a = m3_mul_v(&e->l1->world.R, a_body), b = m3_mul_v(&e->l2->world.R, b_body);
    sg_vec3 w1 = e->l1->vel.w, w2 = e->l2->vel.w, w = v3_sub(w2, w1), c = v3_cross(b, a);
    sg_vec3 c_rate = v3_add(v3_cross(v3_cross(w2, b), a), v3_cross(b, v3_cross(w1, a)));
    return (row_values){
        .g = v3_dot(a, b),
        .rate = v3_dot(w, c),
        .gamma = v3_dot(v3_sub(e->z2, e->z1), c) + v3_dot(w, c_rate),
        .on2 = {c, V3_ZERO},
        .on1 = {v3_neg(c), V3_ZERO},
    };
}

static row_values rod_values(const path_ends *e, double length)
{
    double distance = v3_norm(e->d);
    sg_vec3 n = v3_unit(e->d);
    double rate = v3_dot(n, e->u);
    return (row_values){
        .g = distance - length,
        .rate = rate,
        .gamma = v3_dot(n, e->a) + (v3_norm2(e->u) - rate * rate) / distance,
        .on2 = {v3_cross(e->r2, n), n},
        .on1 = {v3_neg(v3_cross(e->r1, n)), v3_neg(n)},
    };
}

// Of body 2 against body 1 about an axis of that, for angular accelerations z.
static double turn_acceleration(const sg_tree_link *l1, const sg_tree_link *l2, sg_vec3 z1,
                                sg_vec3 z2, sg_vec3 axis)
{
    sg_vec3 w = v3_sub(l2->vel.w, l1->vel.w);
    return v3_dot(axis, v3_sub(z2, z1)) + v3_dot(v3_cross(l1->vel.w, axis), w);
}

static row_values turn_values(const path_ends *e, const sg_loop_row *row)
{
    sg_vec3 a = m3_mul_v(&e->l1->world.R, row->a), w = v3_sub(e->l2->vel.w, e->l1->vel.w);
    sg_vec3 from = m3_mul_v(&e->l1->world.R, row->c), to = m3_mul_v(&e->l2->world.R, row->b);
    return (row_values){
        .g = atan2(v3_dot(v3_cross(from, to), a), v3_dot(from, to)),
        .rate = v3_dot(a, w),
        .gamma = turn_acceleration(e->l1, e->l2, e->z1, e->z2, a),
        .on2 = {a, V3_ZERO},
        .on1 = {v3_neg(a), V3_ZERO},
    };
}

static sg_force without(sg_force a, sg_force b, double times)
{
    return (sg_force){v3_add_scaled(a.n, b.n, -times), v3_add_scaled(a.f, b.f, -times)};
}

// The nearest thread is the one that holds, so whole turns need not be counted.
static row_values screw_values(const path_ends *e, const sg_loop_row *row, double length)
{
    row_values way = along_values(e, row->a), turn = turn_values(e, row);
    double lead = length / SG_TWO_PI;
    return (row_values){
        .g = remainder(way.g - lead * turn.g, fabs(length)),
        .rate = way.rate - lead * turn.rate,
        .gamma = way.gamma - lead * turn.gamma,
        .on2 = without(way.on2, turn.on2, lead),
        .on1 = without(way.on1, turn.on1, lead),
    };
}

static row_values values_of(const path_ends *e, const sg_loop_path *p, const sg_loop_row *row)
{
    switch (row->sort) {
    case SG_ROW_ALONG:
        return along_values(e, row->a);
    case SG_ROW_PERP:
        return perp_values(e, row->a, row->b);
    case SG_ROW_ROD:
        return rod_values(e, p->length);
    case SG_ROW_TURN:
        return turn_values(e, row);
    case SG_ROW_SCREW:
        return screw_values(e, row, p->length);
    case SG_ROW_JOINT:
        break;
    }
    return (row_values){0};
}

// Rows come path by path; `ends` are those of the last one.
static void place_row(const sg_tree_state *s, const sg_tree_loops *l, sg_loop_state *t, int i,
                      path_ends *ends, int *path)
{
    const sg_loop_row *row = &l->row[i];
    row_values v = {0};
    if (row->sort != SG_ROW_JOINT) {
        if (row->path != *path)
            *ends = find_ends(s, &l->path[*path = row->path], false);
        v = values_of(ends, &l->path[row->path], row);
    }
    if (row->held) {
        v.g -= row->at;
        v.g = row->sort == SG_ROW_TURN ? remainder(v.g, SG_TWO_PI) : v.g;
        v.rate -= row->speed;
    }
    t->g[i] = v.g;
    t->rate[i] = v.rate;
    t->gamma[i] = v.gamma;
    t->on1[i] = v.on1;
    t->on2[i] = v.on2;
}

void sg_tree_loops_place(const sg_tree_state *s, const sg_tree_loops *l, sg_loop_state *t)
{
    path_ends ends;
    int path = -1;
    for (int i = 0; i < l->n_rows + l->n_drives; i++)
        place_row(s, l, t, i, &ends, &path);
}

void sg_tree_loops_place_rows(const sg_tree_state *s, const sg_tree_loops *l, sg_loop_state *t,
                              const int *row, int n)
{
    path_ends ends;
    int path = -1;
    for (int i = 0; i < n; i++)
        place_row(s, l, t, row[i], &ends, &path);
    for (int i = l->n_rows; i < l->n_rows + l->n_drives; i++)
        place_row(s, l, t, i, &ends, &path);
}

sg_cut_motion sg_tree_loops_measure(const sg_tree_state *s, const sg_tree_loops *l, int cut,
                                    double near)
{
    path_ends e = find_ends(s, &l->path[cut], false);
    row_values v = values_of(&e, &l->path[cut], &l->measured[cut]);
    if (l->measured[cut].sort == SG_ROW_TURN)
        v.g += SG_TWO_PI * round((near - v.g) / SG_TWO_PI);
    return (sg_cut_motion){v.g, v.rate};
}

double sg_tree_loops_acceleration(const sg_tree_state *s, const sg_tree_loops *l, int cut)
{
    const sg_loop_path *p = &l->path[cut];
    const sg_loop_row *row = &l->measured[cut];
    if (row->sort == SG_ROW_TURN) {
        const sg_tree_link *l1 = &s->link[p->body1], *l2 = &s->link[p->body2];
        return turn_acceleration(l1, l2, l1->acc.w, l2->acc.w, m3_mul_v(&l1->world.R, row->a));
    }
    path_ends e = find_ends(s, p, true);
    return values_of(&e, p, row).gamma;
}

void sg_tree_loops_openings(const sg_tree_state *s, const sg_tree_loops *l, const int *row, int n,
                            double *out)
{
    path_ends ends;
    int path = -1;
    for (int i = 0; i < n; i++) {
        const sg_loop_row *r = &l->row[row[i]];
        if (r->path != path)
            ends = find_ends(s, &l->path[path = r->path], true);
        out[i] = values_of(&ends, &l->path[path], r).gamma;
    }
}
