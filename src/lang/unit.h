// Units of measurement: products of powers of named units with prefixes, as written.
//
// A unit is an interned id, so two units are equal when their ids are and a quantity needs no more
// room than a number. A unit remembers how it was written (km/hr stays km/hr) and knows its
// dimension and its factor to SI. The angles rad and ° have no dimension, only a factor (1 and
// pi/180), yet are kept in the unit for printing. °C and °F have a zero of their own ("affine"):
// they convert, and a difference of two is in K, but they do not multiply.
//
// Implements language.md 2.9.
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SG_UNIT_NONE = 0,      // of plain numbers
    SG_UNIT_POWER = 12,    // exponents are counted in twelfths, so that roots are exact
    SG_UNIT_DIMENSIONS = 7 // length, mass, time, current, temperature, amount, light
};
// What an operation on units returns when it has no result: an affine unit in a product, more than
// twelve different factors, an exponent out of range, or memory ran out.
#define SG_UNIT_BAD UINT32_MAX

typedef struct sg_units sg_units;

sg_units *sg_units_create(const sg_allocator *allocator);
void sg_units_destroy(sg_units *units);

// The unit that other systems call so (kOhm is kΩ), or null; in `room` if it has to be put
// together.
enum { SG_UNIT_ROOM = 32 };
const char *sg_unit_of_others(const char *name, char room[SG_UNIT_ROOM]);

// The text between the quotes of u"...": names with prefixes, * / ^ ( ), the number 1. On failure
// SG_UNIT_BAD, with a sentence in `message` (may be null) and the range of bytes it is about.
uint32_t sg_unit_parse(sg_units *units, const char *text, size_t length, sg_buf *message,
                       uint32_t *first, uint32_t *last);

uint32_t sg_unit_multiply(sg_units *units, uint32_t a, uint32_t b);
uint32_t sg_unit_divide(sg_units *units, uint32_t a, uint32_t b);
// a^(twelfths/12)
uint32_t sg_unit_power(sg_units *units, uint32_t a, int32_t twelfths);

// "m*N*s*rad^-1", "" for none. Lives as long as the table.
const char *sg_unit_text(const sg_units *units, uint32_t unit);
// "m N s rad^-1", as behind a number.
void sg_unit_print(const sg_units *units, uint32_t unit, sg_buf *out);
// Whether a blank stands between number and unit: "5.0 m", but "90.0°".
bool sg_unit_has_blank(const sg_units *units, uint32_t unit);

// The exponents of m, kg, s, A, K, mol, cd in twelfths.
const int16_t *sg_unit_dimension(const sg_units *units, uint32_t unit);
bool sg_unit_same_dimension(const sg_units *units, uint32_t a, uint32_t b);
bool sg_unit_has_dimension(const sg_units *units, uint32_t unit); // false for none, rad, °, mm/m
bool sg_unit_is_affine(const sg_units *units, uint32_t unit);     // °C, °F
// The product of SI base units with the same dimension: kg*m*s^-2 for N, none for rad.
uint32_t sg_unit_preferred(sg_units *units, uint32_t unit);
// The SI unit of the same dimension by the name people know: V rather than kg*m^2*A^-1*s^-3.
const char *sg_unit_common_text(sg_units *units, uint32_t unit);
// "mass * length / time^2", for messages; "a plain number" without dimension.
void sg_unit_describe_dimension(const sg_units *units, uint32_t unit, sg_buf *out);

// How many SI units one of this unit is (1 K for 1 °C; the zero is in sg_unit_convert).
double sg_unit_factor(const sg_units *units, uint32_t unit);
// x in unit `from` expressed in unit `to`; both must have the same dimension. The zeros of affine
// units count. Decimal prefixes are exact: 5 mm is the double nearest to 0.005 m.
double sg_unit_convert(const sg_units *units, double x, uint32_t from, uint32_t to);
// The same for a difference: 5 °C warmer is 5 K.
double sg_unit_convert_difference(const sg_units *units, double x, uint32_t from, uint32_t to);
// x in SI base units (radian for angles).
double sg_unit_to_si(const sg_units *units, double x, uint32_t unit);
