// Words of other languages, and what to write for them here.
//
// Whoever comes from Python, MATLAB or Modelica writes `def`, `True`, `x**2` or `Real x(start = 1)`
// once. To the grammar these are names like any other, so the mistake is found one word too late
// and blamed on that; the tables here say what was meant.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Each: a sentence that says what is right, or null for a word that is not in the table.

// Where a statement should end: and, or, then, elif.
const char *sg_foreign_separator(const char *word, size_t length);
// At the beginning of a statement or argument, with a name behind it: def f, model M, Real x.
// `all_foreign`: the rest of the text is another language, too, and not worth further messages.
const char *sg_foreign_opener(const char *word, size_t length, bool *all_foreign);
// As a name that is not defined: True, None, not, connect.
const char *sg_foreign_name(const char *word);
