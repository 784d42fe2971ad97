#include "sim/compiled_internal.h"

#include <string.h>

// Other states are better here: the run goes on with them. What goes wrong on the way is no reason
// to stop, since the present ones still serve.
sg_status sg_compiled_reselect(void *user, double t, const double *x, sg_sim_segment *next,
                               bool *changed)
{
    sg_compiled *compiled = user;
    const sg_state_choice *present = compiled->choices.present->choice;
    uint32_t n = present->n_preference;
    memset(compiled->choices.preference, 0, compiled->flat->vars.len);
    if (n)
        memcpy(compiled->choices.preference, present->preference, n);
    *changed = false;
    if (compiled->choices.end ||
        !sg_linked_choice_judge(compiled->choices.present, compiled->choices.preference))
        return SG_OK;
    sg_diags quiet;
    sg_diags_init(&quiet, compiled->allocator);
    sg_status status = SG_OK;
    sg_linked_choice *to =
        sg_compiled_find_choice(compiled, compiled->choices.preference,
                                (uint32_t)compiled->flat->vars.len, &quiet, &status);
    if (!to && status != SG_ERR_MEMORY) { // a reinit of what would be no state, for instance
        compiled->choices.end = true;
        sg_warning(compiled->diags, SG_E_NO_ODE_FORM, (sg_span){0},
                   "from time = %.10g s on other states would be better, since the present ones "
                   "come near a singularity, but the model has no form with them: %s",
                   t, quiet.len ? quiet.list[0].message : "");
    }
    sg_diags_destroy(&quiet);
    bool other = to && to != compiled->choices.present;
    if (other && next)
        status = sg_compiled_change_over(compiled, to, x, next);
    *changed = other && (!next || compiled->choices.present == to) && status == SG_OK;
    return status == SG_ERR_MEMORY ? status : SG_OK;
}

// The states that the run began with, whatever they are now.
sg_status sg_compiled_first_states(void *user, double t, const double *x, sg_sim_segment *next)
{
    (void)t;
    sg_compiled *compiled = user;
    if (compiled->choices.present != compiled->choices.first)
        return sg_compiled_change_over(compiled, compiled->choices.first, x, next);
    *next = compiled->model.segment;
    // Of a link and a description that may be gone; the run is over.
    next->crossings = (sg_sim_crossings){0};
    if (next->n_states)
        memcpy(compiled->segments.first_start, x, next->n_states * sizeof *x);
    return SG_OK;
}
