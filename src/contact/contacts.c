#include "contact/contacts.h"

#include "contact/pressing.h"
#include "contact/unmoved.h"

#include <string.h>

sg_contact_options sg_contact_options_make(void)
{
    return (sg_contact_options){.detect = sg_detect_options_make(),
                                .law = sg_law_options_make(),
                                .sticks = SG_STICK_BY_PAIR};
}

// Room for areas.
static bool make_room(sg_contacts *c, int n, sg_arena *arena)
{
    int planes = -1;
    for (int i = 0; c->options.area && i < n; i++)
        if (c->options.area[i] && c->options.area[i]->n_cells > planes)
            planes = c->options.area[i]->n_cells;
    c->n_anchors = c->options.n_anchors;
    c->anchor_taken = SG_NEW_ARRAY(arena, bool, c->n_anchors + 1);
    if (planes < 0)
        return c->anchor_taken != NULL;
    c->work = SG_NEW(arena, sg_area_work);
    return c->work && c->anchor_taken && sg_area_work_init(c->work, planes, arena) == SG_OK &&
           sg_pressing_init(c, planes, arena);
}

sg_status sg_contacts_init(sg_contacts *c, const sg_candidates *candidates,
                           const sg_contact_part *part, const sg_contact_table *table,
                           const sg_contact_options *options, sg_arena *arena,
                           const sg_allocator *allocator)
{
    *c = (sg_contacts){.part = part,
                       .table = table,
                       .law = options->law,
                       .written = options->written,
                       .n_written = options->n_written,
                       .pressed_at = (double)NAN,
                       .options = *options};
    if (!make_room(c, candidates->n, arena) || !sg_unmoved_init(c, candidates, arena))
        return SG_ERR_MEMORY;
    sg_status status = sg_detect_init(&c->detect, candidates, &options->detect, arena, allocator);
    if (!status && (!SG_RESERVE(allocator, &c->contact, c->detect.touch.cap) ||
                    !SG_RESERVE(allocator, &c->last, c->detect.touch.cap)))
        status = SG_ERR_MEMORY;
    if (status)
        sg_contacts_destroy(c);
    return status;
}

void sg_contacts_destroy(sg_contacts *c)
{
    if (c->detect.allocator) {
        SG_VEC_FREE(c->detect.allocator, &c->contact);
        SG_VEC_FREE(c->detect.allocator, &c->last);
        SG_VEC_FREE(c->detect.allocator, &c->kept.contact);
        sg_detect_free_kept(&c->detect, &c->kept.detect);
    }
    sg_detect_destroy(&c->detect);
}

static sg_status fail(sg_contacts *c, sg_status status, const sg_touch *t, const char *message)
{
    c->detect.failure = (sg_detect_failure){status, t->a, t->b, message};
    return status;
}

static int body_of(const sg_contacts *c, int collider)
{
    return c->detect.candidates->collider[collider].body;
}

sg_vec3 sg_contacts_velocity(const sg_contacts *c, const sg_body_view *view, const sg_touch *t)
{
    return v3_sub(body_velocity_at(view, body_of(c, t->b), t->point),
                  body_velocity_at(view, body_of(c, t->a), t->point));
}

// The law that somebody wrote for two parts, or null.
static const sg_written_law *find_written(const sg_contacts *c, int a, int b)
{
    for (int i = 0; i < c->n_written; i++)
        if (sg_written_law_is_of(&c->written[i], c->part[a].owner, c->part[b].owner))
            return &c->written[i];
    return NULL;
}

static void begin_flat(const sg_contacts *c, const sg_touch *t, const sg_contact_pair *pair,
                       sg_contact *k)
{
    const sg_contact_options *o = &c->options;
    const sg_collider *collider = c->detect.candidates->collider;
    if (!o->area || !sg_colliders_lie(&collider[t->a], &collider[t->b]) || k->strikes ||
        !(k->law.stiffness > 0.0))
        return;
    sg_flat_pair flat = {.body = {o->area[t->a], o->area[t->b]},
                         .mass = {o->body[body_of(c, t->a)].mass, o->body[body_of(c, t->b)].mass},
                         .gravity = o->gravity};
    k->is_flat = true;
    k->frame = t->a;
    k->area = sg_flat_law_make(&c->law, pair, &flat, &k->stick);
}

// The flatter of the two turns with the normal.
static int flatter(const sg_contacts *c, const sg_touch *t)
{
    const sg_contact_part *a = &c->part[t->a], *b = &c->part[t->b];
    if (a->is_flat != b->is_flat)
        return a->is_flat ? t->a : t->b;
    return a->radius >= b->radius ? t->a : t->b;
}

static void begin_stick(const sg_contacts *c, const sg_touch *t, const sg_contact_material *m,
                        sg_contact *k)
{
    const sg_contact_options *o = &c->options;
    k->sticks = !k->is_flat && o->body && k->law.stiffness > 0.0 && sg_contact_pair_sticks(o, m);
    if (!k->sticks)
        return;
    sg_stick_body body[2] = {o->body[body_of(c, t->a)], o->body[body_of(c, t->b)]};
    double poisson[2] = {c->part[t->a].poisson, c->part[t->b].poisson};
    k->point_stick = sg_stick_make(poisson, body, k->law.kind != SG_CONTACT_ELASTIC);
    k->law.adhesion = isnan(m->adhesion) ? m->friction : m->adhesion;
    k->frame = flatter(c, t);
}

static sg_status begin(sg_contacts *c, const sg_touch *t, double time, const sg_body_view *view,
                       sg_contact *k)
{
    const sg_contact_part *a = &c->part[t->a], *b = &c->part[t->b];
    const sg_contact_material *m = sg_contact_table_get(c->table, a->material, b->material);
    *k = (sg_contact){.start_time = time,
                      .seen = t->point,
                      .anchor = -1,
                      .slip = {.since = time, .down = time},
                      .creep = {.since = (double)NAN}};
    sg_vec3 v = sg_contacts_velocity(c, view, t);
    k->start_speed = fabs(v3_dot(v, t->n));
    k->written = find_written(c, t->a, t->b);
    if (k->written) {
        k->response = SG_CONTACT_WRITTEN;
        return SG_OK;
    }
    if (!m)
        return fail(c, SG_ERR_MODEL, t, "No contact pair material for these two.");
    k->slip.is = v3_norm(v3_add_scaled(v, t->n, -v3_dot(v, t->n))) > m->v_min;
    k->response = m->response;
    k->alarm = m->alarm;
    if (sg_response_takes(m->response) == SG_BY_SPRING) {
        sg_spring_pair pair = {m->spring, m->damping, m->drilling, m->friction, m->v_min, m->w_min};
        k->law = sg_contact_law_spring(m->response, &pair);
        begin_stick(c, t, m, k);
        return SG_OK;
    }
    if (m->response == SG_CONTACT_WHEEL_RAIL)
        return fail(c, SG_ERR_MODEL, t, "The wheel-rail response is not available.");
    if (sg_response_takes(m->response) == SG_BY_ELASTICITY) {
        sg_contact_pair pair = sg_contact_pair_make(a, b, m);
        k->law = sg_contact_law_start(&c->law, &pair, k->start_speed);
        k->strikes = m->response == SG_CONTACT_IMPULSE;
        begin_flat(c, t, &pair, k);
        begin_stick(c, t, m, k);
        k->response = SG_CONTACT_ELASTIC;
    }
    return SG_OK;
}

static bool comes_before(const sg_touch *x, const sg_touch *y)
{
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

// An anchor for each contact that wants one and has none, as long as there are some.
static void give_anchors(sg_contacts *c)
{
    c->anchors_missing = 0;
    for (int i = 0; i < c->n_anchors; i++)
        c->anchor_taken[i] = false;
    for (size_t i = 0; i < c->contact.len; i++)
        if (sg_contact_holds(&c->contact.data[i]) && c->contact.data[i].anchor >= 0)
            c->anchor_taken[c->contact.data[i].anchor] = true;
    int next = 0;
    for (size_t i = 0; i < c->contact.len; i++) {
        sg_contact *k = &c->contact.data[i];
        if (!sg_contact_holds(k) || k->anchor >= 0)
            continue;
        while (next < c->n_anchors && c->anchor_taken[next])
            next++;
        k->anchor = next < c->n_anchors ? next++ : -1;
        c->anchors_missing += k->anchor < 0;
    }
}

// The contacts of the new set: laws of those that go on, fresh ones for those that begin.
static sg_status renew(sg_contacts *c, double time, const sg_body_view *view)
{
    sg_detect *d = &c->detect;
    size_t n = d->touch.len, old = c->contact.len, k = 0;
    d->stats.growths += (n > c->last.cap) + (d->last.len > c->last.cap);
    if (!SG_RESERVE(d->allocator, &c->last, n))
        return SG_ERR_MEMORY;
    sg_contact *data = c->contact.data; // exchange
    size_t cap = c->contact.cap;
    c->contact.data = c->last.data;
    c->contact.cap = c->last.cap;
    c->contact.len = n;
    c->last.data = data;
    c->last.cap = cap;
    c->last.len = old;
    c->n_started = c->n_ended = 0;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const sg_touch *t = &d->touch.data[i];
        if (t->is_new) {
            sg_status status = begin(c, t, time, view, &c->contact.data[i]);
            if (status) { // nothing may go on with half of its laws
                c->contact.len = d->touch.len = 0;
                return status;
            }
            c->n_started++;
            continue;
        }
        while (k < old && comes_before(&d->last.data[k], t))
            k++;
        c->contact.data[i] = c->last.data[k];
        kept++;
    }
    c->n_ended = (int)(old - kept);
    give_anchors(c);
    c->started += c->n_started;
    c->ended += c->n_ended;
    c->graph += c->n_started > 0 || c->n_ended > 0;
    return SG_OK;
}

static void press(sg_force *force, const sg_body_view *view, int body, sg_vec3 point, sg_vec3 f,
                  sg_vec3 torque)
{
    sg_vec3 arm = v3_sub(point, body_pose(view, body)->r);
    force[body].f = v3_add(force[body].f, f);
    force[body].n = v3_add(force[body].n, v3_add(v3_cross(arm, f), torque));
}

// The action of a law outside. What it takes from the motion is all counted as lost, as nobody
// knows what of it may come back: over a whole contact that is the same.
static sg_status call_written(sg_contacts *c, const sg_contact *k, const sg_touch *t, sg_vec3 v,
                              sg_vec3 w, sg_contact_action *out)
{
    const sg_written_law *law = k->written;
    double apart = v3_dot(v, t->n);
    sg_vec3 vt = v3_add_scaled(v, t->n, -apart), force, torque;
    // Relative motion is that of B against A, and the normal points from A to B.
    double sign = c->part[t->b].owner == law->first ? 1.0 : -1.0;
    sg_written_motion motion = {.penetration = -t->s,
                                .rate = -apart,
                                .time = c->time,
                                .slide = v3_scale(vt, sign),
                                .spin = v3_scale(w, sign),
                                .normal = v3_scale(t->n, sign)};
    sg_status status = law->call(law->context, c->caller, &motion, &force, &torque);
    if (status)
        return fail(c, status, t, NULL);
    force = v3_scale(force, sign);
    torque = v3_scale(torque, sign);
    double pressure = v3_dot(force, t->n);
    *out = (sg_contact_action){
        .penetration = -t->s,
        .rate = -apart,
        .pressure = pressure,
        .slide = v3_norm(vt),
        .spin = v3_norm(w),
        .friction = v3_norm(v3_add_scaled(force, t->n, -pressure)),
        .rolling = v3_norm(torque),
        .force = force,
        .torque = torque,
        .damped = -pressure * apart,
        .slid = -v3_dot(force, vt),
        .rolled = -v3_dot(torque, w),
    };
    return SG_OK;
}

static void act_stuck(sg_contacts *c, const sg_body_view *view, const sg_touch *t, sg_vec3 v,
                      sg_vec3 w, sg_contact *k)
{
    int body = body_of(c, k->frame);
    const sg_collider *collider = &c->detect.candidates->collider[k->frame];
    sg_mat3 frame = m3_mul(body_pose(view, body)->R, collider->place.R);
    sg_stick_anchor anchor = {.y = c->anchor + SG_ANCHOR * k->anchor,
                              .rate = c->anchor_rate + SG_ANCHOR * k->anchor,
                              .frame = &frame,
                              .side = k->frame == t->a ? 1.0 : -1.0,
                              .slips = k->slip.is,
                              .held = c->held,
                              .branch = &k->branch};
    sg_stick_act(&k->law, &k->point_stick, -t->s, t->n, v, w, &anchor, &k->share, &k->action);
}

static void add_energy(sg_contact_energy *sum, const sg_contact_action *a)
{
    sum->stored += a->stored;
    sum->damped += a->damped;
    sum->slid += a->slid;
    sum->rolled += a->rolled;
}

// Unless all did beforehand.
static void press_flat(sg_contacts *c, const sg_body_view *view, size_t i)
{
    if (!c->pressed_before)
        sg_contacts_press(c, view, i);
}

static sg_status respond_to(sg_contacts *c, const sg_body_view *view, size_t i, sg_force *force)
{
    sg_touch *t = &c->detect.touch.data[i];
    sg_contact *k = &c->contact.data[i];
    int a = body_of(c, t->a), b = body_of(c, t->b);
    bool rests = k->same == SG_SAME_ALL;
    sg_vec3 v = rests ? V3_ZERO : sg_contacts_velocity(c, view, t);
    sg_vec3 w = v3_sub(body_velocity(view, b)->w, body_velocity(view, a)->w);
    k->law.now = c->time;
    // Without stiffness, as for a watch, the law is all zero but for the kinematics.
    sg_status status = SG_OK;
    if (rests)
        sg_unmoved_restore(c, k);
    else if (k->written)
        status = call_written(c, k, t, v, w, &k->action);
    else if (k->is_flat)
        press_flat(c, view, i);
    else if (k->sticks && k->anchor >= 0 && c->anchor)
        act_stuck(c, view, t, v, w, k);
    else
        sg_contact_law_act(&k->law, -t->s, t->n, v, w, &k->action);
    if (status)
        return status;
    if (c->notes)
        sg_unmoved_note(c, t, k);
    if (!sg_contact_presses(k))
        return SG_OK;
    press(force, view, a, t->point, v3_neg(k->action.force), v3_neg(k->action.torque));
    press(force, view, b, t->point, k->action.force, k->action.torque);
    add_energy(&c->energy, &k->action);
    return SG_OK;
}

// All of them, or at an event of few theirs alone.
static sg_status respond(sg_contacts *c, const sg_body_view *view, bool of_few, sg_force *force)
{
    sg_status status = SG_OK;
    c->energy = (sg_contact_energy){0};
    c->pressed_before = sg_contacts_press_all(c, view);
    for (size_t i = 0; !status && i < c->contact.len; i++)
        if (!of_few || sg_detect_few_have(&c->detect, &c->detect.touch.data[i]))
            status = respond_to(c, view, i, force);
    c->pressed_before = false;
    return status;
}

// ---- peaks ----------------------------------------------------------------------------------

static sg_contact_look look_of(const sg_contact *k, double time)
{
    return (sg_contact_look){time, k->action.penetration, k->action.rate, k->action.pressure};
}

static const sg_contact_law *law_of(const sg_contact *k) { return k->written ? NULL : &k->law; }

static void look_at(sg_contacts *c, double time, bool of_few)
{
    for (size_t i = 0; i < c->contact.len; i++) {
        sg_contact *k = &c->contact.data[i];
        if (of_few && !sg_detect_few_have(&c->detect, &c->detect.touch.data[i]))
            continue;
        sg_contact_peak_look(&k->peak, law_of(k), look_of(k, time));
    }
}

void sg_contacts_look(sg_contacts *c, double time) { look_at(c, time, false); }

bool sg_contacts_next_ended(const sg_contacts *c, size_t *at, size_t *found)
{
    const sg_detect *d = &c->detect;
    for (; c->n_ended && *at < c->last.len; (*at)++) {
        const sg_touch *t = &d->last.data[*at];
        size_t low = 0, high = d->touch.len; // both sets are in order
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            if (comes_before(&d->touch.data[mid], t))
                low = mid + 1;
            else
                high = mid;
        }
        // One that began again at this very event is another one.
        bool goes_on = low < d->touch.len && !comes_before(t, &d->touch.data[low]) &&
                       !d->touch.data[low].is_new;
        if (!goes_on) {
            *found = (*at)++;
            return true;
        }
    }
    return false;
}

bool sg_contacts_jumped(const sg_contacts *c)
{
    size_t at = 0, i;
    bool jumped = c->n_started > 0 || (c->n_ended > 0 && c->contact.len == 0);
    while (!jumped && sg_contacts_next_ended(c, &at, &i))
        jumped = !c->last.data[i].is_flat;
    return jumped;
}

// The last look at contacts that end: they have no depth any more.
static void look_at_ended(sg_contacts *c, double time, const sg_body_view *view)
{
    size_t at = 0, i;
    while (sg_contacts_next_ended(c, &at, &i)) {
        const sg_touch *t = &c->detect.last.data[i];
        sg_contact *k = &c->last.data[i];
        double rate = -v3_dot(sg_contacts_velocity(c, view, t), t->n);
        sg_contact_peak_look(&k->peak, law_of(k), (sg_contact_look){.time = time, .rate = rate});
        c->lately = fmax(c->lately, k->peak.lately);
    }
}

double sg_contacts_deepest(const sg_contacts *c, double time)
{
    double most = c->lately;
    for (size_t i = 0; i < c->contact.len; i++) {
        const sg_contact *k = &c->contact.data[i];
        sg_contact_look here = look_of(k, time);
        most = fmax(most, sg_contact_peak_lately(&k->peak, &here));
    }
    return most;
}

void sg_contacts_stored(sg_contacts *c, double time)
{
    c->lately = 0.0;
    for (size_t i = 0; i < c->contact.len; i++)
        sg_contact_peak_store(&c->contact.data[i].peak, look_of(&c->contact.data[i], time));
}

// ---- evaluation -----------------------------------------------------------------------------

sg_status sg_contacts_evaluate(sg_contacts *c, sg_detect_mode mode, double time,
                               const sg_body_view *view, sg_force *force)
{
    c->again = mode == SG_DETECT_CROSSINGS && time == c->pressed_at && !c->held && !c->notes &&
               !c->accounts;
    c->pressed_at = force && !c->held ? time : (double)NAN;
    c->time = time;
    sg_unmoved_compare(c, mode, view);
    sg_detect_few *few = &c->detect.few;
    bool of_few = mode == SG_DETECT_EVENT && few->on && few->time == time;
    sg_status status = of_few ? sg_detect_event_of_few(&c->detect, view)
                              : sg_detect_evaluate(&c->detect, mode, view);
    few->on &= mode != SG_DETECT_EVENT || few->time == time; // an event may be evaluated twice
    if (!status && mode == SG_DETECT_EVENT)
        status = renew(c, time, view);
    if (!status && c->notes)
        sg_unmoved_note_places(c, view);
    if (!status && force)
        status = respond(c, view, of_few, force);
    if (!status && force && mode == SG_DETECT_EVENT) {
        look_at_ended(c, time, view);
        look_at(c, time, of_few);
    }
    return status;
}

// A contact as it was when it was last evaluated at this time, if its bodies stand as they did.
static bool stands_still(const sg_contacts *c, const sg_touch *t, sg_contact *k,
                         const uint64_t *version, bool *stirred)
{
    int a = body_of(c, t->a), b = body_of(c, t->b);
    if (k->version_time == c->time && k->version[0] == version[a] && k->version[1] == version[b])
        return !k->written;
    k->version_time = c->time;
    k->version[0] = version[a];
    k->version[1] = version[b];
    stirred[a] = stirred[b] = true;
    return false;
}

sg_status sg_contacts_evaluate_group(sg_contacts *c, double time, const sg_body_view *view,
                                     const int *group, int n, const uint64_t *version,
                                     bool *stirred, sg_force *force)
{
    sg_status status = SG_OK;
    c->time = time;
    c->pressed_at = (double)NAN;
    c->again = false;
    c->detect.now++;
    for (int i = 0; !status && i < n; i++) {
        sg_touch *t = &c->detect.touch.data[group[i]];
        sg_contact *k = &c->contact.data[group[i]];
        bool rests = stands_still(c, t, k, version, stirred);
        k->same = rests ? SG_SAME_ALL : SG_SAME_NOTHING;
        if (!rests)
            status = sg_detect_touch_again(&c->detect, view, t);
    }
    for (int i = 0; !status && i < n; i++)
        status = respond_to(c, view, (size_t)group[i], force);
    for (int i = 0; status && i < n; i++)
        c->contact.data[group[i]].version_time = (double)NAN;
    return status;
}

static void follow(sg_contact *k, double time)
{
    if (k->response == SG_CONTACT_ELASTIC)
        sg_contact_law_follow(&k->law, time, k->action.penetration, k->action.rate);
}

void sg_contacts_follow(sg_contacts *c)
{
    for (size_t i = 0; i < c->contact.len; i++)
        follow(&c->contact.data[i], c->time);
}

// A step ends this part of a swing, less 2 pi, behind where flat sides meet that have parted and
// not left each other, and so long are those that follow.
static const double lands = 0.1, landed = 0.2;

// Where nothing was pressed a method takes long steps, and would be deep in the other body when it
// notices. They fall by their weight at least.
static double landing_bound(const sg_contacts *c, const sg_contact *k)
{
    double gap = -k->action.penetration, closing = k->action.rate, g = c->options.gravity;
    double swing = k->stick.swing, until = INFINITY;
    if (gap <= 0.0)
        return closing > 0.0 && -gap < landed * swing * closing ? landed * swing : (double)INFINITY;
    if (g > 0.0)
        until = (sqrt(closing * closing + 2.0 * g * gap) - closing) / g;
    else if (closing > 0.0)
        until = gap / closing;
    return until + lands * swing;
}

static double hit_bound(const sg_contacts *c, const sg_contact *k)
{
    if (k->response != SG_CONTACT_ELASTIC)
        return (double)INFINITY;
    return k->is_flat ? landing_bound(c, k) : sg_contact_law_bound(&k->law);
}

double sg_contacts_hit_bound(const sg_contacts *c)
{
    double bound = (double)INFINITY;
    for (size_t i = 0; i < c->contact.len; i++)
        bound = fmin(bound, hit_bound(c, &c->contact.data[i]));
    return bound;
}

double sg_contacts_end_step_of_group(sg_contacts *c, double time, const int *group, int n)
{
    double bound = (double)INFINITY;
    for (int i = 0; i < n; i++) {
        sg_contact *k = &c->contact.data[group[i]];
        sg_contact_peak_look(&k->peak, law_of(k), look_of(k, time));
        follow(k, time);
        k->version_time = (double)NAN; // its law may be another
        bound = fmin(bound, hit_bound(c, k));
    }
    return bound;
}

// Depths are counted in the largest one that there is, that of centers on each other; from this
// part on it is only a matter of offset by which side the shapes leave each other.
static const double deep_part = 0.5;

size_t sg_contacts_next_through(sg_contacts *c, const sg_body_view *view, size_t at)
{
    for (; at < c->contact.len; at++) {
        const sg_touch *t = &c->detect.touch.data[at];
        sg_contact *k = &c->contact.data[at];
        double most = c->detect.shape[t->a].half + c->detect.shape[t->b].half;
        if (k->is_through || !(-t->delta > deep_part * most) || !sg_contact_presses(k))
            continue;
        sg_vec3 n[2] = {m3_tmul_v(&body_pose(view, body_of(c, t->a))->R, t->n),
                        m3_tmul_v(&body_pose(view, body_of(c, t->b))->R, t->n)};
        if (!k->is_deep) {
            k->sank[0] = n[0];
            k->sank[1] = n[1];
            k->is_deep = true;
        }
        k->is_through = v3_dot(k->sank[0], n[0]) < 0.0 && v3_dot(k->sank[1], n[1]) < 0.0;
        if (k->is_through)
            return at;
    }
    return at;
}

sg_status sg_contacts_carry(sg_contacts *c, const sg_contacts *old, const int *fresh)
{
    const sg_allocator *allocator = c->detect.allocator;
    c->contact.len = c->detect.touch.len = 0;
    for (size_t i = 0; i < old->contact.len; i++) {
        sg_touch t = old->detect.touch.data[i];
        int a = fresh[t.a], b = fresh[t.b];
        if (a < 0 || b < 0 || !sg_candidates_may(c->detect.candidates, a, b))
            continue;
        t.a = a < b ? a : b;
        t.b = a < b ? b : a;
        // In at its place: both lists are in order.
        if (!SG_PUSH(allocator, &c->detect.touch, t) ||
            !SG_PUSH(allocator, &c->contact, old->contact.data[i]))
            return SG_ERR_MEMORY;
        size_t k = c->detect.touch.len - 1;
        for (; k > 0 && comes_before(&t, &c->detect.touch.data[k - 1]); k--) {
            c->detect.touch.data[k] = c->detect.touch.data[k - 1];
            c->contact.data[k] = c->contact.data[k - 1];
        }
        c->detect.touch.data[k] = t;
        c->contact.data[k] = old->contact.data[i];
        c->contact.data[k].frame = fresh[old->contact.data[i].frame];
    }
    return sg_detect_index(&c->detect);
}

bool sg_contacts_missing(const sg_contacts *c, int *a, int *b, int *i, int *j)
{
    int n = c->detect.candidates->n;
    for (; *a < c->table->n; (*a)++, *b = *a)
        for (; *b < c->table->n; (*b)++) {
            if (sg_contact_table_get(c->table, *a, *b))
                continue;
            for (*i = 0; *i < n; (*i)++)
                for (*j = *i + 1; *j < n; (*j)++) {
                    int p = c->part[*i].material, q = c->part[*j].material;
                    bool is_it = (p == *a && q == *b) || (p == *b && q == *a);
                    if (is_it && sg_candidates_may(c->detect.candidates, *i, *j) &&
                        !find_written(c, *i, *j)) {
                        (*b)++;
                        return true;
                    }
                }
        }
    return false;
}

// Whether it would if it were hit with this speed.
static bool gives_back(const sg_contact *k, double speed)
{
    return k->response != SG_CONTACT_WRITTEN && sg_contact_law_gives_back(&k->law, speed);
}

// Is one of the moving bodies of contact i pressed where something is lost, too? What has rested
// there is hit as fast as contact i is, at most.
static bool is_damped_beside(const sg_contacts *c, size_t i, const bool *moves)
{
    const sg_touch *own = &c->detect.touch.data[i];
    int a = body_of(c, own->a), b = body_of(c, own->b);
    double speed = c->contact.data[i].start_speed;
    for (size_t j = 0; j < c->contact.len; j++) {
        const sg_touch *t = &c->detect.touch.data[j];
        int x = body_of(c, t->a), y = body_of(c, t->b);
        bool shared = (moves[a] && (x == a || y == a)) || (moves[b] && (x == b || y == b));
        if (shared && sg_contact_presses(&c->contact.data[j]) &&
            !gives_back(&c->contact.data[j], speed))
            return true;
    }
    return false;
}

bool sg_contacts_gives_back(const sg_contacts *c, size_t i, const bool *moves)
{
    const sg_contact *k = &c->contact.data[i];
    return sg_contact_presses(k) && gives_back(k, 0.0) && !is_damped_beside(c, i, moves);
}

bool sg_contacts_give_back(const sg_contacts *c, const bool *moves)
{
    for (size_t i = 0; i < c->contact.len; i++)
        if (sg_contacts_gives_back(c, i, moves))
            return true;
    return false;
}
