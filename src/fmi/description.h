// What an FMU says of itself: modelDescription.xml of FMI 2.0 and 3.0, a page for people, a
// picture, and the table by which the FMU's own library finds its variables.
//
// A variable of the model is one entry here, whatever its size; the standard's scalars are its
// elements. Their value references follow each other from `first` on, and 0 is the time; so the
// index of an element in the list of FMI 2 is its value reference + 1.
//
// Ref: FMI 2.0.4, sections 2.2 and 4; FMI 3.0.1, section 2.4.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "segue/signal.h"
#include "segue/status.h"

typedef enum sg_fmu_role {
    SG_FMU_PARAMETER,
    SG_FMU_INPUT,
    SG_FMU_OUTPUT,
    SG_FMU_LOCAL,
    SG_FMU_STATE,     // elements of the state vector that no signal shows
    SG_FMU_RATE,      // ... and of its derivative
    SG_FMU_INDICATOR, // crossing functions
} sg_fmu_role;

typedef struct sg_fmu_variable {
    const char *name; // as Segue calls it
    const char *unit, *info;
    sg_element_type type;
    uint32_t rank, size[2], n;
    sg_fmu_role role;
    uint32_t first;      // value reference of its first element
    bool settable;       // before a run: a parameter, or the start value of a state
    uint32_t state;      // 1 + where its elements begin in the state vector, 0: no state
    uint32_t index;      // of states, rates and indicators: the first one in their vector
    uint32_t rate_of;    // value reference of the state that it is the derivative of, 0: none
    const double *start; // n numbers; null where the standard wants none
    const double *nominal;
} sg_fmu_variable;

// What depends on what, by value reference: unknown i on from[start[i]] .. from[start[i + 1] - 1].
typedef struct sg_fmu_depends {
    const uint32_t *start, *from;
    const bool *everything; // ... or on everything, and nothing is listed
} sg_fmu_depends;

typedef struct sg_fmu_unit {
    const char *name;
    int exponent[8]; // of kg, m, s, A, K, mol, cd, rad
    bool known;      // the exponents are whole numbers
} sg_fmu_unit;

typedef struct sg_fmu {
    int version; // 2 or 3
    bool co_simulation, model_exchange, saves;
    bool structured;  // all names fit the standard's grammar
    const char *name; // of the model
    const char *identifier, *token, *info;
    const char *source;                            // name of its file
    double start_time, stop_time, tolerance, step; // NaN stop: not known
    const sg_fmu_variable *variables;
    size_t n_variables;
    const sg_fmu_unit *units;
    size_t n_units;
    uint32_t n_states, n_indicators;
    const uint32_t *states, *rates; // value references in the order of the state vector
    sg_fmu_depends outputs, derivatives;
    bool has_depends;
} sg_fmu;

// The element `k` of a variable as the standard writes it: "a.b[2].c", "der(x[1])". False if some
// part of it is no name of the standard's; it is quoted then, or stands as it is if it has letters
// beyond ASCII.
bool sg_fmu_name(const sg_fmu_variable *variable, uint32_t k, sg_buf *out);

void sg_fmu_write_xml(const sg_fmu *fmu, sg_buf *out);
// documentation/index.html
void sg_fmu_write_page(const sg_fmu *fmu, sg_buf *out);
// A block with its inputs and outputs, as a PNG file.
sg_status sg_fmu_write_picture(const sg_fmu *fmu, sg_buf *out);
// Text with the five characters of XML replaced, and without control characters.
void sg_fmu_put_text(sg_buf *out, const char *text);
