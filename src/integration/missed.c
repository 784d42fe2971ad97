// Conditions that changed without being located.
//
// Everything that an event decides about has to have been seen by the solver before: a condition
// that depends on more than time and states breaks that, silently. But what is off by rounding, or
// changes with a small part of the tolerances, is the noise of systems of equations, not a
// condition that was missed; the event decides about it as about anything else.
#include "integration/carry.h"
#include "integration/dying.h"
#include "integration/integration.h"

#include <math.h>

static sg_status crossings_here(sg_integration *g)
{
    g->env.carried = sg_carried_in(g, g->env.x);
    sg_status status = sg_sim_env_crossings(&g->env, g->t, g->env.x, g->env.events.z);
    g->env.carried = NULL;
    return status;
}

// A condition is missed from this part of the largest argument on.
#define MISSED_PART 1e-8

sg_status sg_integration_check_missed(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    uint32_t n = env->layout.n_positive;
    double late = sg_integration_hardly_any_time(g);
    sg_status status = n ? crossings_here(g) : SG_OK;
    for (uint32_t i = 0; !status && i < n && g->t - g->restarted > late; i++) {
        // What the solver saw of it may be off by the rounding of a projection.
        double slack = env->fixed ? 0.0 : MISSED_PART * env->bands[i].reach, z = env->events.z[i];
        bool beyond = env->events.positive[i] ? z < -slack : z > slack;
        if (!beyond || (g->event.found && g->event.found[i]) || sg_sim_env_has_no_side(env, i))
            continue;
        if (!env->fixed && sg_dying_is_noise(g, i, fabs(z))) {
            status = crossings_here(g);
            continue;
        }
        sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_MISSED_CROSSING,
                      "%s changed its sign before time = %.10g s without being located; does it "
                      "depend on something that is neither a state nor time?",
                      sg_integration_crossing_text(g, i), g->t);
        status = SG_ERR_SOLVER;
    }
    return status;
}
