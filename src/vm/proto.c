#include "vm/bytecode.h"
#include "vm/vm.h"

#include <string.h>

sg_proto *sg_proto_make(sg_vm *vm, sg_sym name, sg_module *module)
{
    sg_proto *proto = sg_heap_new(vm, SG_OBJ_PROTO, sizeof *proto);
    if (!proto)
        return NULL;
    proto->name = name;
    proto->module = module;
    return proto;
}

// One block for all lists: constants, then handlers, spans and instructions, by falling alignment.
static size_t block_size(const sg_proto *proto)
{
    return proto->n_constants * sizeof(sg_value) + proto->n_code * sizeof(sg_instr) +
           proto->n_handlers * sizeof(sg_handler) + proto->n_code * sizeof(sg_span);
}

bool sg_proto_fill(sg_vm *vm, sg_proto *proto, const sg_instr *code, const sg_span *spans,
                   uint32_t n_code, const sg_value *constants, uint32_t n_constants,
                   const sg_handler *handlers, uint32_t n_handlers)
{
    sg_proto counts = {.n_code = n_code, .n_constants = n_constants, .n_handlers = n_handlers};
    char *block = sg_heap_resize(vm, NULL, 0, block_size(&counts));
    if (!block)
        return false;
    proto->n_code = n_code;
    proto->n_constants = n_constants;
    proto->n_handlers = n_handlers;
    proto->constants = (sg_value *)(void *)block;
    proto->code = (sg_instr *)(void *)(proto->constants + n_constants);
    proto->handlers = (sg_handler *)(void *)(proto->code + n_code);
    proto->spans = (sg_span *)(void *)(proto->handlers + n_handlers);
    if (n_constants)
        memcpy(proto->constants, constants, n_constants * sizeof(sg_value));
    memcpy(proto->code, code, n_code * sizeof(sg_instr));
    memcpy(proto->spans, spans, n_code * sizeof(sg_span));
    if (n_handlers)
        memcpy(proto->handlers, handlers, n_handlers * sizeof(sg_handler));
    return true;
}

void sg_proto_free(sg_vm *vm, sg_proto *proto)
{
    if (proto->constants)
        sg_heap_resize(vm, proto->constants, block_size(proto), 0);
    if (proto->kw_names)
        sg_heap_resize(vm, proto->kw_names, proto->n_kw * sizeof(sg_sym), 0);
    if (proto->params)
        sg_heap_resize(vm, proto->params, proto->n_params * sizeof(sg_sym), 0);
}

sg_span sg_proto_span(const sg_proto *proto, const sg_instr *ip)
{
    size_t at = (size_t)(ip - proto->code);
    if (at > 0)
        at--;
    return at < proto->n_code ? proto->spans[at] : (sg_span){0};
}
