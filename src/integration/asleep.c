#include "integration/asleep.h"

#include "integration/integration.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Derivatives are taken where states are at least this part of their tolerance: what is not
// straight there is less than the relative tolerance.
static const double probe = 0.1;
// Nearer to zero the matrix is the same up to this part of it.
const double sg_asleep_nearer = 0.125;
static const double straight = 0.1;
// The matrix is the same as before up to this part of the relative tolerance.
static const double same = 0.01;
// What is less than this part of a sum is its rounding.
static const double rounding = 1000.0 * DBL_EPSILON;

void sg_asleep_drop(sg_asleep *s, uint32_t j)
{
    s->of[j] = s->of[--s->n];
    s->rated = false;
}

double sg_asleep_value(const sg_asleep *s, uint32_t j)
{
    return s->of[j].sign * exp(s->of[j].log) * s->of[j].atol;
}

void sg_asleep_set(sg_asleep *s, uint32_t j, double multiple)
{
    s->of[j].log = log(fabs(multiple));
    s->of[j].sign = copysign(1.0, multiple);
}

// ---- their matrix -------------------------------------------------------------------------------

static double probe_of(const sg_asleep *s, uint32_t j, double level)
{
    return s->of[j].sign * level * fmax(exp(s->of[j].log), probe);
}

static bool find_rates(sg_integration *g, double t, double *dx)
{
    g->watched.dormant.spent++;
    return sg_sim_env_rhs(&g->env, t, g->watched.dormant.x, dx) == SG_OK;
}

bool sg_asleep_keep_homogeneous(sg_integration *g, sg_asleep *s, double t)
{
    sg_dormant *d = &g->watched.dormant;
    for (bool all = false; !all && s->n;) {
        all = true;
        for (uint32_t j = 0; j < s->n; j++)
            d->x[s->of[j].which] = 0.0;
        if (!find_rates(g, t, d->dx))
            return false;
        for (uint32_t j = s->n; j-- > 0;)
            if (d->dx[s->of[j].which] != 0.0) {
                d->x[s->of[j].which] = s->of[j].solver;
                sg_asleep_drop(s, j);
                all = false;
            }
    }
    return true;
}

// The smallest first.
static void sort(const sg_asleep *s, uint32_t *order)
{
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t k = i;
        for (; k && s->of[order[k - 1]].log > s->of[i].log; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

// What rounding makes of states that do not act on each other would make one of what is two.
static void drop_rounding(const sg_asleep *s, double *A)
{
    for (uint32_t i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < s->n; j++)
            sum += fabs(A[i * SG_MODES + j] * probe_of(s, j, 1.0));
        for (uint32_t j = 0; j < s->n; j++)
            if (fabs(A[i * SG_MODES + j] * probe_of(s, j, 1.0)) <= rounding * sum)
                A[i * SG_MODES + j] = 0.0;
    }
}

// The matrix by differences from states as large as they are to zero, one after the other: what
// remains at the end is zero, and sums of these differences are the derivatives themselves. A
// product belongs to its smaller factor, whose rate the other one is.
bool sg_asleep_find_matrix(sg_integration *g, const sg_asleep *s, double t, double level, double *A)
{
    sg_dormant *d = &g->watched.dormant;
    double *with = d->dx, *without = d->other;
    uint32_t order[SG_MODES];
    sort(s, order);
    for (uint32_t j = 0; j < s->n; j++)
        d->x[s->of[j].which] = probe_of(s, j, level) * s->of[j].atol;
    if (!find_rates(g, t, with))
        return false;
    for (uint32_t k = 0; k < s->n; k++) {
        bool last = k + 1 == s->n;
        uint32_t j = order[k];
        d->x[s->of[j].which] = 0.0;
        if (!last && !find_rates(g, t, without))
            return false;
        for (uint32_t i = 0; i < s->n; i++) {
            double change = with[s->of[i].which] - (last ? 0.0 : without[s->of[i].which]);
            double a = change / s->of[i].atol / probe_of(s, j, level);
            if (!isfinite(a))
                return false;
            A[i * SG_MODES + j] = a;
        }
        double *swap = with;
        with = without;
        without = swap;
    }
    drop_rounding(s, A);
    return true;
}

bool sg_asleep_is_same(sg_integration *g, const sg_asleep *s, double t, const double *A)
{
    sg_dormant *d = &g->watched.dormant;
    for (uint32_t j = 0; j < s->n; j++)
        d->x[s->of[j].which] = probe_of(s, j, 1.0) * s->of[j].atol;
    if (!find_rates(g, t, d->dx))
        return false;
    for (uint32_t i = 0; i < s->n; i++) {
        double sum = 0.0, size = 0.0;
        for (uint32_t j = 0; j < s->n; j++) {
            double term = A[i * SG_MODES + j] * probe_of(s, j, 1.0);
            sum += term;
            size += fabs(term);
        }
        if (!(fabs(d->dx[s->of[i].which] / s->of[i].atol - sum) <=
              same * g->options.tolerance * size))
            return false;
    }
    return true;
}

// ---- parts that do not act on each other --------------------------------------------------------

void sg_asleep_parts(const sg_asleep *s, const double *A, uint32_t *part)
{
    for (uint32_t i = 0; i < s->n; i++)
        part[i] = i;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++) {
            uint32_t low = part[i] < part[j] ? part[i] : part[j],
                     high = part[i] < part[j] ? part[j] : part[i];
            if (A[i * SG_MODES + j] == 0.0 || low == high)
                continue;
            for (uint32_t k = 0; k < s->n; k++)
                part[k] = part[k] == high ? low : part[k];
        }
}

void sg_asleep_circles(const sg_asleep *s, const double *A, uint32_t *part)
{
    bool reaches[SG_MODES][SG_MODES];
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++)
            reaches[i][j] = i == j || A[i * SG_MODES + j] != 0.0;
    for (uint32_t k = 0; k < s->n; k++)
        for (uint32_t i = 0; i < s->n; i++)
            for (uint32_t j = 0; j < s->n; j++)
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
    for (uint32_t i = 0; i < s->n; i++) {
        part[i] = 0;
        while (!reaches[i][part[i]] || !reaches[part[i]][i])
            part[i]++;
    }
}

double sg_asleep_size(const sg_asleep *s, const uint32_t *part, uint32_t p)
{
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < s->n; i++)
        most = part[i] == p ? fmax(most, s->of[i].log) : most;
    return most;
}

uint32_t sg_asleep_take_part(const sg_asleep *s, const double *A, const uint32_t *part, uint32_t p,
                             uint32_t *of, double *out)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (part[i] == p)
            of[k++] = i;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            out[i * SG_MODES + j] = A[of[i] * SG_MODES + of[j]];
    return k;
}

void sg_asleep_move(sg_asleep *s, const double *A)
{
    uint32_t part[SG_MODES], of[SG_MODES];
    double own[SG_MODES * SG_MODES], power[SG_MODES * SG_MODES], moved[SG_MODES], unit[SG_MODES];
    sg_asleep_parts(s, A, part);
    for (uint32_t p = 0; p < s->n; p++) {
        double size = sg_asleep_size(s, part, p);
        if (part[p] != p || !isfinite(size))
            continue;
        uint32_t k = sg_asleep_take_part(s, A, part, p, of, own);
        if (k == 1) {
            s->of[p].log += own[0];
            continue;
        }
        sg_modes_balance(own, k, unit);
        sg_modes_change_units(own, k, unit);
        double factor = sg_modes_exponential(own, k, power);
        size = -HUGE_VAL;
        for (uint32_t i = 0; i < k; i++)
            size = fmax(size, s->of[of[i]].log - log(unit[i]));
        for (uint32_t i = 0; i < k; i++) {
            moved[i] = 0.0;
            for (uint32_t j = 0; j < k; j++)
                moved[i] += power[i * SG_MODES + j] * s->of[of[j]].sign *
                            exp(s->of[of[j]].log - log(unit[j]) - size);
        }
        for (uint32_t i = 0; i < k; i++) {
            sg_asleep_set(s, of[i], moved[i]);
            s->of[of[i]].log += size + factor + log(unit[i]);
        }
    }
}

bool sg_asleep_is_straight(const double *A, const double *B, uint32_t k)
{
    double off[SG_MODES * SG_MODES], own[SG_MODES * SG_MODES], unit[SG_MODES];
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            own[i * SG_MODES + j] = A[i * SG_MODES + j];
            off[i * SG_MODES + j] = A[i * SG_MODES + j] - B[i * SG_MODES + j];
        }
    sg_modes_balance(A, k, unit);
    sg_modes_change_units(own, k, unit);
    sg_modes_change_units(off, k, unit);
    return sg_modes_norm(off, k) <= straight * sg_modes_norm(own, k);
}

double sg_asleep_exponent(const double *A, const double *M, const double *B, uint32_t k, double h,
                          double *out)
{
    double ab[SG_MODES * SG_MODES], ba[SG_MODES * SG_MODES], off[SG_MODES * SG_MODES];
    double size[SG_MODES * SG_MODES], unit[SG_MODES];
    sg_modes_multiply(A, B, k, ab);
    sg_modes_multiply(B, A, k, ba);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            uint32_t at = i * SG_MODES + j;
            double turn = h * h / 12.0 * (ab[at] - ba[at]);
            double bend = h / 6.0 * (4.0 * M[at] - 2.0 * (A[at] + B[at]));
            out[at] = h * 0.5 * (A[at] + B[at]) + bend - turn;
            off[at] = fabs(bend) + fabs(turn);
            size[at] = fabs(A[at]) + fabs(M[at]) + fabs(B[at]);
        }
    sg_modes_balance(size, k, unit);
    sg_modes_change_units(off, k, unit);
    return sg_modes_norm(off, k);
}
