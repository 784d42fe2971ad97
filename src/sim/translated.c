#include "sim/translated.h"

sg_status sg_translated_create(sg_translated *t, const sg_allocator *allocator, sg_flat *flat,
                               const sg_compile_options *options, sg_diags *diags)
{
    *t = (sg_translated){.allocator = allocator, .flat = flat, .options = *options};
    sg_status status = SG_OK;
    if (!sg_translated_choice(t, NULL, 0, diags, &status))
        return status;
    t->n_translations++;
    return SG_OK;
}

void sg_translated_destroy(sg_translated *t)
{
    const sg_allocator *allocator = t->allocator;
    if (!allocator)
        return;
    for (size_t i = 0; i < t->choices.len; i++) {
        sg_state_choice_destroy(t->choices.data[i]);
        allocator->resize(allocator->context, t->choices.data[i], sizeof(sg_state_choice), 0);
    }
    SG_VEC_FREE(allocator, &t->choices);
}

bool sg_translated_holds(const sg_translated *t) { return sg_translation_holds(t->flat); }

const sg_state_choice *sg_translated_choice(sg_translated *t, const signed char *preference,
                                            uint32_t n, sg_diags *diags, sg_status *status)
{
    const sg_allocator *allocator = t->allocator;
    for (size_t i = 0; i < t->choices.len; i++)
        if (sg_state_choice_has(t->choices.data[i], preference, n))
            return t->choices.data[i];
    if (t->complete) {
        *status = SG_ERR_MODEL;
        return NULL;
    }
    sg_state_choice *choice = allocator->resize(allocator->context, NULL, 0, sizeof *choice);
    *status = SG_ERR_MEMORY;
    if (!choice)
        return NULL;
    bool others = t->choices.len > 0;
    *status = sg_state_choice_create(choice, allocator, t->flat, &t->options,
                                     others ? t->choices.data[0] : NULL, others ? preference : NULL,
                                     n, diags);
    if (*status == SG_OK && SG_PUSH(allocator, &t->choices, choice))
        return choice;
    *status = *status ? *status : SG_ERR_MEMORY;
    sg_state_choice_destroy(choice);
    allocator->resize(allocator->context, choice, sizeof *choice, 0);
    return NULL;
}
