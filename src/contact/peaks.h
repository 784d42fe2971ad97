// How deep and how hard a contact was: its largest penetration and pressure, wherever steps end.
//
// A contact is looked at where a step of the solver ended and at events, never where results are
// stored, so peaks do not depend on the output interval. Between two looks the penetration is the
// cubic with the values and rates at both, which are exact to the tolerance of the run: the normal
// is the gradient of the distance, so the rate of approach is that of the penetration. The pressure
// between them is the law's on that cubic. For the sine that an impact nearly is, with n looks in
// it, the cubic's top is off by (pi/n)^4/384: 2e-4 with six, 3e-7 with thirty. Where a law is
// written by somebody else, a parabola through the last three looks gives the top of the pressure,
// which is off by some (pi/n)^3/15.
#pragma once

#include "contact/law.h"

typedef struct sg_contact_look {
    double time;        // [s]
    double depth, rate; // penetration [m] and its rate [m/s]
    double pressure;    // along the normal [N]
} sg_contact_look;

typedef struct sg_contact_peak {
    sg_contact_look before, last; // the last two looks
    int n_looks;
    double depth, depth_time;       // the largest so far, and when
    double pressure, pressure_time; // likewise
    double impulse;                 // of an impact that took no time [N s]
    // The same depth as results are stored: from the last look or stored point on.
    sg_contact_look stored;
    bool has_stored;
    double lately; // the deepest since the last stored point
} sg_contact_peak;

// Takes a look. `law` is that of the pressure, null for one that cannot be asked.
void sg_contact_peak_look(sg_contact_peak *peak, const sg_contact_law *law, sg_contact_look look);

// The deepest since the last stored point, if one is stored here; changes nothing.
double sg_contact_peak_lately(const sg_contact_peak *peak, const sg_contact_look *here);
// A point was stored here.
void sg_contact_peak_store(sg_contact_peak *peak, sg_contact_look here);

// The largest depth between two looks, and when. Never less than at both.
double sg_contact_deepest(const sg_contact_look *a, const sg_contact_look *b, double *when);
