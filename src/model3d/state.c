// What changes while a part is evaluated: memory of a segment and of a run.
#include "elements/balance.h"
#include "model3d/kept.h"
#include "model3d/reactions.h"
#include "model3d/segment.h"
#include "parts/impulse.h"
#include "parts/loops.h"

#include <string.h>

void sg_part_state_init(sg_part_state *s, const sg_part *part)
{
    *s = (sg_part_state){.part = part};
    sg_arena_init(&s->arena, part->allocator);
    sg_arena_init(&s->lasting, part->allocator);
    s->eval = (sg_part_eval){.part = part, .state = s};
    for (int k = 0; k < SG_PART_N_FUNCTIONS; k++)
        s->entries[k] = (sg_part_entry){.state = s, .kind = (sg_part_function)k};
}

// An actor that fails to begin is ended like the others.
sg_status sg_part_state_begin_actors(sg_part_state *s)
{
    const sg_part *part = s->part;
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        if (s->n_begun <= i)
            s->n_begun = i + 1;
        sg_status status = actor->begin ? actor->begin(s, actor->data, s->own[i]) : SG_OK;
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

void sg_part_state_end_actors(sg_part_state *s)
{
    const sg_part *part = s->part;
    while (s->n_begun > 0) {
        const sg_part_actor *actor = &part->records.actors.data[--s->n_begun];
        if (actor->end)
            actor->end(s->own[s->n_begun]);
    }
}

void sg_part_report_elements(const sg_part *part, sg_diags *diags)
{
    const sg_part_state *s = part->run;
    for (size_t i = 0; s && i < s->n_begun; i++)
        if (part->records.actors.data[i].report)
            part->records.actors.data[i].report(part->records.actors.data[i].data, s->own[i],
                                                diags);
}

void sg_part_state_free(sg_part_state *s)
{
    sg_part_state_end_actors(s);
    sg_part_free_kept(s);
    sg_arena_destroy(&s->arena);
    sg_arena_destroy(&s->lasting);
}

// What actors own stays their own as long as the run.
static bool begin_own(sg_part_state *s)
{
    const sg_part *part = s->part;
    s->own = SG_NEW_ARRAY(&s->lasting, void *, part->records.actors.len + 1);
    for (size_t i = 0; s->own && i < part->records.actors.len; i++) {
        size_t size = part->records.actors.data[i].own_size;
        s->own[i] = size ? sg_arena_alloc(&s->lasting, size, _Alignof(max_align_t)) : NULL;
        if (s->own[i])
            memset(s->own[i], 0, size);
    }
    return !s->lasting.failed;
}

static bool allocate(sg_part_state *s)
{
    const sg_part *part = s->part;
    sg_arena *arena = &s->arena;
    size_t dof = (size_t)part->segment.tree->n_dof, n = part->built.n_given;
    s->q = SG_NEW_ARRAY(arena, double, dof + 1);
    s->v = SG_NEW_ARRAY(arena, double, dof + 1);
    s->a = SG_NEW_ARRAY(arena, double, dof + 1);
    s->tau = SG_NEW_ARRAY(arena, double, dof + 1);
    s->rotor = SG_NEW_ARRAY(arena, double, dof + 1);
    s->matrix = SG_NEW_ARRAY(arena, double, n *n + 1);
    s->a_given = SG_NEW_ARRAY(arena, double, part->built.joints.len + 1);
    s->ball_xzy = SG_NEW_ARRAY(arena, bool, part->built.joints.len + 1);
    s->inputs = SG_NEW_ARRAY(arena, double, part->built.ports.n[SG_PORT_INPUT] + 1);
    int n_pushes = part->segment.tree->n_bodies + part->segment.tree->n_objects;
    if (part->built.ports.n[SG_PORT_INPUT])
        s->pushes = SG_NEW_ARRAY(arena, sg_force, n_pushes);
    if (part->segment.loops)
        s->unlooped = SG_NEW_ARRAY(arena, sg_force, n_pushes);
    s->angles = SG_NEW_ARRAY(arena, sg_part_angles, part->records.frees.len + 1);
    s->resting = SG_NEW_ARRAY(arena, sg_motion, part->segment.n_resting + 1);
    if (sg_part_sums_needs(part) || part->records.programs.watches_loads) {
        s->needs = SG_NEW_ARRAY(arena, sg_force, part->segment.tree->n_objects);
        s->tree.by_object = SG_NEW_ARRAY(arena, sg_force, part->segment.tree->n_objects);
    }
    s->capture = part->records.programs.captures ? SG_NEW(arena, sg_part_impulses) : NULL;
    return !arena->failed && (!s->capture || sg_part_impulses_init(part, arena, s->capture));
}

static sg_status split_coordinates(sg_part_state *s)
{
    const sg_part *part = s->part;
    int n = 0, *given = SG_NEW_ARRAY(&s->arena, int, part->built.joints.len + 1);
    for (size_t j = 0; given && j < part->built.joints.len; j++)
        if (part->built.joints.data[j].flange && !part->segment.loops)
            given[n++] = part->built.joints.data[j].body;
    return given ? sg_tree_split_init(part->segment.tree, given, n, &s->arena, &s->split)
                 : SG_ERR_MEMORY;
}

sg_status sg_part_state_begin(sg_part_state *s, bool first)
{
    const sg_part *part = s->part;
    sg_arena_destroy(&s->arena);
    s->has_matrix = s->is_held = s->failed = false;
    s->feedback = NULL;
    s->held = NULL;
    s->islands = NULL;
    s->no_number = NULL;
    if (first) {
        sg_part_free_kept(s);
        sg_arena_destroy(&s->lasting);
        s->mattered = (sg_part_compat){0};
        if (!begin_own(s))
            return SG_ERR_MEMORY;
    }
    sg_status status = sg_tree_state_init(part->segment.tree, &s->arena, &s->tree);
    if (status == SG_OK &&
        (!allocate(s) || !sg_part_begin_sheet(s, first) || !sg_part_begin_loops(s)))
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        status = split_coordinates(s);
    for (size_t i = 0; status == SG_OK && i < part->records.frees.len; i++)
        s->tree.xzy[part->records.frees.data[i].body] = part->records.frees.data[i].start_xzy;
    return status;
}

sg_part_state *sg_part_state_create(const sg_part *part, sg_hidden *hidden, sg_diags *diags)
{
    const sg_allocator *allocator = part->allocator;
    sg_part_state *s = allocator->resize(allocator->context, NULL, 0, sizeof *s);
    if (!s)
        return NULL;
    sg_part_state_init(s, part);
    s->hidden = hidden;
    s->diags = diags;
    s->n_visible = part->segment.n_visible;
    if (sg_part_state_begin(s, true) == SG_OK && sg_part_state_begin_actors(s) == SG_OK)
        return s;
    sg_part_state_destroy(s);
    return NULL;
}

void sg_part_state_destroy(sg_part_state *s)
{
    if (!s)
        return;
    const sg_allocator *allocator = s->part->allocator;
    sg_part_state_free(s);
    allocator->resize(allocator->context, s, sizeof *s, 0);
}
