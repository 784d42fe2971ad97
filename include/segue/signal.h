// What a result consists of, without its numbers: signals, parameters, attributes, events.
//
// A run is a sequence of segments, and every segment has its own list of signals (its schema): a
// body that is not there yet has no signal, which is another thing than a signal that is NaN. All
// values are doubles in columns; aliases and constants take no column. Text fields are never null,
// "" stands for "none".
//
// Implements language.md 5.4 and the data behind the formats of formats.md 3, 7, 8, 9.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sg_signal_kind {
    SG_SIGNAL_VAR,      // has columns of its own
    SG_SIGNAL_ALIAS,    // equals the signal `alias`
    SG_SIGNAL_NEGATED,  // is minus the signal `alias`
    SG_SIGNAL_CONSTANT, // has the same value during the whole segment
} sg_signal_kind;

typedef enum sg_element_type {
    SG_ELEMENT_REAL,
    SG_ELEMENT_INTEGER,
    SG_ELEMENT_BOOLEAN,
    SG_ELEMENT_TEXT
} sg_element_type;

typedef enum sg_variability { SG_CONTINUOUS, SG_DISCRETE, SG_CLOCKED, SG_CLOCK } sg_variability;

typedef struct sg_signal {
    const char *name;  // full path, `a.b.c`, derivatives as `a.b.der(c)`
    const char *unit;  // as Unitful reads it, "" if none
    const char *info;  // description
    const char *der;   // name of the derivative of a state
    const char *alias; // what an alias stands for
    sg_signal_kind kind;
    sg_element_type type;
    sg_variability variability;
    uint32_t rank;       // 0 scalar, 1 vector, 2 matrix
    uint32_t size[2];    // rows, columns; 1 where the rank ends
    uint32_t state;      // 1 + index of its first element in the state vector, 0 if not a state
    bool fixed;          // `start` is an init value, not a guess
    bool plain;          // the unit is for people; a script sees plain SI numbers, as published
    const double *start; // as many as elements (columns of a matrix one after the other), or null;
                         // sg_missing() for elements that only a later segment has
    const double *value; // of a constant, likewise
    uint32_t column;     // first column of a variable; filled in by the writer
    uint32_t target;     // index of the aliased signal in the schema; filled in by the writer
} sg_signal;

typedef struct sg_parameter {
    const char *name, *unit, *info;
    sg_element_type type;
    uint32_t rank, size[2];
    const double *value; // null for text
    const char *text;    // SG_ELEMENT_TEXT
    bool plain;          // as that of a signal
} sg_parameter;

// Keys are dotted: "model.name", "experiment.stopTime", "statistics.nSteps".
typedef struct sg_attribute {
    const char *key;
    sg_element_type type;
    double number;
    const char *text;
} sg_attribute;

typedef enum sg_event_kind {
    SG_EVENT_TIME,
    SG_EVENT_STATE,
    SG_EVENT_RESTART, // states changed, structure did not
    SG_EVENT_SEGMENT, // a new segment begins
    SG_EVENT_ACTION,
    SG_EVENT_STOP
} sg_event_kind;

typedef struct sg_event_entry {
    sg_event_kind kind;
    double time;
    uint64_t point;   // index of the right limit among all points
    uint32_t segment; // from 0; the one that holds the right limit
    const char *text; // what happened, for people
} sg_event_entry;

// A value that is not there. It is one particular NaN and is told from all others by its bits, so
// it may be copied but not computed with.
static inline double sg_missing(void)
{
    const uint64_t bits = 0x7FF8000000005E6EULL;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline bool sg_is_missing(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits == 0x7FF8000000005E6EULL;
}

static inline uint32_t sg_signal_count(const sg_signal *signal)
{
    return signal->rank == 0   ? 1
           : signal->rank == 1 ? signal->size[0]
                               : signal->size[0] * signal->size[1];
}

#ifdef __cplusplus
}
#endif
