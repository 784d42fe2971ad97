#include "adapter/exchange.h"

static sg_adapter_status none(sg_adapter *a)
{
    return sg_adapter_say(a, SG_ADAPTER_ERROR, "the FMU was exported for co-simulation only");
}

sg_adapter_status sg_exchange_sizes(sg_adapter *a, size_t *n_states, size_t *n_indicators)
{
    (void)n_states, (void)n_indicators;
    return none(a);
}
sg_adapter_status sg_exchange_enter_event(sg_adapter *a) { return none(a); }
sg_adapter_status sg_exchange_new_discrete_states(sg_adapter *a, sg_exchange_event *event)
{
    (void)event;
    return none(a);
}
sg_adapter_status sg_exchange_enter_continuous(sg_adapter *a) { return none(a); }
sg_adapter_status sg_exchange_completed_step(sg_adapter *a, bool *event)
{
    (void)event;
    return none(a);
}
sg_adapter_status sg_exchange_set_time(sg_adapter *a, double time)
{
    (void)time;
    return none(a);
}
sg_adapter_status sg_exchange_set_states(sg_adapter *a, const double *x, size_t n)
{
    (void)x, (void)n;
    return none(a);
}
sg_adapter_status sg_exchange_get_states(sg_adapter *a, double *x, size_t n)
{
    (void)x, (void)n;
    return none(a);
}
sg_adapter_status sg_exchange_get_rates(sg_adapter *a, double *dx, size_t n)
{
    (void)dx, (void)n;
    return none(a);
}
sg_adapter_status sg_exchange_get_indicators(sg_adapter *a, double *z, size_t n)
{
    (void)z, (void)n;
    return none(a);
}
sg_adapter_status sg_exchange_get_nominals(sg_adapter *a, double *x, size_t n)
{
    (void)x, (void)n;
    return none(a);
}
