// Strings with escapes and interpolation, triple quotes with their indentation taken off,
// characters, and string macros, whose text is taken as it stands.
#include "syntax/parser_internal.h"

#include <string.h>

typedef struct text_reader {
    sg_parser *p;
    uint32_t pos, open; // where to read, where the literal began
    bool triple;
    uint32_t indent; // white space to take off each line of a triple-quoted string
} text_reader;

// A refused allocation must not be forgotten with the text.
static void clear_text(sg_parser *p)
{
    p->failed = p->failed || p->text.failed;
    sg_buf_clear(&p->text);
}

static bool is_quote3(const char *at) { return at[0] == '"' && at[1] == '"' && at[2] == '"'; }

static sg_ast *fail_unterminated(text_reader *r, const char *what)
{
    sg_parser *p = r->p;
    p->lexer.pos = p->lexer.length;
    sg_ast *node =
        sg_fail(p, SG_E_UNTERMINATED, sg_at(p, r->open, r->open + (r->triple ? 3 : 1)), "%s", what);
    p->stopped = (sg_token){.kind = SG_TOKEN_EOF,
                            .flags = SG_TOKEN_BLANK | SG_TOKEN_NEWLINE,
                            .first = p->lexer.length,
                            .last = p->lexer.length};
    p->dead = true;
    return node;
}

// Where the closing quotes are, or the length of the text.
static uint32_t find_end(const text_reader *r)
{
    const char *text = r->p->lexer.text;
    uint32_t at = r->pos, length = r->p->lexer.length;
    for (; at < length; at++) {
        if (text[at] == '\\')
            at++;
        else if (r->triple ? is_quote3(text + at) : text[at] == '"')
            return at;
    }
    return length;
}

// The common white space before all lines but the first that hold more than white space. The line
// of the closing quotes counts too.
static uint32_t common_indent(const text_reader *r, uint32_t end)
{
    const char *text = r->p->lexer.text;
    uint32_t least = UINT32_MAX;
    for (uint32_t at = r->pos; at < end; at++) {
        if (text[at] != '\n')
            continue;
        uint32_t i = at + 1;
        while (i < end && (text[i] == ' ' || text[i] == '\t'))
            i++;
        bool blank_line = i < end && (text[i] == '\n' || text[i] == '\r');
        if (!blank_line && i - at - 1 < least)
            least = i - at - 1;
    }
    return least == UINT32_MAX ? 0 : least;
}

static void skip_indent(text_reader *r)
{
    const char *text = r->p->lexer.text;
    for (uint32_t i = 0; i < r->indent && (text[r->pos] == ' ' || text[r->pos] == '\t'); i++)
        r->pos++;
}

// Behind the opening quotes.
static text_reader begin(sg_parser *p)
{
    text_reader r = {.p = p, .pos = p->token.first + 1, .open = p->token.first};
    const char *text = p->lexer.text;
    if (is_quote3(text + r.open)) {
        r.triple = true;
        r.pos = r.open + 3;
        r.indent = common_indent(&r, find_end(&r));
        if (text[r.pos] == '\r' && text[r.pos + 1] == '\n')
            r.pos++;
        if (text[r.pos] == '\n') {
            r.pos++;
            skip_indent(&r);
        }
    }
    return r;
}

static void finish(text_reader *r)
{
    sg_parser *p = r->p;
    p->token.kind = SG_TOKEN_STRING;
    p->token.last = r->pos + (r->triple ? 3 : 1);
    p->lexer.pos = p->token.last;
    sg_parser_advance(p);
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static uint32_t read_digits(text_reader *r, int most, int base, bool *any)
{
    uint32_t code = 0;
    const char *text = r->p->lexer.text;
    *any = false;
    for (int i = 0; i < most; i++) {
        int digit = hex(text[r->pos]);
        if (digit < 0 || digit >= base)
            break;
        code = code * (uint32_t)base + (uint32_t)digit;
        r->pos++;
        *any = true;
    }
    return code;
}

// At the character behind '\'. False after reporting.
static bool read_escape(text_reader *r, uint32_t *code)
{
    static const char names[] = "nrtabfve0\\\"'$`";
    static const char codes[] = "\n\r\t\a\b\f\v\033\0\\\"'$`";
    const char *text = r->p->lexer.text;
    uint32_t first = r->pos - 1;
    char c = text[r->pos];
    bool any = true;
    if (c == 'u' || c == 'U' || c == 'x') {
        r->pos++;
        *code = read_digits(r, c == 'u' ? 4 : c == 'U' ? 8 : 2, 16, &any);
    } else if (c >= '0' && c <= '7') {
        *code = read_digits(r, 3, 8, &any);
    } else {
        const char *found = c ? strchr(names, c) : NULL;
        any = found != NULL;
        *code = found ? (unsigned char)codes[found - names] : 0;
        r->pos++;
    }
    bool valid = any && *code <= 0x10ffff && !(*code >= 0xd800 && *code <= 0xdfff);
    if (valid)
        return true;
    if (r->pos > r->p->lexer.length)
        r->pos = r->p->lexer.length;
    uint32_t size;
    sg_utf8_decode(text + first + 1, &size);
    if (!any)
        sg_fail(r->p, SG_E_TOKEN, sg_at(r->p, first, first + 1 + size),
                "an unknown escape; a backslash is written '\\\\', a dollar sign '\\$'");
    else
        sg_fail(r->p, SG_E_TOKEN, sg_at(r->p, first, r->pos),
                "this code point does not exist; the largest is \\U10FFFF");
    return false;
}

static void push_text(text_reader *r, uint32_t first)
{
    sg_parser *p = r->p;
    sg_ast *node = sg_leaf(p, SG_AST_STRING, first, r->pos);
    node->text.bytes = sg_arena_text(p->arena, sg_buf_text(&p->text), p->text.len);
    node->text.len = (uint32_t)p->text.len;
    if (!node->text.bytes)
        p->failed = true, node->text = (sg_text){"", 0};
    sg_push(p, node);
    clear_text(p);
}

// At '$': a name or an expression in parentheses.
static bool read_interpolation(text_reader *r)
{
    sg_parser *p = r->p;
    const char *text = p->lexer.text;
    uint32_t first = r->pos, length = sg_lex_name_length(&p->lexer, r->pos + 1);
    if (length && !sg_is_plain_name(text + r->pos + 1, length)) {
        sg_fail(p, SG_E_SYNTAX, sg_at(p, first, first + 1 + length),
                "'%.*s' is a word of the language, not a name whose value could be inserted; a "
                "dollar sign is written '\\$'",
                (int)length, text + r->pos + 1);
        return false;
    }
    if (length) {
        sg_sym sym = sg_lex_intern(&p->lexer, r->pos + 1, length);
        sg_push(p, sg_name_leaf(p, sym, first + 1, first + 1 + length));
        r->pos += 1 + length;
        return true;
    }
    if (text[r->pos + 1] != '(') {
        sg_fail(p, SG_E_SYNTAX, sg_at(p, first, first + 1),
                "expected a name or '(' behind '$'; a dollar sign is written '\\$'");
        return false;
    }
    uint8_t mode = p->mode;
    p->mode = 0;
    p->brackets++;
    p->lexer.pos = r->pos + 2;
    sg_parser_advance(p);
    if (sg_enter(p)) {
        sg_ast *expr = sg_parse_expr(p);
        if (expr->kind == SG_AST_SPLAT) // "$(list...)": string(list...)
            expr = sg_node2(p, SG_AST_CALL,
                            sg_name_leaf(p, sg_sym_intern_text(p->symbols, "string"),
                                         expr->span.first, expr->span.first),
                            expr, expr->span.first, expr->span.last);
        expr->flags |= SG_AST_PAREN; // tells a string that was inserted from the text around
        sg_push(p, expr);
    }
    sg_leave(p);
    p->mode = mode;
    p->brackets--;
    if (!sg_is_token(p, SG_TOKEN_RPAREN)) {
        size_t errors = p->diags->n_errors;
        if (!p->panic)
            sg_fail_expected(p, "')'");
        sg_fail_note(p, errors, sg_at(p, first, first + 2), "to close this '$('");
        return false;
    }
    r->pos = p->token.last;
    clear_text(p); // what strings inside have left there
    return true;
}

// Copies up to the next character that means something; keeps lines and indentation right.
static void read_plain(text_reader *r)
{
    sg_parser *p = r->p;
    const char *text = p->lexer.text;
    uint32_t first = r->pos;
    while (r->pos < p->lexer.length) {
        char c = text[r->pos];
        if (c == '\\' || c == '$' || c == '"')
            break;
        if (c == '\r' && text[r->pos + 1] == '\n') {
            sg_buf_add(&p->text, text + first, r->pos - first);
            first = ++r->pos;
            continue;
        }
        r->pos++;
        if (c == '\n' && r->triple) {
            sg_buf_add(&p->text, text + first, r->pos - first);
            skip_indent(r);
            first = r->pos;
        }
    }
    sg_buf_add(&p->text, text + first, r->pos - first);
}

// The parts of a string are pushed; false after a mistake.
static bool read_parts(text_reader *r)
{
    sg_parser *p = r->p;
    const char *text = p->lexer.text;
    uint32_t first = r->pos;
    size_t base = sg_mark(p);
    for (;;) {
        read_plain(r);
        if (r->pos >= p->lexer.length) {
            fail_unterminated(r, "this string is not closed; if the closing quotes are there, look "
                                 "for a quote too many before");
            return false;
        }
        if (text[r->pos] == '\\') {
            uint32_t code;
            r->pos++;
            if (r->triple && (text[r->pos] == '\n' || text[r->pos] == '\r')) {
                r->pos += text[r->pos] == '\r' ? 2 : 1; // a line goes on
                skip_indent(r);
                continue;
            }
            if (!read_escape(r, &code))
                return false;
            char bytes[4];
            sg_buf_add(&p->text, bytes, sg_utf8_encode(code, bytes));
        } else if (text[r->pos] == '$') {
            if (p->text.len)
                push_text(r, first);
            if (!read_interpolation(r))
                return false;
            first = r->pos;
        } else if (!r->triple || is_quote3(text + r->pos)) {
            break;
        } else {
            sg_buf_putc(&p->text, '"');
            r->pos++;
        }
    }
    if (p->text.len || sg_mark(p) == base)
        push_text(r, first);
    return true;
}

// string = '"' .. '"' | '"""' .. '"""'
sg_ast *sg_parse_string(sg_parser *p)
{
    text_reader r = begin(p);
    size_t base = sg_mark(p);
    clear_text(p);
    if (!read_parts(&r)) {
        // Skipping to the next statement goes on behind the string.
        if (!p->dead) {
            text_reader rest = r;
            rest.pos = find_end(&r);
            p->stopped = p->token;
            p->stopped.first = p->stopped.last = rest.pos + (r.triple ? 3 : 1);
            if (p->stopped.first > p->lexer.length)
                p->stopped.first = p->stopped.last = p->lexer.length;
            p->lexer.pos = p->stopped.first;
            p->stopped.kind = SG_TOKEN_COMMA; // nothing that opens or closes
        }
        p->stack.len = p->failed ? p->stack.len : base;
        return sg_leaf(p, SG_AST_ERROR, r.open, r.open + 1);
    }
    uint32_t last = r.pos + (r.triple ? 3 : 1);
    sg_ast *only = !p->failed && sg_mark(p) == base + 1 ? p->stack.data[base] : NULL;
    finish(&r);
    if (only && only->kind == SG_AST_STRING) {
        p->stack.len = base;
        only->span = sg_at(p, r.open, last);
        return only;
    }
    return sg_finish(p, SG_AST_INTERP_STRING, base, r.open, last);
}

// strmacro = IDENT ~ STRING
sg_ast *sg_parse_strmacro(sg_parser *p, sg_ast *name)
{
    text_reader r = begin(p);
    const char *text = p->lexer.text;
    uint32_t end = find_end(&r);
    if (end >= p->lexer.length)
        return fail_unterminated(&r, "this string is not closed");
    clear_text(p);
    for (; r.pos < end; r.pos++) {
        if (text[r.pos] == '\\' && text[r.pos + 1] == '"')
            r.pos++;
        sg_buf_putc(&p->text, text[r.pos]);
        if (text[r.pos] == '\n' && r.triple) {
            r.pos++;
            skip_indent(&r);
            r.pos--;
        }
    }
    r.pos = end;
    bool raw = sg_is_name(p, name, "raw");
    sg_ast *node = sg_leaf(p, raw ? SG_AST_STRING : SG_AST_STRMACRO, name->span.first,
                           end + (r.triple ? 3 : 1));
    sg_text content = {sg_arena_text(p->arena, sg_buf_text(&p->text), p->text.len),
                       (uint32_t)p->text.len};
    if (!content.bytes)
        p->failed = true, content = (sg_text){"", 0};
    node->text = content;
    if (!raw)
        node->sym = name->sym;
    finish(&r);
    return node;
}

// "'" character "'"
sg_ast *sg_parse_char(sg_parser *p)
{
    text_reader r = {.p = p, .pos = p->token.first + 1, .open = p->token.first};
    const char *text = p->lexer.text;
    uint32_t code = 0, size = 0;
    if (r.pos >= p->lexer.length || text[r.pos] == '\n' || text[r.pos] == '\'')
        return sg_fail(p, SG_E_TOKEN, sg_parser_here(p),
                       "expected a character behind \"'\"; strings are written with \"");
    if (text[r.pos] == '\\') {
        r.pos++;
        if (!read_escape(&r, &code))
            return sg_leaf(p, SG_AST_ERROR, r.open, r.pos);
    } else {
        code = sg_utf8_decode(text + r.pos, &size);
        r.pos += size;
    }
    if (text[r.pos] != '\'')
        return sg_fail(p, SG_E_UNTERMINATED, sg_at(p, r.open, r.pos),
                       "a character literal holds one character and ends with \"'\"; strings are "
                       "written with \"");
    sg_ast *node = sg_leaf(p, SG_AST_CHAR, r.open, r.pos + 1);
    node->i = code;
    finish(&r);
    return node;
}
