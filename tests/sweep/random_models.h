// Smooth models by chance: the same seed gives the same text.
//
// Each is a script of its own with one simulation. They are drawn from ten families, each with
// sizes, rates, units, orders of states and solvers of its own, and made such that errors do not
// grow without bound: a solution is determined by its start to about the tolerance.
#pragma once

#include <stddef.h>

enum { RANDOM_FAMILIES = 10, RANDOM_TEXT = 20000 };

typedef struct random_model {
    char name[64];
    char text[RANDOM_TEXT];
    double smallest; // the size of its smallest state is not far below this
    // A method that is not the one of the script, and can do what the model needs.
    const char *other;
} random_model;

void random_model_make(random_model *model, unsigned seed);
