// ImpulseResponse: contacts that begin and are over in the same instant.
//
// An impulse is exact for one contact: bodies that hit nothing else at the same time. Where several
// contacts act on one mechanism impulses would have to be found together, and the answer depends on
// more than materials say; where bodies approach slowly, impacts would follow each other without
// end. Such contacts go over to the elastic law, which serves for both. So does whatever is left
// after an impulse: the contact goes on, elastically, until the bodies are apart.
#include "contact/impact.h"
#include "elements/balance.h"
#include "elements/contacts.h"
#include "parts/host.h"
#include "parts/log.h"

// One contact that begins.
typedef struct hit {
    const sg_touch *touch;
    sg_contact *contact;
    const sg_contact_material *material;
    int a, b;     // bodies
    double speed; // of approach [m/s]
    sg_impact impact;
    const char *why; // it is none
} hit;

// What moves together, by its topmost body; 0 for what nothing moves.
static int mechanism_of(const sg_part_eval *e, const sg_part_contacts *c,
                        sg_part_impulses *impulses, int collider)
{
    return sg_part_moves_with(e->state, impulses, c->collider[collider].body);
}

static bool is_alone(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                     const sg_touch *touch)
{
    const sg_contacts *all = &t->contacts;
    int a = mechanism_of(e, c, &t->impulses, touch->a),
        b = mechanism_of(e, c, &t->impulses, touch->b);
    for (size_t i = 0; i < all->contact.len; i++) {
        const sg_touch *other = &all->detect.touch.data[i];
        int x = mechanism_of(e, c, &t->impulses, other->a),
            y = mechanism_of(e, c, &t->impulses, other->b);
        bool shares = (x && (x == a || x == b)) || (y && (y == a || y == b));
        if (other != touch && shares && sg_contact_presses(&all->contact.data[i]))
            return false;
    }
    return true;
}

// Bodies that are nearer than this part of the dent of the impact touch, as far as it is concerned:
// they do so before a thousandth of it has passed. That two balls touch is a matter of 1e-13 m, and
// whether a row of them is struck one after the other or together must not be.
static const double as_good_as_touching = 1e-3;

// Whether one of the two mechanisms is about to touch something else.
static bool has_neighbor(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t,
                         const hit *h)
{
    sg_detect *d = &t->contacts.detect;
    const sg_candidates *all = d->candidates;
    const sg_contact_law *law = &h->contact->law;
    double dent = pow(1.25 * law->mass * h->speed * h->speed / law->stiffness, 0.4);
    int a = mechanism_of(e, c, &t->impulses, h->touch->a),
        b = mechanism_of(e, c, &t->impulses, h->touch->b);
    if (!isfinite(dent)) // as published, where nobody weighs
        return false;
    for (int i = 0; i < all->n; i++) {
        int x = mechanism_of(e, c, &t->impulses, i);
        if (!x || (x != a && x != b))
            continue;
        for (int j = 0; j < all->n; j++) {
            bool same =
                (i == h->touch->a && j == h->touch->b) || (i == h->touch->b && j == h->touch->a);
            double z;
            if (i != j && !same && sg_candidates_may(all, i, j) &&
                sg_detect_outlook(d, i < j ? i : j, i < j ? j : i, &z) == SG_OK &&
                z < as_good_as_touching * dent)
                return true;
        }
    }
    return false;
}

// The impulse, found and on its way to the states; else `why` tells.
static bool strike(const sg_part_eval *e, hit *h, sg_part_impulses *impulses, sg_vec3 *impulse,
                   double *loss, double *supplied)
{
    sg_part_state *s = e->state;
    sg_vec3 point = h->touch->point;
    h->why = "the bodies cannot move along the normal, or friction jams them";
    if (sg_part_response(s, impulses, h->a, h->b, point, &h->impact.W) != SG_OK ||
        sg_impact_solve(&h->impact, impulse, loss) != SG_OK)
        return false;
    sg_part_impulses_clear(e->part, impulses);
    sg_part_impulses_add(s, impulses, h->a, point, v3_neg(*impulse));
    sg_part_impulses_add(s, impulses, h->b, point, *impulse);
    if (sg_part_impulses_apply(s, impulses) != SG_OK)
        return false;
    h->why = sg_part_cannot_jump(s, impulses);
    if (!h->why)
        sg_part_jump(e, impulses);
    // What the impact takes of the relative motion, and the bodies do not lose, came from drives.
    bool driven = e->part->built.n_given > 0;
    *supplied = driven ? sg_tree_impulse_energy(e->part->segment.tree, &s->tree) + *loss : 0.0;
    return !h->why;
}

static hit hit_of(const sg_part_eval *e, const sg_part_contacts *c, sg_contacts *all, size_t i)
{
    const sg_touch *t = &all->detect.touch.data[i];
    sg_body_view view = sg_part_body_view(e->state);
    hit h = {.touch = t, .contact = &all->contact.data[i]};
    h.material =
        sg_contact_table_get(&c->table, c->material[t->a].material, c->material[t->b].material);
    h.a = c->collider[t->a].body;
    h.b = c->collider[t->b].body;
    h.impact.n = t->n;
    h.impact.u =
        v3_sub(body_velocity_at(&view, h.b, t->point), body_velocity_at(&view, h.a, t->point));
    h.impact.restitution = h.material->restitution;
    h.impact.friction = h.material->friction;
    h.speed = 0.0 - v3_dot(h.impact.u, t->n); // never minus zero
    return h;
}

static void log_yield(const sg_part_eval *e, const sg_part_contacts *c, const hit *h)
{
    if (e->state == e->part->run && e->part->records.host->log_events)
        sg_part_log(e->part,
                    "            (%s,%s) goes over to ElasticResponse: %s (%.6g m/s, vsmall = "
                    "%.6g m/s)\n",
                    e->part->records.objects.data[c->object[h->touch->a]].name,
                    e->part->records.objects.data[c->object[h->touch->b]].name, h->why, h->speed,
                    h->material->v_min);
}

static void log_impulse(const sg_part_eval *e, const sg_part_contacts *c, const hit *h, sg_vec3 P,
                        double loss)
{
    if (e->state == e->part->run && e->part->records.host->log_events)
        sg_part_log(e->part,
                    "            impulse(%s,%s) = [%.6g, %.6g, %.6g] N s on %s, which takes "
                    "%.6g J\n",
                    e->part->records.objects.data[c->object[h->touch->a]].name,
                    e->part->records.objects.data[c->object[h->touch->b]].name, P.x, P.y, P.z,
                    e->part->records.objects.data[c->object[h->touch->b]].name, loss);
}

void sg_part_strike_contacts(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    sg_contacts *all = &t->contacts;
    double taken = 0.0, supplied = 0.0;
    if (!e->events || !sg_events_deciding(e->events)) // an event will come
        return;
    for (size_t i = 0; i < all->contact.len; i++) {
        if (!all->contact.data[i].strikes)
            continue;
        all->contact.data[i].strikes = false;
        hit h = hit_of(e, c, all, i);
        sg_vec3 impulse;
        double loss, given;
        if (e->part->segment.loops)
            h.why = "something closes loops, which impulses do not go through";
        else if (!(h.speed > h.material->v_min))
            h.why = "it approaches slowly";
        else if (!is_alone(e, c, t, h.touch))
            h.why = "there is another contact at the same time";
        else if (has_neighbor(e, c, t, &h))
            h.why = "another body is nearer than a thousandth of the dent that they make";
        else if (strike(e, &h, &t->impulses, &impulse, &loss, &given)) {
            log_impulse(e, c, &h, impulse, loss);
            all->contact.data[i].peak.impulse = v3_norm(impulse);
            t->struck++;
            taken += loss;
            supplied += given;
            continue;
        }
        if (h.speed > h.material->v_min)
            sg_part_warn_of_yield(e, c, t, h.touch, h.why);
        log_yield(e, c, &h);
        t->yielded++;
    }
    if (taken != 0.0 || supplied != 0.0)
        sg_part_balance_take(e, taken, supplied);
}
