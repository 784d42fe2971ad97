// Surfaces are judged by what they enclose: volume by Gauss's theorem, and closedness.
#include "view/tessellate.h"

#include "base/number.h"
#include "harness/sg_test.h"

#include <math.h>

static double volume_of(const sg_facets *f, sg_vec3 about)
{
    double sum = 0.0;
    for (size_t i = 0; i + 2 < f->corner.len; i += 3) {
        sg_vec3 a = v3_sub(f->vertex.data[f->corner.data[i]], about);
        sg_vec3 b = v3_sub(f->vertex.data[f->corner.data[i + 1]], about);
        sg_vec3 c = v3_sub(f->vertex.data[f->corner.data[i + 2]], about);
        sum += v3_dot(a, v3_cross(b, c)) / 6.0;
    }
    return sum;
}

// A closed surface has the same volume seen from everywhere. Normals look outside: they agree with
// the turn of their triangle.
static double check_surface(const sg_visual *v)
{
    sg_facets f;
    SG_CHECK(sg_facets_of(&f, v, sg_allocator_default()));
    double volume = volume_of(&f, V3_ZERO);
    SG_NEAR(volume_of(&f, v3_make(3, -2, 5)), volume, 1e-9, 1.0);
    for (size_t i = 0; i + 2 < f.corner.len; i += 3) {
        const uint32_t *c = f.corner.data + i;
        sg_vec3 a = f.vertex.data[c[0]];
        sg_vec3 area = v3_cross(v3_sub(f.vertex.data[c[1]], a), v3_sub(f.vertex.data[c[2]], a));
        for (int k = 0; k < 3; k++) {
            SG_NEAR(v3_norm(f.normal.data[c[k]]), 1.0, 1e-12, 1.0);
            SG_CHECK(v3_dot(f.normal.data[c[k]], area) >= -1e-15);
        }
    }
    sg_facets_free(&f);
    return volume;
}

SG_TEST(surfaces_are_closed_and_enclose_the_volume_of_the_shape)
{
    // Inscribed polygons of 32 corners enclose a little less.
    const double polygon = 0.5 * 32 * sin(2.0 * SG_PI / 32) / SG_PI;
    const double round = 1e-2;
    sg_visual v = {.axis = 0};
    for (v.axis = 0; v.axis < 3; v.axis++) {
        v.kind = SG_VISUAL_BOX;
        v.size[0] = 1, v.size[1] = 2, v.size[2] = 3;
        SG_NEAR(check_surface(&v), 6.0, 1e-14, 1.0);
        v.kind = SG_VISUAL_ELLIPSOID;
        SG_NEAR(check_surface(&v), SG_PI, 2 * round, 1.0);
        v.kind = SG_VISUAL_SPHERE;
        SG_NEAR(check_surface(&v), SG_PI / 6, 2 * round, 1e-9);
        v.kind = SG_VISUAL_BEAM; // length 1, width 2, thickness 3
        SG_NEAR(check_surface(&v), 3.0 * (2.0 + SG_PI * polygon), 1e-12, 1.0);
        v.kind = SG_VISUAL_CAPSULE;
        v.size[0] = 2, v.size[1] = 3;
        SG_NEAR(check_surface(&v), SG_PI * (3.0 + 4.0 / 3.0), 2 * round, 1.0);
        v.kind = SG_VISUAL_CYLINDER;
        v.size[2] = 0;
        SG_NEAR(check_surface(&v), 3.0 * SG_PI * polygon, 1e-12, 1.0);
        v.size[2] = 1;
        SG_NEAR(check_surface(&v), 3.0 * 0.75 * SG_PI * polygon, 1e-12, 1.0);
        v.kind = SG_VISUAL_CONE;
        SG_NEAR(check_surface(&v), SG_PI * polygon * (1 + 0.5 + 0.25), 1e-12, 1.0);
        v.kind = SG_VISUAL_SPRING; // a wire along a helix, length 2, diameter 3
        v.size[2] = 0.1, v.size[3] = 5;
        double path = hypot(2 * SG_PI * 1.45 * 5, 1.9);
        double wire = 0.5 * 10 * sin(2 * SG_PI / 10) * 0.05 * 0.05;
        SG_NEAR(check_surface(&v), path * wire, 2 * round, 1e-9);
        v.kind = SG_VISUAL_GEAR; // between the cylinders of its root and of its tips
        v.size[1] = 1, v.size[2] = 0.5, v.size[3] = 1.8, v.size[4] = 0.2, v.size[5] = 20;
        double gear = check_surface(&v), hole = SG_PI * 0.0625;
        SG_CHECK(gear > SG_PI * 0.81 * 0.95 - hole && gear < SG_PI - hole);
    }
}

SG_TEST(shapes_lie_where_the_model_puts_them)
{
    sg_visual v = {.kind = SG_VISUAL_CONE, .axis = 1, .size = {1, 2, 0.5}};
    sg_facets f;
    SG_CHECK(sg_facets_of(&f, &v, sg_allocator_default()));
    double low = 9, high = -9;
    for (size_t i = 0; i < f.vertex.len; i++) {
        low = fmin(low, f.vertex.data[i].y);
        high = fmax(high, f.vertex.data[i].y);
    }
    SG_CHECK(low == 0.0 && high == 2.0);
    sg_facets_free(&f);
}
