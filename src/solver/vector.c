#include "solver/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Numbers begin on a cache line.
#define LINE 64
// Elements that several vectors are summed over at once; 4 kB stay in the first cache.
#define BLOCK 512
// Elements that are summed one by one.
#define ONE_BY_ONE 4

// Arguments may be the same vector, but never overlap otherwise: no iteration reads what another
// one wrote, and loops may be taken several elements at a time.
#ifndef __clang__
#define EACH _Pragma("GCC ivdep")
#elif __has_feature(address_sanitizer) // whose checks keep elements apart
#define EACH
#else
#define EACH _Pragma("clang loop vectorize(assume_safety)")
#endif

static sg_vector *of(N_Vector v) { return v->content; }

// ---- making and freeing -----------------------------------------------------------------------

static sg_vector *make(sg_vectors *home, int32_t n_own)
{
    size_t bytes = sizeof(sg_vector) + (size_t)n_own * sizeof(double) + LINE;
    sg_vector *v = home->allocator->resize(home->allocator->context, NULL, 0, bytes);
    if (!v)
        return NULL;
    uintptr_t end = (uintptr_t)(v + 1);
    size_t gap = (LINE - end % LINE) % LINE;
    *v = (sg_vector){.n = home->n, .bytes = bytes, .home = home};
    v->generic.content = v;
    v->generic.ops = &home->ops;
    v->generic.sunctx = home->context;
    v->data = n_own ? (double *)((char *)(v + 1) + gap) : NULL;
    if (n_own)
        memset(v->data, 0, (size_t)n_own * sizeof(double));
    return v;
}

N_Vector sg_vector_new(sg_vectors *home)
{
    sg_vector *v = make(home, home->n);
    return v ? &v->generic : NULL;
}

N_Vector sg_vector_wrap(sg_vectors *home, double *data)
{
    sg_vector *v = make(home, 0);
    if (!v)
        return NULL;
    v->data = data;
    return &v->generic;
}

static void release(sg_vector *v)
{
    const sg_allocator *allocator = v->home->allocator;
    allocator->resize(allocator->context, v, v->bytes, 0);
}

sg_status sg_vectors_reserve(sg_vectors *home, int count)
{
    for (int i = 0; i < count; i++) {
        sg_vector *v = make(home, home->n);
        if (!v)
            return SG_ERR_MEMORY;
        v->next = home->spare;
        home->spare = v;
    }
    return SG_OK;
}

void sg_vectors_destroy(sg_vectors *home)
{
    while (home->spare) {
        sg_vector *v = home->spare;
        home->spare = v->next;
        release(v);
    }
    if (home->last_resort)
        release(home->last_resort);
    home->last_resort = NULL;
}

static N_Vector last_resort(sg_vectors *home)
{
    home->refused = true;
    return &home->last_resort->generic;
}

static N_Vector clone(N_Vector v)
{
    sg_vectors *home = of(v)->home;
    sg_vector *spare = home->spare;
    if (spare) {
        home->spare = spare->next;
        return &spare->generic;
    }
    N_Vector made = sg_vector_new(home);
    return made ? made : last_resort(home);
}

static N_Vector clone_empty(N_Vector v)
{
    N_Vector made = sg_vector_wrap(of(v)->home, NULL);
    return made ? made : last_resort(of(v)->home);
}

static void destroy(N_Vector v)
{
    if (v && of(v) != of(v)->home->last_resort)
        release(of(v));
}

static N_Vector_ID get_id(N_Vector v)
{
    (void)v;
    return SUNDIALS_NVEC_CUSTOM;
}

static void space(N_Vector v, sunindextype *reals, sunindextype *integers)
{
    *reals = of(v)->n;
    *integers = (sunindextype)(sizeof(sg_vector) / sizeof(sunindextype));
}

static double *get_data(N_Vector v) { return of(v)->data; }
static void set_data(double *data, N_Vector v) { of(v)->data = data; }
static sunindextype length(N_Vector v) { return of(v)->n; }

// ---- element by element -----------------------------------------------------------------------

// z = a x + b y. Factors of one and equal factors are taken out of the loop, which also saves a
// rounding.
static void sum(double a, const double *x, double b, const double *y, double *z, int32_t n)
{
    if (b == 1.0 && a == 1.0) { // most: predictions
        EACH for (int32_t i = 0; i < n; i++) z[i] = x[i] + y[i];
    } else if (b == 1.0) {
        EACH for (int32_t i = 0; i < n; i++) z[i] = a * x[i] + y[i];
    } else if (a == b) {
        EACH for (int32_t i = 0; i < n; i++) z[i] = a * (x[i] + y[i]);
    } else if (a == 1.0) {
        EACH for (int32_t i = 0; i < n; i++) z[i] = x[i] + b * y[i];
    } else if (a == -b) {
        EACH for (int32_t i = 0; i < n; i++) z[i] = a * (x[i] - y[i]);
    } else {
        EACH for (int32_t i = 0; i < n; i++) z[i] = a * x[i] + b * y[i];
    }
}

// The same for few elements, to the last bit: loops that are taken several elements at a time begin
// slowly, and what comes before them is more than the sums of a small model.
enum { FEW_ELEMENTS = 8 };

#define EACH_OF_FEW(of)                                                                            \
    switch (n) {                                                                                   \
    case 8:                                                                                        \
        z[7] = of(7); /* fall through */                                                           \
    case 7:                                                                                        \
        z[6] = of(6); /* fall through */                                                           \
    case 6:                                                                                        \
        z[5] = of(5); /* fall through */                                                           \
    case 5:                                                                                        \
        z[4] = of(4); /* fall through */                                                           \
    case 4:                                                                                        \
        z[3] = of(3); /* fall through */                                                           \
    case 3:                                                                                        \
        z[2] = of(2); /* fall through */                                                           \
    case 2:                                                                                        \
        z[1] = of(1); /* fall through */                                                           \
    default:                                                                                       \
        z[0] = of(0);                                                                              \
    }
#define PLAIN(i) x[i] + y[i]
#define FIRST_SCALED(i) a *x[i] + y[i]
#define SECOND_SCALED(i) x[i] + b *y[i]
#define SCALED(i) a *(x[i] + y[i])
#define SCALED_DIFFERENCE(i) a *(x[i] - y[i])
#define BOTH_SCALED(i) a *x[i] + b *y[i]

static void sum_few(double a, const double *x, double b, const double *y, double *z, int32_t n)
{
    if (b == 1.0 && a == 1.0) {
        EACH_OF_FEW(PLAIN)
    } else if (b == 1.0) {
        EACH_OF_FEW(FIRST_SCALED)
    } else if (a == b) {
        EACH_OF_FEW(SCALED)
    } else if (a == 1.0) {
        EACH_OF_FEW(SECOND_SCALED)
    } else if (a == -b) {
        EACH_OF_FEW(SCALED_DIFFERENCE)
    } else {
        EACH_OF_FEW(BOTH_SCALED)
    }
}

static void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z)
{
    int32_t n = of(z)->n;
    if (n <= FEW_ELEMENTS)
        sum_few(a, get_data(x), b, get_data(y), get_data(z), n);
    else
        sum(a, get_data(x), b, get_data(y), get_data(z), n);
}

static void constant(double c, N_Vector z)
{
    double *to = get_data(z);
    for (int32_t i = 0, n = of(z)->n; i < n; i++)
        to[i] = c;
}

static void product(N_Vector x, N_Vector y, N_Vector z)
{
    const double *a = get_data(x), *b = get_data(y);
    double *to = get_data(z);
    int32_t n = of(z)->n;
    EACH for (int32_t i = 0; i < n; i++) to[i] = a[i] * b[i];
}

static void quotient(N_Vector x, N_Vector y, N_Vector z)
{
    const double *a = get_data(x), *b = get_data(y);
    double *to = get_data(z);
    int32_t n = of(z)->n;
    EACH for (int32_t i = 0; i < n; i++) to[i] = a[i] / b[i];
}

static void scale_data(double c, const double *x, double *z, int32_t n)
{
    if (c == 1.0) {
        if (x != z)
            memcpy(z, x, (size_t)n * sizeof *z);
        return;
    }
    EACH for (int32_t i = 0; i < n; i++) z[i] = c * x[i];
}

static void scale(double c, N_Vector x, N_Vector z)
{
    scale_data(c, get_data(x), get_data(z), of(z)->n);
}

static void absolute(N_Vector x, N_Vector z)
{
    const double *a = get_data(x);
    double *to = get_data(z);
    int32_t n = of(z)->n;
    EACH for (int32_t i = 0; i < n; i++) to[i] = fabs(a[i]);
}

static void inverse(N_Vector x, N_Vector z)
{
    const double *a = get_data(x);
    double *to = get_data(z);
    int32_t n = of(z)->n;
    EACH for (int32_t i = 0; i < n; i++) to[i] = 1.0 / a[i];
}

static void add_constant(N_Vector x, double b, N_Vector z)
{
    const double *a = get_data(x);
    double *to = get_data(z);
    int32_t n = of(z)->n;
    EACH for (int32_t i = 0; i < n; i++) to[i] = a[i] + b;
}

static void compare(double c, N_Vector x, N_Vector z)
{
    const double *a = get_data(x);
    double *to = get_data(z);
    for (int32_t i = 0, n = of(z)->n; i < n; i++)
        to[i] = fabs(a[i]) >= c ? 1.0 : 0.0;
}

// ---- to one number ----------------------------------------------------------------------------

static double dot(N_Vector x, N_Vector y)
{
    const double *a = get_data(x), *b = get_data(y);
    double total = 0.0;
    for (int32_t i = 0, n = of(x)->n; i < n; i++)
        total += a[i] * b[i];
    return total;
}

static double max_norm(N_Vector x)
{
    const double *a = get_data(x);
    double most = 0.0;
    for (int32_t i = 0, n = of(x)->n; i < n; i++)
        if (fabs(a[i]) > most)
            most = fabs(a[i]);
    return most;
}

static double weighted_squares(N_Vector x, N_Vector w)
{
    const double *a = get_data(x), *b = get_data(w);
    double total = 0.0;
    for (int32_t i = 0, n = of(x)->n; i < n; i++) {
        double each = a[i] * b[i];
        total += each * each;
    }
    return total;
}

static double masked_squares(N_Vector x, N_Vector w, N_Vector id)
{
    const double *a = get_data(x), *b = get_data(w), *mask = get_data(id);
    double total = 0.0;
    for (int32_t i = 0, n = of(x)->n; i < n; i++)
        if (mask[i] > 0.0) {
            double each = a[i] * b[i];
            total += each * each;
        }
    return total;
}

// In a root of the mean of squares the error of one element vanishes among thousands that rest: a
// front in a long rod was off by 200 tolerances. An element counts at least as among FEW.
enum { FEW = 100 };

static double norm_of(double squares, double most, int32_t n)
{
    double mean = squares / n;
    return sqrt(n > FEW ? fmax(mean, most * most / FEW) : mean);
}

static double rms_norm(N_Vector x, N_Vector w)
{
    int32_t n = of(x)->n;
    if (n <= FEW)
        return norm_of(weighted_squares(x, w), 0.0, n);
    const double *a = get_data(x), *b = get_data(w);
    double total = 0.0, most = 0.0;
    for (int32_t i = 0; i < n; i++) { // the sum takes longer, so that the largest costs nothing
        double each = a[i] * b[i], size = fabs(each);
        total += each * each;
        most = size > most ? size : most; // as fmax, without a call
    }
    return norm_of(total, most, n);
}

static double masked_rms_norm(N_Vector x, N_Vector w, N_Vector id)
{
    const double *a = get_data(x), *b = get_data(w), *mask = get_data(id);
    double most = 0.0;
    for (int32_t i = 0, n = of(x)->n; i < n && n > FEW; i++) {
        double size = mask[i] > 0.0 ? fabs(a[i] * b[i]) : 0.0;
        most = size > most ? size : most;
    }
    return norm_of(masked_squares(x, w, id), most, of(x)->n);
}

static double weighted_norm(N_Vector x, N_Vector w) { return sqrt(weighted_squares(x, w)); }

static double minimum(N_Vector x)
{
    const double *a = get_data(x);
    double least = a[0];
    for (int32_t i = 1, n = of(x)->n; i < n; i++)
        if (a[i] < least)
            least = a[i];
    return least;
}

static double sum_of_sizes(N_Vector x)
{
    const double *a = get_data(x);
    double total = 0.0;
    for (int32_t i = 0, n = of(x)->n; i < n; i++)
        total += fabs(a[i]);
    return total;
}

static sunbooleantype inverse_test(N_Vector x, N_Vector z)
{
    const double *a = get_data(x);
    double *to = get_data(z);
    sunbooleantype all = SUNTRUE;
    for (int32_t i = 0, n = of(x)->n; i < n; i++) {
        if (a[i] == 0.0)
            all = SUNFALSE;
        else
            to[i] = 1.0 / a[i];
    }
    return all;
}

// Marks in m where x is not as c demands: 2 positive, 1 not negative, and their opposites.
static sunbooleantype constraint_mask(N_Vector c, N_Vector x, N_Vector m)
{
    const double *want = get_data(c), *a = get_data(x);
    double *to = get_data(m);
    sunbooleantype all = SUNTRUE;
    for (int32_t i = 0, n = of(x)->n; i < n; i++) {
        bool strict = fabs(want[i]) > 1.5, weak = fabs(want[i]) > 0.5;
        double side = a[i] * want[i];
        bool broken = (strict && side <= 0.0) || (weak && side < 0.0);
        to[i] = broken ? 1.0 : 0.0;
        all = broken ? SUNFALSE : all;
    }
    return all;
}

static double min_quotient(N_Vector x, N_Vector y)
{
    const double *a = get_data(x), *b = get_data(y);
    double least = DBL_MAX;
    for (int32_t i = 0, n = of(x)->n; i < n; i++)
        if (b[i] != 0.0 && a[i] / b[i] < least)
            least = a[i] / b[i];
    return least;
}

void sg_vector_bend(const sg_bent_line *line, double passed, int32_t n, double *x, double *dx)
{
    const double *from = line->from, *slope = line->slope, *to = line->to;
    double h = line->h, part = passed / h;
    EACH for (int32_t i = 0; i < n; i++)
    {
        double rest = to[i] - from[i] - h * slope[i];
        x[i] = from[i] + passed * slope[i] + rest * part * part;
    }
    if (!dx)
        return;
    EACH for (int32_t i = 0; i < n; i++)
    {
        double rest = to[i] - from[i] - h * slope[i];
        dx[i] = slope[i] + 2.0 * rest * part / h;
    }
}

// ---- several vectors at once ------------------------------------------------------------------

// z = c[0] X[0] + c[1] X[1] + ..., added up in this order. z may be one of them.
int sg_vectors_combine(int count, double *c, N_Vector *x, N_Vector z)
{
    double part[BLOCK], *to = get_data(z);
    sg_vectors_seen *seen = of(z)->home->seen;
    if (seen && count <= SG_VECTORS_SEEN)
        memcpy(seen->v, x, (size_t)(seen->n = count) * sizeof *x);
    if (of(z)->n <= ONE_BY_ONE) { // what blocks cost is more than the sum
        for (int32_t i = 0; i < of(z)->n; i++) {
            double total = c[0] * get_data(x[0])[i];
            for (int k = 1; k < count; k++)
                total += c[k] * get_data(x[k])[i];
            to[i] = total;
        }
        return 0;
    }
    for (int32_t from = 0, n = of(z)->n; from < n; from += BLOCK) {
        int32_t m = n - from < BLOCK ? n - from : BLOCK;
        scale_data(c[0], get_data(x[0]) + from, part, m);
        for (int k = 1; k < count; k++) {
            const double *a = get_data(x[k]) + from;
            double factor = c[k];
            EACH for (int32_t i = 0; i < m; i++) part[i] += factor * a[i];
        }
        memcpy(to + from, part, (size_t)m * sizeof *to);
    }
    return 0;
}

// Z[k] = a[k] x + Y[k]
static int add_to_each(int count, double *a, N_Vector x, N_Vector *y, N_Vector *z)
{
    for (int k = 0; k < count; k++)
        linear_sum(a[k], x, 1.0, y[k], z[k]);
    return 0;
}

static int dot_each(int count, N_Vector x, N_Vector *y, double *products)
{
    for (int k = 0; k < count; k++)
        products[k] = dot(x, y[k]);
    return 0;
}

static int sum_each(int count, double a, N_Vector *x, double b, N_Vector *y, N_Vector *z)
{
    for (int k = 0; k < count; k++)
        linear_sum(a, x[k], b, y[k], z[k]);
    return 0;
}

static int scale_each(int count, double *c, N_Vector *x, N_Vector *z)
{
    for (int k = 0; k < count; k++)
        scale(c[k], x[k], z[k]);
    return 0;
}

static int constant_each(int count, double c, N_Vector *z)
{
    for (int k = 0; k < count; k++)
        constant(c, z[k]);
    return 0;
}

static int rms_norm_each(int count, N_Vector *x, N_Vector *w, double *norms)
{
    for (int k = 0; k < count; k++)
        norms[k] = rms_norm(x[k], w[k]);
    return 0;
}

static int masked_rms_norm_each(int count, N_Vector *x, N_Vector *w, N_Vector id, double *norms)
{
    for (int k = 0; k < count; k++)
        norms[k] = masked_rms_norm(x[k], w[k], id);
    return 0;
}

sg_status sg_vectors_init(sg_vectors *home, const sg_allocator *allocator, SUNContext context,
                          int32_t n)
{
    *home = (sg_vectors){.allocator = allocator, .context = context, .n = n};
    home->ops = (struct _generic_N_Vector_Ops){.nvgetvectorid = get_id,
                                               .nvclone = clone,
                                               .nvcloneempty = clone_empty,
                                               .nvdestroy = destroy,
                                               .nvspace = space,
                                               .nvgetarraypointer = get_data,
                                               .nvsetarraypointer = set_data,
                                               .nvgetlength = length,
                                               .nvlinearsum = linear_sum,
                                               .nvconst = constant,
                                               .nvprod = product,
                                               .nvdiv = quotient,
                                               .nvscale = scale,
                                               .nvabs = absolute,
                                               .nvinv = inverse,
                                               .nvaddconst = add_constant,
                                               .nvdotprod = dot,
                                               .nvmaxnorm = max_norm,
                                               .nvwrmsnorm = rms_norm,
                                               .nvwrmsnormmask = masked_rms_norm,
                                               .nvmin = minimum,
                                               .nvwl2norm = weighted_norm,
                                               .nvl1norm = sum_of_sizes,
                                               .nvcompare = compare,
                                               .nvinvtest = inverse_test,
                                               .nvconstrmask = constraint_mask,
                                               .nvminquotient = min_quotient,
                                               .nvlinearcombination = sg_vectors_combine,
                                               .nvscaleaddmulti = add_to_each,
                                               .nvdotprodmulti = dot_each,
                                               .nvlinearsumvectorarray = sum_each,
                                               .nvscalevectorarray = scale_each,
                                               .nvconstvectorarray = constant_each,
                                               .nvwrmsnormvectorarray = rms_norm_each,
                                               .nvwrmsnormmaskvectorarray = masked_rms_norm_each,
                                               .nvgetlocallength = length};
    home->last_resort = make(home, n);
    return home->last_resort ? SG_OK : SG_ERR_MEMORY;
}
