#include "flat/flat.h"

#include "harness/sg_test.h"

#include <stdio.h>

typedef struct flat_fixture {
    sg_symbols *symbols;
    sg_flat flat;
} flat_fixture;

static void begin(flat_fixture *f)
{
    f->symbols = sg_symbols_create(sg_allocator_default());
    sg_flat_init(&f->flat, sg_allocator_default(), f->symbols);
}

static void end(flat_fixture *f)
{
    sg_flat_destroy(&f->flat);
    sg_symbols_destroy(f->symbols);
}

static sg_sym sym(flat_fixture *f, const char *text)
{
    return sg_sym_intern_text(f->symbols, text);
}

static sg_expr_id var(flat_fixture *f, const char *name)
{
    return sg_expr_var(&f->flat.exprs, sg_flat_var_add(&f->flat, sym(f, name), (sg_span){0}));
}

SG_TEST(a_name_is_one_variable_however_often_it_is_added)
{
    flat_fixture f;
    begin(&f);
    sg_var_id a = sg_flat_var_add(&f.flat, sym(&f, "c.v"), (sg_span){0});
    SG_CHECK(sg_flat_var_add(&f.flat, sym(&f, "c.v"), (sg_span){0}).i == a.i);
    SG_CHECK(sg_flat_var_find(&f.flat, sym(&f, "c.w")).i == 0);
    sg_var_id d = sg_flat_der(&f.flat, a);
    SG_CHECK(sg_flat_der(&f.flat, a).i == d.i);
    SG_CHECK(sg_flat_var_get(&f.flat, d)->of.i == a.i);
    end(&f);
}

SG_TEST(a_derivative_is_named_at_the_leaf_in_results_and_around_the_path_in_equations)
{
    flat_fixture f;
    begin(&f);
    sg_var_id v = sg_flat_var_add(&f.flat, sym(&f, "net.c.v"), (sg_span){0});
    sg_var_id dd = sg_flat_der(&f.flat, sg_flat_der(&f.flat, v));
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_flat_print_var(&f.flat, dd, &text);
    SG_SAME_TEXT(sg_buf_text(&text), "der(der(net.c.v))");
    SG_SAME_TEXT(sg_sym_text(f.symbols, sg_flat_result_name(&f.flat, dd)), "net.c.der(der(v))");
    SG_SAME_TEXT(sg_sym_text(f.symbols, sg_flat_result_name(&f.flat, v)), "net.c.v");
    sg_buf_free(&text);
    end(&f);
}

SG_TEST(init_wins_over_start_in_either_order)
{
    flat_fixture f;
    begin(&f);
    sg_var_id v = sg_flat_var_add(&f.flat, sym(&f, "x"), (sg_span){0});
    sg_flat_set_value(&f.flat, v, SG_ATTR_HAS_INIT, sg_flat_number(&f.flat, 1.0));
    sg_flat_set_value(&f.flat, v, SG_ATTR_HAS_START, sg_flat_number(&f.flat, 2.0));
    SG_CHECK(sg_flat_var_get(&f.flat, v)->value.numbers[0] == 1.0);
    sg_var_id w = sg_flat_var_add(&f.flat, sym(&f, "w"), (sg_span){0});
    sg_flat_set_value(&f.flat, w, SG_ATTR_HAS_START, sg_flat_number(&f.flat, 2.0));
    sg_flat_set_value(&f.flat, w, SG_ATTR_HAS_INIT, sg_flat_number(&f.flat, 1.0));
    SG_CHECK(sg_flat_var_get(&f.flat, w)->value.numbers[0] == 1.0);
    end(&f);
}

SG_TEST(the_dump_reads_like_the_model)
{
    flat_fixture f;
    begin(&f);
    sg_flat *flat = &f.flat;
    sg_exprs *x = &flat->exprs;
    flat->name = sym(&f, "M");
    sg_par_id c = sg_flat_par_add(flat, sym(&f, "c.C"), sg_flat_number(flat, 2.5), (sg_span){0});
    sg_expr_id v = var(&f, "c.v");
    sg_expr_id dv = sg_expr_var(x, sg_flat_der(flat, sg_expr_var_of(x, v)));
    sg_flat_set_value(flat, sg_expr_var_of(x, v), SG_ATTR_HAS_INIT, sg_flat_number(flat, 0.5));
    sg_flat_eq_add(flat, sg_expr_mul(x, sg_expr_par(x, c), dv), var(&f, "c.i"), (sg_span){0},
                   sym(&f, "c"), SG_EQ_WRITTEN);
    sg_expr_id call = sg_expr_call(x, sg_flat_func_add(flat, sym(&f, "g"), NULL), &v, 1);
    sg_expr_id results[2] = {sg_expr_int(x, 0), var(&f, "y")};
    sg_flat_eq_add_multi(flat, results, 2, call, (sg_span){0}, (sg_sym){0});
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_flat_dump(flat, &text);
    SG_SAME_TEXT(sg_buf_text(&text), "model M\n"
                                     "parameters\n"
                                     "  c.C = 2.5\n"
                                     "variables\n"
                                     "  c.v init = 0.5\n"
                                     "  der(c.v)\n"
                                     "  c.i\n"
                                     "  y\n"
                                     "equations\n"
                                     "  1 c.C*der(c.v) = c.i\n"
                                     "  2 (0, y) = g(c.v)\n");
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    SG_CHECK(sg_flat_validate(flat, &diags) == SG_OK);
    sg_flat_eq_add_multi(flat, &call, 1, call, (sg_span){0}, (sg_sym){0});
    SG_CHECK(sg_flat_validate(flat, &diags) == SG_ERR_INTERNAL);
    sg_diags_destroy(&diags);
    sg_buf_free(&text);
    end(&f);
}

SG_TEST(a_refused_allocation_is_remembered)
{
    for (uint64_t n = 1; n < 60; n++) {
        sg_test_allocator allocator;
        sg_test_allocator_init(&allocator, n);
        sg_symbols *symbols = sg_symbols_create(sg_allocator_default());
        sg_flat flat;
        sg_flat_init(&flat, &allocator.allocator, symbols);
        for (int i = 0; i < 40; i++) {
            char name[20];
            snprintf(name, sizeof name, "x%d", i);
            sg_var_id v = sg_flat_var_add(&flat, sg_sym_intern_text(symbols, name), (sg_span){0});
            sg_expr_id e = sg_expr_var(&flat.exprs, sg_flat_der(&flat, v));
            sg_flat_eq_add(&flat, e, sg_expr_time(&flat.exprs), (sg_span){0}, (sg_sym){0},
                           SG_EQ_WRITTEN);
        }
        bool refused = allocator.requests >= n;
        SG_CHECK_MSG(!refused || sg_flat_failed(&flat), "request %d", (int)n);
        sg_flat_destroy(&flat);
        SG_CHECK(allocator.live_bytes == 0);
        sg_symbols_destroy(symbols);
    }
}
