#include "shapes/shape_form.h"

#include "base/assert.h"
#include "harness/sg_test_math.h"
#include "shapes/support.h"

#include <string.h>

typedef struct listed_shape {
    const char *name, *keywords;
} listed_shape;

static const listed_shape listed[] = {
#define SG_SHAPE(NAME, name, Constructor, keywords) {#name, keywords},
#include "segue/shape_list.h"
};

static sg_solid_size standard_solid(int kind)
{
    sg_solid_size solid = {.kind = (sg_shape_kind)kind, .axis = 2};
    memcpy(solid.size, sg_shape_forms[kind]->standard, sizeof solid.size);
    return solid;
}

// Volume of a closed surface, by the tetrahedra that its triangles make with the origin.
static double volume_of(const sg_facets *f)
{
    double v = 0.0;
    for (size_t i = 0; i + 2 < f->corner.len; i += 3) {
        sg_vec3 a = f->vertex.data[f->corner.data[i]], b = f->vertex.data[f->corner.data[i + 1]];
        v += v3_dot(a, v3_cross(b, f->vertex.data[f->corner.data[i + 2]])) / 6.0;
    }
    return v;
}

SG_TEST(every_form_answers_every_question)
{
    SG_CHECK(SG_COUNT(listed) == SG_SHAPE_KINDS);
    for (int k = 0; k < SG_SHAPE_KINDS; k++) {
        const sg_shape_form *form = sg_shape_forms[k];
        SG_REQUIRE(form && form->support && form->support_piece && form->support_dd);
        SG_CHECK(form->curvature || !form->least_curvature);
        SG_CHECK(strcmp(sg_shape_kind_name((sg_shape_kind)k), listed[k].name) == 0);
        for (int i = 0; i < SG_SHAPE_SIZES && form->key[i]; i++)
            SG_CHECK_MSG(strstr(listed[k].keywords, form->key[i]) != NULL, "%s: %s is no keyword",
                         listed[k].name, form->key[i]);
        SG_CHECK(form->has_axis == (strstr(listed[k].keywords, "axis") != NULL));
        if (k == SG_SHAPE_MESH)
            continue;
        SG_CHECK_MSG(form->make && form->mass && form->facets && form->n_sizes > 0, "%s",
                     listed[k].name);
    }
}

// What collides, what is weighed and what is seen is the same body.
SG_TEST(collision_mass_and_picture_agree_for_every_form)
{
    sg_rng rng = sg_rng_seeded(91);
    for (int k = 0; k < SG_SHAPE_KINDS; k++) {
        const sg_shape_form *form = sg_shape_forms[k];
        const char *why = "";
        sg_solid_size solid = standard_solid(k);
        sg_shape shape;
        double volume = 0.0;
        if (!form->make)
            continue;
        SG_CHECK(sg_solid_check(&solid) == NULL);
        SG_REQUIRE(form->make(&solid, 0.0, &shape, &why) == SG_OK);
        SG_CHECK(shape.form == form && shape.kind == (sg_shape_kind)k);
        sg_mass m = {.m = 1.0};
        form->mass(&solid, 1.0, &m, &volume);
        SG_CHECK(v3_distance(m.c, sg_shape_centroid(&shape, &POSE_IDENTITY)) < 1e-14);
        sg_facets f = {.allocator = sg_allocator_default()};
        form->facets(&f, solid.size);
        // 32 corners of a circle hold 0.9936 of its area.
        SG_CHECK_MSG(volume_of(&f) < 1.0000001 * volume && volume_of(&f) > 0.97 * volume,
                     "%s: %g of %g", listed[k].name, volume_of(&f), volume);
        for (int i = 0; i < 200; i++) {
            sg_vec3 n = sg_rng_direction(&rng);
            uint32_t piece = UINT32_MAX;
            double h = v3_dot(n, sg_support(&shape, n, piece, &piece)) + shape.radius, most = -1e9;
            for (size_t j = 0; j < f.vertex.len; j++)
                most = fmax(most, v3_dot(n, f.vertex.data[j]));
            SG_CHECK_MSG(most <= h + 1e-13 && most > 0.97 * h - 0.01, "%s: %g seen, %g felt",
                         listed[k].name, most, h);
            sg_dd3 u = dd3_from(n);
            sg_dd3 p = form->support_dd(&shape, u, false);
            double h_dd = dd_to_double(dd3_dot(p, u)) + (form->dd_is_whole ? 0.0 : shape.radius);
            SG_CHECK(fabs(h_dd - h) < 1e-13);
        }
        sg_facets_free(&f);
    }
}

SG_TEST(sizes_that_make_no_body_are_refused_by_every_form)
{
    const double bad[] = {-1.0, 0.0, (double)NAN, (double)INFINITY};
    for (int k = 0; k < SG_SHAPE_KINDS; k++) {
        const sg_shape_form *form = sg_shape_forms[k];
        for (int i = 0; form->make && i < form->n_sizes; i++)
            for (int j = 0; j < 4; j++) {
                const char *why = NULL;
                sg_shape shape;
                sg_solid_size solid = standard_solid(k);
                solid.size[i] = bad[j];
                SG_CHECK(form->make(&solid, 0.0, &shape, &why) == SG_ERR_INPUT && why);
                if (!(bad[j] == 0.0 && form->may_vanish == i + 1))
                    SG_CHECK(sg_solid_check(&solid) != NULL);
            }
    }
}
