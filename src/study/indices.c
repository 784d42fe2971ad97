// Sobol's indices of sensitivity, from the table of a study whose points were drawn for them.
//
// With f(A), f(B) and f(AB), in which one variable of A has its value of B, the part of the
// variance that the variable makes by itself is the mean of f(B) (f(AB) - f(A)), and the part in
// which it has any share half the mean of (f(A) - f(AB))^2 [Saltelli2010, Table 2 b and f].
#include "study/study.h"
#include "study/table.h"

#include <math.h>

sg_status sg_study_table_index(const sg_study_table *t, size_t metric, size_t variable,
                               sg_study_index *out)
{
    const sg_study *s = t ? sg_study_table_study(t) : NULL;
    if (!s || !out || s->plan.sampler != SG_SAMPLER_SALTELLI || metric >= s->n_metrics ||
        variable >= s->plan.n)
        return SG_ERR_USAGE;
    uint64_t base = s->plan.base, n = 0;
    double mean = 0.0, squares = 0.0;
    // The same points count everywhere.
    for (int pass = 0; pass < 2; pass++) {
        double sum = 0.0, center = mean;
        n = 0;
        for (uint64_t i = 0; i < base; i++) {
            double a = sg_study_table_metric(t, i, metric);
            double b = sg_study_table_metric(t, base + i, metric);
            double ab = sg_study_table_metric(t, (2 + variable) * base + i, metric);
            if (!isfinite(a) || !isfinite(b) || !isfinite(ab))
                continue;
            n++;
            sum += pass ? (a - center) * (a - center) + (b - center) * (b - center) : a + b;
        }
        if (pass)
            squares = sum;
        else
            mean = n ? sum / (2.0 * (double)n) : 0.0;
    }
    double variance = squares / (2.0 * (double)n), first = 0.0, total = 0.0, first2 = 0.0,
           total2 = 0.0;
    for (uint64_t i = 0; i < base; i++) {
        double a = sg_study_table_metric(t, i, metric) - mean;
        double b = sg_study_table_metric(t, base + i, metric) - mean;
        double ab = sg_study_table_metric(t, (2 + variable) * base + i, metric) - mean;
        if (!isfinite(a) || !isfinite(b) || !isfinite(ab))
            continue;
        double x = b * (ab - a) / variance, y = 0.5 * (a - ab) * (a - ab) / variance;
        first += x;
        total += y;
        first2 += x * x;
        total2 += y * y;
    }
    double m = (double)n;
    *out = (sg_study_index){.n = n, .first = first / m, .total = total / m};
    out->first_error = sqrt(fmax(0.0, first2 / m - out->first * out->first) / m);
    out->total_error = sqrt(fmax(0.0, total2 / m - out->total * out->total) / m);
    return SG_OK;
}
