// The run file on disk: numbers that writer and reader agree on. docs/formats.md explains them.
//
//     file   = "SEGUERUN", u32 version, u32 0, block...
//     block  = u32 "SGBK", u32 type, u64 payload bytes, u64 meta bytes, u64 checksum, payload
//
// The checksum covers the 24 bytes before it and the first `meta bytes` of the payload. In all
// blocks but points that is the whole payload. The columns of a block of points carry checksums of
// their own, so that one signal can be read, and trusted, without reading the others.
#pragma once

#include <stdint.h>

#define SG_RUN_MAGIC "SEGUERUN"
enum {
    SG_RUN_VERSION = 1,
    SG_RUN_HEADER = 16,
    SG_BLOCK_HEADER = 32,
    SG_BLOCK_MAGIC = 0x4B424753, // "SGBK"
    SG_POINTS_HEADER = 24,       // u32 segment, points, columns, 0; u64 index of the first point
    SG_CHUNK_ENTRY = 32,         // one column of a block, see sg_chunk
    SG_MAX_ROWS = 4096           // points in a block
};

typedef enum sg_block_type {
    SG_BLOCK_META = 1,    // attributes, parameters
    SG_BLOCK_SCHEMA = 2,  // the next schema; schemas are numbered from 0 in order of appearance
    SG_BLOCK_SEGMENT = 3, // u32 schema, u32 0, f64 start time, text action
    SG_BLOCK_POINTS = 4,
    SG_BLOCK_EVENTS = 5, // u32 count; u32 kind, u32 segment, u64 point, f64 time, text
    SG_BLOCK_BLOB = 6,   // text name, then bytes: the scene and whatever else belongs to the run
    SG_BLOCK_END = 7     // u32 status, u32 segments, u64 points, attributes (statistics)
} sg_block_type;

enum { SG_CHUNK_PLAIN = 0, SG_CHUNK_SAME = 1 }; // all values; or one that stands for all
enum { SG_CHUNK_HAS_NAN = 1, SG_CHUNK_HAS_MISSING = 2 };

// Where a column of a block lies and what to expect in it.
typedef struct sg_chunk {
    uint32_t encoding;
    uint32_t checksum; // low half of XXH64 of the stored bytes
    uint32_t offset;   // from the end of the directory, in units of 8 bytes
    uint32_t flags;
    double min, max; // of the numbers; +Inf, -Inf if there are none
} sg_chunk;

_Static_assert(sizeof(sg_chunk) == SG_CHUNK_ENTRY, "the directory is written as it is");
