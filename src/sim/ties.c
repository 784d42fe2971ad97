// Which derivatives depend on which states through what equations see of hidden states and give to
// them.
//
// The trace of the program with the functions of a component held (sg_exec_held) tells which
// derivatives hang on which of the numbers that the equations see, and on which of them, and which
// states, a number depends that they give. The component knows the states behind both.
#include "program/exec.h"
#include "sim/entries.h"
#include "sim/trees.h"

// A held result, as a number that some component shows.
typedef struct seen_number {
    const sg_sim_tree_senses *by; // null: it is none
    uint32_t number;
} seen_number;

typedef struct tie_search {
    const sg_exec *exec;
    const sg_hidden *hidden;
    const sg_sim_tree *trees;
    uint32_t n_trees;
    sg_sim_tree_senses *senses; // by tree
    bool *open;                 // by tree: there are some
    sg_held held;
    seen_number *seen;  // by held result
    uint32_t *first_of; // by group: 1 + its first state
} tie_search;

static bool find_open(tie_search *s, sg_arena *arena)
{
    bool any = false;
    s->senses = SG_NEW_ARRAY(arena, sg_sim_tree_senses, s->n_trees + 1);
    s->open = SG_NEW_ARRAY(arena, bool, s->n_trees + 1);
    for (uint32_t k = 0; !arena->failed && k < s->n_trees; k++) {
        const sg_sim_tree *t = &s->trees[k];
        s->open[k] = t->senses && t->senses(t->context, &s->senses[k]);
        any |= s->open[k];
    }
    return any;
}

static bool trace_held(tie_search *s, uint32_t n_functions, sg_arena *arena)
{
    bool *is_held = SG_NEW_ARRAY(arena, bool, n_functions + 1);
    for (uint32_t k = 0; is_held && k < s->n_trees; k++)
        if (s->open[k])
            is_held[s->trees[k].motion] = is_held[s->trees[k].terms] =
                is_held[s->trees[k].accelerations] = true;
    if (is_held)
        is_held[0] = false;
    return is_held && sg_exec_held(s->exec, is_held, arena, &s->held) == SG_OK;
}

static bool name_seen(tie_search *s, sg_arena *arena)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->held.n_calls; i++)
        n += s->held.calls[i].n;
    s->seen = SG_NEW_ARRAY(arena, seen_number, n + 1);
    for (uint32_t i = 0; s->seen && i < s->held.n_calls; i++)
        for (uint32_t k = 0; k < s->n_trees; k++) {
            const sg_held_call *call = &s->held.calls[i];
            for (uint32_t m = 0; s->open[k] && call->function == s->trees[k].motion && m < call->n;
                 m++)
                s->seen[call->first + m] = (seen_number){&s->senses[k], m};
        }
    return s->seen != NULL;
}

static bool number_groups(tie_search *s, sg_arena *arena)
{
    uint32_t n = sg_hidden_count(s->hidden);
    s->first_of = SG_NEW_ARRAY(arena, uint32_t, n + 2);
    for (size_t i = s->hidden->states.len; s->first_of && i-- > 0;) {
        uint32_t group = s->hidden->states.data[i].group;
        if (group && group <= n)
            s->first_of[group] = (uint32_t)i + 1;
    }
    return s->first_of != NULL;
}

// All that is held is a number that equations may see.
static bool is_known(const tie_search *s, uint32_t item)
{
    return item < s->exec->at.n_x || s->seen[item - s->exec->at.n_x].by;
}

static bool are_known(const tie_search *s)
{
    const sg_held *h = &s->held;
    bool known = true;
    for (uint32_t k = 0; k < s->n_trees; k++)
        known &= !s->open[k] || s->senses[k].seen_start;
    for (uint32_t i = 0; i < h->starts[s->exec->at.n_x]; i++)
        known &= is_known(s, h->items[i]);
    for (uint32_t c = 0; c < h->n_calls; c++)
        for (uint32_t k = 0; k < s->n_trees; k++) {
            const sg_held_call *call = &h->calls[c];
            if (!s->open[k] || call->function != s->trees[k].terms)
                continue;
            known &= call->n_args == 1 + s->senses[k].n_given;
            for (uint32_t i = call->starts[1]; known && i < call->starts[call->n_args]; i++)
                known &= is_known(s, call->items[i]);
        }
    return known;
}

// ---- entries --------------------------------------------------------------------------------

// A row depends on the states of a group.
static void list_group(const tie_search *s, int32_t row, uint32_t group, sg_entries *entries)
{
    const sg_hidden *h = s->hidden;
    size_t i = group <= sg_hidden_count(h) ? s->first_of[group] : 0;
    for (; i && i <= h->states.len && h->states.data[i - 1].group == group; i++)
        for (uint32_t r = 0; r < h->states.data[i - 1].n; r++)
            sg_entries_add(entries, row, (int32_t)(s->exec->at.n_x + h->states.data[i - 1].at + r));
}

static void list_items(const tie_search *s, int32_t row, const uint32_t *items, uint32_t n,
                       bool states, sg_entries *entries)
{
    uint32_t last = 0; // most numbers depend on the same group as the one before
    for (uint32_t i = 0; i < n; i++) {
        if (items[i] < s->exec->at.n_x) {
            if (states)
                sg_entries_add(entries, row, (int32_t)items[i]);
            continue;
        }
        const seen_number *seen = &s->seen[items[i] - s->exec->at.n_x];
        for (uint32_t k = seen->by->seen_start[seen->number];
             k < seen->by->seen_start[seen->number + 1]; k++) {
            if (seen->by->seen[k] != last)
                list_group(s, row, seen->by->seen[k], entries);
            last = seen->by->seen[k];
        }
    }
}

// What acts on a group changes the derivatives of those of its states that feel others.
static void list_given(const tie_search *s, uint32_t group, const uint32_t *items, uint32_t n,
                       sg_entries *entries)
{
    const sg_hidden *h = s->hidden;
    size_t i = group <= sg_hidden_count(h) ? s->first_of[group] : 0;
    for (; i && i <= h->states.len && h->states.data[i - 1].group == group; i++) {
        const sg_hidden_var *var = &h->states.data[i - 1];
        for (uint32_t r = 0; var->needs.linked && r < var->n; r++)
            list_items(s, (int32_t)(s->exec->at.n_x + var->at + r), items, n, true, entries);
    }
}

static void list_ties(const void *context, sg_entries *entries)
{
    const tie_search *s = context;
    const sg_held *h = &s->held;
    for (uint32_t i = 0; i < s->exec->at.n_x; i++)
        list_items(s, (int32_t)i, h->items + h->starts[i], h->starts[i + 1] - h->starts[i], false,
                   entries);
    for (uint32_t c = 0; c < h->n_calls; c++)
        for (uint32_t k = 0; k < s->n_trees; k++) {
            const sg_held_call *call = &h->calls[c];
            const sg_sim_tree_senses *senses = &s->senses[k];
            if (!s->open[k] || call->function != s->trees[k].terms)
                continue;
            for (uint32_t a = 0; a < senses->n_given; a++)
                for (uint32_t g = senses->given_start[a]; g < senses->given_start[a + 1]; g++)
                    list_given(s, senses->given[g], call->items + call->starts[a + 1],
                               call->starts[a + 2] - call->starts[a + 1], entries);
        }
}

bool sg_trees_ties(const sg_exec *exec, const sg_hidden *hidden, const sg_sim_tree *trees,
                   uint32_t n_trees, uint32_t n_functions, sg_arena *arena,
                   const sg_sparsity **ties)
{
    sg_arena scratch;
    sg_arena_init(&scratch, arena->allocator);
    tie_search s = {.exec = exec, .hidden = hidden, .trees = trees, .n_trees = n_trees};
    sg_sparsity *out = SG_NEW(arena, sg_sparsity);
    *ties = NULL;
    bool any = find_open(&s, &scratch), ok = out && !scratch.failed;
    if (ok && any) {
        ok = trace_held(&s, n_functions, &scratch) && name_seen(&s, &scratch) &&
             number_groups(&s, &scratch) && are_known(&s) &&
             sg_sparsity_make((int32_t)(exec->at.n_x + sg_hidden_count(hidden)), list_ties, &s,
                              arena, out);
        *ties = ok ? out : NULL;
    }
    sg_arena_destroy(&scratch);
    return ok;
}
