// The merge operator `|` on models, exactly as language.md 3.2 defines it.
//
// The result shares its store with the left operand until a key is replaced, and nested
// dictionaries are merged by making a new dictionary for the changed key only, so a chain of
// merges costs time linear in what it changes.
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/unit.h"

#include <string.h>

typedef struct merging {
    sg_vm *vm;
    sg_runtime *runtime;
    sg_buf path; // of the key, for the log
    sg_status status;
} merging;

static bool has_key(const sg_dict *dict, sg_sym key)
{
    sg_value value;
    return sg_dict_get_sym(dict, key, &value);
}

// Whether it only takes attributes away, so that there must be something to take them from
// (language.md 3.2). In an element `nothing` is a value like any other.
static bool only_takes_away(sg_vm *vm, const sg_dict *dict)
{
    if (has_key(dict, sg_vm_sym(vm, "_constructor")))
        return false;
    size_t at = 0;
    sg_dict_entry entry;
    while (sg_dict_next(dict, &at, &entry))
        if (entry.value.tag == SG_NOTHING)
            return true;
    return false;
}

static void add_key(merging *m, sg_value key)
{
    if (m->path.len)
        sg_buf_putc(&m->path, '.');
    sg_print_value(m->vm, m->runtime->units, key, &m->path);
}

static void cut_path(merging *m, size_t length)
{
    m->path.len = length;
    if (m->path.text)
        m->path.text[length] = '\0';
}

// One line of setLogMerge(true).
static void log_line(merging *m, sg_value key, const char *what, const sg_value *old,
                     const sg_value *new)
{
    if (!m->runtime->log_merge)
        return;
    sg_vm *vm = m->vm;
    sg_buf line;
    sg_buf_init(&line, vm->allocator);
    if (m->path.len)
        sg_buf_printf(&line, "%s.", sg_buf_text(&m->path));
    sg_print_value(vm, m->runtime->units, key, &line);
    sg_buf_printf(&line, ": %s", what);
    if (old) {
        sg_buf_puts(&line, " from ");
        sg_show_value(vm, m->runtime->units, *old, &line);
    }
    if (new) {
        sg_buf_puts(&line, old ? " to " : " ");
        sg_show_value(vm, m->runtime->units, *new, &line);
    }
    sg_buf_putc(&line, '\n');
    sg_vm_write(vm, "merge: ", 7);
    sg_vm_write(vm, sg_buf_text(&line), line.len);
    sg_buf_free(&line);
}

// ---- equations ----------------------------------------------------------------------------------

static bool is_list(const sg_ast *ast)
{
    return ast->kind == SG_AST_VECT || ast->kind == SG_AST_VCAT;
}

// Rows of both lists in one list. A single equation counts as a list of one.
static sg_value join_equations(sg_vm *vm, const sg_quote *a, const sg_quote *b)
{
    sg_value none = {.tag = SG_UNDEF};
    sg_quote *quote = sg_quote_make_owner(vm);
    if (!quote)
        return none;
    sg_arena *arena = quote->owned;
    const sg_quote *parts[2] = {a, b};
    uint32_t n = 0, k = 0;
    for (int i = 0; i < 2; i++)
        n += is_list(parts[i]->root) ? parts[i]->root->n : 1;
    sg_ast *list = SG_NEW(arena, sg_ast);
    if (!list)
        return none;
    list->kind = SG_AST_VCAT;
    list->span = b->root->span;
    list->kids = SG_NEW_ARRAY(arena, sg_ast *, n ? n : 1);
    uint16_t height = 0;
    for (int i = 0; i < 2 && list->kids; i++) {
        // Trees of a file live as long as the run; those of other quotes are copied, since the
        // quotes may go.
        const sg_quote *part = parts[i];
        uint32_t count = is_list(part->root) ? part->root->n : 1;
        for (uint32_t j = 0; j < count; j++) {
            sg_ast *row =
                is_list(part->root) ? part->root->kids[j] : (sg_ast *)(uintptr_t)part->root;
            row = part->owned ? sg_ast_copy(arena, row) : row;
            if (!row)
                return none;
            if (row->height > height)
                height = row->height;
            list->kids[k++] = row;
        }
    }
    list->n = k;
    list->height = (uint16_t)(height + 1);
    uint32_t n_values = a->n_values + b->n_values;
    if (n_values) {
        quote->values = sg_heap_resize(vm, NULL, 0, n_values * sizeof(sg_value));
        if (!quote->values)
            return none;
        quote->n_values = n_values;
        if (a->n_values)
            memcpy(quote->values, a->values, a->n_values * sizeof(sg_value));
        if (b->n_values)
            memcpy(quote->values + a->n_values, b->values, b->n_values * sizeof(sg_value));
    }
    quote->root = list;
    return list->kids ? sg_object(quote) : none;
}

// ---- connections --------------------------------------------------------------------------------

static bool is_reference(const sg_ast *ast)
{
    return ast->kind == SG_AST_NAME || ast->kind == SG_AST_FIELD || ast->kind == SG_AST_INDEX;
}

static bool tree_holds(const sg_ast *tree, const sg_ast *reference)
{
    bool found = sg_ast_equal(tree, reference);
    for (uint32_t i = 0; !found && !is_reference(tree) && i < tree->n; i++)
        found = tree_holds(tree->kids[i], reference);
    return found;
}

// Does the merge delete the component that the reference leads to?
static bool is_deleted(const sg_dict *modifier, const sg_ast *reference)
{
    while (reference->kind == SG_AST_FIELD || reference->kind == SG_AST_INDEX)
        reference = reference->kids[0];
    sg_value value;
    return reference->kind == SG_AST_NAME && sg_dict_get_sym(modifier, reference->sym, &value) &&
           value.tag == SG_NOTHING;
}

// A connection is lost if one of its connectors stays in the model and is connected no more; where
// all of them are in the new list, somebody wired anew.
static void collect_lost(const merging *m, const sg_dict *modifier, const sg_ast *old,
                         const sg_ast *new, sg_buf *out)
{
    bool connection = old->kind == SG_AST_TUPLE && old->n && is_reference(old->kids[0]);
    bool lost = false;
    for (uint32_t i = 0; connection && i < old->n; i++)
        lost |= !is_deleted(modifier, old->kids[i]) && !tree_holds(new, old->kids[i]);
    if (lost) {
        sg_buf_puts(out, out->len ? ", " : "");
        sg_ast_print(m->vm->symbols, old, out);
    }
    for (uint32_t i = 0; !connection && i < old->n; i++)
        collect_lost(m, modifier, old->kids[i], new, out);
}

// Lists of connections are replaced (language 3.2), which is easily forgotten.
static void tell_lost(merging *m, const sg_dict *result, const sg_dict *modifier,
                      const sg_dict_entry *entry, sg_value old)
{
    bool connects =
        entry->key.tag == SG_SYMBOL && (entry->key.sym.i == m->runtime->names.connect.i ||
                                        entry->key.sym.i == m->runtime->names.connections.i);
    if (!connects || !sg_is(old, SG_OBJ_QUOTE) || !sg_is(entry->value, SG_OBJ_QUOTE))
        return;
    sg_buf lost;
    sg_buf_init(&lost, m->vm->allocator);
    collect_lost(m, modifier, ((sg_quote *)old.o)->root, ((sg_quote *)entry->value.o)->root, &lost);
    if (lost.len) {
        sg_warning(
            m->vm->diags, SG_E_CONNECT, entry->span.file ? entry->span : sg_vm_where(m->vm),
            "this replaces the connections of the model that it is merged with; %s no longer "
            "hold; repeat here what is to stay",
            sg_buf_text(&lost));
        sg_note(m->vm->diags, sg_dict_span(result, entry->key.sym), "they stand here");
    }
    sg_buf_free(&lost);
}

// ---- the case table -----------------------------------------------------------------------------

static sg_dict *merge_dicts(merging *m, const sg_dict *a, const sg_dict *b, int depth);

enum { MAX_NESTING = 500 };

static bool put(merging *m, sg_dict *result, const sg_dict_entry *entry, sg_value value)
{
    if (sg_dict_put(m->vm, result, entry->key, value, entry->span))
        return true;
    m->status = SG_ERR_MEMORY;
    return false;
}

static void merge_dict_entry(merging *m, sg_dict *result, const sg_dict_entry *entry, int depth)
{
    sg_dict *value = (sg_dict *)entry->value.o;
    sg_value old;
    bool present = sg_dict_get(result, entry->key, &old);
    if (has_key(value, m->runtime->names.redeclare)) {
        log_line(m, entry->key, "redeclared", NULL, NULL);
        put(m, result, entry, entry->value);
    } else if (present && sg_is(old, SG_OBJ_DICT)) {
        size_t length = m->path.len;
        if (m->runtime->log_merge)
            add_key(m, entry->key);
        sg_dict *merged = merge_dicts(m, (sg_dict *)old.o, value, depth + 1);
        if (m->runtime->log_merge)
            cut_path(m, length);
        if (merged) {
            sg_dict_entry kept = *entry;
            if (entry->key.tag == SG_SYMBOL)
                kept.span = sg_dict_span(result, entry->key.sym);
            put(m, result, &kept, sg_object(merged));
        }
    } else if (present) {
        // The reference drops the new value silently (defect 2); Segue says so.
        sg_buf key;
        sg_buf_init(&key, m->vm->allocator);
        sg_print_value(m->vm, m->runtime->units, entry->key, &key);
        sg_span span = entry->span.file ? entry->span : sg_vm_where(m->vm);
        sg_warning(m->vm->diags, SG_E_MODEL, span,
                   "'%s' already has a value that is not a Model, Map or Var; this merge does not "
                   "change it",
                   sg_buf_text(&key));
        sg_buf_free(&key);
    } else if (!only_takes_away(m->vm, value)) {
        log_line(m, entry->key, "added", NULL, NULL);
        put(m, result, entry, entry->value);
    }
}

static void merge_entry(merging *m, sg_dict *result, const sg_dict *modifier,
                        const sg_dict_entry *entry, int depth)
{
    sg_value old;
    if (sg_is(entry->value, SG_OBJ_DICT)) {
        merge_dict_entry(m, result, entry, depth);
        return;
    }
    bool present = sg_dict_get(result, entry->key, &old);
    if (entry->value.tag == SG_NOTHING) {
        if (present)
            log_line(m, entry->key, "deleted", NULL, NULL);
        sg_dict_remove(m->vm, result, entry->key);
        return;
    }
    bool list =
        entry->key.tag == SG_SYMBOL && (entry->key.sym.i == m->runtime->names.equations.i ||
                                        entry->key.sym.i == m->runtime->names.initialEquations.i);
    bool equations =
        list && present && sg_is(old, SG_OBJ_QUOTE) && sg_is(entry->value, SG_OBJ_QUOTE);
    if (equations) {
        log_line(m, entry->key, "appended", NULL, &entry->value);
        sg_value joined = join_equations(m->vm, (sg_quote *)old.o, (sg_quote *)entry->value.o);
        if (joined.tag == SG_UNDEF)
            m->status = SG_ERR_MEMORY;
        else
            put(m, result, entry, joined);
        return;
    }
    if (present)
        tell_lost(m, result, modifier, entry, old);
    log_line(m, entry->key, present ? "changed" : "added", present ? &old : NULL, &entry->value);
    put(m, result, entry, entry->value);
}

// Map(...) modifies what is there, so a key that it adds may be a misspelt one.
static void mark_added(merging *m, sg_dict *result, const sg_dict *modifier,
                       const sg_dict_entry *entry, bool was_there)
{
    sg_value now;
    if (!was_there && modifier->class_.i == m->runtime->names.Map.i &&
        sg_dict_get(result, entry->key, &now))
        sg_dict_mark_added(result, entry->key);
}

// R = 0.5 in place of 1.0u"Ω": who checks units will want to know.
static void mark_replaced(merging *m, sg_dict *result, const sg_dict_entry *entry, sg_value old)
{
    bool number = entry->value.tag == SG_INT || entry->value.tag == SG_FLOAT ||
                  entry->value.tag == SG_FLOAT32 || sg_is_quantity(entry->value);
    if (!number || !sg_is_quantity(old))
        return;
    uint32_t before = sg_quantity_unit(old);
    uint32_t now = sg_is_quantity(entry->value) ? sg_quantity_unit(entry->value) : SG_UNIT_NONE;
    bool other = sg_unit_has_dimension(m->runtime->units, before) &&
                 !sg_unit_same_dimension(m->runtime->units, before, now);
    if (!sg_dict_mark_replaced(m->vm, result, entry->key,
                               other ? old : (sg_value){.tag = SG_UNDEF}))
        m->status = SG_ERR_MEMORY;
}

static sg_dict *merge_dicts(merging *m, const sg_dict *a, const sg_dict *b, int depth)
{
    if (depth > MAX_NESTING) {
        m->status = sg_raise(m->vm, "ErrorException", SG_E_MODEL, (sg_span){0},
                             "models are nested too deeply to be merged");
        return NULL;
    }
    sg_dict *result = sg_dict_copy(m->vm, a);
    if (!result) {
        m->status = SG_ERR_MEMORY;
        return NULL;
    }
    size_t at = 0;
    sg_dict_entry entry;
    while (m->status == SG_OK && sg_dict_next(b, &at, &entry)) {
        sg_value old;
        bool was_there = sg_dict_get(result, entry.key, &old);
        merge_entry(m, result, b, &entry, depth);
        mark_added(m, result, b, &entry, was_there);
        if (was_there)
            mark_replaced(m, result, &entry, old);
    }
    return m->status == SG_OK ? result : NULL;
}

static sg_dict *value_dict(sg_vm *vm, sg_value value)
{
    sg_runtime *runtime = sg_runtime_of(vm);
    sg_dict *dict = sg_dict_make(vm, runtime->names.Var);
    if (!dict || !sg_dict_put(vm, dict, sg_symbol(runtime->names.value), value, sg_vm_where(vm)))
        return NULL;
    return dict;
}

sg_status sg_merge(sg_vm *vm, sg_value a, sg_value b, sg_value *out)
{
    merging m = {.vm = vm, .runtime = sg_runtime_of(vm), .status = SG_OK};
    bool dict_a = sg_is(a, SG_OBJ_DICT), dict_b = sg_is(b, SG_OBJ_DICT);
    if (a.tag == SG_SYMBOL && dict_b) { // a symbol on the left is evaluated first
        a = sg_module_get(sg_vm_current_module(vm), a.sym);
        if (a.tag == SG_UNDEF)
            return sg_raise(vm, "UndefVarError", SG_E_NAME, (sg_span){0},
                            "the symbol on the left of '|' is not defined");
        dict_a = sg_is(a, SG_OBJ_DICT);
    }
    if (!dict_a && !dict_b)
        return sg_raise_operands(vm, SG_OPER_OR, a, b);
    const sg_dict *left = dict_a ? (const sg_dict *)a.o : (const sg_dict *)b.o;
    const sg_dict *right = dict_a && dict_b ? (const sg_dict *)b.o : value_dict(vm, dict_a ? b : a);
    if (!right)
        return SG_ERR_MEMORY;
    sg_buf_init(&m.path, vm->allocator);
    sg_dict *result = merge_dicts(&m, left, right, 0);
    sg_buf_free(&m.path);
    *out = sg_object(result);
    if (!result && m.status == SG_OK)
        m.status = SG_ERR_MEMORY;
    return m.status;
}
