#include "study/cma.h"

#include "segue/study.h"
#include "study/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSIONS = 100 };

// Names and constants are those of [Hansen2016].
struct sg_cma {
    const sg_allocator *allocator;
    size_t bytes;
    size_t n, lambda, mu;
    uint64_t seed, generation;
    double sigma, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi_n;
    double *weights;          // mu
    double *mean, *p_s, *p_c; // n
    double *C, *B, *D;        // n x n, n x n (columns are axes), n
    double *y;                // lambda x n: steps of the generation, in units of sigma
    double *x;                // lambda x n: its points
    double *work;             // n x n
    size_t *order;            // lambda
};

// ---- axes of the distribution -------------------------------------------------------------------

// Jacobi's method: C = B diag(D^2) B'.
static void find_axes(sg_cma *s)
{
    size_t n = s->n;
    double *A = s->work, *B = s->B;
    memcpy(A, s->C, n * n * sizeof *A);
    for (size_t i = 0; i < n * n; i++)
        B[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < 50; sweep++) {
        double off = 0.0, diagonal = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                *(i == j ? &diagonal : &off) += A[i * n + j] * A[i * n + j];
        if (off <= 1e-30 * diagonal)
            break;
        for (size_t p = 0; p + 1 < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                double a = A[p * n + q];
                if (a == 0.0)
                    continue;
                double theta = 0.5 * (A[q * n + q] - A[p * n + p]) / a;
                double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), r = t * c;
                for (size_t k = 0; k < n; k++) {
                    double u = A[k * n + p], v = A[k * n + q];
                    A[k * n + p] = c * u - r * v;
                    A[k * n + q] = r * u + c * v;
                }
                for (size_t k = 0; k < n; k++) {
                    double u = A[p * n + k], v = A[q * n + k];
                    A[p * n + k] = c * u - r * v;
                    A[q * n + k] = r * u + c * v;
                    u = B[k * n + p];
                    v = B[k * n + q];
                    B[k * n + p] = c * u - r * v;
                    B[k * n + q] = r * u + c * v;
                }
            }
    }
    for (size_t i = 0; i < n; i++)
        s->D[i] = sqrt(fmax(A[i * n + i], 1e-300));
}

// ---- generations --------------------------------------------------------------------------------

// Back into the cube, to its nearest point: a least value that lies on a side is found there.
static double inside(double x) { return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x; }

static double normal(const sg_cma *s, size_t k, size_t i)
{
    uint64_t own = sg_plan_mix(s->seed ^ 0x5ea7c4ULL, s->generation);
    uint64_t bits = sg_plan_mix(own, k * s->n + i);
    return sg_plan_normal(((double)(bits >> 12) + 0.5) * 0x1p-52);
}

static void draw(sg_cma *s)
{
    size_t n = s->n;
    find_axes(s);
    for (size_t k = 0; k < s->lambda; k++) {
        double *y = s->y + k * n, *x = s->x + k * n;
        memset(y, 0, n * sizeof *y);
        for (size_t j = 0; j < n; j++) {
            double z = normal(s, k, j) * s->D[j];
            for (size_t i = 0; i < n; i++)
                y[i] += s->B[i * n + j] * z;
        }
        for (size_t i = 0; i < n; i++)
            x[i] = inside(s->mean[i] + s->sigma * y[i]);
        // The step that was made.
        for (size_t i = 0; i < n; i++)
            y[i] = (x[i] - s->mean[i]) / s->sigma;
    }
}

sg_status sg_cma_create(const sg_allocator *allocator, size_t n, uint64_t seed, sg_cma **out)
{
    *out = NULL;
    if (n < 1 || n > MOST_DIMENSIONS)
        return SG_ERR_USAGE;
    allocator = sg_allocator_or_default(allocator);
    size_t lambda = 4 + (size_t)floor(3.0 * log((double)n)), mu = lambda / 2;
    size_t numbers = mu + 4 * n + 3 * n * n + 2 * lambda * n;
    size_t bytes = sizeof(sg_cma) + numbers * sizeof(double) + lambda * sizeof(size_t);
    sg_cma *s = allocator->resize(allocator->context, NULL, 0, bytes);
    if (!s)
        return SG_ERR_MEMORY;
    memset(s, 0, bytes);
    *s = (sg_cma){.allocator = allocator,
                  .bytes = bytes,
                  .n = n,
                  .lambda = lambda,
                  .mu = mu,
                  .seed = seed,
                  .sigma = 0.3};
    double *at = (double *)(s + 1), **places[] = {&s->weights, &s->mean, &s->p_s,  &s->p_c, &s->D,
                                                  &s->C,       &s->B,    &s->work, &s->y,   &s->x};
    size_t sizes[] = {mu, n, n, n, n, n * n, n * n, n * n, lambda * n, lambda * n};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        *places[i] = at;
        at += sizes[i];
    }
    s->order = (size_t *)at;
    double sum = 0.0, squares = 0.0, N = (double)n;
    for (size_t i = 0; i < mu; i++)
        sum += s->weights[i] = log((double)lambda / 2.0 + 0.5) - log((double)i + 1.0);
    for (size_t i = 0; i < mu; i++) {
        s->weights[i] /= sum;
        squares += s->weights[i] * s->weights[i];
    }
    double m = s->mu_eff = 1.0 / squares;
    s->c_sigma = (m + 2.0) / (N + m + 5.0);
    s->d_sigma = 1.0 + 2.0 * fmax(0.0, sqrt((m - 1.0) / (N + 1.0)) - 1.0) + s->c_sigma;
    s->c_c = (4.0 + m / N) / (N + 4.0 + 2.0 * m / N);
    s->c_1 = 2.0 / ((N + 1.3) * (N + 1.3) + m);
    s->c_mu = fmin(1.0 - s->c_1, 2.0 * (m - 2.0 + 1.0 / m) / ((N + 2.0) * (N + 2.0) + m));
    s->chi_n = sqrt(N) * (1.0 - 1.0 / (4.0 * N) + 1.0 / (21.0 * N * N));
    for (size_t i = 0; i < n; i++) {
        s->mean[i] = 0.5;
        s->C[i * n + i] = 1.0;
    }
    draw(s);
    *out = s;
    return SG_OK;
}

void sg_cma_free(sg_cma *s)
{
    if (s)
        s->allocator->resize(s->allocator->context, s, s->bytes, 0);
}

size_t sg_cma_count(const sg_cma *s) { return s->lambda; }

void sg_cma_points(const sg_cma *s, double *x) { memcpy(x, s->x, s->lambda * s->n * sizeof *x); }

double sg_cma_spread(const sg_cma *s)
{
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++)
        most = fmax(most, s->C[i * s->n + i]);
    return s->sigma * sqrt(most);
}

// Best first; what failed last, equal ones in their order.
static void rank(sg_cma *s, const double *values)
{
    for (size_t k = 0; k < s->lambda; k++) {
        size_t i = k;
        for (; i > 0; i--) {
            double before = values[s->order[i - 1]];
            if (!(values[k] < before || (isnan(before) && !isnan(values[k]))))
                break;
            s->order[i] = s->order[i - 1];
        }
        s->order[i] = k;
    }
}

void sg_cma_tell(sg_cma *s, const double *values)
{
    size_t n = s->n;
    double step[MOST_DIMENSIONS] = {0}, white[MOST_DIMENSIONS] = {0}, norm = 0.0;
    rank(s, values);
    for (size_t k = 0; k < s->mu; k++)
        for (size_t i = 0; i < n; i++)
            step[i] += s->weights[k] * s->y[s->order[k] * n + i];
    for (size_t j = 0; j < n; j++) { // C^(-1/2) step
        double along = 0.0;
        for (size_t i = 0; i < n; i++)
            along += s->B[i * n + j] * step[i];
        for (size_t i = 0; i < n; i++)
            white[i] += s->B[i * n + j] * along / s->D[j];
    }
    double keep = 1.0 - s->c_sigma, add = sqrt(s->c_sigma * (2.0 - s->c_sigma) * s->mu_eff);
    for (size_t i = 0; i < n; i++) {
        s->mean[i] = fmin(1.0, fmax(0.0, s->mean[i] + s->sigma * step[i]));
        s->p_s[i] = keep * s->p_s[i] + add * white[i];
        norm += s->p_s[i] * s->p_s[i];
    }
    norm = sqrt(norm);
    s->generation++;
    double fresh = sqrt(1.0 - pow(keep, 2.0 * (double)s->generation));
    bool steady = norm / fresh < (1.4 + 2.0 / ((double)n + 1.0)) * s->chi_n;
    for (size_t i = 0; i < n; i++)
        s->p_c[i] = (1.0 - s->c_c) * s->p_c[i] +
                    (steady ? sqrt(s->c_c * (2.0 - s->c_c) * s->mu_eff) * step[i] : 0.0);
    double lost = steady ? 0.0 : s->c_1 * s->c_c * (2.0 - s->c_c);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double c =
                (1.0 - s->c_1 - s->c_mu + lost) * s->C[i * n + j] + s->c_1 * s->p_c[i] * s->p_c[j];
            for (size_t k = 0; k < s->mu; k++) {
                const double *y = s->y + s->order[k] * n;
                c += s->c_mu * s->weights[k] * y[i] * y[j];
            }
            s->work[i * n + j] = c;
        }
    memcpy(s->C, s->work, n * n * sizeof *s->C);
    s->sigma *= exp(s->c_sigma / s->d_sigma * (norm / s->chi_n - 1.0));
    s->sigma = fmin(s->sigma, 1.0);
    draw(s);
}
