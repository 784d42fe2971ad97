// Tokens. Operators share one token kind and are told apart by an index into the operator table;
// the broadcast form `.+` and the assignment form `+=` are the same operator with a flag, so each
// operator is listed once (syntax/operators.h).
//
// There is no newline token. Whether a newline ends an expression depends on the brackets around
// it, so every token remembers what stood before it and the parser decides.
#pragma once

#include "base/symbol.h"

#include <stdint.h>

typedef enum sg_token_kind {
    SG_TOKEN_EOF,
    SG_TOKEN_STOP, // stands in the way after a mistake, until the parser has recovered
    SG_TOKEN_INT,
    SG_TOKEN_FLOAT,
    SG_TOKEN_FLOAT32,
    SG_TOKEN_NAME,
    SG_TOKEN_STRING, // only the opening quotes; the parser reads on, since text can hold code
    SG_TOKEN_TICK,   // ' : a character literal or an adjoint
    SG_TOKEN_LPAREN,
    SG_TOKEN_RPAREN,
    SG_TOKEN_LBRACKET,
    SG_TOKEN_RBRACKET,
    SG_TOKEN_LBRACE,
    SG_TOKEN_RBRACE,
    SG_TOKEN_COMMA,
    SG_TOKEN_SEMICOLON,
    SG_TOKEN_COLON,
    SG_TOKEN_DECLARE, // ::
    SG_TOKEN_DOT,
    SG_TOKEN_AT,
    SG_TOKEN_DOLLAR,
    SG_TOKEN_QUESTION,
    SG_TOKEN_ARROW,    // ->
    SG_TOKEN_ELLIPSIS, // ...
    SG_TOKEN_ASSIGN,   // = and .=
    SG_TOKEN_OPASSIGN, // += and the like, .+= too
    SG_TOKEN_OP,
#define SG_KEYWORD(name, text) SG_TOKEN_##name,
#include "syntax/keywords.h"
#undef SG_KEYWORD
    SG_TOKEN_COUNT
} sg_token_kind;

typedef enum sg_token_op {
#define SG_OP(name, text, canonical, prec, flags) SG_TOKEN_OP_##name,
#include "syntax/operators.h"
#undef SG_OP
    SG_TOKEN_OP_COUNT
} sg_token_op;

// Binding strength, low to high (language.md 1.4).
typedef enum sg_prec {
    SG_PREC_NONE, // never between two operands
    SG_PREC_ASSIGN,
    SG_PREC_PAIR,
    SG_PREC_COND,
    SG_PREC_OR,
    SG_PREC_AND,
    SG_PREC_COMPARE,
    SG_PREC_PIPE,
    SG_PREC_RANGE,
    SG_PREC_SUM,
    SG_PREC_PRODUCT,
    SG_PREC_RATIONAL,
    SG_PREC_SHIFT,
    SG_PREC_UNARY,
    SG_PREC_JUXT,
    SG_PREC_POWER,
    SG_PREC_DECLARE,
    SG_PREC_POSTFIX,
    SG_PREC_ATOM
} sg_prec;

// flags of an operator
enum {
    SG_TOKEN_OP_UNARY = 1,     // may stand before its operand
    SG_TOKEN_OP_NARY = 2,      // a + b + c is one node
    SG_TOKEN_OP_CAN_ASSIGN = 4 // += exists
};

typedef struct sg_token_op_info {
    const char *text;      // as written
    const char *canonical; // the name in the tree: ≤ is <=
    uint8_t prec;
    uint8_t flags;
} sg_token_op_info;

extern const sg_token_op_info sg_op_table[SG_TOKEN_OP_COUNT];

// flags of a token
enum {
    SG_TOKEN_BLANK = 1,   // white space, a comment or a newline stands before it
    SG_TOKEN_NEWLINE = 2, // a newline stands before it
    SG_TOKEN_DOTTED = 4   // the broadcast form of an operator
};

typedef struct sg_token {
    uint8_t kind;
    uint8_t op; // OP, OPASSIGN
    uint8_t flags;
    uint32_t first, last; // bytes
    union {
        sg_sym sym; // NAME
        int64_t i;
        double d;
    };
} sg_token;
