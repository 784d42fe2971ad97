// Numbers are not boxed: calling a function of numbers costs no memory, however often.
#include "builtins/builtins.h"
#include "harness/sg_test.h"
#include "lang/script.h"

#include <string.h>

typedef struct number_fixture {
    sg_symbols *symbols;
    sg_sources sources;
    sg_diags diags;
    sg_script *script;
} number_fixture;

static bool open_script(number_fixture *f)
{
    f->symbols = sg_symbols_create(NULL);
    sg_sources_init(&f->sources, NULL);
    sg_diags_init(&f->diags, NULL);
    f->script =
        sg_script_create(sg_allocator_default(), f->symbols, &f->sources, &f->diags,
                         sg_limits_default(), (sg_script_host){.builtins = sg_builtins_register});
    return f->script != NULL;
}

static void close_script(number_fixture *f)
{
    sg_script_destroy(f->script);
    sg_symbols_destroy(f->symbols);
    sg_sources_destroy(&f->sources);
    sg_diags_destroy(&f->diags);
}

static sg_status run(number_fixture *f, const char *text)
{
    return sg_script_run_text(f->script, NULL, "test", text, strlen(text), NULL);
}

SG_TEST(a_function_of_numbers_allocates_nothing)
{
    number_fixture f;
    SG_REQUIRE(open_script(&f));
    SG_CHECK(run(&f, "helper(x) = x > 1 ? sqrt(x) : x^3\n"
                     "function law(x, v)\n"
                     "    s = 0.0\n"
                     "    for i in 1:10\n"
                     "        s += helper(x)*i - 0.5*v\n"
                     "    end\n"
                     "    return s\n"
                     "end\n") == SG_OK);
    sg_vm *vm = sg_script_vm(f.script);
    sg_value law = sg_script_global(f.script, "law"), out;
    sg_value args[2] = {sg_float(4.0), sg_float(0.25)};
    SG_CHECK(sg_call_values(vm, law, args, 2, &out) == SG_OK);
    SG_NEAR(out.d, 2.0 * 55 - 1.25, 1e-15, 1.0);
    uint64_t before = vm->n_allocations;
    for (int i = 0; i < 1000; i++)
        SG_CHECK(sg_call_values(vm, law, args, 2, &out) == SG_OK);
    SG_CHECK_MSG(vm->n_allocations == before, "%d allocations", (int)(vm->n_allocations - before));
    close_script(&f);
}

SG_TEST(a_long_loop_over_strings_and_arrays_does_not_grow_memory)
{
    number_fixture f;
    SG_REQUIRE(open_script(&f));
    SG_CHECK(run(&f, "function work(n)\n"
                     "    k = 0\n"
                     "    for i in 1:n\n"
                     "        v = [1.0, i, 2.0]\n"
                     "        s = \"a\" * \"b\"\n"
                     "        k += length(v) + length(s)\n"
                     "    end\n"
                     "    return k\n"
                     "end\n"
                     "work(1000)\n") == SG_OK);
    sg_vm *vm = sg_script_vm(f.script);
    sg_heap_collect(vm);
    size_t before = vm->bytes;
    SG_CHECK(run(&f, "work(300000)") == SG_OK);
    sg_heap_collect(vm);
    SG_CHECK_MSG(vm->bytes < before + 65536, "%zu bytes more", vm->bytes - before);
    SG_CHECK_MSG(vm->n_collections > 3, "%d collections", (int)vm->n_collections);
    close_script(&f);
}
