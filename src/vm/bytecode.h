// Bytecode of the script language.
//
// A register machine: instructions of eight bytes name registers of the frame or constants.
// Frames lie on one contiguous stack, arguments are where the callee expects its parameters, and
// numbers are computed in place, so a function of numbers allocates nothing. The numeric program
// that equations compile to is another thing (program/program.h): it has no tags.
#pragma once

#include "vm/function.h"
#include "vm/value.h"

typedef enum sg_bc {
#define SG_BC(name, text) SG_BC_##name,
#include "vm/bytecode_ops.h"
#undef SG_BC
    SG_BC_COUNT
} sg_bc;

enum { SG_RK = 0x8000, SG_MAX_REGS = 0x7000 };

typedef struct sg_instr {
    uint16_t op, a;
    union {
        struct {
            uint16_t b, c;
        };
        int32_t x;
    };
} sg_instr;

typedef struct sg_handler {
    uint32_t from, to; // instructions [from, to)
    uint32_t target;
    uint16_t reg; // receives the exception
} sg_handler;

typedef struct sg_proto {
    sg_obj head;
    sg_sym name;
    sg_module *module;
    sg_instr *code;
    sg_span *spans; // one for each instruction
    uint32_t n_code;
    sg_value *constants;
    uint32_t n_constants;
    sg_handler *handlers; // inner ones first
    uint32_t n_handlers;
    uint16_t n_regs;
    uint16_t n_params;    // positional, with the one that takes the rest
    uint16_t n_required;  //
    uint16_t n_kw;        // keyword parameters, in the registers behind the positional ones
    bool varargs, kwrest; // kwrest: one more register takes unknown keywords as a dictionary
    sg_sym *kw_names;
    // For those who want to know what a function computes (model/body.h). Both are null when the
    // tree may go away before the function, or its result is converted.
    const struct sg_ast *tree;
    sg_sym *params; // n_params of them, null where a parameter is more than a name
} sg_proto;

// What BUILD makes.
typedef enum sg_build {
    SG_BUILD_VECTOR,      // [a, b]
    SG_BUILD_HCAT,        // [a b]
    SG_BUILD_VCAT,        // [a; b]
    SG_BUILD_HVCAT,       // [a b; c d]: the first item is a tuple with the lengths of the rows
    SG_BUILD_NCAT,        // extra is the dimension
    SG_BUILD_TYPED,       // T[a, b]: the first item is the type
    SG_BUILD_TYPED_CAT,   // the first item is the type, the second an array
    SG_BUILD_NAMED_TUPLE, // the first item is a dictionary
    SG_BUILD_STRING,      // interpolation
    SG_BUILD_QUOTE,       // the first item is the quote, then the values for its holes
    SG_BUILD_RESERVE,   // room in a list for the items of a range, so that a huge one fails at once
    SG_BUILD_COLLECT,   // a vector made by appending becomes as narrow as its elements allow
    SG_BUILD_RESHAPE,   // the vector, then lengths of the iterations of a comprehension
    SG_BUILD_TYPE,      // T{a, b}
    SG_BUILD_GENERATOR, // closure, collection, [filter]
    SG_BUILD_LENGTH,    // of an iterable, for END in an index: extra is the dimension + 1
    SG_BUILD_TYPE_VAR,  // name, bound
    SG_BUILD_TYPE_OF_PARAM, // value, index + 1 of a type parameter or 0
    SG_BUILD_STRUCT,        // lang/structs.c
    SG_BUILD_MACRO          // a named helper of lang/
} sg_build;

sg_proto *sg_proto_make(sg_vm *vm, sg_sym name, sg_module *module);
// Copies the lists into the proto; false after raising. There is at least one instruction.
bool sg_proto_fill(sg_vm *vm, sg_proto *proto, const sg_instr *code, const sg_span *spans,
                   uint32_t n_code, const sg_value *constants, uint32_t n_constants,
                   const sg_handler *handlers, uint32_t n_handlers);
void sg_proto_free(sg_vm *vm, sg_proto *proto);
// The place of the instruction before `ip`, which is the one that runs.
sg_span sg_proto_span(const sg_proto *proto, const sg_instr *ip);
