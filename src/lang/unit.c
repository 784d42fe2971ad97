#include "lang/unit.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/diags.h"
#include "base/map.h"
#include "base/number.h"
#include "base/symbol.h"
#include "base/vec.h"
#include "syntax/lexer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct atom {
    const char *symbol, *name;
    int8_t dimension[SG_UNIT_DIMENSIONS];
    double mantissa;
    int tens;
    double zero;
    bool prefixes;
} atom;

static const atom atoms[] = {
#define SG_ATOM(symbol, name, m, kg, s, a, k, mol, cd, mantissa, tens, zero, prefixes)             \
    {symbol, name, {m, kg, s, a, k, mol, cd}, mantissa, tens, zero, prefixes},
#include "lang/unit_names.h"
#undef SG_ATOM
};

typedef struct prefix {
    const char *text;
    int tens;
} prefix;

static const prefix prefixes[] = {
    {"da", 1}, {"q", -30}, {"r", -27}, {"y", -24}, {"z", -21}, {"a", -18}, {"f", -15}, {"p", -12},
    {"n", -9}, {"μ", -6},  {"m", -3},  {"c", -2},  {"d", -1},  {"h", 2},   {"k", 3},   {"M", 6},
    {"G", 9},  {"T", 12},  {"P", 15},  {"E", 18},  {"Z", 21},  {"Y", 24},  {"R", 27},  {"Q", 30},
};

enum { MAX_FACTORS = 12, MAX_POWER = 100 * SG_UNIT_POWER, MAX_PARENS = 50 };

typedef struct factor {
    uint8_t atom;
    int8_t tens;
    int16_t power; // in twelfths
} factor;

typedef struct unit_entry {
    factor factors[MAX_FACTORS];
    uint32_t n;
    int16_t dimension[SG_UNIT_DIMENSIONS];
    double mantissa; // mantissa * 10^tens SI units
    int tens;
    double zero;
    uint32_t next; // with the same hash
    bool asked;    // `preferred` is known
    uint32_t preferred;
    const char *text;
} unit_entry;

enum { RECENT = 16 };

struct sg_units {
    sg_arena arena;
    SG_VEC(unit_entry *) entries; // index is the id; 0 is none
    sg_map by_hash;
    struct {
        uint32_t a, b, product;
        int32_t twelfths;
    } recent[RECENT]; // a b^(twelfths/12), where b is a unit; the same few again and again in a run
};

static const unit_entry *entry_of(const sg_units *units, uint32_t unit)
{
    return unit < units->entries.len ? units->entries.data[unit] : units->entries.data[0];
}

// ---- interning -----------------------------------------------------------------------------

static double integer_power(double x, int n)
{
    double result = 1.0;
    for (int i = 0; i < abs(n); i++)
        result *= x;
    return n < 0 ? 1.0 / result : result;
}

static void compute(unit_entry *e)
{
    e->mantissa = 1.0;
    int tens = 0; // in twelfths
    for (uint32_t i = 0; i < e->n; i++) {
        const factor *f = &e->factors[i];
        const atom *a = &atoms[f->atom];
        for (int d = 0; d < SG_UNIT_DIMENSIONS; d++)
            e->dimension[d] = (int16_t)(e->dimension[d] + a->dimension[d] * f->power);
        e->mantissa *= f->power % SG_UNIT_POWER == 0
                           ? integer_power(a->mantissa, f->power / SG_UNIT_POWER)
                           : pow(a->mantissa, (double)f->power / SG_UNIT_POWER);
        tens += (a->tens + f->tens) * f->power;
    }
    e->tens = tens / SG_UNIT_POWER;
    if (tens % SG_UNIT_POWER)
        e->mantissa *= pow(10.0, (double)(tens % SG_UNIT_POWER) / SG_UNIT_POWER);
    if (e->n == 1 && e->factors[0].power == SG_UNIT_POWER)
        e->zero = atoms[e->factors[0].atom].zero;
}

static const char *prefix_text(int tens)
{
    for (size_t i = 0; i < SG_COUNT(prefixes); i++)
        if (prefixes[i].tens == tens)
            return prefixes[i].text;
    return "";
}

static void print_factor(const factor *f, sg_buf *out)
{
    sg_buf_printf(out, "%s%s", prefix_text(f->tens), atoms[f->atom].symbol);
    if (f->power == SG_UNIT_POWER)
        return;
    int num = f->power, den = SG_UNIT_POWER;
    for (int p = 2; p <= 3; p++)
        while (num % p == 0 && den % p == 0)
            num /= p, den /= p;
    if (den == 1)
        sg_buf_printf(out, "^%d", num);
    else
        sg_buf_printf(out, "^(%d//%d)", num, den);
}

// Positive exponents first, then negative ones; each group in the order of the factors.
static void print_factors(const unit_entry *e, const char *separator, sg_buf *out)
{
    bool first = true;
    for (int negative = 0; negative < 2; negative++)
        for (uint32_t i = 0; i < e->n; i++) {
            if ((e->factors[i].power < 0) != negative)
                continue;
            if (!first)
                sg_buf_puts(out, separator);
            first = false;
            print_factor(&e->factors[i], out);
        }
}

static const char *make_text(sg_units *units, const unit_entry *e)
{
    sg_buf buf;
    sg_buf_init(&buf, units->arena.allocator);
    print_factors(e, "*", &buf);
    const char *text = buf.failed ? NULL : sg_arena_text(&units->arena, sg_buf_text(&buf), buf.len);
    sg_buf_free(&buf);
    return text;
}

// By English name, then prefix.
static int compare_factors(const factor *a, const factor *b)
{
    int by_name = strcmp(atoms[a->atom].name, atoms[b->atom].name);
    return by_name ? by_name : a->tens - b->tens;
}

static uint32_t intern(sg_units *units, const factor *factors, uint32_t n)
{
    uint64_t hash = sg_hash_bytes(factors, n * sizeof *factors);
    uint64_t *found = sg_map_get(&units->by_hash, hash);
    for (uint32_t id = found ? (uint32_t)*found : SG_UNIT_BAD; id != SG_UNIT_BAD;) {
        const unit_entry *e = units->entries.data[id];
        if (e->n == n && (n == 0 || memcmp(e->factors, factors, n * sizeof *factors) == 0))
            return id;
        id = e->next;
    }
    unit_entry *e = SG_NEW(&units->arena, unit_entry);
    if (!e)
        return SG_UNIT_BAD;
    if (n)
        memcpy(e->factors, factors, n * sizeof *factors);
    e->n = n;
    e->next = found ? (uint32_t)*found : SG_UNIT_BAD;
    compute(e);
    e->text = make_text(units, e);
    uint32_t id = (uint32_t)units->entries.len;
    if (!e->text || !SG_PUSH(units->arena.allocator, &units->entries, e))
        return SG_UNIT_BAD;
    if (!sg_map_put(&units->by_hash, hash, id)) {
        units->entries.len--;
        return SG_UNIT_BAD;
    }
    return id;
}

sg_units *sg_units_create(const sg_allocator *allocator)
{
    sg_arena arena;
    sg_arena_init(&arena, allocator);
    sg_units *units = SG_NEW(&arena, sg_units);
    if (!units)
        return NULL;
    units->arena = arena;
    sg_map_init(&units->by_hash, arena.allocator);
    if (intern(units, NULL, 0) != SG_UNIT_NONE) {
        sg_units_destroy(units);
        return NULL;
    }
    return units;
}

void sg_units_destroy(sg_units *units)
{
    if (!units)
        return;
    SG_VEC_FREE(units->arena.allocator, &units->entries);
    sg_map_free(&units->by_hash);
    sg_arena arena = units->arena; // the struct lies in its own arena
    sg_arena_destroy(&arena);
}

// ---- products ------------------------------------------------------------------------------

typedef struct product {
    factor factors[MAX_FACTORS];
    uint32_t n;
    bool bad;
} product;

// Keeps the factors sorted and without zero powers.
static void multiply_factor(product *p, factor f)
{
    uint32_t at = 0;
    while (at < p->n && compare_factors(&p->factors[at], &f) < 0)
        at++;
    if (at < p->n && compare_factors(&p->factors[at], &f) == 0) {
        int power = p->factors[at].power + f.power;
        if (power == 0) {
            memmove(&p->factors[at], &p->factors[at + 1], (p->n - at - 1) * sizeof f);
            p->n--;
        } else {
            p->factors[at].power = (int16_t)power;
        }
        p->bad = p->bad || abs(power) > MAX_POWER;
        return;
    }
    if (p->n == MAX_FACTORS || f.power == 0) {
        p->bad = p->bad || f.power != 0;
        return;
    }
    memmove(&p->factors[at + 1], &p->factors[at], (p->n - at) * sizeof f);
    p->factors[at] = f;
    p->n++;
}

static void multiply_unit(product *p, const unit_entry *e, int32_t twelfths)
{
    for (uint32_t i = 0; i < e->n && !p->bad; i++) {
        factor f = e->factors[i];
        int64_t power = (int64_t)f.power * twelfths;
        if (power % SG_UNIT_POWER || llabs(power) > (int64_t)MAX_POWER * SG_UNIT_POWER) {
            p->bad = true;
            return;
        }
        f.power = (int16_t)(power / SG_UNIT_POWER);
        multiply_factor(p, f);
    }
}

static bool has_affine(const product *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (atoms[p->factors[i].atom].zero != 0.0)
            return true;
    return false;
}

static uint32_t finish(sg_units *units, const product *p)
{
    bool alone = p->n == 1 && p->factors[0].power == SG_UNIT_POWER;
    if (p->bad || (has_affine(p) && !alone))
        return SG_UNIT_BAD;
    return intern(units, p->factors, p->n);
}

static uint32_t combine(sg_units *units, uint32_t a, uint32_t b, int32_t twelfths)
{
    if (a == SG_UNIT_BAD || b == SG_UNIT_BAD)
        return SG_UNIT_BAD;
    if (b == SG_UNIT_NONE)
        return a;
    uint32_t at = (7 * a + 3 * b + (uint32_t)twelfths) % RECENT;
    if (units->recent[at].a == a && units->recent[at].b == b &&
        units->recent[at].twelfths == twelfths)
        return units->recent[at].product;
    product p = {.n = 0};
    multiply_unit(&p, entry_of(units, a), SG_UNIT_POWER);
    multiply_unit(&p, entry_of(units, b), twelfths);
    uint32_t result = finish(units, &p);
    if (result != SG_UNIT_BAD) {
        units->recent[at].a = a;
        units->recent[at].b = b;
        units->recent[at].twelfths = twelfths;
        units->recent[at].product = result;
    }
    return result;
}

uint32_t sg_unit_multiply(sg_units *units, uint32_t a, uint32_t b)
{
    return combine(units, a, b, SG_UNIT_POWER);
}

uint32_t sg_unit_divide(sg_units *units, uint32_t a, uint32_t b)
{
    return combine(units, a, b, -SG_UNIT_POWER);
}

uint32_t sg_unit_power(sg_units *units, uint32_t a, int32_t twelfths)
{
    return combine(units, SG_UNIT_NONE, a, twelfths);
}

// ---- questions -----------------------------------------------------------------------------

const char *sg_unit_text(const sg_units *units, uint32_t unit)
{
    return entry_of(units, unit)->text;
}

void sg_unit_print(const sg_units *units, uint32_t unit, sg_buf *out)
{
    print_factors(entry_of(units, unit), " ", out);
}

bool sg_unit_has_blank(const sg_units *units, uint32_t unit)
{
    return strcmp(sg_unit_text(units, unit), "°") != 0;
}

const int16_t *sg_unit_dimension(const sg_units *units, uint32_t unit)
{
    return entry_of(units, unit)->dimension;
}

bool sg_unit_same_dimension(const sg_units *units, uint32_t a, uint32_t b)
{
    return a == b || memcmp(sg_unit_dimension(units, a), sg_unit_dimension(units, b),
                            sizeof(int16_t) * SG_UNIT_DIMENSIONS) == 0;
}

bool sg_unit_has_dimension(const sg_units *units, uint32_t unit)
{
    return !sg_unit_same_dimension(units, unit, SG_UNIT_NONE);
}

bool sg_unit_is_affine(const sg_units *units, uint32_t unit)
{
    return entry_of(units, unit)->zero != 0.0;
}

static uint8_t find_atom(const char *symbol)
{
    for (uint8_t i = 0; i < (uint8_t)SG_COUNT(atoms); i++)
        if (strcmp(atoms[i].symbol, symbol) == 0)
            return i;
    return 0;
}

uint32_t sg_unit_preferred(sg_units *units, uint32_t unit)
{
    static const char *const bases[SG_UNIT_DIMENSIONS] = {"m", "g", "s", "A", "K", "mol", "cd"};
    unit_entry *e = units->entries.data[unit < units->entries.len ? unit : 0];
    if (e->asked)
        return e->preferred;
    product p = {.n = 0};
    for (int d = 0; d < SG_UNIT_DIMENSIONS; d++)
        multiply_factor(&p, (factor){.atom = find_atom(bases[d]),
                                     .tens = d == 1 ? 3 : 0,
                                     .power = e->dimension[d]});
    uint32_t preferred = finish(units, &p);
    e->asked = preferred != SG_UNIT_BAD; // memory may have been refused
    e->preferred = preferred;
    return preferred;
}

void sg_unit_describe_dimension(const sg_units *units, uint32_t unit, sg_buf *out)
{
    static const char *const names[SG_UNIT_DIMENSIONS] = {
        "length", "mass", "time", "current", "temperature", "amount of substance", "luminosity"};
    const int16_t *dimension = sg_unit_dimension(units, unit);
    bool above = false, below = false;
    for (int d = 0; d < SG_UNIT_DIMENSIONS; d++) {
        above = above || dimension[d] > 0;
        below = below || dimension[d] < 0;
    }
    if (!above && !below) {
        sg_buf_puts(out, "a plain number");
        return;
    }
    if (!above)
        sg_buf_puts(out, "1");
    for (int sign = 1, first = 1; sign >= -1; sign -= 2) {
        for (int d = 0; d < SG_UNIT_DIMENSIONS; d++) {
            int power = dimension[d] * sign;
            if (power <= 0)
                continue;
            if (sign < 0)
                sg_buf_puts(out, "/");
            else if (!first)
                sg_buf_puts(out, "*");
            first = 0;
            sg_buf_puts(out, names[d]);
            if (power % SG_UNIT_POWER)
                sg_buf_printf(out, "^%g", (double)power / SG_UNIT_POWER);
            else if (power != SG_UNIT_POWER)
                sg_buf_printf(out, "^%d", power / SG_UNIT_POWER);
        }
    }
}

// ---- conversion ----------------------------------------------------------------------------

static double times_tens(double x, int tens)
{
    // One exact power and one rounding as long as it fits.
    if (tens >= 0)
        return tens <= 22 ? x * integer_power(10.0, tens) : x * pow(10.0, tens);
    return tens >= -22 ? x / integer_power(10.0, -tens) : x * pow(10.0, tens);
}

double sg_unit_factor(const sg_units *units, uint32_t unit)
{
    const unit_entry *e = entry_of(units, unit);
    return times_tens(e->mantissa, e->tens);
}

double sg_unit_convert_difference(const sg_units *units, double x, uint32_t from, uint32_t to)
{
    if (from == to)
        return x;
    const unit_entry *a = entry_of(units, from), *b = entry_of(units, to);
    if (a->mantissa != b->mantissa) {
        double ratio = a->mantissa / b->mantissa;
        // 1 minute is 1/60 hr: dividing by a whole number rounds once, multiplying by its
        // reciprocal twice.
        double inverse = b->mantissa / a->mantissa;
        x = ratio < 1.0 && inverse == nearbyint(inverse) ? x / inverse : x * ratio;
    }
    return times_tens(x, a->tens - b->tens);
}

double sg_unit_convert(const sg_units *units, double x, uint32_t from, uint32_t to)
{
    const unit_entry *a = entry_of(units, from), *b = entry_of(units, to);
    if (from == to || (a->zero == 0.0 && b->zero == 0.0))
        return sg_unit_convert_difference(units, x, from, to);
    double kelvin = times_tens(x * a->mantissa, a->tens) + a->zero;
    return times_tens((kelvin - b->zero) / b->mantissa, -b->tens);
}

double sg_unit_to_si(const sg_units *units, double x, uint32_t unit)
{
    const unit_entry *e = entry_of(units, unit);
    return times_tens(x * e->mantissa, e->tens) + e->zero;
}

// ---- reading -------------------------------------------------------------------------------

typedef struct unit_reader {
    sg_units *units;
    const char *text;
    uint32_t pos, length, parens;
    sg_buf *message;
    uint32_t first, last;
    bool failed;
} unit_reader;

static void fail(unit_reader *r, uint32_t first, uint32_t last, const char *format,
                 const char *what)
{
    if (r->failed)
        return;
    r->failed = true;
    r->first = first;
    r->last = last;
    if (r->message)
        sg_buf_printf(r->message, format, what);
}

static void skip_blanks(unit_reader *r)
{
    while (r->pos < r->length && (r->text[r->pos] == ' ' || r->text[r->pos] == '\t'))
        r->pos++;
}

static bool accept(unit_reader *r, const char *token)
{
    size_t n = strlen(token);
    skip_blanks(r);
    if (r->length - r->pos < n || memcmp(r->text + r->pos, token, n) != 0)
        return false;
    r->pos += (uint32_t)n;
    return true;
}

// The name at the present place with OHM SIGN and MICRO SIGN normalized.
static uint32_t read_name(unit_reader *r, char *name, size_t room)
{
    uint32_t at = r->pos, size, n = 0;
    while (at < r->length && (unsigned char)r->text[at] != 0) {
        uint32_t code = sg_utf8_decode(r->text + at, &size);
        bool digit = code < 128 && code >= '0' && code <= '9';
        if (size > r->length - at || (!sg_is_name_part(code) && code != '%') || digit ||
            code == '!' || n + 5 > room)
            break;
        code = code == 0x2126 ? 0x3a9 : code == 0xb5 ? 0x3bc : code == 0x212b ? 0xc5 : code;
        n += sg_utf8_encode(code, name + n);
        at += size;
    }
    name[n] = '\0';
    uint32_t length = at - r->pos;
    r->pos = at;
    return length;
}

static bool find_factor(const char *name, factor *f)
{
    for (uint8_t i = 0; i < (uint8_t)SG_COUNT(atoms); i++)
        if (strcmp(atoms[i].symbol, name) == 0) {
            *f = (factor){.atom = i, .power = SG_UNIT_POWER};
            return true;
        }
    for (size_t p = 0; p < SG_COUNT(prefixes); p++) {
        size_t n = strlen(prefixes[p].text);
        if (strncmp(name, prefixes[p].text, n) != 0)
            continue;
        for (uint8_t i = 0; i < (uint8_t)SG_COUNT(atoms); i++)
            if (atoms[i].prefixes && strcmp(atoms[i].symbol, name + n) == 0) {
                *f = (factor){.atom = i, .tens = (int8_t)prefixes[p].tens, .power = SG_UNIT_POWER};
                return true;
            }
    }
    return false;
}

// What people write in other systems, by its name here; null for all else.
static const char *other_name(const char *name)
{
    static const char *const pairs[][2] = {
        {"min", "minute"}, {"h", "hr"},      {"hour", "hr"},   {"sec", "s"},      {"deg", "°"},
        {"degree", "°"},   {"ohm", "Ω"},     {"Ohm", "Ω"},     {"in", "inch"},    {"degC", "°C"},
        {"C°", "°C"},      {"um", "μm"},     {"us", "μs"},     {"uF", "μF"},      {"day", "d"},
        {"year", "yr"},    {"liter", "L"},   {"meter", "m"},   {"gram", "g"},     {"t", "Mg"},
        {"kmh", "km/hr"},  {"kph", "km/hr"}, {"mph", "mi/hr"}, {"degF", "°F"},    {"Nm", "N*m"},
        {"Ah", "A*hr"},    {"second", "s"},  {"volt", "V"},    {"radian", "rad"}, {"kelvin", "K"},
    };
    for (size_t i = 0; i < SG_COUNT(pairs); i++)
        if (strcmp(pairs[i][0], name) == 0)
            return pairs[i][1];
    return NULL;
}

const char *sg_unit_of_others(const char *name, char room[SG_UNIT_ROOM])
{
    const char *other = other_name(name);
    for (size_t p = 0; !other && p < SG_COUNT(prefixes); p++) {
        size_t n = strlen(prefixes[p].text);
        const char *rest =
            n && strncmp(name, prefixes[p].text, n) == 0 ? other_name(name + n) : NULL;
        if (!rest)
            continue;
        snprintf(room, SG_UNIT_ROOM, "%s%s", prefixes[p].text, rest);
        other = room;
    }
    return other;
}

// The unit that was meant, or null.
static const char *suggestion(const char *name, char room[SG_UNIT_ROOM])
{
    const char *other = sg_unit_of_others(name, room);
    if (other)
        return other;
    const char *symbols[SG_COUNT(atoms)];
    for (size_t i = 0; i < SG_COUNT(atoms); i++)
        symbols[i] = atoms[i].symbol;
    return strlen(name) > 2 ? sg_closest_name(name, symbols, SG_COUNT(atoms)) : NULL;
}

static void fail_unknown(unit_reader *r, uint32_t first, const char *name)
{
    char text[200], room[SG_UNIT_ROOM];
    const char *other = suggestion(name, room);
    if (other)
        snprintf(text, sizeof text, "'%s' is not a unit; did you mean '%s'?", name, other);
    else
        snprintf(text, sizeof text, "'%s' is not a unit", name);
    fail(r, first, r->pos, "%s", text);
}

static int read_integer(unit_reader *r)
{
    skip_blanks(r);
    bool negative = accept(r, "-");
    uint32_t start = r->pos;
    int value = 0;
    while (r->pos < r->length && r->text[r->pos] >= '0' && r->text[r->pos] <= '9') {
        value = value < 1000 ? value * 10 + (r->text[r->pos] - '0') : value;
        r->pos++;
    }
    if (r->pos == start)
        fail(r, start, start + 1, "expected %s behind '^'", "an integer");
    return negative ? -value : value;
}

// exponent = integer | "(" integer [ "//" integer ] ")"
static int read_exponent(unit_reader *r)
{
    uint32_t first = r->pos;
    if (!accept(r, "("))
        return read_integer(r) * SG_UNIT_POWER;
    int num = read_integer(r), den = 1;
    if (accept(r, "//") || accept(r, "/"))
        den = read_integer(r);
    if (!accept(r, ")"))
        fail(r, r->pos, r->pos + 1, "expected ')' in this %s", "exponent");
    if (den <= 0 || SG_UNIT_POWER % den) {
        fail(r, first, r->pos, "%s", "the denominator of an exponent is one of 1, 2, 3, 4, 6, 12");
        return SG_UNIT_POWER;
    }
    return num * (SG_UNIT_POWER / den);
}

static product read_product(unit_reader *r);

// unit = name | "1" | "(" product ")"
static product read_unit(unit_reader *r)
{
    product p = {.n = 0};
    skip_blanks(r);
    uint32_t first = r->pos;
    if (accept(r, "(")) {
        if (++r->parens > MAX_PARENS) {
            fail(r, first, first + 1, "%s", "too many parentheses");
            return p;
        }
        p = read_product(r);
        if (!accept(r, ")"))
            fail(r, r->pos, r->pos + 1, "expected '%s' in this unit", ")");
        r->parens--;
        return p;
    }
    if (first < r->length && r->text[first] >= '0' && r->text[first] <= '9') {
        int value = read_integer(r);
        if (value != 1)
            fail(r, first, r->pos, "%s", "the only number in a unit is 1, as in u\"1/s\"");
        return p;
    }
    char name[64];
    factor f;
    if (!read_name(r, name, sizeof name))
        fail(r, first, first + 1, "expected %s here",
             first < r->length ? "a unit" : "one more unit");
    else if (!find_factor(name, &f))
        fail_unknown(r, first, name);
    else
        multiply_factor(&p, f);
    if (!r->failed && r->pos < r->length && r->text[r->pos] >= '0' && r->text[r->pos] <= '9')
        fail(r, r->pos, r->pos + 1, "powers are written with '^', as in %s", "u\"m^2\"");
    return p;
}

static void multiply_power(unit_reader *r, product *p, const product *q, int twelfths,
                           uint32_t first)
{
    for (uint32_t i = 0; i < q->n; i++) {
        factor f = q->factors[i];
        int power = f.power * twelfths;
        if (power % SG_UNIT_POWER || abs(power / SG_UNIT_POWER) > MAX_POWER) {
            p->bad = true;
            break;
        }
        f.power = (int16_t)(power / SG_UNIT_POWER);
        multiply_factor(p, f);
    }
    p->bad = p->bad || q->bad;
    if (p->bad)
        fail(r, first, r->pos, "%s", "this unit has too many factors or a too large exponent");
}

// product = unit [ "^" exponent ] { ("*" | "/" | blank) unit [ "^" exponent ] }
static product read_product(unit_reader *r)
{
    product p = {.n = 0};
    for (int sign = 1; !r->failed;) {
        uint32_t first = r->pos;
        product q = read_unit(r);
        int power = SG_UNIT_POWER;
        if (accept(r, "^"))
            power = read_exponent(r);
        multiply_power(r, &p, &q, sign * power, first);
        skip_blanks(r);
        bool blank = r->pos > first && r->pos < r->length && r->text[r->pos - 1] == ' ';
        if (accept(r, "*") || accept(r, "⋅") || accept(r, "·"))
            sign = 1;
        else if (accept(r, "/"))
            sign = -1;
        else if (blank && r->text[r->pos] != ')')
            sign = 1;
        else
            break;
    }
    return p;
}

uint32_t sg_unit_parse(sg_units *units, const char *text, size_t length, sg_buf *message,
                       uint32_t *first, uint32_t *last)
{
    unit_reader r = {.units = units,
                     .text = text,
                     .length = length > 10000 ? 10000 : (uint32_t)length,
                     .message = message};
    skip_blanks(&r);
    product p = {.n = 0};
    if (r.pos < r.length)
        p = read_product(&r);
    skip_blanks(&r);
    if (r.pos < r.length)
        fail(&r, r.pos, r.pos + 1, "expected '*', '/' or '^' %s", "in this unit");
    uint32_t unit = SG_UNIT_BAD;
    if (!r.failed) {
        bool alone = p.n == 1 && p.factors[0].power == SG_UNIT_POWER;
        if (has_affine(&p) && !alone)
            fail(&r, 0, r.length, "%s",
                 "°C and °F have no place in a product; use K for differences of temperature");
        else
            unit = finish(units, &p);
        if (unit == SG_UNIT_BAD)
            fail(&r, 0, r.length, "%s", "out of memory");
    }
    if (first)
        *first = r.first;
    if (last)
        *last = r.last > r.length ? r.length : r.last;
    return unit;
}

const char *sg_unit_common_text(sg_units *units, uint32_t unit)
{
    static const char *const names[] = {"V",  "Ω", "F",   "H", "C",  "S",   "T",
                                        "Wb", "N", "N*m", "W", "Pa", "W/K", "J/K"};
    const char *written = sg_unit_text(units, unit);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint32_t id = sg_unit_parse(units, names[i], strlen(names[i]), NULL, NULL, NULL);
        if (id == SG_UNIT_BAD || !sg_unit_same_dimension(units, id, unit))
            continue;
        // A torque and an energy have one dimension; who wrote kJ means the latter.
        size_t length = strlen(written);
        bool energy = strcmp(names[i], "N*m") == 0 && length && written[length - 1] == 'J';
        return energy ? "J" : sg_unit_text(units, id);
    }
    return sg_unit_text(units, sg_unit_preferred(units, unit));
}
