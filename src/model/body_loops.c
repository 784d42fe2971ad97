// Loops of functions and comprehensions, all rounds at once (lanes.h).
//
// A round is read once, with a placeholder for the variable of the loop. Afterwards variables of
// the function that the rounds add to have become sums, and arrays that they write to are the old
// ones with other elements. That holds if no round uses what another one computes: a variable is
// set before it is used in each round, or is only added to; an element that is read is the one
// that the same round writes. Where that cannot be seen the rounds are followed one by one, if
// their number is literal, or the function stays a call.
#include "base/assert.h"
#include "model/body_internal.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

enum { MOST_ONE_BY_ONE = 64 }; // elements of a comprehension that lanes cannot express

static const sg_meaning nothing = {0};

static const char *text_of(const sg_body_reader *r, sg_sym sym)
{
    return sg_vm_text(r->instance->vm, sym);
}

static bool settle(void *context, sg_var_id var, bool demand)
{
    sg_body_common *common = context;
    if (var.i > SG_BODY_ITEMS)
        return false;
    if (demand)
        common->settled[var.i - 1] = true;
    return common->settled[var.i - 1];
}

static sg_lanes lanes_of(const sg_body_reader *r, uint32_t from)
{
    sg_lanes l;
    sg_lanes_init(&l, r->exprs);
    for (uint32_t k = from; k < r->n_loops; k++)
        l.axis[l.n++] = r->loops[k];
    l.is_settled = settle;
    l.context = r->common;
    return l;
}

// ---- ranges ---------------------------------------------------------------------------------

static bool is_call_of(const sg_body_reader *r, const sg_ast *ast, const char *name)
{
    return ast->kind == SG_AST_CALL && ast->n == 2 && ast->kids[0]->kind == SG_AST_NAME &&
           strcmp(text_of(r, ast->kids[0]->sym), name) == 0;
}

// The range of a loop: a:b, a:s:b, eachindex(x), or a variable that is one. Of any other array the
// numbers of its elements, and the array itself.
static sg_expr_id read_range(sg_body_reader *r, const sg_ast *ast, sg_expr_id *array)
{
    sg_exprs *x = r->exprs;
    sg_expr_id args[3] = {sg_expr_int(x, 1), {0}, {0}};
    if (is_call_of(r, ast, "eachindex")) {
        sg_meaning base = sg_body_read(r, ast->kids[1]);
        args[1] = base.one.i ? sg_expr_unary(x, SG_X_LENGTH, base.one) : base.one;
        return args[1].i ? sg_expr_make(x, SG_X_RANGE, args, 2) : args[1];
    }
    if (ast->kind != SG_AST_RANGE) {
        sg_meaning m = sg_body_read(r, ast);
        if (m.one.i && sg_expr_op_of(x, m.one) == SG_X_RANGE)
            return m.one;
        *array = m.one;
        args[1] = m.one.i ? sg_expr_unary(x, SG_X_LENGTH, m.one) : m.one;
        return args[1].i ? sg_expr_make(x, SG_X_RANGE, args, 2) : args[1];
    }
    for (uint32_t i = 0; i < ast->n; i++) {
        args[i] = sg_body_read(r, ast->kids[i]).one;
        if (!args[i].i)
            return args[i];
    }
    return sg_expr_make(x, SG_X_RANGE, args, ast->n);
}

// Opens a loop over the range; its rounds are read all at once from here on.
static bool open_loop(sg_body_reader *r, const sg_ast *iter)
{
    if (r->n_loops == SG_COUNT(r->loops)) {
        sg_body_give_up(r, "%s", "it has more than two loops inside each other");
        return false;
    }
    if (iter->kids[0]->kind != SG_AST_NAME) {
        sg_body_give_up(r, "%s", "of a loop in it");
        return false;
    }
    sg_expr_id array = {0}, range = read_range(r, iter->kids[1], &array);
    sg_lanes outer = lanes_of(r, 0);
    bool fits = range.i && !sg_lanes_vary(&outer, range) && sg_lanes_settled(&outer, range, true);
    fits = fits && !(array.i && sg_lanes_vary(&outer, array));
    sg_lanes_free(&outer);
    if (!fits) {
        sg_body_give_up(r, "%s", "the range of a loop in it is not known before a run");
        return false;
    }
    sg_lane lane = {{SG_LANE_VARS + r->common->n_lanes++}, range};
    r->loops[r->n_loops++] = lane;
    // A variable of this name outside is another one.
    if (r->n_locals == SG_BODY_NAMES) {
        sg_body_give_up(r, "%s", "it has too many variables");
        return false;
    }
    sg_expr_id value = sg_expr_var(r->exprs, lane.var);
    if (array.i)
        value = sg_expr_binary(r->exprs, SG_X_INDEX, array, value);
    r->arrays[r->n_loops - 1] = array;
    r->locals[r->n_locals++] = (sg_body_name){iter->kids[0]->sym, sg_meaning_of(value), true};
    return true;
}

static bool spreads(sg_body_reader *r, sg_lanes *l, sg_expr_id *e)
{
    *e = sg_lanes_spread(l, *e);
    if (!e->i)
        sg_body_give_up(r, "%s", l->why ? l->why : "of a loop in it");
    return e->i;
}

static bool varies(const sg_body_reader *r, sg_expr_id e, uint32_t from, uint32_t to)
{
    sg_body_reader part = {.exprs = r->exprs, .n_loops = to, .common = r->common};
    memcpy(part.loops, r->loops, sizeof part.loops);
    sg_lanes l = lanes_of(&part, from);
    bool found = l.n && sg_lanes_vary(&l, e);
    sg_lanes_free(&l);
    return found;
}

// ---- comprehensions and sums ----------------------------------------------------------------

static bool plain_generator(sg_body_reader *r, const sg_ast *g)
{
    bool plain = g->kind == SG_AST_GENERATOR && !(g->flags & SG_AST_FLATTEN) && g->n <= 3;
    for (uint32_t i = 1; i < g->n && plain; i++)
        plain = g->kids[i]->kind == SG_AST_ITER;
    if (!plain)
        sg_body_give_up(r, "%s", "a comprehension in it has a condition, or loops in a row");
    return plain;
}

// Body and loops of a generator. The reader is as before afterwards, but for `lanes`, which hold
// its loops.
static sg_expr_id read_generator(sg_body_reader *r, const sg_ast *g, sg_lanes *lanes)
{
    uint32_t n_loops = r->n_loops, n_locals = r->n_locals;
    bool ok = true;
    sg_expr_id body = {0};
    // Ranges of both loops are read before either is open.
    for (uint32_t i = 1; i < g->n && ok; i++)
        ok = open_loop(r, g->kids[i]);
    if (ok)
        body = sg_body_read(r, g->kids[0]).one;
    *lanes = lanes_of(r, n_loops);
    r->n_loops = n_loops;
    r->n_locals = n_locals;
    if (ok && !body.i)
        sg_body_give_up(r, "%s", "a comprehension in it makes more than numbers");
    return body;
}

static bool literal_range(const sg_body_reader *r, sg_expr_id range, double ends[3])
{
    uint32_t n = sg_expr_n_args(r->exprs, range);
    ends[1] = 1.0;
    for (uint32_t i = 0; i < n; i++)
        if (!sg_expr_is_number(r->exprs, sg_expr_arg(r->exprs, range, i),
                               &ends[n == 2 ? 2 * i : i]))
            return false;
    return ends[1] != 0.0;
}

// [e for i in 1:3] as [e1, e2, e3].
static sg_meaning one_by_one(sg_body_reader *r, const sg_ast *g)
{
    const sg_ast *iter = g->kids[1];
    double ends[3];
    sg_expr_id array = {0}, items[MOST_ONE_BY_ONE];
    sg_expr_id range = g->n == 2 ? read_range(r, iter->kids[1], &array) : array;
    if (!range.i || array.i || iter->kids[0]->kind != SG_AST_NAME ||
        !literal_range(r, range, ends) || r->n_locals == SG_BODY_NAMES)
        return nothing;
    double rounds = floor((ends[2] - ends[0]) / ends[1] + 1e-9) + 1.0;
    if (!(rounds >= 0.0 && rounds <= MOST_ONE_BY_ONE))
        return nothing;
    uint32_t n_locals = r->n_locals++;
    for (uint32_t k = 0; k < (uint32_t)rounds; k++) {
        double at = ends[0] + k * ends[1];
        sg_expr_id value = at == floor(at) ? sg_expr_int(r->exprs, at) : sg_expr_num(r->exprs, at);
        r->locals[n_locals] = (sg_body_name){iter->kids[0]->sym, sg_meaning_of(value), true};
        items[k] = sg_body_read(r, g->kids[0]).one;
        if (!items[k].i)
            return nothing;
    }
    r->n_locals = n_locals;
    return sg_meaning_of(sg_expr_make(r->exprs, SG_X_VECT, items, (uint32_t)rounds));
}

static sg_meaning try_comprehension(sg_body_reader *r, const sg_ast *g)
{
    sg_lanes lanes;
    if (!plain_generator(r, g))
        return nothing;
    sg_expr_id e = read_generator(r, g, &lanes), array = r->arrays[r->n_loops];
    bool ok = e.i && spreads(r, &lanes, &e);
    if (ok && array.i && g->n == 2) { // of a matrix it is a matrix
        sg_expr_id args[3] = {sg_expr_unary(r->exprs, SG_X_ZERO, array), e, lanes.axis[0].range};
        e = sg_expr_make(r->exprs, SG_X_SETINDEX, args, 3);
    } else if (ok && g->n > 2 && (array.i || r->arrays[r->n_loops + 1].i)) {
        ok = (sg_body_give_up(r, "%s", "a comprehension in it goes over elements of two arrays"),
              false);
    }
    if (ok && varies(r, e, 0, r->n_loops))
        ok = (sg_body_give_up(r, "%s", "an array in a loop is made anew in every round"), false);
    sg_lanes_free(&lanes);
    return ok ? sg_meaning_of(e) : nothing;
}

sg_meaning sg_body_comprehension(sg_body_reader *r, const sg_ast *ast)
{
    const char *before = r->common->why;
    sg_body_reader *saved = SG_NEW(r->arena, sg_body_reader);
    if (!saved)
        return sg_body_give_up(r, "%s", "memory ran out");
    *saved = *r;
    sg_meaning m = try_comprehension(r, ast->kids[0]);
    if (sg_is_understood(m))
        return m;
    const char *why = r->common->why;
    *r = *saved;
    r->common->why = before;
    m = one_by_one(r, ast->kids[0]);
    if (!sg_is_understood(m))
        r->common->why = why;
    return m;
}

sg_meaning sg_body_reduction(sg_body_reader *r, const sg_ast *generator, sg_expr_op op)
{
    sg_lanes lanes;
    if (!plain_generator(r, generator))
        return nothing;
    sg_expr_id e = read_generator(r, generator, &lanes);
    sg_meaning m = nothing;
    if (e.i && varies(r, e, 0, r->n_loops)) {
        if (op == SG_X_SUM && lanes.n == 1)
            m = sg_meaning_of(sg_lanes_inner_sum(r->exprs, e, lanes.axis[0]));
        else
            sg_body_give_up(r, "%s", "an inner loop does more than adding up");
    } else if (e.i && spreads(r, &lanes, &e)) {
        m = sg_meaning_of(sg_expr_unary(r->exprs, op, e));
    }
    sg_lanes_free(&lanes);
    return m;
}

// ---- arrays that loops write to -------------------------------------------------------------

bool sg_body_is_written(const sg_body_reader *r, sg_sym name)
{
    for (uint32_t i = 0; i < r->n_written; i++)
        if (sg_sym_equal(r->written[i], name))
            return true;
    return false;
}

static bool same_index(const sg_body_element *e, const sg_expr_id *index, uint32_t n)
{
    return e->index[0].i == index[0].i && e->index[1].i == (n > 1 ? index[1].i : 0);
}

static sg_body_element *find_element(sg_body_reader *r, sg_sym name, const sg_expr_id *index,
                                     uint32_t n)
{
    for (uint32_t i = 0; i < r->n_elements; i++)
        if (sg_sym_equal(r->elements[i].name, name) && same_index(&r->elements[i], index, n))
            return &r->elements[i];
    return NULL;
}

static sg_body_element *add_element(sg_body_reader *r, sg_sym name, const sg_expr_id *index,
                                    uint32_t n)
{
    if (r->n_elements == SG_BODY_WRITES) {
        sg_body_give_up(r, "%s", "a loop in it writes to many elements");
        return NULL;
    }
    sg_body_element *e = &r->elements[r->n_elements++];
    *e = (sg_body_element){.name = name, .index = {index[0], n > 1 ? index[1] : (sg_expr_id){0}}};
    return e;
}

// The element before the loop.
static sg_expr_id old_element(sg_body_reader *r, sg_body_element *e)
{
    const sg_body_name *array = sg_body_local(r, e->name);
    sg_expr_id args[3] = {array ? array->value.one : (sg_expr_id){0}, e->index[0], e->index[1]};
    if (!args[0].i || array->shared) {
        sg_body_give_up(r, "it reads '%s' while a loop writes to it", text_of(r, e->name));
        return (sg_expr_id){0};
    }
    e->read = true;
    return sg_expr_make(r->exprs, SG_X_INDEX, args, e->index[1].i ? 3 : 2);
}

bool sg_body_written(sg_body_reader *r, sg_sym name, const sg_expr_id *index, uint32_t n,
                     sg_meaning *value)
{
    if (!r->n_loops || !sg_body_is_written(r, name))
        return false;
    sg_body_element *e = find_element(r, name, index, n);
    if (!e)
        e = add_element(r, name, index, n);
    *value = e ? sg_meaning_of(e->value.i ? e->value : old_element(r, e)) : nothing;
    return true;
}

void sg_body_merge_writes(sg_body_reader *r, sg_body_reader *other, sg_expr_id condition)
{
    // All that either side touched, then the values of each.
    for (uint32_t i = 0; i < other->n_elements; i++) {
        const sg_body_element *e = &other->elements[i];
        uint32_t n = e->index[1].i ? 2 : 1;
        if (!find_element(r, e->name, e->index, n) && !add_element(r, e->name, e->index, n))
            return;
    }
    for (uint32_t i = 0; i < r->n_elements; i++) {
        sg_body_element *e = &r->elements[i];
        uint32_t n = e->index[1].i ? 2 : 1;
        const sg_body_element *there = find_element(other, e->name, e->index, n);
        sg_expr_id no = there ? there->value : (sg_expr_id){0};
        if (e->value.i == no.i)
            continue;
        e->read |= there && there->read;
        sg_expr_id old = e->value.i && no.i ? no : old_element(r, e);
        e->value = sg_expr_if(r->exprs, condition, e->value.i ? e->value : old, no.i ? no : old);
    }
}

// Outside of loops, or to an array that was made in this round.
static bool write_now(sg_body_reader *r, sg_body_name *array, const sg_expr_id *index, uint32_t n,
                      sg_expr_id value)
{
    sg_lanes l = lanes_of(r, 0);
    sg_expr_id args[4] = {array->value.one, value, index[0], n > 1 ? index[1] : index[0]};
    bool settled = true;
    for (uint32_t k = 0; k < n; k++)
        settled &= sg_lanes_settled(&l, index[k], true) && !sg_lanes_vary(&l, index[k]) &&
                   sg_expr_op_of(r->exprs, index[k]) != SG_X_COLON;
    sg_lanes_free(&l);
    if (!settled || array->shared || !array->value.one.i) {
        sg_body_give_up(r, "%s", "it changes an array or a field");
        return false;
    }
    array->value = sg_meaning_of(sg_expr_make(r->exprs, SG_X_SETINDEX, args, n + 2));
    return array->value.one.i;
}

bool sg_body_write(sg_body_reader *r, const sg_ast *target, sg_meaning value)
{
    sg_expr_id index[2] = {{0}, {0}};
    uint32_t n = target->n - 1;
    sg_body_name *array =
        target->kids[0]->kind == SG_AST_NAME ? sg_body_local(r, target->kids[0]->sym) : NULL;
    if (!array || n < 1 || n > 2 || !value.one.i) {
        sg_body_give_up(r, "%s", "it changes an array or a field");
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        const sg_ast *kid = target->kids[k + 1];
        index[k] =
            kid->kind == SG_AST_END ? sg_expr_end(r->exprs, array->value.one, n == 1 ? 0 : k + 1)
            : kid->kind == SG_AST_COLON || kid->kind == SG_AST_RANGE ? (sg_expr_id){0}
                                                                     : sg_body_read(r, kid).one;
        if (!index[k].i) {
            sg_body_give_up(r, "%s", "it writes to several elements of an array at once");
            return false;
        }
    }
    if (!r->n_loops || !sg_body_is_written(r, array->name))
        return write_now(r, array, index, n, value.one);
    if (array->shared) {
        sg_body_give_up(r, "%s", "it changes an array that has another name, too");
        return false;
    }
    sg_body_element *e = find_element(r, array->name, index, n);
    if (!e)
        e = add_element(r, array->name, index, n);
    if (e)
        e->value = value.one;
    return e;
}

bool sg_body_is_settled(sg_body_reader *r, sg_expr_id e)
{
    sg_lanes l = lanes_of(r, 0);
    bool settled = sg_lanes_settled(&l, e, true);
    sg_lanes_free(&l);
    return settled;
}

bool sg_body_sure_index(sg_body_reader *r, sg_expr_id index)
{
    return r->n_loops && sg_body_is_settled(r, index);
}

// ---- loops ----------------------------------------------------------------------------------

// Variables that a loop sets, and how.
typedef struct assigned {
    sg_sym name;
    uint32_t added, set, seen; // x += e; x = e; all places where it stands
    bool by_index;             // x[i] = e
} assigned;

typedef struct survey {
    assigned list[SG_BODY_NAMES];
    uint32_t n;
    bool full;
} survey;

static assigned *entry_of(survey *s, sg_sym name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (sg_sym_equal(s->list[i].name, name))
            return &s->list[i];
    s->full |= s->n == SG_BODY_NAMES;
    if (s->full)
        return &s->list[0];
    s->list[s->n] = (assigned){.name = name};
    return &s->list[s->n++];
}

static void survey_target(survey *s, const sg_ast *target, bool adds)
{
    if (target->kind == SG_AST_TYPED && target->n == 2)
        target = target->kids[0];
    if (target->kind == SG_AST_NAME) {
        assigned *a = entry_of(s, target->sym);
        a->added += adds;
        a->set += !adds;
    } else if (target->kind == SG_AST_INDEX && target->kids[0]->kind == SG_AST_NAME) {
        entry_of(s, target->kids[0]->sym)->by_index = true;
    } else if (target->kind == SG_AST_TUPLE) {
        for (uint32_t i = 0; i < target->n; i++)
            survey_target(s, target->kids[i], false);
    }
}

static void survey_tree(const sg_body_reader *r, survey *s, const sg_ast *ast)
{
    if (ast->kind == SG_AST_ASSIGN)
        survey_target(s, ast->kids[0], false);
    if (ast->kind == SG_AST_OPASSIGN) {
        const char *op = text_of(r, ast->sym);
        survey_target(s, ast->kids[0], strcmp(op, "+") == 0 || strcmp(op, "-") == 0);
    }
    if (ast->kind == SG_AST_NAME)
        entry_of(s, ast->sym)->seen++;
    for (uint32_t i = 0; ast->kind != SG_AST_STRMACRO && i < ast->n; i++)
        survey_tree(r, s, ast->kids[i]);
}

// Variables before the first round: sums begin at zero, the others have no value yet.
static bool prepare(sg_body_reader *r, const survey *s, uint32_t n_locals)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const assigned *a = &s->list[i];
        sg_body_name *known = NULL;
        for (uint32_t k = n_locals; k > 0 && !known; k--)
            if (sg_sym_equal(r->locals[k - 1].name, a->name))
                known = &r->locals[k - 1];
        if (!known)
            continue;
        if (a->by_index && !sg_body_is_written(r, a->name)) {
            if (r->n_written == SG_BODY_WRITES || a->set || a->added)
                return false;
            r->written[r->n_written++] = a->name;
        }
        if (a->set || (a->added && a->seen > a->added))
            known->value = nothing;
        else if (a->added)
            known->value = sg_meaning_of(sg_expr_num(r->exprs, 0.0));
    }
    return true;
}

// An index as a sum: constant + coefficient * (the variable of a loop) + whatever is settled.
typedef struct index_form {
    double constant, coefficient[2]; // of the open loops
    bool more;                       // sizes and parameters
} index_form;

static bool add_form(const sg_body_reader *r, sg_expr_id e, double factor, index_form *out)
{
    const sg_exprs *x = r->exprs;
    sg_expr_op op = sg_expr_op_of(x, e);
    uint32_t n = sg_expr_n_args(x, e);
    double number;
    sg_var_id var = sg_expr_var_of(x, e);
    if (sg_expr_is_number(x, e, &number)) {
        out->constant += factor * number;
        return true;
    }
    for (uint32_t k = 0; k < r->n_loops; k++)
        if (var.i && var.i == r->loops[k].var.i) {
            out->coefficient[k] += factor;
            return true;
        }
    if (op == SG_X_ADD || op == SG_X_SUB) {
        bool ok = true;
        for (uint32_t k = 0; k < n && ok; k++)
            ok = add_form(r, sg_expr_arg(x, e, k), op == SG_X_SUB && k ? -factor : factor, out);
        return ok;
    }
    if (op == SG_X_NEG)
        return add_form(r, sg_expr_arg(x, e, 0), -factor, out);
    if (op == SG_X_MUL && n == 2 && sg_expr_is_number(x, sg_expr_arg(x, e, 0), &number))
        return add_form(r, sg_expr_arg(x, e, 1), factor * number, out);
    out->more = true;
    return !varies(r, e, 0, r->n_loops);
}

// The element that one round reads is the one it writes, and no other round has it.
static bool is_own(const sg_body_reader *r, const sg_body_element *e)
{
    index_form form[2] = {{.more = false}, {.more = false}};
    if (!add_form(r, e->index[0], 1.0, &form[0]) ||
        (e->index[1].i && !add_form(r, e->index[1], 1.0, &form[1])))
        return false;
    for (uint32_t k = 0; k < r->n_loops; k++) {
        double other = form[0].coefficient[1 - k], here = form[0].coefficient[k];
        double other1 = form[1].coefficient[1 - k], here1 = form[1].coefficient[k];
        if (!((here != 0.0 && other == 0.0) || (here1 != 0.0 && other1 == 0.0)))
            return false;
    }
    return true;
}

// Could two indices of the same array lead to the same element in different rounds? Linking looks
// where sizes or parameters decide.
static bool may_meet(const sg_body_reader *r, const sg_body_element *a, const sg_body_element *b)
{
    for (int k = 0; k < 2; k++) {
        index_form form = {.more = false}, first = form;
        if (a->index[k].i == b->index[k].i)
            continue;
        if (!a->index[k].i || !b->index[k].i || !add_form(r, a->index[k], 1.0, &first) ||
            !add_form(r, a->index[k], 1.0, &form) || !add_form(r, b->index[k], -1.0, &form))
            return true;
        bool parallel = form.coefficient[0] == 0.0 && form.coefficient[1] == 0.0;
        double by = fabs(first.coefficient[0]) + fabs(first.coefficient[1]);
        if (form.more || (parallel && (by == 0.0 || fmod(form.constant, by) != 0.0)))
            return false;
    }
    return true;
}

// Each loop must lead to other elements.
static bool in_every_loop(const sg_body_reader *r, const sg_body_element *e)
{
    for (uint32_t loop = 0; loop < r->n_loops; loop++)
        if (!varies(r, e->index[0], loop, loop + 1) &&
            !(e->index[1].i && varies(r, e->index[1], loop, loop + 1)))
            return false;
    return true;
}

// The elements of one array that the rounds write to, as lists; their number, 0 if rounds depend on
// each other.
static uint32_t collect(sg_body_reader *r, sg_sym name, sg_expr_id *values,
                        sg_expr_id index[2][SG_BODY_WRITES])
{
    uint32_t n = 0;
    const sg_body_element *list[SG_BODY_WRITES];
    bool read = false, ok = true;
    sg_lanes l = lanes_of(r, 0);
    for (uint32_t i = 0; i < r->n_elements && ok; i++) {
        const sg_body_element *e = &r->elements[i];
        if (!sg_sym_equal(e->name, name))
            continue;
        ok = e->value.i && in_every_loop(r, e) && (!e->read || is_own(r, e));
        for (uint32_t k = 0; k < n && ok; k++)
            ok = !list[k]->index[1].i == !e->index[1].i && !may_meet(r, list[k], e);
        for (uint32_t k = 0; k < 2 && e->index[k].i && ok; k++) {
            index[k][n] = e->index[k];
            ok = sg_lanes_settled(&l, e->index[k], true) && spreads(r, &l, &index[k][n]);
        }
        values[n] = e->value;
        ok = ok && spreads(r, &l, &values[n]);
        read |= e->read;
        list[n++] = e;
    }
    sg_lanes_free(&l);
    return ok && (n == 1 || !read) ? n : 0;
}

// The array with the elements that the rounds wrote to it. Several lists are joined to one, so that
// linking can see if an element is in two of them.
static bool put_back(sg_body_reader *r, sg_sym name)
{
    sg_exprs *x = r->exprs;
    sg_expr_id values[SG_BODY_WRITES], index[2][SG_BODY_WRITES] = {{{0}}};
    sg_body_name *array = sg_body_local(r, name);
    bool ok = array && array->value.one.i && !array->shared &&
              !varies(r, array->value.one, 0, r->n_loops);
    uint32_t n = ok ? collect(r, name, values, index) : 0, n_index = n && index[1][0].i ? 2 : 1;
    if (!n) {
        sg_body_give_up(r, "%s", "the rounds of a loop in it depend on each other");
        return false;
    }
    sg_expr_id args[4] = {array->value.one, values[0], index[0][0], index[1][0]};
    if (n > 1)
        args[1] = sg_expr_make(x, SG_X_VCAT, values, n);
    for (uint32_t k = 0; k < n_index && n > 1; k++)
        args[k + 2] = sg_expr_make(x, SG_X_VCAT, index[k], n);
    array->value =
        sg_meaning_of(sg_expr_raw(x, SG_X_SETINDEX, n > 1 || r->n_loops > 1, 0, args, n_index + 2));
    array->shared = r->n_loops > 1; // until the outer loop ends: it is not that of a single round
    return array->value.one.i;
}

static bool close_arrays(sg_body_reader *r)
{
    for (uint32_t i = 0; i < r->n_written; i++) {
        bool touched = false;
        for (uint32_t k = 0; k < r->n_elements; k++)
            touched |= sg_sym_equal(r->elements[k].name, r->written[i]);
        if (touched && !put_back(r, r->written[i]))
            return false;
    }
    return true;
}

// Sums over all rounds, and nothing of what only one of them knows.
static bool close_variables(sg_body_reader *r, const sg_body_reader *before, const survey *s)
{
    sg_lanes l = lanes_of(r, r->n_loops - 1);
    bool ok = true;
    for (uint32_t i = 0; i < before->n_locals && ok; i++) {
        const assigned *a = NULL;
        for (uint32_t k = 0; k < s->n && !a; k++)
            if (sg_sym_equal(s->list[k].name, before->locals[i].name))
                a = &s->list[k];
        if (!a || (!a->set && !a->added))
            continue;
        sg_expr_id e = r->locals[i].value.one, old = before->locals[i].value.one;
        bool sum = !a->set && a->seen <= a->added;
        if (!sum || !e.i || !old.i) {
            r->locals[i].value = nothing;
            continue;
        }
        if (r->n_loops > before->n_loops + 1)
            e = (sg_expr_id){0}; // two loops in one line
        else if (varies(r, e, 0, r->n_loops - 1))
            e = sg_lanes_inner_sum(r->exprs, e, l.axis[0]);
        else if (spreads(r, &l, &e))
            e = sg_expr_unary(r->exprs, SG_X_SUM, e);
        ok = e.i;
        if (!ok)
            break;
        r->locals[i].value = sg_meaning_of(sg_expr_add(r->exprs, old, e));
    }
    sg_lanes_free(&l);
    return ok;
}

static bool try_loop(sg_body_reader *r, const sg_ast *ast, const sg_body_reader *before, survey *s)
{
    uint32_t n_locals = r->n_locals;
    const sg_ast *body = ast->kids[ast->n - 1];
    if (r->n_elements || sg_body_has_return(body))
        return false;
    survey_tree(r, s, body);
    for (uint32_t i = 0; i + 1 < ast->n; i++)
        if (!open_loop(r, ast->kids[i]))
            return false;
    if (s->full || !prepare(r, s, n_locals))
        return false;
    sg_body_read(r, body);
    if (r->common->why)
        return false;
    if (!close_arrays(r) || !close_variables(r, before, s))
        return false;
    r->n_locals = n_locals;
    r->n_loops = before->n_loops;
    r->n_elements = 0;
    if (r->n_loops)
        return true;
    r->n_written = 0;
    for (uint32_t i = 0; i < n_locals; i++)
        r->locals[i].shared = before->locals[i].shared;
    return true;
}

sg_meaning sg_body_broadcast(sg_body_reader *r, sg_expr_id body, sg_var_id first,
                             const sg_expr_id *args, uint32_t n)
{
    sg_exprs *x = r->exprs;
    sg_lanes l;
    sg_lanes_init(&l, x);
    l.is_settled = settle;
    l.context = r->common;
    l.values = args;
    l.first_value = first;
    l.n_values = n;
    l.like = sg_expr_num(x, 1.0);
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id pair[2] = {l.like, sg_expr_raw(x, SG_X_ZERO, false, 0, &args[k], 1)};
        l.like = sg_expr_raw(x, SG_X_DOT_ADD, false, 0, pair, 2);
    }
    bool ok = spreads(r, &l, &body);
    sg_lanes_free(&l);
    return ok ? sg_meaning_of(body) : nothing;
}

bool sg_body_loop(sg_body_reader *r, const sg_ast *ast, const char **reason)
{
    const char *why = r->common->why;
    sg_body_reader *before = SG_NEW(r->arena, sg_body_reader);
    survey *s = SG_NEW(r->arena, survey);
    if (!before || !s)
        return false;
    *before = *r;
    bool done = try_loop(r, ast, before, s);
    if (!done) {
        *reason = r->common->why;
        *r = *before;
        r->common->why = why;
    }
    return done;
}
