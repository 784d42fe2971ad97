// A result for reading: the signals of all segments as one table with gaps.
//
// Whatever the format on disk, a result is an image of the run file (result/runfile.h); other
// formats are turned into one when they are loaded. Opening reads the schemas and the directory of
// blocks; numbers are read when asked for, a column at a time, so memory does not grow with the
// length of the run. A file that was cut is read up to its last complete block.
//
// Implements formats.md, last section, and the tables behind language.md 5.4.
#pragma once

#include "base/diags.h"
#include "base/map.h"
#include "result/image.h"
#include "result/runfile.h"
#include "result/schema.h"
#include "segue/result.h"
#include "segue/status.h"

typedef struct sg_block_ref {
    uint64_t offset;      // of the payload in the image
    uint64_t first_point; // index among all points
    uint32_t n_points, n_columns, segment;
    const sg_chunk *directory; // kept in memory while there are not too many, else null
} sg_block_ref;

typedef struct sg_segment {
    uint32_t schema;
    double start, stop; // of its points; both the segment's begin if it has none
    const char *action;
    uint64_t first_point, n_points;
} sg_segment;

typedef struct sg_blob {
    const char *name;
    uint64_t offset;
    size_t length;
} sg_blob;

// Where a blob of the table of contacts has its rows (result/touches.h).
typedef struct sg_touch_ref {
    uint64_t offset, first; // in the image; number of its first row in the table
    uint64_t laws;          // in the image, where the laws of its rows are; 0 if they are not told
    uint32_t n_ended, n_lasting;
} sg_touch_ref;

// A signal of the whole run. Its description is the one of the first segment that has it; its size
// is the largest of all segments.
typedef struct sg_table_signal {
    sg_signal signal;
    uint32_t n_segments; // in how many segments it exists
} sg_table_signal;

struct sg_result {
    uint32_t references;
    sg_arena arena;
    sg_image image;
    const char *name; // for messages: the path, or the model's name
    uint32_t version;
    bool finished;      // the run ended in order
    sg_status outcome;  // how the run ended, if finished
    const char *damage; // what is wrong with the file's end, "" if nothing
    sg_attribute *attributes;
    size_t n_attributes, cap_attributes;
    sg_parameter *parameters;
    size_t n_parameters, cap_parameters;
    sg_schema *schemas;
    size_t n_schemas, cap_schemas;
    int32_t **places; // places[schema][signal]: index in the schema, -1 if absent
    sg_segment *segments;
    size_t n_segments, cap_segments;
    sg_block_ref *blocks;
    size_t n_blocks, cap_blocks;
    sg_event_entry *events;
    size_t n_events, cap_events;
    sg_blob *blobs;
    size_t n_blobs, cap_blobs;
    const char **touch_objects; // paths
    size_t n_touch_objects;
    sg_touch_ref *touches;
    size_t n_touches, cap_touches;
    sg_table_signal *signals;
    size_t n_signals, cap_signals;
    sg_map names; // hash of the name to index of the signal
    uint64_t n_points;
    size_t directory_bytes; // of the directories kept in memory
    uint64_t n_widened;     // elements of signals that no segment has
};

// Opens a run file. Damage at its end gives a warning and a result up to there.
sg_status sg_result_open_run(const char *path, const sg_allocator *allocator, sg_diags *diags,
                             sg_result **out);
// Takes over the image, also on failure.
sg_status sg_result_from_image(sg_image *image, const char *name, sg_diags *diags, sg_result **out);

// Index of a signal by its exact name, -1 if there is none.
int32_t sg_result_find(const sg_result *result, const char *name);
const sg_parameter *sg_result_parameter(const sg_result *result, const char *name); // or null
const sg_attribute *sg_result_attribute(const sg_result *result, const char *key);  // or null

enum { SG_TIME = -1 }; // as a signal's index: the time itself

// `n` values of one element of a signal from point `first` on; sg_missing() where the signal does
// not exist. Elements count from 0, columns of matrices one after the other.
sg_status sg_result_read(const sg_result *result, int32_t signal, uint32_t element, uint64_t first,
                         size_t n, double *out, sg_diags *diags);

// Where an element of a signal is found in a segment.
typedef struct sg_column_place {
    bool exists, constant, negate;
    uint32_t column; // in the block, time is 0
    double value;    // of a constant
} sg_column_place;

sg_column_place sg_result_place(const sg_result *result, int32_t signal, uint32_t element,
                                uint32_t segment);
// A column of a block as it is stored, in the arena: point `p` is `values[p * stride]`. Takes no
// more memory than the file has bytes for it. SG_ERR_MEMORY without, SG_ERR_IO with a diagnostic.
sg_status sg_block_stored(const sg_result *result, const sg_block_ref *block, uint32_t column,
                          sg_arena *arena, const double **values, uint32_t *stride,
                          sg_diags *diags);

// Rows and columns of the start values that are there: those of a signal that grows in a later
// segment are missing behind these. Both 0 if there is none.
void sg_start_shape(const sg_signal *signal, uint32_t size[2]);

// Least and greatest value, from the directories of the blocks.
sg_status sg_result_range(const sg_result *result, int32_t signal, uint32_t element,
                          sg_extent *range, sg_diags *diags);

// Copies a blob into the arena; null if there is none of that name or it cannot be read.
const char *sg_result_blob(const sg_result *result, const char *name, sg_arena *arena,
                           size_t *length);
