// Any text runs, or stops with a message, within its limits; nothing is read or written.
//
// The limits are tight, so that an endless loop costs the fuzzer little: a tenth of a second, 64
// MB, a hundred nested calls.
#include "base/diags.h"
#include "base/limits.h"
#include "builtins/builtins.h"
#include "lang/script.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static sg_status no_files(void *context, const char *path, const char *from, char **text,
                          size_t *length, sg_buf *name)
{
    (void)context, (void)path, (void)from, (void)text, (void)length, (void)name;
    return SG_ERR_IO;
}

static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_eval: %s\n", why);
    abort();
}

static void render(const sg_diags *diags, const sg_sources *sources)
{
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    for (size_t i = 0; i < diags->len; i++)
        sg_diag_render(&diags->list[i], sources, &text);
    sg_buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const sg_allocator *allocator = sg_allocator_default();
    sg_sources sources;
    sg_diags diags;
    sg_sources_init(&sources, allocator);
    sg_diags_init(&diags, allocator);
    sg_symbols *symbols = sg_symbols_create(allocator);
    sg_limits limits = sg_limits_default();
    limits.cpu_start = sg_cpu_time();
    limits.max_cpu_time = 0.1;
    limits.max_memory = (size_t)64 << 20;
    limits.max_depth = 100;
    sg_script *script =
        sg_script_create(allocator, symbols, &sources, &diags, limits,
                         (sg_script_host){.builtins = sg_builtins_register, .load = no_files});
    if (script) {
        sg_status status =
            sg_script_run_text(script, NULL, "fuzz.jl", (const char *)data, size, NULL);
        if (status != SG_OK && status != SG_ERR_CHECK && diags.n_errors == 0)
            give_up("a failure without a message");
        if (status == SG_ERR_INTERNAL)
            give_up("our own mistake");
        render(&diags, &sources);
    }
    sg_script_destroy(script);
    sg_symbols_destroy(symbols);
    sg_diags_destroy(&diags);
    sg_sources_destroy(&sources);
    return 0;
}
