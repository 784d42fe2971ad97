// For the tests of this folder: a part whose records are written by hand, and its functions called
// as the numeric program calls them.
#pragma once

#include "harness/sg_test.h"
#include "model3d/segment.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ARGUMENTS = 40 };

typedef struct machine {
    sg_symbols *symbols;
    sg_sources sources;
    sg_diags diags;
    sg_vm *vm;
    sg_part_host host;
    sg_hidden hidden;
    uint32_t n_visible;
    sg_value value;
    sg_part *part;
} machine;

static const sg_vm_hooks no_hooks;

static bool open_machine(machine *m)
{
    const sg_allocator *allocator = sg_allocator_default();
    memset(m, 0, sizeof *m);
    m->symbols = sg_symbols_create(allocator);
    sg_sources_init(&m->sources, allocator);
    sg_diags_init(&m->diags, allocator);
    m->vm =
        sg_vm_create(allocator, m->symbols, &m->sources, &m->diags, sg_limits_default(), &no_hooks);
    if (!m->vm || sg_part_make(m->vm, "part", (sg_span){0}, &m->value) != SG_OK)
        return false;
    sg_root_push(m->vm, m->value);
    m->part = sg_part_of(m->value);
    sg_part_clear_records(m->part);
    sg_hidden_init(&m->hidden, allocator);
    m->part->records.host = &m->host;
    m->part->segment.hidden = m->part->run->hidden = &m->hidden;
    m->part->segment.n_visible = m->part->run->n_visible = &m->n_visible;
    m->part->run->diags = &m->diags;
    return true;
}

static void close_machine(machine *m)
{
    sg_hidden_destroy(&m->hidden);
    sg_vm_destroy(m->vm);
    sg_diags_destroy(&m->diags);
    sg_sources_destroy(&m->sources);
    sg_symbols_destroy(m->symbols);
}

// An object that hangs rigidly on its parent, at r; a parent of -1 waits for a link, or is the
// world, which comes first.
static int add_object(machine *m, int parent, sg_vec3 r, sg_mass mass)
{
    sg_part *part = m->part;
    int index = (int)part->records.objects.len;
    const char *name = sg_arena_printf(&part->records.arena, "object%d", index);
    sg_part_object o = {.name = name, .has_parent = parent >= 0, .scene = index == 0};
    sg_tree_object body = {
        .name = name, .parent = parent, .place = {M3_IDENTITY, r}, .mass = mass, .order = index};
    SG_CHECK(SG_PUSH(part->allocator, &part->records.objects, o) &&
             SG_PUSH(part->allocator, &part->records.declared, body));
    if (index == 0)
        part->records.world = 0;
    return index;
}

// One that moves freely, with states of its own.
static int add_free(machine *m, int parent, sg_mass mass, const double start[12])
{
    int object = add_object(m, parent, V3_ZERO, mass);
    m->part->records.declared.data[object].joint = SG_JOINT_FREE;
    sg_part_free f = {.object = object, .in_object = true};
    memcpy(f.start, start, sizeof f.start);
    SG_CHECK(SG_PUSH(m->part->allocator, &m->part->records.frees, f));
    return object;
}

static void add_link(machine *m, int obj1, int obj2, sg_joint_kind kind, sg_vec3 axis, int tag)
{
    sg_part_link link = {.joint = {.name = "link",
                                   .obj1 = obj1,
                                   .obj2 = obj2,
                                   .kind = kind,
                                   .axis = axis,
                                   .place = POSE_IDENTITY,
                                   .tag = tag,
                                   .order = 1000 + (int)m->part->records.links.len},
                         .what = "link",
                         .world_known = true};
    SG_CHECK(SG_PUSH(m->part->allocator, &m->part->records.links, link));
}

// A joint with one coordinate that the equations see.
static void add_joint(machine *m, int obj1, int obj2, sg_joint_kind kind, sg_vec3 axis, bool flange)
{
    sg_part *part = m->part;
    const char *name = kind == SG_JOINT_REVOLUTE ? "Revolute" : "Prismatic";
    sg_part_joint joint = {.form = sg_joint_form_of(name),
                           .kind = kind,
                           .flange = flange,
                           .n_inputs = 2,
                           .obj2 = obj2};
    SG_CHECK(SG_PUSH(part->allocator, &part->built.joints, joint));
    part->built.n_given += flange;
    add_link(m, obj1, obj2, kind, axis, (int)part->built.joints.len);
}

static sg_status begin_segment(machine *m, bool first)
{
    if (first)
        SG_CHECK(sg_part_name_results(m->part));
    sg_hidden_clear(&m->hidden);
    return sg_part_build_segment(m->part, first);
}

// A call of one of the functions with numbers as arguments.
static sg_status call(sg_part_state *s, sg_part_function kind, sg_eval_mode mode, sg_events *events,
                      double time, const double *numbers, uint32_t n, double *result)
{
    double copy[MOST_ARGUMENTS];
    sg_operand args[MOST_ARGUMENTS];
    memcpy(copy, numbers, n * sizeof *copy);
    for (uint32_t i = 0; i < n; i++)
        args[i] = (sg_operand){sg_dims_scalar(SG_REAL), &copy[i]};
    sg_operand out = {sg_part_result_shape(s->part, kind), result};
    sg_extern_call c = {.args = args,
                        .n_args = n,
                        .results = &out,
                        .n_results = 1,
                        .time = time,
                        .mode = mode,
                        .events = events};
    sg_extern function = sg_part_state_extern(s, kind);
    return function.call(function.context, &c);
}

// Terms and accelerations of a part without flanges: q, v, q, v, ... -> accelerations of joints.
static sg_status evaluate(sg_part_state *s, sg_eval_mode mode, sg_events *events, double time,
                          const double *qv, double *a)
{
    double args[MOST_ARGUMENTS] = {time}, h[1];
    uint32_t n = 1 + 2 * (uint32_t)s->part->built.joints.len;
    memcpy(args + 1, qv, (n - 1) * sizeof *args);
    sg_status status = call(s, SG_PART_TERMS, mode, events, time, args, n, h);
    return status ? status : call(s, SG_PART_ACCELERATIONS, mode, events, time, h, 1, a);
}

static sg_mass lump(double m, sg_vec3 c, sg_vec3 moments)
{
    return (sg_mass){.m = m, .c = c, .I_CM = m3_diagonal(moments)};
}
