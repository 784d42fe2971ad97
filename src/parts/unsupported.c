// What a model may say and Segue does not simulate yet. It is said, so that nobody trusts a result
// in which it is missing.
#include "parts/elements.h"

sg_status sg_read_unsupported(sg_part *part, const sg_part_element *element)
{
    sg_warning(part->vm->diags, SG_E_UNSUPPORTED, element->span,
               "%s '%s' is not simulated yet; it is ignored", element->kind, element->path);
    return SG_OK;
}
