#include "contact/peaks.h"

#include <math.h>
#include <stddef.h>

// Depths that change by less than this share between two looks are those at the looks: a body at
// rest costs nothing.
static const double steady = 1e-4;

static bool is_steady(const sg_contact_look *a, const sg_contact_look *b)
{
    double change = (b->time - a->time) * (fabs(a->rate) + fabs(b->rate));
    return !(change > steady * fmax(a->depth, b->depth));
}

// The cubic with the values and rates of two looks, at the share s of the time between them.
static double depth_at(const sg_contact_look *a, const sg_contact_look *b, double s)
{
    double h = b->time - a->time, r = 1.0 - s;
    return r * r * ((1.0 + 2.0 * s) * a->depth + s * h * a->rate) +
           s * s * ((1.0 + 2.0 * r) * b->depth - r * h * b->rate);
}

static double rate_at(const sg_contact_look *a, const sg_contact_look *b, double s)
{
    double r = 1.0 - s, secant = (b->depth - a->depth) / (b->time - a->time);
    return r * (r - 2.0 * s) * a->rate + s * (s - 2.0 * r) * b->rate + 6.0 * s * r * secant;
}

double sg_contact_deepest(const sg_contact_look *a, const sg_contact_look *b, double *when)
{
    bool later = b->depth > a->depth;
    double most = later ? b->depth : a->depth, h = b->time - a->time;
    *when = later ? b->time : a->time;
    // The top of a contact is where the rate falls through zero. Its rate is a parabola in s, one
    // of whose zeros lies between the two looks.
    if (!(h > 0.0) || !(a->rate > 0.0) || !(b->rate < 0.0))
        return most;
    double secant = (b->depth - a->depth) / h;
    double c2 = 3.0 * (a->rate + b->rate - 2.0 * secant);
    double c1 = 6.0 * secant - 4.0 * a->rate - 2.0 * b->rate;
    double root = sqrt(fmax(0.0, c1 * c1 - 4.0 * c2 * a->rate));
    // The form that does not cancel; c1 < root where the parabola falls.
    double s = 2.0 * a->rate / (root - c1);
    if (!(s > 0.0) || !(s < 1.0))
        return most;
    double top = depth_at(a, b, s);
    if (top > most) {
        most = top;
        *when = a->time + s * h;
    }
    return most;
}

// The top of the parabola through three points, if it is between the outer ones.
static bool find_top(const double t[3], const double f[3], double *when, double *top)
{
    double p = t[1] - t[0], q = t[2] - t[1];
    if (!(p > 0.0) || !(q > 0.0) || !(f[1] >= f[0]) || !(f[1] >= f[2]))
        return false;
    double left = (f[1] - f[0]) / p, right = (f[2] - f[1]) / q;
    double bend = (right - left) / (p + q); // half the second derivative
    if (!(bend < 0.0))
        return false;
    double slope = (left * q + right * p) / (p + q), s = -slope / (2.0 * bend);
    *when = t[1] + s;
    *top = f[1] + s * (slope + s * bend);
    return true;
}

static void take_pressure(sg_contact_peak *k, double pressure, double time)
{
    if (pressure > k->pressure) {
        k->pressure = pressure;
        k->pressure_time = time;
    }
}

static double pressure_of(const sg_contact_law *law, double time, double depth, double rate)
{
    sg_contact_action action;
    sg_vec3 n = {0.0, 0.0, 1.0};
    sg_contact_law then = *law;
    then.now = time;
    sg_contact_law_act(&then, depth, n, v3_scale(n, -rate), (sg_vec3){0}, &action);
    return action.pressure;
}

// The law on the cubic, at quarters of the step, and the parabola through the highest three.
static void scan_pressure(sg_contact_peak *k, const sg_contact_law *law, const sg_contact_look *a,
                          const sg_contact_look *b)
{
    enum { PARTS = 4 };
    double t[PARTS + 1] = {a->time}, f[PARTS + 1] = {a->pressure}, when, top;
    int most = 0;
    t[PARTS] = b->time;
    f[PARTS] = b->pressure;
    for (int i = 1; i <= PARTS; i++) {
        double s = (double)i / PARTS;
        if (i < PARTS) {
            t[i] = a->time + s * (b->time - a->time);
            f[i] = pressure_of(law, t[i], fmax(0.0, depth_at(a, b, s)), rate_at(a, b, s));
        }
        most = f[i] > f[most] ? i : most;
    }
    take_pressure(k, f[most], t[most]);
    int first = most == 0 ? 0 : most == PARTS ? PARTS - 2 : most - 1;
    if (find_top(t + first, f + first, &when, &top))
        take_pressure(k, top, when);
}

// The most of s (1 - s)^2 between 0 and 1, 4/27, for how far the cubic is above both looks; and how
// much higher than the highest of three values the top of the parabola through them may be, 9/8.
static const double bulge = 0.149, overshoot = 1.13;

// Whether there may be more between the looks than there was so far: what rests presses much less
// than what has hit.
static bool may_press_more(const sg_contact_peak *k, const sg_contact_law *law,
                           const sg_contact_look *a, const sg_contact_look *b)
{
    double h = b->time - a->time, rates = fabs(a->rate) + fabs(b->rate);
    double depth = fmax(0.0, fmax(a->depth, b->depth)) + bulge * h * rates;
    double rate = rates + 1.5 * fabs(b->depth - a->depth) / h;
    return !(overshoot * sg_contact_law_most(law, depth, rate) < k->pressure);
}

// The looks themselves, and the parabola through the last three.
static void join_pressure(sg_contact_peak *k, const sg_contact_look *here)
{
    double t[3] = {k->before.time, k->last.time, here->time}, when, top;
    double f[3] = {k->before.pressure, k->last.pressure, here->pressure};
    if (k->n_looks > 1 && find_top(t, f, &when, &top))
        take_pressure(k, top, when);
}

void sg_contact_peak_look(sg_contact_peak *k, const sg_contact_law *law, sg_contact_look here)
{
    double when = here.time, depth = here.depth;
    bool follows = k->n_looks > 0 && here.time > k->last.time;
    if (follows)
        depth = sg_contact_deepest(&k->last, &here, &when);
    if (k->n_looks == 0 || depth > k->depth) {
        k->depth = depth;
        k->depth_time = when;
    }
    if (k->n_looks == 0)
        k->pressure_time = here.time;
    take_pressure(k, here.pressure, here.time);
    if (follows && !is_steady(&k->last, &here)) {
        if (!law)
            join_pressure(k, &here);
        else if (may_press_more(k, law, &k->last, &here))
            scan_pressure(k, law, &k->last, &here);
    }
    k->lately = sg_contact_peak_lately(k, &here);
    k->stored = here;
    k->has_stored = true;
    // At an event velocities may jump: what comes behind it begins with the new ones.
    if (follows || k->n_looks == 0) {
        k->before = k->last;
        k->n_looks++;
    }
    k->last = here;
}

double sg_contact_peak_lately(const sg_contact_peak *k, const sg_contact_look *here)
{
    double when;
    double depth = k->has_stored && here->time > k->stored.time
                       ? sg_contact_deepest(&k->stored, here, &when)
                       : here->depth;
    return fmax(k->lately, depth);
}

void sg_contact_peak_store(sg_contact_peak *k, sg_contact_look here)
{
    k->stored = here;
    k->has_stored = true;
    k->lately = 0.0;
}
