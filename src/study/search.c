// The search for the least value of a metric, between the bounds of a study.
#include "base/diags.h"
#include "study/cma.h"
#include "study/study.h"

#include <math.h>

struct sg_study_search {
    const sg_study *study;
    sg_cma *cma;
};

sg_status sg_study_search_create(const sg_study *study, sg_diags *diags, sg_study_search **out)
{
    if (out)
        *out = NULL;
    if (!study || !out)
        return SG_ERR_USAGE;
    for (size_t i = 0; i < study->plan.n; i++) {
        sg_spread spread = study->plan.variables[i].spread;
        if (spread == SG_SPREAD_UNIFORM || spread == SG_SPREAD_LOGUNIFORM)
            continue;
        if (diags)
            sg_error(diags, SG_E_USAGE, (sg_span){0},
                     "a search needs bounds, and '%s' has none: write LEAST:GREATEST, or "
                     "loguniform(LEAST,GREATEST)",
                     study->plan.variables[i].name);
        return SG_ERR_USAGE;
    }
    const sg_allocator *a = study->allocator;
    sg_study_search *s = a->resize(a->context, NULL, 0, sizeof *s);
    if (!s)
        return SG_ERR_MEMORY;
    *s = (sg_study_search){.study = study};
    sg_status status = sg_cma_create(a, study->plan.n, study->plan.seed, &s->cma);
    if (status == SG_ERR_USAGE && diags)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "a search has 1 to 100 variables");
    if (status == SG_OK)
        *out = s;
    else
        sg_study_search_destroy(s);
    return status;
}

void sg_study_search_destroy(sg_study_search *s)
{
    if (!s)
        return;
    const sg_allocator *a = s->study->allocator;
    sg_cma_free(s->cma);
    a->resize(a->context, s, sizeof *s, 0);
}

size_t sg_study_search_count(const sg_study_search *s) { return s ? sg_cma_count(s->cma) : 0; }
double sg_study_search_spread(const sg_study_search *s) { return s ? sg_cma_spread(s->cma) : 0.0; }

sg_status sg_study_search_points(const sg_study_search *s, double *values, size_t n)
{
    if (!s || !values || n != sg_cma_count(s->cma) * s->study->plan.n)
        return SG_ERR_USAGE;
    sg_cma_points(s->cma, values);
    for (size_t i = 0; i < n; i++) {
        const sg_plan_variable *v = &s->study->plan.variables[i % s->study->plan.n];
        values[i] = v->spread == SG_SPREAD_UNIFORM ? v->p[0] + (v->p[1] - v->p[0]) * values[i]
                                                   : v->p[0] * pow(v->p[1] / v->p[0], values[i]);
    }
    return SG_OK;
}

sg_status sg_study_search_tell(sg_study_search *s, const double *metrics, size_t n)
{
    if (!s || !metrics || n != sg_cma_count(s->cma))
        return SG_ERR_USAGE;
    sg_cma_tell(s->cma, metrics);
    return SG_OK;
}
