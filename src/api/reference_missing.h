// What a script can name, held against the entries of the reference.
#pragma once

#include <stdbool.h>

// Whether the reference has an entry for this name.
bool sg_reference_has(const char *name);
