// An instance of a component in C from the inside: shared by c_component.c and c_component_saved.c.
#pragma once

#include "natives/c_component.h"

typedef struct sg_component_instance sg_component_instance;

typedef struct sg_component_entry {
    sg_component_instance *owner;
    uint32_t function;
    sg_value value; // what stands in the equations
    sg_dims shapes[SG_COMPONENT_MOST_RESULTS];
    bool fixed; // these are those of the present simulation
    double *unused[SG_COMPONENT_MOST_RESULTS];
} sg_component_entry;

struct sg_component_instance {
    sg_vm *vm;
    const sg_component *component;
    const char *path;
    sg_span span; // of the component in the model
    void *memory;
    void *begun;       // the memory as it was before the present segment, for saved states,
    double begun_time; // with what the segment began with
    bool begun_first;  //
    bool resumes;      // the next segment is that one again
    sg_component_entry *entries; // one for each function
    sg_model_object *model;      // null until it is translated
    sg_arena arena;              // as long as the instance
    sg_arena segment;            // of the present segment
    const char *wrong;           // what the component did that it may not; null if nothing
};

extern const sg_native_class sg_component_instance_class;
