// Worlds of objects that were put together by hand: the part they make, poses, frames.
#include "base/assert.h"
#include "byhand/objects.h"
#include "elements/elements.h"
#include "lang/strip.h"
#include "parts/constructors3d.h"
#include "parts/evaluated.h"
#include "parts/values.h"

#include <math.h>
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

void sg_hand_mark_analysis(sg_vm *vm, sg_hand_analysis *a)
{
    sg_mark_value(vm, a->part);
    sg_mark_value(vm, a->scene);
    for (size_t i = 0; i < a->objects.len; i++)
        sg_mark_value(vm, a->objects.data[i]->element.self);
    for (size_t i = 0; i < a->joints.len; i++)
        sg_mark_value(vm, a->joints.data[i]->element.self);
}

void sg_hand_free_analysis(sg_vm *vm, sg_hand_analysis *a)
{
    if (a->link) {
        *a->link = a->next;
        if (a->next)
            a->next->link = a->link;
    }
    SG_VEC_FREE(vm->allocator, &a->objects);
    SG_VEC_FREE(vm->allocator, &a->joints);
    vm->allocator->resize(vm->allocator->context, a, sizeof *a, 0);
}

static sg_hand_analysis *new_analysis(sg_vm *vm, sg_hand_object *world)
{
    sg_hand_analysis *a = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *a);
    if (a)
        *a = (sg_hand_analysis){
            .world = world, .part = SG_VALUE_NOTHING, .scene = SG_VALUE_NOTHING, .open = true};
    return a;
}

// ---- reading ------------------------------------------------------------------------------------

static sg_status read_element(sg_vm *vm, sg_part *part, const sg_hand_element *e,
                              sg_element_reader *read)
{
    const char *kind = sg_vm_text(vm, e->keys->class_);
    sg_part_element element = {kind, sg_vm_text(vm, e->name), e->keys, e->span, e->order};
    return read(part, &element);
}

static sg_status read_objects(sg_vm *vm, sg_hand_analysis *a, sg_part *part)
{
    sg_status status = SG_OK;
    for (size_t i = 0; i < a->objects.len; i++) {
        sg_hand_object *o = a->objects.data[i];
        sg_status own = read_element(vm, part, &o->element, sg_read_object3d);
        if (own == SG_ERR_MEMORY)
            return own;
        status = status == SG_OK ? own : status;
        // Only poses are asked for, whatever the masses are; a free body must have some.
        sg_tree_object *body = &part->records.declared.data[i];
        body->mass = (sg_mass){0};
        if (body->joint == SG_JOINT_FREE)
            body->mass = (sg_mass){.m = 1.0, .I_CM = M3_IDENTITY};
    }
    return status;
}

// The world of the part is the one that the script names, and needs no Scene then.
static sg_status find_world(sg_vm *vm, sg_hand_object *world, sg_hand_analysis *a, sg_part *part,
                            sg_span span)
{
    int index = 0;
    while (a->objects.data[index] != world)
        index++;
    if (part->records.world >= 0 && part->records.world != index &&
        !part->records.objects.data[index].scene)
        return sg_raise(vm, "ErrorException", SG_E_TREE, span,
                        "%s is not the world: it is connected to '%s', which has the Scene",
                        sg_hand_name(vm, &world->element),
                        part->records.objects.data[part->records.world].name);
    part->records.world = index;
    part->records.objects.data[index].scene = true;
    return SG_OK;
}

static sg_status read_joints(sg_vm *vm, sg_hand_analysis *a, sg_part *part)
{
    for (size_t i = 0; i < a->joints.len; i++) {
        const sg_hand_joint *j = a->joints.data[i];
        const sg_hand_element *e = &j->element;
        bool moves = j->kind != SG_JOINT_FIXED;
        sg_part_joint joint = {.form = moves ? sg_joint_form_of(sg_hand_joint_class(j->kind)->name)
                                             : NULL,
                               .kind = j->kind,
                               .path = e->name,
                               .span = e->span,
                               .object = -1,
                               .cut = -1};
        if (moves && (!sg_map_put(&part->built.joint_by_path, e->name.i, part->built.joints.len) ||
                      !SG_PUSH(part->allocator, &part->built.joints, joint)))
            return SG_ERR_MEMORY;
        sg_status status = read_element(vm, part, e, moves ? sg_read_joint : sg_read_fix);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

static sg_status read_scene(sg_vm *vm, sg_value value, sg_part *part, sg_span span)
{
    sg_value scene;
    sg_status status = sg_evaluated(vm, value, &scene);
    if (status != SG_OK || value.tag == SG_NOTHING)
        return status;
    const sg_dict *dict = sg_is(scene, SG_OBJ_DICT) ? (const sg_dict *)scene.o : NULL;
    if (!dict || strcmp(sg_element_kind(vm, dict), "Scene") != 0)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, span,
                        "the second argument of initAnalysis! is a Scene(...)");
    sg_keywords r = {.part = part, .dict = dict, .what = "Scene", .span = span, .ok = true};
    sg_read_scene(&r);
    return r.ok ? SG_OK : SG_ERR_MODEL;
}

// The first mistake that readers reported since then becomes an exception that a script can catch.
static sg_status raise_reported(sg_vm *vm, size_t first, sg_span span)
{
    sg_diags *diags = vm->diags;
    const sg_diag *found = NULL;
    sg_diag mistake = {.code = SG_E_TREE, .span = span, .message = "these objects make no world"};
    size_t kept = first;
    for (size_t i = first; i < diags->len; i++) {
        sg_diag d = diags->list[i];
        if (d.severity != SG_ERROR) {
            diags->list[kept++] = d;
            continue;
        }
        mistake = found ? mistake : d;
        found = &mistake;
        diags->n_errors--;
    }
    diags->len = kept;
    return sg_raise(vm, "ErrorException", mistake.code, mistake.span, "%s", mistake.message);
}

// ---- coordinates --------------------------------------------------------------------------------

static void update_positions(sg_part *part)
{
    sg_tree_kinematics(part->segment.tree, &part->run->tree, part->run->q, part->run->v);
}

// Everybody knows where it went; joints and free objects stand as they did, or where they begin.
static void settle(sg_hand_analysis *a, sg_part *part)
{
    for (size_t i = 0; i < a->objects.len; i++) {
        sg_hand_object *o = a->objects.data[i];
        o->element.world = a->world;
        o->element.first = -1;
        o->index = (int)i;
    }
    for (size_t i = 0; i < part->records.frees.len; i++) {
        const sg_part_free *f = &part->records.frees.data[i];
        sg_hand_object *o = a->objects.data[f->object];
        if (!o->moved) {
            memcpy(o->element.q, f->start, 3 * sizeof *f->start);
            memcpy(o->element.q + 3, f->start + 6, 3 * sizeof *f->start);
        }
        part->run->tree.xzy[f->body] = o->xzy;
        o->element.first = f->first;
        memcpy(part->run->q + f->first, o->element.q, sizeof o->element.q);
    }
    for (size_t i = 0, k = 0; i < a->joints.len; i++) {
        sg_hand_joint *j = a->joints.data[i];
        j->element.world = a->world;
        if (j->kind == SG_JOINT_FIXED)
            continue;
        j->element.first = part->built.joints.data[k++].first;
        part->run->q[j->element.first] = j->element.q[0];
    }
    update_positions(part);
}

// A file that cannot be written is said before, not after all frames were made.
static sg_status begin_frames(sg_part *part)
{
    sg_span span;
    const sg_part_host *host = part->records.host;
    const char *file = sg_part_animation_file(part, &span);
    if (file && !host->check_only && !host->output(host->context, file, span))
        return SG_ERR_IO;
    return sg_part_begin_animation(part, 0.0, 0.0, 0.0);
}

static sg_status build(sg_vm *vm, const sg_args *args, sg_hand_object *world, sg_value scene,
                       sg_hand_analysis *a)
{
    sg_part_host *host = world->element.shop->host;
    sg_status status = sg_part_make(vm, "", world->element.span, &a->part);
    if (status != SG_OK || !sg_hand_gather(vm, world, a))
        return SG_ERR_MEMORY;
    sg_part *part = sg_part_of(a->part);
    sg_part_clear_records(part);
    part->records.host = host;
    part->built.by_hand = true;
    a->scene = scene.tag == SG_NOTHING ? world->feature : scene;
    if (!sg_hand_name_all(vm, a))
        return SG_ERR_MEMORY;
    size_t first = vm->diags->len;
    status = read_objects(vm, a, part);
    if (status == SG_OK)
        status = find_world(vm, world, a, part, args->span);
    if (status == SG_OK)
        status = read_scene(vm, scene, part, args->span);
    if (status == SG_OK)
        status = read_joints(vm, a, part);
    if (status == SG_OK)
        status = sg_part_join(part);
    if (status == SG_OK)
        status = sg_part_state_begin(part->run, true);
    if (status == SG_OK)
        status = begin_frames(part);
    if (status != SG_OK && status != SG_ERR_MEMORY && vm->exception.tag == SG_UNDEF)
        return raise_reported(vm, first, args->span);
    return status;
}

// ---- functions ----------------------------------------------------------------------------------

static sg_status begin(sg_vm *vm, const sg_args *args, const char *function, sg_value scene,
                       sg_hand_analysis **out)
{
    sg_hand_object *world = args->n ? sg_hand_object_of(args->v[0]) : NULL;
    if (!world)
        return sg_hand_raise_no_object(vm, function, args->span);
    if (world->parent)
        return sg_raise(vm, "ErrorException", SG_E_TREE, args->span,
                        "%s needs the world, but this Object3D has a parent", function);
    sg_hand_analysis *a = new_analysis(vm, world);
    if (!a)
        return SG_ERR_MEMORY;
    sg_status status = build(vm, args, world, scene, a);
    if (status != SG_OK) {
        sg_hand_free_analysis(vm, a);
        return status;
    }
    if (world->analysis)
        sg_hand_free_analysis(vm, world->analysis);
    sg_hand_shop *shop = world->element.shop;
    a->next = shop->first;
    a->link = &shop->first;
    if (a->next)
        a->next->link = &a->next;
    shop->first = world->analysis = a;
    settle(a, sg_part_of(a->part));
    *out = a;
    return SG_OK;
}

// initAnalysis!(world [, scene])
static sg_status init_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_hand_analysis *a;
    *out = SG_VALUE_NOTHING;
    sg_status status = sg_args_check_count(vm, args, "initAnalysis!", 1, 2);
    if (status == SG_OK)
        status = sg_args_check_keywords(vm, args, "initAnalysis!", NULL, 0);
    return status != SG_OK
               ? status
               : begin(vm, args, "initAnalysis!", args->n > 1 ? args->v[1] : SG_VALUE_NOTHING, &a);
}

// Is it being analyzed, and still as it was?
static sg_status check_open(sg_vm *vm, const sg_hand_analysis *a, const char *what, sg_span span)
{
    if (!a)
        return sg_raise(vm, "ErrorException", SG_E_BY_HAND, span,
                        "%s: initAnalysis!(world) comes first", what);
    const char *name = a->open && !a->outdated ? "" : sg_hand_name(vm, &a->world->element);
    if (!a->open)
        return sg_raise(vm, "ErrorException", SG_E_BY_HAND, span,
                        "%s: the analysis of %s was ended by closeAnalysis!; begin a new one with "
                        "initAnalysis!",
                        what, name);
    if (a->outdated)
        return sg_raise(vm, "ErrorException", SG_E_BY_HAND, span,
                        "%s: something was attached to %s after initAnalysis!; call it again", what,
                        name);
    return SG_OK;
}

// The analysis that a world, any object of it, or its Scene belongs to.
static sg_status find_analysis(sg_vm *vm, const sg_args *args, const sg_hand_shop *shop,
                               const char *function, sg_hand_analysis **out)
{
    sg_value value = args->n ? args->v[0] : SG_VALUE_NOTHING;
    const sg_hand_object *o = sg_hand_object_of(value);
    *out = NULL;
    if (!o && (!sg_is(value, SG_OBJ_DICT) ||
               strcmp(sg_element_kind(vm, (const sg_dict *)value.o), "Par") != 0))
        return sg_hand_raise_no_object(vm, function, args->span);
    if (o)
        *out = o->element.world ? o->element.world->analysis : NULL;
    for (sg_hand_analysis *a = shop->first; a && !o && !*out; a = a->next)
        *out = sg_value_identical(a->scene, value) ? a : NULL;
    return SG_OK;
}

// updatePosition!(world)
static sg_status update_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_hand_analysis *a;
    *out = SG_VALUE_NOTHING;
    sg_status status = sg_args_check_count(vm, args, "updatePosition!", 1, 1);
    if (status == SG_OK)
        status = find_analysis(vm, args, context, "updatePosition!", &a);
    if (status == SG_OK)
        status = check_open(vm, a, "updatePosition!", args->span);
    if (status == SG_OK)
        update_positions(sg_part_of(a->part));
    return status;
}

static sg_status add_frame(sg_vm *vm, sg_hand_analysis *a, double time, sg_span span)
{
    if (a->n_frames && time < a->last_time)
        return sg_raise(vm, "ArgumentError", SG_E_BY_HAND, span,
                        "visualize!: the time %g s lies before that of the last frame, %g s", time,
                        a->last_time);
    a->n_frames++;
    a->last_time = time;
    return sg_part_add_frame(sg_part_of(a->part), time);
}

// visualize!(world or scene, time)
static sg_status visualize_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_hand_analysis *a;
    sg_value plain;
    double time = 0.0;
    *out = SG_VALUE_NOTHING;
    sg_status status = sg_args_check_count(vm, args, "visualize!", 1, 2);
    if (status == SG_OK)
        status = find_analysis(vm, args, context, "visualize!", &a);
    if (status == SG_OK)
        status = check_open(vm, a, "visualize!", args->span);
    if (status == SG_OK && args->n > 1)
        status = sg_strip_to_si(vm, args->v[1], &plain);
    if (status == SG_OK && args->n > 1 && !(sg_value_number(plain, &time) && isfinite(time)))
        status = sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                          "visualize!(world, time) needs a time that is a finite number");
    return status == SG_OK ? add_frame(vm, a, time, args->span) : status;
}

static sg_status end(sg_vm *vm, sg_hand_analysis *a, sg_span span)
{
    const char *path;
    size_t first = vm->diags->len;
    a->open = false;
    if (a->world->element.shop->host->check_only)
        return SG_OK;
    sg_status status = sg_part_write_animation(sg_part_of(a->part), &path);
    return status == SG_OK || status == SG_ERR_MEMORY ? status : raise_reported(vm, first, span);
}

// closeAnalysis!(world or scene); a second time does nothing
static sg_status close_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_hand_analysis *a;
    *out = SG_VALUE_NOTHING;
    sg_status status = sg_args_check_count(vm, args, "closeAnalysis!", 1, 1);
    if (status == SG_OK)
        status = find_analysis(vm, args, context, "closeAnalysis!", &a);
    if (status == SG_OK && !a)
        return check_open(vm, a, "closeAnalysis!", args->span);
    return status == SG_OK && a->open ? end(vm, a, args->span) : status;
}

// visualizeWorld!(world; sceneOptions): one picture
static sg_status show_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    static const char *const keywords[] = {"scene", "sceneOptions"};
    sg_hand_analysis *a;
    sg_value scene = SG_VALUE_NOTHING;
    *out = SG_VALUE_NOTHING;
    sg_status status = sg_args_check_count(vm, args, "visualizeWorld!", 1, 2);
    if (status == SG_OK)
        status = sg_args_check_keywords(vm, args, "visualizeWorld!", keywords, SG_COUNT(keywords));
    if (args->n > 1 || args->n_kw > 0)
        scene = args->n > 1 ? args->v[1] : args->kwv[0];
    if (status == SG_OK)
        status = begin(vm, args, "visualizeWorld!", scene, &a);
    if (status == SG_OK)
        status = add_frame(vm, a, 0.0, args->span);
    return status == SG_OK ? end(vm, a, args->span) : status;
}

// ---- moving -------------------------------------------------------------------------------------

sg_status sg_hand_move(sg_vm *vm, sg_hand_element *e, const char *what, int at, const double *q,
                       int n, sg_span span)
{
    const sg_hand_analysis *a = e->world ? e->world->analysis : NULL;
    for (int i = 0; i < n; i++)
        if (!isfinite(q[i]))
            return sg_raise(vm, "ArgumentError", SG_E_JOINT, span,
                            "%s cannot be moved to %s; the number must be finite",
                            sg_hand_name(vm, e), isnan(q[i]) ? "NaN" : "infinity");
    sg_status status = a ? check_open(vm, a, what, span) : SG_OK;
    if (status != SG_OK)
        return status;
    memcpy(e->q + at, q, (size_t)n * sizeof *q);
    if (a && e->first >= 0)
        memcpy(sg_part_of(a->part)->run->q + e->first + at, q, (size_t)n * sizeof *q);
    return SG_OK;
}

static sg_status raise_wrong_joint(sg_vm *vm, const sg_args *args, const char *function,
                                   const sg_hand_joint *j)
{
    static const char *const instead[] = {
        [SG_JOINT_FIXED] = "; this is a Fix, which does not move",
        [SG_JOINT_REVOLUTE] = "; this is a Revolute, for which there is setAngle!",
        [SG_JOINT_PRISMATIC] = "; this is a Prismatic, for which there is setDistance!"};
    bool angle = strcmp(function, "setAngle!") == 0;
    return sg_raise(vm, "MethodError", SG_E_JOINT, args->span,
                    "%s moves a joint made by Modia3D.Composition.%s(...)%s", function,
                    angle ? "Revolute" : "Prismatic", j ? instead[j->kind] : "");
}

// setAngle!(revolute, phi), setDistance!(prismatic, s)
static sg_status set_coordinate(sg_vm *vm, const sg_args *args, sg_joint_kind kind, sg_value *out)
{
    bool angle = kind == SG_JOINT_REVOLUTE;
    const char *function = angle ? "setAngle!" : "setDistance!";
    sg_status status = sg_args_check_count(vm, args, function, 2, 2);
    *out = SG_VALUE_NOTHING;
    if (status != SG_OK)
        return status;
    sg_hand_joint *j = sg_hand_joint_of(args->v[0]);
    if (!j || j->kind != kind)
        return raise_wrong_joint(vm, args, function, j);
    status =
        sg_constructors3d_check_unit(vm, function, angle ? "phi" : "s", args->v[1], args->span);
    sg_value plain;
    double q;
    if (status == SG_OK)
        status = sg_strip_to_si(vm, args->v[1], &plain);
    if (status == SG_OK && !sg_value_number(plain, &q))
        status = sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                          "%s(joint, %s) needs a number", function, angle ? "phi" : "s");
    return status == SG_OK ? sg_hand_move(vm, &j->element, function, 0, &q, 1, args->span) : status;
}

static sg_status angle_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return set_coordinate(vm, args, SG_JOINT_REVOLUTE, out);
}

static sg_status distance_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return set_coordinate(vm, args, SG_JOINT_PRISMATIC, out);
}

bool sg_hand_register_world(sg_vm *vm, sg_module *module, sg_hand_shop *shop)
{
    static const struct {
        const char *name;
        sg_native_fn function;
    } table[] = {{"initAnalysis!", init_native},    {"setAngle!", angle_native},
                 {"setDistance!", distance_native}, {"updatePosition!", update_native},
                 {"visualize!", visualize_native},  {"closeAnalysis!", close_native},
                 {"visualizeWorld!", show_native}};
    for (size_t i = 0; i < SG_COUNT(table); i++)
        if (!sg_vm_offer(vm, module, table[i].name, table[i].function, shop, NULL))
            return false;
    return true;
}
