#include "solver/archipelago.h"

#include "base/arena.h"
#include "solver/engine.h"
#include "solver/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct island {
    sg_archipelago *all;
    int32_t number;
    int32_t n_cells, *cells;
    int32_t n_states, *states; // among those of the whole
    sg_arena arena;
    sg_solver *solver;
    sg_problem problem;
    sg_bodies bodies;                // none where it does not fall into some
    double *atol, *most, *increment; // of its states; null as those of the whole
    double *x, *dx, t_asked;         // at the time that another island asked for
    double *seen_x, *seen_dx;        // ... and that the caller did
    bool has_asked, has_dx;
    double t0, t;     // of its last step [s]
    double root;      // where functions of its own changed their signs, or infinity [s]
    double hit;       // where it meets another one, or infinity [s]
    int32_t hit_with; // that one
    int8_t found[SG_ISLAND_ROOTS];
    uint64_t mark;
    bool keeps;    // energy
    bool is_fresh; // no step was taken since its start
} island;

struct sg_archipelago {
    const sg_allocator *allocator;
    sg_arena arena;
    sg_problem problem; // of all
    sg_solver_options options;
    const sg_islands *islands;
    sg_island_watch watch; // its function may be null
    double tight;
    island **island, **last;     // `n` of them, room for as many as there are cells
    int32_t n;                   //
    int32_t *of_cell, *was_cell; // island of each cell, now and before
    uint64_t *mark;
    bool *keeps;
    double *end;     // by island
    double *certain; // likewise: up to where it is certain what it does
    int32_t *behind; // who is farther behind of two, of two of these, and so on: `behind[1]` of all
    int32_t n_leaves;     // of that, a power of two; their winners stand in front of them
    double *x;            // of all, where the caller stands,
    bool *is_old;         // by island: but for those that he was shown at an earlier time
    bool *was_old;        // before a restart
    int32_t n_old;        // so many
    int32_t *local;       // by state: its number in the island at work, or -1
    int8_t *found;        // of the functions of the whole
    double t;             // where the caller stands [s]
    double pause, looked; // where he wants to look next, and where he did last [s]
    int n_steps;          // of islands, since the caller was shown all of them
    bool has_begun;       //
    sg_status failed;     // why there is no step from t on
    sg_solver_stats past; // of islands that are gone
    double h_last;
    char message[256];
};

// Roots and meetings that are so many roundings of time apart are one: bodies that are alike do the
// same, each with its own last digits.
#define SAME_INSTANT (1024.0 * DBL_EPSILON)
// So many steps of islands, and the caller may look whether he still wants to wait.
enum { STEPS_AT_ONCE = 1000 };

// ---- an island ----------------------------------------------------------------------------------

static sg_status island_rhs(void *user, double t, const double *x, double *dx)
{
    island *s = user;
    const sg_islands *i = s->all->islands;
    return i->rhs(i->user, s->number, t, x, dx);
}

static bool island_slopes(void *user, double t, const double *x, sg_bodies *bodies)
{
    island *s = user;
    const sg_islands *i = s->all->islands;
    return i->slopes(i->user, s->number, t, x, bodies);
}

static sg_status island_roots(void *user, double t, const double *x, const double *dx, double *z)
{
    island *s = user;
    const sg_islands *i = s->all->islands;
    (void)dx;
    return i->roots(i->user, s->number, t, x, z);
}

static sg_status island_project(void *user, double t, double *x)
{
    island *s = user;
    const sg_islands *i = s->all->islands;
    return i->project(i->user, s->number, t, x);
}

static double island_foreseen(void *user, double t0, double t1, bool goes_on)
{
    island *s = user;
    const sg_islands *i = s->all->islands;
    return i->foreseen(i->user, s->number, t0, t1, goes_on);
}

static void add_stats(sg_solver_stats *sum, const sg_solver *solver)
{
    sg_solver_stats s = sg_solver_statistics(solver);
    sum->n_steps += s.n_steps;
    sum->n_rejected += s.n_rejected;
    sum->n_rhs += s.n_rhs;
    sum->n_rhs_jacobian += s.n_rhs_jacobian;
    sum->n_jacobians += s.n_jacobians;
    sum->n_roots += s.n_roots;
    sum->n_restarts += s.n_restarts;
    sum->n_factorizations += s.n_factorizations;
    sum->n_jumps += s.n_jumps;
    sum->order_last = s.order_last;
}

static void sink(sg_archipelago *all, island *s)
{
    if (!s)
        return;
    if (s->solver)
        add_stats(&all->past, s->solver);
    sg_solver_destroy(s->solver);
    sg_arena_destroy(&s->arena);
    all->allocator->resize(all->allocator->context, s, sizeof *s, 0);
}

static void gather(const island *s, const double *from, double *to)
{
    for (int32_t k = 0; k < s->n_states; k++)
        to[k] = from[s->states[k]];
}

static void scatter(const island *s, const double *from, double *to)
{
    for (int32_t k = 0; k < s->n_states; k++)
        to[s->states[k]] = from[k];
}

static double *gathered(island *s, const double *from)
{
    double *to = from ? SG_NEW_ARRAY(&s->arena, double, s->n_states) : NULL;
    if (to)
        gather(s, from, to);
    return to;
}

// The columns and rows of the whole that are those of the island; null where there is none.
static const sg_sparsity *pattern_of(sg_archipelago *all, island *s)
{
    const sg_sparsity *whole = all->problem.pattern;
    bool none =
        s->n_states < all->options.sparse_from ||
        (all->problem.find_pattern && all->problem.find_pattern(all->problem.user, &whole)) ||
        !whole;
    return none ? NULL : sg_sparsity_part(whole, s->n_states, s->states, all->local, &s->arena);
}

static sg_status start(sg_archipelago *all, island *s, bool kept_before, double t, const double *x)
{
    int32_t n = s->n_states;
    s->problem = all->problem;
    s->problem.n = n;
    s->problem.n_roots = all->islands->n_roots;
    s->problem.user = s;
    s->problem.rhs = island_rhs;
    s->problem.slopes = island_slopes;
    s->problem.roots = island_roots;
    s->problem.foreseen = island_foreseen;
    if (all->islands->bodies &&
        all->islands->bodies(all->islands->user, s->number, &s->arena, &s->bodies))
        return SG_ERR_MEMORY;
    s->problem.bodies = s->bodies.n > 0 ? &s->bodies : NULL;
    s->problem.pattern = s->problem.bodies ? NULL : pattern_of(all, s);
    s->problem.find_pattern = NULL; // that and what follows are of the whole
    s->problem.descriptor = NULL;
    s->problem.quadrature = s->problem.differential = s->problem.untold = NULL;
    bool projects = all->problem.project && all->islands->projects &&
                    all->islands->projects(all->islands->user, s->number);
    s->problem.project = projects ? island_project : NULL;
    s->problem.border = NULL;
    s->problem.look = NULL;
    s->problem.branches = NULL;
    s->problem.look_at_states = false;
    s->atol = gathered(s, all->problem.atol);
    s->most = gathered(s, all->problem.most);
    s->increment = gathered(s, all->problem.increment);
    s->problem.atol = s->atol;
    s->problem.most = s->most;
    s->problem.increment = s->increment;
    s->x = SG_NEW_ARRAY(&s->arena, double, n);
    s->dx = SG_NEW_ARRAY(&s->arena, double, n);
    s->seen_x = SG_NEW_ARRAY(&s->arena, double, n);
    s->seen_dx = SG_NEW_ARRAY(&s->arena, double, n);
    if (s->arena.failed)
        return SG_ERR_MEMORY;
    const char *message = "";
    sg_status status =
        sg_solver_create(all->allocator, &s->problem, &all->options, &s->solver, &message);
    if (!status)
        status = sg_solver_tighten(s->solver, s->keeps || kept_before ? all->tight : 1.0);
    gather(s, x, s->x);
    if (!status)
        status = sg_solver_reinit(s->solver, t, s->x);
    s->t0 = s->t = t;
    s->root = s->hit = INFINITY;
    s->is_fresh = true;
    return status;
}

// `dx` may be null.
static sg_status interpolate(island *s, double t, double *x, double *dx)
{
    if (!s->is_fresh || t != s->t)
        return t < s->t0 || t > sg_solver_time(s->solver)
                   ? SG_ERR_INTERNAL
                   : sg_solver_interpolate(s->solver, t, x, dx);
    sg_status status = sg_solver_interpolate(s->solver, t, x, NULL);
    return status || !dx ? status : island_rhs(s, t, x, dx);
}

static sg_status states_at(void *user, int32_t number, double t, const double **x,
                           const double **dx)
{
    sg_archipelago *all = user;
    island *s = all->island[number];
    sg_status status = SG_OK;
    bool wants_dx = dx && !s->has_dx;
    if (!s->has_asked || s->t_asked != t || wants_dx) {
        status = interpolate(s, t, s->x, dx ? s->dx : NULL);
        if (status == SG_ERR_INTERNAL)
            return status;
        s->has_asked = status == SG_OK;
        s->has_dx = s->has_asked && dx;
        s->t_asked = t;
    }
    *x = s->x;
    if (dx)
        *dx = s->dx;
    return status;
}

static sg_status some_at(void *user, int32_t number, double t, int32_t first, int32_t n, double *x,
                         double *dx)
{
    sg_archipelago *all = user;
    const island *s = all->island[number];
    bool known = s->has_asked && s->has_dx && s->t_asked == t;
    bool within = !(s->is_fresh && t == s->t) && t >= s->t0 && t <= sg_solver_time(s->solver);
    if (!known && within && sg_solver_interpolate_some(s->solver, t, first, n, x, dx))
        return SG_OK;
    const double *whole, *rates;
    sg_status status = states_at(all, number, t, &whole, &rates);
    if (!status) {
        memcpy(x, whole + first, (size_t)n * sizeof *x);
        memcpy(dx, rates + first, (size_t)n * sizeof *dx);
    }
    return status;
}

// ---- restarts -----------------------------------------------------------------------------------

static island *new_island(sg_archipelago *all, int32_t number, int32_t n)
{
    const sg_islands *i = all->islands;
    int32_t n_states = 0;
    island *s = all->allocator->resize(all->allocator->context, NULL, 0, sizeof *s);
    if (!s)
        return NULL;
    *s = (island){.all = all, .number = number};
    sg_arena_init(&s->arena, all->allocator);
    s->cells = SG_NEW_ARRAY(&s->arena, int32_t, n + 1);
    for (int32_t c = 0; s->cells && c < i->n_cells; c++)
        if (all->of_cell[c] == number) {
            s->cells[s->n_cells++] = c;
            n_states += i->width[c];
        }
    s->states = SG_NEW_ARRAY(&s->arena, int32_t, n_states + 1);
    if (!s->cells || !s->states) {
        sink(all, s);
        return NULL;
    }
    for (int32_t k = 0; k < s->n_cells; k++)
        for (int32_t m = 0; m < i->width[s->cells[k]]; m++)
            s->states[s->n_states++] = i->first[s->cells[k]] + m;
    return s;
}

// Whether an island is, under the number of now, what it was; `x` is null where no state is
// another.
static bool stays(const sg_archipelago *all, const island *s, const double *x)
{
    int32_t number = all->of_cell[s->cells[0]];
    bool same = s->mark == all->mark[number];
    for (int32_t k = 0; same && k < s->n_cells; k++)
        same = all->of_cell[s->cells[k]] == number;
    for (int32_t k = 0; same && x && k < s->n_states; k++)
        same = memcmp(all->x + s->states[k], x + s->states[k], sizeof *x) == 0;
    return same;
}

// Sorts old islands to their new numbers; what is left without one starts anew.
static void keep_islands(sg_archipelago *all, int32_t before, int32_t n, const int32_t *count,
                         const double *x)
{
    for (int32_t k = 0; k < n; k++)
        all->island[k] = NULL;
    bool *swap = all->was_old;
    all->was_old = all->is_old;
    all->is_old = swap;
    memset(all->is_old, 0, (size_t)n * sizeof *all->is_old);
    all->n_old = 0;
    bool moved = memcmp(all->x, x, (size_t)all->problem.n * sizeof *x) != 0;
    for (int32_t k = 0; k < before; k++) {
        island *s = all->last[k];
        int32_t number = all->of_cell[s->cells[0]];
        if (count[number] != s->n_cells || !stays(all, s, moved ? x : NULL))
            continue;
        s->number = number;
        all->island[number] = s;
        all->last[k] = NULL;
        all->is_old[number] = all->was_old[k];
        all->n_old += all->is_old[number];
    }
}

// What starts anew does so from where it is now, be it shown or not.
static sg_status show_last(sg_archipelago *all, int32_t before, double t)
{
    sg_status status = SG_OK;
    for (int32_t k = 0; !status && k < before; k++) {
        island *s = all->last[k];
        bool old = s && all->was_old[k];
        status = old ? interpolate(s, t, s->x, NULL) : SG_OK;
        if (old && !status)
            scatter(s, s->x, all->x);
    }
    return status;
}

// Meetings with islands that are gone are looked for again.
static sg_status renew_meeting(sg_archipelago *all, island *s)
{
    const sg_islands *i = all->islands;
    sg_island_motion motion = {all, all->end, states_at, some_at};
    s->hit = INFINITY;
    return s->t > all->t ? i->meets(i->user, &motion, s->number, all->t, &s->hit, &s->hit_with)
                         : SG_OK;
}

// The farther one behind of two; of equals the first. -1 is none.
static int32_t later_of(const sg_archipelago *all, int32_t a, int32_t b)
{
    return b < 0 || (a >= 0 && !(all->certain[b] < all->certain[a])) ? a : b;
}

static void set_end(sg_archipelago *all, const island *s)
{
    all->end[s->number] = s->t < s->root ? s->t : s->root;
    all->certain[s->number] = s->hit < all->end[s->number] ? s->hit : all->end[s->number];
}

static void note_end(sg_archipelago *all, const island *s)
{
    int32_t *behind = all->behind;
    set_end(all, s);
    for (int32_t k = (all->n_leaves + s->number) / 2; k > 0; k /= 2)
        behind[k] = later_of(all, behind[2 * k], behind[2 * k + 1]);
}

static void note_ends(sg_archipelago *all)
{
    int32_t *behind = all->behind;
    for (int32_t k = 0; k < all->n_leaves; k++)
        behind[all->n_leaves + k] = k < all->n ? k : -1;
    for (int32_t k = 0; k < all->n; k++)
        set_end(all, all->island[k]);
    for (int32_t k = all->n_leaves - 1; k > 0; k--)
        behind[k] = later_of(all, behind[2 * k], behind[2 * k + 1]);
}

// An event changed nothing behind a root: it goes on from there.
static sg_status pass_root(island *s, double t)
{
    if (s->root > t)
        return SG_OK;
    s->root = INFINITY;
    return sg_solver_look_again(s->solver, NULL);
}

static sg_status start_new(sg_archipelago *all, int32_t n, const int32_t *count, const bool *kept,
                           double t, const double *x)
{
    sg_status status = SG_OK;
    for (int32_t k = 0; !status && k < n; k++) {
        if (all->island[k])
            continue;
        island *s = all->island[k] = new_island(all, k, count[k]);
        if (!s)
            return SG_ERR_MEMORY;
        s->mark = all->mark[k];
        s->keeps = all->keeps[k];
        bool before = false;
        for (int32_t c = 0; c < s->n_cells; c++)
            before |= kept[s->cells[c]];
        status = start(all, s, before, t, x);
    }
    return status;
}

static void sink_all(sg_archipelago *all, island **islands, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        sink(all, islands[k]);
        islands[k] = NULL;
    }
}

sg_status sg_archipelago_restart(sg_archipelago *all, double t, const double *x)
{
    const sg_islands *i = all->islands;
    int32_t before = all->n, n_cells = i->n_cells;
    bool goes_on = all->has_begun && t == all->t;
    all->message[0] = '\0';
    all->failed = SG_OK;
    int32_t *swap = all->was_cell;
    all->was_cell = all->of_cell;
    all->of_cell = swap;
    int32_t n = i->partition(i->user, all->of_cell, all->mark, all->keeps);
    if (n < 0)
        return SG_ERR_MEMORY;
    sg_arena scratch;
    sg_arena_init(&scratch, all->allocator);
    int32_t *count = SG_NEW_ARRAY(&scratch, int32_t, n + 1);
    bool *kept = SG_NEW_ARRAY(&scratch, bool, n_cells + 1),
         *again = SG_NEW_ARRAY(&scratch, bool, n + 1);
    if (!count || !kept || !again) {
        sg_arena_destroy(&scratch);
        return SG_ERR_MEMORY;
    }
    for (int32_t c = 0; c < n_cells; c++) {
        count[all->of_cell[c]]++;
        kept[c] = all->has_begun && all->island[all->was_cell[c]]->keeps;
    }
    memcpy(all->last, all->island, (size_t)before * sizeof *all->last);
    all->n = n;
    keep_islands(all, goes_on ? before : 0, n, count, x);
    // Whom to ask again whether it meets somebody: those who were to meet one that is gone.
    for (int32_t k = 0; k < n; k++)
        again[k] = all->island[k] && isfinite(all->island[k]->hit);
    sg_status status = SG_OK;
    for (int32_t k = 0; !status && k < n; k++)
        status = all->island[k] ? pass_root(all->island[k], t) : SG_OK;
    all->t = all->looked = t;
    memmove(all->x, x, (size_t)all->problem.n * sizeof *x);
    if (!status && goes_on)
        status = show_last(all, before, t);
    sink_all(all, all->last, before);
    if (!status)
        status = start_new(all, n, count, kept, t, all->x);
    if (!status)
        note_ends(all);
    for (int32_t k = 0; !status && k < n; k++)
        if (again[k]) {
            status = renew_meeting(all, all->island[k]);
            note_end(all, all->island[k]);
        }
    sg_arena_destroy(&scratch);
    all->has_begun = status == SG_OK;
    return status;
}

sg_status sg_archipelago_go_on(sg_archipelago *all, sg_advance *step)
{
    if (step)
        step->kind = SG_STEP_INNER;
    return sg_archipelago_restart(all, all->t, all->x);
}

// ---- steps --------------------------------------------------------------------------------------

// Tells of the step that an island has just taken.
static sg_status tell(sg_archipelago *all, island *s, const double *x)
{
    const sg_island_watch *watch = &all->watch;
    sg_island_step step = {.n = s->problem.n,
                           .states = s->states,
                           .x = x,
                           .t0 = s->t0,
                           .t = s->t,
                           .solver = s->solver,
                           .user = s,
                           .rhs = island_rhs};
    return watch->step ? watch->step(watch->user, &step) : SG_OK;
}

static sg_status step_of(sg_archipelago *all, island *s, double t_stop)
{
    const sg_islands *i = all->islands;
    double from = s->t;
    const double *x;
    sg_status status = states_at(all, s->number, s->t, &x, NULL);
    if (status)
        return status;
    double bound = i->bound(i->user, s->number, s->t, x, s->most);
    if (!(bound > 0.0))
        return SG_ERR_SOLVER;
    sg_solver_bound_step(s->solver, bound);
    sg_advance advance;
    status = sg_solver_step(s->solver, t_stop, &advance);
    s->has_asked = false;
    if (status) {
        snprintf(all->message, sizeof all->message, "%s", sg_solver_message(s->solver));
        s->has_asked = true; // where it stands is still in s->x
        s->has_dx = false;
        return status;
    }
    s->is_fresh = false;
    s->t0 = from;
    s->t = advance.t;
    if (advance.kind == SG_STEP_ROOT) {
        s->root = advance.t;
        memcpy(s->found, advance.found, (size_t)i->n_roots * sizeof *s->found);
    }
    note_end(all, s);
    status = tell(all, s, advance.x);
    if (!status)
        status = i->swept(i->user, s->number, s->t, advance.x);
    sg_island_motion motion = {all, all->end, states_at, some_at};
    int32_t with = -1;
    double when = INFINITY;
    if (!status)
        status = i->meets(i->user, &motion, s->number, from, &when, &with);
    if (status || !isfinite(when))
        return status;
    s->hit = when;
    s->hit_with = with;
    island *other = all->island[with];
    if (when < other->hit) {
        other->hit = when;
        other->hit_with = s->number;
        note_end(all, other);
    }
    note_end(all, s);
    return SG_OK;
}

// The caller is shown an island at t.
static sg_status show_one(sg_archipelago *all, int32_t k, double t)
{
    const double *x;
    sg_status status = all->is_old[k] ? states_at(all, k, t, &x, NULL) : SG_OK;
    if (status || !all->is_old[k])
        return status;
    scatter(all->island[k], x, all->x);
    all->is_old[k] = false;
    all->n_old--;
    return SG_OK;
}

sg_status sg_archipelago_show_all(sg_archipelago *all, double *x)
{
    sg_status status = SG_OK;
    for (int32_t k = 0; !status && all->n_old > 0 && k < all->n; k++) {
        bool old = all->is_old[k];
        status = show_one(all, k, all->t);
        for (int32_t m = 0; !status && old && x && m < all->island[k]->n_states; m++)
            x[all->island[k]->states[m]] = all->x[all->island[k]->states[m]];
    }
    return status;
}

// The event at t, and whether the islands that it is about are all that the caller has to see.
static sg_status name_event(sg_archipelago *all, double t, sg_advance *step, bool *alone)
{
    const sg_islands *i = all->islands;
    sg_status status = SG_OK;
    for (int32_t k = 0; !status && k < all->n; k++) {
        const island *s = all->island[k];
        if (all->certain[k] > t) // memory of most islands is not looked at
            continue;
        if (s->root <= t)
            status = show_one(all, k, t);
        if (!status && s->root <= t)
            i->name(i->user, k, s->found, s->x, all->found);
        for (int side = 0; !status && s->hit <= t && side < 2; side++) {
            status = show_one(all, side ? s->hit_with : k, t);
            i->name(i->user, side ? s->hit_with : k, NULL, s->x, all->found);
        }
    }
    for (int32_t r = 0; r < all->problem.n_roots; r++)
        step->n_found += all->found[r] != 0;
    step->quiet = !status && i->quiet && i->quiet(i->user, t, all->found, alone);
    return status;
}

// Where all of them are shown at t, or those that an event is about.
static sg_status show(sg_archipelago *all, double t, sg_step_kind kind, sg_advance *step)
{
    sg_status status = SG_OK;
    bool alone = false;
    *step = (sg_advance){.kind = kind, .t0 = all->t, .t = t, .x = all->x, .found = all->found};
    all->h_last = t - all->t;
    all->t = t;
    all->n_steps = 0;
    all->n_old = all->n;
    memset(all->is_old, 1, (size_t)all->n * sizeof *all->is_old);
    memset(all->found, 0, (size_t)all->problem.n_roots * sizeof *all->found);
    if (kind == SG_STEP_ROOT)
        status = name_event(all, t, step, &alone);
    return status || (step->quiet && alone) ? status : sg_archipelago_show_all(all, NULL);
}

// The last of the events that are one with that at t, if all islands have come so far.
static double instant_of(const sg_archipelago *all, double t)
{
    double last = t, least = INFINITY;
    for (int32_t k = 0; k < all->n; k++) {
        if (all->certain[k] - t > SAME_INSTANT * fabs(t))
            continue;
        double own = fmin(all->island[k]->root, all->island[k]->hit);
        if (own > last && own - t <= SAME_INSTANT * fabs(t))
            last = own;
    }
    for (int32_t k = 0; last > t && k < all->n; k++)
        least = fmin(least, sg_solver_time(all->island[k]->solver));
    return least >= last ? last : t;
}

static sg_status stop_to_look(sg_archipelago *all, sg_advance *step)
{
    all->looked = all->pause;
    *step = (sg_advance){
        .kind = SG_STEP_PAUSE, .t0 = all->t, .t = all->pause, .x = all->x, .found = all->found};
    return SG_OK;
}

sg_status sg_archipelago_step(sg_archipelago *all, double t_stop, sg_advance *step)
{
    if (all->failed)
        return all->failed;
    all->message[0] = '\0';
    for (;; all->n_steps++) {
        island *s = all->island[all->behind[1]];
        double t = all->certain[s->number];
        if (all->pause > fmax(all->t, all->looked) && all->pause < t_stop && t >= all->pause)
            return stop_to_look(all, step);
        if (t >= t_stop && !(s->hit <= t_stop) && !(s->root <= t_stop))
            return show(all, t_stop, SG_STEP_STOP, step);
        if (s->hit <= t || s->root <= t)
            return show(all, fmin(instant_of(all, t), t_stop), SG_STEP_ROOT, step);
        if (all->n_steps >= STEPS_AT_ONCE && t > all->t)
            return show(all, t, SG_STEP_INNER, step);
        all->failed = step_of(all, s, t_stop);
        // All have come so far, and whoever goes on with another solver does it from here.
        if (all->failed == SG_ERR_SOLVER && t > all->t)
            return show(all, t, SG_STEP_INNER, step);
        if (all->failed)
            return all->failed;
    }
}

sg_status sg_archipelago_interpolate(sg_archipelago *all, double t, double *x, double *dx)
{
    sg_status status = SG_OK;
    if (t == all->t && !dx) {
        status = sg_archipelago_show_all(all, NULL);
        memcpy(x, all->x, (size_t)all->problem.n * sizeof *x);
        return status;
    }
    for (int32_t k = 0; !status && k < all->n; k++) {
        island *s = all->island[k];
        status = interpolate(s, t, s->seen_x, dx ? s->seen_dx : NULL);
        if (!status)
            scatter(s, s->seen_x, x);
        if (!status && dx)
            scatter(s, s->seen_dx, dx);
    }
    return status;
}

void sg_archipelago_each(sg_archipelago *all, void (*act)(sg_solver *solver))
{
    for (int32_t k = 0; k < all->n; k++)
        if (all->island[k] && all->island[k]->solver)
            act(all->island[k]->solver);
}

void sg_archipelago_pause(sg_archipelago *all, double t) { all->pause = t; }

double sg_archipelago_time(const sg_archipelago *all) { return all->t; }

const char *sg_archipelago_message(const sg_archipelago *all) { return all->message; }

sg_status sg_solver_show_all(sg_solver *solver, double *x)
{
    return solver->many ? sg_archipelago_show_all(solver->many, x) : SG_OK;
}

int32_t sg_solver_count_islands(const sg_solver *solver)
{
    return solver->many ? solver->many->n : 0;
}

sg_solver_stats sg_archipelago_statistics(const sg_archipelago *all)
{
    sg_solver_stats sum = all->past;
    for (int32_t k = 0; k < all->n; k++)
        if (all->island[k] && all->island[k]->solver)
            add_stats(&sum, all->island[k]->solver);
    sum.h_last = all->h_last;
    return sum;
}

double sg_archipelago_last_step(const sg_archipelago *all) { return all->h_last; }

// ---- begin and end ------------------------------------------------------------------------------

void sg_archipelago_destroy(sg_archipelago *all)
{
    if (!all)
        return;
    if (all->island)
        sink_all(all, all->island, all->n);
    sg_arena_destroy(&all->arena);
    all->allocator->resize(all->allocator->context, all, sizeof *all, 0);
}

static sg_archipelago *create(const sg_allocator *allocator, const sg_problem *problem,
                              const sg_solver_options *options, const sg_islands *islands)
{
    sg_archipelago *all = allocator->resize(allocator->context, NULL, 0, sizeof *all);
    if (!all)
        return NULL;
    *all = (sg_archipelago){.allocator = allocator,
                            .problem = *problem,
                            .options = *options,
                            .islands = islands,
                            .pause = INFINITY};
    sg_arena *a = &all->arena;
    sg_arena_init(a, allocator);
    size_t n = (size_t)islands->n_cells + 1;
    all->island = SG_NEW_ARRAY(a, island *, n);
    all->last = SG_NEW_ARRAY(a, island *, n);
    all->of_cell = SG_NEW_ARRAY(a, int32_t, n);
    all->was_cell = SG_NEW_ARRAY(a, int32_t, n);
    all->mark = SG_NEW_ARRAY(a, uint64_t, n);
    all->keeps = SG_NEW_ARRAY(a, bool, n);
    all->is_old = SG_NEW_ARRAY(a, bool, n);
    all->was_old = SG_NEW_ARRAY(a, bool, n);
    all->end = SG_NEW_ARRAY(a, double, n);
    all->certain = SG_NEW_ARRAY(a, double, n);
    for (all->n_leaves = 1; all->n_leaves < islands->n_cells;)
        all->n_leaves *= 2;
    all->behind = SG_NEW_ARRAY(a, int32_t, 2 * (size_t)all->n_leaves);
    all->x = SG_NEW_ARRAY(a, double, problem->n);
    all->local = SG_NEW_ARRAY(a, int32_t, problem->n);
    all->found = SG_NEW_ARRAY(a, int8_t, problem->n_roots + 1);
    for (int32_t k = 0; all->local && k < problem->n; k++)
        all->local[k] = -1;
    if (a->failed) {
        sg_archipelago_destroy(all);
        return NULL;
    }
    return all;
}

sg_status sg_solver_create_islands(const sg_allocator *allocator, const sg_problem *problem,
                                   const sg_solver_options *options, const sg_islands *islands,
                                   const sg_island_watch *watch, double tight, sg_solver **out,
                                   const char **message)
{
    *out = NULL;
    *message = "out of memory";
    sg_solver *s = allocator->resize(allocator->context, NULL, 0, sizeof *s);
    if (!s)
        return SG_ERR_MEMORY;
    *s = (sg_solver){.allocator = allocator, .problem = *problem, .options = *options};
    sg_arena_init(&s->arena, allocator);
    s->many = create(allocator, problem, options, islands);
    if (!s->many) {
        sg_solver_destroy(s);
        return SG_ERR_MEMORY;
    }
    s->many->tight = tight;
    if (watch)
        s->many->watch = *watch;
    *out = s;
    return SG_OK;
}
