// Work space of the systems of equations, made when a segment starts.
#include "base/assert.h"
#include "program/linker.h"

#include <string.h>

// A torn system beyond this is a mistake of the model; as a dense matrix it would take 800 MB.
static const uint32_t largest_system = 10000;
// From this many torn unknowns on a system is solved as a whole by sparse factors, if its matrix
// is known entry by entry: the dense one costs the cube.
static const uint32_t untorn_from = 60;
// A matrix by differences is full; beyond this it is not made.
static const uint32_t largest_full = 200;
// Least squares are dense, too.
static const uint32_t largest_normal = 300;

static uint32_t count_of(const sg_linker *l, uint32_t r)
{
    return sg_dims_count(l->exec->shapes[r]);
}

static uint32_t numbers_in(const sg_linker *l, const uint32_t *regs, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += count_of(l, regs[k]);
    return sum;
}

static bool all_numbers(const sg_linker *l, const uint32_t *regs, uint32_t n)
{
    bool all = true;
    for (uint32_t k = 0; k < n && all; k++)
        all = count_of(l, regs[k]) == 1;
    return all;
}

static bool are_numbers(const sg_linker *l, const struct sg_matrix_entry *entries, uint32_t n)
{
    bool all = true;
    for (uint32_t k = 0; k < n && all; k++)
        all = count_of(l, entries[k].reg) == 1;
    return all;
}

static void make_space(sg_linker *l, sg_space *space, uint32_t n, bool whole)
{
    double **vectors[] = {&space->t,    &space->d,       &space->r,     &space->trial,
                          &space->bar,  &space->r_trial, &space->scale, &space->nominal,
                          &space->size, &space->last,    &space->given};
    space->n = n;
    space->whole = whole;
    for (size_t k = 0; k < SG_COUNT(vectors); k++)
        *vectors[k] = SG_NEW_ARRAY(&l->exec->arena, double, n + 1);
}

// Typical sizes of the unknowns from `at` on, as far as the model gives them.
static void set_nominals(sg_linker *l, sg_space *space, uint32_t at, const uint32_t *regs,
                         const uint32_t *vars, uint32_t n)
{
    const sg_exec_source *source = l->source;
    for (uint32_t k = 0; k < n && source->nominal && space->given; k++) {
        double nominal = source->nominal(source->context, vars[k]);
        for (uint32_t i = 0; i < count_of(l, regs[k]); i++, at++)
            space->given[at] = space->nominal[at] = nominal;
    }
}

// Where the linked code writes this place, within a range: an alias of something else is written
// nowhere.
static bool is_written(const sg_linker *l, uint32_t from, uint32_t to, uint32_t at)
{
    for (uint32_t pc = from; pc < to; pc++) {
        const sg_linked *c = &l->code.data[pc];
        if (c->form == SG_L_CALL || c->form == SG_L_WIDE) {
            const sg_wide *wide = &l->wides.data[c->a];
            for (uint32_t k = 0; k < wide->n_results; k++)
                if (wide->offsets[k] == at)
                    return true;
            if (wide->n_results == 0 && wide->result_at == at)
                return true;
        } else if (c->form != SG_L_JUMP && c->form != SG_L_UNLESS && c->dst == at) {
            return true;
        }
    }
    return false;
}

// Places of the inner variables. False if one shares its place with something else, so that it
// cannot have a value of its own.
static bool place_inners(sg_linker *l, const sg_torn_system *s, sg_system_work *work,
                         const uint32_t *step_entry)
{
    uint32_t from = work->body;
    bool own = true;
    work->inners = SG_NEW_ARRAY(&l->exec->arena, sg_inner_place, s->n_inner + 1);
    for (uint32_t k = 0; k < s->n_inner && work->inners; k++) {
        uint32_t r = s->inner[k], done = step_entry[s->inner_done[k]];
        work->inners[k] = (sg_inner_place){l->exec->offsets[r], count_of(l, r), done};
        work->n_inner += work->inners[k].n;
        own = own && is_written(l, from, done, l->exec->offsets[r]);
        // Several results of one call are written together.
        from = k + 1 < s->n_inner && s->inner_done[k + 1] == s->inner_done[k] ? from : done;
    }
    work->inner_size = SG_NEW_ARRAY(&l->exec->arena, double, work->n_inner + 1);
    return own;
}

// The operands of the last operation that made a number, if that is a sum or a difference: they
// tell the size of its terms at no cost. Else the number itself.
static void find_pair(sg_linker *l, uint32_t r, uint32_t i, const uint32_t *step_entry,
                      uint32_t range[2], uint32_t pair[2])
{
    uint32_t at = l->exec->offsets[r], writer = l->program->regs.data[r].writer;
    uint32_t entry = writer ? step_entry[writer] : range[1];
    pair[0] = pair[1] = at + i;
    if (entry < range[0] || entry >= range[1])
        return;
    const sg_linked *c = &l->code.data[entry];
    // A sign in front does not matter.
    while (c->dst == at && (c->form == SG_L_NEG || c->form == SG_L_COPY) && entry > range[0] &&
           l->code.data[entry - 1].dst == c->a) {
        at = c->a;
        c = &l->code.data[--entry];
    }
    bool array = c->form == SG_LV_ADD || c->form == SG_LV_SUB;
    if (c->dst == at && (array || c->form == SG_L_ADD || c->form == SG_L_SUB)) {
        pair[0] = c->a + (array ? i * c->sa : 0);
        pair[1] = c->b + (array ? i * c->sb : 0);
    }
}

static void find_parts(sg_linker *l, const sg_torn_system *s, sg_system_work *work,
                       const uint32_t *step_entry)
{
    uint32_t row = 0, body[2] = {work->body, work->prep};
    uint32_t tangent[2] = {work->tangent, work->whole_at};
    work->parts = (uint32_t(*)[2])SG_NEW_ARRAY(&l->exec->arena, uint32_t, 2 * work->torn.n + 2);
    for (uint32_t k = 0; k < s->n_residuals && work->parts; k++)
        for (uint32_t i = 0; i < count_of(l, s->residuals[k]); i++, row++)
            find_pair(l, s->residuals[k], i, step_entry, body, work->parts[row]);
    if (work->torn.n == 1 && s->has_tangent && s->n_residuals == 1)
        find_pair(l, s->d_residuals[0], 0, step_entry, tangent, work->slope_parts);
}

typedef struct place {
    uint32_t row, column, entry;
} place;

// Entries by columns; a counting sort over columns after one over rows keeps rows ascending.
static void sort_places(place *from, place *to, uint32_t n_places, uint32_t *count, uint32_t n)
{
    for (int by_column = 0; by_column < 2; by_column++) {
        memset(count, 0, ((size_t)n + 1) * sizeof(uint32_t));
        for (uint32_t k = 0; k < n_places; k++)
            count[(by_column ? from[k].column : from[k].row) + 1]++;
        for (uint32_t i = 0; i < n; i++)
            count[i + 1] += count[i];
        for (uint32_t k = 0; k < n_places; k++)
            to[count[by_column ? from[k].column : from[k].row]++] = from[k];
        place *swap = from;
        from = to, to = swap;
    }
}

static void make_sparse(sg_linker *l, sg_sparse *a, uint32_t n, uint32_t nnz)
{
    sg_arena *arena = &l->exec->arena;
    *a = (sg_sparse){.n = (int32_t)n, .nnz = (int32_t)nnz, .bad = -1};
    a->start = SG_NEW_ARRAY(arena, int32_t, n + 2);
    a->rows = SG_NEW_ARRAY(arena, int32_t, nnz + 1);
    a->values = SG_NEW_ARRAY(arena, double, nnz + 1);
    a->factored = SG_NEW_ARRAY(arena, double, nnz + 1);
    if (n <= SG_SPARSE_SMALL) {
        a->dense = SG_NEW_ARRAY(arena, double, (size_t)n *n + 1);
        a->pivots = SG_NEW_ARRAY(arena, int, n + 1);
    }
}

// The pattern from the entries and the -1 of each inner variable.
static void sparse_by_entries(sg_linker *l, const sg_torn_system *s, sg_system_work *work)
{
    sg_arena *arena = &l->exec->arena;
    uint32_t n = work->whole.n, n_places = s->n_whole_entries + s->n_inner, nnz = 0;
    place *list = SG_NEW_ARRAY(arena, place, n_places + 1);
    place *other = SG_NEW_ARRAY(arena, place, n_places + 1);
    uint32_t *count = SG_NEW_ARRAY(arena, uint32_t, n + 2);
    work->slots = SG_NEW_ARRAY(arena, int32_t, n_places + 1);
    if (arena->failed)
        return;
    for (uint32_t k = 0; k < n_places; k++) {
        const struct sg_matrix_entry *e = &s->whole_entries[k];
        uint32_t i = k - s->n_whole_entries;
        list[k] = k < s->n_whole_entries ? (place){e->row, e->column, k} : (place){i, i, k};
    }
    sort_places(list, other, n_places, count, n);
    for (uint32_t k = 0; k < n_places; k++) {
        bool same = k > 0 && list[k].row == list[k - 1].row && list[k].column == list[k - 1].column;
        nnz += !same;
        work->slots[list[k].entry] = (int32_t)nnz - 1;
    }
    make_sparse(l, &work->sparse, n, nnz);
    if (arena->failed)
        return;
    for (uint32_t k = 0; k < n_places; k++) {
        work->sparse.rows[work->slots[list[k].entry]] = (int32_t)list[k].row;
        work->sparse.start[list[k].column + 1] = work->slots[list[k].entry] + 1;
    }
    for (uint32_t j = 0; j < n; j++) // columns without an entry
        if (work->sparse.start[j + 1] < work->sparse.start[j])
            work->sparse.start[j + 1] = work->sparse.start[j];
}

static void sparse_full(sg_linker *l, sg_system_work *work)
{
    uint32_t n = work->whole.n;
    make_sparse(l, &work->sparse, n, n * n);
    if (l->exec->arena.failed)
        return;
    for (uint32_t j = 0; j < n; j++) {
        work->sparse.start[j + 1] = (int32_t)((j + 1) * n);
        for (uint32_t i = 0; i < n; i++)
            work->sparse.rows[j * n + i] = (int32_t)i;
    }
}

// The system with all variables as unknowns.
static void make_whole(sg_linker *l, const sg_torn_system *s, sg_system_work *work, bool own)
{
    sg_arena *arena = &l->exec->arena;
    uint32_t n = work->torn.n + work->n_inner;
    bool by_entries = s->n_whole_entries > 0 && all_numbers(l, s->unknowns, s->n_unknowns) &&
                      all_numbers(l, s->residuals, s->n_residuals) &&
                      all_numbers(l, s->inner, s->n_inner) &&
                      are_numbers(l, s->whole_entries, s->n_whole_entries);
    work->can_untear = own && n > 0 && (by_entries || n <= largest_full);
    if (!work->can_untear)
        return;
    make_space(l, &work->whole, n, true);
    set_nominals(l, &work->whole, 0, s->inner, s->inner_vars, s->n_inner);
    set_nominals(l, &work->whole, work->n_inner, s->unknowns, s->unknown_vars, s->n_unknowns);
    if (by_entries)
        sparse_by_entries(l, s, work);
    else
        sparse_full(l, work);
    // Systems become untorn in the midst of a step, where no memory is to be taken.
    if (!arena->failed && sg_sparse_prepare(&work->sparse) != SG_OK)
        l->failed = true;
    work->nudge = SG_NEW_ARRAY(arena, double, 2 * (size_t)n + (size_t)work->sparse.nnz + 1);
    work->far.f0 = SG_NEW_ARRAY(arena, double, n + 1);
    work->far.x0 = SG_NEW_ARRAY(arena, double, n + 1);
    work->far.best = SG_NEW_ARRAY(arena, double, n + 1);
    work->far.weight = SG_NEW_ARRAY(arena, double, n + 1);
    if (!s->linear) {
        work->anchor = SG_NEW_ARRAY(arena, double, n + 1);
        work->ahead = SG_NEW_ARRAY(arena, double, n + 1);
        work->doubted = SG_NEW_ARRAY(arena, double, n + 1);
        work->loose = SG_NEW_ARRAY(arena, double, n + 1);
        work->far.origin = SG_NEW_ARRAY(arena, double, n + 1);
        work->far.curve = SG_NEW_ARRAY(arena, double, 5 * (size_t)n + 1);
        work->n_exponents = sg_system_exponents(l->code.data, work->body, work->prep, NULL);
        work->exponents = SG_NEW_ARRAY(arena, sg_exponent, work->n_exponents + 1);
        if (work->exponents)
            sg_system_exponents(l->code.data, work->body, work->prep, work->exponents);
    }
    if (!s->linear && n <= largest_normal)
        work->least.normal = SG_NEW_ARRAY(arena, double, (size_t)n *n + 1);
    work->left.untorn = by_entries && work->torn.n >= untorn_from;
}

static bool is_choice(const sg_linked *c)
{
    return sg_linked_is_condition(c) || c->form == SG_L_JUMP || c->form == SG_L_UNLESS;
}

static void list_choices(sg_linker *l, sg_system_work *work)
{
    uint32_t n = 0;
    for (uint32_t pc = work->body; pc < work->prep; pc++)
        n += is_choice(&l->code.data[pc]);
    work->choices = SG_NEW_ARRAY(&l->exec->arena, uint32_t, n + 1);
    work->first_argument = SG_NEW_ARRAY(&l->exec->arena, uint32_t, n + 1);
    for (uint32_t pc = work->body; pc < work->prep && work->choices && work->first_argument; pc++) {
        const sg_linked *c = &l->code.data[pc];
        if (!is_choice(c))
            continue;
        work->first_argument[work->n_choices] = work->n_arguments;
        work->choices[work->n_choices++] = pc;
        work->n_conditions += sg_linked_is_condition(c);
        work->n_arguments += c->form == SG_L_LEVEL ? c->n : sg_linked_is_condition(c) ? 1 : 0;
    }
    work->argument = SG_NEW_ARRAY(&l->exec->arena, double, work->n_arguments + 1);
    work->contrary = SG_NEW_ARRAY(&l->exec->arena, bool, work->n_arguments + 1);
}

void sg_link_system(sg_linker *l, uint32_t index, const uint32_t *step_entry)
{
    const sg_program *p = l->program;
    const sg_torn_system *s = &p->systems.data[index];
    sg_system_work *work = &l->exec->systems[index];
    sg_arena *arena = &l->exec->arena;
    uint32_t n = numbers_in(l, s->unknowns, s->n_unknowns);
    uint32_t m = numbers_in(l, s->residuals, s->n_residuals);
    l->step = s->body - 1;
    if (n != m) {
        sg_link_error(l, SG_E_EQ_SHAPE,
                      "a system of equations has %u unknowns, but %u equations when counted by "
                      "elements; give array unknowns a start value of the right length",
                      n, m);
        return;
    }
    if (n > largest_system) {
        sg_link_error(l, SG_E_EQ_SIZE,
                      "a system of %u equations must be solved at once; %u is the "
                      "limit",
                      n, largest_system);
        return;
    }
    *work = (sg_system_work){.body = step_entry[s->body],
                             .prep = step_entry[s->prep],
                             .tangent = step_entry[s->tangent],
                             .whole_at = step_entry[s->whole],
                             .end = step_entry[s->end],
                             .all_derivatives = s->linear};
    work->by_entries = s->n_entries > 0 && all_numbers(l, s->unknowns, s->n_unknowns) &&
                       all_numbers(l, s->residuals, s->n_residuals) &&
                       are_numbers(l, s->entries, s->n_entries);
    for (uint32_t k = 0; k < s->n_unknowns; k++)
        work->all_derivatives &= p->regs.data[s->unknowns[k]].kind == SG_REG_DER;
    make_space(l, &work->torn, n, false);
    set_nominals(l, &work->torn, 0, s->unknowns, s->unknown_vars, s->n_unknowns);
    work->unit = SG_NEW_ARRAY(arena, double, n + 1);
    list_choices(l, work);
    work->seen = SG_NEW_ARRAY(arena, double, n + 1);
    find_parts(l, s, work, step_entry);
    make_whole(l, s, work, place_inners(l, s, work, step_entry));
    if (!work->left.untorn) {
        work->matrix = SG_NEW_ARRAY(arena, double, (size_t)n *n + 1);
        work->pivots = SG_NEW_ARRAY(arena, int, n + 1);
    }
    l->failed |= arena->failed;
}

void sg_link_free_systems(sg_exec *exec)
{
    for (uint32_t k = 0; exec->systems && k < exec->program->systems.len; k++) {
        sg_sparse_free(&exec->systems[k].sparse);
        sg_sparse_free(&exec->systems[k].least.augmented);
    }
    exec->systems = NULL;
}
