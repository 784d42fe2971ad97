// What stands in front of malloc (reserve.c).
#pragma once

#include <stdint.h>

// [bytes] that this thread has asked for so far, of malloc and its family, be it here or in a
// library below; of a block that grows, by how much. Null where malloc cannot be counted.
#ifdef CLI_COUNTS_MALLOC
const uint64_t *cli_asked_of_malloc(void);
#else
static inline const uint64_t *cli_asked_of_malloc(void) { return 0; }
#endif
