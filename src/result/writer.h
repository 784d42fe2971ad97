// The streaming writer of results: called by the simulation at every output point.
//
// Points are collected in a buffer of fixed size and go to the run file as blocks, at the latest
// after a second of wall time, so that a killed run can be read up to there and memory does not
// grow with the length of the run. A short run stays in memory and touches no disk.
//
// `point`, `event`, `blob` and `tick` allocate nothing: what they need is taken by `reserve`, at
// the start of each segment and at events. Where a run in memory outgrows that, it goes to its
// file.
//
//     sg_result_writer *w;
//     sg_result_writer_create(&options, diags, &w);
//     sg_result_writer_meta(w, attributes, n_attributes, parameters, n_parameters);
//     sg_result_writer_begin_segment(w, t0, "", signals, n_signals);
//     ... sg_result_writer_point(w, time, columns);  // columns of the variables, in signal order
//     sg_result_writer_finish(w, SG_OK, statistics, n_statistics, &result);
//     sg_result_writer_destroy(w);
//
// Implements the last section of formats.md.
#pragma once

#include "base/diags.h"
#include "segue/result.h"
#include "segue/sink.h"
#include "segue/status.h"

typedef struct sg_result_writer sg_result_writer;

typedef struct sg_writer_options {
    const sg_allocator *allocator;
    // Final name of the run file, or null to stay in memory (beyond `memory_limit` in a nameless
    // file of the temporary folder). The file is called PATH.part until the run has ended.
    const char *path;
    // False: nobody asked for the file. It is removed when the run ends well, and when it cannot be
    // written the run goes on with a warning and a nameless file.
    bool keep;
    double spool_after;         // [s] of wall time in memory before the file is begun; 0 at once
    size_t memory_limit;        // [bytes] the file is begun when the image grows beyond
    double flush_period;        // [s] of wall time
    size_t block_bytes;         // size of the buffer for points
    const char *const *signals; // glob patterns of the signals to keep; none keeps all
    size_t n_signals;
    double (*clock)(void); // monotonic wall time [s]
} sg_writer_options;

sg_writer_options sg_writer_options_default(void);

sg_status sg_result_writer_create(const sg_writer_options *options, sg_diags *diags,
                                  sg_result_writer **out);
void sg_result_writer_destroy(sg_result_writer *writer); // a file not finished keeps its .part

// May be called several times; later attributes replace earlier ones of the same key.
sg_status sg_result_writer_meta(sg_result_writer *writer, const sg_attribute *attributes,
                                size_t n_attributes, const sg_parameter *parameters,
                                size_t n_parameters);
// Anything that belongs to the run: "scene" holds the description of the objects.
sg_status sg_result_writer_blob(sg_result_writer *writer, const char *name, const void *bytes,
                                size_t length);

// `action` says what led to the segment, "" for the first. Signals need no `column` or `target`.
// The columns expected by `point` are those of the kind SG_SIGNAL_VAR, in order, elements of
// matrices column by column. A schema that was used before is not written again.
sg_status sg_result_writer_begin_segment(sg_result_writer *writer, double time, const char *action,
                                         const sg_signal *signals, size_t n_signals);
// Takes what is needed until the next call, once the segment has begun; blobs of up to this length
// included [bytes].
sg_status sg_result_writer_reserve(sg_result_writer *writer, size_t largest_blob);
// At an event call twice with the same time: left limit, then right limit. The first error is
// reported once in the diagnostics and returned from then on; what was written stays readable.
sg_status sg_result_writer_point(sg_result_writer *writer, double time, const double *columns);
// The event belongs to the next point written (its right limit). Long texts are cut.
sg_status sg_result_writer_event(sg_result_writer *writer, sg_event_kind kind, double time,
                                 const char *text);
// Writes what waits too long already; to be called now and then while no points come.
sg_status sg_result_writer_tick(sg_result_writer *writer);
// Writes everything that waits, now.
sg_status sg_result_writer_flush(sg_result_writer *writer);

// Takes segments, points and events of a run; the run itself is finished by the caller, who knows
// its statistics.
sg_sink sg_result_writer_sink(sg_result_writer *writer);

uint64_t sg_result_writer_points(const sg_result_writer *writer);

// Closes the run and hands out the result for reading; `outcome` is SG_OK or why the run ended. On
// failure of the run the file is kept whatever the options say. `result` may be null.
sg_status sg_result_writer_finish(sg_result_writer *writer, sg_status outcome,
                                  const sg_attribute *statistics, size_t n_statistics,
                                  sg_result **result);

// Bytes of a run before it is made: "2 741 signals x 100 001 points = 2.2 GB".
uint64_t sg_result_estimate(const sg_signal *signals, size_t n_signals, const char *const *patterns,
                            size_t n_patterns, uint64_t n_points, uint32_t *kept);
