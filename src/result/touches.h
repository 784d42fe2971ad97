// The table of contacts beside the signals of a run: when bodies touched, how deep and how hard.
//
// Contacts are short beside output points, so a run keeps a row for each. Rows wait until there are
// enough for a blob of the run file (docs/formats.md), or a second has passed; memory grows with
// the contacts that last, not with those that were:
//
//     contacts.objects   u32 count, text...                             paths
//     contacts.K         u32 ended, u32 lasting, row...                 K = 0, 1, ...
//     row                u32 a, u32 b, f64 begin, end, speed, depth, its time, force, its time,
//                        impulse
//     contacts.laws.K    u8 for each row of contacts.K, behind it: by which law they press
//
// A blob holds the contacts that ended since the one before, and all that last. So the table is
// all ended ones, and of the last blob those that last, whose end is NaN: also of a run that was
// killed. Nothing has to be put together, and any part of the table can be read alone.
#pragma once

#include "base/buf.h"
#include "base/vec.h"
#include "result/json.h"
#include "result/result.h"
#include "result/writer.h"

typedef struct sg_touch_row {
    uint32_t a, b;
    double begin, end, speed, depth, depth_time, force, force_time, impulse;
} sg_touch_row;

_Static_assert(sizeof(sg_touch_row) == 72, "rows are written as they are");

// A row, and the number of its law.
typedef struct sg_touch_item {
    sg_touch_row row;
    unsigned char law;
} sg_touch_item;

// The number that stands for a law in files; 0 if there is none for the word.
unsigned char sg_touch_law(const char *word);
const char *sg_touch_law_word(unsigned number); // null behind the last one

// ---- writing --------------------------------------------------------------------------------

typedef struct sg_touch_log {
    const sg_allocator *allocator;
    sg_result_writer *writer;
    SG_VEC(sg_touch_item) ended, lasting; // that wait; those that last now
    sg_buf bytes, laws;                   // blobs on their way out
    uint32_t n_blobs;
    double flushed;   // wall time of the last blob [s]
    uint64_t written; // checksum of the lasting ones in it
} sg_touch_log;

void sg_touch_log_init(sg_touch_log *log, const sg_allocator *allocator, sg_result_writer *writer);
void sg_touch_log_destroy(sg_touch_log *log);
sg_status sg_touch_log_objects(sg_touch_log *log, const char *const *paths, size_t n);
// Where memory may be taken: room for so many contacts that last, and what follows until the next
// call. Returns the largest blob [bytes].
size_t sg_touch_log_reserve(sg_touch_log *log, size_t n_lasting);
// At each point: rows of contacts that ended are pushed to `ended`, then it is asked whether a blob
// is due; if it is, all that last are put in `lasting`, and it is sent.
bool sg_touch_log_is_due(const sg_touch_log *log, double now);
sg_status sg_touch_log_send(sg_touch_log *log, double now);

// ---- reading --------------------------------------------------------------------------------

// Looks whether a blob that was read is one of the table. False when memory ran out.
bool sg_touches_take(sg_result *result, const sg_blob *blob, const unsigned char *bytes);

// `[{"object1":"a","object2":"b","begin":0.1,...},...]`; "end" is null while a contact lasts.
sg_status sg_put_touches(const sg_result *result, sg_buf *out, sg_diags *diags);
// A table of such an array, for a result that is being made of another format.
sg_status sg_touches_import(const sg_json *json, sg_result_writer *writer,
                            const sg_allocator *allocator);

// Names of the numbers of an entry, and these, in the order of the row.
enum { SG_TOUCH_NUMBERS = 8 };
extern const char *const sg_touch_names[SG_TOUCH_NUMBERS];
extern const char *const sg_touch_units[SG_TOUCH_NUMBERS];
void sg_touch_numbers(const sg_contact_entry *entry, double out[SG_TOUCH_NUMBERS]);
