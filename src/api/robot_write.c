// A model with bodies on joints as a robot in URDF (segue/robot.h).
#include "api/model_internal.h"
#include "base/options.h"
#include "parts/part.h"
#include "parts/read.h"
#include "parts/solid.h"
#include "result/outfile.h"
#include "robots/urdf.h"
#include "segue/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct robot_taking {
    const sg_allocator *allocator;
    sg_arena arena;
    sg_diags *diags;
    const sg_model_object *m;
    const sg_part *part;
    const sg_tree *tree;
    sg_robot robot;
    uint32_t *of_body;   // link of a body
    uint32_t *of_object; // link of an object, or SG_ROBOT_NONE
    size_t prefix;       // of all names, which is left out
    bool failed;
} robot_taking;

static void refuse(robot_taking *t, sg_severity severity, const char *format, const char *name)
{
    t->failed |= severity == SG_ERROR;
    sg_diags_add(t->diags, severity, SG_E_ROBOT, (sg_span){0}, format, name);
}

// ---- names --------------------------------------------------------------------------------------

// The first part of all paths but that of the world, if they share one.
static size_t shared_prefix(const sg_part *part)
{
    const char *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const char *name = part->records.objects.data[i].name, *dot = strchr(name, '.');
        if ((int)i == part->records.world)
            continue;
        size_t length = dot ? (size_t)(dot - name) + 1 : 0;
        if (first && (length != n || strncmp(name, first, n) != 0))
            return 0;
        first = name;
        n = length;
    }
    return n;
}

static const char *plain_name(robot_taking *t, const char *path, const char *more)
{
    size_t skip = strlen(path) > t->prefix && strchr(path, '.') ? t->prefix : 0;
    size_t n = strlen(path + skip) + strlen(more) + 1;
    char *name = SG_NEW_ARRAY(&t->arena, char, n);
    if (!name)
        return "";
    snprintf(name, n, "%s%s", path + skip, more);
    for (char *c = name; *c; c++)
        *c = *c == '.' ? '_' : *c;
    return name;
}

// ---- links --------------------------------------------------------------------------------------

static sg_robot_place place_of(const sg_pose *p)
{
    return (sg_robot_place){.at = p->r, .turn = p->R};
}

// The z axis of URDF's round shapes along the axis of ours.
static sg_mat3 along(int axis)
{
    static const sg_mat3 turns[] = {{{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}},
                                    {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}},
                                    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    return turns[axis];
}

static bool take_form(robot_taking *t, const sg_part_shape *shape, const char *name,
                      sg_robot_shape *out)
{
    const double *s = shape->size.size;
    sg_value scale;
    out->place = (sg_robot_place){.turn = M3_IDENTITY};
    if (strcmp(shape->kind, "FileMesh") == 0) {
        out->form = SG_ROBOT_MESH;
        out->file = shape->file;
        out->size = (sg_vec3){1, 1, 1};
        if (sg_dict_get_sym((sg_dict *)(uintptr_t)shape->dict, sg_vm_sym(t->part->vm, "scale"),
                            &scale))
            (void)sg_value_vec3(scale, &out->size);
        return true;
    }
    if (!shape->solid || (shape->form != SG_SHAPE_BOX && shape->form != SG_SHAPE_SPHERE &&
                          shape->form != SG_SHAPE_CYLINDER && shape->form != SG_SHAPE_CAPSULE)) {
        refuse(t, SG_WARNING, "the shape of '%s' is none of URDF and left out", name);
        return false;
    }
    if (shape->form == SG_SHAPE_BOX) {
        out->form = SG_ROBOT_BOX;
        out->size = v3_from(s);
    } else if (shape->form == SG_SHAPE_SPHERE) {
        out->form = SG_ROBOT_SPHERE;
        out->size.x = 0.5 * s[0];
    } else {
        out->form = shape->form == SG_SHAPE_CYLINDER ? SG_ROBOT_CYLINDER : SG_ROBOT_CAPSULE;
        out->size = (sg_vec3){0.5 * s[0], s[1], 0.0};
        out->place.turn = along(shape->size.axis);
    }
    if (sg_part_is_hollow(shape))
        refuse(t, SG_WARNING, "the bore of '%s' is left out", name);
    return true;
}

// The shape of an object at the end of the list of a link.
static void add_shape(robot_taking *t, uint32_t link, int object, const sg_pose *pose)
{
    const sg_part_solid *solid = t->part->records.objects.data[object].solid;
    sg_robot_shape **end = &t->robot.links[link].shapes, *shape;
    if (!solid || !solid->shape || (!solid->visible && solid->n_convex == 0))
        return;
    shape = SG_NEW(&t->arena, sg_robot_shape);
    if (!shape)
        return;
    while (*end)
        end = &(*end)->next;
    *shape = (sg_robot_shape){.collides = solid->n_convex > 0,
                              .seen = solid->visible && solid->look.transparency < 1.0,
                              .has_color = !solid->plain,
                              .groups = 1,
                              .partners = 1};
    for (int k = 0; k < 3; k++)
        shape->color[k] = solid->look.rgb[k] / 255.0;
    shape->color[3] = 1.0 - solid->look.transparency;
    if (!take_form(t, solid->shape, t->part->records.objects.data[object].name, shape))
        return;
    sg_robot_place place = place_of(pose);
    shape->place = (sg_robot_place){.at = v3_add(place.at, m3_mul_v(&place.turn, shape->place.at)),
                                    .turn = m3_mul(place.turn, shape->place.turn)};
    *end = shape;
}

static uint32_t add_link(robot_taking *t, const char *name, int object)
{
    uint32_t index = t->robot.n_links++;
    sg_robot_link *link = &t->robot.links[index];
    *link = (sg_robot_link){.name = name, .joint = SG_ROBOT_NONE};
    if (object < 0)
        return index;
    const sg_mass *mass = &t->part->records.declared.data[object].mass;
    link->mass = mass->m;
    link->center = mass->c;
    link->inertia = mass->I_CM;
    t->robot.total_mass += mass->m;
    t->of_object[object] = index;
    sg_pose here = POSE_IDENTITY;
    add_shape(t, index, object, &here);
    return index;
}

static sg_robot_joint *add_joint(robot_taking *t, const char *name, uint32_t parent, uint32_t child,
                                 sg_robot_place place)
{
    sg_robot_joint *j = &t->robot.joints[t->robot.n_joints];
    *j = (sg_robot_joint){.name = name,
                          .parent = parent,
                          .child = child,
                          .place = place,
                          .axis = {0, 0, 1},
                          .mimics = SG_ROBOT_NONE};
    t->robot.links[child].joint = t->robot.n_joints++;
    return j;
}

// ---- joints -------------------------------------------------------------------------------------

// A number of the model, such as that of a part on the flange; false if it has none of this name.
static bool number_of(const robot_taking *t, const char *path, const char *rest, double *out)
{
    char name[400];
    sg_value value;
    if (snprintf(name, sizeof name, "%s%s", path, rest) >= (int)sizeof name)
        return false;
    return sg_instance_value(&t->m->instance, sg_vm_sym(t->part->vm, name), &value) &&
           sg_value_number(value, out);
}

static const char *name_of_var(const robot_taking *t, uint32_t var)
{
    const sg_flat *flat = &t->m->instance.flat;
    return sg_sym_text(flat->symbols, flat->vars.data[var].name);
}

// Does connecting make these two variables equal?
static bool is_alias(const sg_flat *flat, const sg_flat_eq *eq, uint32_t *a, uint32_t *b)
{
    *a = eq->lhs.i ? sg_expr_var_of(&flat->exprs, eq->lhs).i : 0;
    *b = eq->rhs.i ? sg_expr_var_of(&flat->exprs, eq->rhs).i : 0;
    return *a && *b;
}

// The joint whose flange the part `path`_mimic leads from: variables that are equal to that of its
// flange a, until one is that of a joint. Null if there is none.
static const sg_part_joint *leader_of(robot_taking *t, const char *path)
{
    const sg_flat *flat = &t->m->instance.flat;
    bool *seen = SG_NEW_ARRAY(&t->arena, bool, flat->vars.len + 1), more = true;
    size_t n = strlen(path);
    for (uint32_t v = 1; seen && v < flat->vars.len; v++) {
        const char *name = name_of_var(t, v);
        seen[v] = strncmp(name, path, n) == 0 &&
                  (strcmp(name + n, "_mimic.a.phi") == 0 || strcmp(name + n, "_mimic.a.s") == 0);
    }
    while (seen && more) { // each pass finds one more, or it was the last
        more = false;
        for (size_t i = 0; i < flat->eqs.len; i++) {
            uint32_t a, b;
            if (is_alias(flat, &flat->eqs.data[i], &a, &b) && seen[a] != seen[b])
                seen[a] = seen[b] = more = true;
        }
    }
    for (size_t i = 0; seen && i < t->part->built.joints.len; i++) {
        const sg_part_joint *j = &t->part->built.joints.data[i];
        const char *own = sg_vm_text(t->part->vm, j->path);
        size_t length = strlen(own);
        for (uint32_t v = 1; v < flat->vars.len; v++) {
            const char *name = seen[v] ? name_of_var(t, v) : "";
            if (strncmp(name, own, length) == 0 && strncmp(name + length, ".flange.", 8) == 0)
                return j;
        }
    }
    return NULL;
}

// Who leads whom is known once all joints have their numbers.
static void take_mimics(robot_taking *t)
{
    for (size_t i = 0; i < t->part->built.joints.len && !t->arena.failed; i++) {
        const sg_part_joint *own = &t->part->built.joints.data[i];
        const char *path = sg_vm_text(t->part->vm, own->path);
        double multiplier, offset = 0.0;
        if (own->body < 0 || !number_of(t, path, "_mimic.multiplier", &multiplier))
            continue;
        const sg_part_joint *other = leader_of(t, path);
        if (!other || other->body < 0) {
            refuse(t, SG_WARNING, "what joint '%s' mimics is left out", path);
            continue;
        }
        number_of(t, path, "_mimic.offset", &offset);
        sg_robot_joint *j = &t->robot.joints[t->robot.links[t->of_body[own->body]].joint];
        j->mimics = t->robot.links[t->of_body[other->body]].joint;
        j->multiplier = multiplier;
        j->offset = offset;
    }
}

// Parts that segue convert puts on flanges go back to where they came from.
static void take_parts(robot_taking *t, const char *path, sg_robot_joint *j)
{
    bool turns = j->motion == SG_ROBOT_REVOLUTE;
    double c = 0.0;
    number_of(t, path, "_damping.d", &j->damping);
    if (number_of(t, path, turns ? "_friction.tau_c" : "_friction.f_c", &j->friction))
        number_of(t, path, "_friction.d", &j->damping);
    j->limited = number_of(t, path, turns ? "_stops.phi_min" : "_stops.s_min", &j->lower) &&
                 number_of(t, path, turns ? "_stops.phi_max" : "_stops.s_max", &j->upper);
    if (j->limited && number_of(t, path, "_stops.c", &c))
        j->effort = c * (turns ? 0.01 : 1e-3);
}

static const sg_part_joint *joint_of_body(const robot_taking *t, int body)
{
    for (size_t i = 0; i < t->part->built.joints.len; i++)
        if (t->part->built.joints.data[i].body == body)
            return &t->part->built.joints.data[i];
    return NULL;
}

static void take_joint(robot_taking *t, int k)
{
    const sg_tree_body *b = &t->tree->body[k];
    const sg_part_joint *own = joint_of_body(t, k);
    const char *object = t->part->records.objects.data[b->root].name;
    const char *path = own ? sg_vm_text(t->part->vm, own->path) : object;
    bool several = own && sg_joint_n_steps(own->form) > 1;
    char step[16] = "";
    if (several)
        snprintf(step, sizeof step, "_%d", own->step + 1);
    sg_robot_joint *j = add_joint(t, plain_name(t, path, own ? step : "_joint"),
                                  t->of_body[b->parent], t->of_body[k], place_of(&b->place));
    j->axis = b->axis;
    switch (b->joint) {
    case SG_JOINT_REVOLUTE:
        j->motion = SG_ROBOT_REVOLUTE;
        break;
    case SG_JOINT_PRISMATIC:
        j->motion = SG_ROBOT_PRISMATIC;
        break;
    case SG_JOINT_FREE: { // it begins where the model does
        sg_pose parent = t->part->run->tree.link[b->parent].world,
                world = t->part->run->tree.link[k].world, back = pose_inverse(parent),
                there = pose_mul(back, world);
        j->motion = SG_ROBOT_FLOATING;
        j->place = place_of(&there);
        break;
    }
    case SG_JOINT_FIXED:
        j->motion = SG_ROBOT_FIXED;
        break;
    case SG_JOINT_HELICAL:
    case SG_JOINT_BALL:
    case SG_JOINT_BALL_REST:
        if (b->joint != SG_JOINT_BALL_REST)
            refuse(t, SG_ERROR, "URDF has no joint like '%s'", path);
        break;
    }
    if (own && !several && (j->motion == SG_ROBOT_REVOLUTE || j->motion == SG_ROBOT_PRISMATIC))
        take_parts(t, path, j);
}

// ---- the robot ----------------------------------------------------------------------------------

// A frame that segue convert made for a joint.
static bool holds_joint_only(const robot_taking *t, const char *name)
{
    for (size_t i = 0; i < t->part->built.joints.len; i++) {
        const char *path = sg_vm_text(t->part->vm, t->part->built.joints.data[i].path);
        size_t n = strlen(path);
        if (strncmp(name, path, n) == 0 && strcmp(name + n, "_at") == 0)
            return true;
    }
    return false;
}

// An object that is fixed to others of its body: a shape of the object that it was put on, or a
// link of its own.
static void take_member(robot_taking *t, int body, int object)
{
    const sg_tree_object *declared = &t->part->records.declared.data[object];
    const sg_part_object *o = &t->part->records.objects.data[object];
    uint32_t parent = t->of_body[body];
    sg_pose pose = t->tree->object[object].pose;
    if (declared->parent >= 0 && t->of_object[declared->parent] != SG_ROBOT_NONE &&
        t->tree->object[declared->parent].body == body && declared->joint == SG_JOINT_FIXED) {
        parent = t->of_object[declared->parent];
        pose = pose_mul(pose_inverse(t->tree->object[declared->parent].pose), pose);
    }
    bool shaped = o->solid && o->solid->shape;
    if (!(declared->mass.m > 0.0) && shaped) {
        add_shape(t, parent, object, &pose);
        return;
    }
    if (!(declared->mass.m > 0.0) && holds_joint_only(t, o->name))
        return;
    uint32_t link = add_link(t, plain_name(t, o->name, ""), object);
    add_joint(t, plain_name(t, o->name, "_fixed"), parent, link, place_of(&pose));
}

static void take_robot(robot_taking *t)
{
    const sg_tree *tree = t->tree;
    size_t room = (size_t)tree->n_objects + (size_t)tree->n_bodies + 1;
    t->robot.links = SG_NEW_ARRAY(&t->arena, sg_robot_link, room);
    t->robot.joints = SG_NEW_ARRAY(&t->arena, sg_robot_joint, room);
    t->of_body = SG_NEW_ARRAY(&t->arena, uint32_t, room);
    t->of_object = SG_NEW_ARRAY(&t->arena, uint32_t, room);
    if (t->arena.failed)
        return;
    for (size_t i = 0; i < room; i++)
        t->of_object[i] = SG_ROBOT_NONE;
    t->prefix = shared_prefix(t->part);
    for (int k = 0; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        const char *root = t->part->records.objects.data[b->root].name;
        bool whole = tree->object[b->root].body == k; // else between two steps of a joint
        char step[24] = "";
        if (!whole)
            snprintf(step, sizeof step, "_step%d", k);
        t->of_body[k] = add_link(t, plain_name(t, root, step), whole ? b->root : -1);
        if (k > 0)
            take_joint(t, k);
        for (int i = 0; whole && i < b->n_members; i++)
            if (tree->member[b->member + i] != b->root)
                take_member(t, k, tree->member[b->member + i]);
    }
    take_mimics(t);
}

static sg_status take_model(robot_taking *t, sg_model *model)
{
    t->m = model->live.model;
    if (t->m->n_parts != 1) {
        refuse(t, SG_ERROR, "the model has not one Model3D%s", "");
        return SG_ERR_MODEL;
    }
    sg_status status = sg_model_initialize(model);
    if (status != SG_OK)
        return status;
    t->part = t->m->parts[0];
    t->tree = t->part->segment.tree;
    const char *name = sg_vm_text(t->part->vm, t->m->instance.name);
    t->robot.name = sg_arena_text(&t->arena, name, strlen(name));
    if (t->part->segment.loops)
        refuse(t, SG_ERROR, "the joints close loops; URDF knows trees only%s", "");
    else
        take_robot(t);
    return t->arena.failed ? SG_ERR_MEMORY : t->failed ? SG_ERR_MODEL : SG_OK;
}

sg_status sg_robot_export(const sg_allocator *allocator, const char *model_path, const char *path,
                          const sg_robot_export_options *given, sg_diags *diags)
{
    sg_robot_export_options own = sg_robot_export_options_make();
    if (!model_path || !path || !sg_options_take(&own, sizeof own, given))
        return sg_misuse(diags, "sg_robot_export needs a model and the file to write");
    robot_taking t = {.allocator = sg_allocator_or_default(allocator), .diags = diags};
    sg_model_options options = sg_model_options_make();
    sg_model *model = NULL;
    sg_buf text;
    sg_arena_init(&t.arena, t.allocator);
    sg_buf_init(&text, t.allocator);
    options.name = own.model;
    options.record = false;
    options.modia3d_path = own.modia3d_path;
    options.allow_read = own.allow_read;
    options.n_allow_read = own.n_allow_read;
    sg_status status = sg_model_open_file(t.allocator, model_path, &options, diags, &model);
    if (status == SG_OK && !model->has_stop) {
        sg_model_experiment e = sg_model_experiment_make();
        e.stop = model->live.sim.start + 1.0;
        status = sg_model_set_experiment(model, &e);
    }
    if (status == SG_OK)
        status = take_model(&t, model);
    if (status == SG_OK) {
        sg_outfile file;
        sg_urdf_write(&t.robot, &text);
        status = text.failed ? SG_ERR_MEMORY : sg_outfile_open(&file, path, t.allocator, diags);
        if (status == SG_OK) {
            sg_outfile_write(&file, sg_buf_text(&text), text.len);
            status = sg_outfile_commit(&file, diags);
        }
    }
    sg_model_destroy(model);
    sg_buf_free(&text);
    sg_arena_destroy(&t.arena);
    return status;
}

sg_robot_export_options sg_robot_export_options_make(void)
{
    return (sg_robot_export_options){.size = sizeof(sg_robot_export_options)};
}
