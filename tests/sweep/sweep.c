// A sweep for false alarms and for wrong numbers without a word.
//
//     sweep [-v] [--one] FILE...            files whose simulations are meant to run
//     sweep [-v] [--one] --random FIRST N   random smooth models (random_models.h)
//     sweep --seconds S ...                 CPU time for each run, 20 if nothing is said
//     sweep --text SEED                     prints one of them
//
// Every simulation runs at three tolerances (with --one at one of them), and at two much smaller
// ones, of random models with another method, too: the converged runs. What ends with an error
// although the converged runs arrive, and agree, is a refusal that they contradict: a failure. So
// is, for random models, a run that arrives without a word at other values than the converged ones.
//
// Whether a simulation is meant to run its file says itself: it is if it does at the tolerance that
// the file asks for. How far final states may be off is measured, too: tolerances times the
// sensitivity of the model, for which the difference of the two converged runs stands. Where these
// differ by more than all digits are worth (chaos) nothing is judged.
#include "sweep/random_models.h"
#include "sweep/watched.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COARSE = 3, FINE = 2, ALL = COARSE + FINE };
static const double tolerances[ALL] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-11};
// What a run may be off by, in tolerances: of a model that enlarges no errors, and times what the
// converged runs differ by.
static const double may_be_off = 100.0, sensitive = 30.0;
// Converged runs that differ by more are none.
static const double converged = 1e-5;

typedef struct figures {
    int runs, refusals, contradicted, warnings, contradicted_warnings, off, unjudged, repaired;
} figures;

typedef struct sweep {
    figures all;
    bool verbose, one, random;
    double max_time; // of a run [s]
    const char *name;
    double noise; // of random models: what rounding may leave of a state that is zero
    watched_run runs[ALL];
    watched_run own; // as the file says
} sweep;

static const watched_simulation *simulation(const watched_run *run, size_t k, const char *model)
{
    if (k >= run->n || strcmp(run->simulations[k].model, model) != 0)
        return NULL;
    return &run->simulations[k];
}

// Final states that are not those that the script requires are its own business.
static bool arrived(const watched_simulation *s)
{
    return s && (s->outcome == SG_OK || s->outcome == SG_ERR_CHECK);
}

// Out of time is no answer.
static bool gave_up(const watched_simulation *s)
{
    return s && (s->outcome == SG_ERR_LIMIT || s->outcome == SG_ERR_INTERRUPT ||
                 s->outcome == SG_ERR_MEMORY);
}

static void tell(const sweep *w, const char *what, size_t k, const watched_simulation *s,
                 double tolerance)
{
    printf("%s: %s #%zu %s at %.0e: ", what, w->name, k + 1, s->model, tolerance);
    if (s->severity < SG_NOTE)
        printf("E%04d at %.6g s: %s\n", (int)s->code, s->t, s->words);
}

// What the simulation may be off by in parts of its states, at a tolerance.
static double allowed(double tolerance, double spread)
{
    double times = fmax(may_be_off, sensitive * spread / tolerances[COARSE]);
    return times * tolerance;
}

// Files may hold states of which nobody wants to know anything below the absolute tolerance.
static double forgiven_at(const sweep *w, double tolerance)
{
    return w->random ? w->noise : 0.1 * tolerance * may_be_off;
}

static void judge_values(sweep *w, size_t k, const watched_simulation *s, double tolerance,
                         const watched_simulation *best, double spread)
{
    size_t which;
    double forgiven = forgiven_at(w, tolerance);
    double off = watched_difference(s, best, &which, forgiven);
    bool right = off <= allowed(tolerance, spread);
    if (s->severity == SG_WARNING) {
        w->all.contradicted_warnings += right;
        if (w->verbose || (right && w->random))
            tell(w, right ? "WARNED WITHOUT REASON" : "warned", k, s, tolerance);
        return;
    }
    if (right)
        return;
    w->all.off++;
    printf("OFF: %s #%zu %s at %.0e: ", w->name, k + 1, s->model, tolerance);
    if (isinf(off))
        printf("ends at %.10g s with %zu states, converged at %.10g s with %zu\n", s->t,
               s->n_states, best->t, best->n_states);
    else
        printf("%s = %.10g, converged %.10g, size %.3g: %.3g tolerances%s\n", s->states[which].name,
               s->states[which].last, best->states[which].last, best->states[which].size,
               off / tolerance, s->repaired ? ", repaired" : "");
}

static void judge(sweep *w, size_t k, const watched_simulation *own)
{
    const watched_simulation *a = simulation(&w->runs[COARSE], k, own->model);
    const watched_simulation *b = simulation(&w->runs[COARSE + 1], k, own->model);
    size_t which = 0;
    bool both = arrived(a) && arrived(b);
    double spread = both ? watched_difference(a, b, &which, forgiven_at(w, tolerances[COARSE]))
                         : (double)INFINITY;
    bool known = both && spread <= converged;
    for (int i = 0; i < COARSE; i++) {
        const watched_simulation *s = simulation(&w->runs[i], k, own->model);
        if (!s || (w->one && i != 1))
            continue;
        w->all.runs++;
        w->all.repaired += s->repaired;
        w->all.warnings += s->severity == SG_WARNING;
        w->all.unjudged += !known;
        if (!arrived(s) && !gave_up(s)) {
            w->all.refusals++;
            // Where one tolerance arrives and another does not, one of them is wrong.
            bool contradicted = known || arrived(a) || arrived(b);
            w->all.contradicted += contradicted;
            tell(w, contradicted ? "CONTRADICTED" : "refused", k, s, tolerances[i]);
        } else if (known && arrived(s))
            judge_values(w, k, s, tolerances[i], b, spread);
    }
    if (w->verbose && !known) {
        if (both && spread < 1e300)
            printf("not judged: %s #%zu %s: %s is %.10g or %.10g\n", w->name, k + 1, own->model,
                   b->states[which].name, a->states[which].last, b->states[which].last);
        else
            printf("not judged: %s #%zu %s: no converged runs\n", w->name, k + 1, own->model);
    }
}

static bool run_at(sweep *w, int i, watched_options o, const char *path, const random_model *model)
{
    o.tolerance = i < 0 ? (double)NAN : tolerances[i];
    if (model && i >= COARSE) {
        o.atol = 0.1 * tolerances[i] * fmin(1e-3, model->smallest);
        o.solver = i > COARSE ? model->other : NULL;
    }
    return watched_run_script(i < 0 ? &w->own : &w->runs[i], &o, path, model ? model->text : NULL);
}

static bool sweep_one(sweep *w, const char *path, const random_model *model)
{
    watched_options o = {.atol = NAN, .max_time = w->max_time, .output = "sweep-results"};
    bool ok = true;
    w->name = path;
    memset(w->runs, 0, sizeof w->runs);
    memset(&w->own, 0, sizeof w->own);
    for (int i = model ? 0 : -1; i < ALL && ok; i++)
        ok = (w->one && i >= 0 && i < COARSE && i != 1) || run_at(w, i, o, path, model);
    if (!ok)
        printf("%s could not be run\n", path);
    const watched_run *own = model ? &w->runs[ALL - 1] : &w->own;
    // A file may do without simulations, but not because it cannot be read.
    ok &= own->n > 0 || own->exit_status == 0;
    for (size_t k = 0; ok && k < own->n; k++)
        if (model || arrived(&own->simulations[k]))
            judge(w, k, &own->simulations[k]);
    for (int i = 0; i < ALL; i++)
        watched_free(&w->runs[i]);
    watched_free(&w->own);
    fflush(stdout);
    return ok;
}

static bool sweep_random(sweep *w, unsigned first, unsigned n)
{
    random_model *model = malloc(sizeof *model);
    bool ok = model != NULL;
    w->random = true;
    for (unsigned i = first; ok && i < first + n; i++) {
        random_model_make(model, i);
        w->noise = 1e3 * DBL_EPSILON * model->smallest;
        ok = sweep_one(w, model->name, model);
    }
    free(model);
    return ok;
}

static unsigned number(const char *text) { return (unsigned)strtoul(text, NULL, 10); }

int main(int argc, char **argv)
{
    sweep w = {.max_time = 20.0};
    bool ok = true;
    for (int i = 1; i < argc && ok; i++) {
        if (strcmp(argv[i], "-v") == 0)
            w.verbose = true;
        else if (strcmp(argv[i], "--one") == 0)
            w.one = true;
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            w.max_time = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--text") == 0 && i + 1 < argc) {
            random_model model;
            random_model_make(&model, number(argv[++i]));
            fputs(model.text, stdout);
            return 0;
        } else if (strcmp(argv[i], "--random") == 0 && i + 2 < argc) {
            ok = sweep_random(&w, number(argv[i + 1]), number(argv[i + 2]));
            i += 2;
        } else
            ok = sweep_one(&w, argv[i], NULL);
    }
    printf(
        "%d runs: %d refusals, %d of them contradicted; %d warnings, %d of them contradicted; %d "
        "repaired; %d off without a word; %d not judged\n",
        w.all.runs, w.all.refusals, w.all.contradicted, w.all.warnings, w.all.contradicted_warnings,
        w.all.repaired, w.all.off, w.all.unjudged);
    return !ok || w.all.contradicted || (w.random && w.all.off);
}
