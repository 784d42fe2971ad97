// Values as text, in the format of the reference.
//
// Two forms: print (what println and string interpolation show: strings as they are) and show (what
// @show and the elements of collections show: strings in quotes, symbols with a colon). Both end
// with "…" where a value is too deep or too long to read.
//
// Implements language.md 2.4 and 3.12.
#pragma once

#include "lang/unit.h"
#include "syntax/number_text.h"
#include "vm/value.h"
#include "vm/vm.h"

typedef struct sg_print_options {
    uint32_t max_depth; // of nested collections; default 12
    size_t max_items;   // of a collection; default 400, in all 20,000
    bool show;          // the quoted form
} sg_print_options;

sg_print_options sg_print_defaults(void);
// `units` may be null (units then print as their number).
void sg_print(sg_vm *vm, const sg_units *units, sg_value value, sg_print_options options,
              sg_buf *out);
void sg_print_value(sg_vm *vm, const sg_units *units, sg_value value, sg_buf *out);
void sg_show_value(sg_vm *vm, const sg_units *units, sg_value value, sg_buf *out);

// "name = " and the model, one entry a line (@showModel, logModel, showParameters).
void sg_show_model(sg_vm *vm, const sg_units *units, const char *name, sg_value model, sg_buf *out);
