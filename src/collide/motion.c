// How far a solver may step before a contact could be missed: see sg_detect_bound.
#include "collide/detect.h"
#include "math/scalar.h"

void sg_detect_find_motion(sg_detect *d, const sg_body_view *view, int i)
{
    const sg_collider *k = &d->candidates->collider[i];
    sg_detect_motion *m = &d->motion[i];
    if (k->is_fixed)
        return; // zero from the beginning
    *m = (sg_detect_motion){0};
    bool is_ball = d->shape[i].is_ball;
    const sg_pose *pose = d->shape[i].pose;
    sg_vec3 center = is_ball ? pose->r : sg_shape_centroid(k->shape, pose);
    sg_vec3 arm = v3_sub(center, body_pose(view, k->body)->r);
    const sg_motion *vel = body_velocity(view, k->body);
    m->w = vel->w;
    m->v = v3_add(vel->v, v3_cross(vel->w, arm));
    m->radius = is_ball ? 0.0 : k->shape->bound;
    m->swing = v3_norm2(vel->w) * (v3_norm(arm) + m->radius);
    if (view->acceleration) {
        const sg_motion *acc = body_acceleration(view, k->body);
        m->alpha = acc->w;
        m->a = v3_add(acc->v, v3_cross(acc->w, arm));
    }
}

static void set_speeds(sg_detect *d, const sg_body_view *view)
{
    sg_box_tree_clear_speeds(&d->tree);
    for (int i = 0; i < d->candidates->n; i++) {
        sg_detect_find_motion(d, view, i);
        const sg_detect_motion *m = &d->motion[i];
        double speed = v3_norm(m->v) + m->radius * v3_norm(m->w);
        double push = v3_norm(m->a) + m->radius * v3_norm(m->alpha) + m->swing;
        sg_box_tree_set_speed(&d->tree, i, speed, push);
    }
}

// The time in which `way` is covered at the speed c and the acceleration a; infinite if never.
static double time_for(double way, double c, double a)
{
    double square = c * c + 2.0 * a * way;
    if (square < 0.0)
        return INFINITY;
    double sum = c + sqrt(square);
    return sum > 0.0 ? 2.0 * way / sum : (double)INFINITY;
}

// What turning adds along n.
static double turning(const sg_detect_motion *m, sg_vec3 n)
{
    return m->radius > 0.0 ? m->radius * v3_norm(v3_cross(m->w, n)) : 0.0;
}

static double pushing(const sg_detect_motion *m, sg_vec3 n)
{
    double turn = m->radius > 0.0 ? m->radius * v3_norm(v3_cross(m->alpha, n)) : 0.0;
    return turn + m->swing;
}

// A ball in a bore may meet it in any direction: what counts is how fast it moves against the wall.
// That turns with its axis, not about it.
static double time_in_bore(const sg_detect *d, int tube, int ball, double gap)
{
    const sg_detect_motion *m = &d->motion[tube], *o = &d->motion[ball];
    sg_vec3 axis = sg_tube_axis(d->candidates->collider[tube].shape, d->shape[tube].pose);
    sg_vec3 w = v3_add_scaled(m->w, axis, -v3_dot(m->w, axis));
    sg_vec3 alpha = v3_add_scaled(m->alpha, axis, -v3_dot(m->alpha, axis));
    double c = v3_norm(v3_sub(m->v, o->v)) + m->radius * v3_norm(w);
    double push = v3_norm(v3_sub(m->a, o->a)) + m->radius * v3_norm(alpha);
    push += v3_norm2(w) > 0.0 ? m->swing : 0.0;
    double thickness = 2.0 * (d->shape[tube].half + d->shape[ball].half);
    return time_for(gap + d->options.depth_share * thickness, c, push);
}

static double time_of_pair(const sg_detect *d, int a, int b, sg_vec3 n, double gap)
{
    const sg_detect_motion *ma = &d->motion[a], *mb = &d->motion[b];
    double c = v3_dot(n, v3_sub(ma->v, mb->v)), push = v3_dot(n, v3_sub(ma->a, mb->a));
    c += turning(ma, n) + turning(mb, n);
    push += pushing(ma, n) + pushing(mb, n);
    double thickness = 2.0 * (d->shape[a].half + d->shape[b].half);
    return time_for(gap + d->options.depth_share * thickness, c, push);
}

// From the nearest point of A's tight box to that of B's.
static sg_vec3 box_way(const sg_detect_shape *a, const sg_detect_shape *b)
{
    double way[3], pad = a->pad + b->pad;
    for (int i = 0; i < 3; i++) {
        double up = v3_get(b->box.lo, i) - v3_get(a->box.hi, i) + pad;
        double down = v3_get(a->box.lo, i) - v3_get(b->box.hi, i) + pad;
        way[i] = up > 0.0 ? up : down > 0.0 ? -down : 0.0;
    }
    return v3_from(way);
}

// Narrows the bound down by one pair, if that is apart and may touch.
sg_status sg_detect_heed(sg_detect *d, int a, int b, sg_motion_bound *out)
{
    if (!sg_candidates_may(d->candidates, a, b) || pair_table_get(&d->members, a, b) >= 0)
        return SG_OK;
    const sg_detect_shape *sa = &d->shape[a], *sb = &d->shape[b];
    sg_vec3 n;
    double gap;
    if (sg_aabb_overlap(sa->box, sb->box)) {
        sg_touch t = {0};
        sg_status status = sg_detect_pair(d, a, b, NULL, &t);
        if (status)
            return status;
        if (t.elsewhere) // whoever answers for it is heeded
            return SG_OK;
        n = t.n;
        gap = s_max(t.delta, 0.0);
    } else {
        sg_vec3 way = box_way(sa, sb);
        gap = v3_norm(way);
        n = v3_unit(way);
    }
    const sg_collider *k = d->candidates->collider;
    bool bore_a = k[a].part == SG_TUBE_WALL, bore_b = k[b].part == SG_TUBE_WALL;
    double step = bore_a || bore_b ? time_in_bore(d, bore_a ? a : b, bore_a ? b : a, gap)
                                   : time_of_pair(d, a, b, n, gap);
    if (step < out->step)
        *out = (sg_motion_bound){step, a, b};
    return SG_OK;
}

// A ball that touches a bore on one side may leave it and meet the other side: half of the room it
// has across is not to be passed in a step.
static void heed_far_wall(const sg_detect *d, const sg_touch *t, sg_vec3 v, sg_motion_bound *out)
{
    const sg_collider *k = d->candidates->collider;
    bool first = k[t->a].part == SG_TUBE_WALL;
    if (!first && k[t->b].part != SG_TUBE_WALL)
        return;
    int tube = first ? t->a : t->b, ball = first ? t->b : t->a;
    sg_vec3 axis = sg_tube_axis(k[tube].shape, d->shape[tube].pose);
    double c = v3_norm(v3_add_scaled(v, axis, -v3_dot(v, axis)));
    double way = k[tube].shape->bore - k[ball].shape->radius;
    way += 2.0 * d->options.depth_share * (d->shape[tube].half + d->shape[ball].half);
    if (c * out->step > way)
        *out = (sg_motion_bound){way / c, t->a, t->b};
}

// Shapes in contact are slowed down by the law, which a method with long steps could jump over all
// the same: it would go in at one side and come out at the other, and feel no force at the ends of
// its step. So what is going in may go that much deeper. Forces are left out, they only slow down.
void sg_detect_heed_contact(const sg_detect *d, const sg_body_view *view, const sg_touch *t,
                            sg_motion_bound *out)
{
    sg_vec3 va = body_velocity_at(view, d->candidates->collider[t->a].body, t->point);
    sg_vec3 vb = body_velocity_at(view, d->candidates->collider[t->b].body, t->point);
    double c = v3_dot(t->n, v3_sub(va, vb));
    double way = 2.0 * d->options.depth_share * (d->shape[t->a].half + d->shape[t->b].half);
    if (c * out->step > way)
        *out = (sg_motion_bound){way / c, t->a, t->b};
    heed_far_wall(d, t, v3_sub(va, vb), out);
}

sg_status sg_detect_bound(sg_detect *d, const sg_body_view *view, bool is_placed, double longest,
                          sg_motion_bound *out)
{
    int a, b;
    *out = (sg_motion_bound){longest, -1, -1};
    sg_status status = is_placed ? SG_OK : sg_detect_refresh(d, view, false);
    if (status)
        return status;
    set_speeds(d, view);
    for (size_t i = 0; i < d->touch.len; i++)
        sg_detect_heed_contact(d, view, &d->touch.data[i], out);
    if (d->bound_a >= 0) // the last one first: there is less to look at then
        status = sg_detect_heed(d, d->bound_a, d->bound_b, out);
    sg_box_tree_walk(&d->tree);
    while (!status && sg_box_tree_next_in(&d->tree, 0.0, out->step, &a, &b))
        if (a != d->bound_a || b != d->bound_b)
            status = sg_detect_heed(d, a, b, out);
    d->bound_a = out->a;
    d->bound_b = out->b;
    return status;
}
