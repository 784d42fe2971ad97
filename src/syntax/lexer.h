// Text to tokens, one at a time and on demand.
//
// The parser asks for the next token and nothing is looked at ahead, because the meaning of a
// character can depend on the grammar: `'` is an adjoint or opens a character, and a string may
// hold code. The parser then moves `pos` itself. Implements language.md 1.1 to 1.4.
#pragma once

#include "base/diags.h"
#include "base/symbol.h"
#include "syntax/token.h"
#include "syntax/unicode.h"

// Short names seen before, so that most words of a text cost one comparison. A name of up to eight
// bytes is its own key.
typedef struct sg_name_cache {
    struct {
        uint64_t word;
        sg_sym sym;
        uint8_t kind, op;
    } slots[512];
} sg_name_cache;

typedef struct sg_lexer {
    const char *text; // `length` bytes of valid UTF-8 with a NUL behind
    uint32_t length;
    uint32_t pos;
    uint32_t file;
    sg_symbols *symbols;
    sg_diags *diags;
    bool mute;            // while skipping to the next statement, report nothing
    bool failed;          // a symbol could not be stored
    bool gave_up;         // the rest of the text is inside an unclosed comment
    sg_name_cache *cache; // may be null
    char name[64];        // room for the normalized form of a name
} sg_lexer;

// Reads the next token. A character that the language does not know is reported and comes back as
// SG_TOKEN_STOP; a number that cannot be represented is reported and comes back as 0.
sg_token sg_lex(sg_lexer *lexer);

// The length of the name at `pos`, 0 if none starts there.
uint32_t sg_lex_name_length(const sg_lexer *lexer, uint32_t pos);
// Interned in normalized form: OHM SIGN becomes Ω, MICRO SIGN becomes μ.
sg_sym sg_lex_intern(sg_lexer *lexer, uint32_t pos, uint32_t length);
// Whether the text reads as an ordinary name (not a keyword), so that printing it needs no quotes.
bool sg_is_plain_name(const char *text, size_t length);
// The operator with this spelling, or SG_TOKEN_OP_COUNT.
sg_token_op sg_op_find(const char *text, size_t length);
const char *sg_token_kind_text(sg_token_kind kind);
