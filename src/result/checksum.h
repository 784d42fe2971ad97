// XXH64, the checksum of the run file.
//
// A block must be recognized as complete before it is believed, and a run must not wait for that:
// this hash reads several bytes a cycle, needs no tables and is published, so that a reader in
// another language can check it too (docs/formats.md).
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t sg_xxh64(const void *bytes, size_t length, uint64_t seed);
