// Action programs as part of a saved state: which command is next, what is waited for, the path
// that is under way, and joints that actions made.
#include "actions/action_functions.h"
#include "actions/actions.h"
#include "actions/hinge.h"
#include "model3d/saved.h"
#include "model3d/segment.h"

#include <math.h>
#include <string.h>

// A command by its number in the list, from 1; 0: none.
static size_t archive_command(const sg_actions *p, const sg_action *action, sg_archive *a)
{
    size_t number = action ? (size_t)(action - p->list.data) + 1 : 0;
    SG_ARCHIVE(a, number);
    if (number > p->list.len)
        a->failed = true;
    return a->failed ? 0 : number;
}

static sg_action *command(const sg_actions *p, size_t number)
{
    return number ? &p->list.data[number - 1] : NULL;
}

static sg_status archive_path(sg_actions *p, sg_archive *a)
{
    uint32_t n = p->n_signals, n_points = p->path ? p->path->n_points : 0;
    double start = p->path ? p->path->start_time : 0.0;
    SG_ARCHIVE(a, n_points);
    SG_ARCHIVE(a, start);
    if (sg_archive_count(a, (size_t)n_points * n, sizeof(double)) != (size_t)n_points * n)
        a->failed = true;
    if (a->failed || !n_points)
        return SG_OK;
    if (sg_archive_reads(a)) {
        sg_arena_destroy(&p->path_arena);
        double *points = SG_NEW_ARRAY(&p->path_arena, double, (size_t)n *n_points + 1);
        p->path = points ? sg_path_make(&p->path_arena, points, n_points, n, p->v_max, p->a_max,
                                        start, p->part->records.host->path_rows)
                         : NULL;
        p->now_time = (double)NAN;
        if (!p->path)
            return SG_ERR_MEMORY;
    }
    SG_ARCHIVE(a, p->path->end_time);
    sg_archive_bytes(a, (void *)(uintptr_t)p->path->positions,
                     (size_t)n_points * n * sizeof *p->path->positions);
    if (n_points > 1)
        SG_ARCHIVE_ARRAY(a, p->path->rows, n_points - 1);
    return SG_OK;
}

// The release in front of a command that captures has no place in the list.
static void archive_change(sg_actions *p, sg_archive *a)
{
    bool releases = p->do_ == &p->release;
    const sg_action *of = p->do_;
    for (size_t i = 0; releases && i < p->list.len; i++)
        if (p->list.data[i].part == p->release.part && p->list.data[i].freed)
            of = &p->list.data[i];
    SG_ARCHIVE(a, releases);
    size_t number = archive_command(p, releases && of == p->do_ ? NULL : of, a);
    if (!sg_archive_reads(a))
        return;
    const sg_action *action = command(p, number);
    p->do_ = action;
    if (releases && action) {
        p->release = (sg_action){.kind = SG_ACTION_RELEASE,
                                 .span = action->span,
                                 .part = action->part,
                                 .object = {action->object[0], -1, -1},
                                 .contacts = action->contacts};
        p->do_ = &p->release;
    }
}

static sg_status archive_program(sg_actions *p, sg_archive *a)
{
    size_t n = p->list.len;
    SG_ARCHIVE(a, n);
    if (n != p->list.len)
        return SG_ERR_INPUT;
    for (size_t i = 0; i < n; i++)
        SG_ARCHIVE(a, p->list.data[i].freed);
    SG_ARCHIVE(a, p->next);
    SG_ARCHIVE(a, p->next_time);
    SG_ARCHIVE(a, p->time);
    SG_ARCHIVE(a, p->waits);
    SG_ARCHIVE(a, p->made);
    SG_ARCHIVE(a, p->waiting_since);
    SG_ARCHIVE(a, p->met);
    SG_ARCHIVE(a, p->captured);
    SG_ARCHIVE(a, p->capture.impulse);
    SG_ARCHIVE(a, p->capture.angular);
    SG_ARCHIVE(a, p->capture.loss);
    SG_ARCHIVE(a, p->capture.frees);
    p->waiting = command(p, archive_command(p, p->waiting, a));
    p->capturing = command(p, archive_command(p, p->capturing, a));
    archive_change(p, a);
    if (p->next > n)
        a->failed = true;
    return a->failed ? SG_ERR_INPUT : archive_path(p, a);
}

// ---- joints that actions made -----------------------------------------------------------------

// Where a command is: in which program, and which one there.
static sg_status find_command(const sg_part *part, const sg_action *action, size_t *program,
                              size_t *number)
{
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        const sg_actions *p = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        if (action >= p->list.data && action < p->list.data + p->list.len) {
            *program = i;
            *number = (size_t)(action - p->list.data);
            return SG_OK;
        }
    }
    return SG_ERR_INTERNAL;
}

static sg_status archive_hinge(sg_part *part, size_t i, sg_archive *a)
{
    bool reads = sg_archive_reads(a);
    sg_part_hinge *old = reads ? NULL : &part->records.hinges.data[i];
    size_t program = 0, number = 0;
    int assembly = old ? old->assembly : 0;
    bool closes = old && old->closes;
    if (old && find_command(part, old->action, &program, &number) != SG_OK)
        return SG_ERR_INTERNAL;
    SG_ARCHIVE(a, program);
    SG_ARCHIVE(a, number);
    SG_ARCHIVE(a, assembly);
    SG_ARCHIVE(a, closes);
    if (a->failed || program >= part->records.programs.all.len || assembly < 0 ||
        (size_t)assembly >= part->records.objects.len)
        return SG_ERR_INPUT;
    if (reads) {
        const sg_actions *p = sg_actions_of(part->vm, part->records.programs.all.data[program]);
        if (number >= p->list.len || p->list.data[number].object[0] < 0 ||
            p->list.data[number].object[1] < 0)
            return SG_ERR_INPUT;
        sg_status status = sg_hinge_add(part, &p->list.data[number], assembly, closes, 0.0);
        if (status != SG_OK)
            return status;
    }
    sg_tree_joint *joint = &part->records.links.data[part->records.hinges.data[i].link].joint;
    SG_ARCHIVE(a, joint->axis);
    SG_ARCHIVE(a, joint->place);
    return SG_OK;
}

sg_status sg_part_archive_actions(sg_part *part, sg_archive *a)
{
    size_t n = part->records.programs.all.len;
    sg_status status = SG_OK;
    sg_archive_section(a, "actions");
    SG_ARCHIVE(a, n);
    if (n != part->records.programs.all.len)
        return SG_ERR_INPUT;
    for (size_t i = 0; i < n && status == SG_OK; i++)
        status = archive_program(sg_actions_of(part->vm, part->records.programs.all.data[i]), a);
    n = sg_archive_count(a, part->records.hinges.len, sizeof(sg_pose));
    for (size_t i = 0; i < n && status == SG_OK; i++)
        status = archive_hinge(part, i, a);
    return status;
}
