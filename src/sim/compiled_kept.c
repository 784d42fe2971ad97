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
    c->last.kept.t = c->last.t;
    if (c->bounds_steps && c->last.x)
        memcpy(c->last.kept.x, c->last.x, c->last.n * sizeof *c->last.kept.x);
    return sg_components_keep(c->components);
}

sg_status sg_compiled_reserve(void *user)
{
    const sg_compiled *c = user;
    return sg_components_reserve(c->components);
}

// What is asked of components before a step is asked of them as they were evaluated last. Those
// that cannot be put back are evaluated there once more.
static void evaluate_again(sg_compiled *c)
{
    bool moved = !(c->last.t == c->last.kept.t) ||
                 memcmp(c->last.x, c->last.kept.x, c->last.n * sizeof *c->last.kept.x) != 0;
    if (!moved || isnan(c->last.kept.t) || sg_components_are_kept(c->components))
        return;
    sg_compiled_evaluate(c, SG_MODE_RHS, c->last.events, c->last.kept.t, c->last.kept.x, NULL);
    sg_components_put_back(c->components);
}

void sg_compiled_put_back(void *user)
{
    sg_compiled *c = user;
    sg_components_put_back(c->components);
    if (c->bounds_steps && c->last.x && c->last.events) {
        evaluate_again(c);
        c->last.t = c->last.kept.t;
        memcpy(c->last.x, c->last.kept.x, c->last.n * sizeof *c->last.kept.x);
    }
    sg_exec_put_back(c->exec);
}

bool sg_compiled_searches_results(void *user)
{
    return sg_exec_searches_results(((const sg_compiled *)user)->exec);
}
