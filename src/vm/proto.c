#include "vm/bytecode.h"
#include "vm/vm.h"

static const char *const names[] = {
#define SG_BC(name, text) #name,
#include "vm/bytecode_ops.h"
#undef SG_BC
};

const char *sg_bc_name(sg_bc op) { return op < SG_BC_COUNT ? names[op] : "?"; }

sg_proto *sg_proto_make(sg_vm *vm, sg_sym name, sg_module *module)
{
    sg_proto *proto = sg_heap_new(vm, SG_OBJ_PROTO, sizeof *proto);
    if (!proto)
        return NULL;
    proto->name = name;
    proto->module = module;
    return proto;
}

static void release(sg_vm *vm, void *block, size_t size)
{
    if (block)
        sg_heap_resize(vm, block, size, 0);
}

void sg_proto_free(sg_vm *vm, sg_proto *proto)
{
    release(vm, proto->code, proto->n_code * sizeof(sg_instr));
    release(vm, proto->spans, proto->n_code * sizeof(sg_span));
    release(vm, proto->constants, proto->n_constants * sizeof(sg_value));
    release(vm, proto->handlers, proto->n_handlers * sizeof(sg_handler));
    release(vm, proto->kw_names, proto->n_kw * sizeof(sg_sym));
}

sg_span sg_proto_span(const sg_proto *proto, const sg_instr *ip)
{
    size_t at = (size_t)(ip - proto->code);
    if (at > 0)
        at--;
    return at < proto->n_code ? proto->spans[at] : (sg_span){0};
}

void sg_proto_dump(sg_vm *vm, const sg_proto *proto, sg_buf *out)
{
    const char *name = sg_vm_text(vm, proto->name);
    sg_buf_printf(out, "code %s: %u registers, %u constants\n", *name ? name : "(top level)",
                  proto->n_regs, proto->n_constants);
    for (uint32_t i = 0; i < proto->n_code; i++) {
        const sg_instr *ins = &proto->code[i];
        sg_buf_printf(out, "%5u  %-14s a=%u b=%u c=%u x=%d\n", i, sg_bc_name((sg_bc)ins->op),
                      ins->a, ins->b, ins->c, ins->x);
    }
    for (uint32_t i = 0; i < proto->n_handlers; i++)
        sg_buf_printf(out, "       handler %u..%u -> %u in R%u\n", proto->handlers[i].from,
                      proto->handlers[i].to, proto->handlers[i].target, proto->handlers[i].reg);
    for (uint32_t i = 0; i < proto->n_constants; i++)
        if (sg_is(proto->constants[i], SG_OBJ_PROTO))
            sg_proto_dump(vm, (const sg_proto *)proto->constants[i].o, out);
}
