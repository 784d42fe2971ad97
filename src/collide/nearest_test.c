#include "collide/nearest.h"

#include "harness/sg_test.h"

#include <stdlib.h>

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

SG_TEST(the_nearest_pairs_stay_in_order_and_in_balance)
{
    sg_rng rng = sg_rng_seeded(17);
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    for (int cap = 1; cap < 130; cap += 3) {
        sg_nearest set;
        static double all[400];
        static sg_nearest_pair list[130];
        SG_REQUIRE(sg_nearest_init(&set, cap, &arena));
        for (int round = 0; round < 3; round++) { // the same room again
            sg_nearest_clear(&set);
            SG_CHECK(sg_nearest_reach(&set, 42.0) == 42.0);
            for (int i = 0; i < 400; i++) {
                // Ascending, descending, and at random with many that are equal.
                all[i] = round == 0 ? i : round == 1 ? -i : floor(sg_rng_uniform(&rng, 0, 60));
                double reach = sg_nearest_reach(&set, 42.0);
                bool in = sg_nearest_add(&set, all[i], i, i + 1);
                SG_CHECK(in || all[i] >= reach);
                const char *why = sg_nearest_validate(&set);
                SG_CHECK_MSG(!why, "%s", why);
            }
            int n = sg_nearest_list(&set, list);
            SG_REQUIRE(n == (cap < 400 ? cap : 400));
            for (int i = 0; i < n; i++) {
                SG_CHECK(list[i].z == all[list[i].a]);
                if (i > 0 && list[i].z == list[i - 1].z)
                    SG_CHECK(list[i].a > list[i - 1].a);
            }
            qsort(all, 400, sizeof *all, compare);
            for (int i = 0; i < n; i++)
                SG_CHECK(list[i].z == all[i]);
            SG_CHECK(sg_nearest_reach(&set, 42.0) == all[cap - 1]);
        }
    }
    sg_arena_destroy(&arena);
}
