// What an evaluation finds and uses again in the next one, for states that are saved.
#include "base/archive.h"
#include "program/linked.h"

// Where Newton's method begins, and what corrections are measured by.
static void archive_space(sg_archive *a, const sg_space *space)
{
    if (!space->n)
        return;
    if (space->nominal)
        SG_ARCHIVE_ARRAY(a, space->nominal, space->n);
    if (space->last)
        SG_ARCHIVE_ARRAY(a, space->last, space->n);
}

static void archive_system(sg_archive *a, sg_system_work *work)
{
    bool can_untear = work->can_untear;
    SG_ARCHIVE(a, work->left.untorn);
    SG_ARCHIVE(a, work->left.solved);
    SG_ARCHIVE(a, work->left.anchored);
    SG_ARCHIVE(a, work->left.strayed);
    SG_ARCHIVE(a, work->left.vain);
    if (work->left.untorn && !can_untear) // of another model
        a->failed = true;
    work->left.untorn &= can_untear;
    archive_space(a, &work->torn);
    archive_space(a, &work->whole);
    if (work->seen && work->torn.n)
        SG_ARCHIVE_ARRAY(a, work->seen, work->torn.n);
    if (work->anchor && work->n_inner + work->torn.n) {
        SG_ARCHIVE_ARRAY(a, work->anchor, (size_t)work->n_inner + work->torn.n);
        SG_ARCHIVE_ARRAY(a, work->ahead, (size_t)work->n_inner + work->torn.n);
    }
    SG_ARCHIVE(a, work->left.passed_over);
    if (work->n_arguments) {
        SG_ARCHIVE_ARRAY(a, work->argument, work->n_arguments);
        SG_ARCHIVE_ARRAY(a, work->contrary, work->n_arguments);
    }
}

void sg_exec_archive(sg_exec *exec, sg_archive *a)
{
    sg_archive_section(a, "program");
    // Handles of objects are those of a process, and of the present link.
    for (size_t i = 1; i < exec->program->regs.len; i++)
        if (exec->shapes[i].num != SG_OPAQUE && sg_dims_count(exec->shapes[i]))
            SG_ARCHIVE_ARRAY(a, exec->w + exec->offsets[i], sg_dims_count(exec->shapes[i]));
    for (size_t k = 0; k < exec->program->systems.len; k++)
        archive_system(a, &exec->systems[k]);
    if (exec->handed.n_carried)
        SG_ARCHIVE_ARRAY(a, exec->handed.size, exec->handed.n_carried);
}
