// Point-to-point paths: all signals move synchronously from row to row of a table, with zero speed
// at every row, and the relatively slowest one runs at its limits.
//
// Within a row the motion is a single path parameter s from 0 to 1 with the largest acceleration,
// constant speed if there is time for it, and the largest deceleration.
// Implements language.md 5.8. A row without motion takes no time and keeps the end time of the row
// before it; the reference gives it the end time 0 (`zero_end_time`, P10 of the scenarios).
#pragma once

#include "base/arena.h"

typedef struct sg_path_row {
    double end;          // absolute time at which the next point is reached [s]
    double start;        //
    double t_accelerate; // duration of the first phase
    double t_brake;      // begin of the last phase, relative to start
    double sd, sdd;      // speed in the middle and acceleration of the path parameter
} sg_path_row;

typedef struct sg_path {
    uint32_t n_signals, n_points;
    const double *positions; // points x signals, column by column
    double start_time, end_time;
    sg_path_row *rows; // n_points - 1
} sg_path;

// Null when memory ran out. Limits are positive, one for each signal; n_points is at least 1.
sg_path *sg_path_make(sg_arena *arena, const double *positions, uint32_t n_points,
                      uint32_t n_signals, const double *v_max, const double *a_max,
                      double start_time, bool zero_end_time);

// q, qd, qdd hold n_signals numbers; qd and qdd may be null.
void sg_path_position(const sg_path *path, double time, double *q, double *qd, double *qdd);
