// PolygonalContactModel: pressure between two meshes as a force element (components3d.md 9.5).
#include "base/archive.h"
#include "base/assert.h"
#include "contact/polygon.h"
#include "elements/elements.h"
#include "multibody/measure.h"
#include "parts/host.h"
#include "parts/log.h"
#include "parts/solid.h"

#include <math.h>
#include <stddef.h>

// Deeper than this share of maxPenetration, faces may soon come out on the other side.
static const double warned_share = 0.9;
// Of the way that surfaces may move in a step: this share of maxPenetration.
static const double step_share = 0.5;

// A result signal: where its numbers are in a patch.
typedef struct patch_signal {
    const char *name, *unit;
    size_t place;
    bool vector, count;
} patch_signal;

#define NUMBER(name, unit, field)                                                                  \
    {                                                                                              \
        name, unit, offsetof(sg_polygon_patch, field), false, false                                \
    }
#define COUNT(name, field)                                                                         \
    {                                                                                              \
        name, "", offsetof(sg_polygon_patch, field), false, true                                   \
    }
#define VECTOR(name, unit, field)                                                                  \
    {                                                                                              \
        name, unit, offsetof(sg_polygon_patch, field), true, false                                 \
    }
static const patch_signal signals[] = {
    COUNT("numBVChecks", n_boxes),
    COUNT("numPenChecks", n_faces),
    COUNT("numPenetrations", n_hits),
    COUNT("numContactElements", n_elements),
    NUMBER("contactPatchArea", "m^2", area),
    NUMBER("weightedPenetration", "m", mean_depth),
    NUMBER("maxPenetration", "m", most_depth),
    NUMBER("minNormalVelocity", "m/s", least_normal),
    NUMBER("weightedNormalVelocity", "m/s", mean_normal),
    NUMBER("maxNormalVelocity", "m/s", most_normal),
    NUMBER("minTangentialVelocity", "m/s", least_tangential),
    NUMBER("weightedTangentialVelocity", "m/s", mean_tangential),
    NUMBER("maxTangentialVelocity", "m/s", most_tangential),
    NUMBER("weightedPressure", "Pa", mean_pressure),
    NUMBER("maxPressure", "Pa", most_pressure),
    NUMBER("weightedTraction", "Pa", mean_traction),
    NUMBER("maxTraction", "Pa", most_traction),
    VECTOR("weightedPosition", "m", position),
    VECTOR("weightedNormal", "", normal),
    VECTOR("forceVector", "N", force),
    VECTOR("torqueVector", "N*m", torque),
};
#undef NUMBER
#undef COUNT
#undef VECTOR
enum { N_SIGNALS = sizeof signals / sizeof *signals };

typedef struct polygonal {
    const char *path, *what;
    sg_span span;
    int object[2]; // E, F
    sg_polygon_law law;
    sg_polygon_surface surface[2];
    const char *name[N_SIGNALS];
    int32_t local[N_SIGNALS];
} polygonal;

typedef struct own_patch {
    sg_polygon_patch patch;
    sg_polygon_work work;
    sg_arena arena;
    double deepest; // of the run
    bool warned;
} own_patch;

static bool define(sg_part *part, void *data)
{
    static const double zero[3] = {0};
    polygonal *p = data;
    for (int i = 0; i < N_SIGNALS; i++)
        p->local[i] = sg_hidden_add_local(part->segment.hidden, p->name[i], signals[i].unit, zero,
                                          signals[i].vector ? 3 : 1, !signals[i].vector);
    return !part->segment.hidden->failed;
}

static sg_status begin(sg_part_state *s, const void *data, void *own)
{
    const polygonal *p = data;
    own_patch *o = own;
    if (o->arena.allocator)
        return SG_OK;
    sg_arena_init(&o->arena, s->part->allocator);
    bool ok = sg_polygon_work_init(&o->work, &p->surface[0], &p->surface[1], &o->arena);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

static void end(void *own)
{
    own_patch *o = own;
    if (o->arena.allocator)
        sg_arena_destroy(&o->arena);
    *o = (own_patch){0};
}

static void archive(void *own, sg_archive *a)
{
    own_patch *o = own;
    SG_ARCHIVE(a, o->deepest);
    SG_ARCHIVE(a, o->warned);
}

static sg_measured motion_of(const sg_part_eval *e, const polygonal *p)
{
    sg_view view = {p->object[0], p->object[0], p->object[0], 0.0};
    return sg_tree_measure(e->part->segment.tree, &e->state->tree, p->object[1], view);
}

static void push(const sg_part_eval *e, const polygonal *p, const sg_polygon_patch *patch,
                 sg_vec3 r)
{
    const sg_tree *tree = e->part->segment.tree;
    sg_tree_state *s = &e->state->tree;
    sg_mat3 R = sg_tree_object_pose(tree, s, p->object[0]).R;
    sg_vec3 f = m3_mul_v(&R, patch->force), n = m3_mul_v(&R, patch->torque);
    sg_vec3 arm = m3_mul_v(&R, r);
    sg_tree_apply(tree, s, p->object[0], (sg_force){v3_add(n, v3_cross(arm, f)), f});
    sg_tree_apply(tree, s, p->object[1], (sg_force){v3_neg(n), v3_neg(f)});
}

static sg_status apply(sg_part_eval *e, const void *data, void *own)
{
    const polygonal *p = data;
    own_patch *o = own;
    sg_measured m = motion_of(e, p);
    sg_polygon_motion motion = {m3_transpose(m.R), m.r, m.v, m.w};
    sg_polygon_contact(&p->surface[0], &p->surface[1], &p->law, &motion, e->mode == SG_MODE_RESULT,
                       &o->work, &o->patch);
    if (o->patch.n_elements > 0)
        push(e, p, &o->patch, m.r);
    return SG_OK;
}

// At each step and each point of the result: faces may go deep and come back between two points.
static void watch(const sg_part_eval *e, const polygonal *p, own_patch *o)
{
    o->deepest = fmax(o->deepest, o->patch.most_depth);
    if (o->warned || !(o->patch.most_depth > warned_share * p->law.largest) ||
        e->state != e->part->run)
        return;
    o->warned = true;
    sg_warning(e->state->diags, SG_E_FORCE, p->span,
               "%s: a face is %.3g m deep at time = %.10g s, more than 90 %% of maxPenetration; "
               "beyond that it feels nothing",
               p->what, o->patch.most_depth, e->time);
}

// The surfaces may approach each other, but not pass through the layer in one step.
static double bound(const sg_part_eval *e, const void *data, void *own)
{
    const polygonal *p = data;
    watch(e, p, own);
    sg_measured m = motion_of(e, p);
    const sg_polygon_surface *f = &p->surface[1];
    sg_vec3 middle = m3_tmul_v(&m.R, f->middle), arm = v3_add(m.r, middle);
    double gap = v3_norm(v3_sub(arm, p->surface[0].middle)) - p->surface[0].radius - f->radius;
    double room = step_share * p->law.largest + fmax(gap, 0.0);
    double reach = v3_norm(f->middle) + f->radius, spin = v3_norm(m.w);
    double speed = v3_norm(m.v) + spin * reach;
    double gain = v3_norm(m.a) + (v3_norm(m.z) + spin * spin) * reach;
    double sum = speed + sqrt(speed * speed + 2.0 * gain * room); // speed h + gain h^2/2 = room
    return sum > 0.0 ? 2.0 * room / sum : (double)INFINITY;
}

static sg_status store(sg_part_eval *e, const void *data, void *own)
{
    const polygonal *p = data;
    own_patch *o = own;
    sg_polygon_patch shown = o->patch;
    shown.force = v3_neg(shown.force); // on obj2
    shown.torque = v3_neg(shown.torque);
    watch(e, p, o);
    for (int i = 0; i < N_SIGNALS; i++) {
        const char *place = (const char *)&shown + signals[i].place;
        double number = signals[i].count ? *(const int *)(const void *)place : 0.0;
        const double *value = signals[i].count ? &number : (const double *)(const void *)place;
        sg_part_set_local(e, p->local[i], value, signals[i].vector ? 3 : 1);
    }
    return SG_OK;
}

// What the layers store comes back, but not all along the way it went in: all counts as taken.
static void account(const void *data, const void *own, sg_part_energy *out)
{
    (void)data;
    *out = (sg_part_energy){.taken = ((const own_patch *)own)->patch.power};
}

static void report(const void *data, const void *own, sg_diags *diags)
{
    const polygonal *p = data;
    double deepest = ((const own_patch *)own)->deepest;
    if (deepest > 0.0)
        sg_note(diags, p->span, "%s: the deepest penetration was %.6g m, %.3g %% of maxPenetration",
                p->what, deepest, 100.0 * deepest / p->law.largest);
    else
        sg_note(diags, p->span, "%s: the surfaces did not touch", p->what);
}

// ---- reading --------------------------------------------------------------------------------

static void read_object(sg_keywords *r, const char *key, int *object, const sg_triangles **out)
{
    *object = -1;
    *out = NULL;
    sg_read_object(r, key, object);
    if (!r->ok)
        return;
    const sg_part_object *o = *object < 0 ? NULL : &r->part->records.objects.data[*object];
    const sg_part_shape *shape = o && o->solid && o->solid->is_solid ? o->solid->shape : NULL;
    if (o && o->refused_solid)
        r->ok = false;
    else if (!shape || !shape->mesh)
        sg_read_fail(r, key, SG_E_FORCE, "%s must be an Object3D with a Solid of a FileMesh", key);
    else
        *out = &shape->mesh->surface;
}

// Names of the keywords of a body.
typedef struct layer_keys {
    const char *young, *poisson, *depth, *flip;
} layer_keys;

static const layer_keys keys[2] = {
    {"bodyE_YoungsModulus", "bodyE_PoissonsRatio", "bodyE_LayerDepth", "surfaceE_FlipFaces"},
    {"bodyF_YoungsModulus", "bodyF_PoissonsRatio", "bodyF_LayerDepth", "surfaceF_FlipFaces"}};

static void read_not_negative(sg_keywords *r, const char *key, double *out)
{
    *out = 0.0;
    sg_read_number(r, key, out);
    if (r->ok && !(*out >= 0.0))
        sg_read_fail(r, key, SG_E_FORCE, "%s must not be negative", key);
}

static double read_layer(sg_keywords *r, const layer_keys *k)
{
    double young, poisson = 0.0, depth;
    read_not_negative(r, k->young, &young);
    read_not_negative(r, k->depth, &depth);
    sg_read_number(r, k->poisson, &poisson);
    bool soft = young > 0.0 && depth > 0.0;
    if (r->ok && !(poisson >= 0.0 && poisson <= (soft ? 0.45 : 0.5)))
        sg_read_fail(r, k->poisson, SG_E_FORCE, "%s must lie between 0 and %s", k->poisson,
                     soft ? "0.45, as the layer has a depth" : "0.5");
    return sg_polygon_layer(young, poisson, depth);
}

static void replace(sg_keywords *r, const char *key, double *value, double standard)
{
    if (!r->ok || *value >= 1e-10)
        return;
    sg_warning(r->part->vm->diags, SG_E_FORCE, sg_read_span(r, key),
               "%s: %s = %g is too small; %g is used", r->what, key, *value, standard);
    *value = standard;
}

static void read_damping(sg_keywords *r, sg_polygon_law *law)
{
    int expansion_mode = 0, transition_mode = 0;
    sg_read_count(r, "expansionDampingMode", &expansion_mode);
    sg_read_count(r, "dampingTransitionMode", &transition_mode);
    read_not_negative(r, "compressionArealDampingFactor", &law->compression);
    read_not_negative(r, "expansionArealDampingFactor", &law->expansion);
    read_not_negative(r, "dampingTransitionDepth", &law->transition);
    if (expansion_mode == 1)
        law->expansion = 0.0;
    law->pulls = expansion_mode != 0;
    if (transition_mode == 1)
        replace(r, "dampingTransitionDepth", &law->transition, 1e-4);
    else
        law->transition = 0.0;
    read_not_negative(r, "frictionCoefficient", &law->friction);
    read_not_negative(r, "frictionRegularizationVelocity", &law->friction_starts);
    replace(r, "frictionRegularizationVelocity", &law->friction_starts, 1e-3);
}

static void read_law(sg_keywords *r, sg_polygon_law *law)
{
    sg_read_count(r, "task", &law->task);
    if (r->ok && (law->task < 1 || law->task > 3))
        sg_read_fail(r, "task", SG_E_FORCE, "task must be 1 (both surfaces), 2 or 3");
    sg_read_number(r, "maxPenetration", &law->largest);
    if (r->ok && !(law->largest > 0.0))
        sg_read_fail(r, "maxPenetration", SG_E_FORCE, "maxPenetration must be positive");
    double ce = read_layer(r, &keys[0]), cf = read_layer(r, &keys[1]);
    if (r->ok && ce == 0.0 && cf == 0.0)
        sg_read_fail(r, keys[1].young, SG_E_FORCE,
                     "one of the bodies must have a layer: YoungsModulus and LayerDepth above 0");
    // The softer layer yields more; where one is rigid, all is that of the other.
    law->stiffness = ce == 0.0 ? cf : cf == 0.0 ? ce : ce * cf / (ce + cf);
    law->ratio = cf / (ce + cf);
    read_damping(r, law);
}

static sg_status make_surfaces(sg_keywords *r, polygonal *p, const sg_triangles *const mesh[2])
{
    for (int i = 0; i < 2; i++) {
        bool flip = false;
        sg_read_flag(r, keys[i].flip, &flip);
        sg_status status = sg_polygon_surface_init(&p->surface[i], mesh[i], flip, p->law.largest,
                                                   &r->part->records.arena);
        if (status == SG_ERR_INPUT)
            sg_read_fail(r, i ? "obj2" : "obj1", SG_E_FORCE, "the mesh has no face with an area");
        if (status != SG_OK)
            return status == SG_ERR_MEMORY ? status : SG_ERR_MODEL;
    }
    return SG_OK;
}

sg_status sg_read_polygonal_contact(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    polygonal *p = SG_NEW(&part->records.arena, polygonal);
    const sg_triangles *mesh[2];
    if (!p)
        return SG_ERR_MEMORY;
    *p = (polygonal){.path = element->path, .what = r.what, .span = element->span};
    read_object(&r, "obj1", &p->object[0], &mesh[0]);
    read_object(&r, "obj2", &p->object[1], &mesh[1]);
    if (r.ok && p->object[0] == p->object[1])
        sg_read_fail(&r, "obj2", SG_E_FORCE, "obj1 and obj2 are the same object");
    read_law(&r, &p->law);
    if (!r.ok)
        return SG_ERR_MODEL;
    sg_status status = make_surfaces(&r, p, mesh);
    if (status != SG_OK)
        return status;
    for (int i = 0; i < N_SIGNALS; i++)
        p->name[i] = sg_arena_printf(&part->records.arena, "%s.%s", element->path, signals[i].name);
    for (int i = 0; i < 2; i++)
        part->records.objects.data[p->object[i]].has_force = true;
    sg_part_actor actor = {.data = p,
                           .own_size = sizeof(own_patch),
                           .kept_size = sizeof(sg_polygon_patch),
                           .archive = archive,
                           .define = define,
                           .begin = begin,
                           .end = end,
                           .apply = apply,
                           .bound = bound,
                           .store = store,
                           .account = account,
                           .report = report,
                           .needs = {p->object[0] + 1, p->object[1] + 1}};
    bool ok = !part->records.arena.failed && SG_PUSH(part->allocator, &part->records.actors, actor);
    return ok ? SG_OK : SG_ERR_MEMORY;
}
