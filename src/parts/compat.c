#include "parts/part.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *what;
    size_t place;
} switches[] = {
#define SG_PART_COMPAT(field, name, what) {name, what, offsetof(sg_part_compat, field)},
#include "parts/compat_list.h"
#undef SG_PART_COMPAT
};
enum { N_SWITCHES = sizeof switches / sizeof switches[0] };

static bool is_on(const sg_part_compat *compat, size_t i)
{
    return *(const bool *)((const char *)compat + switches[i].place);
}

const char *sg_part_compat_name(size_t i) { return i < N_SWITCHES ? switches[i].name : NULL; }

bool sg_part_compat_set(sg_part_compat *compat, const char *name, size_t length)
{
    static const char all[] = "modia-0.12";
    bool every = length == sizeof all - 1 && memcmp(name, all, length) == 0, found = every;
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (every ||
            (strlen(switches[i].name) == length && memcmp(switches[i].name, name, length) == 0)) {
            *(bool *)((char *)compat + switches[i].place) = true;
            found = true;
        }
    return found;
}

void sg_part_report_compat(sg_part *part)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (is_on(&part->compat, i) && is_on(&part->mattered, i))
            sg_note(part->vm->diags, part->span, "--compat %s: in this model %s", switches[i].name,
                    switches[i].what);
}

void sg_part_suggest_compat(const sg_part *part, sg_diags *diags, sg_span span)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (!is_on(&part->compat, i) && is_on(&part->mattered, i))
            sg_note(diags, span,
                    "with the published program, in this model %s; if these numbers come from it, "
                    "use --compat %s",
                    switches[i].what, switches[i].name);
}
