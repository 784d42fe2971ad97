// Arithmetic of scalars with units, on values of the script language.
//
// The rules are those of the reference: multiplication keeps the units as written, addition of
// different units of one dimension goes through SI, and a mix of dimensions raises DimensionError
// with both units named. The array operations of the language call these for the unit of their
// result and then work on plain numbers.
//
// Implements language.md 2.9.
#pragma once

#include "lang/unit.h"
#include "vm/value.h"
#include "vm/vm.h"

static inline bool sg_is_quantity(sg_value v)
{
    return v.tag == SG_QTY || v.tag == SG_QTY_INT || v.tag == SG_UNIT;
}
static inline bool sg_is_plain_number(sg_value v)
{
    return v.tag == SG_BOOL || v.tag == SG_INT || v.tag == SG_FLOAT || v.tag == SG_FLOAT32;
}
// The number of a plain number or quantity as a double; a bare unit counts 1.
double sg_quantity_number(sg_value v);
// The unit of a number or quantity.
static inline uint32_t sg_quantity_unit(sg_value v) { return sg_is_quantity(v) ? v.aux : 0; }
// A number with a unit; plain when the unit is none. Integers stay integers.
sg_value sg_quantity_make(double number, uint32_t unit);
sg_value sg_quantity_make_int(int64_t number, uint32_t unit);

// One of + - * / ^ ÷ % == != < <= > >= on two scalars, of which at least one has a unit. == and !=
// of different dimensions are false and true; all others raise DimensionError.
sg_status sg_quantity_binary(sg_vm *vm, sg_units *units, sg_operator op, sg_value a, sg_value b,
                             sg_value *out);
// - + of a scalar with unit.
sg_status sg_quantity_unary(sg_vm *vm, sg_operator op, sg_value a, sg_value *out);

// The unit of the result of an operation on all elements of an array, and the factors by which the
// operands must be multiplied first (1 unless units are converted). Raises as above.
typedef struct sg_unit_rule {
    uint32_t unit;
    double scale_a, scale_b;
} sg_unit_rule;
sg_status sg_quantity_rule(sg_vm *vm, sg_units *units, sg_operator op, uint32_t a, uint32_t b,
                           sg_unit_rule *out);

// uconvert(unit, q); plain numbers count as dimensionless.
sg_status sg_quantity_convert(sg_vm *vm, sg_units *units, sg_value q, uint32_t unit, sg_value *out);
// The same of arrays and tuples too, element by element.
sg_status sg_to_unit(sg_vm *vm, sg_value value, uint32_t unit, sg_value *out);
sg_value sg_quantity_strip(sg_value q);                       // ustrip: the number as written
sg_value sg_quantity_upreferred(sg_units *units, sg_value q); // to SI base units
double sg_quantity_si(const sg_units *units, sg_value q);     // stripUnit: the number in SI
// The number of a quantity without dimension, in radian for angles; raises if it has a dimension.
// What sin, exp and the like take; `what` names the function in the message.
sg_status sg_quantity_plain(sg_vm *vm, sg_units *units, sg_value q, const char *what, double *out);
// sqrt (power 6) and cbrt (power 4).
sg_status sg_quantity_root(sg_vm *vm, sg_units *units, sg_value q, int32_t twelfths, sg_value *out);

// A unit that the value, or one of the first elements of an array, has and that is not one of the
// expected dimension; SG_UNIT_NONE if all fits. Plain numbers fit.
uint32_t sg_quantity_misfit(const sg_units *units, sg_value value, uint32_t expected);

// Raises DimensionError: "m and s are not dimensionally compatible: length and time".
sg_status sg_raise_dimension(sg_vm *vm, sg_units *units, const char *operation, uint32_t a,
                             uint32_t b);
