// Entries of the reference, found in the files that travel inside the program.
//
// Two kinds of files hold them. In files of the library a text between """ stands in front of what
// it documents; members and equations are read from the definition itself, base by base. What is
// written in C is described in library/reference/*.txt:
//
//     # Title of the group
//     What its entries have in common.
//
//     ## sin(x) ; cos(x)
//     One text for all names in front of the parentheses.
//         sin(pi/2)   # => 1.0
//
// Nothing is indexed: there are some hundred kilobytes, and a question takes less than a
// millisecond.
#include "segue/reference.h"

#include "api/reference_missing.h"
#include "base/assert.h"
#include "base/buf.h"
#include "base/diags.h"
#include "natives/embedded.h"
#include "segue/alloc.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct entry_group {
    const char *name, *file, *title, *include; // include: how a script gets at it, or null
} entry_group;

static const entry_group groups[] = {
    {"Electric", "library/models/Electric.jl", "Electric circuits", "Electric.jl"},
    {"Blocks", "library/models/Blocks.jl", "Signal blocks", "Blocks.jl"},
    {"Rotational", "library/models/Rotational.jl", "Rotation in one dimension", "Rotational.jl"},
    {"Translational", "library/models/Translational.jl", "Translation in one dimension",
     "Translational.jl"},
    {"HeatTransfer", "library/models/HeatTransfer.jl", "Heat transfer", "HeatTransfer.jl"},
    {"Circuits", "library/models/Circuits.jl", "More of electric circuits", "Circuits.jl"},
    {"Sources", "library/models/Sources.jl", "Sources of signals", "Sources.jl"},
    {"Control", "library/models/Control.jl", "Controllers", "Control.jl"},
    {"Driveline", "library/models/Driveline.jl", "Drive lines", "Driveline.jl"},
    {"LinearMotion", "library/models/LinearMotion.jl", "More of translation", "LinearMotion.jl"},
    {"Machines", "library/models/Machines.jl", "Electric machines", "Machines.jl"},
    {"Thermal", "library/models/Thermal.jl", "More of heat transfer", "Thermal.jl"},
    {"Fluid", "library/models/Fluid.jl", "Fluids in pipes", "Fluid.jl"},
    {"Mechanics3D", "library/models/Mechanics3D.jl", "Parts for joints and wheels of 3D models",
     "Mechanics3D.jl"},
    {"Joints", "library/prelude/Modia3D.jl", "Joints of 3D models", NULL},
    {"Elements3D", "library/reference/Elements3D.txt", "Elements of 3D models", NULL},
    {"Equations", "library/reference/Equations.txt", "Operators of equations", NULL},
    {"Models", "library/reference/Models.txt", "Models and simulation", NULL},
    {"Results", "library/reference/Results.txt", "Results, plots and files", NULL},
    {"Numbers", "library/reference/Numbers.txt", "Numbers and units", NULL},
    {"Arrays", "library/reference/Arrays.txt", "Arrays and linear algebra", NULL},
    {"Language", "library/reference/Language.txt", "Texts, collections, types, output", NULL},
    {"Rotations", "library/reference/Rotations.txt", "Rotations and frames", NULL},
    {"Actions", "library/reference/Actions.txt", "Actions, paths, objects moved by hand", NULL},
};

// A piece of a file.
typedef struct piece {
    const char *at;
    size_t n;
} piece;

typedef struct entry {
    const entry_group *group;
    piece head;       // the names: "sin(x) ; cos(x)", or the first line of a docstring
    piece text;       // what is said about them
    piece definition; // of the library: from its name to the end
} entry;

// ---- reading --------------------------------------------------------------------------------

static piece rest_of(const entry_group *g)
{
    const sg_embedded *file = sg_embedded_find(g->file);
    return file ? (piece){(const char *)file->bytes, file->length} : (piece){"", 0};
}

static piece take_line(piece *rest)
{
    const char *end = rest->n ? memchr(rest->at, '\n', rest->n) : NULL;
    size_t n = end ? (size_t)(end - rest->at) : rest->n;
    piece line = {rest->at, n};
    n += end != NULL;
    rest->at += n;
    rest->n -= n;
    return line;
}

static bool begins(piece p, const char *word)
{
    return p.n >= strlen(word) && memcmp(p.at, word, strlen(word)) == 0;
}

static piece trim(piece p)
{
    while (p.n && isspace((unsigned char)*p.at)) {
        p.at++;
        p.n--;
    }
    while (p.n && isspace((unsigned char)p.at[p.n - 1]))
        p.n--;
    return p;
}

// Behind a docstring: the lines up to the next one that is empty at bracket depth zero.
static piece take_definition(piece *rest)
{
    piece all = {rest->at, 0};
    while (rest->n) {
        piece line = take_line(rest);
        if (!trim(line).n)
            break;
        all.n = (size_t)(line.at + line.n - all.at);
    }
    return all;
}

static bool next_of_library(piece *rest, entry *e)
{
    while (rest->n) {
        if (!begins(take_line(rest), "\"\"\""))
            continue;
        e->head = trim(take_line(rest));
        e->text = (piece){rest->at, 0};
        for (piece line; rest->n && !begins(line = take_line(rest), "\"\"\"");)
            e->text.n = (size_t)(line.at + line.n - e->text.at);
        e->text = trim(e->text);
        e->definition = take_definition(rest);
        return true;
    }
    return false;
}

static bool next_of_text(piece *rest, entry *e)
{
    while (rest->n) {
        piece line = take_line(rest);
        if (!begins(line, "## "))
            continue;
        e->head = trim((piece){line.at + 3, line.n - 3});
        e->text = (piece){rest->at, 0};
        while (rest->n && !begins(*rest, "## ")) {
            line = take_line(rest);
            e->text.n = (size_t)(line.at + line.n - e->text.at);
        }
        while (e->text.n && isspace((unsigned char)e->text.at[e->text.n - 1]))
            e->text.n--;
        e->definition = (piece){"", 0};
        return true;
    }
    return false;
}

static bool is_library(const entry_group *g) { return strstr(g->file, ".jl") != NULL; }

static bool next_entry(piece *rest, const entry_group *g, entry *e)
{
    e->group = g;
    return is_library(g) ? next_of_library(rest, e) : next_of_text(rest, e);
}

// The k-th name of an entry: what stands in front of parentheses, braces and blanks.
static bool name_of(const entry *e, size_t k, piece *name)
{
    piece rest = e->head;
    for (;; k--) {
        const char *end = NULL;
        for (size_t i = 0; i + 2 < rest.n && !end; i++)
            if (memcmp(rest.at + i, " ; ", 3) == 0)
                end = rest.at + i;
        piece one = {rest.at, end ? (size_t)(end - rest.at) : rest.n};
        if (k == 0) {
            one = trim(one);
            size_t n = 0;
            while (n < one.n && !strchr("( {", one.at[n]))
                n++;
            *name = (piece){one.at, n ? n : one.n};
            return one.n > 0;
        }
        if (!end)
            return false;
        rest = (piece){end + 3, rest.n - one.n - 3};
    }
}

static bool is_text(piece p, const char *text)
{
    return strlen(text) == p.n && memcmp(p.at, text, p.n) == 0;
}

static bool find_in(const entry_group *g, const char *name, entry *e)
{
    piece rest = rest_of(g), other;
    while (next_entry(&rest, g, e))
        for (size_t k = 0; name_of(e, k, &other); k++)
            if (is_text(other, name))
                return true;
    return false;
}

static bool find(const char *name, entry *e)
{
    for (size_t i = 0; i < SG_COUNT(groups); i++)
        if (find_in(&groups[i], name, e))
            return true;
    return false;
}

bool sg_reference_has(const char *name)
{
    entry e;
    return find(name, &e);
}

// ---- members of library models --------------------------------------------------------------

static void put(sg_buf *out, piece p) { sg_buf_add(out, p.at, p.n); }

// "R = 1.0u"Ω"," inside of Model(...): key and value. False for lines of other kinds.
static bool member(piece line, piece *key, piece *value)
{
    piece p = trim(line);
    size_t n = 0;
    while (n < p.n && (isalnum((unsigned char)p.at[n]) || p.at[n] == '_'))
        n++;
    if (n == 0 || n + 3 > p.n || memcmp(p.at + n, " = ", 3) != 0)
        return false;
    *key = (piece){p.at, n};
    *value = trim((piece){p.at + n + 3, p.n - n - 3});
    if (value->n && value->at[value->n - 1] == ',')
        value->n--;
    return true;
}

typedef void visit_member(sg_buf *out, piece key, piece value);

// The base of a definition such as Resistor = OnePort | Model(...): of the same file, if there are
// several of that name.
static bool base_of(const entry *e, entry *base)
{
    piece rest = e->definition, line = take_line(&rest);
    const char *equals = line.n ? memchr(line.at, '=', line.n) : NULL;
    const char *bar = line.n ? memchr(line.at, '|', line.n) : NULL;
    char name[64];
    if (!equals || !bar || bar < equals)
        return false;
    piece of = trim((piece){equals + 1, (size_t)(bar - equals - 1)});
    if (of.n >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)of.n, of.at);
    return find_in(e->group, name, base) || find(name, base);
}

// Those of the bases come first, as in the merged model: Resistor = OnePort | Model(...).
static void visit_members(const entry *e, sg_buf *out, visit_member *visit, int depth)
{
    piece rest = e->definition, key, value;
    entry base;
    take_line(&rest); // its own name
    if (depth < 8 && base_of(e, &base))
        visit_members(&base, out, visit, depth + 1);
    while (rest.n) {
        piece line = take_line(&rest);
        if (begins(line, "    ") && !begins(line, "     ") && member(line, &key, &value) &&
            !begins(key, "equations") && !begins(key, "connect") && key.at[0] != '_')
            visit(out, key, value);
    }
}

static void visit_equations(const entry *e, sg_buf *out, int depth)
{
    piece rest = e->definition;
    bool inside = false;
    entry base;
    take_line(&rest); // its own name
    if (depth < 8 && base_of(e, &base))
        visit_equations(&base, out, depth + 1);
    while (rest.n) {
        piece line = take_line(&rest);
        piece text = trim(line);
        if (begins(text, "equations = :["))
            inside = true;
        else if (inside && (begins(text, "]")))
            inside = false;
        else if (inside) {
            sg_buf_puts(out, "    ");
            size_t indent = begins(line, "        ") ? 8 : 0;
            put(out, (piece){line.at + indent, line.n - indent});
            sg_buf_putc(out, '\n');
        }
    }
}

static bool is_parameter(piece value)
{
    return value.n &&
           (isdigit((unsigned char)value.at[0]) || value.at[0] == '-' || value.at[0] == '[' ||
            begins(value, "true") || begins(value, "false") || begins(value, "Par("));
}

static void list_parameter(sg_buf *out, piece key, piece value)
{
    if (!is_parameter(value))
        return;
    sg_buf_puts(out, "    ");
    put(out, key);
    sg_buf_puts(out, " = ");
    put(out, value);
    sg_buf_putc(out, '\n');
}

static void list_other(sg_buf *out, piece key, piece value)
{
    if (is_parameter(value))
        return;
    sg_buf_puts(out, "    ");
    put(out, key);
    sg_buf_puts(out, begins(value, "Var(") || islower((unsigned char)value.at[0]) ? ": " : " = ");
    put(out, value);
    sg_buf_putc(out, '\n');
}

// How it is used: with its first two parameters.
static void list_use(sg_buf *out, piece key, piece value)
{
    if (!is_parameter(value) || begins(value, "Par("))
        return;
    sg_buf_puts(out, out->len && sg_buf_text(out)[out->len - 1] == '(' ? "" : ", ");
    put(out, key);
    sg_buf_puts(out, " = ");
    put(out, value);
}

static void section(sg_buf *out, const char *title, const entry *e, visit_member *visit)
{
    sg_buf part;
    sg_buf_init(&part, sg_allocator_default());
    if (visit)
        visit_members(e, &part, visit, 0);
    else
        visit_equations(e, &part, 0);
    if (part.len)
        sg_buf_printf(out, "\n%s:\n\n%s", title, sg_buf_text(&part));
    sg_buf_free(&part);
}

static void describe_model(sg_buf *out, const entry *e)
{
    piece name;
    name_of(e, 0, &name);
    section(out, "Parameters and their defaults", e, list_parameter);
    section(out, "Connectors, inputs, outputs and start values", e, list_other);
    section(out, "Equations", e, NULL);
    sg_buf_puts(out, "\nUse:\n\n    part = ");
    put(out, name);
    sg_buf use;
    sg_buf_init(&use, sg_allocator_default());
    sg_buf_puts(&use, " | Map(");
    visit_members(e, &use, list_use, 0);
    if (use.len > strlen(" | Map("))
        sg_buf_printf(out, "%s)", sg_buf_text(&use));
    sg_buf_putc(out, '\n');
    sg_buf_free(&use);
}

// Others are functions, whose heads have parentheses, and values.
static bool is_model(const entry *e)
{
    return is_library(e->group) && isupper((unsigned char)e->head.at[0]) &&
           !memchr(e->head.at, '(', e->head.n);
}

// ---- showing --------------------------------------------------------------------------------

static void hand_over(sg_buf *text, sg_reference_sink write, void *context)
{
    write(context, sg_buf_text(text), text->len);
    sg_buf_free(text);
}

static void put_head(sg_buf *out, piece head, const char *between)
{
    for (size_t i = 0; i < head.n; i++)
        if (i + 2 < head.n && memcmp(head.at + i, " ; ", 3) == 0) {
            sg_buf_puts(out, between);
            i += 2;
        } else {
            sg_buf_putc(out, head.at[i]);
        }
}

bool sg_reference_help(const char *name, sg_reference_sink write, void *context)
{
    entry e;
    sg_buf out;
    if (!name || !write || !find(name, &e))
        return false;
    sg_buf_init(&out, sg_allocator_default());
    put_head(&out, e.head, "\n");
    sg_buf_puts(&out, "\n\n");
    put(&out, e.text);
    sg_buf_putc(&out, '\n');
    if (is_model(&e))
        describe_model(&out, &e);
    if (e.group->include)
        sg_buf_printf(&out, "\nIt comes with: include(\"$(Modia.modelsPath)/%s\")\n",
                      e.group->include);
    hand_over(&out, write, context);
    return true;
}

bool sg_reference_closest(const char *name, char *out, size_t size)
{
    enum { MOST = 2000 };
    if (!name || !out)
        return false;
    const char **names = NULL;
    char *room = NULL;
    const sg_allocator *allocator = sg_allocator_default();
    size_t n = 0, used = 0, list = (size_t)MOST * sizeof *names, text = (size_t)MOST * 40;
    names = allocator->resize(allocator->context, NULL, 0, list);
    room = allocator->resize(allocator->context, NULL, 0, text);
    for (size_t i = 0; names && room && i < SG_COUNT(groups); i++) {
        piece rest = rest_of(&groups[i]), other;
        entry e;
        while (next_entry(&rest, &groups[i], &e))
            for (size_t k = 0; name_of(&e, k, &other) && n < MOST && used + other.n + 1 < text;
                 k++) {
                names[n++] = memcpy(room + used, other.at, other.n);
                room[used + other.n] = '\0';
                used += other.n + 1;
            }
    }
    const char *closest = names && room ? sg_closest_name(name, names, n) : NULL;
    if (closest)
        snprintf(out, size, "%s", closest);
    if (names)
        allocator->resize(allocator->context, (void *)names, list, 0);
    if (room)
        allocator->resize(allocator->context, room, text, 0);
    return closest != NULL;
}

const char *sg_reference_group(size_t index)
{
    return index < SG_COUNT(groups) ? groups[index].name : NULL;
}

static const entry_group *find_group(const char *name)
{
    for (size_t i = 0; i < SG_COUNT(groups); i++)
        if (strcmp(groups[i].name, name) == 0)
            return &groups[i];
    return NULL;
}

// The first sentence, without line breaks.
static void put_summary(sg_buf *out, piece text)
{
    for (size_t i = 0; i < text.n; i++) {
        bool code = text.at[i] == '\n' && begins((piece){text.at + i + 1, text.n - i - 1}, "    ");
        if (code || (text.at[i] == '\n' && i + 1 < text.n && text.at[i + 1] == '\n'))
            break;
        sg_buf_putc(out, text.at[i] == '\n' ? ' ' : text.at[i]);
        if (text.at[i] == '.' &&
            (i + 1 == text.n || text.at[i + 1] == ' ' || text.at[i + 1] == '\n'))
            break;
    }
}

bool sg_reference_list(const char *name, sg_reference_sink write, void *context)
{
    const entry_group *g = name && write ? find_group(name) : NULL;
    if (!g)
        return false;
    piece rest = rest_of(g), one;
    entry e;
    sg_buf out;
    sg_buf_init(&out, sg_allocator_default());
    while (next_entry(&rest, g, &e)) {
        size_t before = out.len;
        sg_buf_puts(&out, "  ");
        piece last = {"", 0};
        for (size_t k = 0; name_of(&e, k, &one); k++) {
            bool again = one.n == last.n && memcmp(one.at, last.at, one.n) == 0;
            sg_buf_puts(&out, k && !again ? ", " : "");
            if (!again)
                put(&out, one);
            last = one;
        }
        bool wide = out.len - before > 26;
        sg_buf_puts(&out, wide ? "\n" : "");
        for (size_t i = wide ? 0 : out.len - before; i < 28; i++)
            sg_buf_putc(&out, ' ');
        put_summary(&out, e.text);
        sg_buf_putc(&out, '\n');
    }
    hand_over(&out, write, context);
    return true;
}

// Lines that are indented by four blanks are code in Markdown as they are; an empty line has to
// stand before them.
static void put_markdown(sg_buf *out, piece text)
{
    bool code = false, empty = true;
    while (text.n) {
        piece line = take_line(&text);
        bool now = begins(line, "    ");
        if (now != code && !empty)
            sg_buf_putc(out, '\n');
        code = now;
        empty = !trim(line).n;
        put(out, line);
        sg_buf_putc(out, '\n');
    }
}

// What stands in front of the first entry.
static void put_introduction(sg_buf *out, const entry_group *g)
{
    piece rest = rest_of(g);
    if (is_library(g)) {
        while (begins(rest, "#")) {
            piece line = take_line(&rest);
            put(out, trim((piece){line.at + 1, line.n - 1}));
            sg_buf_putc(out, '\n');
        }
        return;
    }
    take_line(&rest); // the title
    while (rest.n && !begins(rest, "## ")) {
        put(out, take_line(&rest));
        sg_buf_putc(out, '\n');
    }
}

bool sg_reference_page(const char *name, sg_reference_sink write, void *context)
{
    const entry_group *g = name && write ? find_group(name) : NULL;
    if (!g)
        return false;
    piece rest = rest_of(g);
    entry e;
    sg_buf out;
    sg_buf_init(&out, sg_allocator_default());
    sg_buf_printf(&out, "# %s\n\n", g->title);
    put_introduction(&out, g);
    if (g->include)
        sg_buf_printf(&out, "\n    include(\"$(Modia.modelsPath)/%s\")\n", g->include);
    sg_buf_puts(&out, "\nThis page is generated (`tools/reference`); the texts stand in `");
    sg_buf_printf(&out, "%s`.\n", g->file);
    while (next_entry(&rest, g, &e)) {
        sg_buf_puts(&out, "\n## `");
        put_head(&out, e.head, "`, `");
        sg_buf_puts(&out, "`\n\n");
        put_markdown(&out, e.text);
        if (is_model(&e))
            describe_model(&out, &e);
    }
    hand_over(&out, write, context);
    return true;
}
