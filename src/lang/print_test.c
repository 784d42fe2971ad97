#include "lang/print.h"

#include "harness/sg_test.h"
#include "lang/quantity.h"
#include "syntax/parser.h"

#include <string.h>

typedef struct print_fixture {
    sg_sources sources;
    sg_diags diags;
    sg_symbols *symbols;
    sg_vm *vm;
    sg_units *units;
    sg_buf out;
} print_fixture;

static void leave_quote(sg_vm *vm, sg_obj *quote)
{
    (void)vm;
    (void)quote; // its tree lies in the test's arena
}

static void begin(print_fixture *f)
{
    static const sg_vm_hooks hooks = {.mark_quote = leave_quote, .free_quote = leave_quote};
    sg_sources_init(&f->sources, NULL);
    sg_diags_init(&f->diags, NULL);
    f->symbols = sg_symbols_create(sg_allocator_default());
    f->vm = sg_vm_create(sg_allocator_default(), f->symbols, &f->sources, &f->diags,
                         sg_limits_default(), &hooks);
    f->units = sg_units_create(NULL);
    sg_buf_init(&f->out, sg_allocator_default());
}

static void finish(print_fixture *f)
{
    sg_buf_free(&f->out);
    sg_units_destroy(f->units);
    sg_vm_destroy(f->vm);
    sg_symbols_destroy(f->symbols);
    sg_diags_destroy(&f->diags);
    sg_sources_destroy(&f->sources);
}

static uint32_t unit(print_fixture *f, const char *text)
{
    return sg_unit_parse(f->units, text, strlen(text), NULL, NULL, NULL);
}

static sg_value qty(print_fixture *f, double x, const char *text)
{
    return sg_quantity_make(x, unit(f, text));
}

static const char *shown(print_fixture *f, sg_value v)
{
    sg_buf_clear(&f->out);
    sg_show_value(f->vm, f->units, v, &f->out);
    return sg_buf_text(&f->out);
}

SG_TEST(floats_print_with_the_fewest_digits_and_a_point_or_an_exponent)
{
    static const struct {
        double x;
        const char *text;
    } cases[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {1.0, "1.0"},
        {0.1, "0.1"},
        {1e5, "100000.0"},
        {999999.0, "999999.0"},
        {1e6, "1.0e6"},
        {1.5e7, "1.5e7"},
        {1e-4, "0.0001"},
        {1e-5, "1.0e-5"},
        {1.25e-5, "1.25e-5"},
        {123456.789, "123456.789"},
        {1e22, "1.0e22"},
        {1e300, "1.0e300"},
        {5e-324, "5.0e-324"},
        {-2.5, "-2.5"},
        {INFINITY, "Inf"},
        {-INFINITY, "-Inf"},
        {NAN, "NaN"},
        {0.001, "0.001"},
        {1.0 / 3.0, "0.3333333333333333"},
        {100.0, "100.0"},
        {0.30000000000000004, "0.30000000000000004"},
    };
    print_fixture f;
    begin(&f);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        SG_SAME_TEXT(shown(&f, sg_float(cases[i].x)), cases[i].text);
    SG_SAME_TEXT(shown(&f, (sg_value){.tag = SG_FLOAT32, .d = (double)0.1f}), "0.1f0");
    SG_SAME_TEXT(shown(&f, (sg_value){.tag = SG_FLOAT32, .d = (double)1e10f}), "1.0f10");
    finish(&f);
}

SG_TEST(quantities_and_small_values_print_as_in_the_reference)
{
    print_fixture f;
    begin(&f);
    SG_SAME_TEXT(shown(&f, qty(&f, 5, "Ω")), "5.0 Ω");
    SG_SAME_TEXT(shown(&f, qty(&f, 2, "m/s")), "2.0 m s^-1");
    SG_SAME_TEXT(shown(&f, qty(&f, 90, "°")), "90.0°");
    SG_SAME_TEXT(shown(&f, sg_quantity_make_int(3, unit(&f, "kg*m^2"))), "3 kg m^2");
    SG_SAME_TEXT(shown(&f, SG_VALUE_NOTHING), "nothing");
    SG_SAME_TEXT(shown(&f, sg_bool(true)), "true");
    SG_SAME_TEXT(shown(&f, sg_symbol(sg_vm_sym(f.vm, "x"))), ":x");
    SG_SAME_TEXT(shown(&f, sg_string_value(f.vm, "a\"b\n")), "\"a\\\"b\\n\"");
    SG_SAME_TEXT(shown(&f, (sg_value){.tag = SG_CHAR, .i = 'a'}), "'a'");
    sg_buf_clear(&f.out);
    sg_print_value(f.vm, f.units, sg_string_value(f.vm, "a\"b"), &f.out);
    SG_SAME_TEXT(sg_buf_text(&f.out), "a\"b");
    finish(&f);
}

SG_TEST(collections_print_on_one_line)
{
    print_fixture f;
    begin(&f);
    sg_value numbers[] = {sg_float(1), sg_float(2.5)};
    sg_array *v = sg_array_from_values(f.vm, numbers, 2);
    SG_SAME_TEXT(shown(&f, sg_object(v)), "[1.0, 2.5]");
    v->unit = unit(&f, "m");
    SG_SAME_TEXT(shown(&f, sg_object(v)), "[1.0 m, 2.5 m]");
    size_t dims[] = {2, 2};
    sg_array *m = sg_array_make(f.vm, SG_ELEM_FLOAT, 2, dims);
    m->f[0] = 1, m->f[1] = 3, m->f[2] = 2, m->f[3] = 4;
    SG_SAME_TEXT(shown(&f, sg_object(m)), "[1.0 2.0; 3.0 4.0]");
    size_t column[] = {2, 1};
    SG_SAME_TEXT(shown(&f, sg_object(sg_array_make(f.vm, SG_ELEM_INT, 2, column))), "[0; 0;;]");
    SG_SAME_TEXT(shown(&f, sg_object(sg_vector_make(f.vm, SG_ELEM_FLOAT, 0))), "Float64[]");
    SG_SAME_TEXT(shown(&f, sg_range_make(f.vm, sg_int(1), sg_int(1), 5)), "1:5");
    SG_SAME_TEXT(shown(&f, sg_range_make(f.vm, sg_float(0), sg_float(0.1), 4)), "0.0:0.1:0.3");
    sg_tuple *t = sg_tuple_make(f.vm, 1);
    t->items[0] = sg_int(1);
    SG_SAME_TEXT(shown(&f, sg_object(t)), "(1,)");
    SG_SAME_TEXT(shown(&f, sg_pair_make(f.vm, sg_int(1), sg_float(2))), "1 => 2.0");
    sg_array *cycle = sg_vector_make(f.vm, SG_ELEM_ANY, 1);
    cycle->v[0] = sg_object(cycle);
    SG_SAME_TEXT(shown(&f, sg_object(cycle)), "[[[[[[[[[[[[…]]]]]]]]]]]]");
    SG_CHECK(strlen(shown(&f, sg_object(sg_vector_make(f.vm, SG_ELEM_FLOAT, 1000000)))) < 3000);
    finish(&f);
}

static sg_value quote_of(print_fixture *f, sg_arena *arena, const char *text)
{
    sg_ast *ast = NULL;
    uint32_t file = sg_sources_add(&f->sources, "t", text, strlen(text));
    sg_parse(&f->sources, file, f->symbols, arena, &f->diags, (sg_parser_options){0}, &ast);
    sg_quote *q = sg_heap_new(f->vm, SG_OBJ_QUOTE, sizeof *q);
    q->root = ast->kids[0]->kids[0];
    return sg_object(q);
}

SG_TEST(models_print_one_entry_a_line)
{
    print_fixture f;
    begin(&f);
    sg_arena arena;
    sg_arena_init(&arena, NULL);
    sg_dict *x = sg_dict_make(f.vm, sg_vm_sym(f.vm, "Var"));
    sg_dict *m = sg_dict_make(f.vm, sg_vm_sym(f.vm, "Model"));
    sg_span none = {0};
    sg_dict_put(f.vm, x, sg_symbol(sg_vm_sym(f.vm, "init")), sg_float(0.5), none);
    sg_dict_put(f.vm, m, sg_symbol(sg_vm_sym(f.vm, "T")), qty(&f, 0.2, "s"), none);
    sg_dict_put(f.vm, m, sg_symbol(sg_vm_sym(f.vm, "x")), sg_object(x), none);
    sg_dict_put(f.vm, m, sg_symbol(sg_vm_sym(f.vm, "equations")),
                quote_of(&f, &arena, ":[T*der(x) + x = 2\n y = 3*x]"), none);
    sg_buf_clear(&f.out);
    sg_show_model(f.vm, f.units, "M", sg_object(m), &f.out);
    SG_SAME_TEXT(sg_buf_text(&f.out), "M = Model(\n"
                                      "  T = 0.2 s,\n"
                                      "  x = Var(init = 0.5),\n"
                                      "  equations = :[\n"
                                      "    T * der(x) + x = 2\n"
                                      "    y = 3 * x\n"
                                      "  ]\n"
                                      "),\n");
    SG_SAME_TEXT(shown(&f, quote_of(&f, &arena, ":(a + b)")), ":(a + b)");
    finish(&f);
    sg_arena_destroy(&arena);
}

// ---- quantities ----------------------------------------------------------------------------

static const char *computed(print_fixture *f, sg_value a, sg_operator op, sg_value b)
{
    sg_value result;
    sg_status status = sg_quantity_binary(f->vm, f->units, op, a, b, &result);
    if (status == SG_OK)
        return shown(f, result);
    sg_exception *e = (sg_exception *)f->vm->exception.o;
    sg_buf_clear(&f->out);
    sg_print_value(f->vm, f->units, e->message, &f->out);
    f->vm->exception = (sg_value){.tag = SG_UNDEF};
    return sg_buf_text(&f->out);
}

SG_TEST(quantities_follow_the_rules_of_units)
{
    print_fixture f;
    begin(&f);
    sg_value m = qty(&f, 2, "m"), mm = qty(&f, 5, "mm"), s = qty(&f, 4, "s");
    sg_value rad = qty(&f, 1, "rad"), deg = qty(&f, 180, "°"), c = qty(&f, 25, "°C");
    sg_value bare = {.tag = SG_UNIT, .aux = unit(&f, "m")};
    SG_SAME_TEXT(computed(&f, m, SG_OPER_ADD, m), "4.0 m");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_ADD, mm), "2.005 m");
    SG_SAME_TEXT(computed(&f, mm, SG_OPER_SUB, mm), "0.0 mm");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_DIV, s), "0.5 m s^-1");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_MUL, m), "4.0 m^2");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_DIV, m), "1.0");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_POW, sg_int(2)), "4.0 m^2");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_POW, sg_float(0.5)), "1.4142135623730951 m^(1//2)");
    SG_SAME_TEXT(computed(&f, sg_int(3), SG_OPER_MUL, bare), "3 m");
    SG_SAME_TEXT(computed(&f, sg_int(1), SG_OPER_DIV, bare), "1 m^-1");
    SG_SAME_TEXT(computed(&f, bare, SG_OPER_DIV, (sg_value){.tag = SG_UNIT, .aux = unit(&f, "s")}),
                 "m s^-1");
    SG_SAME_TEXT(computed(&f, rad, SG_OPER_ADD, sg_float(1)), "2.0");
    SG_SAME_TEXT(computed(&f, deg, SG_OPER_EQ, sg_float(M_PI)), "true");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_EQ, qty(&f, 200, "cm")), "true");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_EQ, s), "false");
    SG_SAME_TEXT(computed(&f, mm, SG_OPER_LT, m), "true");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_LT, s),
                 "m (length) and s (time) are not dimensionally compatible in '<'");
    SG_SAME_TEXT(computed(&f, m, SG_OPER_ADD, sg_int(1)),
                 "m (length) and a plain number are not dimensionally compatible in '+'");
    SG_SAME_TEXT(computed(&f, c, SG_OPER_SUB, qty(&f, 20, "°C")), "5.0 K");
    SG_SAME_TEXT(computed(&f, c, SG_OPER_ADD, qty(&f, 5, "K")), "30.0 °C");
    SG_SAME_TEXT(
        computed(&f, sg_int(2), SG_OPER_MUL, c),
        "°C has an offset from absolute zero, so it cannot be used like this; convert with "
        "uconvert(u\"K\", x) first");
    SG_SAME_TEXT(
        computed(&f, sg_float(20), SG_OPER_MUL, (sg_value){.tag = SG_UNIT, .aux = unit(&f, "°C")}),
        "20.0 °C");
    SG_SAME_TEXT(computed(&f, c, SG_OPER_EQ, qty(&f, 298.15, "K")), "true");
    SG_SAME_TEXT(computed(&f, qty(&f, 7, "m"), SG_OPER_REM, m), "1.0 m");
    SG_SAME_TEXT(computed(&f, qty(&f, 7, "m"), SG_OPER_IDIV, m), "3.0");
    sg_value out;
    SG_CHECK(sg_quantity_convert(f.vm, f.units, qty(&f, 36, "km/hr"), unit(&f, "m/s"), &out) ==
             SG_OK);
    SG_SAME_TEXT(shown(&f, out), "10.0 m s^-1");
    SG_SAME_TEXT(shown(&f, sg_quantity_upreferred(f.units, qty(&f, 1, "kN"))), "1000.0 kg m s^-2");
    SG_NEAR(sg_quantity_si(f.units, deg), M_PI, 1e-15, 0.0);
    SG_CHECK(sg_quantity_root(f.vm, f.units, qty(&f, 4, "m^2"), 6, &out) == SG_OK);
    SG_SAME_TEXT(shown(&f, out), "2.0 m");
    finish(&f);
}
