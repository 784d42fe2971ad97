// What evaluations leave for those that follow, put aside and back.
//
// Newton's method begins where the last solution was, corrections are measured by what unknowns
// have been, and a system that tearing did not serve stays untorn. An evaluation that is none of
// the run's own, for a result or out of curiosity, must not be felt in any of that: all is put
// back. Systems that only results depend on are left alone. The run never solves them, and each
// result begins where the one before ended.
#include "program/kept.h"

#include "base/assert.h"
#include "program/linked.h"

#include <string.h>

typedef struct kept_system {
    sg_system_left left;
    double cleared; // of the sparse matrix
} kept_system;

struct sg_exec_kept {
    double *numbers; // the workspace and sizes of what may be carried; then what systems remember
    double *results; // unknowns of systems that only results depend on
    bool *choices;   // of conditions: those that looked otherwise than they are
    kept_system *systems;
    sg_failure failure;
};

typedef struct remembered {
    double *data;
    uint32_t n;
} remembered;

enum { N_REMEMBERED = 8 };

static bool is_dynamic(const sg_exec *exec, uint32_t k)
{
    return exec->systems[k].end <= exec->steps.dynamics_end;
}

// Lists of numbers that a system uses again.
static void list_remembered(const sg_exec *exec, uint32_t k, remembered list[N_REMEMBERED])
{
    const sg_system_work *work = &exec->systems[k];
    bool linear = exec->program->systems.data[k].linear;
    uint32_t n = work->torn.n, whole = work->can_untear ? work->whole.n : 0;
    list[0] = (remembered){work->seen, n};
    list[1] = (remembered){work->torn.nominal, linear ? 0 : n};
    list[2] = (remembered){work->torn.last, linear ? 0 : n};
    list[3] = (remembered){work->whole.nominal, linear ? 0 : whole};
    list[4] = (remembered){work->whole.last, linear ? 0 : whole};
    list[5] = (remembered){work->anchor, work->anchor ? work->n_inner + n : 0};
    list[6] = (remembered){work->ahead, work->ahead ? work->n_inner + n : 0};
    list[7] = (remembered){work->argument, work->n_arguments};
}

static size_t count_remembered(const sg_exec *exec, uint32_t k)
{
    remembered list[N_REMEMBERED];
    size_t n = 0;
    list_remembered(exec, k, list);
    for (size_t i = 0; i < SG_COUNT(list); i++)
        n += list[i].n;
    return n;
}

// A system that only results depend on, and whose solution depends on where it is looked for.
static bool is_of_results(const sg_exec *exec, uint32_t k)
{
    return !is_dynamic(exec, k) && !exec->program->systems.data[k].linear;
}

bool sg_exec_searches_results(const sg_exec *exec)
{
    bool any = false;
    for (uint32_t k = 0; k < exec->program->systems.len; k++)
        any |= is_of_results(exec, k);
    return any;
}

bool sg_link_kept(sg_exec *exec)
{
    size_t n = exec->handed.n_carried ? exec->n_w + exec->handed.n_carried : 0, n_results = 0,
           n_systems = 0, n_choices = 0;
    for (uint32_t k = 0; k < exec->program->systems.len; k++) {
        bool dynamic = is_dynamic(exec, k);
        n += dynamic ? count_remembered(exec, k) : 0;
        n_systems += dynamic;
        n_choices += dynamic ? exec->systems[k].n_arguments : 0;
        n_results +=
            is_of_results(exec, k) ? exec->systems[k].n_inner + exec->systems[k].torn.n : 0;
    }
    exec->kept = NULL;
    if (!n_systems)
        return true;
    exec->kept = SG_NEW(&exec->arena, sg_exec_kept);
    if (!exec->kept)
        return false;
    exec->kept->numbers = SG_NEW_ARRAY(&exec->arena, double, n + 1);
    exec->kept->results = SG_NEW_ARRAY(&exec->arena, double, n_results + 1);
    exec->kept->choices = SG_NEW_ARRAY(&exec->arena, bool, n_choices + 1);
    exec->kept->systems = SG_NEW_ARRAY(&exec->arena, kept_system, exec->program->systems.len);
    return !exec->arena.failed;
}

// To `kept` or back.
static void copy_numbers(sg_exec *exec, bool back)
{
    double *at = exec->kept->numbers;
    bool *choices = exec->kept->choices;
    remembered list[N_REMEMBERED];
    if (exec->handed.n_carried) {
        memcpy(back ? exec->w : at, back ? at : exec->w, exec->n_w * sizeof *at);
        at += exec->n_w;
        size_t bytes = exec->handed.n_carried * sizeof *at;
        memcpy(back ? exec->handed.size : at, back ? at : exec->handed.size, bytes);
        at += exec->handed.n_carried;
    }
    for (uint32_t k = 0; k < exec->program->systems.len; k++) {
        if (!is_dynamic(exec, k))
            continue;
        bool *contrary = exec->systems[k].contrary;
        uint32_t n = exec->systems[k].n_arguments;
        if (n)
            memcpy(back ? contrary : choices, back ? choices : contrary, n * sizeof *contrary);
        choices += n;
        list_remembered(exec, k, list);
        for (size_t i = 0; i < SG_COUNT(list); i++) {
            double *data = list[i].data;
            if (list[i].n)
                memcpy(back ? data : at, back ? at : data, list[i].n * sizeof *at);
            at += list[i].n;
        }
    }
}

void sg_exec_keep(sg_exec *exec)
{
    sg_exec_kept *kept = exec->kept;
    if (!kept)
        return;
    kept->failure = exec->failure;
    copy_numbers(exec, false);
    for (uint32_t k = 0; k < exec->program->systems.len; k++) {
        const sg_system_work *work = &exec->systems[k];
        kept->systems[k] = (kept_system){work->left, work->sparse.cleared};
    }
}

// Unknowns of systems of results, out of the workspace and in again.
static void move_results(sg_exec *exec, bool back)
{
    double *at = exec->kept->results;
    for (uint32_t k = 0; exec->handed.n_carried && k < exec->program->systems.len; k++) {
        if (!is_of_results(exec, k))
            continue;
        if (back)
            sg_whole_scatter(exec, k, at);
        else
            sg_whole_gather(exec, k, at);
        at += exec->systems[k].n_inner + exec->systems[k].torn.n;
    }
}

void sg_exec_put_back(sg_exec *exec)
{
    const sg_exec_kept *kept = exec->kept;
    if (!kept)
        return;
    move_results(exec, false);
    copy_numbers(exec, true);
    move_results(exec, true);
    for (uint32_t k = 0; k < exec->program->systems.len; k++) {
        sg_system_work *work = &exec->systems[k];
        const kept_system *from = &kept->systems[k];
        if (!is_dynamic(exec, k))
            continue;
        work->left = from->left;
        work->sparse.cleared = from->cleared;
    }
    exec->failure = kept->failure;
}
