#include "options.h"

#include "terminal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct option_reader {
    int argc, at;
    char **argv;
    const char *command;
    const cli_option *options;
    size_t n;
    cli_take *take;
    void *context;
} option_reader;

// The option that shares the longest beginning with what was typed; good enough for a hint.
static const char *nearest(const option_reader *r, const char *name, size_t length)
{
    size_t best = 1;
    const char *found = NULL;
    for (size_t i = 0; i < r->n; i++) {
        const char *other = r->options[i].name;
        size_t same = 0;
        while (same < length && other[same] && other[same] == name[same])
            same++;
        if (same > best) {
            best = same;
            found = other;
        }
    }
    return found;
}

static bool complain(const option_reader *r, const char *what, const char *text)
{
    cli_complain("segue %s: %s %s\nTry 'segue %s --help'.\n", r->command, what, text, r->command);
    return false;
}

bool cli_takes_file(const cli_option *option)
{
    static const char *const words[] = {"FILE", "OUT", "DIR", "LIB"};
    for (size_t i = 0; option->value && i < sizeof words / sizeof words[0]; i++)
        if (strstr(option->value, words[i]))
            return true;
    return false;
}

// "--html --glb" forgot the page's name. Nobody means a file that is called "--glb", and who does
// can say "./--glb".
static bool hand_over(option_reader *r, const cli_option *option, const char *value)
{
    bool dash = value && value[0] == '-', stream = dash && !value[1] && strstr(option->value, "|-");
    if (dash && cli_takes_file(option) && !stream) {
        cli_complain("segue %s: --%s needs a file, not '%s'; one that begins with '-' is './%s'\n"
                     "Try 'segue %s --help'.\n",
                     r->command, option->name, value, value, r->command);
        return false;
    }
    return r->take(r->context, option->name, value);
}

static bool take_long(option_reader *r)
{
    const char *text = r->argv[r->at] + 2;
    size_t length = strcspn(text, "=");
    const cli_option *option = NULL;
    for (size_t i = 0; i < r->n; i++)
        if (strlen(r->options[i].name) == length && !memcmp(r->options[i].name, text, length))
            option = &r->options[i];
    if (!option) {
        const char *hint = nearest(r, text, length);
        if (hint)
            cli_complain("segue %s: did you mean --%s?\n", r->command, hint);
        return complain(r, "unknown option", r->argv[r->at]);
    }
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (!option->value && value)
        return complain(r, "no value is taken by", r->argv[r->at]);
    if (option->value && !value) {
        if (r->at + 1 >= r->argc)
            return complain(r, "a value is needed behind", r->argv[r->at]);
        value = r->argv[++r->at];
    }
    return hand_over(r, option, value);
}

static bool take_short(option_reader *r)
{
    const char *text = r->argv[r->at] + 1;
    const cli_option *option = NULL;
    for (size_t i = 0; i < r->n; i++)
        if (r->options[i].letter == text[0])
            option = &r->options[i];
    if (!option || (!option->value && text[1]))
        return complain(r, "unknown option", r->argv[r->at]);
    const char *value = NULL;
    if (option->value) {
        if (!text[1] && r->at + 1 >= r->argc)
            return complain(r, "a value is needed behind", r->argv[r->at]);
        value = text[1] ? text + 1 : r->argv[++r->at];
    }
    return hand_over(r, option, value);
}

bool cli_parse(int argc, char **argv, const char *command, const cli_option *options, size_t n,
               cli_take *take, void *context, cli_parsed *parsed)
{
    option_reader r = {argc, 0, argv, command, options, n, take, context};
    bool only_rest = false;
    parsed->n_rest = parsed->n_arguments = 0;
    for (; r.at < argc; r.at++) {
        const char *text = argv[r.at];
        if (only_rest || text[0] != '-' || !text[1]) {
            parsed->rest[parsed->n_rest++] = text;
        } else if (strcmp(text, "--") == 0 && parsed->takes_arguments &&
                   (parsed->n_rest || parsed->has_code)) {
            parsed->arguments = (const char *const *)argv + r.at + 1;
            parsed->n_arguments = (size_t)(argc - r.at - 1);
            return true;
        } else if (strcmp(text, "--") == 0) {
            only_rest = true;
        } else if (!(text[1] == '-' ? take_long(&r) : take_short(&r))) {
            return false;
        }
    }
    return true;
}

void cli_print_options(const cli_option *options, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const cli_option *o = &options[i];
        char left[64], letter[4] = "   ";
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c,", o->letter);
        snprintf(left, sizeof left, "  %s --%s%s%s", letter, o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        cli_print("%-30s %s\n", left, o->help);
    }
}

bool cli_take_number(const char *name, const char *value, double least, double *out)
{
    char *end;
    double x = strtod(value, &end);
    bool number = !*end && end != value && !isnan(x);
    if (!number || x < least) {
        cli_complain("segue: --%s needs a number", name);
        if (number)
            cli_complain(" of at least %g", least);
        cli_complain(", not '%s'\n", value);
        return false;
    }
    *out = x;
    return true;
}

size_t cli_megabytes(double number)
{
    return number > 0 && number < 1e12 ? (size_t)(number * 1048576.0) : SIZE_MAX / 2;
}
