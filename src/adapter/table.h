// What an FMU knows of its variables: resources/segue.txt, written by the export (api/fmu.c).
//
// Lines of text: `segue-fmu 1`, then keys with their values (token, main, model, modia3d, start,
// stop, tolerance), then one line for each variable of the model:
//
//     v FIRST N TYPE ROLE SETTABLE NAME        v 12 3 rl- load.r
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
    size_t at;     // of its numbers among those of all variables
} sg_adapter_variable;

typedef struct sg_adapter_table {
    char *text; // all of the file; lines are ended by NUL
    const char *token, *main, *model;
    bool modia3d;
    double start, stop, tolerance; // stop: NaN if the model does not say
    sg_adapter_variable *variables;
    size_t n_variables;
    uint32_t n_references;
    uint32_t *owner; // by value reference: 1 + its variable, 0 for none
} sg_adapter_table;

// False if there is none, or it is damaged; nothing to free then.
bool sg_adapter_table_read(sg_adapter_table *table, const char *path);
void sg_adapter_table_free(sg_adapter_table *table);
