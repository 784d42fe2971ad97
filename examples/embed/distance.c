// A ball rolls off a table: signed distances from a C program.
//
// The ball's way leads over the rounded edge and down the side of the table. Distance and normal
// change smoothly on the way, and the answer comes with a bound of its error. Expect one line a
// position, the last one at a distance of 0.1 from the side.
#include "segue/distance.h"

#include <math.h>
#include <stdio.h>

static sg_placement at(double x, double y, double z)
{
    return (sg_placement){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .r = {x, y, z}};
}

int main(void)
{
    sg_diags *diags = sg_diags_create(NULL); // what goes wrong, in words
    sg_shape *table = NULL, *ball = NULL;
    sg_distance_query *query = NULL;

    sg_shape_spec box = {.kind = SG_SHAPE_BOX, .size = {2.0, 1.0, 0.1}, .smoothing = 0.01};
    sg_shape_spec sphere = {.kind = SG_SHAPE_SPHERE, .size = {0.2}};
    if (sg_shape_create(NULL, &box, diags, &table) != SG_OK ||
        sg_shape_create(NULL, &sphere, diags, &ball) != SG_OK) {
        fprintf(stderr, "%s\n", sg_diags_count(diags) ? sg_diags_get(diags, 0)->message : "");
        return 1;
    }
    // One query object for each pair: it remembers where the shapes met last.
    sg_distance_query_options settings = sg_distance_query_options_make();
    if (sg_distance_query_create(NULL, &settings, &query) != SG_OK)
        return 1;

    sg_placement table_at = at(0.0, 0.0, -0.05);
    double last = 0.0;
    printf("%6s %6s %12s   %s\n", "x", "z", "distance", "normal");
    for (int i = 0; i <= 10; i++) {
        double x = 0.9 + 0.03 * i, z = i < 5 ? 0.1 : 0.1 - 0.03 * (i - 5);
        sg_placement ball_at = at(x, 0.0, z);
        sg_distance_answer r;
        if (sg_distance_between(query, table, &table_at, ball, &ball_at, &r) != SG_OK) {
            fprintf(stderr, "%s\n", r.message);
            return 1;
        }
        printf("%6.3f %6.3f %12.9f   (%.4f, %.4f, %.4f)\n", x, z, r.delta, r.normal[0], r.normal[1],
               r.normal[2]);
        last = r.delta;
    }

    sg_distance_query_destroy(query);
    sg_diags_destroy(diags);
    sg_shape_destroy(ball);
    sg_shape_destroy(table);
    return fabs(last - 0.1) < 1e-12 ? 0 : 2;
}
