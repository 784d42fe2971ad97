// The public functions of segue/distance.h over collide.
#include "segue/distance.h"

#include "api/convex.h"
#include "base/arena.h"
#include "base/diags.h"
#include "base/options.h"
#include "collide/distance.h"
#include "collide/mpr.h"

// A shape with what it lives in.
typedef struct owned_shape {
    sg_shape shape; // first, so that one pointer serves both
    sg_mesh mesh;
    const sg_allocator *allocator;
} owned_shape;

struct sg_distance_query {
    sg_distance_query_options settings;
    sg_distance_options options;
    sg_distance_memory memory;
    sg_distance_work work;
    const sg_allocator *allocator;
};

static sg_status make_mesh(const sg_shape_spec *spec, owned_shape *c, const char **why)
{
    // The vertices are three doubles each, which is what sg_vec3 is.
    _Static_assert(sizeof(sg_vec3) == 3 * sizeof(double), "a vector is three doubles");
    const sg_vec3 *points = (const sg_vec3 *)(const void *)spec->vertices;
    if (!points || spec->n_vertices == 0) {
        *why = "the mesh is empty";
        return SG_ERR_INPUT;
    }
    sg_status status = spec->triangles && spec->n_triangles
                           ? sg_mesh_convex(c->allocator, points, spec->n_vertices, spec->triangles,
                                            spec->n_triangles, &c->mesh, why)
                           : sg_mesh_hull(c->allocator, points, spec->n_vertices, &c->mesh, why);
    return status ? status : sg_shape_mesh(&c->mesh, &c->shape, why);
}

static sg_status make_shape(const sg_shape_spec *spec, owned_shape *c, const char **why)
{
    if (spec->axis < 0 || spec->axis > 3) {
        *why = "the axis is none of 1, 2, 3";
        return SG_ERR_INPUT;
    }
    if ((int)spec->kind < 0 || (int)spec->kind >= SG_SHAPE_KINDS) {
        *why = "a kind of shape that does not exist";
        return SG_ERR_USAGE;
    }
    if (spec->kind == SG_SHAPE_MESH)
        return make_mesh(spec, c, why);
    sg_solid_size solid = sg_solid_of_spec(spec);
    return sg_shape_forms[solid.kind]->make(&solid, spec->smoothing, &c->shape, why);
}

sg_status sg_shape_create(const sg_allocator *allocator, const sg_shape_spec *spec, sg_diags *diags,
                          sg_shape **out)
{
    const char *why = "out of memory";
    allocator = sg_allocator_or_default(allocator);
    if (out)
        *out = NULL;
    if (!spec || !out)
        return sg_misuse(diags, "sg_shape_create needs a description of the shape, and a place for "
                                "it");
    owned_shape *c = allocator->resize(allocator->context, NULL, 0, sizeof *c);
    sg_status status = SG_ERR_MEMORY;
    if (c) {
        *c = (owned_shape){.allocator = allocator};
        status = make_shape(spec, c, &why);
        if (status == SG_OK)
            *out = &c->shape;
        else
            sg_shape_destroy(&c->shape);
    }
    if (status != SG_OK)
        sg_error(diags, status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_USAGE, (sg_span){0}, "%s",
                 why);
    return status;
}

void sg_shape_destroy(sg_shape *shape)
{
    owned_shape *c = (owned_shape *)(void *)shape;
    if (!c)
        return;
    sg_mesh_destroy(&c->mesh);
    c->allocator->resize(c->allocator->context, c, sizeof *c, 0);
}

double sg_shape_bound(const sg_shape *shape) { return shape ? shape->bound : 0.0; }

sg_distance_query_options sg_distance_query_options_make(void)
{
    sg_mpr_options mpr = sg_mpr_options_make();
    return (sg_distance_query_options){.size = sizeof(sg_distance_query_options),
                                       .mode = SG_DISTANCE_DEFAULT,
                                       .closed_forms = true,
                                       .warm_start = true,
                                       .mpr_tolerance = mpr.tolerance,
                                       .mpr_iterations = mpr.max_iterations};
}

sg_status sg_distance_query_create(const sg_allocator *allocator,
                                   const sg_distance_query_options *settings,
                                   sg_distance_query **out)
{
    allocator = sg_allocator_or_default(allocator);
    sg_distance_query_options o = sg_distance_query_options_make();
    bool fits = sg_options_take(&o, sizeof o, settings);
    settings = &o;
    if (!out)
        return SG_ERR_USAGE;
    *out = NULL;
    if (!fits || (int)settings->mode < 0 || settings->mode > SG_DISTANCE_PLAIN_MPR ||
        !(settings->mpr_tolerance >= 0.0) || settings->mpr_iterations < 0)
        return SG_ERR_USAGE;
    sg_distance_query *q = allocator->resize(allocator->context, NULL, 0, sizeof *q);
    *out = q;
    if (!q)
        return SG_ERR_MEMORY;
    q->allocator = allocator;
    q->settings = *settings;
    q->options = sg_distance_options_make();
    q->options.closed_forms = settings->closed_forms;
    sg_distance_query_reset(q);
    return SG_OK;
}

void sg_distance_query_destroy(sg_distance_query *query)
{
    if (query)
        query->allocator->resize(query->allocator->context, query, sizeof *query, 0);
}

void sg_distance_query_reset(sg_distance_query *query)
{
    if (!query)
        return;
    query->memory.valid = query->memory.inside = false; // nothing else in it counts then
    query->work.owner = NULL;
}

static sg_pose pose_of(const sg_placement *p)
{
    return (sg_pose){.R = m3_rows(v3_from(p->R), v3_from(p->R + 3), v3_from(p->R + 6)),
                     .r = v3_from(p->r)};
}

static void give(double delta, sg_vec3 n, sg_vec3 a, sg_vec3 b, sg_distance_answer *answer)
{
    answer->delta = delta;
    v3_store(n, answer->normal);
    v3_store(a, answer->a);
    v3_store(b, answer->b);
}

static sg_status ask_mpr(const sg_distance_query_options *settings, const sg_shape *a,
                         const sg_pose *pa, const sg_shape *b, const sg_pose *pb,
                         sg_distance_answer *answer)
{
    *answer = (sg_distance_answer){.delta = 0.0};
    sg_mpr_options options = sg_mpr_options_make();
    options.tolerance = settings->mpr_tolerance;
    options.max_iterations = settings->mpr_iterations;
    sg_mpr_result r;
    sg_status status = sg_mpr(a, pa, b, pb, &options, &r);
    answer->message = r.message;
    answer->phase2 = r.phase2;
    answer->phase3 = r.phase3;
    answer->iterations = r.phase2 + r.phase3;
    answer->error_bound = (double)INFINITY;
    if (status == SG_OK)
        give(r.delta, r.n, r.a, r.b, answer);
    return status;
}

static const char no_proof[] = "The depth is not proven to be the least one.";

sg_status sg_distance_between(sg_distance_query *query, const sg_shape *a,
                              const sg_placement *place_a, const sg_shape *b,
                              const sg_placement *place_b, sg_distance_answer *answer)
{
    if (answer)
        *answer = (sg_distance_answer){.message = "the query, a shape or a place is missing"};
    if (!query || !a || !place_a || !b || !place_b || !answer)
        return SG_ERR_USAGE;
    sg_pose pa = pose_of(place_a), pb = pose_of(place_b);
    if (query->settings.mode == SG_DISTANCE_PLAIN_MPR)
        return ask_mpr(&query->settings, a, &pa, b, &pb, answer);
    sg_distance_result r;
    sg_distance_memory *memory = query->settings.warm_start ? &query->memory : NULL;
    sg_status status =
        sg_signed_distance(a, &pa, b, &pb, &query->options, memory, &query->work, &r);
    answer->message = status == SG_OK && !r.certified ? no_proof : r.message;
    answer->iterations = r.iterations;
    answer->phase2 = r.stats.phase2;
    answer->phase3 = r.stats.phase3;
    answer->stage2 = r.stats.stage2;
    answer->support_points = r.stats.supports;
    answer->error_bound = r.certified ? r.gap : (double)INFINITY;
    give(r.delta, r.n, r.a, r.b, answer);
    return status;
}
