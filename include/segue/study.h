// Studies: one model, many runs with other values, one table.
//
// A study is a plan and what is asked of each run. The plan says which parameters or start values
// take which values: points of a grid, of a list, of a table, or draws of a distribution. The
// values of run i follow from the plan and its seed alone, so runs may be made in any order, by any
// number of processes or machines, today and tomorrow, and the table is the same.
//
//     const char *vary[] = {"k=0.1:10:log:20", "m=normal(1,0.1)"}, *ask[] = {"max(abs(x))"};
//     sg_study_options o = sg_study_options_make();
//     o.vary = vary, o.n_vary = 2, o.metrics = ask, o.n_metrics = 1, o.runs = 1000;
//     sg_study_create(NULL, &o, diags, &study);
//     for (uint64_t i = 0; i < sg_study_count(study); i++)
//         sg_study_run(study, model, i, NULL, &row), puts(row.line);
//
// A row is a line of CSV: number of the run, values, metrics, status, message, seed. A study may be
// used by one thread at a time; the model is one of segue/model.h, which is translated once.
#pragma once

#include "segue/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_study sg_study;

typedef struct sg_study_options {
    size_t size; // of this struct, as its maker fills it in
    // "NAME=VALUES". Values are a:b:n (n points, evenly), a:b:log:n, a list x,y,z, or one of
    // uniform(a,b), loguniform(a,b), normal(mean,deviation), lognormal(m,s) with m and s of the
    // logarithm, triangular(a,top,b); a:b is uniform(a,b). In SI units.
    const char *const *vary;
    size_t n_vary;
    // Text of a table in CSV whose titles are names and whose rows are runs, beside `vary`; null:
    // none.
    const char *points;
    size_t n_points; // length of it [bytes]
    // "NAME=EXPRESSION", or an expression, which is its own name. Signals by their paths, numbers,
    // + - * / ^ and comparisons, functions of a number, and what makes one number of a curve:
    // first, last, min, max, mean, rms, integral, when(condition), event("text"), events(),
    // contacts(), duration(). docs/studies.md explains them.
    const char *const *metrics;
    size_t n_metrics;
    // Points of grids, lists and tables are gone through in their order, the first name the
    // slowest. 0: each combination once; then nothing may be drawn. Else so many runs: combinations
    // begin anew when they are through, and each run has draws of its own.
    uint64_t runs;
    uint64_t seed; // of draws; also that of the model's random numbers follows from it
    // Of draws: "random" (null), "lhs" (Latin hypercube), "sobol"; "saltelli" for indices of
    // sensitivity, with which there are `runs` times two more than variables.
    const char *sampler;
} sg_study_options;

SG_API sg_study_options sg_study_options_make(void);
// SG_ERR_USAGE with a message for a plan that is none.
SG_API sg_status sg_study_create(const sg_allocator *allocator, const sg_study_options *options,
                                 sg_diags *diags, sg_study **out);
SG_API void sg_study_destroy(sg_study *study); // null is fine

SG_API uint64_t sg_study_count(const sg_study *study); // runs
SG_API size_t sg_study_variables(const sg_study *study);
// Name of a variable; null beyond the end.
SG_API const char *sg_study_variable(const sg_study *study, size_t index);
SG_API size_t sg_study_metrics(const sg_study *study);
SG_API const char *sg_study_metric(const sg_study *study, size_t index);
// The values of a run, as many as there are variables, and its seed (may be null).
SG_API sg_status sg_study_point(const sg_study *study, uint64_t run, double *values, size_t n,
                                uint64_t *seed);
// The titles of the table, a line without its end.
SG_API const char *sg_study_header(const sg_study *study);

typedef struct sg_study_row {
    uint64_t run;
    sg_status status;  // of the run
    const char *line;  // without its end; lives until the next row
    double cpu_time;   // of the run, with its metrics [s]
    sg_result *result; // of a run that is kept: the caller's to destroy; else null
} sg_study_row;

typedef struct sg_study_run_options {
    size_t size;         // of this struct, as its maker fills it in
    double max_time;     // of a run on the clock [s]; 0: no limit
    double max_cpu_time; // of a run [s]; 0: no limit
    const char *keep; // globs with commas of the signals of `result`; "*" for all; null: no result
} sg_study_run_options;

SG_API sg_study_run_options sg_study_run_options_make(void);
// Sets the values, runs, and asks. A run that fails is a row with its reason, and SG_OK; other
// statuses mean that there is no row: SG_ERR_INTERRUPT, or SG_ERR_USAGE with a message when a name
// or a metric does not fit to the model. The model's list of messages is cleared for each run.
SG_API sg_status sg_study_run(sg_study *study, sg_model *model, sg_diags *diags, uint64_t run,
                              const sg_study_run_options *options, sg_study_row *row);
// The row of a run that cannot be made: whoever made it crashed.
SG_API sg_status sg_study_lost(sg_study *study, uint64_t run, const char *why, sg_study_row *row);

// ---- the table ----

// Rows of files that were written one by one, each line beginning with the CPU time and a tab. A
// last line that is cut off is passed over, and so are rows whose values are not those of the
// study; of two rows of a run the later counts.
typedef struct sg_study_table sg_study_table;

SG_API sg_status sg_study_table_create(const sg_study *study, sg_study_table **out);
SG_API void sg_study_table_destroy(sg_study_table *table);
// The bytes of such a file, or of a table that was written before.
SG_API sg_status sg_study_table_add(sg_study_table *table, const char *bytes, size_t n);
SG_API bool sg_study_table_has(const sg_study_table *table, uint64_t run);
SG_API bool sg_study_table_failed(const sg_study_table *table, uint64_t run);
// Forgets the rows of runs that failed, to have them made again.
SG_API void sg_study_table_drop_failed(sg_study_table *table);
SG_API uint64_t sg_study_table_count(const sg_study_table *table);
SG_API uint64_t sg_study_table_failures(const sg_study_table *table);
// Hands out all rows in the order of runs, each with its end, with the titles first.
SG_API void sg_study_table_write(const sg_study_table *table,
                                 void (*write)(void *context, const char *text, size_t length),
                                 void *context);
// The same of CPU times.
SG_API void sg_study_table_write_times(const sg_study_table *table,
                                       void (*write)(void *context, const char *text,
                                                     size_t length),
                                       void *context);
// The table as a result, in which the number of the run stands for time: signals are the values,
// the metrics, `failed` (0 or 1) and `seed`. Status and message of runs that failed, and messages
// of others, are its events, "solver: ...".
SG_API sg_status sg_study_table_result(const sg_study_table *table, sg_diags *diags,
                                       sg_result **out);

// A metric of a run; NaN if there is no row, or the run failed.
SG_API double sg_study_table_metric(const sg_study_table *table, uint64_t run, size_t metric);

// How much of the variance of a metric a variable makes: by itself, and with all in which it takes
// part. Errors are standard errors as for random points, which is too much for Sobol's sequence.
typedef struct sg_study_index {
    double first, first_error, total, total_error;
    uint64_t n; // points that it is of; those with a run that failed are left out
} sg_study_index;

// SG_ERR_USAGE for a study with another sampler than "saltelli", or a number beyond the end.
SG_API sg_status sg_study_table_index(const sg_study_table *table, size_t metric, size_t variable,
                                      sg_study_index *out);

// ---- the search for the least value ----

// Points by generations, each from the values of those before (CMA-ES). It follows from the seed of
// the study and from the values that it was told, so a search is resumed by telling them again.
typedef struct sg_study_search sg_study_search;

// All variables of the study must be uniform or loguniform, and these are the bounds.
SG_API sg_status sg_study_search_create(const sg_study *study, sg_diags *diags,
                                        sg_study_search **out);
SG_API void sg_study_search_destroy(sg_study_search *search);
SG_API size_t sg_study_search_count(const sg_study_search *search); // points of a generation
// Their values, those of all variables of the first, then of the second.
SG_API sg_status sg_study_search_points(const sg_study_search *search, double *values, size_t n);
// What came of them, NaN for what failed.
SG_API sg_status sg_study_search_tell(sg_study_search *search, const double *metrics, size_t n);
// How far the points of a generation lie apart, as a part of the bounds.
SG_API double sg_study_search_spread(const sg_study_search *search);

#ifdef __cplusplus
}
#endif
