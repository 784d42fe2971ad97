// What people write on the command line: lists of patterns and numbers; and what goes to a
// terminal.
#include "report.h"

#include "harness/sg_test.h"
#include "terminal.h"

#include <string.h>

SG_TEST(commas_separate_patterns_but_not_within_brackets)
{
    sg_patterns p = {0};
    SG_CHECK(sg_patterns_add(&p, "a.b,x[1,2],,c*"));
    SG_CHECK(sg_patterns_add(&p, ""));
    SG_CHECK(sg_patterns_add(&p, "last"));
    static const char *const expected[] = {"a.b", "x[1,2]", "c*", "last"};
    SG_CHECK(p.n == 4);
    for (size_t i = 0; i < 4 && i < p.n; i++)
        SG_CHECK_MSG(strcmp(p.list[i], expected[i]) == 0, "%s", p.list[i]);
    sg_patterns_free(&p);
    SG_CHECK(p.n == 0 && !p.list);
}

SG_TEST(a_number_is_all_of_its_text)
{
    double x = -1.0;
    SG_CHECK(sg_option_number("1.5e-3", &x) && x == 1.5e-3);
    SG_CHECK(!sg_option_number("1.5 s", &x));
    SG_CHECK(!sg_option_number("", &x));
    SG_CHECK(!sg_option_number(NULL, &x));
    SG_CHECK(!sg_option_number("nan", &x));
}

SG_TEST(what_moves_a_terminal_is_shown_and_not_done)
{
    char out[64];
    SG_CHECK(strcmp(cli_escape("plain/name.jl", out, sizeof out), "plain/name.jl") == 0);
    const char *shown = cli_escape("a\x1b[2Jb", out, sizeof out);
    SG_CHECK_MSG(!strchr(shown, '\x1b'), "%s", shown);
    char small[8];
    SG_CHECK(strlen(cli_escape("a text that is longer than its room", small, sizeof small)) < 8);
}
