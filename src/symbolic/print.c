#include "symbolic/print.h"

#include "base/assert.h"
#include "base/digits.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

// How tightly an operator binds, as in language 1.4.
enum {
    BIND_NONE,
    BIND_IF,
    BIND_OR,
    BIND_AND,
    BIND_COMPARE,
    BIND_RANGE,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_PREFIX,
    BIND_POWER,
    BIND_ATOM
};

static int binding(const sg_exprs *exprs, sg_expr_id e)
{
    const sg_expr_node *node = sg_expr_get(exprs, e);
    switch (node->op) {
    case SG_X_NUM:
        return node->number < 0 || signbit(node->number) ? BIND_PREFIX : BIND_ATOM;
    case SG_X_IF:
        return BIND_IF;
    case SG_X_OR:
        return BIND_OR;
    case SG_X_AND:
        return BIND_AND;
    case SG_X_LT:
    case SG_X_LE:
    case SG_X_GT:
    case SG_X_GE:
    case SG_X_EQ:
    case SG_X_NE:
        return BIND_COMPARE;
    case SG_X_RANGE:
        return BIND_RANGE;
    case SG_X_ADD:
    case SG_X_SUB:
    case SG_X_DOT_ADD:
    case SG_X_DOT_SUB:
        return BIND_SUM;
    case SG_X_MUL:
    case SG_X_DIV:
    case SG_X_LDIV:
    case SG_X_DOT_MUL:
    case SG_X_DOT_DIV:
        return BIND_PRODUCT;
    case SG_X_NEG:
    case SG_X_NOT:
        return BIND_PREFIX;
    case SG_X_POW:
    case SG_X_DOT_POW:
        return BIND_POWER;
    default:
        return BIND_ATOM;
    }
}

// Printing is a stack of things still to be written: texts, and nodes in parentheses or not.
typedef struct task {
    const char *text; // or
    uint32_t number;  // or
    sg_expr_id node;  //
    int at_least;     // parentheses around a node that binds less tightly
} task;

typedef struct expr_printer {
    const sg_exprs *exprs;
    const sg_expr_names *names;
    sg_buf *out;
    SG_VEC(task) stack;
} expr_printer;

static void say(expr_printer *p, const char *text)
{
    if (!SG_PUSH(p->exprs->allocator, &p->stack, (task){.text = text}))
        p->out->failed = true;
}
static void show(expr_printer *p, sg_expr_id e, int at_least)
{
    if (!SG_PUSH(p->exprs->allocator, &p->stack, (task){.node = e, .at_least = at_least}))
        p->out->failed = true;
}

// Arguments from `first` on, between separators; pushed in reverse since this is a stack.
static void show_list(expr_printer *p, sg_expr_id e, uint32_t first, const char *separator,
                      int at_least)
{
    for (uint32_t k = sg_expr_n_args(p->exprs, e); k > first; k--) {
        show(p, sg_expr_arg(p->exprs, e, k - 1), at_least);
        if (k - 1 > first)
            say(p, separator);
    }
}

static void print_number(expr_printer *p, const sg_expr_node *node)
{
    char text[40];
    if (node->type == SG_NUM_BOOL) {
        sg_buf_puts(p->out, node->number != 0.0 ? "true" : "false");
        return;
    }
    size_t n = sg_format_shortest(node->number, text);
    sg_buf_add(p->out, text, n);
    if (node->type == SG_NUM_REAL && isfinite(node->number) && !strpbrk(text, ".e"))
        sg_buf_puts(p->out, ".0");
}

static void print_leaf(expr_printer *p, const sg_expr_node *node)
{
    const sg_expr_names *names = p->names;
    const char *name = NULL;
    char letter = '?';
    switch (node->op) {
    case SG_X_NUM:
        print_number(p, node);
        return;
    case SG_X_VAR:
        name = names && names->var ? names->var(names->context, (sg_var_id){node->index}) : NULL;
        letter = 'v';
        break;
    case SG_X_PAR:
        name = names && names->par ? names->par(names->context, (sg_par_id){node->index}) : NULL;
        letter = 'p';
        break;
    case SG_X_CONST:
        name = names && names->constant ? names->constant(names->context, node->index) : NULL;
        letter = 'c';
        break;
    default:
        name = sg_expr_op_info((sg_expr_op)node->op)->text;
    }
    if (name)
        sg_buf_puts(p->out, name);
    else
        sg_buf_printf(p->out, "%c%u", letter, node->index);
}

// name(args) or name.(args)
static void print_function(expr_printer *p, sg_expr_id e, const char *name)
{
    const sg_expr_node *node = sg_expr_get(p->exprs, e);
    uint32_t order = node->op == SG_X_DELAY ? node->index : 0;
    for (uint32_t k = 0; k < order; k++) {
        sg_buf_puts(p->out, "der(");
        say(p, ")");
    }
    say(p, ")");
    show_list(p, e, 0, ", ", BIND_NONE);
    sg_buf_puts(p->out, name);
    sg_buf_puts(p->out, node->dot ? ".(" : "(");
}

static void print_infix(expr_printer *p, sg_expr_id e, const sg_expr_node *node)
{
    int self = binding(p->exprs, e);
    const char *text = sg_expr_op_info((sg_expr_op)node->op)->text;
    // Sums and products group to the left, powers to the right.
    bool right = self == BIND_POWER;
    for (uint32_t k = node->n_args; k > 0; k--) {
        bool outer = right ? k == node->n_args : k == 1;
        show(p, sg_expr_arg(p->exprs, e, k - 1), outer ? self : self + 1);
        if (k > 1) {
            bool spaced = self < BIND_PRODUCT;
            say(p, spaced ? " " : "");
            say(p, text);
            if (node->dot)
                say(p, ".");
            say(p, spaced ? " " : "");
        }
    }
}

static void print_special(expr_printer *p, sg_expr_id e, const sg_expr_node *node)
{
    switch (node->op) {
    case SG_X_IF:
        show(p, sg_expr_arg(p->exprs, e, 2), BIND_IF);
        say(p, " : ");
        show(p, sg_expr_arg(p->exprs, e, 1), BIND_OR);
        say(p, " ? ");
        show(p, sg_expr_arg(p->exprs, e, 0), BIND_OR);
        return;
    case SG_X_VECT:
    case SG_X_VCAT:
    case SG_X_HCAT:
        say(p, "]");
        show_list(p, e, 0,
                  node->op == SG_X_VECT   ? ", "
                  : node->op == SG_X_VCAT ? "; "
                                          : " ",
                  node->op == SG_X_HCAT ? BIND_ATOM : BIND_NONE);
        sg_buf_putc(p->out, '[');
        return;
    case SG_X_RANGE:
        show_list(p, e, 0, ":", BIND_SUM);
        return;
    case SG_X_INDEX:
        say(p, "]");
        show_list(p, e, 1, ", ", BIND_NONE);
        say(p, "[");
        show(p, sg_expr_arg(p->exprs, e, 0), BIND_ATOM);
        return;
    case SG_X_SETINDEX:
        print_function(p, e, "setindex");
        return;
    case SG_X_END:
        sg_buf_puts(p->out, "end");
        return;
    case SG_X_CALL: {
        const sg_expr_names *names = p->names;
        const char *name =
            names && names->func ? names->func(names->context, (sg_func_id){node->index}) : NULL;
        char text[16] = {'f'};
        if (!name) {
            size_t n = sg_format_shortest(node->index, text + 1);
            text[n + 1] = 0;
        }
        print_function(p, e, name ? name : text);
        return;
    }
    default: // RESULT: the first one looks like the call itself
        if (node->index > 0) {
            say(p, "]");
            if (!SG_PUSH(p->exprs->allocator, &p->stack, (task){.number = node->index + 1}))
                p->out->failed = true;
            say(p, "[");
        }
        show(p, sg_expr_arg(p->exprs, e, 0), BIND_ATOM);
    }
}

static void print_node(expr_printer *p, task t)
{
    const sg_expr_node *node = sg_expr_get(p->exprs, t.node);
    const sg_op_info *info = sg_expr_op_info((sg_expr_op)node->op);
    if (binding(p->exprs, t.node) < t.at_least) {
        sg_buf_putc(p->out, '(');
        say(p, ")");
    }
    if (node->n_args == 0 && (info->traits & SG_TRAIT_LEAF)) {
        print_leaf(p, node);
    } else if (info->traits & SG_TRAIT_INFIX) {
        print_infix(p, t.node, node);
    } else if (info->traits & SG_TRAIT_PREFIX) {
        sg_buf_puts(p->out, info->text);
        show(p, sg_expr_arg(p->exprs, t.node, 0), BIND_PREFIX);
    } else if (node->op == SG_X_TRANSPOSE) {
        say(p, "'");
        show(p, sg_expr_arg(p->exprs, t.node, 0), BIND_ATOM);
    } else if (info->traits & SG_TRAIT_SPECIAL) {
        print_special(p, t.node, node);
    } else {
        print_function(p, t.node, info->text);
    }
}

void sg_expr_print(const sg_exprs *exprs, sg_expr_id e, const sg_expr_names *names, size_t limit,
                   sg_buf *out)
{
    expr_printer p = {.exprs = exprs, .names = names, .out = out};
    size_t end = out->len + (limit ? limit : 4096);
    show(&p, e, BIND_NONE);
    while (p.stack.len && !out->failed) {
        if (out->len > end) {
            sg_buf_puts(out, " …");
            break;
        }
        task t = p.stack.data[--p.stack.len];
        if (t.text)
            sg_buf_puts(out, t.text);
        else if (t.number)
            sg_buf_printf(out, "%u", t.number);
        else
            print_node(&p, t);
    }
    SG_VEC_FREE(exprs->allocator, &p.stack);
}

sg_status sg_exprs_validate(const sg_exprs *exprs)
{
    if (exprs->failed)
        return SG_ERR_MEMORY;
    for (uint32_t i = 1; i < exprs->len; i++) {
        const sg_expr_node *node = &exprs->nodes[i];
        const sg_op_info *info = sg_expr_op_info((sg_expr_op)node->op);
        if (node->op == SG_X_NULL || node->op >= SG_X_COUNT || node->n_args < info->least ||
            (info->most != 255 && node->n_args > info->most))
            return SG_ERR_INTERNAL;
        if (node->n_args && node->first_arg + node->n_args > exprs->n_args)
            return SG_ERR_INTERNAL;
        for (uint32_t k = 0; k < node->n_args; k++) {
            uint32_t arg = exprs->args[node->first_arg + k].i;
            if (arg == 0 || arg >= i)
                return SG_ERR_INTERNAL;
        }
    }
    return SG_OK;
}
