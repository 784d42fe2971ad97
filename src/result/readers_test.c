// Each format read by somebody else: SciPy and libmatio, Apache Arrow, a JSON schema, Python's CSV.
#include "harness/sg_test.h"
#include "result/load.h"
#include "result/sample_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// Writes the sample in a format and as CSV; the paths hold for a while.
static bool write_both(const char *name, const char **file, const char **csv)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r = sample_result(NULL, &diags);
    sg_save_options all = {0};
    *file = sample_path(name);
    *csv = sample_path("oracle.csv");
    bool ok = r && sg_result_save(r, *file, sg_format_by_suffix(*file), &all, &diags) == SG_OK &&
              sg_result_save(r, *csv, SG_FORMAT_CSV, &all, &diags) == SG_OK;
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
    return ok;
}

// Runs a command; its output goes to the report when it fails. A missing tool is a visible skip.
static void run(const char *command)
{
    char line[2048], said[1024] = "";
    snprintf(line, sizeof line, "%s 2>&1", command);
    FILE *pipe = popen(line, "r");
    SG_REQUIRE(pipe != NULL);
    size_t n = fread(said, 1, sizeof said - 1, pipe);
    said[n] = '\0';
    int status = pclose(pipe);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == 77 || code == 127)
        sg_test_skip("%s", code == 77 ? said : "python3 or node is not installed");
    else
        SG_CHECK_MSG(code == 0, "%s\n%s", command, said);
}

// Debian's interpreter, which has Debian's libraries, before any other of that name.
static const char *python(void)
{
    return system("test -x /usr/bin/python3") == 0 ? "/usr/bin/python3" : "python3";
}

static void run_python(const char *script, const char *a, const char *b, const char *c)
{
    char command[1800];
    snprintf(command, sizeof command, "%s '%s/tests/result/%s' '%s' '%s' '%s'", python(),
             SG_SOURCE_DIR, script, a, b, c);
    run(command);
}

SG_TEST(a_reader_made_from_the_documentation_reads_the_run_file)
{
    const char *file, *csv;
    SG_REQUIRE(write_both("oracle.segue", &file, &csv));
    run_python("read_run.py", file, csv, "");
}

SG_TEST(scipy_reads_the_mat_file)
{
    const char *file, *csv;
    SG_REQUIRE(write_both("oracle.mat", &file, &csv));
    run_python("read_mat.py", file, csv, "");
}

SG_TEST(libmatio_reads_the_mat_file)
{
    const char *file, *csv;
    SG_REQUIRE(write_both("oracle.mat", &file, &csv));
    run_python("read_matio.py", file, "", "");
}

SG_TEST(the_json_fits_its_schema_and_python_reads_the_same_values)
{
    const char *file, *csv;
    SG_REQUIRE(write_both("oracle.json", &file, &csv));
    run_python("check_json.py", file, SG_SOURCE_DIR "/docs/signaltables.schema.json", csv);
}

SG_TEST(apache_arrow_reads_the_arrow_file)
{
    const char *file, *csv;
    SG_REQUIRE(write_both("oracle.arrow", &file, &csv));
    char command[1800];
    snprintf(command, sizeof command, "node '%s/tests/result/read_arrow.cjs' '%s' '%s' '%s'",
             SG_SOURCE_DIR, SG_SOURCE_DIR, file, csv);
    run(command);
}
