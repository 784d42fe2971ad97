// Numbers as text, the same on every machine and in every locale.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SG_NUMBER_LONGEST = 1000 }; // characters of a number that is read

// The shortest decimal digits that read back as exactly `x`, laid out like "%.15g" and without the
// dialect's rule about ".0" (see lang/print.h). Inf, -Inf and NaN in this spelling.
// `out` holds at least 32 bytes; the length is returned.
size_t sg_format_shortest(double x, char *out);
// Reads one decimal number, or NaN, Inf, Infinity with any case and sign, from the `length` bytes
// at `text`, all of them. False if that is not what they are.
bool sg_number_parse(const char *text, size_t length, double *out);
