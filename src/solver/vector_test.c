// Vectors for SUNDIALS: every operation against its definition, and memory that runs out.
#include "solver/vector.h"

#include "harness/sg_test.h"

#include <string.h>

// More than a block of the sums over several vectors, and no multiple of any register width.
#define N 1031

typedef struct kit {
    SUNContext context;
    sg_vectors vectors;
    N_Vector x, y, w, z;
} kit;

static bool make_vectors(kit *k, const sg_allocator *allocator, int32_t n)
{
    *k = (kit){0};
    if (SUNContext_Create(NULL, &k->context) != 0 ||
        sg_vectors_init(&k->vectors, allocator, k->context, n) != SG_OK)
        return false;
    k->x = sg_vector_new(&k->vectors);
    k->y = sg_vector_new(&k->vectors);
    k->w = sg_vector_new(&k->vectors);
    k->z = sg_vector_new(&k->vectors);
    return k->x && k->y && k->w && k->z;
}

static bool make_kit(kit *k, const sg_allocator *allocator)
{
    if (!make_vectors(k, allocator, N))
        return false;
    sg_rng rng = sg_rng_seeded(8);
    for (int i = 0; i < N; i++) {
        sg_vector_data(k->x)[i] = sg_rng_uniform(&rng, -3.0, 3.0);
        sg_vector_data(k->y)[i] = sg_rng_uniform(&rng, 0.5, 2.0);
        sg_vector_data(k->w)[i] = sg_rng_uniform(&rng, 0.0, 1.0);
    }
    return true;
}

static void free_kit(kit *k)
{
    N_Vector all[] = {k->x, k->y, k->w, k->z};
    for (int i = 0; i < 4; i++)
        if (all[i])
            N_VDestroy(all[i]);
    sg_vectors_destroy(&k->vectors);
    SUNContext_Free(&k->context);
}

#define EXPECT(expression)                                                                         \
    for (int i = 0; i < N; i++)                                                                    \
    SG_CHECK_MSG(z[i] == (expression), "%s: element %d is %.17g", #expression, i, z[i])

SG_TEST(vectors_do_what_their_operations_say)
{
    kit k;
    SG_REQUIRE(make_kit(&k, sg_allocator_default()));
    const double *x = sg_vector_data(k.x), *y = sg_vector_data(k.y), *z = sg_vector_data(k.z);
    static const double factors[] = {1.0, -1.0, 0.3, -0.3, 2.0};
    for (int p = 0; p < 5; p++)
        for (int q = 0; q < 5; q++) {
            double a = factors[p], b = factors[q];
            N_VLinearSum(a, k.x, b, k.y, k.z);
            for (int i = 0; i < N; i++)
                SG_NEAR(z[i], a * x[i] + b * y[i], 4e-16, fabs(a * x[i]) + fabs(b * y[i]));
        }
    N_VConst(4.5, k.z);
    EXPECT(4.5);
    N_VProd(k.x, k.y, k.z);
    EXPECT(x[i] * y[i]);
    N_VDiv(k.x, k.y, k.z);
    EXPECT(x[i] / y[i]);
    N_VScale(1.0, k.x, k.z);
    EXPECT(x[i]);
    N_VScale(-0.7, k.x, k.z);
    EXPECT(-0.7 * x[i]);
    N_VAbs(k.x, k.z);
    EXPECT(fabs(x[i]));
    N_VInv(k.y, k.z);
    EXPECT(1.0 / y[i]);
    N_VAddConst(k.x, 2.5, k.z);
    EXPECT(x[i] + 2.5);
    N_VCompare(1.5, k.x, k.z);
    EXPECT(fabs(x[i]) >= 1.5 ? 1.0 : 0.0);
    SG_CHECK(N_VGetLength(k.x) == N);
    free_kit(&k);
}

SG_TEST(norms_of_vectors_are_sums_in_the_order_of_the_elements)
{
    kit k;
    SG_REQUIRE(make_kit(&k, sg_allocator_default()));
    const double *x = sg_vector_data(k.x), *w = sg_vector_data(k.w);
    double dot = 0.0, squares = 0.0, masked = 0.0, most = 0.0, sizes = 0.0, least = x[0];
    for (int i = 0; i < N; i++) {
        double each = x[i] * w[i];
        dot += each;
        squares += each * each;
        sg_vector_data(k.z)[i] = i % 3 ? 1.0 : 0.0;
        masked += i % 3 ? each * each : 0.0;
        most = fmax(most, fabs(x[i]));
        least = fmin(least, x[i]);
        sizes += fabs(x[i]);
    }
    SG_CHECK(N_VDotProd(k.x, k.w) == dot);
    SG_CHECK(N_VWrmsNorm(k.x, k.w) == sqrt(squares / N));
    SG_CHECK(N_VWrmsNormMask(k.x, k.w, k.z) == sqrt(masked / N));
    SG_CHECK(N_VWL2Norm(k.x, k.w) == sqrt(squares));
    SG_CHECK(N_VMaxNorm(k.x) == most);
    SG_CHECK(N_VMin(k.x) == least);
    SG_CHECK(N_VL1Norm(k.x) == sizes);
    free_kit(&k);
}

// Among thousands of elements that rest, one counts as among a hundred.
SG_TEST(an_error_does_not_vanish_among_elements_that_rest)
{
    for (int n = 25; n <= 6400; n *= 2) {
        kit k;
        SG_REQUIRE(make_vectors(&k, sg_allocator_default(), n));
        N_VConst(2.0, k.w);
        N_VConst(1.0, k.z);
        sg_vector_data(k.x)[n / 2] = -3.0;
        double size = 6.0 / sqrt(n < 100 ? n : 100);
        SG_NEAR(N_VWrmsNorm(k.x, k.w), size, 1e-15, size);
        SG_NEAR(N_VWrmsNormMask(k.x, k.w, k.z), size, 1e-15, size);
        sg_vector_data(k.z)[n / 2] = 0.0;
        SG_CHECK(N_VWrmsNormMask(k.x, k.w, k.z) == 0.0);
        N_VConst(3.0, k.x); // where all are alike, nothing changes
        SG_NEAR(N_VWrmsNorm(k.x, k.w), 6.0, 1e-15, 6.0);
        free_kit(&k);
    }
}

SG_TEST(several_vectors_at_once_give_what_one_after_the_other_gives)
{
    kit k;
    SG_REQUIRE(make_kit(&k, sg_allocator_default()));
    double c[3] = {0.5, -1.0, 3.0};
    N_Vector all[3] = {k.x, k.y, k.w};
    const double *x = sg_vector_data(k.x), *y = sg_vector_data(k.y), *w = sg_vector_data(k.w);
    const double *z = sg_vector_data(k.z);
    SG_CHECK(N_VLinearCombination(3, c, all, k.z) == 0);
    EXPECT((0.5 * x[i] + -1.0 * y[i]) + 3.0 * w[i]);
    N_VScale(1.0, k.x, k.z);
    all[0] = k.z; // in place
    SG_CHECK(N_VLinearCombination(3, c, all, k.z) == 0);
    EXPECT((0.5 * x[i] + -1.0 * y[i]) + 3.0 * w[i]);
    N_Vector into[2] = {k.z, k.w}, from[2] = {k.y, k.w};
    double last = sg_vector_data(k.w)[N - 1];
    SG_CHECK(N_VScaleAddMulti(2, c, k.x, from, into) == 0);
    EXPECT(0.5 * x[i] + y[i]);
    SG_CHECK(w[N - 1] == last - x[N - 1]);
    free_kit(&k);
}

SG_TEST(a_bent_line_leaves_with_its_slope_and_arrives)
{
    kit k;
    SG_REQUIRE(make_kit(&k, sg_allocator_default()));
    sg_bent_line line = {sg_vector_data(k.x), sg_vector_data(k.y), sg_vector_data(k.w), 0.25};
    double *z = sg_vector_data(k.z), dx[N];
    sg_vector_bend(&line, 0.0, N, z, dx);
    SG_CHECK(memcmp(z, line.from, sizeof dx) == 0 && memcmp(dx, line.slope, sizeof dx) == 0);
    sg_vector_bend(&line, line.h, N, z, NULL);
    for (int i = 0; i < N; i++)
        SG_NEAR(z[i], line.to[i], 1e-15, 6.0);
    sg_vector_bend(&line, 0.1, N, z, NULL);
    double part = 0.1 / 0.25;
    EXPECT(line.from[i] + 0.1 * line.slope[i] +
           (line.to[i] - line.from[i] - 0.25 * line.slope[i]) * part * part);
    free_kit(&k);
}

SG_TEST(few_elements_are_summed_as_many_are)
{
    static const double factors[] = {1.0, -1.0, 0.3, -0.3, 2.0};
    kit many, few;
    SG_REQUIRE(make_kit(&many, sg_allocator_default()));
    for (int32_t n = 1; n <= 10; n++) {
        SG_REQUIRE(make_vectors(&few, sg_allocator_default(), n));
        N_Vector from[] = {many.x, many.y, many.w}, to[] = {few.x, few.y, few.w};
        for (int k = 0; k < 3; k++)
            memcpy(sg_vector_data(to[k]), sg_vector_data(from[k]), (size_t)n * sizeof(double));
        for (int a = 0; a < 5; a++)
            for (int b = 0; b < 5; b++) {
                double c[] = {factors[a], factors[b], 0.7};
                size_t bytes = (size_t)n * sizeof(double);
                N_VLinearSum(c[0], many.x, c[1], many.y, many.z);
                N_VLinearSum(c[0], few.x, c[1], few.y, few.z);
                SG_CHECK(memcmp(sg_vector_data(many.z), sg_vector_data(few.z), bytes) == 0);
                N_VLinearCombination(3, c, from, many.z);
                N_VLinearCombination(3, c, to, few.z);
                SG_CHECK(memcmp(sg_vector_data(many.z), sg_vector_data(few.z), bytes) == 0);
            }
        free_kit(&few);
    }
    free_kit(&many);
}

SG_TEST(a_clone_without_memory_is_a_last_resort_and_says_so)
{
    for (uint64_t fail = 1; fail < 12; fail++) {
        sg_test_allocator test;
        sg_test_allocator_init(&test, fail);
        kit k;
        bool made = make_kit(&k, &test.allocator);
        SG_CHECK(made == (fail > 5)); // one is put aside
        N_Vector more[3] = {0};
        for (int i = 0; made && i < 3; i++) {
            more[i] = N_VClone(k.x); // which crashes on a null pointer
            SG_REQUIRE(more[i]);
            N_VConst(1.0, more[i]);
        }
        SG_CHECK(!made || k.vectors.refused == (fail <= 8));
        for (int i = 0; made && i < 3; i++)
            N_VDestroy(more[i]);
        free_kit(&k);
        SG_CHECK(test.live_blocks == 0);
    }
}
