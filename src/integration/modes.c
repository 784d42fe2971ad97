#include "integration/modes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// The series is good to rounding up to a matrix of this norm, with so many terms: the next one is
// 0.5^15/15! = 2e-17. Squares multiply what is missing.
static const double near = 0.5;
enum { TERMS = 14 };
// Matrices are balanced when nothing changes any more, or after so many rounds.
enum { ROUNDS = 20 };

void sg_modes_multiply(const double *a, const double *b, uint32_t k, double *out)
{
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (uint32_t l = 0; l < k; l++)
                sum += a[i * SG_MODES + l] * b[l * SG_MODES + j];
            out[i * SG_MODES + j] = sum;
        }
}

double sg_modes_norm(const double *a, uint32_t k)
{
    double most = 0.0;
    for (uint32_t i = 0; i < k; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < k; j++)
            sum += fabs(a[i * SG_MODES + j]);
        most = fmax(most, sum);
    }
    return most;
}

// Osborne's iteration.
void sg_modes_balance(const double *a, uint32_t k, double *unit)
{
    bool changes = true;
    for (uint32_t i = 0; i < k; i++)
        unit[i] = 1.0;
    for (int round = 0; round < ROUNDS && changes; round++) {
        changes = false;
        for (uint32_t i = 0; i < k; i++) {
            double row = 0.0, column = 0.0;
            for (uint32_t j = 0; j < k; j++) {
                row += j == i ? 0.0 : fabs(a[i * SG_MODES + j]) * unit[j] / unit[i];
                column += j == i ? 0.0 : fabs(a[j * SG_MODES + i]) * unit[i] / unit[j];
            }
            double by = row / column;
            if (!(by > 0.0) || !isfinite(by) || (by > 0.25 && by < 4.0))
                continue;
            unit[i] *= exp2(rint(0.5 * log2(by)));
            changes = true;
        }
    }
}

void sg_modes_change_units(double *A, uint32_t k, const double *unit)
{
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            A[i * SG_MODES + j] *= unit[j] / unit[i];
}

static void scale(double *a, uint32_t k, double by)
{
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            a[i * SG_MODES + j] *= by;
}

// exp(A h) for a small h, by its series.
static void series(const double *A, uint32_t k, double h, double *out)
{
    double term[SG_MODES * SG_MODES], next[SG_MODES * SG_MODES];
    memset(out, 0, sizeof term);
    memset(term, 0, sizeof term);
    for (uint32_t i = 0; i < k; i++)
        out[i * SG_MODES + i] = term[i * SG_MODES + i] = 1.0;
    for (int order = 1; order <= TERMS; order++) {
        sg_modes_multiply(term, A, k, next);
        memcpy(term, next, sizeof term);
        scale(term, k, h / order);
        for (uint32_t i = 0; i < k * SG_MODES; i++)
            out[i] += term[i];
    }
}

// Takes the norm out of `a`, and returns its logarithm.
static double normalize(double *a, uint32_t k)
{
    double norm = sg_modes_norm(a, k);
    scale(a, k, 1.0 / norm);
    return log(norm);
}

// `a` becomes its square; `power` is the logarithm of its factor.
static double square(double *a, uint32_t k, double power)
{
    double b[SG_MODES * SG_MODES];
    sg_modes_multiply(a, a, k, b);
    memcpy(a, b, sizeof b);
    return 2.0 * power + normalize(a, k);
}

double sg_modes_exponential(const double *A, uint32_t k, double *out)
{
    int times = 0;
    double part = 1.0, norm = sg_modes_norm(A, k);
    for (; part * norm > near && times < 1100; times++)
        part *= 0.5;
    series(A, k, part, out);
    double power = normalize(out, k);
    for (int i = 0; i < times; i++)
        power = square(out, k, power);
    return power;
}

double sg_modes_rate(const double *A, uint32_t k, double length, double *out)
{
    double t = near / sg_modes_norm(A, k), rate = 0.0;
    if (!(t < length))
        return 0.0;
    series(A, k, t, out);
    double power = normalize(out, k);
    while (t < length) {
        double before = power;
        power = square(out, k, power);
        if (!isfinite(power))
            return 0.0;
        rate = (power - before) / t;
        t *= 2.0;
    }
    return fmax(rate, 0.0);
}
