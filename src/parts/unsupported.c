// What a model may say and Segue does not simulate yet. It is said, so that nobody trusts a result
// in which it is missing.
#include "parts/elements.h"
#include "parts/solid.h"

sg_status sg_read_unsupported(sg_part *part, const sg_part_element *element)
{
    sg_warning(part->vm->diags, SG_E_UNSUPPORTED, element->span,
               "%s '%s' is not simulated yet; it is ignored", element->kind, element->path);
    return SG_OK;
}

void sg_part_warn_of_contacts(const sg_part *part)
{
    int first = -1, n = 0;
    bool meet = false; // objects of two bodies
    for (size_t i = 0; i < part->objects.len; i++) {
        const sg_part_object *o = &part->objects.data[i];
        if (!o->solid || !o->solid->contact_material[0])
            continue;
        if (first >= 0 && part->mbs->object[i].body != part->mbs->object[first].body)
            meet = true;
        if (first < 0)
            first = (int)i;
        n++;
    }
    if (meet && part->detects_contacts)
        sg_warning(part->vm->diags, SG_E_UNSUPPORTED, part->objects.data[first].span,
                   "contacts are not simulated yet: %d objects with collision = true go through "
                   "each other",
                   n);
}
