#include "symbolic/walk.h"

#include "base/assert.h"
#include "base/vec.h"

#include <string.h>

static bool grow_walk(sg_walk *walk, uint32_t want)
{
    const sg_allocator *allocator = walk->exprs->allocator;
    if (want <= walk->cap)
        return true;
    // Refused halfway, the longer arrays stay as they are: each knows its own length.
    size_t *caps = walk->caps;
    bool ok =
        sg_vec_reserve(allocator, (void **)&walk->value, &caps[1], want, sizeof(sg_expr_id)) &&
        sg_vec_reserve(allocator, (void **)&walk->value2, &caps[2], want, sizeof(sg_expr_id)) &&
        sg_vec_reserve(allocator, (void **)&walk->stamps, &caps[0], want, sizeof(uint32_t));
    if (!ok)
        return false;
    size_t least = caps[0];
    for (int k = 1; k < 3; k++)
        least = caps[k] < least ? caps[k] : least;
    memset(walk->stamps + walk->cap, 0, (caps[0] - walk->cap) * sizeof(uint32_t));
    walk->cap = (uint32_t)least;
    return true;
}

static sg_walk *free_walk(sg_exprs *exprs)
{
    for (sg_walk *walk = exprs->walks; walk; walk = walk->older)
        if (!walk->busy)
            return walk;
    sg_walk *walk = exprs->allocator->resize(exprs->allocator->context, NULL, 0, sizeof(sg_walk));
    if (!walk)
        return NULL;
    memset(walk, 0, sizeof(*walk));
    walk->exprs = exprs;
    walk->older = exprs->walks;
    exprs->walks = walk;
    return walk;
}

sg_walk *sg_walk_begin(sg_exprs *exprs, sg_expr_id root)
{
    sg_walk *walk = root.i && !exprs->failed ? free_walk(exprs) : NULL;
    if (!walk || !grow_walk(walk, exprs->len)) {
        exprs->failed = true;
        return NULL;
    }
    if (walk->stamp == UINT32_MAX) {
        memset(walk->stamps, 0, walk->cap * sizeof(uint32_t));
        walk->stamp = 0;
    }
    walk->stamp++;
    walk->busy = true;
    walk->each = walk->failed = false;
    walk->follow = NULL;
    walk->depth = 0;
    sg_walk_push(walk, root);
    return walk;
}

void sg_walk_push(sg_walk *walk, sg_expr_id root)
{
    if (root.i == 0 || !grow_walk(walk, walk->exprs->len) ||
        !sg_vec_reserve(walk->exprs->allocator, (void **)&walk->stack, &walk->stack_cap,
                        walk->depth + 1, sizeof(sg_walk_frame))) {
        walk->failed = true;
        return;
    }
    if (walk->each || !sg_walk_seen(walk, root))
        walk->stack[walk->depth++] = (sg_walk_frame){root.i, 0};
}

sg_expr_id sg_walk_next(sg_walk *walk)
{
    const sg_exprs *exprs = walk->exprs;
    while (walk->depth && !walk->failed) {
        sg_walk_frame *top = &walk->stack[walk->depth - 1];
        sg_expr_id e = {top->node};
        if (top->next < exprs->nodes[e.i].n_args) {
            uint32_t k = top->next++;
            if (!walk->follow || walk->follow(exprs, e, k))
                sg_walk_push(walk, sg_expr_arg(exprs, e, k));
            continue;
        }
        walk->depth--;
        // A node pushed twice before it was visited counts once.
        if (!walk->each && sg_walk_seen(walk, e))
            continue;
        walk->stamps[e.i] = walk->stamp;
        return e;
    }
    return (sg_expr_id){0};
}

bool sg_walk_end(sg_walk *walk)
{
    walk->busy = false;
    if (walk->failed)
        walk->exprs->failed = true;
    return !walk->failed;
}

void sg_walks_destroy(sg_exprs *exprs)
{
    while (exprs->walks) {
        sg_walk *walk = exprs->walks;
        exprs->walks = walk->older;
        sg_vec_free(exprs->allocator, (void **)&walk->stamps, &walk->caps[0], sizeof(uint32_t));
        sg_vec_free(exprs->allocator, (void **)&walk->value, &walk->caps[1], sizeof(sg_expr_id));
        sg_vec_free(exprs->allocator, (void **)&walk->value2, &walk->caps[2], sizeof(sg_expr_id));
        sg_vec_free(exprs->allocator, (void **)&walk->stack, &walk->stack_cap,
                    sizeof(sg_walk_frame));
        exprs->allocator->resize(exprs->allocator->context, walk, sizeof(sg_walk), 0);
    }
}

sg_expr_id sg_expr_rebuild(sg_exprs *exprs, sg_expr_id e, const sg_expr_id *args)
{
    sg_expr_node node = *sg_expr_get(exprs, e);
    sg_expr_op op = (sg_expr_op)node.op;
    if (node.n_args == 0)
        return e;
    bool folds = op >= SG_X_LT && op <= SG_X_NE && sg_expr_is_literal(exprs, args[0]) &&
                 sg_expr_is_literal(exprs, args[1]);
    if (node.index && !folds)
        return sg_expr_raw(exprs, op, node.dot, node.index, args, node.n_args);
    if (op == SG_X_CALL || op == SG_X_RESULT || op == SG_X_END)
        return sg_expr_raw(exprs, op, node.dot, node.index, args, node.n_args);
    return node.dot ? sg_expr_make_dot(exprs, op, args, node.n_args)
                    : sg_expr_make(exprs, op, args, node.n_args);
}

static bool follow_plain(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    sg_expr_op op = sg_expr_op_of(exprs, e);
    return op != SG_X_END && !(k == 0 && sg_expr_op_remembers(op)) &&
           !(k > 0 && op == SG_X_IMPLICIT);
}
static bool follow_implicit(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    sg_expr_op op = sg_expr_op_of(exprs, e);
    return op != SG_X_END && !(k == 0 && sg_expr_op_remembers(op));
}
static bool follow_memory(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    sg_expr_op op = sg_expr_op_of(exprs, e);
    return op != SG_X_END && !(k > 0 && op == SG_X_IMPLICIT);
}
static bool follow_all(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    (void)k;
    return sg_expr_op_of(exprs, e) != SG_X_END;
}

bool sg_expr_incidence(sg_exprs *exprs, sg_expr_id e, unsigned flags, sg_var_visitor *visit,
                       void *context)
{
    sg_walk *walk = sg_walk_begin(exprs, e);
    if (!walk)
        return false;
    bool implicit = flags & SG_INCIDENCE_IMPLICIT, memory = flags & SG_INCIDENCE_MEMORY;
    walk->each = flags & SG_INCIDENCE_EACH;
    walk->follow = implicit ? (memory ? follow_all : follow_implicit)
                            : (memory ? follow_memory : follow_plain);
    for (sg_expr_id at; (at = sg_walk_next(walk)).i;) {
        sg_var_id var = sg_expr_var_of(exprs, at);
        if (var.i)
            visit(context, var);
    }
    return sg_walk_end(walk);
}

bool sg_expr_contains_var(sg_exprs *exprs, sg_expr_id e, sg_var_id var)
{
    bool found = false;
    sg_walk *walk = sg_walk_begin(exprs, e);
    if (!walk)
        return false;
    walk->follow = follow_all;
    for (sg_expr_id at; !found && (at = sg_walk_next(walk)).i;)
        found = sg_expr_var_of(exprs, at).i == var.i;
    sg_walk_end(walk);
    return found;
}

bool sg_expr_contains_op(sg_exprs *exprs, sg_expr_id e, sg_expr_op op)
{
    bool found = false;
    sg_walk *walk = sg_walk_begin(exprs, e);
    if (!walk)
        return false;
    for (sg_expr_id at; !found && (at = sg_walk_next(walk)).i;)
        found = sg_expr_op_of(exprs, at) == op;
    sg_walk_end(walk);
    return found;
}

// The node e over the values its arguments were given in this walk.
static sg_expr_id rebuild_from(sg_walk *walk, sg_expr_id e)
{
    sg_exprs *exprs = walk->exprs;
    uint32_t n = sg_expr_n_args(exprs, e);
    sg_expr_id few[16], *args = few, result = e;
    size_t cap = 0;
    bool changed = false;
    if (n > SG_COUNT(few)) {
        args = NULL;
        if (!sg_vec_reserve(exprs->allocator, (void **)&args, &cap, n, sizeof(sg_expr_id))) {
            walk->failed = true;
            return e;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id old = sg_expr_arg(exprs, e, k);
        args[k] = walk->value[old.i];
        changed |= args[k].i != old.i;
    }
    if (changed)
        result = sg_expr_rebuild(exprs, e, args);
    if (cap)
        sg_vec_free(exprs->allocator, (void **)&args, &cap, sizeof(sg_expr_id));
    return result;
}

sg_expr_id sg_expr_rewrite(sg_exprs *exprs, sg_expr_id root, sg_expr_replacer *replace,
                           void *context)
{
    sg_walk *walk = sg_walk_begin(exprs, root);
    if (!walk)
        return (sg_expr_id){0};
    for (sg_expr_id e; (e = sg_walk_next(walk)).i;) {
        sg_expr_id made = rebuild_from(walk, e);
        walk->value[e.i] = made.i ? replace(context, exprs, made) : made;
    }
    sg_expr_id result = walk->value[root.i];
    return sg_walk_end(walk) ? result : (sg_expr_id){0};
}

typedef struct substitution {
    sg_var_replacer *replace;
    void *context;
} substitution;

static sg_expr_id replace_var(void *context, sg_exprs *exprs, sg_expr_id e)
{
    substitution *s = context;
    sg_var_id var = sg_expr_var_of(exprs, e);
    sg_expr_id with = var.i ? s->replace(s->context, var) : (sg_expr_id){0};
    return with.i ? with : e;
}

sg_expr_id sg_expr_substitute(sg_exprs *exprs, sg_expr_id root, sg_var_replacer *replace,
                              void *context)
{
    sg_walk *walk = sg_walk_begin(exprs, root);
    substitution s = {replace, context};
    if (!walk)
        return (sg_expr_id){0};
    // Only variables of the expression itself are replaced, not those of replacements.
    for (sg_expr_id e; (e = sg_walk_next(walk)).i;)
        walk->value[e.i] =
            sg_expr_n_args(exprs, e) ? rebuild_from(walk, e) : replace_var(&s, exprs, e);
    sg_expr_id result = walk->value[root.i];
    return sg_walk_end(walk) ? result : (sg_expr_id){0};
}
