#include "parts/loop_near.h"

#include "parts/loop_close.h"
#include "parts/loops.h"

#include <math.h>
#include <string.h>

// All numbers are squares of x, as pivots are: parts of what the weakest one usually is. Between
// the first two the evaluation goes from where the state is to where the loops are closed.
#define NEAR_FROM 0.04
#define NEAR_FULL 0.01
// Below this the roundings of positions, 1e-16/x^3, would be seen by the tightest tolerances.
#define BLURRED 1e-5
// This branch is e/x away and the other one x: below this many gaps it is not clear which is which.
#define PER_GAP 2.0
// The nearest point of extrapolation, in multiples of the blurred x. If the singular position is
// left too slowly, the distance is doubled so often.
#define FIRST_STEP 2.0
enum { MAX_DOUBLINGS = 5 };

void sg_loops_find_near(sg_part_state *s)
{
    struct sg_part_loop_state *t = s->loops;
    sg_tree_loops_faded(&t->loops, &t->left);
    t->is_near = t->left < NEAR_FROM;
}

// Numbers that are found after a factorization.
typedef sg_status (*near_values)(sg_part_state *s, const double *drive, double *values,
                                 int *bad_body);

typedef struct near_query {
    sg_part_state *s;
    near_values values;
    const double *drive;
    double *out; // n numbers
    size_t n;
    int *bad_body;
} near_query;

static sg_status factor(const near_query *k, double doubt)
{
    sg_part_state *s = k->s;
    const sg_part *part = s->part;
    struct sg_part_loop_state *t = s->loops;
    sg_status status =
        sg_tree_forward_up(part->segment.tree, &s->tree, t->zero, NULL, NULL, k->bad_body);
    if (status == SG_OK)
        sg_tree_loops_factor(part->segment.tree, &s->tree, part->segment.loops->tree, &t->loops,
                             NULL, SG_LOOPS_FOR_ACCELERATIONS, doubt);
    return status;
}

static void restore(sg_part_state *s)
{
    size_t size = (size_t)s->part->segment.tree->n_dof * sizeof(double);
    memcpy(s->q, s->loops->kept_q, size);
    memcpy(s->v, s->loops->kept_v, size);
}

// From the state to the loops only in part: 1 is all the way.
static void go_back(sg_part_state *s, double part)
{
    const struct sg_part_loop_state *t = s->loops;
    for (int i = 0; i < s->part->segment.tree->n_dof; i++) {
        s->q[i] = t->kept_q[i] + part * (s->q[i] - t->kept_q[i]);
        s->v[i] = t->kept_v[i] + part * (s->v[i] - t->kept_v[i]);
    }
}

// Closes the loops at the present position, by `part`, and factors there.
static sg_status settle(const near_query *k, double part)
{
    sg_part_state *s = k->s;
    const struct sg_part_loop_state *t = s->loops;
    sg_status status = sg_loops_close(s, t->lock_q, SG_CLOSING_NEAR);
    if (status == SG_OK)
        status = sg_loops_fit_speeds(s, t->lock_v, SG_CLOSING_NEAR, t->differ);
    if (part < 1.0)
        go_back(s, part);
    sg_loops_place(s, false);
    return status == SG_OK ? factor(k, 0.0) : status;
}

// Adds the values of four points, so that errors are of the fourth order of their distance. False
// where a point is not far enough from the singular position.
static bool sum_points(const near_query *k, double time, double blurred, sg_status *status)
{
    static const struct {
        double at, weight;
    } point[] = {{1, 4.0 / 6.0}, {-1, 4.0 / 6.0}, {2, -1.0 / 6.0}, {-2, -1.0 / 6.0}};
    sg_part_state *s = k->s;
    const struct sg_part_loop_state *t = s->loops;
    double left, *value = t->value;
    memset(k->out, 0, k->n * sizeof *k->out);
    for (int p = 0; p < 4 && *status == SG_OK; p++) {
        restore(s);
        sg_loops_shift(s, t->kept_v, point[p].at * time);
        *status = settle(k, 1.0);
        sg_tree_loops_faded(&t->loops, &left);
        if (*status == SG_OK && !(left >= blurred))
            return false;
        if (*status == SG_OK)
            *status = k->values(s, k->drive, value, k->bad_body);
        for (size_t i = 0; *status == SG_OK && i < k->n; i++)
            k->out[i] += point[p].weight * value[i];
    }
    return true;
}

// Nothing says how the motion goes on, or it goes along the singular positions.
static sg_status pass_over(const near_query *k, double doubt)
{
    restore(k->s);
    sg_loops_place(k->s, false);
    sg_status status = factor(k, doubt);
    return status == SG_OK ? k->values(k->s, k->drive, k->out, k->bad_body) : status;
}

static sg_status extrapolate(const near_query *k, double blurred)
{
    sg_part_state *s = k->s;
    sg_status status = SG_OK;
    double doubt = sg_tree_loops_doubt(&s->tree, s->part->segment.loops->tree, &s->loops->loops);
    double time = FIRST_STEP * sqrt(blurred) / sg_loops_speed(s);
    for (int i = 0; isfinite(time) && i <= MAX_DOUBLINGS; i++)
        if (sum_points(k, ldexp(time, i), blurred, &status))
            return status;
    return pass_over(k, doubt);
}

static sg_status answer(const near_query *k)
{
    sg_part_state *s = k->s;
    struct sg_part_loop_state *t = s->loops;
    size_t size = (size_t)s->part->segment.tree->n_dof * sizeof(double);
    double gap = sg_tree_loops_gap(&s->tree, s->part->segment.loops->tree, &t->loops, true);
    double blurred = fmax(BLURRED, PER_GAP * gap);
    sg_status status;
    memcpy(t->kept_q, s->q, size);
    memcpy(t->kept_v, s->v, size);
    if (t->left < blurred) {
        status = extrapolate(k, blurred);
    } else {
        double part = fmin(1.0, (NEAR_FROM - t->left) / (NEAR_FROM - NEAR_FULL));
        status = settle(k, part * part * (3.0 - 2.0 * part));
        if (status == SG_OK)
            status = k->values(s, k->drive, k->out, k->bad_body);
    }
    restore(s);
    sg_loops_place(s, false);
    return status;
}

// ---- what is asked for --------------------------------------------------------------------------

static sg_status find_terms(sg_part_state *s, const double *drive, double *values, int *bad_body)
{
    (void)drive;
    (void)bad_body;
    sg_tree_loops_terms(s->part->segment.tree, &s->tree, s->part->segment.loops->tree,
                        &s->loops->loops, values, values + s->part->built.n_given);
    return SG_OK;
}

sg_status sg_loops_terms_near(sg_part_state *s, double *b, double *A, int *bad_body)
{
    size_t n = s->part->built.n_given;
    double *out = s->loops->mean;
    near_query k = {s, find_terms, NULL, out, n + n * n, bad_body};
    sg_status status = answer(&k);
    memcpy(b, out, n * sizeof *b);
    memcpy(A, out + n, n * n * sizeof *A);
    return status;
}

static sg_status find_accelerations(sg_part_state *s, const double *drive, double *values,
                                    int *bad_body)
{
    const sg_part *part = s->part;
    struct sg_part_loop_state *t = s->loops;
    sg_tree_loops_forces(part->segment.tree, &s->tree, part->segment.loops->tree, &t->loops, drive);
    memcpy(values + part->segment.tree->n_dof, t->loops.lambda,
           (size_t)part->segment.loops->tree->n_rows * sizeof *values);
    return sg_tree_forward_down(part->segment.tree, &s->tree, t->zero, NULL, values, bad_body);
}

sg_status sg_loops_accelerations_near(sg_part_state *s, const double *drive, int *bad_body)
{
    const sg_part *part = s->part;
    struct sg_part_loop_state *t = s->loops;
    size_t dof = (size_t)part->segment.tree->n_dof,
           rows = (size_t)part->segment.loops->tree->n_rows;
    near_query k = {s, find_accelerations, drive, t->mean, dof + rows, bad_body};
    sg_status status = answer(&k);
    memcpy(s->a, t->mean, dof * sizeof *s->a);
    memcpy(t->loops.lambda, t->mean + dof, rows * sizeof *t->loops.lambda);
    sg_tree_inverse(part->segment.tree, &s->tree, s->a, s->tau); // so that all bodies have theirs
    return status;
}
