// Functions of the script language as functions of a numeric program.
//
// An equation may call any function of the user. If it cannot be made part of the numeric program,
// the machine of scripts runs it: numbers and arrays are converted, everything else (structs,
// strings, objects of components) passes as a handle, a number that stands for a slot of a table.
// A slot belongs to the register that first received it, so a run does not grow the table.
//
// Implements design section 6, Values and Up-calls; language 3.7.
#pragma once

#include "program/exec.h"
#include "vm/vm.h"

typedef struct sg_script_table {
    sg_vm *vm;
    sg_array *objects; // by handle - 1; the owner marks it, see sg_script_table_mark
    sg_value error;    // the exception of the last call that failed, SG_UNDEF if none
    // The SI number of a quantity; null: quantities are opaque.
    bool (*to_number)(void *context, sg_value value, double *number);
    void *context;
} sg_script_table;

// One function; lives as long as the programs that call it.
typedef struct sg_script_function {
    sg_script_table *table;
    sg_value callee;
    // SI units of the arguments; null: plain numbers. Where there is one, the function gets a
    // quantity, as scripts do (language 2.9).
    const uint32_t *arg_units;
    uint32_t n_units;
} sg_script_function;

sg_status sg_script_table_init(sg_script_table *table, sg_vm *vm);
// Whoever owns the table calls this when the heap is marked (callees are marked by their module).
void sg_script_table_mark(sg_script_table *table);
// Appends the exception of the last failed call to the diagnostics, with its call stack: as an
// error, or as a note to the one that tells of the call already.
void sg_script_table_report(sg_script_table *table, sg_severity severity);

// The entry of the function table of an exec. An exception of the script is SG_ERR_SOLVER, so that
// the integrator may try a shorter step; limits and interruption pass through.
sg_extern sg_script_extern(sg_script_function *function);

// A parameter or constant for linking: numbers, vectors and matrices of numbers as they are, the
// rest as a handle. The data lives in `arena`. False when memory runs out.
bool sg_script_given(sg_script_table *table, sg_value value, sg_arena *arena, sg_given *out);
// And back, for results and for components: the value behind an operand.
sg_value sg_script_value(sg_script_table *table, sg_operand operand);
