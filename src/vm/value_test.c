#include "harness/sg_test.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

typedef struct machine {
    sg_symbols *symbols;
    sg_sources sources;
    sg_diags diags;
    sg_vm *vm;
} machine;

static const sg_vm_hooks no_hooks; // numbers, dictionaries and arrays need none

static bool open_machine(machine *m, sg_limits limits)
{
    const sg_allocator *allocator = sg_allocator_default();
    m->symbols = sg_symbols_create(allocator);
    sg_sources_init(&m->sources, allocator);
    sg_diags_init(&m->diags, allocator);
    m->vm = sg_vm_create(allocator, m->symbols, &m->sources, &m->diags, limits, &no_hooks);
    return m->vm != NULL;
}

static void close_machine(machine *m)
{
    sg_vm_destroy(m->vm);
    sg_diags_destroy(&m->diags);
    sg_sources_destroy(&m->sources);
    sg_symbols_destroy(m->symbols);
}

static sg_value key(machine *m, int i)
{
    char name[16];
    snprintf(name, sizeof name, "k%d", i);
    return sg_symbol(sg_vm_sym(m->vm, name));
}

static sg_dict *filled(machine *m, int n)
{
    sg_dict *dict = sg_dict_make(m->vm, (sg_sym){0});
    for (int i = 0; i < n; i++)
        sg_dict_put(m->vm, dict, key(m, i), sg_int(i), (sg_span){0});
    return dict;
}

SG_TEST(a_dictionary_keeps_the_order_of_insertion)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_dict *dict = filled(&m, 100);
    sg_dict_put(m.vm, dict, key(&m, 3), sg_int(-3), (sg_span){0}); // keeps its place
    sg_dict_remove(m.vm, dict, key(&m, 0));
    size_t at = 0;
    sg_dict_entry entry;
    for (int i = 1; sg_dict_next(dict, &at, &entry); i++) {
        SG_CHECK(sg_value_identical(entry.key, key(&m, i)));
        SG_CHECK(entry.value.i == (i == 3 ? -3 : i));
    }
    SG_CHECK(sg_dict_len(dict) == 99);
    close_machine(&m);
}

SG_TEST(copies_of_a_dictionary_share_until_one_is_changed)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_dict *a = filled(&m, 50), *b = sg_dict_copy(m.vm, a), *c = sg_dict_copy(m.vm, a);
    SG_CHECK(a->store == b->store);
    sg_dict_put(m.vm, b, key(&m, 1000), sg_int(1), (sg_span){0}); // extends the shared store
    SG_CHECK(a->store == b->store);
    sg_value value;
    SG_CHECK(!sg_dict_get(a, key(&m, 1000), &value) && sg_dict_len(a) == 50);
    sg_dict_put(m.vm, c, key(&m, 2000), sg_int(2), (sg_span){0}); // comes too late to share
    SG_CHECK(!sg_dict_get(b, key(&m, 2000), &value));
    SG_CHECK(!sg_dict_get(c, key(&m, 1000), &value));
    sg_dict_put(m.vm, b, key(&m, 7), sg_int(-7), (sg_span){0});
    SG_CHECK(sg_dict_get(a, key(&m, 7), &value) && value.i == 7);
    sg_dict_remove(m.vm, c, key(&m, 8));
    SG_CHECK(sg_dict_get(a, key(&m, 8), &value) && sg_dict_get(b, key(&m, 8), &value));
    close_machine(&m);
}

SG_TEST(a_dictionary_agrees_with_a_plain_list_under_random_changes)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_rng rng = sg_rng_seeded(7);
    sg_dict *dict = sg_dict_make(m.vm, (sg_sym){0});
    int64_t values[64];
    bool present[64] = {false};
    for (int step = 0; step < 20000; step++) {
        int i = (int)(sg_rng_u64(&rng) % 64);
        if (sg_rng_u64(&rng) % 3) {
            values[i] = step;
            present[i] = true;
            sg_dict_put(m.vm, dict, key(&m, i), sg_int(step), (sg_span){0});
        } else {
            SG_CHECK(sg_dict_remove(m.vm, dict, key(&m, i)) == present[i]);
            present[i] = false;
        }
        if (sg_rng_u64(&rng) % 50 == 0)
            dict = sg_dict_copy(m.vm, dict);
        sg_value value;
        int k = (int)(sg_rng_u64(&rng) % 64);
        bool found = sg_dict_get(dict, key(&m, k), &value);
        SG_CHECK(found == present[k] && (!found || value.i == values[k]));
    }
    close_machine(&m);
}

SG_TEST(numbers_that_are_equal_are_one_key)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_dict *dict = sg_dict_make(m.vm, (sg_sym){0});
    sg_dict_put(m.vm, dict, sg_int(1), sg_int(10), (sg_span){0});
    sg_value value;
    SG_CHECK(sg_dict_get(dict, sg_float(1.0), &value) && value.i == 10);
    for (int i = 2; i < 40; i++) // also with an index
        sg_dict_put(m.vm, dict, sg_int(i), sg_int(i), (sg_span){0});
    SG_CHECK(sg_dict_get(dict, sg_float(30.0), &value) && value.i == 30);
    SG_CHECK(!sg_dict_get(dict, sg_float(30.5), &value));
    close_machine(&m);
}

SG_TEST(garbage_is_freed_and_what_is_rooted_stays)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_root_mark mark = sg_root_mark_get(m.vm);
    sg_dict *kept = filled(&m, 20);
    sg_dict_put(m.vm, kept, key(&m, 0), sg_string_value(m.vm, "text"), (sg_span){0});
    SG_CHECK(sg_root_push(m.vm, sg_object(kept)));
    sg_heap_collect(m.vm);
    size_t before = m.vm->bytes;
    for (int i = 0; i < 1000; i++)
        filled(&m, 5);
    SG_CHECK(m.vm->bytes > before);
    sg_heap_collect(m.vm);
    SG_CHECK_MSG(m.vm->bytes == before, "%zu of %zu bytes", m.vm->bytes, before);
    sg_value text;
    SG_CHECK(sg_dict_get(kept, key(&m, 0), &text));
    SG_SAME_TEXT(((sg_string *)text.o)->text, "text");
    sg_root_pop(m.vm, mark);
    close_machine(&m);
}

SG_TEST(a_cycle_is_garbage_like_any_other)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_heap_collect(m.vm);
    size_t before = m.vm->bytes;
    sg_array *a = sg_vector_make(m.vm, SG_ELEM_ANY, 1), *b = sg_vector_make(m.vm, SG_ELEM_ANY, 1);
    a->v[0] = sg_object(b);
    b->v[0] = sg_object(a);
    sg_heap_collect(m.vm);
    SG_CHECK(m.vm->bytes == before);
    close_machine(&m);
}

SG_TEST(the_limit_of_memory_is_an_error_that_names_it)
{
    machine m;
    sg_limits limits = sg_limits_default();
    limits.max_memory = (size_t)4 << 20;
    SG_REQUIRE(open_machine(&m, limits));
    SG_CHECK(sg_vector_make(m.vm, SG_ELEM_FLOAT, 1 << 20) == NULL);
    SG_REQUIRE(sg_is(m.vm->exception, SG_OBJ_EXCEPTION));
    SG_CHECK(((sg_exception *)m.vm->exception.o)->code == SG_E_LIMIT);
    close_machine(&m);
}

SG_TEST(a_vector_widens_to_hold_what_is_pushed)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_array *v = sg_vector_make(m.vm, SG_ELEM_INT, 0);
    for (int i = 0; i < 10; i++)
        SG_CHECK(sg_array_push(m.vm, v, sg_int(i)));
    SG_CHECK(v->elem == SG_ELEM_INT && v->len == 10);
    SG_CHECK(sg_array_push(m.vm, v, sg_float(0.5)) && v->elem == SG_ELEM_FLOAT && v->f[9] == 9.0);
    SG_CHECK(sg_array_push(m.vm, v, SG_VALUE_NOTHING) && v->elem == SG_ELEM_ANY);
    SG_CHECK(v->v[10].tag == SG_FLOAT && v->v[10].d == 0.5 && v->v[11].tag == SG_NOTHING);
    close_machine(&m);
}

SG_TEST(subtypes_follow_both_parents_and_the_parameters)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_types *t = &m.vm->types;
    sg_value number = sg_object(t->Float64);
    sg_type *floats = sg_type_apply(m.vm, t->Vector, &number, 1);
    SG_CHECK(sg_type_apply(m.vm, t->Vector, &number, 1) == floats); // interned
    SG_CHECK(sg_subtype(floats, t->Vector) && sg_subtype(floats, t->AbstractVector));
    SG_CHECK(sg_subtype(floats, t->Array) && sg_subtype(floats, t->Any));
    SG_CHECK(!sg_subtype(floats, t->Matrix) && !sg_subtype(t->Vector, floats));
    SG_CHECK(sg_subtype(floats, sg_type_apply(m.vm, t->AbstractVector, &number, 1)));
    sg_value integer = sg_object(t->Int64);
    SG_CHECK(!sg_subtype(floats, sg_type_apply(m.vm, t->Vector, &integer, 1)));
    sg_type *some[2] = {t->Nothing, t->Real};
    sg_type *either = sg_type_union(m.vm, some, 2);
    SG_CHECK(sg_isa(m.vm, sg_int(1), either) && sg_isa(m.vm, SG_VALUE_NOTHING, either));
    SG_CHECK(!sg_isa(m.vm, sg_symbol(t->Any->name), either));
    close_machine(&m);
}

static bool is_equal(sg_vm *vm, sg_value a, sg_value b, bool isequal)
{
    bool same;
    return sg_value_equal(vm, a, b, isequal, &same) == SG_OK && same;
}

SG_TEST(equality_compares_by_value_and_dictionaries_without_order)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_dict *a = filled(&m, 3), *b = sg_dict_make(m.vm, (sg_sym){0});
    for (int i = 2; i >= 0; i--)
        sg_dict_put(m.vm, b, key(&m, i), sg_float(i), (sg_span){0});
    SG_CHECK(is_equal(m.vm, sg_object(a), sg_object(b), false));
    SG_CHECK(!sg_value_identical(sg_object(a), sg_object(b)));
    sg_value nan = sg_float((double)NAN);
    SG_CHECK(!is_equal(m.vm, nan, nan, false) && is_equal(m.vm, nan, nan, true));
    sg_value range = sg_range_make(m.vm, sg_int(1), sg_int(1), 3);
    sg_value items[3] = {sg_int(1), sg_int(2), sg_float(3)};
    SG_CHECK(is_equal(m.vm, range, sg_object(sg_array_from_values(m.vm, items, 3)), false));
    close_machine(&m);
}

static int64_t recalled(machine *m, sg_module *module, const char *name)
{
    sg_value value = sg_module_recall(module, sg_vm_sym(m->vm, name));
    return value.tag == SG_INT ? value.i : -1;
}

SG_TEST(what_a_module_recalls_is_what_it_has)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_module *module = sg_module_make(m.vm, sg_vm_sym(m.vm, "M"), NULL),
              *used = sg_module_make(m.vm, sg_vm_sym(m.vm, "Used"), NULL);
    SG_REQUIRE(sg_module_use(m.vm, module, used));
    SG_REQUIRE(sg_module_set(m.vm, used, sg_vm_sym(m.vm, "x"), sg_int(1)));
    for (int k = 0; k < 2; k++) // the other one's stays its own
        SG_CHECK(recalled(&m, module, "x") == 1 && recalled(&m, module, "y") == -1);
    SG_REQUIRE(sg_module_set(m.vm, module, sg_vm_sym(m.vm, "x"), sg_int(2)));
    for (int k = 0; k < 2; k++)
        SG_CHECK(recalled(&m, module, "x") == 2 && recalled(&m, used, "x") == 1);
    SG_REQUIRE(sg_module_set(m.vm, module, sg_vm_sym(m.vm, "x"), sg_int(3)));
    SG_CHECK(recalled(&m, module, "x") == 3);
    for (int k = 0; k < 100; k++) { // more names than places
        char name[16];
        snprintf(name, sizeof name, "n%d", k);
        SG_REQUIRE(sg_module_set(m.vm, module, sg_vm_sym(m.vm, name), sg_int(k)));
        SG_CHECK(recalled(&m, module, name) == k && recalled(&m, module, "x") == 3);
    }
    close_machine(&m);
}

static sg_status answer(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm, (void)args;
    *out = sg_int((int64_t)(intptr_t)context);
    return SG_OK;
}

static sg_value call_of(machine *m, sg_value function)
{
    sg_value out = {.tag = SG_UNDEF};
    if (function.tag != SG_UNDEF)
        sg_call_values(m->vm, function, NULL, 0, &out);
    return out;
}

static bool answers(machine *m, const char *name, int64_t expected)
{
    sg_value out = call_of(m, sg_module_get(m->vm->base, sg_vm_sym(m->vm, name)));
    return out.tag == SG_INT && out.i == expected;
}

SG_TEST(a_function_that_waits_is_there_when_it_is_asked_for_and_not_before)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    size_t before = m.vm->base->cells.len;
    for (intptr_t k = 1; k <= 2; k++) { // the newer one counts
        SG_REQUIRE(sg_vm_offer(m.vm, NULL, "first", answer, (void *)k, NULL));
        SG_REQUIRE(sg_vm_offer(m.vm, NULL, "second", answer, (void *)(10 * k), NULL));
        SG_REQUIRE(sg_vm_offer(m.vm, NULL, "third", answer, (void *)(100 * k), NULL));
    }
    SG_CHECK(m.vm->base->cells.len == before);
    SG_CHECK(answers(&m, "second", 20) && answers(&m, "second", 20));
    SG_CHECK(m.vm->base->cells.len == before + 1);
    // One that has its cell already gets the new native at once, as by sg_vm_register.
    sg_value held = sg_module_get(m.vm->base, sg_vm_sym(m.vm, "second"));
    SG_CHECK(sg_vm_offer(m.vm, NULL, "second", answer, (void *)(intptr_t)30, NULL));
    SG_CHECK(call_of(&m, held).i == 30);
    // And sg_vm_register takes the place of one that waits.
    SG_CHECK(sg_vm_register(m.vm, NULL, "third", answer, (void *)(intptr_t)300, NULL));
    SG_CHECK(answers(&m, "third", 300));
    SG_CHECK(sg_module_complete(m.vm->base));
    SG_CHECK(m.vm->base->cells.len == before + 3);
    SG_CHECK(answers(&m, "first", 2) && answers(&m, "second", 30) && answers(&m, "third", 300));
    close_machine(&m);
}

SG_TEST(the_constructor_of_a_type_does_not_wait_since_types_are_called_without_their_name)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    SG_CHECK(sg_vm_offer(m.vm, NULL, "Symbol", answer, (void *)(intptr_t)5, NULL));
    const sg_map *cells = &m.vm->base->cells;
    const uint64_t *cell = sg_map_get(cells, sg_vm_sym(m.vm, "Symbol").i);
    SG_REQUIRE(cell && sg_is(((sg_cell *)(uintptr_t)*cell)->value, SG_OBJ_TYPE));
    SG_CHECK(((sg_type *)((sg_cell *)(uintptr_t)*cell)->value.o)->constructor != NULL);
    close_machine(&m);
}

SG_TEST(what_a_modification_replaced_stays_known_in_copies)
{
    machine m;
    SG_REQUIRE(open_machine(&m, sg_limits_default()));
    sg_dict *a = sg_dict_make(m.vm, (sg_sym){0});
    SG_CHECK(sg_dict_reserve(m.vm, a, 2));
    for (int i = 0; i < 20; i++) // more than there is room for
        sg_dict_put(m.vm, a, key(&m, i), sg_int(i), (sg_span){0});
    SG_CHECK(sg_dict_mark_replaced(m.vm, a, key(&m, 3), sg_int(33)));
    SG_CHECK(sg_dict_mark_replaced(m.vm, a, key(&m, 5), sg_int(55)));
    SG_CHECK(sg_dict_mark_replaced(m.vm, a, key(&m, 3), sg_int(34))); // the newest counts
    sg_dict *b = sg_dict_copy(m.vm, a);
    sg_dict_put(m.vm, b, key(&m, 7), sg_int(-7), (sg_span){0}); // a store of its own
    SG_CHECK(sg_dict_mark_replaced(m.vm, b, key(&m, 5), (sg_value){.tag = SG_UNDEF}));
    int marked = 0;
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(b, &at, &e);)
        marked += e.replaced;
    SG_CHECK(marked == 1 && sg_dict_was(b, key(&m, 3)).i == 34);
    SG_CHECK(sg_dict_was(a, key(&m, 5)).i == 55 && sg_dict_was(a, key(&m, 4)).tag == SG_UNDEF);
    SG_CHECK(a->store != b->store && sg_dict_len(a) == 20 && sizeof(sg_dict_entry) == 48);
    close_machine(&m);
}
