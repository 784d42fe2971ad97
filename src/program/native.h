// The program in C, for whoever can compile it.
//
// What a linked program spends its time on are long rows of steps on numbers and arrays. Each row
// can be written as a function in C, with the places of all numbers as constants; a host that has a
// compiler makes a library of them, and the interpreter calls a function where it would follow the
// row (evaluate.c). Calls, systems, events and what works on whole matrices stay with the
// interpreter, and so do rows that a range ends within. Operations, their order and their bits are
// the same: functions of libm are called by name and no two operations are contracted.
//
// Where one row is all of the dynamics there is a second function of it, from states to derivatives
// without a copy of either. It leaves nothing in the workspace for others to read, and so serves
// right-hand sides only.
//
// The text depends on the program and the sizes of its arrays only, not on values, so that what was
// compiled once serves other parameters and start values as well.
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct sg_exec;

// A row of steps; numbers of the workspace in, numbers of the workspace out.
typedef void sg_native_function(double *w);
// All of the dynamics, where one row is that: derivatives of states; 0.
typedef int sg_native_straight(double *w, double time, const double *states, double *der);

// Whoever compiles: returns the functions in the order of the text (the last may be an
// sg_native_straight by another name), null if there are none. They
// live as long as the host says, at least until the next linking.
typedef struct sg_native_host {
    void *context;
    sg_native_function *const *(*compile)(void *context, const char *text, size_t length);
} sg_native_host;

#define SG_NATIVE_TABLE "segue_functions"

// Where rows begin, how many entries each has, and what runs instead.
typedef struct sg_native_row {
    uint32_t at, n;
    sg_native_function *run;
} sg_native_row;

// Finds the rows of a linked program, asks the host for their functions, and puts them in place.
// False when memory ran out; a host that cannot help leaves everything as it is.
bool sg_native_attach(struct sg_exec *exec, const sg_native_host *host);
// Functions leave out what nobody else reads. Computes it, for those who look for the cause of a
// failure.
void sg_native_refill(struct sg_exec *exec);
