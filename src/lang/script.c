#include "lang/script.h"

#include "lang/compile.h"
#include "lang/runtime.h"
#include "syntax/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INCLUDES = 60 };

static void mark_runtime(sg_vm *vm)
{
    const sg_runtime *runtime = sg_runtime_of(vm);
    if (!runtime)
        return;
    for (size_t i = 0; i < runtime->sets.len; i++)
        sg_mark_value(vm, runtime->sets.data[i].name);
}

static void describe(sg_vm *vm, sg_value value, sg_buf *out)
{
    const sg_runtime *runtime = sg_runtime_of(vm);
    sg_print_value(vm, runtime ? runtime->units : NULL, value, out);
}

static const sg_vm_hooks hooks = {.binary = sg_binary,
                                  .unary = sg_unary,
                                  .index = sg_index,
                                  .index_set = sg_index_set,
                                  .field = sg_field,
                                  .field_set = sg_field_set,
                                  .iterate = sg_iterate,
                                  .convert = sg_convert,
                                  .call = sg_call_value,
                                  .range = sg_range_build,
                                  .build = sg_build_hook,
                                  .broadcast = sg_broadcast,
                                  .mark_quote = sg_quote_mark,
                                  .free_quote = sg_quote_free,
                                  .mark_roots = mark_runtime,
                                  .describe = describe};

// What belongs to the language itself, then what the host brings.
static bool register_functions(sg_vm *vm, const sg_script_host *host)
{
    return sg_register_linear(vm) && sg_register_expr(vm) && sg_register_models(vm) &&
           (!host->builtins || host->builtins(vm));
}

bool sg_register_all(sg_vm *vm, const sg_builtin *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!sg_vm_offer(vm, NULL, list[i].name, list[i].native, NULL, list[i].signature))
            return false;
    return true;
}

bool sg_register_forms(sg_vm *vm, const sg_builtin_form *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!sg_vm_offer(vm, NULL, list[i].name, list[i].native, (void *)list[i].context, NULL))
            return false;
    return true;
}

// Modules of the reference and its packages: all their names are in Base.
static bool make_modules(sg_vm *vm)
{
    static const char *const names[] = {"Modia",
                                        "Modia3D",
                                        "ModiaLang",
                                        "ModiaBase",
                                        "ModiaResult",
                                        "SignalTables",
                                        "Test",
                                        "LinearAlgebra",
                                        "StaticArrays",
                                        "Unitful",
                                        "OrderedCollections",
                                        "DataFrames",
                                        "TimerOutputs",
                                        "Interpolations",
                                        "Measurements",
                                        "MonteCarloMeasurements",
                                        "Distributions",
                                        "DifferentialEquations",
                                        "Printf",
                                        "Random",
                                        "Statistics",
                                        "Dates",
                                        "JSON",
                                        "Core",
                                        "Sys"};
    for (size_t i = 0; i < SG_COUNT(names); i++)
        if (!sg_vm_module(vm, names[i]))
            return false;
    return true;
}

sg_script *sg_script_create(const sg_allocator *allocator, sg_symbols *symbols, sg_sources *sources,
                            sg_diags *diags, sg_limits limits, sg_script_host host)
{
    sg_runtime *runtime = allocator->resize(allocator->context, NULL, 0, sizeof *runtime);
    if (!runtime)
        return NULL;
    *runtime = (sg_runtime){.host = host};
    sg_arena_init(&runtime->trees, allocator);
    runtime->units = sg_units_create(allocator);
    runtime->compiler = runtime->units ? sg_compiler_create(allocator) : NULL;
    if (runtime->compiler)
        runtime->vm = sg_vm_create(allocator, symbols, sources, diags, limits, &hooks);
    if (!runtime->vm) {
        if (runtime->units)
            sg_units_destroy(runtime->units);
        sg_compiler_destroy(runtime->compiler, allocator);
        sg_arena_destroy(&runtime->trees);
        allocator->resize(allocator->context, runtime, sizeof *runtime, 0);
        return NULL;
    }
    sg_vm *vm = runtime->vm;
    vm->runtime = runtime;
    vm->write_out = host.write_out;
    vm->out_context = host.context;
    vm->write_err = host.write_err;
    vm->err_context = host.context;
    runtime->names.class_ = sg_vm_sym(vm, "_class");
    runtime->names.value = sg_vm_sym(vm, "value");
    runtime->names.equations = sg_vm_sym(vm, "equations");
    runtime->names.initialEquations = sg_vm_sym(vm, "initialEquations");
    runtime->names.connect = sg_vm_sym(vm, "connect");
    runtime->names.connections = sg_vm_sym(vm, "connections");
    runtime->names.redeclare = sg_vm_sym(vm, "_redeclare");
    runtime->names.Model = sg_vm_sym(vm, "Model");
    runtime->names.Map = sg_vm_sym(vm, "Map");
    runtime->names.Var = sg_vm_sym(vm, "Var");
    runtime->names.Par = sg_vm_sym(vm, "Par");
    runtime->names.path = sg_vm_sym(vm, "path");
    if (!make_modules(vm) || !register_functions(vm, &host)) {
        sg_script_destroy(runtime);
        return NULL;
    }
    return runtime;
}

void sg_script_destroy(sg_script *script)
{
    if (!script)
        return;
    const sg_allocator *allocator = script->vm->allocator;
    sg_vm_destroy(script->vm);
    sg_compiler_destroy(script->compiler, allocator);
    sg_units_destroy(script->units);
    SG_VEC_FREE(allocator, &script->sets);
    SG_VEC_FREE(allocator, &script->files);
    sg_arena_destroy(&script->trees);
    allocator->resize(allocator->context, script, sizeof *script, 0);
}

sg_vm *sg_script_vm(sg_script *script) { return script->vm; }
sg_units *sg_script_units(sg_script *script) { return script->units; }
sg_test_counts sg_script_tests(const sg_script *script) { return script->tests; }

void sg_script_count_test(sg_script *script, bool passed)
{
    if (passed)
        script->tests.passed++;
    else
        script->tests.failed++;
    if (script->sets.len) {
        sg_test_set *set = &script->sets.data[script->sets.len - 1];
        if (passed)
            set->passed++;
        else
            set->failed++;
    }
}

sg_value sg_script_global(sg_script *script, const char *name)
{
    sg_vm *vm = script->vm;
    return sg_module_get(vm->main, sg_vm_sym(vm, name));
}

// ---- using and import ---------------------------------------------------------------------------

static sg_module *find_module(const sg_vm *vm, const sg_module *from, sg_sym name)
{
    for (const sg_module *m = from; m; m = m->parent) {
        sg_value value = sg_module_get(m, name);
        if (sg_is(value, SG_OBJ_MODULE))
            return (sg_module *)value.o;
    }
    sg_value value = sg_module_get(vm->main, name);
    return sg_is(value, SG_OBJ_MODULE) ? (sg_module *)value.o : NULL;
}

static bool is_dots(const sg_vm *vm, sg_sym name)
{
    const char *text = sg_vm_text(vm, name);
    return *text == '.' && text[strspn(text, ".")] == '\0';
}

// Brings one name of a module into another.
static sg_status import_name(sg_vm *vm, sg_module *module, sg_module *from, sg_sym name, sg_sym as,
                             bool extend, sg_span span)
{
    sg_cell *source = from ? sg_module_find(from, name) : NULL;
    if (!source) {
        if (!from)
            return SG_OK; // names of a package that Segue does not have; using them is an error
        if (from->parent != vm->base) {
            const char *near = sg_suggest_name(vm, from, sg_vm_text(vm, name));
            return sg_raise(vm, "UndefVarError", SG_E_NAME, span,
                            "module %s does not define '%s'%s%s%s", sg_vm_text(vm, from->name),
                            sg_vm_text(vm, name), near ? ", did you mean '" : "", near ? near : "",
                            near ? "'?" : "");
        }
        return SG_OK;
    }
    sg_cell *cell = sg_module_cell(vm, module, as);
    if (!cell)
        return SG_ERR_MEMORY;
    if (cell != source && cell->value.tag == SG_UNDEF) {
        cell->link = source;
        if (extend)
            cell->head.flags |= SG_CELL_IMPORTED;
    }
    return SG_OK;
}

static sg_status use_path(sg_vm *vm, sg_module *module, const sg_ast *path, bool is_import)
{
    sg_module *at = NULL;
    sg_sym last = {0};
    uint32_t n_names = path->n;
    const sg_ast *names = NULL;
    if (n_names && path->kids[n_names - 1]->kind == SG_AST_TUPLE)
        names = path->kids[--n_names];
    bool relative = n_names && is_dots(vm, path->kids[0]->sym);
    bool known = true;
    for (uint32_t i = relative ? 1 : 0; i < n_names; i++) {
        sg_sym name = path->kids[i]->sym;
        last = name;
        sg_module *next = find_module(vm, i > (relative ? 1u : 0u) && at ? at : module, name);
        if (!next && is_import && i + 1 == n_names && i > 0) // import A.b
            return import_name(vm, module, at, name, path->sym.i ? path->sym : name, true,
                               path->span);
        known = known && next;
        at = next;
    }
    if (!known || !at) {
        sg_warning(vm->diags, SG_E_PACKAGE, path->span,
                   "there is no package or module '%s' in Segue; what it defines is not known",
                   sg_vm_text(vm, last));
        return SG_OK;
    }
    sg_status status = SG_OK;
    if (names) {
        for (uint32_t i = 0; i < names->n && status == SG_OK; i++) {
            const sg_ast *item = names->kids[i];
            bool renamed = item->kind == SG_AST_KW;
            sg_sym name = renamed ? item->kids[0]->sym : item->sym;
            status = import_name(vm, module, at, name, item->sym, is_import, item->span);
        }
        return status;
    }
    sg_cell *cell = sg_module_cell(vm, module, path->sym.i ? path->sym : last);
    if (!cell)
        return SG_ERR_MEMORY;
    if (cell->value.tag == SG_UNDEF)
        cell->value = sg_object(at);
    if (!is_import && !sg_module_use(vm, module, at))
        return SG_ERR_MEMORY;
    return SG_OK;
}

// ---- statements ---------------------------------------------------------------------------------

static sg_status run_statement(sg_runtime *runtime, sg_module *module, const sg_ast *statement,
                               sg_value *out);

static sg_status run_module(sg_runtime *runtime, sg_module *outer, const sg_ast *ast)
{
    sg_vm *vm = runtime->vm;
    sg_module *module = sg_module_make(vm, ast->sym, outer);
    if (!module || !sg_module_set(vm, outer, ast->sym, sg_object(module)) ||
        !sg_module_set(vm, module, ast->sym, sg_object(module))) // its own name leads to it
        return SG_ERR_MEMORY;
    const sg_ast *body = ast->kids[0];
    for (uint32_t i = 0; i < body->n; i++) {
        sg_value ignored;
        sg_status status = run_statement(runtime, module, body->kids[i], &ignored);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

static sg_status run_code(sg_runtime *runtime, sg_module *module, const sg_ast *statement,
                          sg_name_lookup lookup, void *context, sg_value *out);

static bool holds_using(const sg_ast *ast)
{
    bool found = ast->kind == SG_AST_USING || ast->kind == SG_AST_IMPORT;
    bool deeper = ast->kind == SG_AST_IF || ast->kind == SG_AST_BLOCK;
    for (uint32_t i = 0; deeper && !found && i < ast->n; i++)
        found = holds_using(ast->kids[i]);
    return found;
}

// if condition; using A else using B end: packages are taken up statement by statement, so what the
// condition chooses runs as if it stood there alone.
static sg_status run_branch(sg_runtime *runtime, sg_module *module, const sg_ast *ast,
                            sg_value *out)
{
    sg_value condition;
    bool yes = false;
    sg_status status = run_code(runtime, module, ast->kids[0], NULL, NULL, &condition);
    if (status == SG_OK)
        status = sg_truth(runtime->vm, condition, &yes);
    const sg_ast *chosen = yes ? ast->kids[1] : ast->n > 2 ? ast->kids[2] : NULL;
    *out = SG_VALUE_NOTHING;
    if (status != SG_OK || !chosen || chosen->kind == SG_AST_NONE)
        return status;
    if (chosen->kind != SG_AST_BLOCK)
        return run_statement(runtime, module, chosen, out);
    for (uint32_t i = 0; i < chosen->n && status == SG_OK; i++)
        status = run_statement(runtime, module, chosen->kids[i], out);
    return status;
}

static sg_status run_statement(sg_runtime *runtime, sg_module *module, const sg_ast *statement,
                               sg_value *out)
{
    sg_vm *vm = runtime->vm;
    *out = SG_VALUE_NOTHING;
    sg_vm_at(vm, statement->span);
    if (statement->kind == SG_AST_IF && holds_using(statement))
        return run_branch(runtime, module, statement, out);
    while (statement->kind == SG_AST_DOC)
        statement = statement->kids[1];
    if (statement->kind == SG_AST_MODULE)
        return run_module(runtime, module, statement);
    if (statement->kind == SG_AST_USING || statement->kind == SG_AST_IMPORT) {
        sg_status status = SG_OK;
        for (uint32_t i = 0; i < statement->n && status == SG_OK; i++)
            status = use_path(vm, module, statement->kids[i], statement->kind == SG_AST_IMPORT);
        return status;
    }
    sg_status status = run_code(runtime, module, statement, NULL, NULL, out);
    if (status == SG_ERR_MODEL)
        sg_explain_undefined(runtime, statement);
    if (status == SG_ERR_MODEL && !vm->n_frames && runtime->host.skip &&
        runtime->host.skip(runtime->host.context, module, statement)) {
        vm->exception = (sg_value){.tag = SG_UNDEF};
        status = SG_OK;
    }
    return status;
}

static sg_status run_code(sg_runtime *runtime, sg_module *module, const sg_ast *statement,
                          sg_name_lookup lookup, void *context, sg_value *out)
{
    sg_vm *vm = runtime->vm;
    *out = SG_VALUE_NOTHING;
    size_t errors = vm->diags->n_errors;
    sg_proto *proto = sg_compile_statement(vm, module, statement, lookup, context);
    if (!proto) {
        if (vm->exception.tag != SG_UNDEF)
            return SG_ERR_MEMORY;
        // The compiler has reported what is wrong; the exception only unwinds.
        sg_raise(vm, "ErrorException", SG_E_NONE, statement->span, "%s",
                 vm->diags->n_errors > errors ? "syntax: a statement cannot be compiled"
                                              : "a statement cannot be compiled");
        if (sg_is(vm->exception, SG_OBJ_EXCEPTION) && vm->diags->n_errors > errors)
            vm->exception.o->flags = 2; // already reported
        return SG_ERR_MODEL;
    }
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(proto));
    sg_status status = sg_run_proto(vm, proto, out);
    sg_root_pop(vm, mark);
    return status;
}

sg_status sg_script_eval(sg_script *script, sg_module *module, const sg_ast *tree, sg_value *out)
{
    if (tree->kind != SG_AST_BLOCK)
        return run_statement(script, module, tree, out);
    *out = SG_VALUE_NOTHING;
    for (uint32_t i = 0; i < tree->n; i++) {
        sg_status status = run_statement(script, module, tree->kids[i], out);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

sg_status sg_script_eval_with(sg_script *script, sg_module *module, const sg_ast *tree,
                              sg_name_lookup lookup, void *context, sg_value *out)
{
    return run_code(script, module, tree, lookup, context, out);
}

// Parses and runs a text; an error is left pending. Syntax errors are in the diagnostics.
static sg_status run_tree(sg_runtime *runtime, sg_module *module, uint32_t file, sg_value *out,
                          const sg_ast **read)
{
    sg_vm *vm = runtime->vm;
    sg_ast *tree = NULL;
    sg_vm_at(vm, (sg_span){file, 0, 0});
    const sg_source *source = sg_sources_get(vm->sources, file);
    if (runtime->host.prepare &&
        !runtime->host.prepare(runtime->host.context, source->text, source->length))
        return sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
    sg_status status = sg_parse(vm->sources, file, vm->symbols, &runtime->trees, vm->diags,
                                (sg_parser_options){0}, &tree);
    if (status != SG_OK) {
        if (status == SG_ERR_MEMORY)
            return sg_raise_status(vm, status, SG_E_MEMORY, (sg_span){0}, "out of memory");
        sg_raise(vm, "LoadError", SG_E_SYNTAX, (sg_span){0}, "the file has syntax errors");
        if (sg_is(vm->exception, SG_OBJ_EXCEPTION))
            vm->exception.o->flags = 2;
        return SG_ERR_MODEL;
    }
    if (!SG_PUSH(vm->allocator, &runtime->files, file))
        return sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
    for (uint32_t i = 0; i < tree->n && status == SG_OK; i++) {
        status = run_statement(runtime, module, tree->kids[i], out);
        if (!vm->n_frames && status == SG_OK)
            sg_heap_end_statement(vm); // an inner file leaves this to its includer
        if (status == SG_OK)
            status = sg_vm_poll(vm);
    }
    runtime->files.len--;
    *read = tree;
    return status;
}

static sg_status run_source(sg_runtime *runtime, sg_module *module, uint32_t file, sg_value *out)
{
    const sg_ast *tree;
    return run_tree(runtime, module, file, out, &tree);
}

static sg_status finish(sg_runtime *runtime, sg_status status)
{
    sg_vm *vm = runtime->vm;
    if (status == SG_OK)
        return status;
    bool reported = sg_is(vm->exception, SG_OBJ_EXCEPTION) && vm->exception.o->flags == 2;
    if (status == SG_ERR_MEMORY && vm->exception.tag == SG_UNDEF)
        sg_raise_status(vm, status, SG_E_MEMORY, (sg_span){0}, "out of memory");
    if (reported)
        vm->exception = (sg_value){.tag = SG_UNDEF};
    else
        sg_report_exception(vm);
    return status;
}

sg_status sg_script_run_text(sg_script *script, sg_module *module, const char *name,
                             const char *text, size_t length, sg_value *out)
{
    sg_vm *vm = script->vm;
    sg_value ignored = SG_VALUE_NOTHING;
    uint32_t file = sg_sources_add(vm->sources, name, text, length);
    if (!file) {
        bool large = length >= UINT32_MAX;
        sg_error(vm->diags, large ? SG_E_LIMIT : SG_E_MEMORY, (sg_span){0}, "%s: %s", name,
                 large ? "the text is too large" : "out of memory");
        return large ? SG_ERR_LIMIT : SG_ERR_MEMORY;
    }
    sg_status status = run_source(script, module ? module : vm->main, file, out ? out : &ignored);
    return finish(script, status);
}

// Whether nothing that was made of a tree points back to it. Quotes do, and so do functions.
static bool leaves_nothing(const sg_ast *tree)
{
    switch ((int)tree->kind) {
    case SG_AST_INT:
    case SG_AST_FLOAT:
    case SG_AST_BOOL:
    case SG_AST_NAME:
    case SG_AST_STRMACRO:
    case SG_AST_CALL:
    case SG_AST_KW:
    case SG_AST_INDEX:
    case SG_AST_FIELD:
    case SG_AST_ADJOINT:
    case SG_AST_VECT:
    case SG_AST_VCAT:
    case SG_AST_HCAT:
    case SG_AST_ROW:
    case SG_AST_RANGE:
    case SG_AST_BLOCK:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < tree->n; i++)
        if (!leaves_nothing(tree->kids[i]))
            return false;
    return true;
}

sg_status sg_script_value_of(sg_script *script, const char *name, const char *text, size_t length,
                             sg_value *out)
{
    sg_vm *vm = script->vm;
    sg_arena_mark mark = sg_arena_mark_get(&script->trees);
    const sg_source *newest = sg_sources_get(vm->sources, (uint32_t)vm->sources->len);
    bool again = newest && newest->length == length && strcmp(newest->name, name) == 0 &&
                 memcmp(newest->text, text, length) == 0;
    uint32_t file = again ? newest->number : sg_sources_add(vm->sources, name, text, length);
    size_t n_sources = vm->sources->len;
    if (!file)
        return sg_script_run_text(script, NULL, name, text, length, out); // which says why
    const sg_ast *tree = NULL;
    sg_status status = run_tree(script, vm->main, file, out, &tree);
    // A name may have brought a file of the library along, whose trees lie behind this one.
    if (status == SG_OK && n_sources == vm->sources->len && tree && leaves_nothing(tree))
        sg_arena_release(&script->trees, mark);
    return finish(script, status);
}

// ---- files --------------------------------------------------------------------------------------

static sg_status default_load(sg_runtime *runtime, const char *path, const char *from, char **text,
                              size_t *length, sg_buf *name)
{
    const char *slash = strrchr(from, '/');
    if (path[0] != '/' && slash)
        sg_buf_add(name, from, (size_t)(slash - from) + 1);
    sg_buf_puts(name, path);
    return sg_read_file(runtime->vm->allocator, sg_buf_text(name), text, length);
}

static sg_status load(sg_runtime *runtime, const char *path, const char *from, char **text,
                      size_t *length, sg_buf *name)
{
    errno = 0;
    if (runtime->host.load)
        return runtime->host.load(runtime->host.context, path, from, text, length, name);
    return default_load(runtime, path, from, text, length, name);
}

static sg_status raise_io(sg_vm *vm, const char *path, sg_span span)
{
    if (errno == EISDIR)
        return sg_raise_status(vm, SG_ERR_IO, SG_E_IO, span, "%s is a folder, not a file", path);
    if (errno)
        return sg_raise_status(vm, SG_ERR_IO, SG_E_IO, span, "%s cannot be read: %s", path,
                               strerror(errno));
    return sg_raise_status(vm, SG_ERR_IO, SG_E_IO, span, "%s cannot be read", path);
}

static sg_status include_from(sg_runtime *runtime, sg_module *module, const char *path,
                              const char *from, sg_span span, sg_value *out)
{
    sg_vm *vm = runtime->vm;
    char *text = NULL;
    size_t length = 0;
    sg_buf name;
    sg_buf_init(&name, vm->allocator);
    sg_status status = load(runtime, path, from, &text, &length, &name);
    const char *shown = name.len ? sg_buf_text(&name) : path;
    if (status != SG_OK) {
        // The host may have raised its own, clearer message.
        if (vm->exception.tag == SG_UNDEF)
            raise_io(vm, shown, span);
        sg_buf_free(&name);
        return status;
    }
    for (size_t i = 0; i < runtime->files.len; i++) {
        const sg_source *open = sg_sources_get(vm->sources, runtime->files.data[i]);
        if (open && span.file && strcmp(open->name, shown) == 0)
            status = sg_raise(vm, "LoadError", SG_E_IO, span,
                              "%s includes itself, directly or through other files", shown);
    }
    if (status == SG_OK && runtime->files.len >= MAX_INCLUDES)
        status = sg_raise(vm, "LoadError", SG_E_LIMIT, span,
                          "files include each other more than %d levels deep", MAX_INCLUDES);
    uint32_t file = 0;
    if (status == SG_OK) {
        file = sg_sources_add(vm->sources, shown, text, length);
        if (!file)
            status = sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, span, "%s is too large", shown);
    }
    vm->allocator->resize(vm->allocator->context, text, length + 1, 0);
    sg_buf_free(&name);
    if (status != SG_OK)
        return status;
    sg_source *source = sg_sources_get(vm->sources, file);
    if (source && span.file) {
        source->from_file = span.file;
        source->from = span;
    }
    return run_source(runtime, module, file, out);
}

sg_status sg_script_include(sg_script *script, sg_module *module, const char *path, sg_span span,
                            sg_value *out)
{
    sg_vm *vm = script->vm;
    const sg_source *from = sg_sources_get(vm->sources, span.file);
    if (!from && script->files.len)
        from = sg_sources_get(vm->sources, script->files.data[script->files.len - 1]);
    *out = SG_VALUE_NOTHING;
    return include_from(script, module, path, from ? from->name : "", span, out);
}

sg_status sg_script_run_file(sg_script *script, sg_module *module, const char *path)
{
    sg_value ignored;
    sg_status status =
        include_from(script, module ? module : script->vm->main, path, "", (sg_span){0}, &ignored);
    return finish(script, status);
}
