// Syntax trees to bytecode, one top-level statement at a time.
//
// Compiling statement by statement is what gives the scope rules of a script their meaning: a loop
// at top level assigns a global that exists when the loop starts, as in Julia's REPL. Scopes are
// known before code is made: entering one collects the names that are assigned in it. A variable
// that a nested function mentions lives in a cell, all others in registers.
//
// Implements language.md 1.5 to 1.9, 2.2 and 2.3.
#pragma once

#include "syntax/ast.h"
#include "vm/bytecode.h"
#include "vm/vm.h"

typedef struct sg_compiler sg_compiler; // memory that statements use one after the other

sg_compiler *sg_compiler_create(const sg_allocator *allocator);
void sg_compiler_destroy(sg_compiler *compiler, const sg_allocator *allocator);

// Values for names that are looked for before the globals: the parameters of a model around an
// expression. True and *out if the name has one.
typedef bool (*sg_name_lookup)(void *context, sg_sym name, sg_value *out);

// Code that runs the statement in `module` and returns its value. `lookup` may be null. Null after
// reporting a diagnostic (a statement that cannot be compiled) or raising (memory).
sg_proto *sg_compile_statement(sg_vm *vm, sg_module *module, const sg_ast *statement,
                               sg_name_lookup lookup, void *context);
