#include "report.h"

#include "segue/session.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sg_exit_status(sg_status status) { return sg_exit_status_of(status); }

void sg_report_memory(void) { cli_complain("segue: error[E0003]: out of memory\n"); }

void sg_report(const sg_diags *diags, sg_status status)
{
    if (status == SG_ERR_MEMORY) { // what else is said may be its consequence
        sg_report_memory();
        return;
    }
    static const char *const words[] = {"error", "warning", "note"};
    static const char *const colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
    bool color = cli_color(stderr);
    for (size_t i = 0; i < sg_diags_count(diags); i++) {
        const sg_diag *d = sg_diags_get(diags, i);
        cli_complain("segue: ");
        cli_put_raw(stderr, colors[d->severity], color ? strlen(colors[d->severity]) : 0);
        cli_complain("%s", words[d->severity]);
        if (d->code != SG_E_NONE)
            cli_complain("[E%04d]", (int)d->code);
        cli_complain(":");
        cli_put_raw(stderr, "\033[0m", color ? 4 : 0);
        cli_complain(" %s\n", d->message);
    }
}

int sg_bad_usage(const char *command, const char *problem, const char *what)
{
    cli_complain("segue %s: %s", command, problem);
    if (what)
        cli_complain(" '%s'", what);
    cli_complain("; see segue %s --help\n", command);
    return 1;
}

bool sg_option_value(int argc, char **argv, int *i, const char *name, const char **value)
{
    size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0)
        return false;
    if (argv[*i][n] == '=') {
        *value = argv[*i] + n + 1;
        return true;
    }
    if (argv[*i][n] != '\0')
        return false;
    *value = *i + 1 < argc ? argv[++*i] : NULL;
    return true;
}

bool sg_option_number(const char *text, double *out)
{
    char *end;
    *out = text ? strtod(text, &end) : 0;
    return text && *text && *end == '\0' && !isnan(*out);
}

static bool add_pattern(sg_patterns *p, const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    const char **list = realloc(p->list, (p->n + 1) * sizeof *list);
    if (list)
        p->list = list;
    if (!copy || !list) {
        free(copy);
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    p->list[p->n++] = copy;
    return true;
}

bool sg_patterns_add(sg_patterns *p, const char *text)
{
    const char *start = text;
    int depth = 0;
    for (const char *c = text;; c++) {
        depth += *c == '[';
        depth -= *c == ']';
        if (*c != '\0' && (*c != ',' || depth > 0))
            continue;
        if (c > start && !add_pattern(p, start, (size_t)(c - start)))
            return false;
        if (*c == '\0')
            return true;
        start = c + 1;
    }
}

void sg_patterns_free(sg_patterns *p)
{
    for (size_t i = 0; i < p->n; i++)
        free((char *)p->list[i]);
    free(p->list);
    *p = (sg_patterns){0};
}
