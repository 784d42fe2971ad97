#include "math/least_squares.h"

#include <math.h>
#include <string.h>

size_t sg_least_squares_size(int m, int n)
{
    return (size_t)m + (size_t)n * (size_t)m + 3 * ((size_t)n + (size_t)m) + 4;
}

// The reflection that maps v (n numbers, `stride` apart) to (alpha, 0, ...): v becomes the vector
// w of I - beta w w', and alpha is returned. beta = 0: nothing to do.
static double make_reflection(double *v, int n, int stride, double *beta)
{
    double scale = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++)
        scale = fmax(scale, fabs(v[i * stride]));
    *beta = 0.0;
    if (scale == 0.0)
        return 0.0;
    for (int i = 0; i < n; i++)
        sum += (v[i * stride] / scale) * (v[i * stride] / scale);
    double alpha = v[0] > 0.0 ? -scale * sqrt(sum) : scale * sqrt(sum);
    v[0] -= alpha;
    *beta = -1.0 / (alpha * v[0]);
    return alpha;
}

static void reflect(const double *w, int w_stride, double beta, double *y, int y_stride, int n)
{
    double dot = 0.0;
    for (int i = 0; i < n; i++)
        dot += w[i * w_stride] * y[i * y_stride];
    for (int i = 0; i < n; i++)
        y[i * y_stride] -= beta * dot * w[i * w_stride];
}

static double column_norm(const double *a, int m, int n, int from, int col)
{
    double sum = 0.0;
    for (int i = from; i < m; i++)
        sum = hypot(sum, a[i * n + col]);
    return sum;
}

static void swap_columns(double *a, int m, int n, int j, int k, int *order)
{
    for (int i = 0; i < m && j != k; i++) {
        double keep = a[i * n + j];
        a[i * n + j] = a[i * n + k];
        a[i * n + k] = keep;
    }
    int keep = order[j];
    order[j] = order[k];
    order[k] = keep;
}

// a becomes upper trapezoidal with its columns in `order`, b is rotated along. Returns the rank.
static int triangularize(double *a, int m, int n, double *b, double tolerance, int *order)
{
    double largest = 0.0;
    for (int j = 0; j < n; j++)
        order[j] = j;
    for (int k = 0; k < m && k < n; k++) {
        int best = k;
        double most = -1.0, beta;
        for (int j = k; j < n; j++) {
            double norm = column_norm(a, m, n, k, j);
            if (norm > most)
                most = norm, best = j;
        }
        largest = k == 0 ? most : largest;
        if (!(most > tolerance * largest))
            return k;
        swap_columns(a, m, n, k, best, order);
        double alpha = make_reflection(a + k * n + k, m - k, n, &beta);
        for (int j = k + 1; j < n; j++)
            reflect(a + k * n + k, n, beta, a + k * n + j, n, m - k);
        reflect(a + k * n + k, n, beta, b + k, 1, m - k);
        a[k * n + k] = alpha;
    }
    return m < n ? m : n;
}

// The shortest y with r y = c, where r are the first `rank` rows of a: r' = Q T by reflections, so
// y = Q T'^-1 c. `t` holds n x rank numbers by columns, `beta` and `diagonal` rank each.
static void shortest(const double *a, int n, int rank, const double *c, double *y, double *t,
                     double *beta, double *diagonal)
{
    for (int k = 0; k < rank; k++)
        for (int j = 0; j < n; j++)
            t[k * n + j] = j < k ? 0.0 : a[k * n + j];
    for (int k = 0; k < rank; k++) {
        diagonal[k] = make_reflection(t + k * n + k, n - k, 1, &beta[k]);
        for (int j = k + 1; j < rank; j++)
            reflect(t + k * n + k, 1, beta[k], t + j * n + k, 1, n - k);
    }
    memset(y, 0, (size_t)n * sizeof *y);
    for (int k = 0; k < rank; k++) {
        double sum = c[k];
        for (int j = 0; j < k; j++)
            sum -= t[k * n + j] * y[j];
        y[k] = sum / diagonal[k];
    }
    for (int k = rank; k-- > 0;)
        reflect(t + k * n + k, 1, beta[k], y + k, 1, n - k);
}

int sg_least_squares(double *a, int m, int n, const double *b, double tolerance, double *x,
                     int *order, double *work)
{
    double *c = work, *t = c + m, *beta = t + (size_t)n * (size_t)m, *diagonal = beta + m + n,
           *y = diagonal + m + n;
    if (m > 0)
        memcpy(c, b, (size_t)m * sizeof *c);
    int rank = triangularize(a, m, n, c, tolerance, order);
    shortest(a, n, rank, c, y, t, beta, diagonal);
    for (int j = 0; j < n; j++)
        x[order[j]] = y[j];
    return rank;
}
