// segue help NAME and segue library: what there is, and what is known of it.
#include "commands.h"
#include "limited.h"
#include "report.h"
#include "segue/reference.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: segue library [GROUP]\n"
    "Lists what models and scripts can use: components of the library, 3D elements, operators of\n"
    "equations, functions. Without GROUP all groups; 'segue help NAME' explains one entry.\n"
    "  --page GROUP     the page of docs/reference, in Markdown\n"
    "  --groups         the names of the groups\n"
    "  --undocumented   names that have no entry (there should be none)\n" CLI_LIMITED_HELP
    "examples:\n"
    "  segue library\n"
    "  segue library Electric\n"
    "  segue help Resistor\n";

static void write_text(void *context, const char *text, size_t length)
{
    (void)context;
    cli_put_raw(stdout, text, length);
}

static void count_text(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
}

int sg_cmd_help_name(const char *name)
{
    char meant[64];
    if (sg_reference_help(name, write_text, NULL))
        return 0;
    if (sg_reference_list(name, count_text, &(size_t){0})) {
        sg_reference_list(name, write_text, NULL);
        return 0;
    }
    cli_complain("segue help: nothing is known of '%s'", name);
    if (sg_reference_closest(name, meant, sizeof meant))
        cli_complain("; did you mean '%s'?", meant);
    cli_complain("\n'segue library' lists what there is.\n");
    return 1;
}

// `plot` is a command and a function of scripts: the latter behind the former.
int sg_help_of_function(const char *name, int exit_status)
{
    size_t length = 0;
    if (exit_status == 0 && sg_reference_help(name, count_text, &length) && length) {
        cli_print("\nIn scripts and models:\n\n");
        sg_reference_help(name, write_text, NULL);
    }
    return exit_status;
}

static int unknown_group(const char *name)
{
    cli_complain("segue library: there is no group '%s'; there are", name);
    for (size_t i = 0; sg_reference_group(i); i++)
        cli_complain("%s %s", i ? "," : "", sg_reference_group(i));
    cli_complain("\n");
    return 1;
}

static int list_missing(void)
{
    size_t n = 0;
    sg_status status = sg_reference_missing(count_text, &n);
    if (status == SG_OK)
        status = sg_reference_missing(write_text, NULL);
    return status != SG_OK ? sg_exit_status(status) : n ? 5 : 0;
}

static int show_library(int argc, char **argv)
{
    const char *page = NULL, *group = NULL;
    bool names = false, missing = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return cli_print("%s", help), 0;
        if (strcmp(argv[i], "--groups") == 0)
            names = true;
        else if (strcmp(argv[i], "--undocumented") == 0)
            missing = true;
        else if (sg_option_value(argc, argv, &i, "--page", &page)) {
            if (!page)
                return sg_bad_usage("library", "--page needs a group", NULL);
        } else if (argv[i][0] == '-' || group)
            return sg_bad_usage("library", "no such option:", argv[i]);
        else
            group = argv[i];
    }
    if (!cli_begin_limited(NULL, 0, NULL))
        return 1;
    if (missing)
        return list_missing();
    if (page)
        return sg_reference_page(page, write_text, NULL) ? 0 : unknown_group(page);
    if (group)
        return sg_reference_list(group, write_text, NULL) ? 0 : unknown_group(group);
    for (size_t i = 0; sg_reference_group(i); i++) {
        cli_print(names ? "%s\n" : "%s\n\n", sg_reference_group(i));
        if (!names) {
            sg_reference_list(sg_reference_group(i), write_text, NULL);
            cli_print("\n");
        }
    }
    return 0;
}

int sg_cmd_library(int argc, char **argv) { return cli_run_limited(argc, argv, show_library); }
