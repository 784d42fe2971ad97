#include "segue/multibody.h"

#include "api/convex.h"
#include "base/diags.h"
#include "multibody/connect.h"
#include "multibody/dynamics.h"
#include "multibody/measure.h"
#include "multibody/mesh_mass.h"

#include <string.h>

enum { MOST_OBJECTS = 10000000 };

struct sg_multibody {
    const sg_allocator *allocator;
    sg_arena arena; // holds all below
    sg_tree *tree;
    sg_tree_state state;
};

static sg_mat3 matrix(const double *by_rows)
{
    return m3_rows(v3_from(by_rows), v3_from(by_rows + 3), v3_from(by_rows + 6));
}

static void store_matrix(sg_mat3 m, double *by_rows)
{
    for (int i = 0; i < 3; i++)
        v3_store(m3_row(&m, i), by_rows + 3 * i);
}

sg_multibody_object sg_multibody_object_make(const char *name, int parent, sg_multibody_joint joint)
{
    return (sg_multibody_object){.name = name,
                                 .parent = parent,
                                 .joint = joint,
                                 .axis = {0.0, 0.0, 1.0},
                                 .place = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
}

sg_status sg_multibody_set_shape(sg_multibody_object *object, const sg_shape_spec *shape,
                                 double mass)
{
    if (!object || !shape)
        return SG_ERR_USAGE;
    if ((int)shape->kind < 0 || (int)shape->kind >= SG_SHAPE_KINDS || shape->axis < 0 ||
        shape->axis > 3)
        return SG_ERR_INPUT;
    sg_solid_size solid = sg_solid_of_spec(shape);
    sg_mass m;
    double volume;
    const char *why;
    sg_status status = sg_mass_of_solid(&solid, mass, &m, &volume, &why);
    if (status)
        return status;
    if (shape->kind == SG_SHAPE_CONE)
        m.c = v3_add(m.c, v3_scale(v3_axis(solid.axis), shape->base));
    object->mass = m.m;
    v3_store(m.c, object->center);
    store_matrix(m.I_CM, object->inertia);
    return SG_OK;
}

static const sg_joint_kind joints[] = {[SG_MULTIBODY_FIXED] = SG_JOINT_FIXED,
                                       [SG_MULTIBODY_REVOLUTE] = SG_JOINT_REVOLUTE,
                                       [SG_MULTIBODY_PRISMATIC] = SG_JOINT_PRISMATIC,
                                       [SG_MULTIBODY_FREE] = SG_JOINT_FREE};

static bool is_joint(sg_multibody_joint joint)
{
    return (int)joint >= 0 && joint <= SG_MULTIBODY_FREE;
}

static sg_tree_object translate(const sg_multibody_object *o)
{
    return (sg_tree_object){.name = o->name ? o->name : "",
                            .parent = o->parent,
                            .joint = joints[o->joint],
                            .axis = v3_from(o->axis),
                            .place = {matrix(o->place.R), v3_from(o->place.r)},
                            .mass = {o->mass, v3_from(o->center), matrix(o->inertia)}};
}

static sg_status connect(sg_tree_object *own, sg_multibody_object *objects, int n, int world,
                         const sg_multibody_link *link, sg_diags *diags)
{
    static const sg_multibody_joint back[] = {[SG_JOINT_FIXED] = SG_MULTIBODY_FIXED,
                                              [SG_JOINT_REVOLUTE] = SG_MULTIBODY_REVOLUTE,
                                              [SG_JOINT_PRISMATIC] = SG_MULTIBODY_PRISMATIC,
                                              [SG_JOINT_FREE] = SG_MULTIBODY_FREE};
    sg_tree_joint joint = {.name = link->name ? link->name : "",
                           .obj1 = link->obj1,
                           .obj2 = link->obj2,
                           .kind = joints[link->joint],
                           .axis = v3_from(link->axis),
                           .place = {matrix(link->place.R), v3_from(link->place.r)}};
    for (int i = 0; i < n; i++)
        own[i] = translate(&objects[i]);
    sg_tree_forest forest;
    sg_arena scratch;
    sg_arena_init(&scratch, sg_allocator_default());
    sg_status status = sg_tree_forest_init(&forest, own, n, &scratch);
    if (status == SG_OK)
        status = sg_tree_connect(own, n, world, &joint, &forest, diags);
    sg_arena_destroy(&scratch);
    for (int i = 0; i < n && status == SG_OK; i++) {
        objects[i].parent = own[i].parent;
        objects[i].joint = back[own[i].joint];
        v3_store(own[i].axis, objects[i].axis);
        store_matrix(own[i].place.R, objects[i].place.R);
        v3_store(own[i].place.r, objects[i].place.r);
    }
    return status;
}

sg_status sg_multibody_set_mesh(sg_multibody_object *o, const double *vertices, size_t nv,
                                const uint32_t *triangles, size_t nt, double mass, sg_diags *diags)
{
    if (!o || (nv && !vertices) || (nt && !triangles) || nv > UINT32_MAX || nt > UINT32_MAX)
        return sg_misuse(diags,
                         "there is no object, no array of vertices or triangles, or too many "
                         "of them");
    sg_mass m;
    double volume;
    sg_arena scratch;
    sg_arena_init(&scratch, sg_allocator_default());
    sg_vec3 *points = SG_NEW_ARRAY(&scratch, sg_vec3, nv + 1);
    for (size_t i = 0; points && i < nv; i++)
        points[i] = v3_from(vertices + 3 * i);
    const char *why = "out of memory";
    sg_status status = SG_ERR_MEMORY;
    if (points)
        status =
            sg_mass_of_mesh(points, nv, triangles, nt, mass, &scratch, &m, &volume, NULL, &why);
    sg_arena_destroy(&scratch);
    if (status != SG_OK) {
        sg_error(diags, status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_USAGE, (sg_span){0}, "%s",
                 why);
        return status;
    }
    o->mass = m.m;
    v3_store(m.c, o->center);
    store_matrix(m.I_CM, o->inertia);
    return SG_OK;
}

static const char no_objects[] =
    "the number of objects is negative or above 10000000, or there is no array of them";
static const char no_joint[] = "there is no such kind of joint";

sg_status sg_multibody_connect(sg_multibody_object *objects, int n, int world,
                               const sg_multibody_link *link, sg_diags *diags)
{
    if (!objects || n < 1 || n > MOST_OBJECTS)
        return sg_misuse(diags, no_objects);
    if (!link || world < 0 || world >= n)
        return sg_misuse(diags, "the world is none of the objects, or there is no link");
    if (!is_joint(link->joint))
        return sg_misuse(diags, no_joint);
    for (int i = 0; i < n; i++) {
        if (!is_joint(objects[i].joint))
            return sg_misuse(diags, no_joint);
        if (objects[i].parent < -1 || objects[i].parent >= n)
            return sg_misuse(diags, "the parent of an object is none of the objects");
    }
    sg_arena scratch;
    sg_diags unheard;
    sg_arena_init(&scratch, sg_allocator_default());
    sg_diags_init(&unheard, sg_allocator_default());
    sg_tree_object *own = SG_NEW_ARRAY(&scratch, sg_tree_object, n);
    sg_status status = SG_ERR_MEMORY;
    if (own)
        status = connect(own, objects, n, world, link, diags ? diags : &unheard);
    sg_diags_destroy(&unheard);
    sg_arena_destroy(&scratch);
    return status;
}

static sg_status build(sg_multibody *s, const sg_multibody_object *objects, int n,
                       sg_multibody_gravity gravity, sg_diags *diags)
{
    static const sg_gravity_kind fields[] = {[SG_MULTIBODY_NO_GRAVITY] = SG_GRAVITY_NONE,
                                             [SG_MULTIBODY_UNIFORM] = SG_GRAVITY_UNIFORM,
                                             [SG_MULTIBODY_POINT] = SG_GRAVITY_POINT};
    if (n < 0 || n > MOST_OBJECTS || (n > 0 && !objects))
        return sg_misuse(diags, no_objects);
    if ((int)gravity.field < 0 || gravity.field > SG_MULTIBODY_POINT)
        return sg_misuse(diags, "there is no such kind of gravity field");
    sg_tree_object *own = SG_NEW_ARRAY(&s->arena, sg_tree_object, n + 1);
    if (!own)
        return SG_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        if (!is_joint(objects[i].joint))
            return sg_misuse(diags, no_joint);
        own[i] = translate(&objects[i]);
    }
    sg_gravity field = {fields[gravity.field], v3_from(gravity.g), gravity.mue};
    sg_status status = sg_tree_build(own, n, field, &s->arena, diags, &s->tree);
    return status ? status : sg_tree_state_init(s->tree, &s->arena, &s->state);
}

sg_status sg_multibody_create(const sg_allocator *allocator, const sg_multibody_object *objects,
                              int n, sg_multibody_gravity gravity, sg_diags *diags,
                              sg_multibody **out)
{
    if (!out)
        return sg_misuse(diags, "there is no place for the system");
    *out = NULL;
    allocator = sg_allocator_or_default(allocator);
    sg_multibody *s = allocator->resize(allocator->context, NULL, 0, sizeof *s);
    if (!s)
        return SG_ERR_MEMORY;
    *s = (sg_multibody){.allocator = allocator};
    sg_arena_init(&s->arena, allocator);
    sg_diags unheard;
    sg_diags_init(&unheard, allocator);
    sg_status status = build(s, objects, n, gravity, diags ? diags : &unheard);
    sg_diags_destroy(&unheard);
    if (status == SG_OK)
        *out = s;
    else
        sg_multibody_destroy(s);
    return status;
}

void sg_multibody_destroy(sg_multibody *s)
{
    if (!s)
        return;
    sg_arena_destroy(&s->arena);
    s->allocator->resize(s->allocator->context, s, sizeof *s, 0);
}

int sg_multibody_dof(const sg_multibody *s) { return s ? s->tree->n_dof : 0; }
int sg_multibody_bodies(const sg_multibody *s) { return s ? s->tree->n_bodies : 0; }

static bool has_object(const sg_multibody *s, int object)
{
    return s && object >= 0 && object < s->tree->n_objects;
}

int sg_multibody_body_root(const sg_multibody *s, int body)
{
    return s && body >= 0 && body < s->tree->n_bodies ? s->tree->body[body].root : -1;
}

int sg_multibody_body_of(const sg_multibody *s, int object)
{
    return has_object(s, object) ? s->tree->object[object].body : -1;
}

int sg_multibody_first(const sg_multibody *s, int object)
{
    if (!has_object(s, object))
        return -1;
    const sg_tree_body *b = &s->tree->body[s->tree->object[object].body];
    return b->root == object && b->dof > 0 ? b->first : -1;
}

sg_status sg_multibody_set_state(sg_multibody *s, const double *q, const double *v)
{
    if (!s || ((!q || !v) && s->tree->n_dof))
        return SG_ERR_USAGE;
    for (int i = 0; i < s->tree->n_dof; i++)
        if (!isfinite(q[i]) || !isfinite(v[i]))
            return SG_ERR_INPUT;
    sg_tree_kinematics(s->tree, &s->state, q, v);
    return SG_OK;
}

void sg_multibody_rates(const sg_multibody *s, double *qdot)
{
    if (s && qdot)
        sg_tree_rates(s->tree, &s->state, qdot);
}

int sg_multibody_switch_angles(sg_multibody *s, double *q)
{
    return s && q ? sg_tree_switch_sequences(s->tree, &s->state, q) : 0;
}

sg_status sg_multibody_pose(const sg_multibody *s, int object, sg_placement *pose)
{
    if (!has_object(s, object) || !pose)
        return SG_ERR_USAGE;
    sg_pose p = sg_tree_object_pose(s->tree, &s->state, object);
    store_matrix(p.R, pose->R);
    v3_store(p.r, pose->r);
    return SG_OK;
}

static sg_status store_motion(sg_motion m, double w[3], double v[3])
{
    v3_store(m.w, w);
    v3_store(m.v, v);
    return SG_OK;
}

sg_status sg_multibody_velocity(const sg_multibody *s, int object, double w[3], double v[3])
{
    if (!has_object(s, object) || !w || !v)
        return SG_ERR_USAGE;
    return store_motion(sg_tree_object_velocity(s->tree, &s->state, object), w, v);
}

sg_status sg_multibody_acceleration(const sg_multibody *s, int object, double z[3], double a[3])
{
    if (!has_object(s, object) || !z || !a)
        return SG_ERR_USAGE;
    return store_motion(sg_tree_frame_motion(s->tree, &s->state, object).A, z, a);
}

sg_status sg_multibody_jacobian(const sg_multibody *s, int object, double *J)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    return sg_multibody_point_jacobian(s, object, origin, J);
}

sg_status sg_multibody_point_jacobian(const sg_multibody *s, int object, const double point[3],
                                      double *J)
{
    if (!has_object(s, object) || !point || (!J && s->tree->n_dof))
        return SG_ERR_USAGE;
    sg_tree_jacobian(s->tree, &s->state, object, v3_from(point), J);
    return SG_OK;
}

static sg_status apply(sg_multibody *s, int object, sg_force force)
{
    if (!v3_is_finite(force.f) || !v3_is_finite(force.n))
        return SG_ERR_INPUT;
    sg_tree_apply(s->tree, &s->state, object, force);
    return SG_OK;
}

sg_status sg_multibody_apply(sg_multibody *s, int object, const double force[3],
                             const double moment[3])
{
    if (!has_object(s, object) || !force || !moment)
        return SG_ERR_USAGE;
    return apply(s, object, (sg_force){v3_from(moment), v3_from(force)});
}

sg_status sg_multibody_apply_at(sg_multibody *s, int object, const double point[3],
                                const double force[3])
{
    if (!has_object(s, object) || !point || !force)
        return SG_ERR_USAGE;
    sg_pose pose = sg_tree_object_pose(s->tree, &s->state, object);
    sg_vec3 f = v3_from(force), arm = pose_vector(&pose, v3_from(point));
    return apply(s, object, (sg_force){v3_cross(arm, f), f});
}

void sg_multibody_clear_forces(sg_multibody *s)
{
    if (s)
        sg_tree_clear_applied(s->tree, &s->state);
}

void sg_multibody_inverse(sg_multibody *s, const double *a, double *tau)
{
    if (s && ((a && tau) || !s->tree->n_dof))
        sg_tree_inverse(s->tree, &s->state, a, tau);
}

sg_status sg_multibody_reaction(const sg_multibody *s, int object, double moment[3],
                                double force[3])
{
    if (!has_object(s, object) || !moment || !force)
        return SG_ERR_USAGE;
    int body = s->tree->object[object].body;
    sg_force F = {V3_ZERO, V3_ZERO};
    if (body > 0 && s->tree->body[body].root == object)
        F = sg_tree_reaction(&s->state, body);
    v3_store(F.n, moment);
    v3_store(F.f, force);
    return SG_OK;
}

sg_status sg_multibody_forward(sg_multibody *s, const double *tau, double *a, sg_diags *diags)
{
    int bad = 0;
    if (!s || ((!tau || !a) && s->tree->n_dof))
        return sg_misuse(diags, "sg_multibody_forward needs a system, torques and accelerations");
    sg_status status = sg_tree_forward(s->tree, &s->state, tau, a, &bad);
    if (status)
        sg_error(diags, SG_E_SINGULAR_MOTION, (sg_span){0},
                 "the joint of object '%s' moves nothing that has inertia: give mass to what it "
                 "carries, or fix it",
                 s->tree->name[s->tree->body[bad].root]);
    return status;
}

void sg_multibody_mass_matrix(sg_multibody *s, double *M)
{
    if (s && (M || !s->tree->n_dof))
        sg_tree_mass_matrix(s->tree, &s->state, M);
}

sg_multibody_balance sg_multibody_balance_of(const sg_multibody *s)
{
    if (!s)
        return (sg_multibody_balance){0};
    sg_tree_balance b = sg_tree_balance_of(s->tree, &s->state);
    sg_multibody_balance out = {.kinetic = b.kinetic, .potential = b.potential};
    v3_store(b.momentum, out.momentum);
    v3_store(b.angular, out.angular);
    return out;
}
