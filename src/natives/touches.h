// The contacts of the 3D parts of a model as a table of the result (result/touches.h), and for
// signals that tell what happened since the last stored point: that one was stored.
#pragma once

#include "model3d/model3d.h"
#include "result/touches.h"
#include "sim/sim.h"
#include "vm/value.h"
#include "vm/vm.h"

typedef struct sg_touches {
    sg_part *const *parts;
    size_t n_parts;
    sg_touch_log log;
} sg_touches;

void sg_touches_init(sg_touches *touches, sg_part *const *parts, size_t n_parts,
                     const sg_allocator *allocator, sg_result_writer *writer);
void sg_touches_destroy(sg_touches *touches);
sg_sim_sink sg_touches_sink(sg_touches *touches);
// Contacts that ended since the last point, before the parts forget them.
sg_status sg_touches_collect(sg_touches *touches);
// Where memory may be taken; returns the largest blob that comes until the next call [bytes].
size_t sg_touches_reserve(sg_touches *touches);

// The table of a result as a dictionary of vectors, by the names of sg_touch_names, object1 and
// object2.
sg_status sg_touches_values(sg_vm *vm, const sg_result *result, sg_span span, sg_value *out);
