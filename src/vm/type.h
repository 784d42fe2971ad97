// Types of the language: what typeof answers, what methods are chosen by.
//
// Types form a tree under Any. A parametric type applied to parameters (Vector{Float64}) is
// interned, so equal types are one object. The immediate values of a type are found by a bit mask
// of tags, so the common test costs a shift.
//
// Implements the types that language.md 2.1 and 2.3 need.
#pragma once

#include "vm/value.h"

// SG_TYPE(name, parent, abstract)
#define SG_TYPES(X)                                                                                \
    X(Any, Any, true)                                                                              \
    X(Number, Any, true)                                                                           \
    X(Real, Number, true)                                                                          \
    X(Integer, Real, true)                                                                         \
    X(Signed, Integer, true)                                                                       \
    X(Unsigned, Integer, true)                                                                     \
    X(AbstractFloat, Real, true)                                                                   \
    X(AbstractIrrational, Real, true)                                                              \
    X(Bool, Integer, false)                                                                        \
    X(Int64, Signed, false)                                                                        \
    X(Float64, AbstractFloat, false)                                                               \
    X(Float32, AbstractFloat, false)                                                               \
    X(Quantity, Number, false)                                                                     \
    X(Units, Any, false)                                                                           \
    X(Complex, Number, false)                                                                      \
    X(Rational, Real, false)                                                                       \
    X(Nothing, Any, false)                                                                         \
    X(Missing, Any, false)                                                                         \
    X(AbstractChar, Any, true)                                                                     \
    X(Char, AbstractChar, false)                                                                   \
    X(AbstractString, Any, true)                                                                   \
    X(String, AbstractString, false)                                                               \
    X(Symbol, Any, false)                                                                          \
    X(Expr, Any, false)                                                                            \
    X(QuoteNode, Any, false)                                                                       \
    X(LineNumberNode, Any, false)                                                                  \
    X(AbstractArray, Any, true)                                                                    \
    X(AbstractVector, AbstractArray, true)                                                         \
    X(AbstractMatrix, AbstractArray, true)                                                         \
    X(Array, AbstractArray, false)                                                                 \
    X(Vector, Array, false)                                                                        \
    X(Matrix, Array, false)                                                                        \
    X(StaticArray, AbstractArray, true)                                                            \
    X(SVector, StaticArray, false)                                                                 \
    X(SMatrix, StaticArray, false)                                                                 \
    X(SArray, StaticArray, false)                                                                  \
    X(MVector, StaticArray, false)                                                                 \
    X(MMatrix, StaticArray, false)                                                                 \
    X(AbstractRange, AbstractVector, true)                                                         \
    X(UnitRange, AbstractRange, false)                                                             \
    X(StepRange, AbstractRange, false)                                                             \
    X(StepRangeLen, AbstractRange, false)                                                          \
    X(LinRange, AbstractRange, false)                                                              \
    X(Tuple, Any, false)                                                                           \
    X(NamedTuple, Any, false)                                                                      \
    X(Pair, Any, false)                                                                            \
    X(AbstractDict, Any, true)                                                                     \
    X(Dict, AbstractDict, false)                                                                   \
    X(OrderedDict, AbstractDict, false)                                                            \
    X(Set, Any, false)                                                                             \
    X(Function, Any, true)                                                                         \
    X(Type, Any, true)                                                                             \
    X(DataType, Type, false)                                                                       \
    X(UnionType, Type, false)                                                                      \
    X(Union, Any, true)                                                                            \
    X(Module, Any, false)                                                                          \
    X(Val, Any, false)                                                                             \
    X(Ref, Any, false)                                                                             \
    X(Enum, Any, true)                                                                             \
    X(Colon, Any, false)                                                                           \
    X(IO, Any, true)                                                                               \
    X(Exception, Any, true)                                                                        \
    X(ErrorException, Exception, false)                                                            \
    X(ArgumentError, Exception, false)                                                             \
    X(AssertionError, Exception, false)                                                            \
    X(BoundsError, Exception, false)                                                               \
    X(DimensionMismatch, Exception, false)                                                         \
    X(DimensionError, Exception, false)                                                            \
    X(DivideError, Exception, false)                                                               \
    X(DomainError, Exception, false)                                                               \
    X(InexactError, Exception, false)                                                              \
    X(KeyError, Exception, false)                                                                  \
    X(LoadError, Exception, false)                                                                 \
    X(MethodError, Exception, false)                                                               \
    X(OverflowError, Exception, false)                                                             \
    X(SingularException, Exception, false)                                                         \
    X(StackOverflowError, Exception, false)                                                        \
    X(SystemError, Exception, false)                                                               \
    X(TypeError, Exception, false)                                                                 \
    X(UndefKeywordError, Exception, false)                                                         \
    X(UndefRefError, Exception, false)                                                             \
    X(UndefVarError, Exception, false)                                                             \
    X(InterruptException, Exception, false)

typedef struct sg_types {
#define SG_TYPE_FIELD(name, parent, abstract_) sg_type *name;
    SG_TYPES(SG_TYPE_FIELD)
#undef SG_TYPE_FIELD
    // Applied types that typeof needs often; the rest is in the table of interned ones.
    sg_type *arrays[4][SG_MAX_DIMS + 1]; // by sg_elem and number of dimensions
} sg_types;

// Makes the built-in types and binds their names in `module`. False when memory ran out.
bool sg_types_init(sg_vm *vm);

sg_type *sg_type_make(sg_vm *vm, sg_sym name, sg_type *parent, bool is_abstract);
// generic{params...}, interned. Null when memory ran out.
sg_type *sg_type_apply(sg_vm *vm, sg_type *generic, const sg_value *params, uint32_t n);
sg_type *sg_type_union(sg_vm *vm, sg_type *const *members, uint32_t n);
sg_type *sg_type_var(sg_vm *vm, sg_sym name, sg_type *bound);

sg_type *sg_typeof(sg_vm *vm, sg_value value); // null only when memory ran out
bool sg_isa(sg_vm *vm, sg_value value, const sg_type *type);
// A type of quantities in a certain unit. All quantities are instances of it (units do not take
// part in dispatch), but fields of that type convert what they are given.
bool sg_type_has_unit(const sg_vm *vm, const sg_type *type);
// The type that values have: Int64 for Int32.
static inline const sg_type *sg_type_wide(const sg_type *type)
{
    return type->wide ? type->wide : type;
}

bool sg_subtype(const sg_type *a, const sg_type *b);
void sg_type_print(sg_vm *vm, const sg_type *type, sg_buf *out);
// The element type of an array, as eltype answers.
sg_type *sg_array_eltype(sg_vm *vm, const sg_array *array);
