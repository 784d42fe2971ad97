// Values of a script on their way to bytes, or back, with all that can be reached from them.
//
// Objects are numbered as they are met, so what two values share is shared again, and what contains
// itself does so again. What a text defines (types, functions, modules) goes by its name and the
// code of an anonymous function by its place in the text: whoever reads has run the same text.
// Quoted expressions and objects of the host have no bytes; those of the latter that both sides
// have are `known`.
#pragma once

#include "base/archive.h"
#include "vm/value.h"

// `n` values. Reading gives new objects, but an instance of a struct that is one of the values
// stays the object that it is, if the new one has the same type, and gets new fields. Sets
// a->refused where something cannot be written, and a->failed like all who archive.
void sg_values_archive(sg_vm *vm, sg_value *values, size_t n, const sg_value *known, size_t n_known,
                       sg_archive *a);
