// What the contacts of a run did, in numbers: how many there were, and what it took to find them
// ([Neumayr-thesis] table 6.1). Counted in any case, told on request (docs/contacts.md).
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct sg_contact_counts {
#define SG_CONTACT_COUNT(field, name, what, sum) int64_t field;
#include "parts/contact_counts_list.h"
#undef SG_CONTACT_COUNT
} sg_contact_counts;

// One of them by its place in the list, for tables; a name of null is behind the last.
typedef struct sg_contact_count {
    const char *name, *what;
    int64_t value;
} sg_contact_count;

sg_contact_count sg_contact_count_at(const sg_contact_counts *counts, size_t i);
// Those of another segment or part on top.
void sg_contact_counts_add(sg_contact_counts *sum, const sg_contact_counts *more);
