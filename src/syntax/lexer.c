#include "syntax/lexer.h"

#include "base/assert.h"
#include "base/digits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const sg_token_op_info sg_op_table[SG_TOKEN_OP_COUNT] = {
#define SG_OP(name, text, canonical, prec, flags) {text, canonical, prec, flags},
#include "syntax/operators.h"
#undef SG_OP
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool in_range(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

// ---- names ---------------------------------------------------------------------------------

uint32_t sg_lex_name_length(const sg_lexer *lexer, uint32_t pos)
{
    const char *text = lexer->text;
    uint32_t at = pos, size;
    if (at >= lexer->length || !sg_is_name_start(sg_utf8_decode(text + at, &size)))
        return 0;
    for (;;) {
        while (sg_is_char(text[at], SG_CHAR_NAME | SG_CHAR_DIGIT))
            at++;
        if (text[at] == '!') {
            // a!=b compares; simulate! is a name.
            if (text[at + 1] == '=')
                break;
            at++;
        } else if ((unsigned char)text[at] >= 0x80) {
            if (!sg_is_name_part(sg_utf8_decode(text + at, &size)))
                break;
            at += size;
        } else {
            break;
        }
    }
    return at - pos;
}

// Composed form of the code points whose normal form is another single code point and that are
// found in units and formulas.
static uint32_t normalize(uint32_t code)
{
    switch (code) {
    case 0x2126:
        return 0x3a9; // OHM SIGN
    case 0xb5:
        return 0x3bc; // MICRO SIGN
    case 0x212a:
        return 'K'; // KELVIN SIGN
    case 0x212b:
        return 0xc5; // ANGSTROM SIGN
    case 0x25b:
        return 0x3b5; // LATIN SMALL LETTER OPEN E, as Julia does
    default:
        return code;
    }
}

// A letter followed by a combining mark, as keyboards of some systems write ä. Only the common
// Latin ones; others stay as they are.
static uint32_t compose(uint32_t base, uint32_t mark)
{
    static const struct {
        uint16_t mark;
        char from[26];
        uint16_t to[26];
    } table[] = {
        {0x300, "AEIOUaeiou", {0xc0, 0xc8, 0xcc, 0xd2, 0xd9, 0xe0, 0xe8, 0xec, 0xf2, 0xf9}},
        {0x301,
         "AEIOUYaeiouy",
         {0xc1, 0xc9, 0xcd, 0xd3, 0xda, 0xdd, 0xe1, 0xe9, 0xed, 0xf3, 0xfa, 0xfd}},
        {0x302, "AEIOUaeiou", {0xc2, 0xca, 0xce, 0xd4, 0xdb, 0xe2, 0xea, 0xee, 0xf4, 0xfb}},
        {0x303, "ANOano", {0xc3, 0xd1, 0xd5, 0xe3, 0xf1, 0xf5}},
        {0x308, "AEIOUaeiouy", {0xc4, 0xcb, 0xcf, 0xd6, 0xdc, 0xe4, 0xeb, 0xef, 0xf6, 0xfc, 0xff}},
        {0x30a, "Aa", {0xc5, 0xe5}},
        {0x327, "Cc", {0xc7, 0xe7}},
    };
    for (size_t i = 0; i < SG_COUNT(table) && base < 128; i++) {
        const char *found = table[i].mark == mark ? strchr(table[i].from, (int)base) : NULL;
        if (found && *found)
            return table[i].to[found - table[i].from];
    }
    return 0;
}

sg_sym sg_lex_intern(sg_lexer *lexer, uint32_t pos, uint32_t length)
{
    const char *text = lexer->text + pos;
    char *name = lexer->name;
    bool plain = true;
    for (uint32_t i = 0; i < length && plain; i++)
        plain = (unsigned char)text[i] < 0x80;
    sg_sym sym;
    if (plain || length + 4 > sizeof lexer->name) {
        sym = sg_sym_intern(lexer->symbols, text, length);
    } else {
        uint32_t size, n = 0, last = 0, last_at = 0;
        for (uint32_t i = 0; i < length; i += size) {
            uint32_t code = normalize(sg_utf8_decode(text + i, &size));
            uint32_t both = n ? compose(last, code) : 0;
            if (both) {
                code = both;
                n = last_at;
            }
            last = code;
            last_at = n;
            n += sg_utf8_encode(code, name + n);
        }
        sym = sg_sym_intern(lexer->symbols, name, n);
    }
    if (!sym.i)
        lexer->failed = true;
    return sym;
}

typedef struct keyword {
    uint8_t kind;
    const char *text;
} keyword;

// Keywords have 2 to 8 letters, all small; few names get past the first letters.
static sg_token_kind find_keyword(const char *text, size_t length)
{
    static const keyword keywords[] = {
#define SG_KEYWORD(name, text) {SG_TOKEN_##name, text},
#include "syntax/keywords.h"
#undef SG_KEYWORD
    };
    // First index in the (sorted) list for each letter.
    static const uint8_t start[27] = {0,  0,  2,  5,  6,  10, 14, 15, 15, 17, 17, 17, 19, 21,
                                      21, 21, 21, 22, 23, 24, 26, 27, 27, 29, 29, 29, 29};
    if (length < 2 || length > 8 || text[0] < 'a' || text[0] > 'z')
        return SG_TOKEN_NAME;
    for (size_t i = start[text[0] - 'a']; i < start[text[0] - 'a' + 1]; i++)
        if (strncmp(keywords[i].text, text, length) == 0 && !keywords[i].text[length])
            return keywords[i].kind;
    return SG_TOKEN_NAME;
}

static sg_token_op word_operator(const char *text, size_t length)
{
    if (length == 2 && text[0] == 'i' && text[1] == 'n')
        return SG_TOKEN_OP_IN;
    if (length == 3 && memcmp(text, "isa", 3) == 0)
        return SG_TOKEN_OP_ISA;
    return SG_TOKEN_OP_COUNT;
}

bool sg_is_plain_name(const char *text, size_t length)
{
    sg_lexer lexer = {.text = text, .length = (uint32_t)length};
    return length && sg_lex_name_length(&lexer, 0) == length &&
           find_keyword(text, length) == SG_TOKEN_NAME &&
           word_operator(text, length) == SG_TOKEN_OP_COUNT;
}

// A keyword, an operator that is a word, or a name.
static void classify_name(sg_lexer *lexer, sg_token *token)
{
    uint32_t pos = token->first, length = token->last - pos;
    token->kind = (uint8_t)find_keyword(lexer->text + pos, length);
    if (token->kind != SG_TOKEN_NAME)
        return;
    sg_token_op op = word_operator(lexer->text + pos, length);
    if (op != SG_TOKEN_OP_COUNT) {
        token->kind = SG_TOKEN_OP;
        token->op = (uint8_t)op;
        return;
    }
    token->sym = sg_lex_intern(lexer, pos, length);
}

static void lex_name(sg_lexer *lexer, sg_token *token)
{
    uint32_t pos = lexer->pos, at = pos;
    const char *text = lexer->text;
    while (sg_is_char(text[at], SG_CHAR_NAME | SG_CHAR_DIGIT))
        at++;
    bool plain = true;
    if (text[at] == '!' || (unsigned char)text[at] >= 0x80) {
        at = pos + sg_lex_name_length(lexer, pos);
        plain = false;
    }
    uint32_t length = at - pos;
    lexer->pos = token->last = at;
    if (!plain || length > 8 || !lexer->cache || lexer->length - pos < 8) {
        classify_name(lexer, token);
        return;
    }
    uint64_t word = 0;
    memcpy(&word, text + pos, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word &= UINT64_MAX >> (64 - 8 * length);
#else
    word &= UINT64_MAX << (64 - 8 * length);
#endif
    size_t slot = (size_t)((word * 0x9e3779b97f4a7c15ULL) >> 55);
    if (lexer->cache->slots[slot].word == word) {
        token->kind = lexer->cache->slots[slot].kind;
        token->op = lexer->cache->slots[slot].op;
        token->sym = lexer->cache->slots[slot].sym;
        return;
    }
    classify_name(lexer, token);
    lexer->cache->slots[slot].word = word;
    lexer->cache->slots[slot].kind = token->kind;
    lexer->cache->slots[slot].op = token->op;
    lexer->cache->slots[slot].sym = token->sym;
}

// ---- numbers -------------------------------------------------------------------------------

static sg_span span_of(const sg_lexer *lexer, uint32_t first, uint32_t last)
{
    return (sg_span){lexer->file, first, last};
}

static void report(sg_lexer *lexer, sg_code code, sg_span span, const char *message)
{
    if (!lexer->mute)
        sg_error(lexer->diags, code, span, "%s", message);
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

// 0xff, 0o17, 0b1010
static void lex_based(sg_lexer *lexer, sg_token *token, int base)
{
    uint32_t at = lexer->pos + 2;
    const char *text = lexer->text;
    uint64_t value = 0;
    bool big = false, any = false;
    for (;; at++) {
        if (text[at] == '_' && digit_value(text[at + 1]) < base)
            continue;
        int digit = digit_value(text[at]);
        if (digit >= base)
            break;
        any = true;
        big = big || value > ((uint64_t)INT64_MAX - (uint64_t)digit) / (uint64_t)base;
        value = value * (uint64_t)base + (uint64_t)digit;
    }
    token->kind = SG_TOKEN_INT;
    token->i = big ? 0 : (int64_t)value;
    lexer->pos = token->last = at;
    if (!any)
        report(lexer, SG_E_TOKEN, span_of(lexer, token->first, at),
               "digits are missing behind this prefix");
    else if (big)
        report(lexer, SG_E_TOKEN, span_of(lexer, token->first, at),
               "this integer is larger than 0x7fffffffffffffff, the largest one");
}

// The exact power of ten; products and quotients with exact operands round once.
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double read_double(const char *text, uint32_t length, uint64_t digits, bool exact, int exp10)
{
    if (exact && digits <= (1ULL << 53) && exp10 >= -22 && exp10 <= 22)
        return exp10 < 0 ? (double)digits / powers[-exp10] : (double)digits * powers[exp10];
    char copy[SG_NUMBER_LONGEST + 1];
    uint32_t n = 0;
    for (uint32_t i = 0; i < length && n < SG_NUMBER_LONGEST; i++)
        if (text[i] != '_')
            copy[n++] = text[i] == 'f' ? 'e' : text[i];
    double value = NAN;
    sg_number_parse(copy, n, &value);
    return value;
}

// Whether the '.' behind digits begins a fraction; else it belongs to an operator like `.*`, to a
// field or to `..`.
static bool dot_is_fraction(const char *dot)
{
    char c = dot[1];
    if (is_digit(c))
        return true;
    if (c == '.' || c == '(' || c == '\'' || sg_is_char(c, SG_CHAR_OP) || (unsigned char)c >= 0x80)
        return false;
    if ((c == 'e' || c == 'E') &&
        (is_digit(dot[2]) || ((dot[2] == '-' || dot[2] == '+') && is_digit(dot[3]))))
        return true;
    return !sg_is_char(c, SG_CHAR_NAME);
}

typedef struct number {
    uint64_t digits; // the leading ones
    int n_digits;    // significant ones in `digits`
    int exp10;
    bool exact;
} number;

static uint32_t lex_digits(const char *text, uint32_t at, number *n, bool fraction)
{
    for (;; at++) {
        if (text[at] == '_' && is_digit(text[at + 1]))
            continue;
        if (!is_digit(text[at]))
            return at;
        int digit = text[at] - '0';
        if (n->n_digits < 19) {
            n->digits = n->digits * 10 + (uint64_t)digit;
            n->n_digits += n->digits != 0;
            n->exp10 -= fraction;
        } else {
            n->exact = false;
        }
    }
}

// Behind the digits: e5, E-3, f0.
static uint32_t lex_exponent(const char *text, uint32_t at, number *n, bool *single)
{
    if (text[at] != 'e' && text[at] != 'E' && text[at] != 'f')
        return at;
    uint32_t d = at + 1;
    bool negative = text[d] == '-';
    d += text[d] == '-' || text[d] == '+';
    if (!is_digit(text[d]))
        return at;
    *single = text[at] == 'f';
    int value = 0;
    for (; is_digit(text[d]); d++)
        value = value < 100000 ? value * 10 + (text[d] - '0') : value;
    n->exp10 += negative ? -value : value;
    return d;
}

static void lex_number(sg_lexer *lexer, sg_token *token)
{
    const char *text = lexer->text;
    uint32_t at = lexer->pos;
    if (text[at] == '0') {
        int base = text[at + 1] == 'x' ? 16 : text[at + 1] == 'o' ? 8 : text[at + 1] == 'b' ? 2 : 0;
        if (base && (digit_value(text[at + 2]) < base || base == 16)) {
            lex_based(lexer, token, base);
            return;
        }
    }
    number n = {.exact = true};
    bool is_float = false, single = false;
    at = lex_digits(text, at, &n, false);
    if (text[at] == '.' && dot_is_fraction(text + at)) {
        is_float = true;
        at = lex_digits(text, at + 1, &n, true);
    }
    uint32_t end = lex_exponent(text, at, &n, &single);
    is_float = is_float || end != at;
    uint32_t length = end - token->first;
    lexer->pos = token->last = end;
    sg_span span = span_of(lexer, token->first, end);
    if (length > SG_NUMBER_LONGEST) {
        token->kind = is_float ? SG_TOKEN_FLOAT : SG_TOKEN_INT;
        token->i = 0;
        report(lexer, SG_E_TOKEN, span, "a number of more than 1000 characters");
    } else if (is_float) {
        token->kind = single ? SG_TOKEN_FLOAT32 : SG_TOKEN_FLOAT;
        token->d = read_double(text + token->first, length, n.digits, n.exact, n.exp10);
        if (single)
            token->d = (double)(float)token->d;
        if (token->d > 1.7976931348623157e308)
            report(lexer, SG_E_TOKEN, span,
                   single ? "this number is larger than a Float32 can be (3.4e38)"
                          : "this number is larger than a Float64 can be (1.8e308); write Inf "
                            "for infinity");
    } else {
        token->kind = SG_TOKEN_INT;
        token->i = (int64_t)n.digits;
        // One more than the largest is kept for the parser: -9223372036854775808 is an integer.
        if (!n.exact || n.digits > (uint64_t)INT64_MAX + 1) {
            token->i = 0;
            report(lexer, SG_E_TOKEN, span,
                   "this integer is larger than 9223372036854775807, the largest one; append "
                   "'.0' for a floating-point number");
        }
    }
}

// ---- operators -----------------------------------------------------------------------------

sg_token_op sg_op_find(const char *text, size_t length)
{
    for (int i = 0; i < SG_TOKEN_OP_COUNT; i++)
        if (strncmp(sg_op_table[i].text, text, length) == 0 && !sg_op_table[i].text[length])
            return (sg_token_op)i;
    return SG_TOKEN_OP_COUNT;
}

static sg_token_op ascii_operator(const char *t, uint32_t *length)
{
    *length = 2;
    switch (t[0]) {
    case '+':
        return *length = 1, SG_TOKEN_OP_PLUS;
    case '-':
        return *length = 1, SG_TOKEN_OP_MINUS;
    case '*':
        return *length = 1, SG_TOKEN_OP_TIMES;
    case '/':
        if (t[1] == '/')
            return SG_TOKEN_OP_RATIONAL;
        return *length = 1, SG_TOKEN_OP_DIVIDE;
    case '\\':
        return *length = 1, SG_TOKEN_OP_LDIVIDE;
    case '%':
        return *length = 1, SG_TOKEN_OP_REM;
    case '^':
        return *length = 1, SG_TOKEN_OP_POWER;
    case '~':
        return *length = 1, SG_TOKEN_OP_TILDE;
    case '&':
        if (t[1] == '&')
            return SG_TOKEN_OP_AND;
        return *length = 1, SG_TOKEN_OP_AMP;
    case '|':
        if (t[1] == '|')
            return SG_TOKEN_OP_OR;
        if (t[1] == '>')
            return SG_TOKEN_OP_PIPE;
        return *length = 1, SG_TOKEN_OP_BAR;
    case '<':
        if (t[1] == '=')
            return SG_TOKEN_OP_LE;
        if (t[1] == ':')
            return SG_TOKEN_OP_SUBTYPE;
        if (t[1] == '<')
            return SG_TOKEN_OP_SHL;
        return *length = 1, SG_TOKEN_OP_LT;
    case '>':
        if (t[1] == '=')
            return SG_TOKEN_OP_GE;
        if (t[1] == ':')
            return SG_TOKEN_OP_SUPERTYPE;
        if (t[1] == '>' && t[2] == '>')
            return *length = 3, SG_TOKEN_OP_USHR;
        if (t[1] == '>')
            return SG_TOKEN_OP_SHR;
        return *length = 1, SG_TOKEN_OP_GT;
    case '=':
        if (t[1] == '=' && t[2] == '=')
            return *length = 3, SG_TOKEN_OP_SAME;
        if (t[1] == '=')
            return SG_TOKEN_OP_EQ;
        if (t[1] == '>')
            return SG_TOKEN_OP_PAIR;
        break;
    case '!':
        if (t[1] == '=' && t[2] == '=')
            return *length = 3, SG_TOKEN_OP_NOT_SAME;
        if (t[1] == '=')
            return SG_TOKEN_OP_NE;
        return *length = 1, SG_TOKEN_OP_NOT;
    default:
        break;
    }
    return SG_TOKEN_OP_COUNT;
}

static sg_token_op match_operator(const char *t, uint32_t *length)
{
    if ((unsigned char)t[0] < 0x80)
        return ascii_operator(t, length);
    sg_utf8_decode(t, length);
    return sg_op_find(t, *length);
}

// At an operator, or at the '.' before one. False if there is none.
static bool lex_operator(sg_lexer *lexer, sg_token *token)
{
    const char *text = lexer->text;
    uint32_t at = lexer->pos, length = 0;
    if (text[at] == '.') {
        token->flags |= SG_TOKEN_DOTTED;
        at++;
    }
    sg_token_op op = match_operator(text + at, &length);
    if (op == SG_TOKEN_OP_COUNT) {
        if (text[at] != '=') {
            token->flags &= (uint8_t)~SG_TOKEN_DOTTED;
            return false;
        }
        token->kind = SG_TOKEN_ASSIGN;
        lexer->pos = token->last = at + 1;
        return true;
    }
    at += length;
    token->kind = SG_TOKEN_OP;
    token->op = (uint8_t)op;
    if (op == SG_TOKEN_OP_MINUS && text[at] == '>' && !(token->flags & SG_TOKEN_DOTTED)) {
        token->kind = SG_TOKEN_ARROW;
        at++;
    } else if ((sg_op_table[op].flags & SG_TOKEN_OP_CAN_ASSIGN) && text[at] == '=' &&
               (text[at + 1] != '=' || text[at + 2] == '=')) {
        token->kind = SG_TOKEN_OPASSIGN;
        at++;
    }
    lexer->pos = token->last = at;
    return true;
}

// ---- the whole -----------------------------------------------------------------------------

// At '#='; comments nest. False when it does not end.
static bool skip_block_comment(sg_lexer *lexer, bool *newline)
{
    uint32_t at = lexer->pos + 2, open = lexer->pos;
    const char *text = lexer->text;
    for (uint32_t depth = 1; depth;) {
        if (at >= lexer->length) {
            report(lexer, SG_E_UNTERMINATED, span_of(lexer, open, open + 2),
                   "this comment is not closed; '=#' is missing");
            lexer->pos = lexer->length;
            lexer->gave_up = true;
            return false;
        }
        if (text[at] == '#' && text[at + 1] == '=') {
            depth++;
            at += 2;
        } else if (text[at] == '=' && text[at + 1] == '#') {
            depth--;
            at += 2;
        } else {
            *newline = *newline || text[at] == '\n';
            at++;
        }
    }
    lexer->pos = at;
    return true;
}

static uint8_t skip_blanks(sg_lexer *lexer)
{
    const char *text = lexer->text;
    uint32_t start = lexer->pos, at = start;
    bool newline = false;
    for (;;) {
        while (text[at] == ' ')
            at++;
        char c = text[at];
        if (c == '\n') {
            newline = true;
            at++;
        } else if (c == '#' && text[at + 1] == '=') {
            lexer->pos = at;
            bool closed = skip_block_comment(lexer, &newline);
            at = lexer->pos;
            if (!closed)
                break;
        } else if (c == '#') {
            const char *end = memchr(text + at, '\n', (size_t)(lexer->length - at));
            at = end ? (uint32_t)(end - text) : lexer->length;
        } else if (sg_is_char(c, SG_CHAR_BLANK)) {
            at++;
        } else {
            break;
        }
    }
    lexer->pos = at;
    if (start == 0 || newline)
        return SG_TOKEN_BLANK | SG_TOKEN_NEWLINE;
    return at != start ? SG_TOKEN_BLANK : 0;
}

static void lex_unknown(sg_lexer *lexer, sg_token *token)
{
    uint32_t size;
    uint32_t code = sg_utf8_decode(lexer->text + lexer->pos, &size);
    token->kind = SG_TOKEN_STOP;
    lexer->pos = token->last = lexer->pos + size;
    if (lexer->mute)
        return;
    sg_span span = span_of(lexer, token->first, token->last);
    if (code < 0x20 || code == 0x7f)
        sg_error(lexer->diags, SG_E_TOKEN, span, "a control character (code %u) in the text",
                 (unsigned)code);
    else if (in_range(code, 0x2018, 0x201f))
        sg_error(lexer->diags, SG_E_TOKEN, span,
                 "a typographic quote; strings are written with plain \" quotes");
    else if (code == 0xa0 || in_range(code, 0x2000, 0x200f) || code == 0xfeff || code == 0x3000)
        sg_error(lexer->diags, SG_E_TOKEN, span,
                 "an invisible character (U+%04X); replace it by a blank", (unsigned)code);
    else if (in_range(code, 0x2010, 0x2015) || code == 0x2212)
        sg_error(lexer->diags, SG_E_TOKEN, span, "a dash (U+%04X); minus is written '-'",
                 (unsigned)code);
    else
        sg_error(lexer->diags, SG_E_TOKEN, span, "'%.*s' has no meaning here", (int)size,
                 lexer->text + token->first);
}

static sg_token_kind punctuation(const char *t, uint32_t *length)
{
    *length = 1;
    switch (t[0]) {
    case '(':
        return SG_TOKEN_LPAREN;
    case ')':
        return SG_TOKEN_RPAREN;
    case '[':
        return SG_TOKEN_LBRACKET;
    case ']':
        return SG_TOKEN_RBRACKET;
    case '{':
        return SG_TOKEN_LBRACE;
    case '}':
        return SG_TOKEN_RBRACE;
    case ',':
        return SG_TOKEN_COMMA;
    case ';':
        return SG_TOKEN_SEMICOLON;
    case '"':
        return SG_TOKEN_STRING;
    case '\'':
        return SG_TOKEN_TICK;
    case '@':
        return SG_TOKEN_AT;
    case '$':
        return SG_TOKEN_DOLLAR;
    case '?':
        return SG_TOKEN_QUESTION;
    case ':':
        if (t[1] == ':')
            return *length = 2, SG_TOKEN_DECLARE;
        return SG_TOKEN_COLON;
    default:
        return SG_TOKEN_EOF;
    }
}

sg_token sg_lex(sg_lexer *lexer)
{
    sg_token token = {.flags = skip_blanks(lexer)};
    const char *text = lexer->text;
    token.first = token.last = lexer->pos;
    if (lexer->pos >= lexer->length) {
        token.kind = SG_TOKEN_EOF;
        return token;
    }
    char c = text[lexer->pos];
    uint32_t length;
    if (sg_is_char(c, SG_CHAR_NAME)) {
        lex_name(lexer, &token);
    } else if (is_digit(c) || (c == '.' && is_digit(text[lexer->pos + 1]))) {
        lex_number(lexer, &token);
    } else if ((token.kind = (uint8_t)punctuation(text + lexer->pos, &length)) != SG_TOKEN_EOF) {
        lexer->pos = token.last = lexer->pos + length;
    } else if (c == '.' && text[lexer->pos + 1] == '.' && text[lexer->pos + 2] == '.') {
        token.kind = SG_TOKEN_ELLIPSIS;
        lexer->pos = token.last = lexer->pos + 3;
    } else if (lex_operator(lexer, &token)) {
        // done there
    } else if (c == '.') {
        token.kind = SG_TOKEN_DOT;
        lexer->pos = token.last = lexer->pos + 1;
    } else if (sg_lex_name_length(lexer, lexer->pos)) {
        lex_name(lexer, &token);
    } else {
        lex_unknown(lexer, &token);
    }
    return token;
}

const char *sg_token_kind_text(sg_token_kind kind)
{
    static const char *const texts[SG_TOKEN_COUNT] = {
        [SG_TOKEN_EOF] = "the end of the file",
        [SG_TOKEN_STOP] = "a mistake",
        [SG_TOKEN_INT] = "an integer",
        [SG_TOKEN_FLOAT] = "a number",
        [SG_TOKEN_FLOAT32] = "a number",
        [SG_TOKEN_NAME] = "a name",
        [SG_TOKEN_STRING] = "a string",
        [SG_TOKEN_TICK] = "'",
        [SG_TOKEN_LPAREN] = "(",
        [SG_TOKEN_RPAREN] = ")",
        [SG_TOKEN_LBRACKET] = "[",
        [SG_TOKEN_RBRACKET] = "]",
        [SG_TOKEN_LBRACE] = "{",
        [SG_TOKEN_RBRACE] = "}",
        [SG_TOKEN_COMMA] = ",",
        [SG_TOKEN_SEMICOLON] = ";",
        [SG_TOKEN_COLON] = ":",
        [SG_TOKEN_DECLARE] = "::",
        [SG_TOKEN_DOT] = ".",
        [SG_TOKEN_AT] = "@",
        [SG_TOKEN_DOLLAR] = "$",
        [SG_TOKEN_QUESTION] = "?",
        [SG_TOKEN_ARROW] = "->",
        [SG_TOKEN_ELLIPSIS] = "...",
        [SG_TOKEN_ASSIGN] = "=",
        [SG_TOKEN_OPASSIGN] = "an assignment",
        [SG_TOKEN_OP] = "an operator",
#define SG_KEYWORD(name, text) [SG_TOKEN_##name] = text,
#include "syntax/keywords.h"
#undef SG_KEYWORD
    };
    return texts[kind];
}
