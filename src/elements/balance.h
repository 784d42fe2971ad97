// The balance of a part: energy and momentum, and where the energy went.
//
// Kinetic, potential and spring energy are functions of the motion. What dampers took and what
// drives and world forces gave are integrals over time; they become states of the run, so that they
// are as exact as everything else. Then
//     kinetic + potential + springs + dissipated - supplied
// stays what it was at the start, up to the tolerance, whatever happens in between: the sheet says
// by how much it does not.
#pragma once

#include "base/buf.h"
#include "elements/shown.h"
#include "parts/part.h"

bool sg_part_wants_balance(const sg_part *part);
// Defines signals and states, if the balance is wanted. False when memory ran out. Before it the
// state has its sheet.
bool sg_part_define_balance(sg_part *part);
// Derivatives of the states; accelerations of all coordinates are known.
void sg_part_evaluate_balance(sg_part_state *s);
// Values of the signals, at a communication point.
sg_status sg_part_store_balance(sg_part_eval *e);
// The sheet of a state: made, and empty when a run begins. False when memory ran out.
bool sg_part_begin_sheet(sg_part_state *s, bool first);
// The sheet as part of a saved state.
void sg_part_archive_sheet(const sg_part_state *s, struct sg_archive *a);
// Before an action changes the structure, with the part evaluated: what it takes out of the motion
// is booked when the next segment begins.
void sg_part_balance_before_change(sg_part *part);
// Likewise, of an impulse in front of a change: energy that it takes [J].
void sg_part_balance_remove(const sg_part_state *s, double energy);
// At an event: energy that is gone in an instant, as by an impulse, and counts as dissipated; and
// what whoever leads or drives joints gave in the same instant [J].
void sg_part_balance_take(const sg_part_eval *e, double energy, double supplied);
