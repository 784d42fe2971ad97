#include "contact/pressing.h"

#include "base/crew.h"
#include "contact/flat.h"
#include "contact/outline.h"
#include "contact/unmoved.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

// Fewer areas are evaluated sooner than others are told of them.
enum { LEAST_AREAS = 6 };

static sg_area_place place_of(const sg_contacts *c, const sg_body_view *view, int collider)
{
    const sg_area_body *body = c->options.area[collider];
    int b = c->detect.candidates->collider[collider].body;
    return (sg_area_place){.body = body,
                           .frame = sg_shape_frame(body->shape, c->detect.shape[collider].pose),
                           .at = body_pose(view, b)->r,
                           .motion = *body_velocity(view, b)};
}

// Pressure is most of the cost of an area, and crossings look at it where a step has ended. A
// method was there a moment ago, for the last correction of its solution, which is far less than
// the error of the step. So what was found then holds, where depth and speeds have changed by no
// more than this part, and where the share of the limit of friction is not so near 1 that its sign
// could depend on it.
static const double as_before = 1e-3, far_from_limit = 0.05;

static bool is_as_before(const sg_touch *t, const sg_contact *k, sg_vec3 v, sg_vec3 w)
{
    const sg_contact_pressed *last = &k->pressed;
    const sg_contact_slip *slip = &k->slip;
    bool watched = (!slip->is && slip->told) || slip->calm;
    if (!(fabs(t->s - last->s) <= as_before * -t->s) ||
        (watched && fabs(k->share - 1.0) < far_from_limit))
        return false;
    double turned = k->stick.size * v3_distance(w, last->w);
    return v3_distance(v, last->v) + turned <= as_before * (k->area.v_min + v3_norm(v));
}

// An area at the end of a step as it was in the last correction; false if it has to be evaluated.
static bool act_again(const sg_contacts *c, const sg_body_view *view, sg_touch *t, sg_contact *k,
                      sg_vec3 w)
{
    sg_touch here = *t;
    here.point = v3_add(k->patch.origin, k->patch.center);
    if (!is_as_before(t, k, sg_contacts_velocity(c, view, &here), w))
        return false;
    t->point = here.point;
    k->action.penetration = -t->s;
    if (k->anchor >= 0 && c->anchor)
        memcpy(c->anchor_rate + SG_ANCHOR * k->anchor, k->pressed.rate, sizeof k->pressed.rate);
    return true;
}

// Pressure over an area, or over the one that is kept where only speeds have changed.
static bool press_area(sg_contacts *c, const sg_touch *t, const sg_area_place place[2],
                       sg_contact *k)
{
    sg_area_touch touch = {.depth = -t->s, .n = t->n, .point = t->point};
    sg_area_kept *kept = sg_unmoved_kept(c, k);
    c->work->keep = c->notes ? kept : NULL;
    if (k->same == SG_SAME_PLACE && kept && kept->is)
        return sg_area_press_again(c->work, kept, &k->area, place, &k->patch);
    return sg_area_press(c->work, &k->area, place, &touch, &k->patch);
}

// The contact is where the center of pressure is.
static void press_flat(sg_contacts *c, const sg_body_view *view, sg_touch *t, sg_contact *k)
{
    sg_area_place place[2] = {place_of(c, view, t->a), place_of(c, view, t->b)};
    bool presses = k->same < SG_SAME_MOTION && press_area(c, t, place, k);
    if (presses && c->accounts)
        k->patch.stored += sg_area_stored_beside(c->work, &k->area);
    t->point = v3_add(k->patch.origin, k->patch.center);
    sg_vec3 w = v3_sub(place[1].motion.w, place[0].motion.w);
    sg_flat_anchor anchor = {0};
    k->share = 0.0;
    if (k->anchor >= 0 && c->anchor)
        anchor = (sg_flat_anchor){.y = c->anchor + SG_ANCHOR * k->anchor,
                                  .rate = c->anchor_rate + SG_ANCHOR * k->anchor,
                                  .frame = &place[k->frame == t->b].frame.R,
                                  .side = k->frame == t->b ? -1.0 : 1.0,
                                  .slips = k->slip.is,
                                  .held = c->held,
                                  .branch = &k->branch,
                                  .share = &k->share};
    sg_vec3 v = sg_contacts_velocity(c, view, t);
    sg_flat_act(&k->law, &k->stick, &k->patch, v, w, &anchor, &k->action);
    k->action.penetration = -t->s;
    const sg_contact_action *a = &k->action;
    k->storing = -v3_dot(a->force, v) - v3_dot(a->torque, w) - a->damped - a->slid - a->rolled;
    k->pressed = (sg_contact_pressed){.s = t->s, .v = v, .w = w};
    if (anchor.y)
        memcpy(k->pressed.rate, anchor.rate, sizeof k->pressed.rate);
}

void sg_contacts_press(sg_contacts *c, const sg_body_view *view, size_t i)
{
    sg_touch *t = &c->detect.touch.data[i];
    sg_contact *k = &c->contact.data[i];
    const sg_collider *collider = c->detect.candidates->collider;
    sg_vec3 w = v3_sub(body_velocity(view, collider[t->b].body)->w,
                       body_velocity(view, collider[t->a].body)->w);
    k->law.now = c->time;
    if (!c->again || !act_again(c, view, t, k, w))
        press_flat(c, view, t, k);
}

// ---- several threads ----------------------------------------------------------------------------

struct sg_pressing {
    sg_crew *crew;
    const sg_body_view *view;
    sg_contacts *view_of; // by member: the contacts, with room of its own
    sg_area_work *work;   // by member
    atomic_size_t next;   // contact
};

bool sg_pressing_init(sg_contacts *c, int planes, sg_arena *arena)
{
    sg_crew *crew = c->options.detect.crew;
    size_t n = (size_t)sg_crew_size(crew);
    if (n < 2)
        return true;
    struct sg_pressing *p = c->pressing = SG_NEW(arena, struct sg_pressing);
    if (!p)
        return false;
    p->crew = crew;
    p->view_of = SG_NEW_ARRAY(arena, sg_contacts, n);
    p->work = SG_NEW_ARRAY(arena, sg_area_work, n);
    for (size_t i = 0; p->work && i < n; i++)
        if (sg_area_work_init(&p->work[i], planes, arena))
            return false;
    return !arena->failed;
}

static bool is_pressed(const sg_contact *k)
{
    return k->is_flat && !k->written && k->same != SG_SAME_ALL;
}

static void press_some(void *context, int member)
{
    struct sg_pressing *p = context;
    sg_contacts *c = &p->view_of[member];
    for (;;) {
        size_t i = atomic_fetch_add(&p->next, 1);
        if (i >= c->contact.len)
            return;
        if (is_pressed(&c->contact.data[i]))
            sg_contacts_press(c, p->view, i);
    }
}

bool sg_contacts_press_all(sg_contacts *c, const sg_body_view *view)
{
    struct sg_pressing *p = c->pressing;
    size_t n = 0;
    for (size_t i = 0; p && i < c->contact.len; i++)
        n += is_pressed(&c->contact.data[i]);
    if (n < LEAST_AREAS)
        return false;
    for (int i = 0; i < sg_crew_size(p->crew); i++) {
        p->view_of[i] = *c;
        p->view_of[i].work = &p->work[i];
    }
    p->view = view;
    atomic_store(&p->next, 0);
    sg_crew_do(p->crew, press_some, p);
    return true;
}

// ---- what is seen -------------------------------------------------------------------------------

void sg_contacts_outline(const sg_contacts *c, const sg_body_view *view, size_t i, sg_outline *out)
{
    const sg_touch *t = &c->detect.touch.data[i];
    const sg_contact *k = &c->contact.data[i];
    sg_area_patch patch;
    out->n = 0;
    if (!k->is_flat)
        return;
    sg_area_place place[2] = {place_of(c, view, t->a), place_of(c, view, t->b)};
    sg_area_touch touch = {.depth = -t->s, .n = t->n, .point = t->point};
    c->work->outline = out;
    c->work->keep = NULL;
    sg_area_press(c->work, &k->area, place, &touch, &patch);
    c->work->outline = NULL;
    sg_outline_tidy(out);
}
