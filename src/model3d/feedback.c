#include "model3d/feedback.h"

#include "math/dense.h"
#include "model3d/segment.h"
#include "parts/loops.h"
#include "parts/script_call.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 30, MAX_COORDINATES = 1000 };
// Newton ends, and laws count as linear, when forces agree to this part of the largest one.
#define AGREEMENT 1e-10

static sg_status fail(const sg_part_eval *e, const char *why)
{
    if (!e->state->failed)
        sg_error(e->state->diags, SG_E_SINGULAR_MOTION, e->asked_by->span,
                 "%s asks for accelerations, which follow from the forces: %s", e->asked_by->what,
                 why);
    e->state->failed = true;
    return SG_ERR_MODEL;
}

// Once in a segment, when the first law asks.
static sg_status prepare(const sg_part_eval *e)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    if (s->feedback)
        return SG_OK;
    size_t n = (size_t)part->segment.tree->n_dof, given = (size_t)s->split.n_given;
    if (given && n > MAX_COORDINATES)
        return fail(e, "where equations act on joints, a part may have 1000 coordinates then");
    sg_arena *arena = &s->arena;
    sg_part_feedback *loop = SG_NEW(arena, sg_part_feedback);
    if (!loop)
        return SG_ERR_MEMORY;
    *loop =
        (sg_part_feedback){.r0 = SG_NEW_ARRAY(arena, double, n + 1),
                           .r = SG_NEW_ARRAY(arena, double, n + 1),
                           .a = SG_NEW_ARRAY(arena, double, n + 1),
                           .y = SG_NEW_ARRAY(arena, double, n + 1),
                           .basis = SG_NEW_ARRAY(arena, double, n *(SG_FEEDBACK_DIRECTIONS + 1))};
    if (given) {
        loop->J = SG_NEW_ARRAY(arena, double, n *n + 1);
        loop->lu = SG_NEW_ARRAY(arena, double, n *n + 1);
        loop->inner = SG_NEW_ARRAY(arena, double, n *(given + 1) + 1);
        loop->pivot = SG_NEW_ARRAY(arena, int, n + 1);
    }
    s->feedback = arena->failed ? NULL : loop;
    return s->feedback ? SG_OK : SG_ERR_MEMORY;
}

// r(a), with the laws evaluated at a.
static sg_status residual(sg_part_eval *e, const double *a, double *r)
{
    const sg_part *part = e->part;
    sg_tree_state *tree = &e->state->tree;
    sg_tree_inverse(part->segment.tree, tree, a, r); // for the accelerations of the bodies
    sg_status status = sg_part_apply_forces(e);
    if (status == SG_OK)
        sg_tree_inverse(part->segment.tree, tree, a, r);
    return status;
}

// r0 and J.
static sg_status linearize(sg_part_eval *e)
{
    const sg_part *part = e->part;
    sg_part_feedback *loop = e->state->feedback;
    size_t n = (size_t)part->segment.tree->n_dof;
    memset(loop->a, 0, n * sizeof(double));
    sg_status status = residual(e, loop->a, loop->r0);
    for (size_t k = 0; status == SG_OK && k < n; k++) {
        loop->a[k] = 1.0;
        status = residual(e, loop->a, loop->r);
        loop->a[k] = 0.0;
        for (size_t i = 0; i < n; i++)
            loop->J[i * n + k] = loop->r[i] - loop->r0[i];
    }
    return status;
}

static double largest(const double *x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

// J_ii and the right sides r0_i, J_ig of the inner coordinates, solved.
static bool eliminate_inner(const sg_part_eval *e)
{
    const sg_part *part = e->part;
    const sg_part_feedback *loop = e->state->feedback;
    const sg_tree_split *s = &e->state->split;
    size_t n = (size_t)part->segment.tree->n_dof, m = (size_t)s->n_inner;
    for (size_t i = 0; i < m; i++) {
        const double *row = loop->J + (size_t)s->inner[i] * n;
        for (size_t j = 0; j < m; j++)
            loop->lu[i * m + j] = row[s->inner[j]];
        loop->inner[i] = -loop->r0[s->inner[i]];
        for (int k = 0; k < s->n_given; k++)
            loop->inner[(size_t)(k + 1) * m + i] = -row[s->given[k]];
    }
    if (m && sg_lu_factor(loop->lu, (int)m, loop->pivot, NULL) != SG_OK)
        return false;
    for (size_t k = 0; m && k <= (size_t)s->n_given; k++)
        sg_lu_solve(loop->lu, (int)m, loop->pivot, loop->inner + k * m);
    return true;
}

sg_status sg_part_feedback_terms(sg_part_eval *e, double *h, double *M)
{
    const sg_part *part = e->part;
    const sg_tree_split *s = &e->state->split;
    size_t n = (size_t)part->segment.tree->n_dof, m = (size_t)s->n_inner;
    sg_status status = prepare(e);
    const sg_part_feedback *loop = e->state->feedback;
    if (status != SG_OK)
        return status;
    status = linearize(e);
    if (status != SG_OK)
        return status;
    if (!eliminate_inner(e))
        return fail(e, "it leaves no inertia to some joint");
    for (int g = 0; g < s->n_given; g++) {
        const double *row = loop->J + (size_t)s->given[g] * n;
        for (int k = -1; k < s->n_given; k++) {
            const double *inner = loop->inner + (size_t)(k + 1) * m;
            double sum = k < 0 ? loop->r0[s->given[g]] : row[s->given[k]];
            for (size_t i = 0; i < m; i++)
                sum += row[s->inner[i]] * inner[i];
            *(k < 0 ? &h[g] : &M[k * s->n_given + g]) = sum;
        }
    }
    return SG_OK;
}

sg_status sg_part_feedback_finish(sg_part_eval *e)
{
    const sg_part *part = e->part;
    double *a = e->state->a;
    const double *a_given = e->state->a_given;
    const sg_part_feedback *loop = e->state->feedback;
    const sg_tree_split *s = &e->state->split;
    size_t n = (size_t)part->segment.tree->n_dof, m = (size_t)s->n_inner;
    for (int k = 0; k < s->n_given; k++)
        a[s->given[k]] = a_given[k];
    for (size_t i = 0; i < m; i++) {
        double sum = loop->inner[i];
        for (int k = 0; k < s->n_given; k++)
            sum += loop->inner[(size_t)(k + 1) * m + i] * a_given[k];
        a[s->inner[i]] = sum;
    }
    sg_status status = residual(e, a, loop->r);
    double scale = largest(loop->r0, n), most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = loop->r0[i];
        for (size_t k = 0; k < n; k++) {
            sum += loop->J[i * n + k] * a[k];
            scale = fmax(scale, fabs(loop->J[i * n + k] * a[k]));
        }
        most = fmax(most, fabs(sum - loop->r[i]));
    }
    if (status == SG_OK && most > AGREEMENT * scale)
        return fail(e, "where equations act on joints, it must be linear in them");
    return status;
}

// ---- known forces ---------------------------------------------------------------------------

typedef struct solver {
    sg_part_eval *e;
    const double *tau, *rotor;
    double H[SG_FEEDBACK_DIRECTIONS + 1][SG_FEEDBACK_DIRECTIONS]; // turned to upper triangular form
    double c[SG_FEEDBACK_DIRECTIONS], s[SG_FEEDBACK_DIRECTIONS], g[SG_FEEDBACK_DIRECTIONS + 1];
} solver;

// y(a)
static sg_status respond(const solver *v, const double *a, double *y)
{
    sg_part_eval *e = v->e;
    const sg_tree *tree = e->part->segment.tree;
    sg_part_state *s = e->state;
    int bad_body;
    sg_tree_inverse(tree, &s->tree, a, s->feedback->r); // for the accelerations of the bodies
    sg_status status = sg_part_apply_forces(e);
    if (status != SG_OK)
        return status;
    if (e->part->segment.loops) {
        status = sg_part_loop_accelerations(s, NULL, &bad_body);
        memcpy(y, s->a, (size_t)tree->n_dof * sizeof *y);
    } else {
        status = sg_tree_forward_geared(tree, &s->tree, v->tau, v->rotor, y, &bad_body);
    }
    return status == SG_OK ? SG_OK : fail(e, "some joint moves nothing that has inertia");
}

static double norm(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

// Direction k + 1 of the basis and column k of H: (1 - y') times direction k, made orthogonal.
static sg_status next_direction(solver *v, size_t k, double step)
{
    const sg_part_feedback *loop = v->e->state->feedback;
    size_t n = (size_t)v->e->part->segment.tree->n_dof;
    const double *d = loop->basis + k * n;
    double *w = loop->basis + (k + 1) * n;
    for (size_t i = 0; i < n; i++)
        loop->a[i] += step * d[i];
    sg_status status = respond(v, loop->a, w);
    for (size_t i = 0; i < n; i++) {
        loop->a[i] -= step * d[i];
        w[i] = d[i] - (w[i] - loop->y[i]) / step;
    }
    for (size_t j = 0; j <= k; j++) {
        const double *b = loop->basis + j * n;
        double dot = 0.0;
        for (size_t i = 0; i < n; i++)
            dot += w[i] * b[i];
        v->H[j][k] = dot;
        for (size_t i = 0; i < n; i++)
            w[i] -= dot * b[i];
    }
    double length = v->H[k + 1][k] = norm(w, n);
    for (size_t i = 0; length > 0.0 && i < n; i++)
        w[i] /= length;
    return status;
}

// Givens rotations of column k; what is left of the right side afterwards.
static double turn_column(solver *v, size_t k)
{
    for (size_t j = 0; j < k; j++) {
        double x = v->H[j][k], y = v->H[j + 1][k];
        v->H[j][k] = v->c[j] * x + v->s[j] * y;
        v->H[j + 1][k] = v->c[j] * y - v->s[j] * x;
    }
    double x = v->H[k][k], y = v->H[k + 1][k], r = hypot(x, y);
    v->c[k] = r > 0.0 ? x / r : 1.0;
    v->s[k] = r > 0.0 ? y / r : 0.0;
    v->H[k][k] = r;
    v->g[k + 1] = -v->s[k] * v->g[k];
    v->g[k] *= v->c[k];
    return fabs(v->g[k + 1]);
}

// One step of Newton's method from loop->a, where loop->y is known.
static sg_status improve(solver *v, bool first)
{
    const sg_part_feedback *loop = v->e->state->feedback;
    size_t n = (size_t)v->e->part->segment.tree->n_dof, m = 0;
    for (size_t i = 0; i < n; i++)
        loop->basis[i] = loop->y[i] - loop->a[i];
    double length = norm(loop->basis, n), left = length;
    double step = first ? length : 1e-6 * (1.0 + norm(loop->a, n));
    if (!(length > 0.0)) // nothing moves, or not a number: the solver sees that
        return SG_OK;
    for (size_t i = 0; i < n; i++)
        loop->basis[i] /= length;
    v->g[0] = length;
    // Once rounding is all that is left, further directions mean nothing.
    while (m < SG_FEEDBACK_DIRECTIONS && m < n && left > 1e-14 * length) {
        sg_status status = next_direction(v, m, step);
        if (status != SG_OK)
            return status;
        left = turn_column(v, m++);
    }
    for (size_t k = m; k-- > 0;) {
        double sum = v->g[k];
        for (size_t j = k + 1; j < m; j++)
            sum -= v->H[k][j] * v->g[j];
        if (fabs(v->H[k][k]) <= 1e-13)
            return fail(v->e, "it leaves no inertia to some joint");
        v->g[k] = sum / v->H[k][k];
        for (size_t i = 0; i < n; i++)
            loop->a[i] += v->g[k] * loop->basis[k * n + i];
    }
    return SG_OK;
}

sg_status sg_part_feedback_solve(sg_part_eval *e, const double *tau, const double *rotor)
{
    const sg_part *part = e->part;
    size_t n = (size_t)part->segment.tree->n_dof;
    solver v = {.e = e, .tau = tau, .rotor = rotor};
    sg_status status = prepare(e);
    const sg_part_feedback *loop = e->state->feedback;
    if (status != SG_OK)
        return status;
    memset(loop->a, 0, n * sizeof(double));
    status = respond(&v, loop->a, loop->y);
    for (int it = 0; status == SG_OK && it < MAX_ITERATIONS; it++) {
        status = improve(&v, it == 0);
        if (status == SG_OK)
            status = respond(&v, loop->a, loop->y);
        double scale = fmax(largest(loop->a, n), largest(loop->y, n)), off = 0.0;
        for (size_t i = 0; i < n; i++)
            off = fmax(off, fabs(loop->y[i] - loop->a[i]));
        if (status == SG_OK && !(off > AGREEMENT * scale)) {
            memcpy(e->state->a, loop->a, n * sizeof(double));
            return SG_OK;
        }
    }
    return status != SG_OK ? status : fail(e, "no accelerations were found that agree with it");
}
