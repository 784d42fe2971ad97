#include "fmi/foreign.h"

#include "harness/sg_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char two[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='Pump' guid='{1}' numberOfEventIndicators='3'>"
    "<ModelExchange modelIdentifier='Pump' completedIntegratorStepNotNeeded='true'/>"
    "<CoSimulation modelIdentifier='Pump' canHandleVariableCommunicationStepSize='true'/>"
    "<UnitDefinitions><Unit name='bar'><BaseUnit kg='1' m='-1' s='-2' factor='1e5'/></Unit>"
    "<Unit name='degC'><BaseUnit K='1' offset='273.15'/></Unit><Unit name='odd'/></UnitDefinitions>"
    "<TypeDefinitions><SimpleType name='Pressure'><Real unit='bar'/></SimpleType></TypeDefinitions>"
    "<DefaultExperiment stopTime='2' stepSize='0.01'/>"
    "<ModelVariables>"
    "<ScalarVariable name='p' valueReference='7' causality='output'><Real "
    "declaredType='Pressure'/></ScalarVariable>"
    "<ScalarVariable name='x' valueReference='1' initial='exact'><Real start='2' "
    "unit='degC'/></ScalarVariable>"
    "<ScalarVariable name='der(x)' valueReference='2'><Real derivative='2'/></ScalarVariable>"
    "<ScalarVariable name='u' valueReference='3' causality='input'><Real start='1' "
    "unit='odd'/></ScalarVariable>"
    "<ScalarVariable name='n' valueReference='3' causality='parameter' "
    "variability='fixed'><Integer start='4'/></ScalarVariable>"
    "<ScalarVariable name='on' valueReference='4' causality='input'><Boolean "
    "start='true'/></ScalarVariable>"
    "<ScalarVariable name='word' valueReference='5' causality='parameter'><String start='a "
    "b'/></ScalarVariable>"
    "</ModelVariables>"
    "<ModelStructure><Outputs><Unknown index='1' dependencies='4 2'/></Outputs>"
    "<Derivatives><Unknown index='3'/></Derivatives></ModelStructure></fmiModelDescription>";

static sg_status read_text(sg_arena *arena, const char *xml, sg_fmu_foreign *fmu, char *words)
{
    return sg_fmu_foreign_read(arena, xml, strlen(xml), fmu, words);
}

SG_TEST(a_description_of_version_2_is_read)
{
    sg_arena arena;
    sg_fmu_foreign fmu;
    char words[SG_FMU_WORDS];
    sg_arena_init(&arena, NULL);
    SG_REQUIRE(read_text(&arena, two, &fmu, words) == SG_OK);
    SG_CHECK(fmu.version == 2 && fmu.n_variables == 7 && fmu.n_indicators == 3);
    SG_CHECK(fmu.me.identifier && fmu.me.no_completed_steps && fmu.cs.variable_steps);
    SG_CHECK(fmu.n_states == 1 && fmu.variables[fmu.derivatives[0]].derivative_of == 1);
    SG_CHECK(fmu.n_outputs == 1 && !fmu.outputs[0].all && fmu.outputs[0].n_inputs == 1 &&
             fmu.outputs[0].inputs[0] == 3); // x is a state and no input
    const sg_foreign_unit *bar = fmu.variables[0].unit, *degrees = fmu.variables[1].unit;
    SG_REQUIRE(bar && degrees && fmu.variables[3].unit);
    SG_CHECK(bar->factor == 1e5 && bar->exponent[0] == 1 && bar->exponent[1] == -1);
    SG_CHECK(degrees->offset == 273.15 && !fmu.variables[3].unit->known);
    SG_CHECK(fmu.variables[4].type == SG_FMU_INT32 && fmu.variables[4].start[0] == 4.0);
    SG_CHECK(fmu.variables[5].start[0] == 1.0 && fmu.variables[5].discrete);
    SG_SAME_TEXT(fmu.variables[6].text, "a b");
    SG_CHECK(fmu.step == 0.01 && isnan(fmu.start_time) && fmu.stop_time == 2.0);
    sg_arena_destroy(&arena);
}

SG_TEST(arrays_of_version_3_have_their_sizes)
{
    static const char three[] =
        "<fmiModelDescription fmiVersion='3.0' modelName='S' instantiationToken='t'>"
        "<CoSimulation modelIdentifier='S' hasEventMode='true' fixedInternalStepSize='0.1'/>"
        "<ModelVariables><UInt64 name='n' valueReference='9' causality='structuralParameter' "
        "start='3'/>"
        "<Float64 name='A' valueReference='4' causality='parameter' start='1 2 3 4 5 6'>"
        "<Dimension valueReference='9'/><Dimension start='2'/></Float64>"
        "<Float64 name='x' valueReference='5'><Dimension valueReference='9'/></Float64>"
        "<Float64 name='dx' valueReference='6' derivative='5'><Dimension "
        "valueReference='9'/></Float64>"
        "<Boolean name='b' valueReference='8' causality='output'/>"
        "</ModelVariables><ModelStructure><Output valueReference='8'/>"
        "<ContinuousStateDerivative valueReference='6'/><EventIndicator valueReference='5'/>"
        "</ModelStructure></fmiModelDescription>";
    sg_arena arena;
    sg_fmu_foreign fmu;
    char words[SG_FMU_WORDS];
    sg_arena_init(&arena, NULL);
    SG_REQUIRE(read_text(&arena, three, &fmu, words) == SG_OK);
    SG_CHECK(fmu.variables[1].n == 6 && fmu.variables[1].n_dimensions == 2);
    SG_CHECK(fmu.n_states == 3 && fmu.n_indicators == 3 && fmu.outputs[0].all);
    SG_CHECK(!fmu.me.identifier && fmu.cs.event_mode && fmu.cs.fixed_step == 0.1);
    sg_arena_destroy(&arena);
}

// A copy of the description with one thing replaced.
static void is_refused(const char *what, const char *by, const char *expected)
{
    char text[sizeof two + 200], words[SG_FMU_WORDS];
    const char *at = strstr(two, what);
    sg_arena arena;
    sg_fmu_foreign fmu;
    SG_REQUIRE(at);
    size_t n = (size_t)(at - two);
    memcpy(text, two, n);
    strcpy(text + n, by);
    strcat(text, at + strlen(what));
    sg_arena_init(&arena, NULL);
    sg_status status = read_text(&arena, text, &fmu, words);
    SG_CHECK_MSG(status == SG_ERR_INPUT && strstr(words, expected), "%s: %d '%s'", by, (int)status,
                 words);
    sg_arena_destroy(&arena);
}

SG_TEST(descriptions_that_cannot_be_are_refused)
{
    is_refused("'2.0'", "'1.0'", "FMI 1.0");
    is_refused("fmiModelDescription", "model", "mismatched");
    is_refused("modelIdentifier='Pump'", "modelIdentifier='../Pump'", "modelIdentifier");
    is_refused("guid='{1}'", "", "guid");
    is_refused("index='1'", "index='2'", "output that is none");
    is_refused("index='1'", "index='0'", "output that is none");
    is_refused("'4 2'", "'4 99'", "not there");
    is_refused("index='3'", "index='1'", "derivative that is none");
    is_refused("valueReference='7'", "valueReference='-7'", "value reference");
    is_refused("start='4'", "start='four'", "no number");
    is_refused("causality='output'", "causality='outlet'", "outlet");
    is_refused("factor='1e5'", "factor='0'", "converted");
    is_refused("Indicators='3'", "Indicators='-3'", "event indicators");
    is_refused("</ModelStructure>", "</ModelStructure><x>", "mismatched");
}
