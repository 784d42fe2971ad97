// The executor of script bytecode.
//
// Calls between script functions push a frame and go on in the same loop; only a native that
// calls back enters it again. Integers and floats are computed here; everything else goes through
// the hooks. The instruction pointer is saved into the frame before anything that may raise, so
// an error knows its place.
#include "vm/script_exec.h"

// Unwinds to the innermost handler within this executor; false when there is none.
static bool unwind(sg_vm *vm, sg_status *status)
{
    if (vm->exception.tag == SG_UNDEF)
        sg_raise_status(vm, *status, SG_E_NONE, (sg_span){0}, "the operation failed");
    sg_value pending = vm->exception;
    if (sg_is(pending, SG_OBJ_EXCEPTION))
        *status = ((sg_exception *)pending.o)->status;
    else
        *status = SG_ERR_MEMORY;
    bool catchable = *status != SG_ERR_LIMIT && *status != SG_ERR_INTERRUPT &&
                     *status != SG_ERR_MEMORY && *status != SG_ERR_INTERNAL;
    for (;;) {
        sg_frame *frame = &vm->frames[vm->n_frames - 1];
        uint32_t pc = (uint32_t)(frame->ip - frame->proto->code) - 1;
        for (uint32_t i = 0; catchable && i < frame->proto->n_handlers; i++) {
            const sg_handler *handler = &frame->proto->handlers[i];
            if (pc < handler->from || pc >= handler->to)
                continue;
            frame->base[handler->reg] = pending;
            frame->ip = frame->proto->code + handler->target;
            vm->exception = sg_undef();
            vm->top = frame->base + frame->proto->n_regs;
            return true;
        }
        bool entry = frame->entry;
        vm->n_frames--;
        if (entry)
            return false;
    }
}

#define RK(operand) (*(((operand)&SG_RK) ? &k[(operand) & ~SG_RK] : &r[operand]))
#define SAVE() (frame->ip = ip)
#define TRY(call)                                                                                  \
    do {                                                                                           \
        SAVE();                                                                                    \
        status = (call);                                                                           \
        if (status != SG_OK)                                                                       \
            goto failed;                                                                           \
    } while (0)
// The same for what makes a value in `out`: none is there if no memory was, or no text is so long.
#define TRY_VALUE(call)                                                                            \
    do {                                                                                           \
        TRY(call);                                                                                 \
        if (out.tag == SG_UNDEF && vm->exception.tag != SG_UNDEF) {                                \
            status = SG_ERR_MEMORY;                                                                \
            goto failed;                                                                           \
        }                                                                                          \
    } while (0)
// The next instruction. Jumping from each instruction to the next directly, instead of through one
// switch, lets the processor predict the jumps.
#define DISPATCH()                                                                                 \
    do {                                                                                           \
        ins = *ip++;                                                                               \
        __extension__({ goto *labels[ins.op]; });                                                  \
    } while (0)
#define ARITHMETIC(operator_, op_, wide)                                                           \
    {                                                                                              \
        const sg_value x = RK(ins.b), y = RK(ins.c);                                               \
        if (x.tag == SG_FLOAT && y.tag == SG_FLOAT) {                                              \
            r[ins.a] = sg_float(x.d operator_ y.d);                                                \
        } else if (x.tag == SG_INT && y.tag == SG_INT) {                                           \
            r[ins.a] = wide;                                                                       \
        } else if (sg_both_plain(x, y)) {                                                          \
            r[ins.a] = sg_float(sg_plain_number(x) operator_ sg_plain_number(y));                  \
        } else {                                                                                   \
            sg_value out = sg_undef();                                                             \
            TRY_VALUE(sg_exec_binary(vm, op_, x, y, &out));                                        \
            r[ins.a] = out;                                                                        \
        }                                                                                          \
        DISPATCH();                                                                                \
    }
#define COMPARISON(operator_, op_)                                                                 \
    {                                                                                              \
        sg_value x = RK(ins.b), y = RK(ins.c);                                                     \
        if (x.tag == SG_INT && y.tag == SG_INT) {                                                  \
            r[ins.a] = sg_bool(x.i operator_ y.i);                                                 \
        } else if (sg_both_plain(x, y)) {                                                          \
            r[ins.a] = sg_bool(sg_plain_number(x) operator_ sg_plain_number(y));                   \
        } else {                                                                                   \
            sg_value out = sg_undef();                                                             \
            TRY_VALUE(sg_exec_binary(vm, op_, x, y, &out));                                        \
            r[ins.a] = out;                                                                        \
        }                                                                                          \
        DISPATCH();                                                                                \
    }
#define BRANCH(operator_, op_)                                                                     \
    {                                                                                              \
        sg_value x = RK(ins.b), y = RK(ins.c);                                                     \
        bool truth;                                                                                \
        if (x.tag == SG_INT && y.tag == SG_INT)                                                    \
            truth = x.i operator_ y.i;                                                             \
        else if (x.tag == SG_FLOAT && y.tag == SG_FLOAT)                                           \
            truth = x.d operator_ y.d;                                                             \
        else                                                                                       \
            TRY(sg_exec_compare(vm, op_, x, y, &truth));                                           \
        ip += truth == (bool)ins.a ? ip->x + 1 : 1;                                                \
        DISPATCH();                                                                                \
    }
#define SAFE_POINT()                                                                               \
    if (--vm->budget < 0)                                                                          \
    TRY(sg_exec_poll(vm))

sg_status sg_execute(sg_vm *vm)
{
    static const void *const labels[] = {
#define SG_BC(name, text) __extension__ &&L_##name,
#include "vm/bytecode_ops.h"
#undef SG_BC
    };
    sg_instr ins;
    sg_frame *frame;
    const sg_instr *ip;
    sg_value *r;
    const sg_value *k;
    sg_status status = SG_OK;

reload:
    frame = &vm->frames[vm->n_frames - 1];
    ip = frame->ip;
    r = frame->base;
    k = frame->proto->constants;

    for (;;) {
        ins = *ip++;
        switch ((sg_bc)ins.op) {
        case SG_BC_MOVE:
        L_MOVE:
            r[ins.a] = r[ins.b];
            DISPATCH();
        case SG_BC_LOADK:
        L_LOADK:
            r[ins.a] = k[ins.x];
            DISPATCH();
        case SG_BC_NOTHING:
        L_NOTHING:
            r[ins.a] = SG_VALUE_NOTHING;
            break;
        case SG_BC_UNDEF:
        L_UNDEF:
            r[ins.a] = sg_undef();
            DISPATCH();
        case SG_BC_CHECK:
        L_CHECK:
            if (r[ins.a].tag == SG_UNDEF)
                TRY(sg_exec_raise_undefined(vm, k[ins.x].sym));
            break;
        case SG_BC_GLOBAL:
        L_GLOBAL : {
            const sg_cell *cell = (const sg_cell *)k[ins.x].o;
            sg_value value = cell->value;
            if (value.tag == SG_UNDEF)
                TRY(sg_exec_load_global(vm, (sg_cell *)k[ins.x].o, &value));
            r[ins.a] = value;
            DISPATCH();
        }
        case SG_BC_SET_GLOBAL:
        L_SET_GLOBAL:
            TRY(sg_exec_store_global(vm, (sg_cell *)k[ins.x].o, r[ins.a], false));
            break;
        case SG_BC_CONST_GLOBAL:
        L_CONST_GLOBAL:
            TRY(sg_exec_store_global(vm, (sg_cell *)k[ins.x].o, r[ins.a], true));
            break;
        case SG_BC_NEW_CELL:
        L_NEW_CELL : {
            SAVE();
            sg_cell *cell = sg_cell_make(vm, k[ins.x].sym);
            if (!cell)
                goto failed_memory;
            r[ins.a] = sg_object(cell);
            break;
        }
        case SG_BC_WRAP_CELL:
        L_WRAP_CELL : {
            SAVE();
            sg_cell *cell = sg_cell_make(vm, (sg_sym){0});
            if (!cell)
                goto failed_memory;
            cell->value = r[ins.a];
            r[ins.a] = sg_object(cell);
            break;
        }
        case SG_BC_CELL:
        L_CELL : {
            const sg_cell *cell = (const sg_cell *)r[ins.b].o;
            if (cell->value.tag == SG_UNDEF)
                TRY(sg_exec_raise_undefined(vm, cell->name));
            r[ins.a] = cell->value;
            DISPATCH();
        }
        case SG_BC_SET_CELL:
        L_SET_CELL:
            ((sg_cell *)r[ins.a].o)->value = r[ins.b];
            break;
        case SG_BC_UP:
        L_UP : {
            const sg_cell *cell = frame->closure->cells[ins.b];
            if (cell->value.tag == SG_UNDEF)
                TRY(sg_exec_raise_undefined(vm, cell->name));
            r[ins.a] = cell->value;
            DISPATCH();
        }
        case SG_BC_SET_UP:
        L_SET_UP:
            frame->closure->cells[ins.b]->value = r[ins.a];
            break;
        case SG_BC_UP_CELL:
        L_UP_CELL:
            r[ins.a] = sg_object(frame->closure->cells[ins.b]);
            break;
        case SG_BC_ADD:
        L_ADD:
            ARITHMETIC(+, SG_OPER_ADD, sg_int((int64_t)((uint64_t)x.i + (uint64_t)y.i)))
        case SG_BC_SUB:
        L_SUB:
            ARITHMETIC(-, SG_OPER_SUB, sg_int((int64_t)((uint64_t)x.i - (uint64_t)y.i)))
        case SG_BC_MUL:
        L_MUL:
            ARITHMETIC(*, SG_OPER_MUL, sg_int((int64_t)((uint64_t)x.i * (uint64_t)y.i)))
        case SG_BC_DIV:
        L_DIV:
            ARITHMETIC(/, SG_OPER_DIV, sg_float((double)x.i / (double)y.i)) case SG_BC_POW : L_POW:
            {
                sg_value x = RK(ins.b), y = RK(ins.c), out = sg_undef();
                if (!sg_exec_power(x, y, &out))
                    TRY_VALUE(sg_exec_binary(vm, SG_OPER_POW, x, y, &out));
                r[ins.a] = out;
                DISPATCH();
            }
        case SG_BC_EQ:
        L_EQ:
            COMPARISON(==, SG_OPER_EQ)
        case SG_BC_NE:
        L_NE:
            COMPARISON(!=, SG_OPER_NE)
        case SG_BC_LT:
        L_LT:
            COMPARISON(<, SG_OPER_LT)
        case SG_BC_LE:
        L_LE:
            COMPARISON(<=, SG_OPER_LE) case SG_BC_BINARY : L_BINARY:
            {
                sg_value out = sg_undef();
                TRY_VALUE(sg_exec_binary(vm, (sg_operator)ins.c, r[ins.a], r[ins.b], &out));
                r[ins.a] = out;
                break;
            }
        case SG_BC_NEG:
        L_NEG:
            if (r[ins.b].tag == SG_FLOAT) {
                r[ins.a] = sg_float(-r[ins.b].d);
            } else if (r[ins.b].tag == SG_INT) {
                r[ins.a] = sg_int((int64_t)(0 - (uint64_t)r[ins.b].i));
            } else {
                sg_value out = sg_undef();
                TRY(sg_exec_unary(vm, SG_OPER_NEG, r[ins.b], &out));
                r[ins.a] = out;
            }
            DISPATCH();
        case SG_BC_NOT:
        L_NOT:
            if (r[ins.b].tag == SG_BOOL) {
                r[ins.a] = sg_bool(!r[ins.b].b);
            } else {
                sg_value out = sg_undef();
                TRY(sg_exec_unary(vm, SG_OPER_NOT, r[ins.b], &out));
                r[ins.a] = out;
            }
            break;
        case SG_BC_UNARY:
        L_UNARY : {
            sg_value out = sg_undef();
            TRY(sg_exec_unary(vm, (sg_operator)ins.c, r[ins.b], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_JUMP:
        L_JUMP:
            ip += ins.x;
            DISPATCH();
        case SG_BC_JUMP_BACK:
        L_JUMP_BACK:
            ip += ins.x;
            SAFE_POINT();
            DISPATCH();
        case SG_BC_JUMP_IF:
        L_JUMP_IF:
        case SG_BC_JUMP_UNLESS:
        L_JUMP_UNLESS : {
            bool truth = r[ins.a].i != 0; // any bits, until the tag is known
            if (r[ins.a].tag != SG_BOOL)
                TRY(sg_truth(vm, r[ins.a], &truth));
            if (truth == (ins.op == SG_BC_JUMP_IF))
                ip += ins.x;
            DISPATCH();
        }
        case SG_BC_JUMP_DEFINED:
        L_JUMP_DEFINED:
            if (r[ins.a].tag != SG_UNDEF)
                ip += ins.x;
            break;
        case SG_BC_IF_LT:
        L_IF_LT:
            BRANCH(<, SG_OPER_LT)
        case SG_BC_IF_LE:
        L_IF_LE:
            BRANCH(<=, SG_OPER_LE)
        case SG_BC_IF_EQ:
        L_IF_EQ:
            BRANCH(==, SG_OPER_EQ)
        case SG_BC_FOR_PREP:
        L_FOR_PREP:
            TRY(sg_exec_prepare_for(vm, &r[ins.a]));
            break;
        case SG_BC_FOR_FIRST:
        L_FOR_FIRST:
        case SG_BC_FOR_LOOP:
        L_FOR_LOOP : {
            sg_value *loop = &r[ins.a];
            if (loop->tag == SG_INT) {
                bool first = ins.op == SG_BC_FOR_FIRST;
                if (loop[2].i == 0) {
                    ip += first ? ins.x : 0;
                    break;
                }
                loop[2].i--;
                if (!first) {
                    loop->i += loop[1].i;
                    ip += ins.x;
                }
                loop[3] = sg_int(loop->i);
                SAFE_POINT();
                break;
            }
            bool done = false;
            TRY(sg_exec_next(vm, loop[0], &loop[1].i, &loop[3], &done));
            if (ins.op == SG_BC_FOR_FIRST ? done : !done)
                ip += ins.x;
            SAFE_POINT();
            DISPATCH();
        }
        case SG_BC_ITER:
        L_ITER : {
            bool done = false;
            sg_value *loop = &r[ins.a];
            sg_value item = sg_undef();
            TRY(sg_exec_next(vm, loop[0], &loop[1].i, &item, &done));
            loop[2] = item;
            if (done)
                ip += ins.x;
            SAFE_POINT();
            break;
        }
        case SG_BC_CALL:
        L_CALL:
        case SG_BC_CALL_KW:
        L_CALL_KW : {
            SAVE();
            if (ins.op == SG_BC_CALL && sg_push_simple(vm, &r[ins.a], ins.b))
                goto reload;
            const sg_tuple *names = ins.op == SG_BC_CALL_KW ? (const sg_tuple *)k[ins.c].o : NULL;
            vm->kw_spans = names ? names->items : NULL;
            sg_call_result kind = sg_begin_call(vm, &r[ins.a], ins.b, names ? names->names : NULL,
                                                names ? names->n : 0, &r[ins.a]);
            vm->kw_spans = NULL;
            if (kind == SG_CALL_FRAME)
                goto reload;
            if (kind == SG_CALL_FAILED)
                goto failed_call;
            DISPATCH();
        }
        case SG_BC_CALL_LIST:
        L_CALL_LIST : {
            SAVE();
            sg_call_result kind = sg_call_list(vm, &r[ins.a]);
            if (kind == SG_CALL_FRAME)
                goto reload;
            if (kind == SG_CALL_FAILED)
                goto failed_call;
            break;
        }
        case SG_BC_BROADCAST:
        L_BROADCAST:
        case SG_BC_BROADCAST_KW:
        L_BROADCAST_KW : {
            const sg_tuple *names =
                ins.op == SG_BC_BROADCAST_KW ? (const sg_tuple *)k[ins.c].o : NULL;
            sg_args args = {.v = &r[ins.a + 1],
                            .n = ins.b,
                            .kw = names ? names->names : NULL,
                            .kwv = &r[ins.a + 1 + ins.b],
                            .n_kw = names ? names->n : 0};
            SAVE();
            args.span = sg_vm_where(vm);
            sg_value out = sg_undef();
            TRY_VALUE(vm->hooks->broadcast(vm, r[ins.a], &args, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_RETURN:
        L_RETURN : {
            sg_value value = r[ins.a];
            bool entry = frame->entry;
            *frame->result = value;
            vm->n_frames--;
            if (entry)
                return SG_OK;
            frame--;
            vm->top = frame->base + frame->proto->n_regs;
            goto reload;
        }
        case SG_BC_INDEX:
        L_INDEX : {
            sg_value base = r[ins.a], out = sg_undef();
            if (ins.b == 2 && sg_is(base, SG_OBJ_ARRAY) && r[ins.a + 1].tag == SG_INT &&
                r[ins.a + 2].tag == SG_INT) {
                const sg_array *array = (const sg_array *)base.o;
                uint64_t i = (uint64_t)r[ins.a + 1].i - 1, j = (uint64_t)r[ins.a + 2].i - 1;
                if (array->ndims == 2 && i < array->dims[0] && j < array->dims[1]) {
                    r[ins.a] = sg_array_get(array, i + j * array->dims[0]);
                    break;
                }
            }
            TRY_VALUE(vm->hooks->index(vm, base, &r[ins.a + 1], ins.b, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_INDEX1:
        L_INDEX1 : {
            sg_value base = r[ins.b], at = RK(ins.c), out = sg_undef();
            if (sg_is(base, SG_OBJ_ARRAY) && at.tag == SG_INT) {
                const sg_array *array = (const sg_array *)base.o;
                if ((uint64_t)at.i - 1 < array->len) {
                    r[ins.a] = sg_array_get(array, (size_t)at.i - 1);
                    break;
                }
            }
            TRY_VALUE(vm->hooks->index(vm, base, &at, 1, &out));
            r[ins.a] = out;
            DISPATCH();
        }
        case SG_BC_SET_INDEX:
        L_SET_INDEX:
            TRY(vm->hooks->index_set(vm, r[ins.a], &r[ins.a + 1], ins.b, r[ins.a + ins.b + 1]));
            break;
        case SG_BC_SET_INDEX1:
        L_SET_INDEX1 : {
            sg_value base = r[ins.a], at = RK(ins.b), value = RK(ins.c);
            if (sg_is(base, SG_OBJ_ARRAY) && at.tag == SG_INT) {
                sg_array *array = (sg_array *)base.o;
                if ((uint64_t)at.i - 1 < array->len && !array->unit &&
                    !(array->head.flags & SG_ARRAY_FLOAT32)) {
                    if (array->elem == SG_ELEM_FLOAT && value.tag == SG_FLOAT) {
                        array->f[at.i - 1] = value.d;
                        break;
                    }
                    if (array->elem == SG_ELEM_BOOL && value.tag == SG_BOOL) {
                        array->b[at.i - 1] = value.b;
                        break;
                    }
                    if (array->elem == SG_ELEM_INT && value.tag == SG_INT) {
                        array->n[at.i - 1] = value.i;
                        break;
                    }
                }
            }
            TRY(vm->hooks->index_set(vm, base, &at, 1, value));
            DISPATCH();
        }
        case SG_BC_FIELD:
        L_FIELD : {
            sg_value base = r[ins.b], out = sg_undef();
            sg_sym name = k[ins.c].sym;
            if (sg_is(base, SG_OBJ_STRUCT)) {
                const sg_struct *s = (const sg_struct *)base.o;
                const sg_type *shape = s->type->generic ? s->type->generic : s->type;
                uint32_t i = 0;
                while (i < shape->n_fields && shape->field_names[i].i != name.i)
                    i++;
                if (i < shape->n_fields && s->fields[i].tag != SG_UNDEF) {
                    r[ins.a] = s->fields[i];
                    break;
                }
            }
            TRY_VALUE(vm->hooks->field(vm, base, name, &out));
            r[ins.a] = out;
            DISPATCH();
        }
        case SG_BC_SET_FIELD:
        L_SET_FIELD:
            TRY(vm->hooks->field_set(vm, r[ins.a], k[ins.c].sym, r[ins.b]));
            break;
        case SG_BC_RANGE:
        L_RANGE : {
            sg_value out = sg_undef();
            TRY_VALUE(vm->hooks->range(vm, r[ins.a], r[ins.a + 1], r[ins.a + 2], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_TUPLE:
        L_TUPLE : {
            SAVE();
            sg_tuple *tuple = sg_tuple_make(vm, ins.b);
            if (!tuple)
                goto failed_memory;
            for (uint32_t i = 0; i < ins.b; i++)
                tuple->items[i] = r[ins.a + i];
            r[ins.a] = sg_object(tuple);
            break;
        }
        case SG_BC_BUILD:
        L_BUILD : {
            sg_value out = sg_undef();
            uint32_t what = ip->b, extra = ip->c;
            ip++;
            TRY_VALUE(vm->hooks->build(vm, what, extra, &r[ins.a], ins.b, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_VECTOR:
        L_VECTOR : {
            SAVE();
            sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
            if (!list)
                goto failed_memory;
            r[ins.a] = sg_object(list);
            break;
        }
        case SG_BC_PUSH:
        L_PUSH:
            SAVE();
            if (!sg_array_push(vm, (sg_array *)r[ins.a].o, r[ins.b]))
                goto failed_memory;
            break;
        case SG_BC_SPLAT:
        L_SPLAT:
            TRY(sg_exec_append_all(vm, (sg_array *)r[ins.a].o, r[ins.b]));
            break;
        case SG_BC_DICT:
        L_DICT : {
            SAVE();
            sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
            if (!dict)
                goto failed_memory;
            r[ins.a] = sg_object(dict);
            break;
        }
        case SG_BC_PUT:
        L_PUT:
            SAVE();
            if (!sg_dict_put(vm, (sg_dict *)r[ins.a].o, k[ins.c], r[ins.b], sg_vm_where(vm)))
                goto failed_memory;
            break;
        case SG_BC_SPLAT_KW:
        L_SPLAT_KW:
            TRY(sg_exec_put_all(vm, (sg_dict *)r[ins.a].o, r[ins.b]));
            break;
        case SG_BC_CLOSURE:
        L_CLOSURE : {
            const sg_proto *proto = (const sg_proto *)k[ins.x].o;
            uint32_t n = 0;
            while (ip[n].op == SG_BC_CAPTURE)
                n++;
            sg_value out = sg_undef();
            TRY(sg_exec_closure(vm, frame, proto, ip, n, &out));
            r[ins.a] = out;
            ip += n;
            break;
        }
        case SG_BC_CAPTURE:
        L_CAPTURE:
            break;
        case SG_BC_METHOD:
        L_METHOD:
            TRY(sg_exec_add_method(vm, &r[ins.a], ins.b));
            break;
        case SG_BC_NEW_FUNCTION:
        L_NEW_FUNCTION : {
            SAVE();
            sg_function *function = sg_function_make(vm, k[ins.x].sym);
            if (!function)
                goto failed_memory;
            r[ins.a] = sg_object(function);
            break;
        }
        case SG_BC_FUNCTION:
        L_FUNCTION : {
            sg_value out = sg_undef();
            TRY(sg_exec_global_function(vm, (sg_cell *)k[ins.x].o, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_EXTEND:
        L_EXTEND : {
            sg_value out = sg_undef();
            TRY(sg_exec_function_of(vm, r[ins.b], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_CALLER:
        L_CALLER : {
            sg_value out = sg_undef();
            TRY(sg_exec_caller(vm, r[ins.b], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_CONVERT:
        L_CONVERT : {
            sg_value out = sg_undef();
            if (!sg_is(r[ins.b], SG_OBJ_TYPE))
                TRY(sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                             "what stands behind '::' is not a type"));
            if (!((const sg_type *)r[ins.b].o)->wide &&
                sg_isa(vm, r[ins.a], (const sg_type *)r[ins.b].o))
                break;
            TRY_VALUE(vm->hooks->convert(vm, (const sg_type *)r[ins.b].o, r[ins.a], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_NEW:
        L_NEW : {
            sg_value out = sg_undef();
            if (!sg_is(r[ins.a], SG_OBJ_TYPE))
                TRY(sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0}, "new needs a struct type"));
            TRY(sg_struct_new(vm, (sg_type *)r[ins.a].o, &r[ins.a + 1], ins.b, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_CALLED:
        L_CALLED:
            TRY(sg_exec_called_type(vm, frame, ins.b, &r[ins.a]));
            break;
        case SG_BC_REQUIRE:
        L_REQUIRE:
            if (r[ins.a].tag == SG_UNDEF)
                TRY(sg_raise(vm, "UndefKeywordError", SG_E_KEYWORD, (sg_span){0},
                             "keyword argument '%s' of %s has no default value and must be given",
                             sg_vm_text(vm, k[ins.x].sym), sg_vm_text(vm, frame->proto->name)));
            break;
        case SG_BC_DESTRUCT:
        L_DESTRUCT:
            TRY(sg_exec_destructure(vm, &r[ins.a], ins.b, r[ins.c]));
            break;
        case SG_BC_CAUGHT:
        L_CAUGHT : {
            sg_value e = r[ins.b];
            bool carries = sg_is(e, SG_OBJ_EXCEPTION) && e.o->flags == 1;
            r[ins.a] = carries ? ((sg_exception *)e.o)->payload : e;
            break;
        }
        case SG_BC_THROW:
        L_THROW:
            SAVE();
            TRY(sg_throw(vm, r[ins.a], sg_vm_where(vm)));
            break;
        case SG_BC_RETHROW:
        L_RETHROW:
            SAVE();
            vm->exception = r[ins.a];
            status = SG_ERR_MODEL;
            goto failed;
        case SG_BC_COUNT:
            break;
        }
        continue;

    failed_call:
    failed_memory:
        status = SG_ERR_MODEL; // the pending exception knows better
    failed:
        if (!unwind(vm, &status))
            return status;
        goto reload;
    }
}
