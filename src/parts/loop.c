#include "parts/loop.h"

#include "math/dense.h"
#include "parts/script_call.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 30 };
// Newton ends, and laws count as linear, when forces agree to this part of the largest one.
#define AGREEMENT 1e-10

static sg_status fail(sg_part *part, const char *why)
{
    if (!part->failed)
        sg_error(part->vm->diags, SG_E_SINGULAR_MOTION, part->asked_by->span,
                 "%s asks for accelerations, which follow from the forces: %s",
                 part->asked_by->what, why);
    part->failed = true;
    return SG_ERR_MODEL;
}

static bool prepare(sg_part *part)
{
    if (part->loop)
        return true;
    size_t n = (size_t)part->mbs->n_dof, given = (size_t)part->split.n_given;
    sg_arena *arena = &part->segment;
    sg_part_loop *loop = SG_NEW(arena, sg_part_loop);
    if (!loop)
        return false;
    *loop = (sg_part_loop){.J = SG_NEW_ARRAY(arena, double, n *n + 1),
                           .lu = SG_NEW_ARRAY(arena, double, n *n + 1),
                           .r0 = SG_NEW_ARRAY(arena, double, n + 1),
                           .r = SG_NEW_ARRAY(arena, double, n + 1),
                           .a = SG_NEW_ARRAY(arena, double, n + 1),
                           .rhs = SG_NEW_ARRAY(arena, double, n + 1),
                           .inner = SG_NEW_ARRAY(arena, double, n *(given + 1) + 1),
                           .pivot = SG_NEW_ARRAY(arena, int, n + 1)};
    part->loop = arena->failed ? NULL : loop;
    return part->loop;
}

// r(a), with the laws evaluated at a.
static sg_status residual(sg_part *part, double time, const double *a, double *r)
{
    sg_mbs_inverse(part->mbs, &part->state, a, r); // for the accelerations of the bodies
    sg_status status = sg_part_apply_forces(part, time);
    if (status == SG_OK)
        sg_mbs_inverse(part->mbs, &part->state, a, r);
    return status;
}

// r0 and J at the accelerations loop->a. Steps are one at rest, which loses least; elsewhere small.
static sg_status linearize(sg_part *part, double time, bool at_rest)
{
    sg_part_loop *loop = part->loop;
    size_t n = (size_t)part->mbs->n_dof;
    sg_status status = residual(part, time, loop->a, loop->r0);
    for (size_t k = 0; status == SG_OK && k < n; k++) {
        double before = loop->a[k], step = at_rest ? 1.0 : 1e-6 * (1.0 + fabs(before));
        loop->a[k] += step;
        status = residual(part, time, loop->a, loop->r);
        loop->a[k] = before;
        for (size_t i = 0; i < n; i++)
            loop->J[i * n + k] = (loop->r[i] - loop->r0[i]) / step;
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
static bool eliminate_inner(const sg_part *part)
{
    const sg_part_loop *loop = part->loop;
    const sg_mbs_split *s = &part->split;
    size_t n = (size_t)part->mbs->n_dof, m = (size_t)s->n_inner;
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

sg_status sg_part_loop_terms(sg_part *part, double time, double *h, double *M)
{
    const sg_mbs_split *s = &part->split;
    size_t n = (size_t)part->mbs->n_dof, m = (size_t)s->n_inner;
    if (!prepare(part))
        return SG_ERR_MEMORY;
    const sg_part_loop *loop = part->loop;
    memset(loop->a, 0, n * sizeof(double));
    sg_status status = linearize(part, time, true);
    if (status != SG_OK)
        return status;
    if (!eliminate_inner(part))
        return fail(part, "it leaves no inertia to some joint");
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

sg_status sg_part_loop_finish(sg_part *part, double time)
{
    const sg_part_loop *loop = part->loop;
    const sg_mbs_split *s = &part->split;
    size_t n = (size_t)part->mbs->n_dof, m = (size_t)s->n_inner;
    for (int k = 0; k < s->n_given; k++)
        part->a[s->given[k]] = part->a_given[k];
    for (size_t i = 0; i < m; i++) {
        double sum = loop->inner[i];
        for (int k = 0; k < s->n_given; k++)
            sum += loop->inner[(size_t)(k + 1) * m + i] * part->a_given[k];
        part->a[s->inner[i]] = sum;
    }
    sg_status status = residual(part, time, part->a, loop->r);
    double scale = largest(loop->r0, n), most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = loop->r0[i];
        for (size_t k = 0; k < n; k++) {
            sum += loop->J[i * n + k] * part->a[k];
            scale = fmax(scale, fabs(loop->J[i * n + k] * part->a[k]));
        }
        most = fmax(most, fabs(sum - loop->r[i]));
    }
    if (status == SG_OK && most > AGREEMENT * scale)
        return fail(part, "where equations act on joints, it must be linear in them");
    return status;
}

sg_status sg_part_loop_solve(sg_part *part, double time, const double *tau, const double *rotor)
{
    size_t n = (size_t)part->mbs->n_dof;
    if (!prepare(part))
        return SG_ERR_MEMORY;
    const sg_part_loop *loop = part->loop;
    memset(loop->a, 0, n * sizeof(double));
    for (int it = 0; it < MAX_ITERATIONS; it++) {
        sg_status status = linearize(part, time, it == 0);
        double scale = fmax(largest(loop->r0, n), largest(tau, n));
        memcpy(loop->lu, loop->J, n * n * sizeof(double));
        for (size_t i = 0; i < n; i++) {
            double inertia = rotor ? rotor[i] : 0.0;
            loop->lu[i * n + i] += inertia;
            loop->rhs[i] = tau[i] - loop->r0[i] - inertia * loop->a[i];
        }
        if (status == SG_OK && sg_lu_factor(loop->lu, (int)n, loop->pivot, NULL) != SG_OK)
            return fail(part, "it leaves no inertia to some joint");
        if (status != SG_OK)
            return status;
        sg_lu_solve(loop->lu, (int)n, loop->pivot, loop->rhs);
        for (size_t i = 0; i < n; i++)
            loop->a[i] += loop->rhs[i];
        status = residual(part, time, loop->a, loop->r);
        double off = 0.0;
        for (size_t i = 0; i < n; i++)
            off = fmax(off, fabs(tau[i] - loop->r[i] - (rotor ? rotor[i] * loop->a[i] : 0.0)));
        if (status != SG_OK)
            return status;
        if (!(off > AGREEMENT * scale)) { // also where they are not finite: the solver sees that
            memcpy(part->a, loop->a, n * sizeof(double));
            return SG_OK;
        }
    }
    return fail(part, "no accelerations were found that agree with it");
}
