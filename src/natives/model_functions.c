// Functions and macros around models: @instantiateModel, @showModel, solver names.
#include "lang/print.h"
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "solver/methods.h"
#include "syntax/ast.h"

#include <string.h>

// ---- @instantiateModel ----------------------------------------------------------------------

static const char *const keywords[] = {
    "FloatType",         "unitless", "aliasReduction", "evaluateParameters",
    "saveCodeOnFile",    "log",      "logModel",       "logDetails",
    "logStateSelection", "logCode",  "logExecution",   "logCalculations",
    "logTiming",         "logFile",  "source"};
enum { N_KEYWORDS = sizeof keywords / sizeof keywords[0] };

static bool flag(sg_vm *vm, const sg_args *args, const char *name, bool otherwise)
{
    const sg_value *value = sg_args_find(vm, args, name);
    return value && value->tag == SG_BOOL ? value->b : otherwise;
}

// FloatType: Float64 and Float32 are computed; numbers with uncertainty come later.
static sg_status read_float_type(sg_vm *vm, const sg_args *args, bool *single)
{
    const sg_value *value = sg_args_find(vm, args, "FloatType");
    *single = false;
    if (!value)
        return SG_OK;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_print_value(vm, sg_runtime_of(vm)->units, *value, &text);
    *single = strcmp(sg_buf_text(&text), "Float32") == 0;
    sg_status status = SG_OK;
    if (!*single && strcmp(sg_buf_text(&text), "Float64") != 0)
        status = sg_raise(vm, "ArgumentError", SG_E_UNSUPPORTED, args->span,
                          "FloatType = %s: numbers with uncertainty are not supported yet; use "
                          "Float64 or Float32",
                          sg_buf_text(&text));
    sg_buf_free(&text);
    return status;
}

// The text of the first macro argument is the name of the model.
static void model_name(sg_vm *vm, sg_value quotes, sg_buf *out)
{
    const sg_tuple *tuple = sg_is(quotes, SG_OBJ_TUPLE) ? (sg_tuple *)quotes.o : NULL;
    sg_value first = tuple && tuple->n ? tuple->items[0] : SG_VALUE_NOTHING;
    if (first.tag == SG_SYMBOL)
        sg_buf_puts(out, sg_vm_text(vm, first.sym));
    else if (sg_is(first, SG_OBJ_QUOTE))
        sg_ast_print(vm->symbols, ((sg_quote *)first.o)->root, out);
    else
        sg_buf_puts(out, "model");
}

static sg_status instantiate_macro(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    sg_status status = sg_args_check_keywords(vm, args, "@instantiateModel", keywords, N_KEYWORDS);
    sg_instantiate_options options = {.unitless = flag(vm, args, "unitless", false),
                                      .alias_reduction = flag(vm, args, "aliasReduction", true),
                                      .log = flag(vm, args, "log", false),
                                      .log_model = flag(vm, args, "logModel", false),
                                      .log_code = flag(vm, args, "logCode", false),
                                      .log_states = flag(vm, args, "logStateSelection", false),
                                      .log_details = flag(vm, args, "logDetails", false),
                                      .log_timing = flag(vm, args, "logTiming", false),
                                      .log_execution = flag(vm, args, "logExecution", false),
                                      .log_calculations = flag(vm, args, "logCalculations", false)};
    const sg_value *file = sg_args_find(vm, args, "saveCodeOnFile");
    options.code_file = file ? sg_text_of(vm, *file) : NULL;
    const sg_value *log_file = sg_args_find(vm, args, "logFile");
    options.log_file = flag(vm, args, "logFile", true) &&
                       (log_file || options.log || options.log_model || options.log_details);
    if (status == SG_OK)
        status = read_float_type(vm, args, &options.single);
    if (status == SG_OK && args->n < 2)
        status = sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                          "@instantiateModel needs a model");
    if (status != SG_OK)
        return status;
    if (session->options.check_only && sg_holds_unknown(args->v[1])) { // made of results
        session->models.skipped = true;
        *out = sg_unknown_value(vm);
        return SG_OK;
    }
    sg_buf name;
    sg_buf_init(&name, vm->allocator);
    model_name(vm, args->v[0], &name);
    if (options.log_file)
        sg_log_file(session, sg_buf_text(&name), args->span);
    status = sg_model_instantiate(session, sg_vm_current_module(vm), args->v[1], sg_buf_text(&name),
                                  options, args->span, out);
    sg_buf_free(&name);
    sg_model_object *m = status == SG_OK ? sg_native_data(*out, &sg_model_class) : NULL;
    return m ? sg_log_model(m, &options, args->span) : status;
}

// ---- @showModel and the rest ------------------------------------------------------------------

static sg_status show_model_macro(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    sg_buf name, text;
    sg_buf_init(&name, vm->allocator);
    sg_buf_init(&text, vm->allocator);
    model_name(vm, args->n ? args->v[0] : SG_VALUE_NOTHING, &name);
    if (args->n > 1)
        sg_show_model(vm, sg_runtime_of(vm)->units, sg_buf_text(&name), args->v[1], &text);
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&name);
    sg_buf_free(&text);
    return SG_OK;
}

// ---- solvers --------------------------------------------------------------------------------

static void print_solver(sg_vm *vm, void *data, sg_buf *out)
{
    (void)vm;
    sg_buf_printf(out, "%s()", ((const sg_algorithm *)data)->name);
}

static const sg_native_class solver_class = {.name = "Solver", .print = print_solver};

const char *sg_solver_name(sg_value value)
{
    const sg_algorithm *method = sg_native_data(value, &solver_class);
    return method ? method->name : NULL;
}

static sg_status solver_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)args; // options such as autodiff do not apply here
    *out = sg_native_make(vm, &solver_class, context);
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

static bool register_solvers(sg_session *session, sg_module *modia)
{
    size_t n;
    const sg_algorithm *list = sg_algorithm_list(&n);
    for (size_t i = 0; i < n; i++)
        if (!sg_vm_offer(session->vm, modia, list[i].name, solver_native,
                         (void *)(uintptr_t)&list[i], NULL))
            return false;
    return true;
}

static sg_status show_parameters_native(sg_vm *vm, const sg_args *args, void *context,
                                        sg_value *out)
{
    const bool *evaluated = context;
    *out = SG_VALUE_NOTHING;
    sg_model_object *m = sg_model_argument(vm, args, "showParameters");
    if (!m)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_show_model(vm, sg_runtime_of(vm)->units, *evaluated ? "evaluatedParameters" : "parameters",
                  *evaluated ? m->instance.evaluated : m->instance.parameters, &text);
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return SG_OK;
}

bool sg_session_register_models(sg_session *session)
{
    static const bool yes = true, no = false;
    const sg_session_function table[] = {{"@instantiateModel", instantiate_macro, NULL},
                                         {"@showModel", show_model_macro, NULL},
                                         {"@usingModiaPlot", sg_nothing_native, NULL},
                                         {"@usingPlotPackage", sg_nothing_native, NULL},
                                         {"AutoFiniteDiff", sg_nothing_native, NULL},
                                         {"AutoForwardDiff", sg_nothing_native, NULL},
                                         {"showParameters", show_parameters_native, &no},
                                         {"showEvaluatedParameters", show_parameters_native, &yes}};
    return sg_session_register(session, table, sizeof table / sizeof table[0]) &&
           register_solvers(session, sg_vm_module(session->vm, "Modia"));
}
