#include "model/constructors.h"

#include "syntax/ast.h"

#include <string.h>

sg_value sg_constructor_get(sg_vm *vm, const sg_constructors *table, sg_sym name)
{
    return table ? sg_module_get(sg_vm_module(vm, table->module), name) : (sg_value){0};
}

sg_sym sg_constructor_name(const sg_vm *vm, const sg_constructors *table, sg_value value)
{
    if (value.tag == SG_SYMBOL)
        return value.sym;
    if (!table || !sg_is(value, SG_OBJ_QUOTE))
        return (sg_sym){0};
    const sg_ast *tree = ((const sg_quote *)value.o)->root;
    if (tree->kind == SG_AST_CURLY)
        tree = tree->kids[0];
    sg_sym last = tree->sym;
    const sg_ast *first = tree;
    while (first->kind == SG_AST_FIELD)
        first = first->kids[0];
    bool ours = first != tree && first->kind == SG_AST_NAME &&
                strcmp(sg_vm_text(vm, first->sym), table->package) == 0;
    return ours ? last : (sg_sym){0};
}
