// Running scripts: the front door of the language.
//
// A script runtime reads a whole file, reports all its syntax errors, then runs it statement by
// statement from top to bottom; an error that nothing catches ends the file and is added to the
// diagnostics with the stack of calls. Functions of the host (simulate!, plot, the 3D
// constructors) are registered with sg_vm_register on sg_script_vm; macros of the host are
// functions named "@name" whose first argument is a tuple of the quoted arguments.
//
// Implements language.md 2.2.
#pragma once

#include "base/diags.h"
#include "base/limits.h"
#include "lang/compile.h"
#include "lang/unit.h"
#include "segue/status.h"
#include "syntax/ast.h"
#include "vm/vm.h"

typedef struct sg_script_host {
    void *context;
    // Registers the built-in functions, when a script is made; false: no memory. Null: there are
    // none but those of quotes, models and matrices.
    bool (*builtins)(sg_vm *vm);
    // What print and println write; may be null.
    void (*write_out)(void *context, const char *text, size_t length);
    // What they write to stderr; null takes the one above.
    void (*write_err)(void *context, const char *text, size_t length);
    // The text of a file that a script includes or reads. `path` is as written, `from` the name of
    // the including file ("" if none). *text is made with the allocator of the run (size length +
    // 1, NUL behind), *name (may stay empty) is how the file is called in messages. Null takes the
    // default: relative to the folder of `from`, any readable file.
    sg_status (*load)(void *context, const char *path, const char *from, char **text,
                      size_t *length, sg_buf *name);
    // A text is about to be read: whatever it may name is to be there. False, after raising, ends
    // it. May be null.
    bool (*prepare)(void *context, const char *text, size_t length);
    // Asked when a statement of the top level fails with an error that a script could catch: true
    // goes on with the next one as if it were not there. A null statement asks the same of a test.
    // May be null.
    bool (*skip)(void *context, sg_module *module, const sg_ast *statement);
    // What to do about a name that is not defined: true with the end of a sentence in `out`. May be
    // null.
    bool (*hint)(void *context, const char *name, sg_buf *out);
    // Defines a name that a module does not have yet, as Modia.Resistor of the library; true if it
    // was. May be null.
    bool (*define)(void *context, sg_module *module, const char *name);
} sg_script_host;

typedef struct sg_test_counts {
    size_t passed, failed, broken;
} sg_test_counts;

typedef struct sg_runtime sg_script;

// All arguments must outlive the script. Null when memory ran out.
sg_script *sg_script_create(const sg_allocator *allocator, sg_symbols *symbols, sg_sources *sources,
                            sg_diags *diags, sg_limits limits, sg_script_host host);
void sg_script_destroy(sg_script *script);

sg_vm *sg_script_vm(sg_script *script);
sg_units *sg_script_units(sg_script *script);
sg_test_counts sg_script_tests(const sg_script *script);
// Counts like @test; for checks of the host such as requiredFinalStates.
void sg_script_count_test(sg_script *script, bool passed);

// Runs a text in the module (null: Main). `name` is shown in messages. The value of the last
// statement goes to *out (may be null; not rooted). SG_OK, or the status of the first failure,
// which is in the diagnostics.
sg_status sg_script_run_text(sg_script *script, sg_module *module, const char *name,
                             const char *text, size_t length, sg_value *out);
// The value of an expression, in the main module. Of plain ones (numbers, names, units, arrays,
// calls) the syntax trees go again, so that a host may hand over values as texts for ever: what
// stays is the text, once for each.
sg_status sg_script_value_of(sg_script *script, const char *name, const char *text, size_t length,
                             sg_value *out);
sg_status sg_script_run_file(sg_script *script, sg_module *module, const char *path);
// Runs a tree (a statement or an expression) in the module and leaves an error pending, as a
// native does: for eval and for the parameter phase.
sg_status sg_script_eval(sg_script *script, sg_module *module, const sg_ast *tree, sg_value *out);
// The same, with values for names that are looked for before the globals (language.md 3.6 b).
sg_status sg_script_eval_with(sg_script *script, sg_module *module, const sg_ast *tree,
                              sg_name_lookup lookup, void *context, sg_value *out);
// include(path) as the script would call it, from the running code; an error is left pending.
sg_status sg_script_include(sg_script *script, sg_module *module, const char *path, sg_span span,
                            sg_value *out);

sg_value sg_script_global(sg_script *script, const char *name); // of Main; SG_UNDEF if absent
