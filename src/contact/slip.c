#include "contact/slip.h"

#include <math.h>

// In shares of the limit: above what errors of steps make of a share that stays where it is.
static const double sticks_below = 1e-3;
// An event is located to rounding, on either side.
static const double close_by = 1e-9;
// So many swings, less 2 pi, and calm is more than a turn between two of them.
static const double calm_swings = 10.0;
// Without masses nothing swings [s].
static const double led_calm = 0.01;

// One that has just begun has moved nowhere yet, whatever its anchor still is.
static bool is_held(const sg_contacts *c, size_t i)
{
    const sg_contact *k = &c->contact.data[i];
    bool rubs = sg_contact_holds(k) && k->anchor >= 0 && k->law.friction > 0.0;
    return rubs && !c->detect.touch.data[i].is_new;
}

static bool has_jump(const sg_contact *k) { return k->law.adhesion > k->law.friction; }

// How long it must hold to have stuck [s].
static double calm_time(const sg_contact *k)
{
    if (k->is_flat)
        return calm_swings * k->stick.swing;
    double m = k->point_stick.mass, p = k->action.penetration, f = k->action.pressure;
    double stiffness = p > 0.0 ? f / p : 0.0;
    return m > 0.0 && stiffness > 0.0 ? calm_swings * sqrt(m / stiffness) : led_calm;
}

sg_slip_crossings sg_contacts_slip_crossings(const sg_contacts *c)
{
    sg_slip_crossings z = {-1.0, 1.0};
    for (size_t i = 0; i < c->contact.len; i++) {
        const sg_contact *k = &c->contact.data[i];
        if (!is_held(c, i))
            continue;
        if (!k->slip.is && k->slip.told)
            z.slip = fmax(z.slip, k->share - 1.0);
        else if (k->slip.calm)
            z.stick = fmin(z.stick, k->share - 1.0 + sticks_below);
    }
    return z;
}

static void calm_down(sg_contact *k, double time)
{
    sg_contact_slip *s = &k->slip;
    double lasts = calm_time(k);
    if (!(k->action.penetration > 0.0)) { // it rattles: what it holds then is no news
        *s = (sg_contact_slip){.is = s->is, .since = time, .down = time};
    } else if (!(k->share < 1.0 - sticks_below)) {
        s->since = time;
        s->calm = false;
        // One that was put down and has a static coefficient may come to rest by it.
        bool goes = !has_jump(k) || s->is || k->action.slide > k->law.v_min;
        s->told |= goes && time - s->down > lasts;
    } else if (time - s->since > lasts) {
        s->calm = true;
        s->told |= !s->is;
        s->is = s->is && (s->told || has_jump(k));
    }
}

void sg_contacts_calm(sg_contacts *c)
{
    for (size_t i = 0; i < c->contact.len; i++)
        if (sg_contact_holds(&c->contact.data[i]))
            calm_down(&c->contact.data[i], c->time);
}

int sg_contacts_turn(sg_contacts *c, bool *jumps)
{
    int n = 0;
    for (size_t i = 0; i < c->contact.len; i++) {
        sg_contact *k = &c->contact.data[i];
        sg_contact_slip *s = &k->slip;
        bool slips = !s->is && s->told && k->share > 1.0 - close_by;
        bool sticks = s->is && s->calm && k->share < 1.0 - sticks_below + close_by;
        s->turned = is_held(c, i) && (slips || sticks);
        if (!s->turned)
            continue;
        *s = (sg_contact_slip){
            .is = slips, .turned = true, .told = true, .since = c->time, .down = s->down};
        *jumps |= has_jump(k);
        n++;
    }
    return n;
}
