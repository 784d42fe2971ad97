#include "adapter/exchange.h"

#include <math.h>
#include <string.h>

static bool is_exchange(sg_adapter *a)
{
    if (a->exchange)
        return true;
    sg_adapter_say(a, SG_ADAPTER_ERROR, "the instance is one of co-simulation");
    return false;
}

// An evaluation that failed: the solver may try a shorter step, or it is the end.
static sg_adapter_status told(sg_adapter *a, sg_status status)
{
    if (status == SG_OK)
        return SG_ADAPTER_OK;
    sg_adapter_pass_on(a);
    if (status == SG_ERR_SOLVER)
        return SG_ADAPTER_DISCARD;
    return status == SG_ERR_MEMORY ? SG_ADAPTER_FATAL : SG_ADAPTER_ERROR;
}

sg_adapter_status sg_exchange_begin(sg_adapter *a)
{
    size_t n_states, n_crossings;
    sg_status status = sg_model_hand_over(a->model, &n_states, &n_crossings);
    if (status)
        return told(a, status);
    if (n_states != a->n_states || n_crossings != a->n_indicators)
        return sg_adapter_say(a, SG_ADAPTER_ERROR,
                              "the parameters change the number of states or event indicators, "
                              "which the FMU has fixed");
    a->event_due = false;
    return SG_ADAPTER_OK;
}

sg_status sg_exchange_get_elements(sg_adapter *a, const sg_adapter_variable *v)
{
    size_t n = v->role == 'z' ? a->n_indicators : a->n_states;
    if (!a->exchange || v->index + v->n > n)
        return SG_ERR_USAGE;
    sg_status status = v->role == 's'   ? sg_model_outer_states(a->model, a->work, n)
                       : v->role == 'd' ? sg_model_outer_rates(a->model, a->work, n)
                                        : sg_model_outer_crossings(a->model, a->work, n);
    if (!status)
        memcpy(a->values + v->at, a->work + v->index, v->n * sizeof *a->values);
    return status;
}

sg_adapter_status sg_exchange_sizes(sg_adapter *a, size_t *n_states, size_t *n_indicators)
{
    if (!is_exchange(a))
        return SG_ADAPTER_ERROR;
    if (n_states)
        *n_states = a->n_states;
    if (n_indicators)
        *n_indicators = a->n_indicators;
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_exchange_enter_event(sg_adapter *a)
{
    if (!is_exchange(a))
        return SG_ADAPTER_ERROR;
    a->mode = SG_ADAPTER_EVENT;
    a->event_due = true;
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_exchange_new_discrete_states(sg_adapter *a, sg_exchange_event *event)
{
    sg_model_event info;
    if (!is_exchange(a))
        return SG_ADAPTER_ERROR;
    // What was settled before, and has not been touched since, is not handled twice: the
    // initialization, say.
    sg_status status =
        a->event_due ? sg_model_outer_event(a->model, &info) : sg_model_outer_look(a->model, &info);
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    if (status) {
        sg_adapter_pass_on(a);
        a->mode = SG_ADAPTER_FAILED;
        return SG_ADAPTER_ERROR;
    }
    a->event_due = false;
    *event = (sg_exchange_event){.terminates = info.terminates,
                                 .states_changed = info.states_changed,
                                 .nominals_changed = info.nominals_changed,
                                 .next_time = info.next_time};
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_exchange_enter_continuous(sg_adapter *a)
{
    if (!is_exchange(a))
        return SG_ADAPTER_ERROR;
    a->mode = SG_ADAPTER_CONTINUOUS;
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_exchange_completed_step(sg_adapter *a, bool *event)
{
    if (!is_exchange(a))
        return SG_ADAPTER_ERROR;
    return told(a, sg_model_outer_step_done(a->model, event));
}

// The model stands where the importer says.
static sg_adapter_status move(sg_adapter *a, double t, const double *x, size_t n)
{
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    a->time = t;
    return told(a, sg_model_outer_move(a->model, t, x, n));
}

sg_adapter_status sg_exchange_set_time(sg_adapter *a, double time)
{
    if (!is_exchange(a))
        return SG_ADAPTER_ERROR;
    if (!isfinite(time))
        return sg_adapter_say(a, SG_ADAPTER_ERROR, "the time is no finite number");
    return move(a, time, NULL, 0);
}

static bool has_size(sg_adapter *a, const double *list, size_t n, size_t wanted)
{
    if (!is_exchange(a))
        return false;
    if (n == wanted && (list || !n))
        return true;
    sg_adapter_say(a, SG_ADAPTER_ERROR, "the list has %zu numbers instead of %zu", n, wanted);
    return false;
}

sg_adapter_status sg_exchange_set_states(sg_adapter *a, const double *x, size_t n)
{
    if (!has_size(a, x, n, a->n_states))
        return SG_ADAPTER_ERROR;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return sg_adapter_say(a, SG_ADAPTER_ERROR, "state %zu is no finite number", i + 1);
    return move(a, a->time, x, n);
}

sg_adapter_status sg_exchange_get_states(sg_adapter *a, double *x, size_t n)
{
    sg_adapter_status status =
        has_size(a, x, n, a->n_states) ? sg_adapter_compute(a) : SG_ADAPTER_ERROR;
    return status ? status : told(a, sg_model_outer_states(a->model, x, n));
}

sg_adapter_status sg_exchange_get_rates(sg_adapter *a, double *dx, size_t n)
{
    sg_adapter_status status =
        has_size(a, dx, n, a->n_states) ? sg_adapter_compute(a) : SG_ADAPTER_ERROR;
    return status ? status : told(a, sg_model_outer_rates(a->model, dx, n));
}

sg_adapter_status sg_exchange_get_indicators(sg_adapter *a, double *z, size_t n)
{
    sg_adapter_status status =
        has_size(a, z, n, a->n_indicators) ? sg_adapter_compute(a) : SG_ADAPTER_ERROR;
    return status ? status : told(a, sg_model_outer_crossings(a->model, z, n));
}

sg_adapter_status sg_exchange_get_nominals(sg_adapter *a, double *x, size_t n)
{
    sg_adapter_status status =
        has_size(a, x, n, a->n_states) ? sg_adapter_compute(a) : SG_ADAPTER_ERROR;
    return status ? status : told(a, sg_model_outer_nominals(a->model, x, n));
}
