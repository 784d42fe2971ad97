#include "model3d/islands.h"

#include "collide/foresee.h"
#include "math/scalar.h"
#include "model3d/islands_internal.h"
#include "model3d/segment.h"
#include "multibody/dynamics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ENDS = 0, BEGINS = 1, TURNS = 2, N_ROOTS = 3 };

// ---- evaluation ---------------------------------------------------------------------------------

// As sg_part_read_free and sg_tree_place_body do it for a ball on the world, which stands still and
// whose axes are those of the states.
static void place_ball(sg_part_state *s, const sg_part_free *f, const double *x)
{
    const sg_tree_body *b = &s->part->segment.tree->body[f->body];
    sg_tree_link *l = &s->tree.link[f->body];
    const sg_tree_turn *turn = sg_tree_turn_of(&s->tree, f->body, x + 6);
    double *q = s->q + f->first, *v = s->v + f->first;
    memcpy(q, x, 3 * sizeof *q);
    memcpy(v, x + 3, 3 * sizeof *v);
    memcpy(q + 3, x + 6, 3 * sizeof *q);
    v3_store(m3_mul_v(&turn->R, v3_from(x + 9)), v + 3);
    l->frame = M3_IDENTITY;
    l->arm = l->world.r = v3_add(b->place.r, v3_from(x));
    l->world.R = m3_transpose(turn->R);
    l->vel = (sg_motion){v3_from(x + 9), v3_from(x + 3)};
    l->rest = (sg_motion){V3_ZERO, V3_ZERO};
}

void sg_islands_place(struct sg_part_islands *p, int cell, const double *x)
{
    sg_part_state *s = sg_islands_state(p);
    const sg_part_free *f = &p->part->records.frees.data[cell];
    double *placed = p->all + p->first[cell];
    if (s->tree.passes != p->passes) {
        memset(p->is_placed, 0, (size_t)p->table.n_cells * sizeof *p->is_placed);
        p->passes = s->tree.passes;
    }
    if (p->is_placed[cell] && memcmp(placed, x, WIDTH * sizeof *x) == 0)
        return;
    memcpy(placed, x, WIDTH * sizeof *x);
    p->is_placed[cell] = true;
    p->version[f->body]++;
    if (p->is_round[cell])
        place_ball(s, f, x);
    else
        sg_part_read_free(s, f, x);
    memcpy(s->tree.q + f->first, s->q + f->first, 6 * sizeof *s->q);
    memcpy(s->tree.v + f->first, s->v + f->first, 6 * sizeof *s->v);
    if (!p->is_round[cell])
        sg_tree_place_body(p->part->segment.tree, &s->tree, f->body);
}

// The states of a cell of an island: free bodies come first.
static const double *part_of(const double *x, int k) { return x + (size_t)WIDTH * (size_t)k; }

static bool has_main(const sg_island_group *g) { return g->n_free < g->n_cells; }

// The model as a whole, where all were last.
static sg_status evaluate_where_all_are(struct sg_part_islands *p, double t)
{
    sg_status status =
        p->whole.rhs ? p->whole.rhs(p->whole.user, t, p->all, p->rates) : SG_ERR_INTERNAL;
    sg_islands_touching(p)->is_placed = false;
    memset(p->is_placed, 0, (size_t)p->table.n_cells * sizeof *p->is_placed);
    return status && status != SG_ERR_MEMORY ? SG_ERR_SOLVER : status;
}

static void take_states(struct sg_part_islands *p, const sg_island_group *g, const double *x)
{
    for (int k = 0; k < g->n_cells; k++) {
        int cell = p->cell[g->first_cell + k];
        memcpy(p->all + p->first[cell], part_of(x, k), (size_t)p->width[cell] * sizeof *x);
    }
}

sg_status sg_islands_evaluate_whole(struct sg_part_islands *p, const sg_island_group *g, double t,
                                    const double *x)
{
    take_states(p, g, x);
    return evaluate_where_all_are(p, t);
}

// Where all of an island are.
static sg_status place_all(struct sg_part_islands *p, const sg_island_group *g, double t,
                           const double *x)
{
    if (has_main(g))
        return sg_islands_evaluate_whole(p, g, t, x);
    for (int k = 0; k < g->n_free; k++)
        sg_islands_place(p, p->cell[g->first_cell + k], part_of(x, k));
    return SG_OK;
}

static const sg_part_free *free_of(const struct sg_part_islands *p, const sg_island_group *g, int k)
{
    return &p->part->records.frees.data[p->cell[g->first_cell + k]];
}

// Its contacts; of none there is no list to point into.
static const int *contacts_of(const struct sg_part_islands *p, const sg_island_group *g)
{
    return g->n_contacts > 0 ? p->contact + g->first_contact : NULL;
}

// Newton's and Euler's equations of a ball, of which the latter has no term of velocities.
static void push_ball(sg_part_state *s, const sg_part_free *f, sg_force force)
{
    const sg_tree *tree = s->part->segment.tree;
    const sg_inertia *inertia = &tree->body[f->body].inertia;
    sg_tree_link *l = &s->tree.link[f->body];
    l->acc.v =
        v3_add(sg_tree_gravity(tree, &s->tree, f->body), v3_scale(force.f, 1.0 / inertia->m));
    l->acc.w = v3_scale(force.n, 1.0 / inertia->I.m[0][0]);
    v3_store(l->acc.v, s->a + f->first);
    v3_store(m3_tmul_v(&l->world.R, l->acc.w), s->a + f->first + 3);
}

// Forces and accelerations where all are placed. With the mainland they were found with the places.
static sg_status accelerate(struct sg_part_islands *p, const sg_island_group *g, double t)
{
    sg_part_state *s = sg_islands_state(p);
    sg_part_touching *touching = sg_islands_touching(p);
    const sg_tree *tree = p->part->segment.tree;
    sg_body_view view = sg_part_body_view(s);
    if (has_main(g))
        return SG_OK;
    for (int k = 0; k < g->n_free; k++) {
        int body = free_of(p, g, k)->body;
        touching->force[body] = (sg_force){V3_ZERO, V3_ZERO};
        p->stirred[body] = p->version_acc[body] != p->version[body];
    }
    touching->is_placed = false; // boxes are not those of all any more
    sg_status status =
        sg_contacts_evaluate_group(&touching->contacts, t, &view, contacts_of(p, g), g->n_contacts,
                                   p->version, p->stirred, touching->force);
    if (status)
        return status == SG_ERR_MEMORY ? status : SG_ERR_SOLVER;
    for (int k = 0; !status && k < g->n_free; k++) {
        int body = free_of(p, g, k)->body;
        if (!p->stirred[body])
            continue; // neither it nor what acts on it is another
        if (p->is_round[p->cell[g->first_cell + k]]) {
            push_ball(s, free_of(p, g, k), touching->force[body]);
            p->version_acc[body] = p->version[body];
            continue;
        }
        s->tree.link[body].push = (sg_force){V3_ZERO, V3_ZERO};
        sg_tree_apply(tree, &s->tree, tree->body[body].root, touching->force[body]);
        status = sg_tree_forward_alone(tree, &s->tree, body, s->split.zero, s->a);
        p->version_acc[body] = status ? 0 : p->version[body];
    }
    return status ? SG_ERR_SOLVER : SG_OK;
}

sg_status sg_islands_accelerate(struct sg_part_islands *p, const sg_island_group *g, double t,
                                const double *x)
{
    sg_status status = place_all(p, g, t, x);
    return status ? status : accelerate(p, g, t);
}

static sg_status rhs(void *user, int32_t island, double t, const double *x, double *dx)
{
    struct sg_part_islands *p = user;
    const sg_island_group *g = &p->group[island];
    sg_status status = place_all(p, g, t, x);
    if (!status)
        status = accelerate(p, g, t);
    for (int k = 0; !status && k < g->n_cells && has_main(g); k++) {
        int cell = p->cell[g->first_cell + k];
        memcpy(dx + (size_t)WIDTH * (size_t)k, p->rates + p->first[cell],
               (size_t)p->width[cell] * sizeof *dx);
    }
    for (int k = 0; !status && k < g->n_free && !has_main(g); k++)
        sg_part_write_free(sg_islands_state(p), free_of(p, g, k), dx + (size_t)WIDTH * (size_t)k);
    return status;
}

// Loops are closed within the mainland.
static bool projects(void *user, int32_t island)
{
    const struct sg_part_islands *p = user;
    return has_main(&p->group[island]);
}

static sg_status project(void *user, int32_t island, double t, double *x)
{
    struct sg_part_islands *p = user;
    const sg_island_group *g = &p->group[island];
    take_states(p, g, x);
    sg_status status = p->whole.project(p->whole.user, t, p->all);
    for (int k = 0; k < g->n_cells; k++) {
        int cell = p->cell[g->first_cell + k];
        memcpy(x + (size_t)WIDTH * (size_t)k, p->all + p->first[cell],
               (size_t)p->width[cell] * sizeof *x);
    }
    memset(p->is_placed, 0, (size_t)p->table.n_cells * sizeof *p->is_placed);
    return status;
}

// ---- crossing functions -------------------------------------------------------------------------

static sg_status box_all(struct sg_part_islands *p, const sg_island_group *g)
{
    sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(p));
    sg_status status = SG_OK;
    d->now++;
    for (int k = 0; !status && k < g->n_colliders; k++) {
        int i = p->collider[g->first_collider + k];
        status = sg_detect_box(d, &view, i);
        p->sweep[i].now = sg_islands_center(d, i);
    }
    return status;
}

// Stands for no pair [m], as in collide/detect.c.
static const double no_pair = 42.0;

static sg_status roots(void *user, int32_t island, double t, const double *x, double *z)
{
    struct sg_part_islands *p = user;
    sg_island_group *g = &p->group[island];
    sg_part_touching *touching = sg_islands_touching(p);
    sg_detect *d = &touching->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(p));
    z[ENDS] = -no_pair;
    z[BEGINS] = no_pair;
    z[TURNS] = -INFINITY;
    sg_status status = place_all(p, g, t, x);
    for (int k = 0; k < g->n_free; k++)
        z[TURNS] = fmax(z[TURNS], sg_part_turned_far(part_of(x, k) + 6));
    touching->is_placed = false;
    if (!status)
        status = box_all(p, g);
    if (!status)
        status = sg_islands_find_nearest(p, g, &z[BEGINS]);
    for (int k = 0; !status && k < g->n_contacts; k++) {
        sg_touch *touch = &d->touch.data[p->contact[g->first_contact + k]];
        status = sg_detect_touch_again(d, &view, touch);
        double far = touch->s - sg_detect_hysteresis(d, touch->a, touch->b);
        z[ENDS] = k == 0 ? far : fmax(z[ENDS], far);
    }
    return status && status != SG_ERR_MEMORY ? SG_ERR_SOLVER : status;
}

static void name(void *user, int32_t island, const int8_t *own, const double *x, int8_t *all)
{
    struct sg_part_islands *p = user;
    const sg_island_group *g = &p->group[island];
    p->struck[island] = true;
    if (!own || own[BEGINS])
        all[p->c->zd] = own ? own[BEGINS] : -1;
    if (own && own[ENDS])
        all[p->c->zp] = own[ENDS];
    for (int k = 0; own && own[TURNS] && k < g->n_free; k++)
        if (sg_part_turned_far(part_of(x, k) + 6) > 0.0)
            all[free_of(p, g, k)->crossing] = own[TURNS];
}

// ---- bounds of steps ----------------------------------------------------------------------------

static const double most_growth = 20.0;

// With all placed and accelerated: how far a step may go.
static double bound_from_here(struct sg_part_islands *p, sg_island_group *g, double t)
{
    sg_part_touching *touching = sg_islands_touching(p);
    sg_detect *d = &touching->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(p));
    // No method makes a step longer than ten times the last one.
    double most = most_growth * p->stepped[p->cell[g->first_cell]];
    sg_motion_bound out = {most < 1e300 ? most : 1e300, -1, -1};
    sg_status status = box_all(p, g);
    for (int k = 0; !status && k < g->n_colliders; k++) {
        int i = p->collider[g->first_collider + k];
        sg_detect_find_motion(d, &view, i);
        const sg_detect_motion *m = &d->motion[i];
        p->sweep[i].speed = v3_norm(m->v) + m->radius * v3_norm(m->w);
        p->sweep[i].push = v3_norm(m->a) + m->radius * v3_norm(m->alpha) + m->swing;
    }
    for (int k = 0; !status && k < g->n_contacts; k++)
        sg_detect_heed_contact(d, &view, &d->touch.data[p->contact[g->first_contact + k]], &out);
    if (!status)
        status = sg_islands_bound_pairs(p, g, &out);
    if (status)
        return INFINITY;
    for (int k = 0; k < g->n_colliders; k++)
        sg_foresight_note_one(d, p->collider[g->first_collider + k]);
    g->time = t;
    g->step = out.step < 1e300 ? out.step : (double)INFINITY;
    return g->step;
}

static double speed_against(const sg_body_view *view, const bool *moves, int body, int other)
{
    double speed = v3_norm(v3_sub(body_velocity(view, body)->v, body_velocity(view, other)->v));
    return moves[other] ? fmax(speed, DBL_MIN) : (double)INFINITY;
}

// How much of velocities counts, as in elements/contact_speeds.c.
static void limit_speeds(const struct sg_part_islands *p, const sg_island_group *g, double *most)
{
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(p));
    double *counts = p->counts;
    for (int k = 0; k < g->n_cells; k++)
        counts[k] = 0.0;
    for (int m = 0; m < g->n_contacts; m++) {
        const sg_touch *touch = &d->touch.data[p->contact[g->first_contact + m]];
        int body[2] = {d->candidates->collider[touch->a].body,
                       d->candidates->collider[touch->b].body};
        for (int k = 0; k < 2; k++) {
            int cell = p->cell_of_body[body[k]];
            double speed =
                cell >= 0 ? speed_against(&view, p->c->moves, body[k], body[1 - k]) : 0.0;
            if (cell >= 0 && speed > counts[p->place[cell]])
                counts[p->place[cell]] = speed;
        }
    }
    for (int k = 0; k < g->n_free; k++)
        for (int i = 3; i < 6; i++)
            most[(size_t)WIDTH * (size_t)k + (size_t)i] =
                counts[k] > 0.0 ? counts[k] : (double)INFINITY;
}

static double bound(void *user, int32_t island, double t, const double *x, double *most)
{
    struct sg_part_islands *p = user;
    sg_island_group *g = &p->group[island];
    sg_part_touching *touching = sg_islands_touching(p);
    if (place_all(p, g, t, x) != SG_OK || accelerate(p, g, t) != SG_OK)
        return INFINITY; // the step itself will tell
    double hits =
        sg_contacts_end_step_of_group(&touching->contacts, t, contacts_of(p, g), g->n_contacts);
    sg_islands_state(p)->eval.time = t; // for messages
    sg_part_warn_of_some_contacts(&sg_islands_state(p)->eval, p->c, touching, contacts_of(p, g),
                                  g->n_contacts);
    if (most)
        limit_speeds(p, g, most);
    double step = bound_from_here(p, g, t);
    const sg_detect *d = &touching->contacts.detect;
    for (int k = 0; k < g->n_colliders; k++) {
        int i = p->collider[g->first_collider + k];
        p->sweep[i].center = p->sweep[i].now;
        p->sweep[i].v = d->motion[i].v;
        p->sweep[i].a = d->motion[i].a;
    }
    g->began = t;
    return fmin(step, hits);
}

static double foreseen(void *user, int32_t island, double t0, double t1, bool goes_on)
{
    struct sg_part_islands *p = user;
    sg_island_group *g = &p->group[island];
    sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(p));
    sg_foreseen_group own = {.time = g->time,
                             .step = g->step,
                             .collider = p->collider + g->first_collider,
                             .n = g->n_colliders,
                             .fixed = p->fixed,
                             .n_fixed = p->n_fixed};
    double until = sg_foreseen_of(d, &view, &own, t0, t1);
    if (until >= t1 && goes_on && accelerate(p, g, t1) == SG_OK)
        bound_from_here(p, g, t1);
    return until;
}

// ---- meetings -----------------------------------------------------------------------------------

// The most of s^2 (1 - s) between 0 and 1, see collide/foresee.h.
static const double bulge_of_velocity = 4.0 / 27.0;

// The box of all places that the ball around a collider was at since the step began: the cubic
// through both ends is not farther than this from the line between them.
static sg_status swept(void *user, int32_t island, double t, const double *x)
{
    struct sg_part_islands *p = user;
    const sg_island_group *g = &p->group[island];
    sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    sg_body_view view = sg_part_body_view(sg_islands_state(p));
    double h = t - g->began;
    p->stepped[p->cell[g->first_cell]] = h > 0.0 ? h : (double)INFINITY;
    sg_status status = place_all(p, g, t, x);
    if (!status)
        status = box_all(p, g);
    for (int k = 0; !status && k < g->n_colliders; k++) {
        int i = p->collider[g->first_collider + k];
        sg_island_sweep *s = &p->sweep[i];
        const sg_collider *c = &d->candidates->collider[i];
        sg_vec3 now = sg_islands_center(d, i), v = body_velocity_at(&view, c->body, now);
        sg_vec3 way = v3_add_scaled(v3_scale(s->v, h), s->a, 0.5 * h * h);
        double off = v3_norm(v3_sub(v3_sub(now, s->center), way));
        off += bulge_of_velocity * h * v3_norm(v3_sub(v, v3_add_scaled(s->v, s->a, h)));
        off += 0.125 * h * h * v3_norm(s->a);
        sg_aabb both = {
            {s_min(s->center.x, now.x), s_min(s->center.y, now.y), s_min(s->center.z, now.z)},
            {s_max(s->center.x, now.x), s_max(s->center.y, now.y), s_max(s->center.z, now.z)}};
        s->box = sg_aabb_grow(both, c->shape->bound + off);
        s->middle = v3_scale(v3_add(s->center, now), 0.5);
        s->reach = 0.5 * v3_norm(v3_sub(now, s->center)) + off + c->shape->bound;
        sg_islands_note_sweep(p, i);
    }
    return status;
}

// ---- the islands of now -------------------------------------------------------------------------

static int leader_of(int *up, int k)
{
    while (up[k] != k) {
        up[k] = up[up[k]];
        k = up[k];
    }
    return k;
}

static int cell_of(const struct sg_part_islands *p, int collider)
{
    return p->cell_of_body[p->c->collider[collider].body];
}

static void join(int *leader, int a, int b)
{
    a = leader_of(leader, a);
    b = leader_of(leader, b);
    leader[a < b ? b : a] = a < b ? a : b;
}

// An island in which contacts have only ended, and not all of them, stays whole: forces fade to
// nothing where a contact ends, so its solver may go on.
static void keep_whole(struct sg_part_islands *p, const sg_contacts *all)
{
    for (int o = 0; o < p->n_were; o++)
        p->left[o] = 0;
    for (size_t i = 0; p->n_were && i < all->contact.len; i++) {
        int a = cell_of(p, all->detect.touch.data[i].a),
            b = cell_of(p, all->detect.touch.data[i].b);
        int one = a >= 0 ? a : b, other = b >= 0 ? b : a;
        if (one < 0)
            continue;
        bool comes = all->contact.data[i].start_time >= all->time || p->was[one] != p->was[other];
        for (int k = 0; k < 2; k++) {
            int *left = &p->left[p->was[k ? other : one]];
            *left = comes || *left < 0 ? -1 : *left + 1;
        }
    }
    int *before = p->place; // by island that was: the last of its cells so far
    for (int o = 0; o < p->n_were; o++)
        before[o] = -1;
    for (int k = 0; p->n_were && k < p->table.n_cells; k++) {
        int was = p->was[k];
        if (p->left[was] > 0 && before[was] >= 0)
            join(p->leader, before[was], k);
        before[was] = k;
    }
}

// Cells that touch, directly or through others, numbered in the order of the first of them.
static void unite(struct sg_part_islands *p, const sg_contacts *all)
{
    int n = p->table.n_cells;
    int *island = p->was;
    p->was = p->island;
    p->island = island;
    p->n_were = p->n_groups;
    for (int k = 0; k < n; k++)
        p->leader[k] = k;
    for (size_t i = 0; i < all->contact.len; i++) {
        int a = cell_of(p, all->detect.touch.data[i].a),
            b = cell_of(p, all->detect.touch.data[i].b);
        if (a < 0 || b < 0)
            continue;
        join(p->leader, a, b);
    }
    keep_whole(p, all);
    for (int k = 0; k < n; k++)
        if (p->carries[k])
            join(p->leader, k, p->main);
    p->n_groups = 0;
    for (int k = 0; k < n; k++) {
        int leader = leader_of(p->leader, k);
        p->island[k] = leader == k ? p->n_groups++ : p->island[leader];
    }
}

// Numbers sorted by island: first counted, then put in their places.
static void sort_cells(struct sg_part_islands *p)
{
    int at = 0, colliders = 0;
    for (int o = 0; o < p->n_groups; o++)
        p->group[o].n_cells = p->group[o].n_colliders = p->group[o].n_contacts = 0;
    for (int k = 0; k < p->table.n_cells; k++)
        p->group[p->island[k]].n_cells++;
    for (int i = 0; i < p->c->n; i++)
        if (cell_of(p, i) >= 0)
            p->group[p->island[cell_of(p, i)]].n_colliders++;
    for (int o = 0; o < p->n_groups; o++) {
        sg_island_group *g = &p->group[o];
        g->first_cell = at;
        g->first_collider = colliders;
        at += g->n_cells;
        colliders += g->n_colliders;
        g->n_cells = g->n_colliders = 0;
    }
    for (int k = 0; k < p->table.n_cells; k++) {
        sg_island_group *g = &p->group[p->island[k]];
        p->place[k] = g->n_cells;
        p->cell[g->first_cell + g->n_cells++] = k;
        g->n_free = k == p->main ? g->n_cells - 1 : g->n_cells;
    }
    for (int i = 0; i < p->c->n; i++)
        if (cell_of(p, i) >= 0) {
            sg_island_group *g = &p->group[p->island[cell_of(p, i)]];
            p->collider[g->first_collider + g->n_colliders++] = i;
        }
}

static int island_of(const struct sg_part_islands *p, const sg_touch *t)
{
    int a = cell_of(p, t->a), b = cell_of(p, t->b);
    return a >= 0 ? p->island[a] : b >= 0 ? p->island[b] : -1;
}

static bool sort_contacts(struct sg_part_islands *p, const sg_contacts *all, sg_arena *arena)
{
    int n = (int)all->contact.len, at = 0;
    if (n > p->room) {
        p->contact = SG_NEW_ARRAY(arena, int, 2 * n);
        p->room = p->contact ? 2 * n : 0;
    }
    if (n > p->room)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int o = 0; pass && o < p->n_groups; o++) {
            p->group[o].first_contact = at;
            at += p->group[o].n_contacts;
            p->group[o].n_contacts = 0;
        }
        for (int i = 0; i < n; i++) {
            int o = island_of(p, &all->detect.touch.data[i]);
            if (o < 0)
                continue;
            if (pass)
                p->contact[p->group[o].first_contact + p->group[o].n_contacts] = i;
            p->group[o].n_contacts++;
        }
    }
    return true;
}

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    for (int k = 0; k < 8; k++, bits >>= 8)
        hash = (hash ^ (bits & 0xff)) * UINT64_C(1099511628211); // FNV
    return hash;
}

// Which contacts these are, and since when.
static uint64_t mark_of(const struct sg_part_islands *p, const sg_island_group *g,
                        const sg_contacts *all)
{
    uint64_t hash = UINT64_C(14695981039346656037), bits;
    for (int k = 0; k < g->n_contacts; k++) {
        int i = p->contact[g->first_contact + k];
        const sg_touch *t = &all->detect.touch.data[i];
        memcpy(&bits, &all->contact.data[i].start_time, sizeof bits);
        hash = mix(mix(hash, bits), (uint64_t)t->a << 32 | (uint64_t)t->b);
    }
    return hash;
}

// Free bodies are where the model was last evaluated as a whole, until they step.
static void note_states(struct sg_part_islands *p)
{
    const sg_hidden *hidden = sg_islands_state(p)->hidden;
    const double *x = hidden->x ? hidden->x : hidden->start.data;
    for (int k = 0; k < (int)p->part->records.frees.len; k++)
        memcpy(p->all + p->first[k], x + p->part->records.frees.data[k].at, WIDTH * sizeof *x);
    memset(p->is_placed, 0, (size_t)p->table.n_cells * sizeof *p->is_placed);
}

static int32_t partition(void *user, int32_t *island, uint64_t *mark, bool *keeps)
{
    struct sg_part_islands *p = user;
    sg_part_touching *touching = sg_islands_touching(p);
    const sg_contacts *all = &touching->contacts;
    sg_part_warn_of_passing(&sg_islands_state(p)->eval, p->c, touching);
    sg_part_warn_of_creep(&sg_islands_state(p)->eval, p->c, touching);
    note_states(p);
    p->partitions++;
    unite(p, all);
    sort_cells(p);
    if (!sort_contacts(p, all, &touching->arena[touching->turn]))
        return -1;
    for (int k = 0; k < p->table.n_cells; k++)
        island[k] = p->island[k];
    uint64_t *marked = p->marked;
    p->marked = p->mark;
    p->mark = marked;
    for (int o = 0; o < p->n_groups; o++) {
        sg_island_group *g = &p->group[o];
        int was = p->was[p->cell[g->first_cell]];
        g->n_near = -1;
        bool whole = p->n_were && p->left[was] > 0;
        mark[o] = p->mark[o] = whole ? p->marked[was] : mark_of(p, g, all);
        if (!p->n_were || p->mark[o] != p->marked[was])
            p->stepped[p->cell[g->first_cell]] = (double)INFINITY; // a first step may be any
        keeps[o] = p->struck[o] = false;
        for (int k = 0; k < g->n_contacts; k++)
            keeps[o] |=
                sg_contacts_gives_back(all, (size_t)p->contact[g->first_contact + k], p->c->moves);
    }
    return p->n_groups;
}

// ---- begin --------------------------------------------------------------------------------------

// From so many free bodies on islands are mostly faster (a heap of 16 was not), and below that both
// take about as long (docs/performance.md). Beside a mainland, whose steps cost as much as those of
// all, it takes more of them.
enum { pays_from = 4, pays_beside_from = 8 };

// A free body on the world that carries nothing else.
static bool is_alone(const sg_tree *tree, int body)
{
    return tree->body[body].joint == SG_JOINT_FREE && tree->body[body].parent == 0 &&
           tree->body[body].is_leaf;
}

// Only contacts act, and they remember nothing but their laws.
static bool fits(const sg_part *part, int32_t n_before)
{
    const sg_part_records *r = &part->records;
    const sg_part_contacts *c = r->contacts;
    const sg_tree *tree = part->segment.tree;
    if (r->scene.islands == SG_ISLANDS_NEVER || !c || !c->acts || c->n_anchors || c->nz ||
        !part->run || c->options.detect.measure != SG_MEASURE_LEAST || r->contact_laws.len)
        return false;
    if (part->built.balance || r->hinges.len || r->programs.all.len || part->segment.n_resting ||
        part->segment.n_carried || part->run->tree.by_object)
        return false;
    for (int k = 0; k < SG_PORT_N_LEVELS; k++)
        if (part->built.ports.n[k])
            return false;
    for (size_t i = 0; i < r->actors.len; i++) {
        const sg_part_actor *actor = &r->actors.data[i];
        if (actor->data != c && (actor->apply || actor->bound || actor->foreseen))
            return false;
    }
    int n = 0;
    for (int b = 1; b < tree->n_bodies; b++)
        n += is_alone(tree, b);
    bool beside = n_before > 0 || n + 1 < tree->n_bodies;
    if (r->scene.islands == SG_ISLANDS_WHEREVER_THEY_FIT)
        return n + beside > 1 && n > 0;
    return n >= (beside ? pays_beside_from : pays_from);
}

// The islands of a run keep numbers by body in memory that lasts as long as those do. The states of
// the steps are the islands'; what an event finds is read from the sg_part_touching as it is then.
static void sort_out(struct sg_part_islands *p)
{
    const sg_part_contacts *c = p->c;
    const sg_tree *tree = p->part->segment.tree;
    int n_free = (int)p->part->records.frees.len;
    p->cell_of_body[0] = -1;
    for (int b = 1; b < tree->n_bodies; b++)
        p->cell_of_body[b] = p->main;
    for (int k = 0; k < n_free; k++) {
        const sg_part_free *f = &p->part->records.frees.data[k];
        p->cell_of_body[f->body] = k;
        p->first[k] = p->whole.n_before + (int32_t)f->at;
        p->width[k] = WIDTH;
        p->carries[k] = !is_alone(tree, f->body);
        p->is_round[k] = !p->carries[k] && tree->body[f->body].parent == 0 &&
                         tree->body[f->body].is_straight && tree->body[f->body].is_leaf &&
                         sg_part_is_round(p->part, f) && tree->body[f->body].inertia.m > 0.0 &&
                         tree->body[f->body].inertia.I.m[0][0] > 0.0;
    }
    if (p->main >= 0) {
        p->first[p->main] = 0;
        p->width[p->main] = p->whole.n_before;
    }
    p->is_smooth = sg_islands_are_smooth(n_free, &c->table);
    for (int i = 0; i < c->n; i++)
        if (c->collider[i].is_fixed)
            p->fixed[p->n_fixed++] = i;
}

const struct sg_islands *sg_part_islands(sg_part *part, const sg_island_whole *whole)
{
    if (!fits(part, whole->n_before))
        return NULL;
    if (part->run->islands && whole->rhs)
        part->run->islands->whole = *whole;
    if (part->run->islands)
        return &part->run->islands->table;
    sg_arena *a = &part->run->arena;
    int n_free = (int)part->records.frees.len;
    bool more = whole->n_before > 0 || part->segment.tree->n_bodies > n_free + 1;
    if (more && !whole->n_before) // moved by time alone: nothing for a solver
        return NULL;
    size_t n = (size_t)(n_free + more) + 1, n_states = (size_t)(WIDTH * n_free + whole->n_before);
    size_t n_bodies = (size_t)part->segment.tree->n_bodies;
    size_t n_colliders = (size_t)part->records.contacts->n + 1;
    struct sg_part_islands *p = SG_NEW(a, struct sg_part_islands);
    if (!p)
        return NULL;
    *p = (struct sg_part_islands){.part = part,
                                  .c = part->records.contacts,
                                  .first = SG_NEW_ARRAY(a, int32_t, n),
                                  .width = SG_NEW_ARRAY(a, int32_t, n),
                                  .whole = *whole,
                                  .main = more ? n_free : -1,
                                  .carries = SG_NEW_ARRAY(a, bool, n),
                                  .all = SG_NEW_ARRAY(a, double, n_states + 1),
                                  .rates = SG_NEW_ARRAY(a, double, n_states + 1),
                                  .cell_of_body = SG_NEW_ARRAY(a, int, n_bodies),
                                  .is_round = SG_NEW_ARRAY(a, bool, n),
                                  .leader = SG_NEW_ARRAY(a, int, n),
                                  .island = SG_NEW_ARRAY(a, int, n),
                                  .was = SG_NEW_ARRAY(a, int, n),
                                  .mark = SG_NEW_ARRAY(a, uint64_t, n),
                                  .marked = SG_NEW_ARRAY(a, uint64_t, n),
                                  .left = SG_NEW_ARRAY(a, int, n),
                                  .stepped = SG_NEW_ARRAY(a, double, n),
                                  .group = SG_NEW_ARRAY(a, sg_island_group, n),
                                  .cell = SG_NEW_ARRAY(a, int, n),
                                  .collider = SG_NEW_ARRAY(a, int, n_colliders),
                                  .fixed = SG_NEW_ARRAY(a, int, n_colliders),
                                  .place = SG_NEW_ARRAY(a, int, n),
                                  .counts = SG_NEW_ARRAY(a, double, n),
                                  .yard = SG_NEW_ARRAY(a, sg_island_yard, n_colliders),
                                  .near = SG_NEW_ARRAY(a, sg_near_pair, SG_NEAR_ROOM * n_colliders),
                                  .struck = SG_NEW_ARRAY(a, bool, n),
                                  .fresh =
                                      SG_NEW_ARRAY(a, sg_detect_pair_of, SG_FRESH * n_colliders),
                                  .struck_one = SG_NEW_ARRAY(a, int, n_colliders),
                                  .is_struck = SG_NEW_ARRAY(a, bool, n_colliders),
                                  .listed = SG_NEW_ARRAY(a, sg_vec3, n_colliders),
                                  .is_placed = SG_NEW_ARRAY(a, bool, n),
                                  .version = SG_NEW_ARRAY(a, uint64_t, n_bodies),
                                  .version_acc = SG_NEW_ARRAY(a, uint64_t, n_bodies),
                                  .stirred = SG_NEW_ARRAY(a, bool, n_bodies),
                                  .sweep = SG_NEW_ARRAY(a, sg_island_sweep, n_colliders),
                                  .table = {.user = p,
                                            .n_cells = (int32_t)(n - 1),
                                            .n_roots = N_ROOTS,
                                            .partition = partition,
                                            .rhs = rhs,
                                            .projects = projects,
                                            .project = project,
                                            .bodies = sg_islands_bodies,
                                            .slopes = sg_islands_slopes,
                                            .roots = roots,
                                            .foreseen = foreseen,
                                            .bound = bound,
                                            .swept = swept,
                                            .meets = sg_islands_meet,
                                            .name = name,
                                            .quiet = sg_islands_quiet}};
    if (a->failed)
        return NULL;
    p->table.first = p->first;
    p->table.width = p->width;
    sort_out(p);
    part->run->islands = p;
    return &p->table;
}
