// Numbers as text, the same on every machine and in every locale.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The shortest digits that read back exactly, as sg_format_shortest gives them, with a point
// whatever the locale says. `out` holds 32 bytes. Returns the length.
size_t sg_number_format(double x, char *out);
// Reads one decimal number, or NaN, Inf, Infinity with any case and sign, from the `length` bytes
// at `text`, all of them. False if that is not what they are.
bool sg_number_parse(const char *text, size_t length, double *out);
