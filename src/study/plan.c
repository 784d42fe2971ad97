#include "study/plan.h"

#include "base/diags.h"
#include "segue/study.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 1 << 24 };
#define MOST_RUNS 1000000000ULL // a row has a line of memory when it is merged

// ---- numbers that look random ---------------------------------------------------------------

// The finalizer of splitmix64, twice.
uint64_t sg_plan_mix(uint64_t a, uint64_t b)
{
    uint64_t z = a + 0x9e3779b97f4a7c15ULL * (b + 1);
    for (int i = 0; i < 2; i++) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        z ^= z >> 31;
    }
    return z;
}

// Inside of the interval from 0 to 1, never one of its ends.
static double to_unit(uint64_t bits) { return ((double)(bits >> 12) + 0.5) * 0x1p-52; }

double sg_plan_normal(double u)
{
    // A rational first guess (1e-3 or better), then Halley's method on the distribution itself,
    // taken from the side where it is small.
    double p = u < 0.5 ? u : 1.0 - u, t = sqrt(-2.0 * log(p));
    double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                         (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; i++) {
        double error = 0.5 * erfc(-x / sqrt(2.0)) - p;
        double slope = exp(-0.5 * x * x) / sqrt(2.0 * 3.14159265358979323846);
        double step = error / slope;
        x -= step / (1.0 + 0.5 * x * step);
    }
    return u < 0.5 ? x : -x;
}

uint64_t sg_plan_seed(const sg_plan *plan, uint64_t run)
{
    // 53 bits, so that whoever reads the table as doubles has the same seed; never 0.
    return (sg_plan_mix(plan->seed ^ 0x5eedULL, run) >> 11) | 1;
}

// Sobol's sequence, shifted by a draw of its own, modulo 1, so that the first point is no corner
// and another seed is another sequence.
static double shifted_sobol(uint64_t own, uint32_t dimension, uint64_t i)
{
    double x = sg_sobol(dimension, i) + to_unit(own);
    x = x < 1.0 ? x : x - 1.0;
    return x > 0.0 ? x : 0x1p-53;
}

static double unit_of(const sg_plan *plan, const sg_plan_variable *v, uint64_t run)
{
    uint32_t dimension = v->dimension;
    if (plan->sampler == SG_SAMPLER_SALTELLI) {
        uint64_t block = run / plan->base;
        dimension += block == 1 || block == 2u + v->dimension ? plan->dimensions : 0;
        run %= plan->base;
    }
    uint64_t own = sg_plan_mix(plan->seed, dimension);
    if (plan->sampler == SG_SAMPLER_SOBOL ||
        (plan->sampler == SG_SAMPLER_SALTELLI && 2 * plan->dimensions <= SG_SOBOL_DIMENSIONS))
        return shifted_sobol(own, dimension, run);
    double u = to_unit(sg_plan_mix(own, run));
    if (plan->sampler == SG_SAMPLER_LHS)
        u = ((double)v->order[run] + u) / (double)plan->runs;
    return u < 1.0 ? u : 1.0 - 0x1p-53;
}

double sg_plan_value(const sg_plan *plan, const sg_plan_variable *v, uint64_t run)
{
    const double *p = v->p;
    if (v->spread == SG_SPREAD_LISTED)
        return v->listed[run % plan->combinations / v->stride % v->n];
    double u = unit_of(plan, v, run);
    switch (v->spread) {
    case SG_SPREAD_LISTED:
        break;
    case SG_SPREAD_UNIFORM:
        return p[0] + (p[1] - p[0]) * u;
    case SG_SPREAD_LOGUNIFORM:
        return p[0] * pow(p[1] / p[0], u);
    case SG_SPREAD_NORMAL:
        return p[0] + p[1] * sg_plan_normal(u);
    case SG_SPREAD_LOGNORMAL:
        return exp(p[0] + p[1] * sg_plan_normal(u));
    case SG_SPREAD_TRIANGULAR: {
        double split = (p[1] - p[0]) / (p[2] - p[0]);
        return u < split ? p[0] + sqrt(u * (p[2] - p[0]) * (p[1] - p[0]))
                         : p[2] - sqrt((1.0 - u) * (p[2] - p[0]) * (p[2] - p[1]));
    }
    }
    return 0.0;
}

// ---- reading --------------------------------------------------------------------------------

static sg_status refuse(sg_diags *diags, const char *text, const char *why)
{
    if (diags)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "--vary %s: %s", text, why);
    return SG_ERR_USAGE;
}

// A finite number that ends where `end` is one of these characters; null otherwise.
static const char *read_number(const char *at, const char *ends, double *out)
{
    char *end;
    *out = strtod(at, &end);
    while (*end == ' ')
        end++;
    return end != at && isfinite(*out) && (*end == '\0' || strchr(ends, *end)) ? end : NULL;
}

// distribution(p, ...): true if the text begins like one.
static bool read_distribution(const char *text, sg_plan_variable *v, const char **why)
{
    static const struct {
        const char *name;
        sg_spread spread;
        int n;
    } table[] = {{"uniform(", SG_SPREAD_UNIFORM, 2},
                 {"loguniform(", SG_SPREAD_LOGUNIFORM, 2},
                 {"normal(", SG_SPREAD_NORMAL, 2},
                 {"lognormal(", SG_SPREAD_LOGNORMAL, 2},
                 {"triangular(", SG_SPREAD_TRIANGULAR, 3}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t length = strlen(table[i].name);
        if (strncmp(text, table[i].name, length) != 0)
            continue;
        const char *at = text + length;
        for (int k = 0; k < table[i].n && at; k++) {
            at = read_number(at, k + 1 < table[i].n ? "," : ")", &v->p[k]);
            at = at && *at ? at + 1 : NULL;
        }
        const double *p = v->p;
        v->spread = table[i].spread;
        if (!at || *at)
            *why = table[i].n == 3 ? "three numbers in parentheses are expected"
                                   : "two numbers in parentheses are expected";
        else if (v->spread == SG_SPREAD_UNIFORM && !(p[0] < p[1]))
            *why = "the first number must be the smaller one";
        else if (v->spread == SG_SPREAD_LOGUNIFORM && !(p[0] > 0.0 && p[0] < p[1]))
            *why = "both numbers must be positive, and the first the smaller one";
        else if ((v->spread == SG_SPREAD_NORMAL || v->spread == SG_SPREAD_LOGNORMAL) &&
                 !(p[1] >= 0.0))
            *why = "a deviation is not negative";
        else if (v->spread == SG_SPREAD_TRIANGULAR &&
                 !(p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2]))
            *why = "the three numbers are the least, the most frequent and the greatest value";
        return true;
    }
    return false;
}

// a:b, a:b:n, a:b:log:n
static sg_status read_range(sg_arena *arena, const char *text, sg_plan_variable *v,
                            const char **why)
{
    double a, b, n = 0.0;
    const char *at = read_number(text, ":", &a);
    at = at && *at ? read_number(at + 1, ":", &b) : NULL;
    bool logarithmic = false;
    if (at && strncmp(at, ":log", 4) == 0) {
        logarithmic = true;
        at += 4;
    }
    bool counted = at && *at == ':';
    if (counted)
        at = read_number(at + 1, "", &n);
    if (!at || *at) {
        *why = "a range is FIRST:LAST:COUNT, FIRST:LAST:log:COUNT, or FIRST:LAST to draw from";
        return SG_OK;
    }
    if (logarithmic && !(a > 0.0 && b > 0.0)) {
        *why = "the ends of a logarithmic range are positive";
        return SG_OK;
    }
    if (!counted) {
        v->spread = logarithmic ? SG_SPREAD_LOGUNIFORM : SG_SPREAD_UNIFORM;
        v->p[0] = a;
        v->p[1] = b;
        *why = a < b ? NULL : "the first number must be the smaller one";
        return SG_OK;
    }
    if (!(n >= 1.0 && n <= MOST_LISTED && n == floor(n)) || (n == 1.0 && a != b)) {
        *why = "a range has a whole number of points, two at least";
        return SG_OK;
    }
    double *values = SG_NEW_ARRAY(arena, double, (size_t)n);
    if (!values)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < (size_t)n; i++) {
        double part = n > 1.0 ? (double)i / (n - 1.0) : 0.0;
        values[i] = i == 0 ? a : logarithmic ? a * pow(b / a, part) : a + (b - a) * part;
    }
    values[(size_t)n - 1] = b;
    v->listed = values;
    v->n = (size_t)n;
    return SG_OK;
}

static sg_status read_list(sg_arena *arena, const char *text, sg_plan_variable *v, const char **why)
{
    size_t n = 1;
    for (const char *c = text; *c; c++)
        n += *c == ',';
    double *values = SG_NEW_ARRAY(arena, double, n);
    if (!values)
        return SG_ERR_MEMORY;
    const char *at = text;
    for (size_t i = 0; i < n && at; i++) {
        at = read_number(at, ",", &values[i]);
        at = at && *at == ',' ? at + 1 : at && i + 1 == n ? at : NULL;
    }
    if (!at)
        *why = "numbers with commas, a range or a distribution are expected, such as 0.1:10:20, "
               "1,2,5 or normal(1,0.1)";
    v->listed = values;
    v->n = n;
    return SG_OK;
}

static sg_status read_variable(sg_arena *arena, const char *text, sg_diags *diags,
                               sg_plan_variable *v)
{
    const char *equals = strchr(text, '='), *why = NULL;
    if (!equals || equals == text)
        return refuse(diags, text, "NAME=VALUES is expected");
    *v = (sg_plan_variable){.name = sg_arena_text(arena, text, (size_t)(equals - text))};
    const char *values = equals + 1;
    while (*values == ' ')
        values++;
    sg_status status = SG_OK;
    if (!read_distribution(values, v, &why))
        status = strchr(values, ':') ? read_range(arena, values, v, &why)
                                     : read_list(arena, values, v, &why);
    if (status != SG_OK)
        return status;
    return why ? refuse(diags, text, why) : SG_OK;
}

// ---- a table of points ----------------------------------------------------------------------

static sg_status refuse_table(sg_diags *diags, uint64_t line, const char *why)
{
    if (diags)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "the table of points, line %llu: %s",
                 (unsigned long long)line, why);
    return SG_ERR_USAGE;
}

// One line without its end; null behind the last.
static const char *next_line(const char **at, const char *end, size_t *length)
{
    while (*at < end && (**at == '\n' || **at == '\r'))
        ++*at;
    const char *line = *at;
    while (*at < end && **at != '\n' && **at != '\r')
        ++*at;
    *length = (size_t)(*at - line);
    return *length ? line : NULL;
}

// A mark of its encoding that some programs put in front.
static const char *behind_mark(const char *text, const char *end)
{
    return end - text >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
}

// The end of a field; what is in quotes has no separators.
static const char *end_of_field(const char *at, const char *end, char separator)
{
    bool quoted = false;
    for (; at < end && (quoted || *at != separator); at++)
        quoted ^= *at == '"';
    return at;
}

// Semicolons or tabs where the titles have some, else commas.
static char separator_of(const char *line, size_t length)
{
    const char *end = line + length;
    return end_of_field(line, end, ';') < end    ? ';'
           : end_of_field(line, end, '\t') < end ? '\t'
                                                 : ',';
}

static size_t count_fields(const char *line, size_t length)
{
    const char separator = separator_of(line, length), *end = line + length;
    size_t n = 1;
    for (const char *at = line; (at = end_of_field(at, end, separator)) < end; at++)
        n++;
    return n;
}

static sg_status read_titles(sg_arena *arena, const char *line, size_t length, sg_plan_variable *v,
                             size_t n)
{
    const char separator = separator_of(line, length), *at = line, *end = line + length;
    for (size_t k = 0; k < n; k++) {
        const char *to = end_of_field(at, end, separator), *last = to;
        while (at < to && (*at == ' ' || *at == '"'))
            at++;
        while (last > at && (last[-1] == ' ' || last[-1] == '"'))
            last--;
        v[k] = (sg_plan_variable){.name = sg_arena_text(arena, at, (size_t)(last - at)),
                                  .of_table = true};
        if (!v[k].name)
            return SG_ERR_MEMORY;
        at = to < end ? to + 1 : end;
    }
    return SG_OK;
}

// Where semicolons separate, commas are the points of decimal numbers.
static void replace_commas(char *line, char separator)
{
    for (; separator == ';' && *line; line++)
        *line = *line == ',' ? '.' : *line;
}

static sg_status read_table(sg_arena *arena, const struct sg_study_options *o, sg_diags *diags,
                            sg_plan_variable *v, size_t n)
{
    const char *end = o->points + o->n_points, *at = behind_mark(o->points, end);
    size_t length, rows = 0;
    const char *line = next_line(&at, end, &length);
    if (!line)
        return refuse_table(diags, 1, "it is empty");
    const char separator[] = {separator_of(line, length), '\0'};
    if (read_titles(arena, line, length, v, n) != SG_OK)
        return SG_ERR_MEMORY;
    const char *first = at;
    while (next_line(&at, end, &length))
        rows++;
    if (!rows)
        return refuse_table(diags, 1, "no rows follow the titles");
    double *values = rows < MOST_LISTED ? SG_NEW_ARRAY(arena, double, rows *n) : NULL;
    if (!values)
        return SG_ERR_MEMORY;
    at = first;
    for (size_t i = 0; i < rows; i++) {
        line = next_line(&at, end, &length);
        char *copy = (char *)(uintptr_t)sg_arena_text(arena, line, length);
        if (!copy)
            return SG_ERR_MEMORY;
        const char *field = copy;
        replace_commas(copy, separator[0]);
        for (size_t k = 0; k < n; k++) {
            field = field ? read_number(field, separator, &values[k * rows + i]) : NULL;
            bool last = k + 1 == n;
            if (!field || (*field == '\0') != last)
                return refuse_table(diags, i + 2, "one number for each title is expected");
            field += !last;
        }
    }
    for (size_t k = 0; k < n; k++) {
        v[k].listed = values + k * rows;
        v[k].n = rows;
    }
    return SG_OK;
}

// ---- the whole ------------------------------------------------------------------------------

static sg_status say(sg_diags *diags, const char *format, const char *name)
{
    if (diags)
        sg_error(diags, SG_E_USAGE, (sg_span){0}, format, name);
    return SG_ERR_USAGE;
}

// The first varies slowest; columns of the table are one.
static sg_status count_combinations(sg_plan *plan, sg_diags *diags)
{
    bool table = false;
    plan->combinations = 1;
    for (size_t k = plan->n; k-- > 0;) {
        sg_plan_variable *v = &plan->variables[k];
        if (v->spread != SG_SPREAD_LISTED)
            continue;
        if (v->of_table && table) {
            v->stride = plan->variables[k + 1].stride;
            continue;
        }
        table |= v->of_table;
        v->stride = plan->combinations;
        if (plan->combinations > MOST_RUNS / v->n)
            return say(diags, "the grid has more than a billion points, with that of '%s'",
                       v->name);
        plan->combinations *= v->n;
    }
    return SG_OK;
}

static sg_status check_names(const sg_plan *plan, sg_diags *diags)
{
    for (size_t i = 0; i < plan->n; i++) {
        if (!plan->variables[i].name[0])
            return say(diags, "a variable has no name%s", "");
        for (size_t k = 0; k < i; k++)
            if (strcmp(plan->variables[i].name, plan->variables[k].name) == 0)
                return say(diags, "'%s' is varied twice", plan->variables[i].name);
    }
    return SG_OK;
}

static sg_status take_sampler(const char *name, sg_diags *diags, sg_sampler *out)
{
    static const char *const names[] = {"random", "lhs", "sobol", "saltelli"};
    for (int i = 0; i < 4; i++)
        if (!name || strcmp(name, names[i]) == 0) {
            *out = (sg_sampler)i;
            return SG_OK;
        }
    return say(diags, "the sampler is random, lhs, sobol or saltelli, not '%s'", name);
}

// Permutations of the slices, one for each variable (Fisher and Yates).
static sg_status draw_orders(sg_arena *arena, sg_plan *plan)
{
    for (size_t k = 0; k < plan->n && plan->sampler == SG_SAMPLER_LHS; k++) {
        sg_plan_variable *v = &plan->variables[k];
        if (v->spread == SG_SPREAD_LISTED)
            continue;
        uint32_t *order = SG_NEW_ARRAY(arena, uint32_t, plan->runs);
        if (!order)
            return SG_ERR_MEMORY;
        uint64_t own = sg_plan_mix(plan->seed ^ 0x1a71ULL, v->dimension);
        for (uint64_t i = 0; i < plan->runs; i++) {
            uint64_t j = sg_plan_mix(own, i) % (i + 1);
            order[i] = order[j];
            order[j] = (uint32_t)i;
        }
        v->order = order;
    }
    return SG_OK;
}

sg_status sg_plan_make(sg_arena *arena, const struct sg_study_options *o, sg_diags *diags,
                       sg_plan *out)
{
    sg_plan plan = {.runs = o->runs, .seed = o->seed};
    size_t length, n_columns = 0;
    const char *end = o->points ? o->points + o->n_points : NULL;
    const char *at = end ? behind_mark(o->points, end) : NULL;
    const char *titles = at ? next_line(&at, end, &length) : NULL;
    n_columns = titles ? count_fields(titles, length) : o->points ? 1 : 0;
    plan.n = n_columns + o->n_vary;
    plan.variables = SG_NEW_ARRAY(arena, sg_plan_variable, plan.n + 1);
    if (!plan.variables)
        return SG_ERR_MEMORY;
    sg_status status = take_sampler(o->sampler, diags, &plan.sampler);
    if (status == SG_OK && o->points)
        status = read_table(arena, o, diags, plan.variables, n_columns);
    for (size_t i = 0; i < o->n_vary && status == SG_OK; i++)
        status = read_variable(arena, o->vary[i], diags, &plan.variables[n_columns + i]);
    if (status == SG_OK)
        status = check_names(&plan, diags);
    if (status == SG_OK)
        status = count_combinations(&plan, diags);
    if (status != SG_OK)
        return status;
    const char *drawn = NULL;
    uint32_t dimensions = 0;
    for (size_t k = 0; k < plan.n; k++)
        if (plan.variables[k].spread != SG_SPREAD_LISTED) {
            plan.variables[k].dimension = dimensions++;
            drawn = plan.variables[k].name;
        }
    if (drawn && !plan.runs)
        return say(diags, "'%s' is drawn, so the number of runs must be given", drawn);
    if (plan.sampler == SG_SAMPLER_SOBOL && dimensions > SG_SOBOL_DIMENSIONS)
        return say(diags, "Sobol's sequence has 21 dimensions here, and '%s' is beyond", drawn);
    plan.base = plan.runs;
    plan.dimensions = dimensions;
    if (plan.sampler == SG_SAMPLER_SALTELLI) {
        for (size_t k = 0; k < plan.n; k++)
            if (plan.variables[k].spread == SG_SPREAD_LISTED)
                return say(diags, "sensitivity is about values that are drawn, and '%s' is not",
                           plan.variables[k].name);
        if (!drawn)
            return say(diags, "sensitivity needs variables%s", "");
        plan.runs = plan.runs < MOST_RUNS ? plan.runs * (dimensions + 2) : plan.runs;
    }
    if (plan.runs > MOST_RUNS)
        return say(diags, "a study has a billion runs at most%s", "");
    plan.runs = plan.runs ? plan.runs : plan.combinations;
    *out = plan;
    return draw_orders(arena, &plan);
}
