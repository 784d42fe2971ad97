// Components in C as part of a saved state: their memory, where it is plain, now and as it was
// before the present segment began, which is begun again from that.
#include "base/archive.h"
#include "natives/c_component_internal.h"

#include <math.h>

static const char *unsaved(const void *self)
{
    const sg_component *c = ((const sg_component_instance *)self)->component;
    return c->plain_memory || !c->memory_size
               ? NULL
               : "a component in C whose memory is not said to be plain (plain_memory in "
                 "segue/component.h)";
}

static sg_status archive_layout(void *self, sg_archive *a)
{
    sg_component_instance *c = self;
    sg_archive_section(a, c->component->name);
    sg_archive_bytes(a, c->begun, c->component->memory_size);
    SG_ARCHIVE(a, c->begun_time);
    SG_ARCHIVE(a, c->begun_first);
    c->resumes = sg_archive_reads(a);
    return a->failed ? SG_ERR_INPUT : SG_OK;
}

static sg_status archive(void *self, sg_archive *a)
{
    const sg_component_instance *c = self;
    sg_archive_bytes(a, c->memory, c->component->memory_size);
    return a->failed ? SG_ERR_INPUT : SG_OK;
}

// ---- steps --------------------------------------------------------------------------------------

static bool bounds_steps(const void *self)
{
    return ((const sg_component_instance *)self)->component->bound_step != NULL;
}

static double bound_step(void *self)
{
    const sg_component_instance *c = self;
    return c->component->bound_step ? c->component->bound_step(c->memory) : (double)INFINITY;
}

bool sg_component_in_run(sg_value object, sg_sim_component *out)
{
    static const sg_component_functions functions = {.bounds_steps = bounds_steps,
                                                     .bound_step = bound_step,
                                                     .unsaved = unsaved,
                                                     .archive_layout = archive_layout,
                                                     .archive = archive};
    *out = (sg_sim_component){&functions, sg_native_data(object, &sg_component_instance_class)};
    return out->self != NULL;
}
