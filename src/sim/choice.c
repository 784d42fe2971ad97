#include "sim/choice.h"

#include "equations/codegen.h"
#include "equations/reselect.h"

#include <math.h>
#include <string.h>

static bool prepare_judging(sg_state_choice *s)
{
    s->n_entries = sg_reselect_count(&s->structure);
    s->entry_exprs = SG_NEW_ARRAY(&s->arena, sg_expr_id, s->n_entries + 1);
    if (s->arena.failed)
        return false;
    sg_reselect_entries(&s->structure, s->entry_exprs);
    return true;
}

// What the program computes besides the variables: the entries that are judged, then both sides of
// the conditions at the start.
static const sg_expr_id *list_extras(sg_state_choice *s)
{
    const sg_structure *structure = &s->structure;
    sg_expr_id *all =
        SG_NEW_ARRAY(&s->arena, sg_expr_id, s->n_entries + 2 * structure->n_initial + 1);
    if (!all)
        return NULL;
    if (s->n_entries)
        memcpy(all, s->entry_exprs, s->n_entries * sizeof *all);
    for (uint32_t i = 0; i < structure->n_initial; i++) {
        all[s->n_entries + 2 * i] = structure->initial[i].left;
        all[s->n_entries + 2 * i + 1] = structure->initial[i].right;
    }
    return all;
}

sg_status sg_state_choice_create(sg_state_choice *s, const sg_allocator *allocator, sg_flat *flat,
                                 const sg_compile_options *options, const sg_state_choice *like,
                                 const signed char *preference, uint32_t n_preference,
                                 sg_diags *diags)
{
    *s = (sg_state_choice){.n_preference = n_preference};
    sg_arena_init(&s->arena, allocator);
    sg_translate_options translate = options->translate;
    if (preference) {
        s->preference = SG_NEW_ARRAY(&s->arena, signed char, n_preference + 1);
        if (!s->preference)
            return SG_ERR_MEMORY;
        memcpy(s->preference, preference, n_preference);
        translate.preference = s->preference;
        translate.n_preference = n_preference;
    }
    sg_status status = sg_translate(flat, &translate, &s->arena, diags, &s->structure);
    if (status == SG_OK)
        sg_components_rewrite(options->components, &flat->exprs, &s->structure, &s->arena,
                              like == NULL);
    if (status == SG_OK && !prepare_judging(s))
        status = SG_ERR_MEMORY;
    if (status != SG_OK)
        return status;
    sg_codegen_options codegen = sg_codegen_options_default();
    codegen.comparisons_are_events = !options->compat_comparisons;
    codegen.like = like ? like->program : NULL;
    codegen.extras = list_extras(s);
    codegen.n_extras = s->n_entries + 2 * s->structure.n_initial;
    if (!codegen.extras)
        return SG_ERR_MEMORY;
    return sg_codegen(&flat->exprs, &s->structure.blocks, &codegen, allocator, diags, &s->program);
}

void sg_state_choice_destroy(sg_state_choice *s)
{
    sg_program_destroy(s->program);
    sg_arena_destroy(&s->arena);
}

bool sg_state_choice_has(const sg_state_choice *s, const signed char *preference, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (preference[i] != (s->preference && i < s->n_preference ? s->preference[i] : 0))
            return false;
    return true;
}

sg_status sg_linked_choice_create(sg_linked_choice *s, const sg_allocator *allocator,
                                  const sg_state_choice *choice, const sg_extern *externs)
{
    *s = (sg_linked_choice){.choice = choice, .allocator = allocator};
    sg_arena_init(&s->arena, allocator);
    s->entries = SG_NEW_ARRAY(&s->arena, double, choice->n_entries + 1);
    s->work = SG_NEW_ARRAY(&s->arena, double, sg_reselect_work_size(&choice->structure));
    s->exec = sg_exec_create(allocator, choice->program, externs);
    return s->exec && !s->arena.failed ? SG_OK : SG_ERR_MEMORY;
}

void sg_linked_choice_destroy(sg_linked_choice *s)
{
    sg_exec_destroy(s->exec);
    sg_program_model_destroy(&s->base);
    sg_arena_destroy(&s->arena);
}

sg_status sg_linked_choice_link(sg_linked_choice *s, const sg_exec_source *source, const char *name,
                                uint32_t dae_min_size, sg_diags *diags)
{
    sg_program_model_destroy(&s->base);
    sg_status status = sg_exec_link(s->exec, source, diags);
    return status ? status
                  : sg_program_model_init(&s->base, s->allocator, s->exec, name, dae_min_size);
}

bool sg_linked_choice_judge(sg_linked_choice *s, signed char *preference)
{
    const sg_state_choice *choice = s->choice;
    for (uint32_t k = 0; k < choice->n_entries; k++) {
        sg_reg reg = choice->program->extra_regs[k];
        bool number = reg.i && sg_dims_count(s->exec->shapes[reg.i]) == 1;
        s->entries[k] = number ? s->exec->w[s->exec->offsets[reg.i]] : (double)NAN;
    }
    return choice->n_entries &&
           sg_reselect_states(&choice->structure, s->entries, s->work, preference);
}
