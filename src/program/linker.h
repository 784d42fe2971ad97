// Shared by link.c (layout, order) and infer.c (shapes and forms of one step). Private.
#pragma once

#include "program/linked.h"

typedef struct sg_linker {
    sg_exec *exec;
    const sg_program *program;
    const sg_exec_source *source;
    sg_diags *diags;
    SG_VEC(double) w;
    SG_VEC(sg_linked) code;
    SG_VEC(uint32_t) code_step;
    SG_VEC(sg_wide) wides;
    SG_VEC(double) hold_start, previous_start, pre_start;
    SG_VEC(const char *) pre_names;
    uint32_t n_sample, n_delay;
    SG_VEC(const char *) more_text; // of slots behind those of the program, for arrays
    bool *placed;                   // registers that have a shape and an offset
    uint32_t step;                  // being linked
    bool failed;                    // memory
    bool wrong;                     // shapes
} sg_linker;

// Room in the workspace for n numbers; returns the offset.
uint32_t sg_link_room(sg_linker *l, uint64_t n);
// Gives the result register of the step being linked its shape and place, or checks that the place
// it has fits. False after an error.
bool sg_link_result(sg_linker *l, sg_dims shape);
void sg_link_emit(sg_linker *l, sg_linked entry);
// "shapes do not fit" in the equation of the step being linked; always false.
bool sg_link_error(sg_linker *l, sg_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *sg_dims_text(sg_dims shape, char text[32]);

// Shapes and code of the step being linked. False after an error.
bool sg_link_step(sg_linker *l, const sg_step *step);

// Work space of a system when all shapes and entries of code are known. `step_entry` is the entry
// of each step.
void sg_link_system(sg_linker *l, uint32_t index, const uint32_t *step_entry);
// Gives back what the systems hold besides the arena.
void sg_link_free_systems(sg_exec *exec);
