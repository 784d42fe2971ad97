// What stands on a command line: options with and without values, files, what is left.
#include "options.h"

#include "harness/sg_test.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {{"quiet", 'q', NULL, "says nothing"},
                                     {"output", 'o', "DIR", "where results go"},
                                     {"table", 0, "FILE|-", "a file or a stream"},
                                     {"tolerance", 't', "NUMBER", "of the run"}};
enum { N_OPTIONS = sizeof options / sizeof options[0], MOST = 8 };

typedef struct taken {
    char text[128]; // "name=value;" for each
    const char *rest[MOST];
    cli_parsed parsed;
} taken;

static bool take(void *context, const char *name, const char *value)
{
    taken *t = context;
    size_t length = strlen(t->text);
    snprintf(t->text + length, sizeof t->text - length, "%s=%s;", name, value ? value : "");
    return !value || strcmp(value, "refused") != 0;
}

static bool parse(taken *t, bool takes_arguments, int argc, const char *const *argv)
{
    *t = (taken){.parsed = {.takes_arguments = takes_arguments}};
    t->parsed.rest = t->rest;
    return cli_parse(argc, (char **)(uintptr_t)argv, "run", options, N_OPTIONS, take, t,
                     &t->parsed);
}
#define PARSE(t, takes_arguments, ...)                                                             \
    parse(t, takes_arguments, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),              \
          (const char *[]){__VA_ARGS__})

SG_TEST(values_stand_behind_an_option_or_an_equals_sign_and_letters_take_theirs_along)
{
    taken t;
    SG_CHECK(PARSE(&t, false, "--output", "a", "m.jl", "--tolerance=1e-6", "-q", "-ob", "-t", "2"));
    SG_CHECK_MSG(strcmp(t.text, "output=a;tolerance=1e-6;quiet=;output=b;tolerance=2;") == 0, "%s",
                 t.text);
    SG_CHECK(t.parsed.n_rest == 1 && strcmp(t.rest[0], "m.jl") == 0);
    // A number may be below zero; an empty value is one.
    SG_CHECK(PARSE(&t, false, "--tolerance", "-1", "--output="));
    SG_CHECK_MSG(strcmp(t.text, "tolerance=-1;output=;") == 0, "%s", t.text);
}

SG_TEST(what_is_no_option_and_a_value_that_is_missing_or_refused_end_the_reading)
{
    taken t;
    SG_CHECK(!PARSE(&t, false, "--outptu", "a"));
    SG_CHECK(!PARSE(&t, false, "--output"));
    SG_CHECK(!PARSE(&t, false, "-o"));
    SG_CHECK(!PARSE(&t, false, "--quiet=yes"));
    SG_CHECK(!PARSE(&t, false, "-qo"));
    SG_CHECK(!PARSE(&t, false, "-z"));
    SG_CHECK(!PARSE(&t, false, "--tolerance", "refused", "--quiet") && !strstr(t.text, "quiet"));
}

SG_TEST(an_option_is_no_file_and_a_dash_is_a_stream_where_there_is_one)
{
    taken t;
    SG_CHECK(cli_takes_file(&options[1]) && cli_takes_file(&options[2]));
    SG_CHECK(!cli_takes_file(&options[0]) && !cli_takes_file(&options[3]));
    SG_CHECK(!PARSE(&t, false, "--output", "--quiet"));
    SG_CHECK(!PARSE(&t, false, "--output", "-"));
    SG_CHECK(PARSE(&t, false, "--table", "-", "-"));
    SG_CHECK(strcmp(t.text, "table=-;") == 0 && t.parsed.n_rest == 1);
}

SG_TEST(two_dashes_end_the_options_and_behind_a_file_the_command_line)
{
    taken t;
    SG_CHECK(PARSE(&t, false, "-q", "--", "--output", "x"));
    SG_CHECK(strcmp(t.text, "quiet=;") == 0 && t.parsed.n_rest == 2 && !t.parsed.n_arguments);
    SG_CHECK(PARSE(&t, true, "m.jl", "--", "--output", "x"));
    SG_CHECK(!t.text[0] && t.parsed.n_rest == 1 && t.parsed.n_arguments == 2);
    SG_CHECK(t.parsed.arguments && strcmp(t.parsed.arguments[0], "--output") == 0);
    SG_CHECK(PARSE(&t, true, "--", "m.jl") && t.parsed.n_rest == 1 && !t.parsed.n_arguments);
}

SG_TEST(a_number_of_an_option_has_a_least_one_and_megabytes_end_where_none_can_be)
{
    double x = 7.0;
    SG_CHECK(cli_take_number("jobs", "3", 1.0, &x) && x == 3.0);
    SG_CHECK(!cli_take_number("jobs", "0.5", 1.0, &x) && !cli_take_number("jobs", "3x", 1.0, &x));
    SG_CHECK(cli_megabytes(2.0) == 2u << 20);
    SG_CHECK(cli_megabytes(0.0) == SIZE_MAX / 2 && cli_megabytes(1e300) == SIZE_MAX / 2);
}
