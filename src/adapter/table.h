// What an FMU knows of its variables: resources/segue.txt, written by the export (api/fmu.c).
//
// Lines of text: `segue-fmu 1`, then keys with their values (token, main, model, modia3d, start,
// stop, tolerance, states,
// indicators), then one line for each variable of the model:
//
//     v FIRST N TYPE ROLE SETTABLE NAME        v 12 3 rl- load.r
//
// (states and indicators: their numbers). States, their derivatives and indicators that are no
// signals have the number of the first one in the place of a name.
//
// FIRST is the value reference of its first element, and N the number of elements.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_adapter_variable {
    const char *name;
    uint32_t first, n;
    char type;     // 'r', 'i', 'b'
    char role;     // 'p' parameter, 'i' input, 'o' output, 'l' local, 's' state, 'd' derivative of
                   // a state, 'z' crossing function
    bool settable; // before it is initialized
    size_t index;  // of 's', 'd', 'z': the first one in their vector
    size_t at;     // of its numbers among those of all variables
} sg_adapter_variable;

typedef struct sg_adapter_table {
    char *text; // all of the file; lines are ended by NUL
    const char *token, *main, *model;
    bool modia3d;
    double start, stop, tolerance; // stop: NaN if the model does not say
    double states, indicators;     // their numbers; NaN: no model exchange
    sg_adapter_variable *variables;
    size_t n_variables;
    uint32_t n_references;
    uint32_t *owner; // by value reference: 1 + its variable, 0 for none
} sg_adapter_table;

// False if there is none, or it is damaged; nothing to free then.
bool sg_adapter_table_read(sg_adapter_table *table, const char *path);
void sg_adapter_table_free(sg_adapter_table *table);
