// What evaluations of a compiled model leave behind, put aside and back (integration/kept.h).
#include "sim/compiled_internal.h"

#include <math.h>
#include <string.h>

bool sg_compiled_remembers(void *user)
{
    const sg_compiled *c = user;
    return c->exec->kept || sg_components_remember(c->components);
}

sg_status sg_compiled_keep(void *user)
{
    sg_compiled *c = user;
    sg_exec_keep(c->exec);
    c->kept.t = c->t_last;
    if (c->bounds_steps && c->x_last)
        memcpy(c->kept.x, c->x_last, c->n_last * sizeof *c->kept.x);
    return sg_components_keep(c->components);
}

// What is asked of components before a step is asked of them as they were evaluated last. Those
// that cannot be put back are evaluated there once more.
static void evaluate_again(sg_compiled *c)
{
    bool moved = !(c->t_last == c->kept.t) ||
                 memcmp(c->x_last, c->kept.x, c->n_last * sizeof *c->kept.x) != 0;
    if (!moved || isnan(c->kept.t) || sg_components_are_kept(c->components))
        return;
    sg_compiled_evaluate(c, SG_MODE_RHS, c->events, c->kept.t, c->kept.x, NULL);
    sg_components_put_back(c->components);
}

void sg_compiled_put_back(void *user)
{
    sg_compiled *c = user;
    sg_components_put_back(c->components);
    if (c->bounds_steps && c->x_last && c->events) {
        evaluate_again(c);
        c->t_last = c->kept.t;
        memcpy(c->x_last, c->kept.x, c->n_last * sizeof *c->kept.x);
    }
    sg_exec_put_back(c->exec);
}
