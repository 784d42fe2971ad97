// How a call went. Every function of Segue that can fail returns one of these; what exactly went
// wrong, and where, is in the list of diagnostics (segue/diag.h).
//
// A null pointer where something is needed, a number beyond the end of a list or a kind that does
// not exist gives SG_ERR_USAGE and changes nothing; functions that return no status return null, 0
// or what they say, or do nothing. Null stands for the defaults where options are expected.
#pragma once

typedef enum sg_status {
    SG_OK = 0,
    SG_ERR_USAGE,     // the caller asked for something that does not make sense
    SG_ERR_IO,        // a file could not be read or written
    SG_ERR_MEMORY,    // the allocator refused
    SG_ERR_MODEL,     // the text or the model is wrong: syntax, names, units, structure
    SG_ERR_INIT,      // no consistent initial values
    SG_ERR_SOLVER,    // the integrator could not go on
    SG_ERR_CHECK,     // the run finished, but a check in the script failed
    SG_ERR_LIMIT,     // a limit was hit: time, events, memory, recursion, size
    SG_ERR_ACTION,    // a structural action was refused
    SG_ERR_INTERRUPT, // the user asked to stop
    SG_ERR_INPUT,     // bad numbers from the caller: NaN, degenerate shapes, wrong sizes
    SG_ERR_INTERNAL   // our own mistake; please report it
} sg_status;
