#include "fmi/description.h"

#include "base/digits.h"
#include "segue/version.h"

#include <math.h>
#include <string.h>

void sg_fmu_put_text(sg_buf *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&')
            sg_buf_puts(out, "&amp;");
        else if (c == '<')
            sg_buf_puts(out, "&lt;");
        else if (c == '>')
            sg_buf_puts(out, "&gt;");
        else if (c == '"')
            sg_buf_puts(out, "&quot;");
        else
            sg_buf_putc(out, c < 0x20 || c == 0x7f ? ' ' : (char)c);
    }
}

static void put_attribute(sg_buf *out, const char *name, const char *text)
{
    sg_buf_printf(out, " %s=\"", name);
    sg_fmu_put_text(out, text);
    sg_buf_putc(out, '"');
}

static void put_number(sg_buf *out, const char *name, double x)
{
    char digits[32];
    sg_format_shortest(x, digits);
    sg_buf_printf(out, " %s=\"%s\"", name, digits);
}

static const char *truth(bool value) { return value ? "true" : "false"; }

// ---- head -----------------------------------------------------------------------------------

static void put_kinds(const sg_fmu *fmu, sg_buf *out)
{
    const char *state = fmu->version == 2 ? "FMUstate" : "FMUState";
    for (int me = 1; me >= 0; me--) {
        if (!(me ? fmu->model_exchange : fmu->co_simulation))
            continue;
        sg_buf_printf(out, "  <%s", me ? "ModelExchange" : "CoSimulation");
        put_attribute(out, "modelIdentifier", fmu->identifier);
        // What a solver of another tool has in its hands is not ours to save.
        bool saves = fmu->saves && !me;
        sg_buf_printf(out, " canGetAndSet%s=\"%s\" canSerialize%s=\"%s\"", state, truth(saves),
                      state, truth(saves));
        if (me)
            sg_buf_printf(out, " %s=\"%s\"",
                          fmu->version == 2 ? "completedIntegratorStepNotNeeded"
                                            : "needsCompletedIntegratorStep",
                          fmu->version == 2 ? "false" : "true");
        else
            sg_buf_puts(out, " canHandleVariableCommunicationStepSize=\"true\"");
        if (!me && fmu->version == 2)
            sg_buf_puts(out, " canRunAsynchronuously=\"false\"");
        if (!me && fmu->version == 3)
            sg_buf_puts(out,
                        " providesIntermediateUpdate=\"true\" mightReturnEarlyFromDoStep=\"true\""
                        " canReturnEarlyAfterIntermediateUpdate=\"true\" hasEventMode=\"true\"");
        sg_buf_puts(out, "/>\n");
    }
}

static void put_units(const sg_fmu *fmu, sg_buf *out)
{
    static const char *const names[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    if (!fmu->n_units)
        return;
    sg_buf_puts(out, "  <UnitDefinitions>\n");
    for (size_t i = 0; i < fmu->n_units; i++) {
        const sg_fmu_unit *u = &fmu->units[i];
        sg_buf_puts(out, "    <Unit");
        put_attribute(out, "name", u->name);
        if (u->known) {
            sg_buf_puts(out, "><BaseUnit");
            for (int k = 0; k < 8; k++)
                if (u->exponent[k])
                    sg_buf_printf(out, " %s=\"%d\"", names[k], u->exponent[k]);
            sg_buf_puts(out, "/></Unit>\n");
        } else {
            sg_buf_puts(out, "/>\n");
        }
    }
    sg_buf_puts(out, "  </UnitDefinitions>\n");
}

static void put_head(const sg_fmu *fmu, sg_buf *out)
{
    sg_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    put_attribute(out, "fmiVersion", fmu->version == 2 ? "2.0" : "3.0");
    put_attribute(out, "modelName", fmu->name);
    put_attribute(out, fmu->version == 2 ? "guid" : "instantiationToken", fmu->token);
    if (fmu->info[0])
        put_attribute(out, "description", fmu->info);
    put_attribute(out, "generationTool", "Segue " SG_VERSION_TEXT);
    put_attribute(out, "variableNamingConvention", fmu->structured ? "structured" : "flat");
    if (fmu->version == 2 && fmu->model_exchange)
        sg_buf_printf(out, " numberOfEventIndicators=\"%u\"", fmu->n_indicators);
    sg_buf_puts(out, ">\n");
    put_kinds(fmu, out);
    put_units(fmu, out);
    sg_buf_puts(out, "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n"
                     "    <Category name=\"logStatusWarning\"/>\n  </LogCategories>\n");
    sg_buf_puts(out, "  <DefaultExperiment");
    put_number(out, "startTime", fmu->start_time);
    if (!isnan(fmu->stop_time)) {
        put_number(out, "stopTime", fmu->stop_time);
        put_number(out, "stepSize", fmu->step);
    }
    put_number(out, "tolerance", fmu->tolerance);
    sg_buf_puts(out, "/>\n");
}

// ---- variables ------------------------------------------------------------------------------

static const char *type_name(int version, sg_element_type type)
{
    if (type == SG_ELEMENT_BOOLEAN)
        return "Boolean";
    if (type == SG_ELEMENT_INTEGER)
        return version == 2 ? "Integer" : "Int64";
    return version == 2 ? "Real" : "Float64";
}

static void put_start(sg_buf *out, sg_element_type type, double x)
{
    if (type == SG_ELEMENT_BOOLEAN)
        put_attribute(out, "start", truth(x != 0.0));
    else if (type == SG_ELEMENT_INTEGER)
        sg_buf_printf(out, " start=\"%.0f\"", x);
    else
        put_number(out, "start", x);
}

static void put_roles(const sg_fmu_variable *v, sg_buf *out)
{
    bool real = v->type == SG_ELEMENT_REAL;
    const char *causality = v->role == SG_FMU_PARAMETER ? "parameter"
                            : v->role == SG_FMU_INPUT   ? "input"
                            : v->role == SG_FMU_OUTPUT  ? "output"
                                                        : "local";
    put_attribute(out, "causality", causality);
    put_attribute(out, "variability",
                  v->role == SG_FMU_PARAMETER ? "fixed"
                  : real                      ? "continuous"
                                              : "discrete");
    if (v->role != SG_FMU_INPUT)
        put_attribute(out, "initial", v->start ? "exact" : "calculated");
}

// What the type of a number adds.
static void put_value(const sg_fmu *fmu, const sg_fmu_variable *v, uint32_t k, sg_buf *out)
{
    if (v->type == SG_ELEMENT_REAL && v->unit[0])
        put_attribute(out, "unit", v->unit);
    if (v->nominal && v->nominal[k] > 0.0)
        put_number(out, "nominal", v->nominal[k]);
    if (v->rate_of)
        sg_buf_printf(out, " derivative=\"%u\"", v->rate_of + k + (fmu->version == 2 ? 1u : 0u));
    if (v->state && fmu->model_exchange)
        sg_buf_puts(out, " reinit=\"true\"");
    if (v->start)
        put_start(out, v->type, v->start[k]);
}

static void put_element(const sg_fmu *fmu, const sg_fmu_variable *v, uint32_t k, sg_buf *out,
                        sg_buf *name)
{
    sg_buf_clear(name);
    sg_fmu_name(v, k, name);
    const char *type = type_name(fmu->version, v->type);
    sg_buf_printf(out, "    <%s", fmu->version == 2 ? "ScalarVariable" : type);
    put_attribute(out, "name", sg_buf_text(name));
    sg_buf_printf(out, " valueReference=\"%u\"", v->first + k);
    if (v->info[0])
        put_attribute(out, "description", v->info);
    put_roles(v, out);
    if (fmu->version == 2)
        sg_buf_printf(out, "><%s", type);
    put_value(fmu, v, k, out);
    sg_buf_puts(out, fmu->version == 2 ? "/></ScalarVariable>\n" : "/>\n");
}

static void put_variables(const sg_fmu *fmu, sg_buf *out)
{
    sg_buf name;
    sg_buf_init(&name, out->allocator);
    sg_buf_puts(out, "  <ModelVariables>\n");
    sg_buf_printf(out,
                  "    <%s name=\"time\" valueReference=\"0\" causality=\"independent\" "
                  "variability=\"continuous\"%s/>%s\n",
                  fmu->version == 2 ? "ScalarVariable" : "Float64",
                  fmu->version == 2 ? "><Real unit=\"s\"" : " unit=\"s\"",
                  fmu->version == 2 ? "</ScalarVariable>" : "");
    for (size_t i = 0; i < fmu->n_variables; i++)
        for (uint32_t k = 0; k < fmu->variables[i].n; k++)
            put_element(fmu, &fmu->variables[i], k, out, &name);
    sg_buf_puts(out, "  </ModelVariables>\n");
    out->failed |= name.failed;
    sg_buf_free(&name);
}

// ---- structure ------------------------------------------------------------------------------

static void put_unknown(const sg_fmu *fmu, const char *element, uint32_t reference,
                        const sg_fmu_depends *d, size_t i, sg_buf *out)
{
    bool two = fmu->version == 2;
    sg_buf_printf(out, two ? "      <%s index=\"%u\"" : "    <%s valueReference=\"%u\"",
                  two ? "Unknown" : element, reference + (two ? 1u : 0u));
    if (d && fmu->has_depends && !d->everything[i]) {
        sg_buf_puts(out, " dependencies=\"");
        for (uint32_t k = d->start[i]; k < d->start[i + 1]; k++)
            sg_buf_printf(out, k == d->start[i] ? "%u" : " %u", d->from[k] + (two ? 1u : 0u));
        sg_buf_putc(out, '"');
    }
    sg_buf_puts(out, "/>\n");
}

static void put_outputs(const sg_fmu *fmu, sg_buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < fmu->n_variables; i++)
        for (uint32_t k = 0; fmu->variables[i].role == SG_FMU_OUTPUT && k < fmu->variables[i].n;
             k++)
            put_unknown(fmu, "Output", fmu->variables[i].first + k, &fmu->outputs, n++, out);
}

static void put_derivatives(const sg_fmu *fmu, sg_buf *out)
{
    for (uint32_t i = 0; i < fmu->n_states; i++)
        put_unknown(fmu, "ContinuousStateDerivative", fmu->rates[i], &fmu->derivatives, i, out);
}

// Outputs, states and derivatives that a run computes at its start.
static void put_initial(const sg_fmu *fmu, sg_buf *out)
{
    for (size_t i = 0; i < fmu->n_variables; i++) {
        const sg_fmu_variable *v = &fmu->variables[i];
        bool counts = v->role == SG_FMU_OUTPUT || (fmu->model_exchange && (v->state || v->rate_of));
        for (uint32_t k = 0; counts && !v->start && k < v->n; k++)
            put_unknown(fmu, "InitialUnknown", v->first + k, NULL, 0, out);
    }
}

static void put_indicators(const sg_fmu *fmu, sg_buf *out)
{
    for (size_t i = 0; i < fmu->n_variables; i++)
        for (uint32_t k = 0; fmu->variables[i].role == SG_FMU_INDICATOR && k < fmu->variables[i].n;
             k++)
            put_unknown(fmu, "EventIndicator", fmu->variables[i].first + k, NULL, 0, out);
}

// FMI 2 has a list around the unknowns of a kind, if there are any.
static void put_list(const sg_fmu *fmu, const char *name,
                     void (*put)(const sg_fmu *fmu, sg_buf *out), sg_buf *out)
{
    size_t before = out->len;
    if (fmu->version == 2)
        sg_buf_printf(out, "    <%s>\n", name);
    size_t empty = out->len;
    put(fmu, out);
    if (fmu->version == 2 && out->len > empty)
        sg_buf_printf(out, "    </%s>\n", name);
    else if (fmu->version == 2 && !out->failed) {
        out->len = before;
        out->text[before] = '\0';
    }
}

void sg_fmu_write_xml(const sg_fmu *fmu, sg_buf *out)
{
    put_head(fmu, out);
    put_variables(fmu, out);
    sg_buf_puts(out, "  <ModelStructure>\n");
    put_list(fmu, "Outputs", put_outputs, out);
    if (fmu->model_exchange)
        put_list(fmu, "Derivatives", put_derivatives, out);
    put_list(fmu, "InitialUnknowns", put_initial, out);
    if (fmu->version == 3 && fmu->model_exchange)
        put_indicators(fmu, out);
    sg_buf_puts(out, "  </ModelStructure>\n</fmiModelDescription>\n");
}
