// Which files a script may touch.
#include "natives/files.h"

#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A package with project/main.jl and project/part.jl, and secret.jl beside it.
typedef struct tree {
    char root[64], main[96], out[96];
    sg_files files;
    sg_diags diags;
    sg_arena arena;
} tree;

static void write_file(const tree *t, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", t->root, name);
    FILE *file = fopen(path, "w");
    SG_CHECK(file && fputs("x = 1\n", file) >= 0);
    if (file)
        fclose(file);
}

static void begin(tree *t, uint64_t max_files)
{
    char path[128];
    strcpy(t->root, "files_test_XXXXXX");
    SG_CHECK(mkdtemp(t->root) != NULL);
    snprintf(path, sizeof path, "%s/project", t->root);
    SG_CHECK(mkdir(path, 0700) == 0);
    write_file(t, "project/main.jl");
    write_file(t, "project/part.jl");
    write_file(t, "project/Project.toml"); // a checkout around it is another package
    write_file(t, "secret.jl");
    snprintf(t->main, sizeof t->main, "%s/project/main.jl", t->root);
    snprintf(t->out, sizeof t->out, "%s/out", t->root);
    sg_file_rules rules = {.output_dir = t->out, .max_files = max_files};
    sg_diags_init(&t->diags, NULL);
    sg_arena_init(&t->arena, sg_allocator_default());
    SG_CHECK(sg_files_init(&t->files, sg_allocator_default(), t->main, &rules));
}

static void end(tree *t)
{
    static const char *const names[] = {"project/main.jl",
                                        "project/part.jl",
                                        "project/Project.toml",
                                        "project",
                                        "out",
                                        "secret.jl",
                                        ""};
    sg_files_destroy(&t->files);
    sg_arena_destroy(&t->arena);
    sg_diags_destroy(&t->diags);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", t->root, names[i]);
        remove(path);
    }
    SG_CHECK(access(t->root, F_OK) != 0);
}

static bool reads(tree *t, const char *path)
{
    const char *name, *text = "";
    size_t length = 0, errors = t->diags.n_errors;
    sg_status status = sg_files_read(&t->files, &t->arena, t->main, path, (sg_span){0}, &t->diags,
                                     &name, &text, &length);
    SG_CHECK_MSG((status == SG_OK) == (t->diags.n_errors == errors), "%s", path);
    return status == SG_OK && length > 0;
}

static bool writes(tree *t, const char *name)
{
    return sg_files_output(&t->files, name, (sg_span){0}, &t->diags) != NULL;
}

SG_TEST(a_script_reads_in_its_folder_and_the_library_and_nowhere_else)
{
    tree t;
    begin(&t, 10);
    SG_CHECK(reads(&t, "part.jl"));
    SG_CHECK(reads(&t, SG_MODIA_PATH "/models/Electric.jl"));
    SG_CHECK(!reads(&t, "missing.jl"));
    SG_CHECK(!reads(&t, "../secret.jl"));
    SG_CHECK(!reads(&t, "part.jl/../../secret.jl"));
    SG_CHECK(!reads(&t, SG_MODIA_PATH "/../secret.jl"));
    end(&t);
}

SG_TEST(a_script_writes_below_its_output_folder_and_as_many_files_as_allowed)
{
    tree t;
    begin(&t, 2);
    SG_CHECK(!writes(&t, "../secret.jl"));
    SG_CHECK(!writes(&t, t.main[0] == '/' ? t.main : "/etc/passwd"));
    SG_CHECK(writes(&t, "one.csv") && writes(&t, "two.csv"));
    SG_CHECK(!writes(&t, "three.csv"));
    SG_CHECK(sg_files_refusal(&t.files) == SG_ERR_LIMIT);
    end(&t);
}
