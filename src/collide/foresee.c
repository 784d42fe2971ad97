#include "collide/foresee.h"

#include "math/quat.h"
#include "math/scalar.h"

#include <float.h>

// The most of s^2 (1 - s) between 0 and 1: what a velocity at the end makes of a cubic before it.
static const double bulge_of_velocity = 4.0 / 27.0;
// Numbers that are so many roundings of a coordinate apart are the same.
static const double roundings = 16.0;
// A piece is shorter than the whole by these factors; in between by the cube root of what it was
// off by, which is how errors of a parabola grow.
static const double least_part = 0.05, most_part = 0.5, margin = 0.9;

sg_status sg_foresight_init(sg_detect *d, sg_arena *arena)
{
    d->foresight = SG_NEW(arena, struct sg_foresight);
    if (!d->foresight)
        return SG_ERR_MEMORY;
    d->foresight->time = (double)NAN;
    d->foresight->shape = SG_NEW_ARRAY(arena, sg_foresight_shape, (size_t)d->candidates->n + 1);
    return d->foresight->shape ? SG_OK : SG_ERR_MEMORY;
}

static sg_vec3 center_of(const sg_detect *d, int i)
{
    const sg_pose *pose = d->shape[i].pose;
    return d->shape[i].is_ball ? pose->r
                               : sg_shape_centroid(d->candidates->collider[i].shape, pose);
}

void sg_foresight_note_one(sg_detect *d, int i)
{
    sg_foresight_shape *s = &d->foresight->shape[i];
    s->box = d->shape[i].box;
    if (d->candidates->collider[i].is_fixed)
        return;
    s->center = center_of(d, i);
    s->R = d->shape[i].pose->R;
}

void sg_foresight_note(sg_detect *d, double time, double step)
{
    d->foresight->time = time;
    d->foresight->step = step;
    for (int i = 0; i < d->candidates->n; i++)
        sg_foresight_note_one(d, i);
}

// How far the farthest point is from where turning was to bring it.
static double turned_off(const sg_foresight_shape *s, const sg_detect_motion *m, const sg_mat3 *now,
                         sg_vec3 w, double h)
{
    sg_vec3 angle = v3_add_scaled(v3_scale(m->w, h), m->alpha, 0.5 * h * h);
    double size = v3_norm(angle), square = 0.0;
    sg_mat3 R = s->R;
    if (size > 0.0) {
        sg_mat3 turn = q_to_mat3(q_axis_angle(v3_scale(angle, 1.0 / size), size));
        R = m3_mul(turn, R);
    }
    for (int i = 0; i < 3; i++)
        square += v3_norm2(v3_sub(m3_row(now, i), m3_row(&R, i)));
    double off = v3_norm(v3_sub(w, v3_add_scaled(m->w, m->alpha, h)));
    // For small angles the square is twice that of the angle; no point goes farther than across.
    double both = sqrt(0.5 * square) + bulge_of_velocity * h * off;
    return m->radius * s_min(both, 2.0);
}

static double find_off(const sg_detect *d, const sg_body_view *view, int i, double h)
{
    const sg_foresight_shape *s = &d->foresight->shape[i];
    const sg_detect_motion *m = &d->motion[i];
    const sg_collider *k = &d->candidates->collider[i];
    sg_vec3 center = center_of(d, i), arm = v3_sub(center, body_pose(view, k->body)->r);
    const sg_motion *vel = body_velocity(view, k->body);
    sg_vec3 v = v3_add(vel->v, v3_cross(vel->w, arm));
    sg_vec3 way = v3_add_scaled(v3_scale(m->v, h), m->a, 0.5 * h * h);
    double off = v3_norm(v3_sub(v3_sub(center, s->center), way));
    off += bulge_of_velocity * h * v3_norm(v3_sub(v, v3_add_scaled(m->v, m->a, h)));
    off += m->radius > 0.0 ? turned_off(s, m, &d->shape[i].pose->R, vel->w, h) : 0.0;
    double coarse = roundings * DBL_EPSILON * v3_max_abs(center);
    return off > coarse ? off : 0.0;
}

// The box that a shape has swept, with what it may be off by on the way and the bulge of its
// parabola.
static sg_aabb swept(const sg_detect *d, int i, double h)
{
    const sg_foresight_shape *s = &d->foresight->shape[i];
    const sg_detect_motion *m = &d->motion[i];
    sg_aabb now = d->shape[i].box;
    sg_aabb both = {
        {s_min(s->box.lo.x, now.lo.x), s_min(s->box.lo.y, now.lo.y), s_min(s->box.lo.z, now.lo.z)},
        {s_max(s->box.hi.x, now.hi.x), s_max(s->box.hi.y, now.hi.y), s_max(s->box.hi.z, now.hi.z)}};
    double turning = m->radius * (v3_norm(m->alpha) + v3_norm2(m->w));
    double bulge = v3_norm(m->a) + m->swing;
    return sg_aabb_grow(both, s->off + 0.125 * h * h * bulge +
                                  s_min(2.0 * m->radius, 0.125 * h * h * turning));
}

// Whether a shape that is somewhere else than it was to be may have met one of these. Those in
// contact are followed by their law.
static bool may_have_met(const sg_detect *d, int i, double h, const int *others, int n)
{
    sg_aabb own = swept(d, i, h);
    for (int k = 0; k < n; k++) {
        int j = others ? others[k] : k, a = i < j ? i : j, b = i < j ? j : i;
        if (i == j || !sg_candidates_may(d->candidates, a, b))
            continue;
        bool fixed = d->candidates->collider[j].is_fixed;
        sg_aabb other = fixed ? d->shape[j].box : swept(d, j, h);
        if (sg_aabb_overlap(own, other) && pair_table_get(&d->members, a, b) < 0)
            return true;
    }
    return false;
}

static double allowed(const sg_detect *d, int i)
{
    return 2.0 * d->options.depth_share * d->shape[i].half;
}

double sg_foreseen_of(sg_detect *d, const sg_body_view *view, const sg_foreseen_group *g, double t0,
                      double t1)
{
    struct sg_foresight *f = d->foresight;
    double h = t1 - t0, worst = 0.0;
    if (t0 != g->time || !(h > 0.0))
        return t1;
    if (h > (1.0 + 1e-9) * g->step) // the end of what is bounded may be rounded
        return t0 + g->step;
    bool any = false;
    for (int k = 0; k < g->n; k++) {
        int i = g->collider ? g->collider[k] : k;
        f->shape[i].off = d->candidates->collider[i].is_fixed ? 0.0 : find_off(d, view, i, h);
        any |= f->shape[i].off > allowed(d, i);
    }
    for (int k = 0; any && k < g->n; k++) {
        int i = g->collider ? g->collider[k] : k;
        double ratio = f->shape[i].off / allowed(d, i);
        if (ratio > 1.0 && ratio > worst &&
            (may_have_met(d, i, h, g->collider, g->n) ||
             may_have_met(d, i, h, g->fixed, g->n_fixed)))
            worst = ratio;
    }
    return worst > 1.0 ? t0 + h * s_max(least_part, s_min(most_part, margin / cbrt(worst))) : t1;
}

double sg_foreseen_until(sg_detect *d, const sg_body_view *view, double t0, double t1)
{
    sg_foreseen_group all = {
        .time = d->foresight->time, .step = d->foresight->step, .n = d->candidates->n};
    return sg_foreseen_of(d, view, &all, t0, t1);
}
