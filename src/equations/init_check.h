// Do the init values of variables that are no states hold after initialization (language 4.8)?
//
// Only states start from their init values. Another variable with init (the motor side of an ideal
// gear, an alias) gets what the equations give it, and that must be the value the user wrote;
// otherwise the model contradicts itself and must not run.
#pragma once

#include "equations/translate.h"

// Numbers of a variable, `*n` of them; null if it has none.
typedef const double *sg_value_getter(void *context, sg_var_id var, size_t *n);

// The init values of variables that are no states as conditions: what each number is and what it
// should be, in the order of the checks. Returns how many there are, and writes them if
// `out` is not null. Values that are no numbers or have another size are left out.
typedef struct sg_init_number {
    double computed, given;
    uint32_t check;
} sg_init_number;
size_t sg_init_numbers(const sg_structure *structure, const sg_flat *flat,
                       sg_value_getter *computed, void *context, sg_init_number *out);
// Do they all hold, as sg_check_init_values sees it? Nothing is reported.
bool sg_init_values_hold(const sg_structure *structure, const sg_flat *flat, double tolerance,
                         sg_value_getter *computed, void *context);

// `computed` gives values of variables that the program computes; aliases and zeros are resolved
// here. `given` gives the init values as they were evaluated for this run, null takes those of the
// flat model. Reports all that differ by the relative `tolerance` or more: SG_ERR_INIT.
sg_status sg_check_init_values(const sg_structure *structure, const sg_flat *flat, double tolerance,
                               sg_value_getter *computed, sg_value_getter *given, void *context,
                               sg_diags *diags);
