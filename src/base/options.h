// Options of the public functions: structs that begin with their size.
//
// A program that was compiled with an earlier header hands over a shorter struct; what it does not
// know of has its default. A longer one is of a later header, and asks for what is not there.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// `out` holds all defaults, `size` bytes of them with that number first. Takes over what was given;
// null leaves the defaults. False if that was not made by the maker of these options.
bool sg_options_take(void *out, size_t size, const void *given);
