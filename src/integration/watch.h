// Watches: what looks on while an integration goes its way, and speaks up where a solver alone
// would be content with something wrong, or go on for ever.
//
// A watch is one row of the list in watch.c: what it looks at, when it may speak, how it tests its
// suspicion before it does, and its functions. Its memory is a struct of its own in the integration
// (remembered.h, scales.h). Who steps calls the functions of this header and knows none of the
// watches. Times that decide are parts of the whole run (sg_integration_options.scale) or of the
// step; none is where results are stored.
#pragma once

#include "integration/integration.h"

// A step of the solver that was accepted.
typedef struct sg_watch_step {
    double from; // where the integration stood before it [s]
    double h;    // its length, as far as the solver knows [s]
    double left; // from its end to the next stop [s]
} sg_watch_step;

typedef struct sg_watch {
    const char *name;
    const char *looks_at, *tests; // in words, for whoever reads the list
    bool of_any; // it looks at runs whose states do not step together, too (formulation.h)
    // Whether there is anything for it to see here; null: always.
    bool (*may_speak)(const sg_integration *g);
    // Where the solver begins anew, and with other states: forgets what was before.
    void (*restart)(sg_integration *g);
    void (*change)(sg_integration *g);
    // Behind each step; at points inside of it, right after the model was evaluated there; at the
    // end of a run that went well. An error ends the run; a watch that sent it back instead has set
    // g->changes.went_back.
    sg_status (*step)(sg_integration *g, const sg_watch_step *step);
    sg_status (*inside)(sg_integration *g, double t, double h);
    void (*end)(sg_integration *g);
    // Before and behind each event of the model, and where a segment begins behind another one
    // (`event`); behind a step and the event that it ended with, where the run goes on.
    sg_status (*before_event)(sg_integration *g);
    sg_status (*event)(sg_integration *g);
    sg_status (*settled)(sg_integration *g);
} sg_watch;

// The list, in the order in which they look; null behind the last one's name.
const sg_watch *sg_watches(void);

void sg_watches_restart(sg_integration *g);
void sg_watches_change(sg_integration *g);
sg_status sg_watches_step(sg_integration *g, const sg_watch_step *step);
sg_status sg_watches_inside(sg_integration *g, double t, double h);
void sg_watches_end(sg_integration *g);
sg_status sg_watches_before_event(sg_integration *g);
sg_status sg_watches_event(sg_integration *g);
sg_status sg_watches_settled(sg_integration *g);
