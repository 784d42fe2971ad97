// What an engineer should hear of contacts: warnings, reasons of failures, and lines of the log.
//
// A warning is given once for two objects in a run, by the state that the run goes with; others
// only compute.
#include "collide/patch.h"
#include "contact/seen.h"
#include "elements/contacts.h"
#include "parts/host.h"
#include "parts/log.h"
#include "parts/solid.h"

#include <float.h>
#include <math.h>

enum {
    TOLD_DEEP = 1,
    TOLD_PATCH = 2,
    TOLD_UNPROVEN = 4,
    TOLD_WATCHED = 8,
    TOLD_PACE = 16,
    TOLD_SUNK = 32,
    TOLD_YIELD = 64,
    TOLD_PASSED = 128,
    TOLD_FAR = 1024,
    TOLD_CREEP = 2048,
    TOLD_JAM = 4096
};
// Jumps of a contact point, after which an engineer should hear how far they led.
enum { MANY_JUMPS = 2000 };

// Contacts of elastic bodies are some 1e-5 of their thickness deep. A model that starts with more
// than this share has its parts in the wrong place.
static const double deep_start = 0.05;
// Hertz' law is one of small dents. Beyond this share of the thinner one it says too little, and
// what a body is made of is too soft for its load.
static const double deep_dent = 0.1;

static bool is_news(const sg_part_eval *e, sg_part_touching *t, int a, int b, int what)
{
    for (size_t i = 0; i < t->told.len; i++) {
        sg_contact_told *k = &t->told.data[i];
        if (k->a != a || k->b != b)
            continue;
        bool news = !(k->what & what);
        k->what |= what;
        return news;
    }
    return SG_PUSH(e->part->allocator, &t->told, ((sg_contact_told){a, b, what}));
}

static void warn_of_depth(const sg_part_eval *e, const sg_part_touching *t, const sg_touch *k,
                          const sg_part_object *a, const sg_part_object *b)
{
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "'%s' and '%s' start %.3g m deep in each other at time = %.10g s, %.0f %% of the "
               "thinner one, and press with %.3g N: move them apart, or forbid the contact",
               a->name, b->name, -k->delta, e->time,
               100.0 * sg_detect_deepness(&t->contacts.detect, k),
               t->contacts.contact.data[k - t->contacts.detect.touch.data].action.pressure);
}

// Elastic contacts are some 1e-5 of the thickness deep; where coordinates have roundings of a
// hundredth of that, forces have some percent.
static const double rough_share = 1e-7;

// How far apart numbers are where it touches [m].
static double rounding_at(const sg_touch *k)
{
    return DBL_EPSILON * fmax(fabs(k->point.x), fmax(fabs(k->point.y), fabs(k->point.z)));
}

static bool is_far(const sg_part_touching *t, const sg_touch *k)
{
    const sg_detect_shape *shape = t->contacts.detect.shape;
    return rounding_at(k) > rough_share * 2.0 * fmin(shape[k->a].half, shape[k->b].half);
}

static void warn_of_distance(const sg_part_eval *e, const sg_touch *k, const sg_part_object *a,
                             const sg_part_object *b)
{
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "'%s' and '%s' touch at time = %.10g s so far from the origin, %.2g m, that "
               "positions are rounded to %.1g m: penetrations and contact forces may be off by "
               "some percent and more; put the origin of the world near them",
               a->name, b->name, e->time, v3_norm(k->point), rounding_at(k));
}

static void warn_of_dent(const sg_part_eval *e, const sg_part_touching *t, const sg_touch *k,
                         const sg_contact *contact, const sg_part_object *a,
                         const sg_part_object *b)
{
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "'%s' and '%s' are %.3g m deep in each other at time = %.10g s, %.0f %% of the "
               "thinner one, under %.3g N: their contact materials '%s' and '%s' are too soft for "
               "this load, or yield too much (elasticContactReductionFactor)",
               a->name, b->name, -k->delta, e->time,
               100.0 * sg_detect_deepness(&t->contacts.detect, k), contact->action.pressure,
               a->solid->contact_material, b->solid->contact_material);
}

// What can be used instead where flat sides have one contact point, by why they have.
static const char *flat_remedy(const sg_part_eval *e, const sg_part_contacts *c, const sg_touch *k,
                               const sg_contact *contact)
{
    if (contact->written)
        return "their ContactLaw acts at one point, without it flat sides press over areas";
    if (sg_response_takes(contact->response) == SG_BY_SPRING)
        return "the response of their materials, a spring, acts at one point, an elastic one "
               "presses "
               "over areas";
    // Behind the impulse it is elastic, and still has one point.
    const sg_contact_material *m =
        sg_contact_table_get(&c->table, c->material[k->a].material, c->material[k->b].material);
    if (m && m->response == SG_CONTACT_IMPULSE)
        return "an impulse acts at one point, an elastic response of their materials presses over "
               "areas";
    if (c->collider[k->a].part != SG_NO_TUBE || c->collider[k->b].part != SG_NO_TUBE)
        return "the wall of a tube is met at points: give what lies along it spheres that collide "
               "at its ends, or build the tube of boxes";
    if (!e->part->records.scene.contact_options.flat)
        return "let flat sides press over areas (Scene(flatContact = \"area\"), the default)";
    if (c->options.detect.measure == SG_MEASURE_LEAST)
        return "what is round, such as two capsules, touches at one point: a Cylinder or a Beam "
               "that lies along something presses over an area";
    return "flat sides press over areas where no --compat option asks for the published shapes and "
           "distances";
}

static void warn_of_patch(const sg_part_eval *e, const char *remedy, const sg_part_object *a,
                          const sg_part_object *b)
{
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "'%s' and '%s' touch at time = %.10g s with faces or parallel edges, which one "
               "contact point cannot describe: it may jump from end to end; %s",
               a->name, b->name, e->time, remedy);
}

// A body that has come to lie on a face tilts back and forth between its ends, ever faster as it
// comes to rest: the run gets on, but may take a thousand times as long as until then.
static void warn_of_pace(const sg_part_eval *e, const char *remedy, const sg_contact *contact,
                         const sg_part_object *a, const sg_part_object *b)
{
    double lasted = e->time - contact->jumps_from;
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "the contact point of '%s' and '%s' jumped from end to end %d times within %.2g s "
               "until time = %.10g s: they lie on each other, and as long as they do a second "
               "takes more than %.1g steps; %s",
               a->name, b->name, MANY_JUMPS, lasted, e->time, MANY_JUMPS / lasted, remedy);
}

static void warn_of_proof(const sg_part_eval *e, const sg_touch *k, const sg_part_object *a,
                          const sg_part_object *b)
{
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "the penetration of '%s' and '%s' at time = %.10g s, %.6g m, is not proven to be "
               "the least one; it may be off by %.2g m",
               a->name, b->name, e->time, -k->delta, k->gap);
}

static void warn_of_watched(const sg_part_eval *e, const sg_part_object *a, const sg_part_object *b)
{
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "'%s' and '%s', whose materials are watched, touch at time = %.10g s", a->name,
               b->name, e->time);
}

// A point that jumps by this share of a shape's thickness between two looks may be one of many.
static const double jump_share = 0.1;

static bool jumps(const sg_detect *d, const sg_touch *k, sg_contact *contact)
{
    double moved = v3_norm(v3_sub(k->point, contact->seen));
    contact->seen = k->point;
    return moved > jump_share * fmin(d->shape[k->a].half, d->shape[k->b].half);
}

static bool lies_flat(const sg_part_eval *e, const sg_part_contacts *c, const sg_touch *k)
{
    sg_body_view view = sg_part_body_view(e->state);
    const sg_collider *a = &c->collider[k->a], *b = &c->collider[k->b];
    sg_pose pa = pose_mul(*body_pose(&view, a->body), a->place);
    sg_pose pb = pose_mul(*body_pose(&view, b->body), b->place);
    return sg_patch_contact(a->shape, &pa, b->shape, &pb, k->n);
}

static void warn_of_contact(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                            size_t i, bool event, bool first)
{
    const sg_touch *k = &t->contacts.detect.touch.data[i];
    sg_contact *contact = &t->contacts.contact.data[i];
    bool begins = event && k->is_new, jumped = jumps(&t->contacts.detect, k, contact);
    int oa = c->object[k->a], ob = c->object[k->b];
    const sg_part_object *a = &e->part->records.objects.data[oa],
                         *b = &e->part->records.objects.data[ob];
    if (!sg_contact_presses(contact)) {
        if (begins && contact->alarm && is_news(e, t, oa, ob, TOLD_WATCHED))
            warn_of_watched(e, a, b);
        return;
    }
    if (begins && is_far(t, k) && is_news(e, t, oa, ob, TOLD_FAR))
        warn_of_distance(e, k, a, b);
    if (!k->proven && is_news(e, t, oa, ob, TOLD_UNPROVEN))
        warn_of_proof(e, k, a, b);
    if (begins && first && sg_detect_deepness(&t->contacts.detect, k) > deep_start &&
        is_news(e, t, oa, ob, TOLD_DEEP | TOLD_SUNK))
        warn_of_depth(e, t, k, a, b);
    else if (!contact->written && sg_detect_deepness(&t->contacts.detect, k) > deep_dent &&
             is_news(e, t, oa, ob, TOLD_SUNK))
        warn_of_dent(e, t, k, contact, a, b);
    if (contact->is_flat || !(begins || jumped) || !lies_flat(e, c, k))
        return;
    if (is_news(e, t, oa, ob, TOLD_PATCH))
        warn_of_patch(e, flat_remedy(e, c, k, contact), a, b);
    if (contact->n_jumps++ == 0)
        contact->jumps_from = e->time;
    if (contact->n_jumps == MANY_JUMPS && is_news(e, t, oa, ob, TOLD_PACE))
        warn_of_pace(e, flat_remedy(e, c, k, contact), contact, a, b);
}

void sg_part_warn_of_contacts(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                              bool event, bool first)
{
    if (e->state != e->part->run)
        return;
    // Which bodies touch is known for all steps until the next event; room for news of each.
    if (event && !SG_RESERVE(e->part->allocator, &t->told, t->told.len + t->contacts.contact.len))
        return;
    for (size_t i = 0; i < t->contacts.contact.len; i++)
        warn_of_contact(e, c, t, i, event, first);
}

void sg_part_warn_of_some_contacts(const sg_part_eval *e, const sg_part_contacts *c,
                                   sg_part_touching *t, const int *some, int n)
{
    for (int k = 0; k < n; k++)
        warn_of_contact(e, c, t, (size_t)some[k], false, false);
}

void sg_part_warn_of_passing(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    sg_contacts *k = &t->contacts;
    sg_body_view view = sg_part_body_view(e->state);
    for (size_t i = 0; (i = sg_contacts_next_through(k, &view, i)) < k->contact.len; i++) {
        const sg_touch *touch = &k->detect.touch.data[i];
        int oa = c->object[touch->a], ob = c->object[touch->b];
        const sg_part_object *a = &e->part->records.objects.data[oa],
                             *b = &e->part->records.objects.data[ob];
        if (t->passed.n++ == 0) {
            t->passed.a = oa;
            t->passed.b = ob;
            t->passed.time = e->time;
        }
        if (e->state != e->part->run || !is_news(e, t, oa, ob, TOLD_PASSED))
            continue;
        sg_warning(
            e->state->diags, SG_E_CONTACT, b->span,
            "'%s' and '%s' have passed through each other at time = %.10g s: they are pushed "
            "apart to the other side from here on, and solid bodies do not move like that; "
            "their contact materials '%s' and '%s' are too soft for this load, or yield too "
            "much (elasticContactReductionFactor)",
            a->name, b->name, e->time, a->solid->contact_material, b->solid->contact_material);
    }
}

// Shares of the limit of friction: with less nothing leans on it. With more it is the limit.
static const double little_friction = 0.02, all_friction = 0.99;
// What rolls slides by a part of what its surface goes by.
static const double rolls_from = 0.5;
// So long something creeps before it is told [s]. By then friction would have changed its speed a
// lot if it were all that acts: what slows down to a stop is none that creeps.
static const double creeps_for = 1.0, steady_share = 0.1;

// Whether friction holds a contact with less than it could, and it slides all the same.
static bool gives_way(const sg_contact *k, sg_vec3 w, sg_vec3 n)
{
    const sg_contact_action *a = &k->action;
    double limit = k->law.friction * a->pressure;
    sg_vec3 rolls = v3_add_scaled(w, n, -v3_dot(w, n));
    return !k->written && !sg_contact_holds(k) && a->slide < k->law.v_min &&
           a->friction > little_friction * limit && a->friction < all_friction * limit &&
           v3_norm(rolls) * k->law.radius < rolls_from * a->slide;
}

// Follows a contact; true when it has crept for long.
static bool creeps(const sg_part_eval *e, sg_part_touching *t, size_t i, double mass)
{
    const sg_touch *touch = &t->contacts.detect.touch.data[i];
    sg_contact *k = &t->contacts.contact.data[i];
    const sg_collider *collider = t->contacts.detect.candidates->collider;
    sg_body_view view = sg_part_body_view(e->state);
    int a = collider[touch->a].body, b = collider[touch->b].body;
    sg_vec3 w = v3_sub(body_velocity(&view, b)->w, body_velocity(&view, a)->w), n = touch->n;
    sg_vec3 v =
        v3_sub(body_velocity_at(&view, b, touch->point), body_velocity_at(&view, a, touch->point));
    v = v3_add_scaled(v, n, -v3_dot(v, n));
    if (!gives_way(k, w, n)) {
        k->creep.since = (double)NAN;
        return false;
    }
    if (isnan(k->creep.since))
        k->creep = (sg_contact_creep){e->time, v};
    double lasted = e->time - k->creep.since, changed = v3_norm(v3_sub(v, k->creep.v));
    if (!(lasted > creeps_for))
        return false;
    bool steady = changed < steady_share * k->action.friction / mass * lasted &&
                  changed < 0.5 * k->action.slide;
    k->creep = (sg_contact_creep){e->time, v};
    return steady;
}

static double lighter(const sg_contact_options *o, int a, int b)
{
    double x = o->body[a].mass, y = o->body[b].mass;
    return x > 0.0 && y > 0.0 ? fmin(x, y) : fmax(x, y);
}

void sg_part_warn_of_creep(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    const sg_contacts *k = &t->contacts;
    if (e->state != e->part->run || c->options.sticks == SG_STICK_NEVER)
        return;
    for (size_t i = 0; i < k->contact.len; i++) {
        const sg_touch *touch = &k->detect.touch.data[i];
        const sg_contact *contact = &k->contact.data[i];
        int body[2] = {c->collider[touch->a].body, c->collider[touch->b].body};
        double mass = lighter(&c->options, body[0], body[1]);
        // Once for two bodies, not for each of four feet.
        const sg_tree_body *all = e->part->segment.tree->body;
        if (!(mass > 0.0) || !creeps(e, t, i, mass) ||
            !is_news(e, t, all[body[0]].root, all[body[1]].root, TOLD_CREEP))
            continue;
        int oa = c->object[touch->a], ob = c->object[touch->b];
        const sg_part_object *a = &e->part->records.objects.data[oa],
                             *b = &e->part->records.objects.data[ob];
        double limit = contact->law.friction * contact->action.pressure;
        sg_warning(e->state->diags, SG_E_CONTACT, b->span,
                   "'%s' and '%s' have been creeping along each other for a second at time = "
                   "%.10g s, with %.2g m/s now, though friction is at %.0f %% of its limit: below "
                   "%.2g m/s (vsmall) that of the thesis falls with the speed, so nothing sticks; "
                   "Scene(friction = \"stick\") lets it hold",
                   a->name, b->name, e->time, contact->action.slide,
                   100.0 * contact->action.friction / limit, contact->law.v_min);
    }
}

// Steps in a row in which two bodies that press and slide close faster and faster: seldom enough to
// ask what the masses say, and a touch that jams takes dozens.
enum { CLOSING_STEPS = 3 };

static bool closes_faster(sg_contact *k)
{
    const sg_contact_action *a = &k->action;
    bool slides = a->pressure > 0.0 && !k->written && sg_contact_presses(k) &&
                  a->friction > all_friction * k->law.friction * a->pressure;
    k->closing.rises = slides && a->rate > fmax(0.0, k->closing.rate) ? k->closing.rises + 1 : 0;
    k->closing.rate = a->rate;
    if (k->closing.rises < CLOSING_STEPS)
        return false;
    k->closing.rises = 0;
    return true;
}

// The coefficient of friction from which on a force along the normal and friction against the
// motion together make two bodies close: n W (n - mu t) < 0 with their response W to impulses.
// Infinite where there is none.
static double jams_from(const sg_part_eval *e, sg_part_touching *t, const sg_touch *touch, int a,
                        int b)
{
    sg_body_view view = sg_part_body_view(e->state);
    sg_vec3 n = touch->n, v = v3_sub(body_velocity_at(&view, b, touch->point),
                                     body_velocity_at(&view, a, touch->point));
    v = v3_add_scaled(v, n, -v3_dot(v, n));
    sg_mat3 W;
    if (!(v3_norm(v) > 0.0) || !t->impulses.knows_led ||
        e->part->segment.loops || // which would take part in the response
        sg_part_response(e->state, &t->impulses, a, b, touch->point, &W) != SG_OK)
        return INFINITY;
    sg_vec3 along = m3_tmul_v(&W, n);
    double off = v3_dot(along, n), on = v3_dot(along, v3_unit(v));
    return on > 0.0 ? off / on : (double)INFINITY;
}

void sg_part_warn_of_jam(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    for (size_t i = 0; e->state == e->part->run && i < t->contacts.contact.len; i++) {
        const sg_touch *touch = &t->contacts.detect.touch.data[i];
        sg_contact *contact = &t->contacts.contact.data[i];
        int oa = c->object[touch->a], ob = c->object[touch->b];
        if (!closes_faster(contact))
            continue;
        double from =
            jams_from(e, t, touch, c->collider[touch->a].body, c->collider[touch->b].body);
        if (!(contact->law.friction > from) || !is_news(e, t, oa, ob, TOLD_JAM))
            continue;
        const sg_part_object *a = &e->part->records.objects.data[oa],
                             *b = &e->part->records.objects.data[ob];
        sg_warning(e->state->diags, SG_E_CONTACT, b->span,
                   "'%s' and '%s' jam at time = %.10g s: they slide such that friction of %.4g "
                   "presses them together by more than their contact pushes them apart, as it "
                   "does from %.4g on here (Painleve's rod). No force fits rigid bodies then; the "
                   "touch grows until they slide no more, as fast as the stiffness of their "
                   "materials lets it, and what comes after depends on these",
                   a->name, b->name, e->time, contact->law.friction, from);
    }
}

void sg_part_warn_of_yield(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                           const sg_touch *k, const char *why)
{
    int oa = c->object[k->a], ob = c->object[k->b];
    const sg_part_object *a = &e->part->records.objects.data[oa],
                         *b = &e->part->records.objects.data[ob];
    if (e->state != e->part->run || !is_news(e, t, oa, ob, TOLD_YIELD))
        return;
    sg_warning(e->state->diags, SG_E_CONTACT, b->span,
               "the impact of '%s' and '%s' at time = %.10g s should be an impulse "
               "(ImpulseResponse), but %s: the elastic law is used instead",
               a->name, b->name, e->time, why);
}

// ---- failures -------------------------------------------------------------------------------

void sg_part_report_failed_contact(const sg_part_eval *e, const sg_part_contacts *c,
                                   const sg_detect_failure *f)
{
    const sg_part_object *a = &e->part->records.objects.data[c->object[f->a]];
    sg_diags *diags = e->state->diags;
    if (f->b < 0) {
        sg_error(diags, SG_E_CONTACT, a->span, "contact of '%s' at time = %.10g s: %s", a->name,
                 e->time, f->message);
        return;
    }
    const sg_part_object *b = &e->part->records.objects.data[c->object[f->b]];
    int ma = c->material[f->a].material, mb = c->material[f->b].material;
    if (sg_contact_table_get(&c->table, ma, mb)) {
        sg_error(diags, SG_E_CONTACT, b->span, "contact of '%s' and '%s' at time = %.10g s: %s",
                 a->name, b->name, e->time, f->message);
        return;
    }
    const char *x = a->solid->contact_material, *y = b->solid->contact_material;
    sg_error(diags, SG_E_CONTACT, b->span,
             "contact of '%s' and '%s' at time = %.10g s: the contact materials '%s' and '%s' are "
             "no known pair; add a line such as \"touch %s %s: restitution 0.5, friction 0.3\" to "
             "a palette (loadPalettes!)",
             a->name, b->name, e->time, x, y, x, y);
}

void sg_part_explain_contacts(const sg_part *part, sg_diags *diags)
{
    const sg_part_touching *t = sg_part_touching_of(part->run);
    if (!t || !t->is_made || t->refused.status == SG_OK)
        return;
    const sg_detect_failure *f = &t->refused;
    const sg_part_object *a = &part->records.objects.data[t->object[f->a]];
    const sg_part_object *b = f->b < 0 ? NULL : &part->records.objects.data[t->object[f->b]];
    sg_note(diags, a->span, "contact of '%s'%s%s%s at time = %.10g s: %s", a->name,
            b ? " and '" : "", b ? b->name : "", b ? "'" : "", t->refused_at, f->message);
}

// ---- log ------------------------------------------------------------------------------------

static const char *name_of(const sg_part_eval *e, const sg_part_contacts *c, int collider)
{
    return e->part->records.objects.data[c->object[collider]].name;
}

static bool is_there(const sg_contacts *k, const sg_touch *t)
{
    for (size_t i = 0; i < k->detect.touch.len; i++)
        if (k->detect.touch.data[i].a == t->a && k->detect.touch.data[i].b == t->b)
            return true;
    return false;
}

// c_res is E* with the reduction factor; the law's stiffness has 4/3 sqrt(R_geo) in it. Of a linear
// law it is the spring constant, of flat sides the stiffness of both foundations together [Pa/m],
// and d_res then the part of the pressure that damping adds and takes.
static void log_constants(const sg_part_eval *e, const sg_contact *k)
{
    double c_geo = k->law.kind != SG_CONTACT_ELASTIC ? 1.0 : 4.0 / 3.0 * sqrt(k->law.radius);
    double c_res = c_geo > 0.0 ? k->law.stiffness / c_geo : 0.0, d_res = k->law.damping;
    if (k->is_flat) {
        c_res = k->area.kappa[0] * k->area.kappa[1] / (k->area.kappa[0] + k->area.kappa[1]);
        d_res = k->area.loss;
    }
    sg_part_log(e->part, "c_res = %.6g, d_res = %.6g, law = %s\n", c_res, d_res,
                sg_contact_law_word(k));
}

void sg_part_log_contacts(const sg_part_eval *e, const sg_part_contacts *c,
                          const sg_part_touching *t)
{
    const sg_contacts *k = &t->contacts;
    if (e->state != e->part->run || !e->part->records.host->log_events)
        return;
    for (size_t i = 0; k->n_started && i < k->detect.touch.len; i++) {
        const sg_touch *m = &k->detect.touch.data[i];
        if (!m->is_new)
            continue;
        sg_part_log(e->part, "        distance(%s,%s) = %.6g became <= 0\n", name_of(e, c, m->a),
                    name_of(e, c, m->b), m->s);

        sg_part_log(e->part,
                    "            contact normal = [%.6g, %.6g, %.6g], contact position = [%.6g, "
                    "%.6g, %.6g], ",
                    m->n.x, m->n.y, m->n.z, m->point.x, m->point.y, m->point.z);
        log_constants(e, &k->contact.data[i]);
    }
    for (size_t i = 0; k->n_ended && i < k->detect.last.len; i++) {
        const sg_touch *m = &k->detect.last.data[i];
        if (!is_there(k, m))
            sg_part_log(e->part, "        distance(%s,%s) became > 0\n", name_of(e, c, m->a),
                        name_of(e, c, m->b));
    }
}

void sg_part_log_slips(const sg_part_eval *e, const sg_part_contacts *c, const sg_part_touching *t)
{
    const sg_contacts *k = &t->contacts;
    if (e->state != e->part->run || !e->part->records.host->log_events)
        return;
    for (size_t i = 0; i < k->contact.len; i++) {
        const sg_touch *m = &k->detect.touch.data[i];
        const sg_contact *contact = &k->contact.data[i];
        if (contact->slip.turned)
            sg_part_log(e->part, "        contact(%s,%s) %s\n", name_of(e, c, m->a),
                        name_of(e, c, m->b), contact->slip.is ? "slips" : "sticks");
    }
}
