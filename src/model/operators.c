// Arguments of the operators of events and clocks, and comparisons of text.
//
// To the graph every argument is a number, so hold(u, 0.0) would be a clock that never ticks and
// positive(x > 0) a crossing function that jumps. What can be seen in the text of an equation is
// refused there, with the form that was most likely meant.
#include "base/assert.h"
#include "model/convert_internal.h"
#include "syntax/ast.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

// A number that is known before the run: a literal or a parameter.
static bool known_number(const sg_converter *c, sg_expr_id e, double *out)
{
    if (sg_expr_is_number(c->exprs, e, out))
        return true;
    const sg_expr_node *node = sg_expr_get(c->exprs, e);
    sg_value value;
    sg_sym unit;
    sg_flat_value numbers;
    if (node->op != SG_X_PAR ||
        !sg_instance_value(c->instance, c->instance->flat.pars.data[node->index].name, &value) ||
        value.tag == SG_BOOL || !sg_model_numbers(c->instance, value, &numbers, &unit) ||
        numbers.kind != SG_FLAT_NUMBER)
        return false;
    *out = numbers.numbers[0];
    return true;
}

// True or false by its form; a variable may be either.
static bool is_truth(const sg_converter *c, sg_expr_id e)
{
    const sg_expr_node *node = sg_expr_get(c->exprs, e);
    const sg_op_info *info = sg_expr_op_info((sg_expr_op)node->op);
    return node->op == SG_X_NUM ? node->type == SG_NUM_BOOL
                                : info && (info->traits & SG_TRAIT_BOOL);
}

static bool refuse(sg_converter *c, const sg_ast *arg, sg_expr_id e, const char *what,
                   const char *right)
{
    sg_buf text;
    double value;
    sg_buf_init(&text, c->instance->vm->allocator);
    sg_ast_print(c->symbols, arg, &text);
    if (sg_expr_op_of(c->exprs, e) == SG_X_PAR && known_number(c, e, &value))
        sg_buf_printf(&text, " = %g", value);
    sg_error(c->diags, SG_E_FUNCTION, arg->span, "%s, not %s; %s", what, sg_buf_text(&text), right);
    sg_buf_free(&text);
    return false;
}

// hold(u, 0.1), sample(w, 3): the second argument is a clock.
static bool check_clocked(sg_converter *c, const sg_ast *ast, sg_expr_op op, sg_expr_id clock)
{
    double number;
    if (!known_number(c, clock, &number))
        return true;
    static const char *const what[] = {"the second argument of hold is a clock",
                                       "the second argument of sample is a clock",
                                       "the second argument of previous is a clock"};
    static const char hold[] =
        "give its period in seconds, hold(u, Clock(0.1)); the value before the first tick is "
        "that of u = Var(start = ...)";
    static const char *const right[] = {hold, "give its period in seconds, sample(w, Clock(0.1))",
                                        "give its period in seconds, previous(u, Clock(0.1))"};
    int k = op == SG_X_HOLD ? 0 : op == SG_X_SAMPLE ? 1 : 2;
    return refuse(c, ast->kids[2], clock, what[k], right[k]);
}

bool sg_convert_check_arguments(sg_converter *c, const sg_ast *ast, sg_expr_op op,
                                const sg_expr_id *args)
{
    double number;
    uint32_t n = ast->n - 1;
    switch ((int)op) {
    case SG_X_HOLD:
    case SG_X_SAMPLE:
    case SG_X_PREVIOUS:
        return check_clocked(c, ast, op, args[1]);
    case SG_X_CLOCK:
        if (is_truth(c, args[n - 1]) ||
            (known_number(c, args[n - 1], &number) && !(number > 0.0 && isfinite(number))))
            return refuse(c, ast->kids[n], args[n - 1],
                          "the period of a Clock is a positive number of seconds",
                          "write Clock(0.1), or Clock(first, period)");
        return true;
    case SG_X_POSITIVE:
    case SG_X_NEGATIVE:
        if (is_truth(c, args[0]))
            return refuse(c, ast->kids[1], args[0],
                          op == SG_X_POSITIVE ? "positive takes a number"
                                              : "negative takes a number",
                          op == SG_X_POSITIVE ? "positive(x) is true where x > 0"
                                              : "negative(x) is true where x < 0");
        return true;
    case SG_X_AFTER:
        if (is_truth(c, args[0]))
            return refuse(c, ast->kids[1], args[0], "after takes an instant in seconds",
                          "after(0.5) is true from time = 0.5 s on");
        return true;
    case SG_X_EDGE:
        if (known_number(c, args[0], &number))
            return refuse(c, ast->kids[1], args[0], "edge takes a condition",
                          "edge(x > 1) is true when x gets beyond 1");
        return true;
    default:
        return true;
    }
}

// ---- text -----------------------------------------------------------------------------------

static bool is_text_value(sg_value value)
{
    return value.tag == SG_CHAR || sg_is(value, SG_OBJ_STRING);
}

// "text", or a name that stands for one in the model.
static bool is_text(sg_converter *c, const sg_ast *ast)
{
    sg_instance *instance = c->instance;
    if (ast->kind == SG_AST_STRING)
        return true;
    if (ast->kind == SG_AST_VALUE)
        return is_text_value(ast->value);
    if (ast->kind != SG_AST_NAME && ast->kind != SG_AST_FIELD)
        return false;
    sg_buf text;
    sg_buf_init(&text, instance->vm->allocator);
    bool ok = sg_convert_reference(instance, ast, &text);
    sg_sym name = ok ? sg_scope_name(instance, c->scope, sg_buf_text(&text)) : (sg_sym){0};
    sg_buf_free(&text);
    const char *full = name.i ? sg_vm_text(instance->vm, name) : "", *dot = strrchr(full, '.');
    sg_value value;
    if (name.i && sg_instance_value(instance, name, &value) && is_text_value(value))
        return true;
    // A key with a text is a variable with a constant equation.
    sg_sym path =
        dot ? sg_sym_find(instance->vm->symbols, full, (size_t)(dot - full)) : (sg_sym){0};
    const sg_dict *dict = dot && !path.i ? NULL : sg_model_component(instance, path);
    return dict && sg_model_attribute(instance, dict, dot ? dot + 1 : full, &value) &&
           is_text_value(value);
}

bool sg_convert_compares_text(sg_converter *c, const sg_ast *ast, sg_expr_op op)
{
    return (op == SG_X_EQ || op == SG_X_NE) && ast->n == 3 &&
           (is_text(c, ast->kids[1]) || is_text(c, ast->kids[2]));
}
