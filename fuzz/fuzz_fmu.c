// Any bytes are either an FMU whose description holds together, or refused with words. A text that
// begins with '<' is the description itself, so that mutations need not get through an archive.
#include "fmi/foreign.h"
#include "fmi/zip.h"
#include "fmu/lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const sg_fmu_foreign *fmu, sg_arena *arena)
{
    sg_fmu_lists lists;
    size_t states = 0;
    for (uint32_t i = 0; i < fmu->n_derivatives; i++) {
        const sg_foreign_variable *v = &fmu->variables[fmu->derivatives[i]];
        if (v->derivative_of < 0 || v->derivative_of >= (int64_t)fmu->n_variables)
            abort();
        states += v->n;
    }
    if (states != fmu->n_states || !fmu->name || !fmu->token)
        abort();
    for (uint32_t i = 0; i < fmu->n_variables; i++) {
        const sg_foreign_variable *v = &fmu->variables[i];
        if (!v->name || !(v->nominal > 0.0) || (v->start && v->n_start != v->n && v->n_start != 1))
            abort();
    }
    for (uint32_t i = 0; i < fmu->n_outputs; i++)
        for (uint32_t k = 0; k < fmu->outputs[i].n_inputs; k++)
            if (fmu->outputs[i].inputs[k] >= fmu->n_variables)
                abort();
    for (int exchange = 0; exchange < 2; exchange++)
        if (sg_fmu_lists_make(arena, fmu, exchange, &lists) &&
            lists.inputs.n + lists.outputs.n + lists.shown.n > fmu->n_variables)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_fmu_foreign fmu;
    sg_zip_entry *entries;
    size_t n = 0, length = size;
    const char *message = NULL;
    const void *xml = size && data[0] == '<' ? data : NULL;
    char words[SG_FMU_WORDS];
    sg_arena_init(&arena, NULL);
    if (!xml && sg_zip_list(data, size, &arena, &entries, &n, &message) != SG_OK && !message)
        abort();
    for (size_t i = 0; !message && i < n; i++) {
        if (strcmp(entries[i].name, "modelDescription.xml") != 0 || entries[i].length > 1 << 20 ||
            sg_zip_read(&entries[i], &arena, &xml) != SG_OK)
            continue;
        length = entries[i].length;
        break;
    }
    if (xml) {
        sg_status status = sg_fmu_foreign_read(&arena, xml, length, &fmu, words);
        if (status == SG_OK)
            check(&fmu, &arena);
        else if (!words[0])
            abort();
    }
    sg_arena_destroy(&arena);
    return 0;
}
