#include "elements/balance.h"

#include "base/archive.h"
#include "base/assert.h"
#include "elements/contacts.h"
#include "multibody/element.h"
#include "parts/host.h"
#include "parts/loops.h"

#include <math.h>
#include <stdio.h>

enum { KINETIC, POTENTIAL, SPRING, TOTAL, N_ENERGIES };
enum { MOMENTUM, ANGULAR, N_MOMENTA };

// Errors of the steps add up over a run. Within this many tolerances of the largest energy they are
// what was asked for; beyond, somebody should be told. The tolerance of a place is relative to its
// distance from the origin, so potential energy counts from its zero.
#define ALLOWED_TOLERANCES 1000.0
// Smaller tolerances than this do not make a run more exact.
#define LEAST_TOLERANCE 1e-11
// Powers that cancel leave their rounding errors. Where bodies of a million tons collide those are
// kilowatts that jump about, and would keep steps short. What is less than this part of the powers
// is much less than what a balance may be off by.
#define NOISE (0.01 * ALLOWED_TOLERANCES * LEAST_TOLERANCE)
// Less than this [W] is seen by no tolerance: those of the sums are in joules, too.
#define HARMLESS 1e-10

typedef struct sg_part_sheet_row {
    double energy[N_ENERGIES], dissipated, supplied, removed;
    sg_vec3 momentum, angular;
} row;

// Constant in a segment.
struct sg_part_balance {
    uint32_t at; // of taken and supplied energy among the hidden states
    int32_t energy[N_ENERGIES], dissipated, momentum[N_MOMENTA];
};

// What becomes of it.
struct sg_part_sheet {
    double *tau; // n_dof, of the segment
    bool begun;
    bool changed;         // an action changed the structure since the last row
    bool any_change;      // ... in this run
    double before_change; // energy of motion, places and springs just before it
    double removed; // taken by actions so far: of what was deleted, of locks that close, and of
                    // contacts that are not looked for any more
    double start, end;
    row first, last;
    double largest_energy; // over the run: of motion and springs, and that changed its place
    double largest_part;   // of any of them; potential energy counts from its zero
    double largest_defect;
};

bool sg_part_wants_balance(const sg_part *part)
{
    return part->records.host->balance || part->records.scene.balance;
}

bool sg_part_begin_sheet(sg_part_state *s, bool first)
{
    if (first)
        s->sheet =
            sg_part_wants_balance(s->part) ? SG_NEW(&s->lasting, struct sg_part_sheet) : NULL;
    if (s->sheet)
        s->sheet->tau = SG_NEW_ARRAY(&s->arena, double, s->part->segment.tree->n_dof + 1);
    return !sg_part_wants_balance(s->part) || (s->sheet && s->sheet->tau);
}

void sg_part_archive_sheet(const sg_part_state *s, sg_archive *a)
{
    struct sg_part_sheet *sheet = s->sheet;
    if (!sheet)
        return;
    double *tau = sheet->tau;
    sheet->tau = NULL;
    SG_ARCHIVE(a, *sheet);
    sheet->tau = tau;
}

static const char *name_of(sg_part *part, const char *name)
{
    return sg_arena_printf(&part->segment.arena, "%s%sbalance.%s", part->id, part->id[0] ? "." : "",
                           name);
}

static int32_t add_local(sg_part *part, const char *path, const char *unit, uint32_t n)
{
    static const double zero[3] = {0};
    return path ? sg_hidden_add_local(part->segment.hidden, path, unit, zero, n, n == 1) : -1;
}

// Is there anything but gravity and inertia? Forces of joints without flange, and those that keep
// loops closed, have no power.
static bool anything_works(const sg_part *part)
{
    return part->built.n_given > 0 || part->records.actors.len > 0;
}

static bool add_states(sg_part *part, struct sg_part_balance *b)
{
    static const char *const names[2][2] = {{"takenEnergy", "dissipatedPower"},
                                            {"suppliedEnergy", "suppliedPower"}};
    // A later segment of the same run goes on with the sums so far.
    double start[2] = {0.0, 0.0};
    if (part->segment.hidden->x && part->run->sheet->begun) {
        start[0] = part->segment.hidden->x[b->at];
        start[1] = part->segment.hidden->x[b->at + 1];
    }
    b->at = (uint32_t)part->segment.hidden->start.len;
    for (int i = 0; i < 2; i++) {
        const char *name = name_of(part, names[i][0]), *der = name_of(part, names[i][1]);
        if (!name || !der ||
            sg_hidden_add_state(part->segment.hidden, name, der, "J", &start[i], 1, true) < 0)
            return false;
        sg_hidden_set_quadrature(part->segment.hidden, part->records.scene.balance,
                                 !anything_works(part));
    }
    return true;
}

bool sg_part_define_balance(sg_part *part)
{
    static const char *const energies[N_ENERGIES] = {"kineticEnergy", "potentialEnergy",
                                                     "springEnergy", "totalEnergy"};
    bool wanted = sg_part_wants_balance(part);
    struct sg_part_balance *b = part->built.balance;
    if (wanted && !b)
        b = SG_NEW(&part->arena, struct sg_part_balance);
    part->built.balance = wanted ? b : NULL;
    if (!b)
        return !wanted;
    if (!wanted)
        return true;
    for (int i = 0; i < N_ENERGIES; i++)
        b->energy[i] = add_local(part, name_of(part, energies[i]), "J", 1);
    b->dissipated = add_local(part, name_of(part, "dissipatedEnergy"), "J", 1);
    b->momentum[MOMENTUM] = add_local(part, name_of(part, "momentum"), "kg*m/s", 3);
    b->momentum[ANGULAR] = add_local(part, name_of(part, "angularMomentum"), "kg*m^2/s", 3);
    return add_states(part, b) && !part->segment.arena.failed && !part->segment.hidden->failed;
}

// Power of the torques of all joints, from the present accelerations and with the forces of loops
// applied.
static double drive_power(sg_part_state *s)
{
    const sg_part *part = s->part;
    double power = 0.0, *tau = s->sheet->tau;
    if (!part->built.n_given)
        return 0.0;
    if (part->segment.loops)
        sg_part_loop_push(s);
    sg_tree_inverse(part->segment.tree, &s->tree, s->a, tau);
    for (size_t j = 0; j < part->built.joints.len; j++)
        if (part->built.joints.data[j].flange && part->built.joints.data[j].cut < 0) {
            int i = part->built.joints.data[j].first;
            power += tau[i] * s->v[i];
        }
    return power;
}

void sg_part_evaluate_balance(sg_part_state *s)
{
    const sg_part *part = s->part;
    const struct sg_part_balance *b = part->built.balance;
    if (!b)
        return;
    double *rate = s->hidden->derivatives.data + b->at, size;
    rate[0] = rate[1] = 0.0;
    if (!anything_works(part))
        return;
    rate[1] = drive_power(s);
    rate[1] += sg_tree_push_power(part->segment.tree, &s->tree, &size);
    if (s->loops_act)
        rate[1] -= sg_part_loop_power(s);
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        const sg_force_element *e = actor->force;
        if (actor->account) {
            sg_part_energy energy;
            actor->account(actor->data, s->own[i], &energy);
            rate[0] += energy.taken;
            rate[1] += energy.taken + energy.storing;
        }
        if (!e)
            continue;
        sg_force_element_power power = sg_force_elements_power(e, s->own[i], 1);
        rate[0] += power.lost;
        rate[1] += power.lost + power.stored;
    }
    if (fabs(rate[1]) > HARMLESS && fabs(rate[1]) <= NOISE * size)
        rate[1] = 0.0;
}

// What springs hold, and of it what they took as dampers do: contacts that stick.
static sg_status spring_energy(sg_part_eval *eval, double *sum, double *lent)
{
    const sg_part *part = eval->part;
    *sum = *lent = 0.0;
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        const sg_force_element *e = actor->force;
        double stored = 0.0;
        if (actor->account) {
            sg_part_energy energy;
            actor->account(actor->data, eval->state->own[i], &energy);
            *sum += energy.stored + energy.lent;
            *lent += energy.lent;
        }
        sg_status status =
            e ? sg_force_elements_stored(e, eval->state->own[i], 1, eval, &stored) : SG_OK;
        if (status != SG_OK)
            return status;
        *sum += stored;
    }
    return SG_OK;
}

// As fmax, but what is no number stays.
static double larger(double a, double b) { return b > a || isnan(b) ? b : a; }

static double sum_of(const row *r)
{
    return r->energy[TOTAL] + r->dissipated + r->removed - r->supplied;
}

sg_status sg_part_store_balance(sg_part_eval *e)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    const struct sg_part_balance *b = part->built.balance;
    struct sg_part_sheet *sheet = s->sheet;
    if (!b)
        return SG_OK;
    sg_tree_balance now = sg_tree_balance_of(part->segment.tree, &s->tree);
    const sg_hidden *hidden = s->hidden;
    const double *x = (hidden->x ? hidden->x : hidden->start.data) + b->at;
    row r = {.energy = {now.kinetic, now.potential},
             .dissipated = x[0],
             .supplied = x[1],
             .momentum = now.momentum,
             .angular = now.angular};
    double lent;
    sg_status status = spring_energy(e, &r.energy[SPRING], &lent);
    if (status != SG_OK)
        return status;
    r.dissipated -= lent;
    r.energy[TOTAL] = now.kinetic + now.potential + r.energy[SPRING];
    if (sheet->changed)
        sheet->removed += sheet->before_change - r.energy[TOTAL];
    sheet->changed = false;
    r.removed = sheet->removed;
    for (int i = 0; i < N_ENERGIES; i++)
        sg_part_set_local(e, b->energy[i], &r.energy[i], 1);
    sg_part_set_local(e, b->dissipated, &r.dissipated, 1);
    sg_part_set_local(e, b->momentum[MOMENTUM], &r.momentum.x, 3);
    sg_part_set_local(e, b->momentum[ANGULAR], &r.angular.x, 3);
    if (!sheet->begun) {
        sheet->begun = true;
        sheet->start = e->time;
        sheet->first = r;
    }
    sheet->end = e->time;
    sheet->last = r;
    double moved = r.energy[POTENTIAL] - sheet->first.energy[POTENTIAL];
    const double sizes[] = {r.energy[KINETIC], r.energy[SPRING], moved, r.dissipated, r.supplied};
    for (size_t i = 0; i < SG_COUNT(sizes); i++)
        sheet->largest_energy = fmax(sheet->largest_energy, fabs(sizes[i]));
    sheet->largest_part =
        fmax(sheet->largest_part, fmax(sheet->largest_energy, fabs(now.potential)));
    sheet->largest_defect = larger(sheet->largest_defect, fabs(sum_of(&r) - sum_of(&sheet->first)));
    return SG_OK;
}

void sg_part_balance_before_change(sg_part *part)
{
    struct sg_part_sheet *sheet = part->run->sheet;
    if (!sheet)
        return;
    sg_tree_balance now = sg_tree_balance_of(part->segment.tree, &part->run->tree);
    // Springs as they were stored at this event; nothing moves at it.
    sheet->before_change = now.kinetic + now.potential + sheet->last.energy[SPRING];
    sheet->changed = sheet->any_change = true;
}

void sg_part_balance_remove(const sg_part_state *s, double energy)
{
    // Right behind another change, the next point finds both together.
    if (s->sheet && !s->sheet->changed)
        s->sheet->removed += energy;
}

void sg_part_balance_take(const sg_part_eval *e, double energy, double supplied)
{
    const struct sg_part_balance *b = e->part->built.balance;
    const sg_hidden *hidden = e->state->hidden;
    if (!b || !hidden->x)
        return;
    double sums[2] = {hidden->x[b->at] + energy, hidden->x[b->at + 1] + supplied};
    for (uint32_t i = 0; i < (supplied != 0.0 ? 2u : 1u); i++)
        sg_events_reinit(e->events, *e->state->n_visible + b->at + i, 1, &sums[i]);
}

// ---- the sheet ------------------------------------------------------------------------------

static void put_number(sg_buf *out, const char *name, double first, double last)
{
    sg_buf_printf(out, "  %-22s %15.8g %15.8g %15.8g\n", name, first, last, last - first);
}

static void put_vector(sg_buf *out, const char *name, sg_vec3 first, sg_vec3 last)
{
    static const char axis[] = "xyz";
    for (int i = 0; i < 3; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s %c", name, axis[i]);
        put_number(out, text, v3_get(first, i), v3_get(last, i));
    }
}

// The first bodies that passed through each other, null if none did.
static const sg_part_passing *first_passing(const sg_part *part)
{
    const sg_part_touching *t = sg_part_touching_kept(part->run);
    return t && t->passed.n > 0 ? &t->passed : NULL;
}

bool sg_part_was_passed_through(const sg_part *part) { return first_passing(part) != NULL; }

bool sg_part_balance_closes(const sg_part *part, double tolerance)
{
    const struct sg_part_sheet *b = part->run->sheet;
    double allowed = ALLOWED_TOLERANCES * fmax(tolerance, LEAST_TOLERANCE);
    // The other way round, so that what is no number does not close.
    return !b || !b->begun ||
           (b->largest_defect <= allowed * b->largest_part && !first_passing(part));
}

bool sg_part_balance_sheet(const sg_part *part, double tolerance, sg_buf *out)
{
    const struct sg_part_sheet *b = part->run->sheet;
    if (!b || !b->begun)
        return false;
    const row *f = &b->first, *l = &b->last;
    sg_buf_printf(out, "balance%s%s from %g s to %g s\n", part->id[0] ? " of " : "", part->id,
                  b->start, b->end);
    sg_buf_printf(out, "  %-22s %15s %15s %15s\n", "", "at the start", "at the end", "change");
    put_number(out, "kinetic energy [J]", f->energy[KINETIC], l->energy[KINETIC]);
    put_number(out, "potential energy [J]", f->energy[POTENTIAL], l->energy[POTENTIAL]);
    put_number(out, "spring energy [J]", f->energy[SPRING], l->energy[SPRING]);
    put_number(out, "dissipated [J]", f->dissipated, l->dissipated);
    put_number(out, "supplied [J]", f->supplied, l->supplied);
    if (b->any_change)
        put_number(out, "taken by actions [J]", f->removed, l->removed);
    put_vector(out, "momentum [kg m/s]", f->momentum, l->momentum);
    put_vector(out, "angular [kg m2/s]", f->angular, l->angular);
    sg_buf_printf(out, "  energy not accounted for: %.3g J at the end, at most %.3g J",
                  sum_of(l) - sum_of(f), b->largest_defect);
    if (b->largest_energy > 0.0)
        sg_buf_printf(out, " (%.2g of the largest energy)", b->largest_defect / b->largest_energy);
    const sg_part_passing *passed = first_passing(part);
    if (passed)
        sg_buf_printf(out, "\n  '%s' and '%s' passed through each other at %.6g s",
                      part->records.objects.data[passed->a].name,
                      part->records.objects.data[passed->b].name, passed->time);
    sg_buf_printf(out, "\n  the balance %s\n",
                  sg_part_balance_closes(part, tolerance) ? "closes" : "does not close");
    return true;
}
