#include "solver/methods.h"

#include <string.h>

static const sg_algorithm methods[] = {
#define SG_SOLVER(solver, kind, with, without, order, text)                                        \
    {.name = #solver,                                                                              \
     .family = SG_FAMILY_##kind,                                                                   \
     .adaptive = SG_TABLE_##with,                                                                  \
     .fixed = SG_TABLE_##without,                                                                  \
     .max_order = order,                                                                           \
     .runs = text},
#include "solver/solver_names.h"
#undef SG_SOLVER
};

const sg_algorithm *sg_algorithm_list(size_t *n)
{
    *n = sizeof methods / sizeof methods[0];
    return methods;
}

const sg_algorithm *sg_algorithm_find(const char *name)
{
    size_t length = strcspn(name, "({ ");
    for (size_t i = length; i > 0; i--)
        if (name[i - 1] == '.') {
            name += i;
            length -= i;
            break;
        }
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strlen(methods[i].name) == length && memcmp(methods[i].name, name, length) == 0)
            return &methods[i];
    return NULL;
}
