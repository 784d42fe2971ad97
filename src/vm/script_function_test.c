#include "vm/script_function.h"

#include "harness/sg_test.h"

#include <string.h>

typedef struct function_world {
    sg_symbols *symbols;
    sg_sources sources;
    sg_diags diags;
    sg_vm_hooks hooks;
    sg_vm *vm;
    sg_script_table table;
} function_world;

static void begin(function_world *w)
{
    memset(w, 0, sizeof(*w));
    const sg_allocator *allocator = sg_allocator_default();
    w->symbols = sg_symbols_create(allocator);
    sg_sources_init(&w->sources, allocator);
    sg_diags_init(&w->diags, allocator);
    w->vm =
        sg_vm_create(allocator, w->symbols, &w->sources, &w->diags, sg_limits_default(), &w->hooks);
    SG_CHECK(sg_script_table_init(&w->table, w->vm) == SG_OK);
}

static void end(function_world *w)
{
    sg_vm_destroy(w->vm);
    sg_diags_destroy(&w->diags);
    sg_sources_destroy(&w->sources);
    sg_symbols_destroy(w->symbols);
}

static sg_value native(function_world *w, const char *name, sg_native_fn fn, void *context)
{
    return sg_object(sg_vm_register(w->vm, NULL, name, fn, context, NULL));
}

// (v, s) -> (s*v, "text")
static sg_status scale(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_array *v = (const sg_array *)args->v[0].o;
    sg_array *r = sg_vector_make(vm, SG_ELEM_FLOAT, v->len);
    sg_tuple *t = sg_tuple_make(vm, 2);
    (void)context;
    for (size_t i = 0; i < v->len; i++)
        r->f[i] = v->f[i] * args->v[1].d;
    t->items[0] = sg_object(r);
    t->items[1] = sg_string_value(vm, "text");
    *out = sg_object(t);
    return SG_OK;
}

// The opaque value comes back as it was.
static sg_status measure(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm;
    (void)context;
    bool is_text = args->v[0].tag == SG_OBJECT && args->v[0].o->kind == SG_OBJ_STRING;
    *out = (sg_value){.tag = SG_FLOAT, .d = is_text ? 4.0 : -1.0};
    return SG_OK;
}

static sg_status fail(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    (void)out;
    return sg_raise(vm, "DomainError", SG_E_ARGUMENT, args->span, "no value here");
}

static bool give_start(void *context, uint32_t var, sg_given *value)
{
    static const double start[3] = {1, 2, 3};
    (void)context;
    (void)var;
    *value = (sg_given){sg_dims_vector(3), start};
    return true;
}

SG_TEST(script_functions_take_vectors_and_pass_objects_on)
{
    function_world w;
    begin(&w);
    sg_script_function functions[3] = {
        {0},
        {.table = &w.table, .callee = native(&w, "scale", scale, NULL)},
        {.table = &w.table, .callee = native(&w, "m", measure, NULL)}};
    sg_extern externs[3] = {{0}, sg_script_extern(&functions[1]), sg_script_extern(&functions[2])};
    sg_program *p = sg_program_create(NULL);
    uint32_t state_var = 1;
    p->n_states = 1;
    p->state_vars = &state_var;
    sg_reg x = sg_program_reg(p, SG_REG_STATE, 0), der = sg_program_reg(p, SG_REG_DER, 0);
    sg_reg args[2] = {x, sg_program_number(p, 2.5, SG_REAL)};
    sg_reg results[2] = {sg_program_reg(p, SG_REG_TEMP, 0), sg_program_reg(p, SG_REG_TEMP, 0)};
    sg_program_call(p, 1, results, 2, args, 2, 0);
    sg_reg number = sg_program_reg(p, SG_REG_TEMP, 0);
    sg_program_call(p, 2, &number, 1, &results[1], 1, 0);
    sg_program_step(p, SG_OP_MUL, false, der, (sg_reg[2]){number, results[0]}, 2, 0, 0);
    sg_exec *exec = sg_exec_create(NULL, p, externs);
    sg_exec_source source = {.start = give_start};
    SG_CHECK(sg_exec_link(exec, &source, &w.diags) == SG_OK);
    double xv[3] = {1, 2, 3}, dx[3];
    for (int k = 0; k < 100; k++)
        SG_CHECK(sg_exec_eval(exec, 0, xv, dx, SG_EVAL_ALL) == SG_OK);
    SG_CHECK(dx[0] == 10 && dx[2] == 30);
    SG_CHECK(w.table.objects->len == 1); // the one text, not a hundred
    sg_exec_destroy(exec);
    sg_program_destroy(p);
    end(&w);
}

SG_TEST(an_exception_of_a_script_function_can_be_tried_again_and_reported)
{
    function_world w;
    begin(&w);
    sg_script_function f = {.table = &w.table, .callee = native(&w, "fail", fail, NULL)};
    sg_extern e = sg_script_extern(&f);
    double result = 0;
    sg_operand to = {sg_dims_scalar(SG_REAL), &result};
    sg_extern_call call = {.results = &to, .n_results = 1};
    SG_CHECK(e.call(e.context, &call) == SG_ERR_SOLVER);
    SG_CHECK(e.call(e.context, &call) == SG_ERR_SOLVER);
    SG_CHECK(w.diags.len == 0);
    sg_script_table_report(&w.table, SG_ERROR);
    SG_REQUIRE(w.diags.len >= 1);
    SG_CHECK(strstr(w.diags.list[0].message, "no value here"));
    end(&w);
}
