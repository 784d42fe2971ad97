#include "fmi/foreign.h"

#include "xml/xml.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct foreign_reader {
    sg_arena *arena;
    sg_fmu_foreign *fmu;
    const sg_xml_element *root;
    const sg_xml_element **elements; // of each variable: where its type's attributes are
    char *words;
    sg_status status;
} foreign_reader;

__attribute__((format(printf, 3, 4))) static void refuse(foreign_reader *r, sg_status status,
                                                         const char *format, ...)
{
    if (r->status)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(r->words, SG_FMU_WORDS, format, list);
    va_end(list);
    r->status = status;
}

static void lack_memory(foreign_reader *r) { refuse(r, SG_ERR_MEMORY, "out of memory"); }

// ---- small things -------------------------------------------------------------------------------

static const struct {
    const char *name;
    sg_fmu_type type;
} types[] = {
    {"Float64", SG_FMU_FLOAT64}, {"Float32", SG_FMU_FLOAT32}, {"Int8", SG_FMU_INT8},
    {"UInt8", SG_FMU_UINT8},     {"Int16", SG_FMU_INT16},     {"UInt16", SG_FMU_UINT16},
    {"Int32", SG_FMU_INT32},     {"UInt32", SG_FMU_UINT32},   {"Int64", SG_FMU_INT64},
    {"UInt64", SG_FMU_UINT64},   {"Boolean", SG_FMU_BOOLEAN}, {"String", SG_FMU_STRING},
    {"Real", SG_FMU_FLOAT64},    {"Integer", SG_FMU_INT32},
};

static sg_fmu_type type_named(const char *name, int version)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    if (strcmp(name, "Enumeration") == 0)
        return version == 2 ? SG_FMU_INT32 : SG_FMU_INT64;
    return SG_FMU_OTHER;
}

static bool is_true(const char *value)
{
    return value && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

static double number_or(const char *value, double otherwise)
{
    double x;
    return sg_xml_number(value, &x) ? x : otherwise;
}

static uint32_t count(const sg_xml_element *parent)
{
    uint32_t n = 0;
    for (const sg_xml_element *e = parent ? parent->child : NULL; e; e = e->next)
        n++;
    return n;
}

// ---- units --------------------------------------------------------------------------------------

static void read_units(foreign_reader *r)
{
    static const char *const bases[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    const sg_xml_element *list = sg_xml_child(r->root, "UnitDefinitions");
    r->fmu->units = SG_NEW_ARRAY(r->arena, sg_foreign_unit, count(list) + 1);
    if (!r->fmu->units) {
        lack_memory(r);
        return;
    }
    for (const sg_xml_element *e = sg_xml_child(list, "Unit"); e; e = sg_xml_next(e, "Unit")) {
        sg_foreign_unit *u = &r->fmu->units[r->fmu->n_units];
        const sg_xml_element *base = sg_xml_child(e, "BaseUnit");
        const char *name = sg_xml_get(e, "name");
        if (!name)
            continue;
        r->fmu->n_units++;
        *u = (sg_foreign_unit){.name = name, .known = base != NULL, .factor = 1.0};
        for (int i = 0; base && i < 8; i++) {
            int64_t power;
            const char *value = sg_xml_get(base, bases[i]);
            if (value && (!sg_xml_integer(value, &power) || power < -20 || power > 20))
                refuse(r, SG_ERR_INPUT, "the unit '%.60s' has an exponent '%.20s'", name, value);
            else if (value)
                u->exponent[i] = (int)power;
        }
        u->factor = number_or(sg_xml_get(base, "factor"), 1.0);
        u->offset = number_or(sg_xml_get(base, "offset"), 0.0);
        if (!isfinite(u->factor) || u->factor == 0.0 || !isfinite(u->offset))
            refuse(r, SG_ERR_INPUT, "the unit '%.60s' cannot be converted", name);
    }
}

static const sg_foreign_unit *unit_named(const sg_fmu_foreign *fmu, const char *name)
{
    for (uint32_t i = 0; name && i < fmu->n_units; i++)
        if (strcmp(fmu->units[i].name, name) == 0)
            return &fmu->units[i];
    return NULL;
}

// The unit that a variable names itself, or that of its declared type.
static const sg_foreign_unit *unit_of(const foreign_reader *r, const sg_xml_element *type)
{
    const char *declared = sg_xml_get(type, "declaredType"), *own = sg_xml_get(type, "unit");
    const sg_xml_element *list = sg_xml_child(r->root, "TypeDefinitions");
    if (own || !declared)
        return unit_named(r->fmu, own);
    for (const sg_xml_element *e = list ? list->child : NULL; e; e = e->next) {
        const char *name = sg_xml_get(e, "name");
        if (name && strcmp(name, declared) == 0) // in 2.0 the attributes are one level deeper
            return unit_named(r->fmu, sg_xml_get(r->fmu->version == 2 ? e->child : e, "unit"));
    }
    return NULL;
}

// ---- kinds --------------------------------------------------------------------------------------

static sg_fmu_kind_info read_kind(foreign_reader *r, const char *name)
{
    const sg_xml_element *e = sg_xml_child(r->root, name);
    sg_fmu_kind_info k = {0};
    if (!e)
        return k;
    const char *id = sg_xml_get(e, "modelIdentifier");
    // The name of a file: nothing that leads elsewhere.
    if (!id || !*id || strlen(id) > 200 ||
        strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR"
                   "STUVWXYZ0123456789_") != strlen(id)) {
        refuse(r, SG_ERR_INPUT, "%s has no modelIdentifier that is a name", name);
        return k;
    }
    bool second = r->fmu->version == 2;
    k.identifier = id;
    k.needs_tool = is_true(sg_xml_get(e, "needsExecutionTool"));
    k.only_once = is_true(sg_xml_get(e, "canBeInstantiatedOnlyOncePerProcess"));
    k.saves_state =
        is_true(sg_xml_get(e, second ? "canGetAndSetFMUstate" : "canGetAndSetFMUState"));
    k.no_completed_steps = second ? is_true(sg_xml_get(e, "completedIntegratorStepNotNeeded"))
                                  : !is_true(sg_xml_get(e, "needsCompletedIntegratorStep"));
    k.variable_steps = is_true(sg_xml_get(e, "canHandleVariableCommunicationStepSize"));
    k.event_mode = is_true(sg_xml_get(e, "hasEventMode"));
    k.early_return = is_true(sg_xml_get(e, "mightReturnEarlyFromDoStep"));
    k.interpolates_inputs = is_true(sg_xml_get(e, "canInterpolateInputs"));
    k.fixed_step = number_or(sg_xml_get(e, "fixedInternalStepSize"), 0.0);
    if (!(k.fixed_step > 0.0) || !isfinite(k.fixed_step))
        k.fixed_step = 0.0;
    return k;
}

// ---- variables ----------------------------------------------------------------------------------

static sg_foreign_causality causality_named(foreign_reader *r, const char *value, const char *name)
{
    static const struct {
        const char *name;
        sg_foreign_causality causality;
    } all[] = {{"parameter", SG_FOREIGN_PARAMETER},
               {"structuralParameter", SG_FOREIGN_STRUCTURAL},
               {"calculatedParameter", SG_FOREIGN_CALCULATED},
               {"input", SG_FOREIGN_INPUT},
               {"output", SG_FOREIGN_OUTPUT},
               {"local", SG_FOREIGN_LOCAL},
               {"independent", SG_FOREIGN_INDEPENDENT}};
    for (size_t i = 0; value && i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, value) == 0)
            return all[i].causality;
    if (value)
        refuse(r, SG_ERR_INPUT, "'%.60s' has an unknown causality '%.30s'", name, value);
    return SG_FOREIGN_LOCAL;
}

static void read_start(foreign_reader *r, sg_foreign_variable *v, const sg_xml_element *type)
{
    const char *value = sg_xml_get(type, "start");
    const sg_xml_element *inside = sg_xml_child(type, "Start");
    if (v->type == SG_FMU_STRING) {
        v->text = value ? value : sg_xml_get(inside, "value");
        return;
    }
    if (!value || v->type == SG_FMU_OTHER)
        return;
    long n;
    double *start;
    if (v->type == SG_FMU_BOOLEAN) { // words
        size_t room = strlen(value) / 2 + 1;
        start = SG_NEW_ARRAY(r->arena, double, room);
        n = 0;
        for (const char *at = value; start && *at;) {
            size_t blank = strspn(at, " \t\r\n"), word = strcspn(at + blank, " \t\r\n");
            at += blank;
            if (word && (size_t)n < room)
                start[n++] = (word == 4 && !strncmp(at, "true", 4)) || (word == 1 && *at == '1');
            at += word;
        }
    } else {
        n = sg_xml_numbers(value, NULL, 0);
        start = SG_NEW_ARRAY(r->arena, double, n > 0 ? n : 1);
        if (start && n > 0)
            sg_xml_numbers(value, start, (size_t)n);
    }
    if (!start)
        lack_memory(r);
    else if (n <= 0)
        refuse(r, SG_ERR_INPUT, "the start value '%.40s' of '%.80s' is no number", value, v->name);
    v->start = start;
    v->n_start = n > 0 ? (size_t)n : 0;
}

static void read_variable(foreign_reader *r, sg_foreign_variable *v, const sg_xml_element *e)
{
    int64_t reference;
    const sg_xml_element *type = r->fmu->version == 2 ? e->child : e;
    while (type && r->fmu->version == 2 && strcmp(type->name, "Annotations") == 0)
        type = type->next;
    const char *variability = sg_xml_get(e, "variability"), *initial = sg_xml_get(e, "initial");
    *v = (sg_foreign_variable){.name = sg_xml_get(e, "name"),
                               .description = sg_xml_get(e, "description"),
                               .n = 1,
                               .derivative_of = -1};
    if (!v->name || !*v->name || !type ||
        !sg_xml_integer(sg_xml_get(e, "valueReference"), &reference) || reference < 0 ||
        reference > UINT32_MAX) {
        refuse(r, SG_ERR_INPUT, "variable %u has no name, type or value reference",
               (unsigned)(v - r->fmu->variables) + 1);
        return;
    }
    v->reference = (uint32_t)reference;
    v->type = type_named(type->name, r->fmu->version);
    v->causality = causality_named(r, sg_xml_get(e, "causality"), v->name);
    bool real = v->type == SG_FMU_FLOAT64 || v->type == SG_FMU_FLOAT32;
    v->constant = variability && !strcmp(variability, "constant");
    v->fixed = variability && !strcmp(variability, "fixed");
    v->tunable = variability && !strcmp(variability, "tunable");
    v->discrete = variability ? !strcmp(variability, "discrete") : !real;
    v->exact = initial
                   ? !strcmp(initial, "exact")
                   : v->causality == SG_FOREIGN_PARAMETER || v->causality == SG_FOREIGN_STRUCTURAL;
    v->approx = initial && !strcmp(initial, "approx");
    v->unit = real ? unit_of(r, type) : NULL;
    v->nominal = real ? fabs(number_or(sg_xml_get(type, "nominal"), 1.0)) : 1.0;
    if (!(v->nominal > 0.0) || !isfinite(v->nominal))
        v->nominal = 1.0;
    if (!real && v->type != SG_FMU_OTHER && !variability && v->causality == SG_FOREIGN_PARAMETER)
        v->discrete = false, v->fixed = true;
    read_start(r, v, type);
}

static void read_variables(foreign_reader *r)
{
    const sg_xml_element *list = sg_xml_child(r->root, "ModelVariables");
    uint32_t n = count(list);
    r->fmu->variables = SG_NEW_ARRAY(r->arena, sg_foreign_variable, n + 1);
    r->elements = SG_NEW_ARRAY(r->arena, const sg_xml_element *, n + 1);
    if (!list)
        refuse(r, SG_ERR_INPUT, "it has no ModelVariables");
    else if (!r->fmu->variables || !r->elements)
        lack_memory(r);
    for (const sg_xml_element *e = list ? list->child : NULL; e && !r->status; e = e->next) {
        uint32_t i = r->fmu->n_variables++;
        r->elements[i] = e;
        read_variable(r, &r->fmu->variables[i], e);
    }
}

// ---- references ---------------------------------------------------------------------------------

typedef struct by_reference {
    uint32_t reference, index;
} by_reference;

static int compare_references(const void *a, const void *b)
{
    const by_reference *x = a, *y = b;
    if (x->reference != y->reference)
        return x->reference < y->reference ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// For 3.0, whose structure speaks of references: the variables in their order.
static by_reference *sort_references(foreign_reader *r)
{
    by_reference *sorted = SG_NEW_ARRAY(r->arena, by_reference, r->fmu->n_variables + 1);
    for (uint32_t i = 0; sorted && i < r->fmu->n_variables; i++)
        sorted[i] = (by_reference){r->fmu->variables[i].reference, i};
    if (!sorted)
        lack_memory(r);
    else
        qsort(sorted, r->fmu->n_variables, sizeof *sorted, compare_references);
    return sorted;
}

typedef struct references {
    foreign_reader *r;
    const by_reference *sorted;
} references;

// The variable that a number of the structure means: an index from 1 in 2.0, a reference in 3.0;
// -1 if it is none.
static int64_t find(const references *refs, int64_t number)
{
    const sg_fmu_foreign *fmu = refs->r->fmu;
    if (fmu->version == 2)
        return number >= 1 && number <= fmu->n_variables ? number - 1 : -1;
    if (number < 0 || number > UINT32_MAX)
        return -1;
    uint32_t lo = 0, hi = fmu->n_variables;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (refs->sorted[mid].reference < (uint32_t)number)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < fmu->n_variables && refs->sorted[lo].reference == (uint32_t)number
               ? (int64_t)refs->sorted[lo].index
               : -1;
}

static int64_t find_text(const references *refs, const char *text)
{
    int64_t number;
    return sg_xml_integer(text, &number) ? find(refs, number) : -1;
}

// Sizes of arrays: written, or the start value of a structural parameter.
static void read_sizes(const references *refs)
{
    foreign_reader *r = refs->r;
    size_t sum = 0;
    for (uint32_t i = 0; i < r->fmu->n_variables && !r->status; i++) {
        sg_foreign_variable *v = &r->fmu->variables[i];
        for (const sg_xml_element *d = sg_xml_child(r->elements[i], "Dimension"); d;
             d = sg_xml_next(d, "Dimension")) {
            int64_t size = -1, other = find_text(refs, sg_xml_get(d, "valueReference"));
            if (!sg_xml_integer(sg_xml_get(d, "start"), &size) && other >= 0 &&
                r->fmu->variables[other].start)
                size = (int64_t)fmax(-1.0, fmin(r->fmu->variables[other].start[0], 1e9));
            v->n_dimensions++;
            if (size < 0 || (size > 0 && v->n > SG_FMU_MOST_ELEMENTS / (size_t)size)) {
                refuse(r, SG_ERR_INPUT, "the array '%.80s' has no size that can be", v->name);
                return;
            }
            v->n *= (size_t)size;
        }
        sum += v->n;
        if (sum > SG_FMU_MOST_ELEMENTS)
            refuse(r, SG_ERR_LIMIT, "its variables have more than %d elements",
                   SG_FMU_MOST_ELEMENTS);
        if (v->start && v->n_start != v->n && v->n_start != 1)
            refuse(r, SG_ERR_INPUT, "'%.80s' has %zu elements and %zu start values", v->name, v->n,
                   v->n_start);
    }
}

static void read_derivatives_of(const references *refs)
{
    foreign_reader *r = refs->r;
    for (uint32_t i = 0; i < r->fmu->n_variables; i++) {
        const sg_xml_element *e = r->elements[i];
        const char *of =
            sg_xml_get(r->fmu->version == 2 ? sg_xml_child(e, "Real") : e, "derivative");
        if (of)
            r->fmu->variables[i].derivative_of = find_text(refs, of);
    }
}

// ---- structure ----------------------------------------------------------------------------------

static void read_output(const references *refs, const sg_xml_element *e, sg_fmu_output *out)
{
    foreign_reader *r = refs->r;
    const char *text = sg_xml_get(e, "dependencies");
    int64_t v = find_text(refs, sg_xml_get(e, r->fmu->version == 2 ? "index" : "valueReference"));
    if (v < 0 || r->fmu->variables[v].causality != SG_FOREIGN_OUTPUT) {
        refuse(r, SG_ERR_INPUT, "its structure names an output that is none");
        return;
    }
    *out = (sg_fmu_output){.variable = (uint32_t)v, .all = !text};
    long n = text ? sg_xml_numbers(text, NULL, 0) : 0;
    double *numbers = SG_NEW_ARRAY(r->arena, double, n > 0 ? n : 1);
    uint32_t *inputs = SG_NEW_ARRAY(r->arena, uint32_t, n > 0 ? n : 1);
    if (!numbers || !inputs) {
        lack_memory(r);
        return;
    }
    if (n > 0)
        sg_xml_numbers(text, numbers, (size_t)n);
    for (long i = 0; i < n; i++) {
        int64_t on = fabs(numbers[i]) < 1e18 ? find(refs, (int64_t)numbers[i]) : -1;
        if (on < 0)
            refuse(r, SG_ERR_INPUT, "'%.80s' depends on a variable that is not there",
                   r->fmu->variables[v].name);
        else if (r->fmu->variables[on].causality == SG_FOREIGN_INPUT)
            inputs[out->n_inputs++] = (uint32_t)on;
    }
    out->inputs = inputs;
}

// The elements of a list: below <Outputs> in 2.0, directly in the structure in 3.0.
static const sg_xml_element *first_of(const foreign_reader *r, const char *list, const char *single)
{
    const sg_xml_element *s = sg_xml_child(r->root, "ModelStructure");
    return r->fmu->version == 2 ? sg_xml_child(sg_xml_child(s, list), "Unknown")
                                : sg_xml_child(s, single);
}

static void read_structure(const references *refs)
{
    foreign_reader *r = refs->r;
    sg_fmu_foreign *fmu = r->fmu;
    const char *key = fmu->version == 2 ? "index" : "valueReference";
    uint32_t n_outputs = 0, n_derivatives = 0;
    const sg_xml_element *outputs = first_of(r, "Outputs", "Output"),
                         *rates = first_of(r, "Derivatives", "ContinuousStateDerivative");
    if (!sg_xml_child(r->root, "ModelStructure")) {
        refuse(r, SG_ERR_INPUT, "it has no ModelStructure");
        return;
    }
    for (const sg_xml_element *e = outputs; e; e = sg_xml_next(e, e->name))
        n_outputs++;
    for (const sg_xml_element *e = rates; e; e = sg_xml_next(e, e->name))
        n_derivatives++;
    fmu->outputs = SG_NEW_ARRAY(r->arena, sg_fmu_output, n_outputs + 1);
    fmu->derivatives = SG_NEW_ARRAY(r->arena, uint32_t, n_derivatives + 1);
    if (!fmu->outputs || !fmu->derivatives) {
        lack_memory(r);
        return;
    }
    for (const sg_xml_element *e = outputs; e && !r->status; e = sg_xml_next(e, e->name))
        read_output(refs, e, &fmu->outputs[fmu->n_outputs++]);
    for (const sg_xml_element *e = rates; e && !r->status; e = sg_xml_next(e, e->name)) {
        int64_t v = find_text(refs, sg_xml_get(e, key));
        if (v < 0 || fmu->variables[v].derivative_of < 0 ||
            fmu->variables[v].type != SG_FMU_FLOAT64 ||
            fmu->variables[fmu->variables[v].derivative_of].n != fmu->variables[v].n) {
            refuse(r, SG_ERR_INPUT, "its structure names a derivative that is none");
            return;
        }
        fmu->derivatives[fmu->n_derivatives++] = (uint32_t)v;
        fmu->n_states += fmu->variables[v].n;
    }
    if (fmu->version == 2) {
        int64_t n = 0;
        const char *text = sg_xml_get(r->root, "numberOfEventIndicators");
        if (text && (!sg_xml_integer(text, &n) || n < 0 || n > SG_FMU_MOST_ELEMENTS))
            refuse(r, SG_ERR_INPUT, "it has '%.20s' event indicators", text);
        else
            fmu->n_indicators = (size_t)n;
        return;
    }
    for (const sg_xml_element *e = first_of(r, "", "EventIndicator"); e && !r->status;
         e = sg_xml_next(e, e->name)) {
        int64_t v = find_text(refs, sg_xml_get(e, key));
        if (v < 0)
            refuse(r, SG_ERR_INPUT, "its structure names an event indicator that is none");
        else
            fmu->n_indicators += fmu->variables[v].n;
    }
}

// ---- the whole ----------------------------------------------------------------------------------

static void read_root(foreign_reader *r)
{
    sg_fmu_foreign *fmu = r->fmu;
    const char *version = sg_xml_get(r->root, "fmiVersion");
    if (strcmp(r->root->name, "fmiModelDescription") != 0 || !version) {
        refuse(r, SG_ERR_INPUT, "its description is none of FMI");
        return;
    }
    fmu->version = strncmp(version, "2.", 2) == 0 ? 2 : strncmp(version, "3.", 2) == 0 ? 3 : 0;
    if (!fmu->version) {
        refuse(r, SG_ERR_INPUT, "it is of FMI %.20s; Segue imports 2.0 and 3.0", version);
        return;
    }
    fmu->name = sg_xml_get(r->root, "modelName");
    fmu->token = sg_xml_get(r->root, fmu->version == 2 ? "guid" : "instantiationToken");
    if (!fmu->name || !fmu->token)
        refuse(r, SG_ERR_INPUT, "it has no name or no %s",
               fmu->version == 2 ? "guid" : "instantiationToken");
    fmu->me = read_kind(r, "ModelExchange");
    fmu->cs = read_kind(r, "CoSimulation");
    fmu->scheduled = sg_xml_child(r->root, "ScheduledExecution") != NULL;
    const sg_xml_element *e = sg_xml_child(r->root, "DefaultExperiment");
    fmu->start_time = number_or(sg_xml_get(e, "startTime"), NAN);
    fmu->stop_time = number_or(sg_xml_get(e, "stopTime"), NAN);
    fmu->tolerance = number_or(sg_xml_get(e, "tolerance"), NAN);
    fmu->step = number_or(sg_xml_get(e, "stepSize"), NAN);
}

sg_status sg_fmu_foreign_read(sg_arena *arena, const char *xml, size_t length, sg_fmu_foreign *out,
                              char words[SG_FMU_WORDS])
{
    sg_xml_complaint complaint;
    foreign_reader r = {.arena = arena, .fmu = out, .words = words};
    *out = (sg_fmu_foreign){0};
    words[0] = '\0';
    sg_status status = sg_xml_read(arena, xml, length, NULL, &r.root, &complaint);
    if (status) {
        unsigned line = 1;
        for (uint32_t i = 0; i < complaint.first; i++)
            line += xml[i] == '\n';
        snprintf(words, SG_FMU_WORDS, "modelDescription.xml, line %u: %s", line, complaint.message);
        return status;
    }
    read_root(&r);
    if (!r.status)
        read_units(&r);
    if (!r.status)
        read_variables(&r);
    references refs = {&r, NULL};
    if (!r.status && out->version == 3)
        refs.sorted = sort_references(&r);
    if (!r.status)
        read_derivatives_of(&refs);
    if (!r.status && out->version == 3)
        read_sizes(&refs);
    if (!r.status)
        read_structure(&refs);
    return r.status;
}
