// A compiled model as part of a saved state: which states were chosen, what components consist of
// and remember, and what evaluations left in the program.
#include "base/archive.h"
#include "sim/compiled_internal.h"

// States other than those that a run begins with are a choice by preferences.
static sg_status archive_choice(sg_compiled *c, sg_archive *a)
{
    const sg_state_choice *choice = c->choices.present->choice;
    const uint32_t n_vars = (uint32_t)c->flat->vars.len;
    uint32_t n = choice->preference ? choice->n_preference : 0;
    bool first = c->choices.present == c->choices.first;
    sg_archive_section(a, "choice");
    SG_ARCHIVE(a, first);
    SG_ARCHIVE(a, c->choices.end);
    SG_ARCHIVE(a, n);
    if (a->failed || n > n_vars)
        return SG_ERR_INPUT;
    if (!sg_archive_reads(a)) {
        if (n)
            SG_ARCHIVE_ARRAY(a, choice->preference, n);
        return SG_OK;
    }
    if (n)
        SG_ARCHIVE_ARRAY(a, c->choices.preference, n);
    if (a->failed || first)
        return a->failed ? SG_ERR_INPUT : SG_OK;
    sg_status status = SG_OK;
    sg_linked_choice *to =
        sg_compiled_find_choice(c, n ? c->choices.preference : NULL, n, c->diags, &status);
    if (!to)
        return status == SG_ERR_MEMORY ? status : SG_ERR_INPUT;
    // The present values stand in for those that are read below.
    sg_arena scratch;
    sg_arena_init(&scratch, c->allocator);
    size_t n_x = (size_t)c->exec->at.n_x + sg_hidden_count(&c->hidden);
    double *x = SG_NEW_ARRAY(&scratch, double, n_x + 1);
    sg_sim_segment next;
    status = !x                         ? SG_ERR_MEMORY
             : to != c->choices.present ? sg_compiled_change_over(c, to, x, &next)
                                        : SG_OK;
    sg_arena_destroy(&scratch);
    return status;
}

// Components define their segment again, from what they consist of.
static sg_status define_again(sg_compiled *c, const double *hidden, sg_sim_segment *segment)
{
    sg_status status = SG_OK;
    if (c->define_hidden) {
        c->hidden.x = hidden;
        status = sg_compiled_define(c);
        c->hidden.x = NULL;
    }
    if (status == SG_OK)
        status = sg_compiled_describe(c, segment);
    if (status != SG_OK || c->choices.present != c->choices.first)
        return status;
    c->model.segment = *segment;
    return sg_compiled_keep_first(c, &c->model.segment);
}

// Hidden states; components may look at them when they define their segment.
static sg_status archive_hidden(sg_compiled *c, sg_archive *a, const double *x,
                                sg_sim_segment *segment)
{
    size_t n = sg_archive_count(a, sg_hidden_count(&c->hidden), sizeof *x);
    sg_arena scratch;
    sg_arena_init(&scratch, c->allocator);
    double *hidden = SG_NEW_ARRAY(&scratch, double, n + 1);
    for (size_t i = 0; hidden && x && i < n; i++)
        hidden[i] = x[c->exec->at.n_x + i];
    sg_status status = hidden ? SG_OK : SG_ERR_MEMORY;
    if (hidden && n)
        SG_ARCHIVE_ARRAY(a, hidden, n);
    if (status == SG_OK && sg_archive_reads(a)) {
        status = a->failed ? SG_ERR_INPUT : define_again(c, hidden, segment);
        if (status == SG_OK && n != sg_hidden_count(&c->hidden))
            status = SG_ERR_INPUT;
    }
    sg_arena_destroy(&scratch);
    return status;
}

sg_status sg_compiled_archive(void *user, sg_archive *a, const double *x, sg_sim_segment *segment)
{
    sg_compiled *c = user;
    if (!sg_archive_reads(a))
        a->refused = sg_components_unsaved(c->components);
    if (a->refused)
        return SG_ERR_USAGE;
    sg_status status = archive_choice(c, a);
    if (status == SG_OK)
        status = sg_components_archive_layout(c->components, a);
    if (status == SG_OK)
        status = archive_hidden(c, a, x, segment);
    if (status == SG_OK)
        status = sg_components_archive(c->components, a);
    if (status == SG_OK)
        sg_exec_archive(c->exec, a);
    return status;
}
