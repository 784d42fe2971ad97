#include "parts/contact_counts.h"

#include "base/assert.h"

sg_contact_count sg_contact_count_at(const sg_contact_counts *c, size_t i)
{
    const sg_contact_count list[] = {
#define SG_CONTACT_COUNT(field, name, what, sum) {name, what, c->field},
#include "parts/contact_counts_list.h"
#undef SG_CONTACT_COUNT
    };
    return i < SG_COUNT(list) ? list[i] : (sg_contact_count){0};
}

void sg_contact_counts_add(sg_contact_counts *sum, const sg_contact_counts *more)
{
#define SG_CONTACT_COUNT(field, name, what, adds)                                                  \
    if (adds)                                                                                      \
        sum->field += more->field;                                                                 \
    else if (more->field > sum->field)                                                             \
        sum->field = more->field;
#include "parts/contact_counts_list.h"
#undef SG_CONTACT_COUNT
}
