#include "lang/print.h"

#include "base/digits.h"
#include "syntax/ast.h"
#include "syntax/lexer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_DEPTH = 12, DEFAULT_ITEMS = 400, ITEMS_IN_ALL = 20000 };

typedef struct value_printer {
    sg_vm *vm;
    const sg_units *units;
    sg_buf *out;
    sg_print_options options;
    uint32_t depth;
    uint32_t indent; // of models
    size_t budget;   // items still printed
} value_printer;

static void print(value_printer *pr, sg_value value, bool show);

sg_print_options sg_print_defaults(void)
{
    return (sg_print_options){.max_depth = DEFAULT_DEPTH, .max_items = DEFAULT_ITEMS};
}

// ---- units ---------------------------------------------------------------------------------

static void print_unit_behind(value_printer *pr, uint32_t unit)
{
    if (!unit || !pr->units)
        return;
    if (sg_unit_has_blank(pr->units, unit))
        sg_buf_putc(pr->out, ' ');
    sg_unit_print(pr->units, unit, pr->out);
}

// ---- text ----------------------------------------------------------------------------------

static void print_escaped(const char *text, size_t length, char quote, sg_buf *out)
{
    static const char codes[] = "\n\t\r\033\a\b\f\v", names[] = "ntreabfv";
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        const char *found = c ? strchr(codes, c) : NULL;
        if (found)
            sg_buf_printf(out, "\\%c", names[found - codes]);
        else if (c == quote || c == '\\' || (c == '$' && quote == '"'))
            sg_buf_printf(out, "\\%c", c);
        else if ((unsigned char)c < 0x20 || c == 0x7f)
            sg_buf_printf(out, "\\x%02x", (unsigned)(unsigned char)c);
        else
            sg_buf_putc(out, c);
    }
}

static void print_string(value_printer *pr, const sg_string *s, bool show)
{
    if (!show) {
        sg_buf_add(pr->out, s->text, s->len);
        return;
    }
    sg_buf_putc(pr->out, '"');
    print_escaped(s->text, s->len, '"', pr->out);
    sg_buf_putc(pr->out, '"');
}

static void print_char(value_printer *pr, int64_t code, bool show)
{
    char bytes[4];
    size_t n = sg_utf8_encode((uint32_t)code, bytes);
    if (!show) {
        sg_buf_add(pr->out, bytes, n);
        return;
    }
    sg_buf_putc(pr->out, '\'');
    print_escaped(bytes, n, '\'', pr->out);
    sg_buf_putc(pr->out, '\'');
}

static void print_spliced(void *context, sg_value value, sg_buf *out)
{
    (void)out; // the printer's own
    print(context, value, true);
}

static void print_tree(value_printer *pr, const sg_ast *ast)
{
    sg_ast_print_with(pr->vm->symbols, ast, print_spliced, pr, pr->out);
}

static void print_symbol(value_printer *pr, sg_sym sym, bool show)
{
    const char *text = sg_vm_text(pr->vm, sym);
    if (!show) {
        sg_buf_puts(pr->out, text);
        return;
    }
    sg_ast node = {.kind = SG_AST_SYMBOL, .height = 1, .sym = sym};
    print_tree(pr, &node);
}

// ---- collections ---------------------------------------------------------------------------

// False when the list should end with an ellipsis.
static bool may_print(value_printer *pr, size_t index)
{
    if (index >= pr->options.max_items || !pr->budget)
        return false;
    pr->budget--;
    return true;
}

// Elements of different kinds: [1, "a"].
static bool is_mixed(const sg_array *array)
{
    for (size_t i = 1; i < array->len; i++) {
        sg_value a = sg_array_get(array, 0), b = sg_array_get(array, i);
        if (a.tag != b.tag || (a.tag == SG_OBJECT && a.o->kind != b.o->kind) ||
            (sg_is(a, SG_OBJ_STRUCT) && ((sg_struct *)a.o)->type != ((sg_struct *)b.o)->type))
            return true;
    }
    return false;
}

// What Julia writes before the brackets when the elements do not tell the type.
static void print_element_type(value_printer *pr, const sg_array *array)
{
    bool narrow = array->elem != SG_ELEM_ANY;
    if (array->head.flags & SG_ARRAY_FLOAT32) {
        sg_buf_puts(pr->out, "Float32");
    } else if (array->len == 0 && narrow) {
        static const char *const names[] = {"Any", "Float64", "Int64", "Bool"};
        sg_buf_puts(pr->out, names[array->elem]);
    } else if (array->elem == SG_ELEM_BOOL) {
        sg_buf_puts(pr->out, "Bool");
    } else if (array->elem == SG_ELEM_ANY) {
        if (array->eltype && array->len == 0)
            sg_type_print(pr->vm, array->eltype, pr->out);
        else if (array->len == 0 || (!pr->indent && is_mixed(array)))
            sg_buf_puts(pr->out, "Any");
    }
}

static void print_element(value_printer *pr, const sg_array *array, size_t index)
{
    sg_value v = sg_array_get(array, index);
    bool single = v.tag == SG_FLOAT32 || v.tag == SG_FLOAT;
    if (array->head.flags & SG_ARRAY_FLOAT32 && single) {
        sg_print_float32(v.d, pr->out); // the type stands before the brackets
    } else if (v.tag == SG_BOOL && array->elem == SG_ELEM_BOOL) {
        sg_buf_putc(pr->out, v.b ? '1' : '0'); // Bool[1, 0], as in the reference
    } else {
        print(pr, v, true);
    }
}

static void print_vector(value_printer *pr, const sg_array *array)
{
    print_element_type(pr, array);
    sg_buf_putc(pr->out, '[');
    for (size_t i = 0; i < array->len; i++) {
        if (i)
            sg_buf_puts(pr->out, ", ");
        if (!may_print(pr, i)) {
            sg_buf_printf(pr->out, "… %zu elements", array->len);
            break;
        }
        print_element(pr, array, i);
    }
    sg_buf_putc(pr->out, ']');
}

// Rows of one plane of a matrix or higher array, beginning at element `at`.
static void print_plane(value_printer *pr, const sg_array *array, size_t at)
{
    size_t rows = array->dims[0], columns = array->dims[1];
    for (size_t i = 0; i < rows; i++) {
        if (i)
            sg_buf_puts(pr->out, "; ");
        for (size_t j = 0; j < columns; j++) {
            if (j)
                sg_buf_putc(pr->out, ' ');
            if (!may_print(pr, i * columns + j)) {
                sg_buf_puts(pr->out, "…");
                return;
            }
            print_element(pr, array, at + i + j * rows);
        }
    }
}

static void print_matrix(value_printer *pr, const sg_array *array)
{
    if (array->len == 0) { // zeros(0, 3)
        sg_buf_puts(pr->out, "Matrix{");
        sg_type *type = sg_array_eltype(pr->vm, array);
        if (type)
            sg_type_print(pr->vm, type, pr->out);
        sg_buf_puts(pr->out, "}(undef");
        for (uint32_t d = 0; d < array->ndims; d++)
            sg_buf_printf(pr->out, ", %zu", array->dims[d]);
        sg_buf_putc(pr->out, ')');
        return;
    }
    print_element_type(pr, array);
    sg_buf_putc(pr->out, '[');
    size_t plane = array->dims[0] * array->dims[1];
    for (size_t at = 0; at < array->len; at += plane) {
        if (at) // ';;;' begins the next plane, ';;;;' the next block of planes
            sg_buf_puts(pr->out,
                        array->ndims > 3 && at % (plane * array->dims[2]) == 0 ? ";;;; " : ";;; ");
        print_plane(pr, array, at);
    }
    if (array->ndims == 2 && array->dims[1] == 1)
        sg_buf_puts(pr->out, ";;"); // one column
    sg_buf_putc(pr->out, ']');
}

// The end of a range is a sum; 0.30000000000000004 was meant to be 0.3.
static double drop_noise(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", x);
    double rounded = strtod(text, NULL);
    return fabs(rounded - x) <= 4e-16 * fabs(x) ? rounded : x;
}

static void print_range(value_printer *pr, const sg_range *range)
{
    sg_value last = range->start;
    int64_t steps = range->len > 0 ? range->len - 1 : -1;
    if (last.tag == SG_INT || last.tag == SG_QTY_INT)
        last.i = (int64_t)((uint64_t)last.i +
                           (uint64_t)steps *
                               (uint64_t)(range->step.tag == SG_INT || range->step.tag == SG_QTY_INT
                                              ? range->step.i
                                              : (int64_t)range->step.d));
    else
        last.d +=
            (double)steps * (range->step.tag == SG_INT ? (double)range->step.i : range->step.d);
    if (last.tag == SG_FLOAT || last.tag == SG_QTY)
        last.d = drop_noise(last.d);
    print(pr, range->start, true);
    sg_buf_putc(pr->out, ':');
    if (!(range->step.tag == SG_INT && range->step.i == 1)) {
        print(pr, range->step, true);
        sg_buf_putc(pr->out, ':');
    }
    print(pr, last, true);
}

static void print_tuple(value_printer *pr, const sg_tuple *tuple)
{
    sg_buf_putc(pr->out, '(');
    for (uint32_t i = 0; i < tuple->n; i++) {
        if (i)
            sg_buf_puts(pr->out, ", ");
        if (!may_print(pr, i)) {
            sg_buf_puts(pr->out, "…");
            break;
        }
        if (tuple->names)
            sg_buf_printf(pr->out, "%s = ", sg_vm_text(pr->vm, tuple->names[i]));
        print(pr, tuple->items[i], true);
    }
    sg_buf_puts(pr->out, tuple->n == 1 ? ",)" : ")");
}

static void print_pair(value_printer *pr, const sg_tuple *pair)
{
    print(pr, pair->items[0], true);
    sg_buf_puts(pr->out, " => ");
    print(pr, pair->items[1], true);
}

static void print_struct(value_printer *pr, const sg_struct *s)
{
    sg_type_print(pr->vm, s->type, pr->out);
    sg_buf_putc(pr->out, '(');
    for (uint32_t i = 0; i < s->n; i++) {
        if (i)
            sg_buf_puts(pr->out, ", ");
        if (!may_print(pr, i)) {
            sg_buf_puts(pr->out, "…");
            break;
        }
        if (s->fields[i].tag == SG_UNDEF)
            sg_buf_puts(pr->out, "#undef");
        else
            print(pr, s->fields[i], true);
    }
    sg_buf_putc(pr->out, ')');
}

// ---- models --------------------------------------------------------------------------------

static void new_line(value_printer *pr)
{
    sg_buf_putc(pr->out, '\n');
    sg_buf_pad(pr->out, ' ', 2 * (size_t)pr->indent);
}

static const sg_ast *quoted(sg_value value)
{
    return sg_is(value, SG_OBJ_QUOTE) ? ((const sg_quote *)value.o)->root : NULL;
}

// Equations one a line.
static bool print_equations(value_printer *pr, sg_value value)
{
    const sg_ast *root = quoted(value);
    if (root && root->kind == SG_AST_QUOTE)
        root = root->kids[0];
    if (!root || (root->kind != SG_AST_VECT && root->kind != SG_AST_VCAT) || !root->n)
        return false;
    sg_buf_puts(pr->out, ":[");
    pr->indent++;
    for (uint32_t i = 0; i < root->n; i++) {
        new_line(pr);
        if (!may_print(pr, i)) {
            sg_buf_printf(pr->out, "# … %u equations", root->n);
            break;
        }
        print_tree(pr, root->kids[i]);
    }
    pr->indent--;
    new_line(pr);
    sg_buf_putc(pr->out, ']');
    return true;
}

// An entry that is nothing but a class tag, or internal.
static bool is_hidden(value_printer *pr, const sg_dict_entry *entry)
{
    return entry->key.tag == SG_SYMBOL && strcmp(sg_vm_text(pr->vm, entry->key.sym), "_class") == 0;
}

static bool is_model(sg_value value)
{
    return sg_is(value, SG_OBJ_DICT) && ((const sg_dict *)value.o)->class_.i != 0;
}

// Attributes of a variable and small modifications fit a line: Var(init = 0.5), Map(R = 2.0 Ω).
static bool fits_line(value_printer *pr, const sg_dict *dict)
{
    const char *class_ = sg_vm_text(pr->vm, dict->class_);
    bool attributes = strcmp(class_, "Var") == 0 || strcmp(class_, "Par") == 0;
    if (sg_dict_len(dict) > (attributes ? 8u : 4u) || (!attributes && pr->indent == 0))
        return false;
    sg_dict_entry entry;
    for (size_t at = 0; sg_dict_next(dict, &at, &entry);) {
        if (sg_is(entry.value, SG_OBJ_DICT))
            return false;
        const sg_ast *root = quoted(entry.value);
        if (root && (root->kind == SG_AST_VCAT ||
                     (root->kind == SG_AST_QUOTE && root->kids[0]->kind == SG_AST_VCAT)))
            return false;
    }
    return true;
}

static void print_key(value_printer *pr, sg_value key, bool model)
{
    if (model && key.tag == SG_SYMBOL)
        sg_buf_puts(pr->out, sg_vm_text(pr->vm, key.sym));
    else
        print(pr, key, true);
    sg_buf_puts(pr->out, model ? " = " : " => ");
}

static void print_model_value(value_printer *pr, sg_value value)
{
    if (sg_is(value, SG_OBJ_QUOTE) && print_equations(pr, value))
        return;
    print(pr, value, true);
}

static void print_model(value_printer *pr, const sg_dict *dict)
{
    bool line = fits_line(pr, dict), first = true;
    sg_buf_printf(pr->out, "%s(", sg_vm_text(pr->vm, dict->class_));
    pr->indent++;
    sg_dict_entry entry;
    size_t n = 0;
    for (size_t at = 0; sg_dict_next(dict, &at, &entry);) {
        if (is_hidden(pr, &entry))
            continue;
        if (!first)
            sg_buf_puts(pr->out, line ? ", " : ",");
        first = false;
        if (!line)
            new_line(pr);
        if (!may_print(pr, n++)) {
            sg_buf_printf(pr->out, "# … %zu entries", sg_dict_len(dict));
            break;
        }
        print_key(pr, entry.key, true);
        print_model_value(pr, entry.value);
    }
    pr->indent--;
    if (!line && !first)
        new_line(pr);
    sg_buf_putc(pr->out, ')');
}

static void print_dict(value_printer *pr, const sg_dict *dict)
{
    if (dict->class_.i) {
        print_model(pr, dict);
        return;
    }
    sg_buf_puts(pr->out, "OrderedDict(");
    sg_dict_entry entry;
    size_t n = 0;
    for (size_t at = 0; sg_dict_next(dict, &at, &entry); n++) {
        if (n)
            sg_buf_puts(pr->out, ", ");
        if (!may_print(pr, n)) {
            sg_buf_puts(pr->out, "…");
            break;
        }
        print_key(pr, entry.key, false);
        print(pr, entry.value, true);
    }
    sg_buf_putc(pr->out, ')');
}

// ---- everything ----------------------------------------------------------------------------

// Like a string, an expression is printed bare and shown in its quotes.
static void print_quote(value_printer *pr, const sg_quote *quote, bool show)
{
    const sg_ast *root = quote->root;
    if (!show || root->kind == SG_AST_QUOTE || root->kind == SG_AST_SYMBOL) {
        print_tree(pr, root);
        return;
    }
    sg_ast *kids[1] = {(sg_ast *)root};
    sg_ast wrapped = {
        .kind = SG_AST_QUOTE, .height = 1, .n = 1, .kids = kids, .span = {root->span.file, 1, 1}};
    print_tree(pr, &wrapped);
}

static void print_enum(value_printer *pr, sg_value value)
{
    const sg_type *type =
        value.aux && value.aux <= pr->vm->enums.len ? pr->vm->enums.data[value.aux - 1] : NULL;
    for (uint32_t i = 0; type && i < type->n_fields; i++) // the numbers are the parameters
        if (i < type->n_params && type->params[i].i == value.i) {
            sg_buf_puts(pr->out, sg_vm_text(pr->vm, type->field_names[i]));
            return;
        }
    sg_buf_printf(pr->out, "%lld", (long long)value.i);
}

static void print_exception(value_printer *pr, const sg_exception *e)
{
    sg_type_print(pr->vm, e->type, pr->out);
    sg_buf_putc(pr->out, '(');
    print(pr, e->message, true);
    sg_buf_putc(pr->out, ')');
}

static void print_object(value_printer *pr, sg_value value, bool show)
{
    sg_obj *o = value.o;
    switch (o->kind) {
    case SG_OBJ_STRING:
        print_string(pr, (const sg_string *)o, show);
        break;
    case SG_OBJ_ARRAY:
        if (((const sg_array *)o)->ndims < 2)
            print_vector(pr, (const sg_array *)o);
        else
            print_matrix(pr, (const sg_array *)o);
        break;
    case SG_OBJ_RANGE:
        print_range(pr, (const sg_range *)o);
        break;
    case SG_OBJ_TUPLE:
    case SG_OBJ_NAMED_TUPLE:
        print_tuple(pr, (const sg_tuple *)o);
        break;
    case SG_OBJ_PAIR:
        print_pair(pr, (const sg_tuple *)o);
        break;
    case SG_OBJ_DICT:
        print_dict(pr, (const sg_dict *)o);
        break;
    case SG_OBJ_FUNCTION:
        sg_buf_puts(pr->out, sg_vm_text(pr->vm, ((const sg_function *)o)->name));
        break;
    case SG_OBJ_CLOSURE:
        sg_buf_puts(pr->out, "#anonymous");
        break;
    case SG_OBJ_TYPE:
        sg_type_print(pr->vm, (const sg_type *)o, pr->out);
        break;
    case SG_OBJ_STRUCT:
        print_struct(pr, (const sg_struct *)o);
        break;
    case SG_OBJ_MODULE:
        sg_buf_puts(pr->out, sg_vm_text(pr->vm, ((const sg_module *)o)->name));
        break;
    case SG_OBJ_QUOTE:
        print_quote(pr, (const sg_quote *)o, show);
        break;
    case SG_OBJ_NATIVE: {
        const sg_native *native = (const sg_native *)o;
        if (native->class_->print)
            native->class_->print(pr->vm, native->data, pr->out);
        else
            sg_buf_printf(pr->out, "%s(…)", native->class_->name);
        break;
    }
    case SG_OBJ_EXCEPTION:
        print_exception(pr, (const sg_exception *)o);
        break;
    default:
        sg_buf_puts(pr->out, "#cell");
        break;
    }
}

static bool nests(sg_value value)
{
    return value.tag == SG_OBJECT && value.o->kind != SG_OBJ_STRING;
}

static void print(value_printer *pr, sg_value value, bool show)
{
    switch (value.tag) {
    case SG_UNDEF:
        sg_buf_puts(pr->out, "#undef");
        return;
    case SG_NOTHING:
        sg_buf_puts(pr->out, "nothing");
        return;
    case SG_MISSING:
        sg_buf_puts(pr->out, "missing");
        return;
    case SG_BOOL:
        sg_buf_puts(pr->out, value.b ? "true" : "false");
        return;
    case SG_INT:
        sg_buf_printf(pr->out, "%lld", (long long)value.i);
        return;
    case SG_FLOAT:
        sg_print_float(value.d, pr->out);
        return;
    case SG_FLOAT32:
        show ? sg_show_float32(value.d, pr->out) : sg_print_float32(value.d, pr->out);
        return;
    case SG_CHAR:
        print_char(pr, value.i, show);
        return;
    case SG_SYMBOL:
        print_symbol(pr, value.sym, show);
        return;
    case SG_UNIT:
        if (pr->units)
            sg_unit_print(pr->units, value.aux, pr->out);
        return;
    case SG_QTY:
        sg_print_float(value.d, pr->out);
        print_unit_behind(pr, value.aux);
        return;
    case SG_QTY_INT:
        sg_buf_printf(pr->out, "%lld", (long long)value.i);
        print_unit_behind(pr, value.aux);
        return;
    case SG_COLON:
        sg_buf_puts(pr->out, "Colon()");
        return;
    case SG_ENUM:
        print_enum(pr, value);
        return;
    default:
        break;
    }
    if (nests(value) && pr->depth >= pr->options.max_depth) {
        sg_buf_puts(pr->out, "…");
        return;
    }
    pr->depth++;
    print_object(pr, value, show);
    pr->depth--;
}

void sg_print(sg_vm *vm, const sg_units *units, sg_value value, sg_print_options options,
              sg_buf *out)
{
    value_printer pr = {
        .vm = vm, .units = units, .out = out, .options = options, .budget = ITEMS_IN_ALL};
    print(&pr, value, options.show);
}

void sg_print_value(sg_vm *vm, const sg_units *units, sg_value value, sg_buf *out)
{
    sg_print(vm, units, value, sg_print_defaults(), out);
}

void sg_show_value(sg_vm *vm, const sg_units *units, sg_value value, sg_buf *out)
{
    sg_print_options options = sg_print_defaults();
    options.show = true;
    sg_print(vm, units, value, options, out);
}

void sg_show_model(sg_vm *vm, const sg_units *units, const char *name, sg_value model, sg_buf *out)
{
    sg_buf_printf(out, "%s = ", name);
    sg_print_options options = sg_print_defaults();
    options.max_depth = 100;
    options.max_items = ITEMS_IN_ALL;
    options.show = true;
    sg_print(vm, units, model, options, out);
    sg_buf_puts(out, is_model(model) ? ",\n" : "\n");
}
