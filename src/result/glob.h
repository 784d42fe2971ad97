// Patterns for signal names: `*` stands for any text, `?` for one character, all else for itself.
// Dots and brackets are ordinary, since `r[2]` is a name here and not a set of characters.
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool sg_glob_match(const char *pattern, const char *name);
// True when one of the patterns matches, or when there is none.
bool sg_glob_any(const char *const *patterns, size_t n, const char *name);
// False when the caller of a public function promised patterns that are not there.
bool sg_glob_list_exists(const char *const *patterns, size_t n);
