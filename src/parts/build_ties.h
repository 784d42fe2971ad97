// Which joints of a model close loops, where their kind may do either.
//
// A Revolute has its coordinate wherever it is (parts/loops.h). Of joints with several coordinates
// it is decided when the model is built, by who holds whom: they are met in the order of their
// declaration, behind everything else that holds objects, and one between two objects that are
// connected already is a constraint without variables of its own. So a body that moves freely and
// has such a joint is as before, while one that nothing else holds gets coordinates by it.
// `cut = true` asks for the constraint.
#pragma once

#include "base/map.h"
#include "vm/vm.h"

typedef struct sg_part_ties {
    sg_vm *vm;
    sg_map by_path; // symbols of the paths inside of the part
} sg_part_ties;

// Finds them, and takes their variables and equations out of the model. SG_ERR_MEMORY.
sg_status sg_part_find_ties(sg_part_ties *ties, sg_vm *vm, sg_value *model);
bool sg_part_is_tie(const sg_part_ties *ties, const char *path);
void sg_part_ties_free(sg_part_ties *ties);

// What is read of dictionaries while a part is built.
bool sg_part_attribute(sg_vm *vm, const sg_dict *dict, const char *name, sg_value *out);
bool sg_part_is_class(sg_vm *vm, sg_value value, const char *name);
// The name behind `_constructor = Par(value = :Name, ...)` or `_constructor = :Name`; _jointType
// says it where the name is that of a class of joints. Null if there is none.
const char *sg_part_constructor_of(sg_vm *vm, const sg_dict *dict);
