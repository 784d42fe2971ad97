// A model that was translated: what is constant from then on, however often and wherever it runs.
//
// Any number of sg_compiled (sim/compiled.h) stand on one of these, each with values, states and
// work space of its own, in threads of their own if they like; the functions of their tables must
// then be separate, too. Models whose constraints leave a choice of states need care: judging the
// choice while linking, and translating once more when a run asks for another one, add to the
// expressions of the flat model. So they are linked by one thread after the other, and whoever runs
// several at once sets `complete`; a run then stays with the choices that are there.
#pragma once

#include "base/vec.h"
#include "sim/choice.h"

typedef struct sg_translated {
    const sg_allocator *allocator;
    sg_flat *flat; // borrowed; translation adds to its expressions and variables
    sg_compile_options options;
    SG_VEC(sg_state_choice *) choices; // the first is that of the language
    uint32_t n_translations;           // of the model; further selections are not counted
    bool complete;                     // no further choices
} sg_translated;

// Problems are in the diagnostics. Destroy in any case.
sg_status sg_translated_create(sg_translated *translated, const sg_allocator *allocator,
                               sg_flat *flat, const sg_compile_options *options, sg_diags *diags);
void sg_translated_destroy(sg_translated *translated);
// Does it fit the present values of parameters? Others may make other states independent.
bool sg_translated_holds(const sg_translated *translated);

// The choice with this preference (`n` = 0: that of the language), made when it is asked for the
// first time; null if it cannot be made.
const sg_state_choice *sg_translated_choice(sg_translated *translated,
                                            const signed char *preference, uint32_t n,
                                            sg_diags *diags, sg_status *status);
