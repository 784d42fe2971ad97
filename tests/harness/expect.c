// Runs one model file and compares what comes out with what its own lines promise.
//
//     println(1 + 2.5)   # expect: 3.5
//     x = undefinedName  # expect error E0301
//
// Every `# expect:` is one line of standard output, in order, all and only those; blanks at the
// end of a line do not count. Every `# expect error CODE` is one error reported for that line, all
// and only those; several on one line are separated by commas. `# expect warning CODE` works the
// same, but warnings nobody asked about are ignored in a file that expects none. The exit status
// must be 0 without expected errors and not 0 with them; `# expect status N` fixes it. A file
// without any expectation and without @test proves nothing, and fails.
//
// usage: expect SEGUE FILE OUTPUT-FOLDER
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_LINES = 20000, MAX_REPORTS = 400 };

typedef struct report {
    bool error; // else a warning
    int line;
    char code[8];
    bool matched;
} report;

typedef struct expectations {
    char *output[MAX_LINES];
    int n_output;
    report reports[MAX_REPORTS];
    int n_reports;
    int status; // -1 when none is fixed
    bool has_test, has_errors, has_warnings;
} expectations;

static int failures;

static void complain(const char *format, const char *a, const char *b)
{
    failures++;
    printf(format, a, b);
    printf("\n");
}

// The whole file with a NUL behind it; the caller frees it.
static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t len = 0, cap = 1 << 16;
    char *text = malloc(cap);
    while (text) {
        len += fread(text + len, 1, cap - len - 1, file);
        if (len < cap - 1)
            break;
        text = realloc(text, cap *= 2);
    }
    fclose(file);
    if (text)
        text[len] = 0;
    return text;
}

static void trim_end(char *line)
{
    size_t n = strlen(line);
    while (n && strchr(" \t\r", line[n - 1]))
        line[--n] = 0;
}

// The next line of *cursor, cut out in place, or null at the end.
static char *next_line(char **cursor)
{
    char *line = *cursor;
    if (!*line)
        return NULL;
    char *end = strchr(line, '\n');
    *cursor = end ? end + 1 : line + strlen(line);
    if (end)
        *end = 0;
    trim_end(line);
    return line;
}

// "E0203, E0301" -> one report each.
static void add_reports(expectations *e, bool error, int line, const char *codes)
{
    while (*codes) {
        codes += strspn(codes, " ,");
        size_t n = strcspn(codes, " ,");
        if (n == 0)
            break;
        if (n >= sizeof e->reports->code || e->n_reports == MAX_REPORTS) {
            complain("not a code: %s%s", codes, "");
            return;
        }
        report *r = &e->reports[e->n_reports++];
        *r = (report){.error = error, .line = line};
        memcpy(r->code, codes, n);
        codes += n;
    }
}

static const char *after(const char *line, const char *mark)
{
    const char *at = strstr(line, mark);
    return at ? at + strlen(mark) : NULL;
}

static void read_expectations(char *text, expectations *e)
{
    int number = 0;
    for (char *line; (line = next_line(&text)) != NULL;) {
        number++;
        const char *rest;
        if (strstr(line, "@test"))
            e->has_test = true;
        if ((rest = after(line, "# expect:")) != NULL) {
            if (e->n_output < MAX_LINES)
                e->output[e->n_output++] = strdup(*rest == ' ' ? rest + 1 : rest);
        } else if ((rest = after(line, "# expect error ")) != NULL) {
            e->has_errors = true;
            add_reports(e, true, number, rest);
        } else if ((rest = after(line, "# expect warning ")) != NULL) {
            e->has_warnings = true;
            add_reports(e, false, number, rest);
        } else if ((rest = after(line, "# expect status ")) != NULL) {
            e->status = atoi(rest);
        }
    }
}

// Runs `segue run FILE`; the streams go to files. The exit status, or 256 for a signal.
static int run(const char *segue, const char *file, const char *out, const char *err,
               const char *results)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int out_fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int err_fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int null_fd = open("/dev/null", O_RDONLY);
        if (out_fd < 0 || err_fd < 0 || null_fd < 0 || dup2(null_fd, 0) < 0 ||
            dup2(out_fd, 1) < 0 || dup2(err_fd, 2) < 0)
            _exit(126);
        execl(segue, segue, "run", "-o", results, file, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

static void compare_output(char *text, const expectations *e)
{
    int i = 0;
    char number[32];
    for (char *line; (line = next_line(&text)) != NULL; i++) {
        snprintf(number, sizeof number, "%d", i + 1);
        if (i >= e->n_output) {
            complain("output line %s is unexpected: %s", number, line);
        } else if (strcmp(line, e->output[i]) != 0) {
            complain("output line %s is      : %s", number, line);
            printf("             expected: %s\n", e->output[i]);
        }
    }
    for (; i < e->n_output; i++)
        complain("output ends before: %s%s", e->output[i], "");
}

// Matches a rendered diagnostic "FILE:LINE:COLUMN: error[E0203]: ..." to an expectation.
static void match_report(const char *line, const char *name, expectations *e)
{
    bool error = strstr(line, ": error[") != NULL;
    const char *code = after(line, error ? ": error[" : ": warning[");
    if (!code || (!error && !e->has_warnings))
        return;
    int number = 0;
    const char *at = strstr(line, name);
    if (at)
        number = atoi(at + strlen(name) + strspn(at + strlen(name), ":"));
    for (int i = 0; i < e->n_reports; i++) {
        report *r = &e->reports[i];
        if (!r->matched && r->error == error && r->line == number &&
            strncmp(code, r->code, strlen(r->code)) == 0) {
            r->matched = true;
            return;
        }
    }
    complain("not expected: %s%s", line, "");
}

static void compare_reports(char *text, const char *name, expectations *e)
{
    for (char *line; (line = next_line(&text)) != NULL;)
        match_report(line, name, e);
    for (int i = 0; i < e->n_reports; i++) {
        char where[64];
        snprintf(where, sizeof where, "line %d: %s", e->reports[i].line,
                 e->reports[i].error ? "error" : "warning");
        if (!e->reports[i].matched)
            complain("not reported: %s %s", where, e->reports[i].code);
    }
}

static void compare_status(int status, const expectations *e)
{
    char found[32], expected[32];
    snprintf(found, sizeof found, "%d", status);
    snprintf(expected, sizeof expected, "%d", e->status);
    if (status > 130)
        complain("the program crashed or could not be started (status %s)%s", found, "");
    else if (e->status >= 0 && status != e->status)
        complain("exit status %s, expected %s", found, expected);
    else if (e->status < 0 && (status != 0) != e->has_errors)
        complain("exit status %s%s", found, e->has_errors ? " in spite of errors" : "");
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: expect SEGUE FILE OUTPUT-FOLDER\n");
        return 1;
    }
    static expectations e = {.status = -1};
    const char *slash = strrchr(argv[2], '/'), *name = slash ? slash + 1 : argv[2];
    char *text = slurp(argv[2]);
    if (!text) {
        fprintf(stderr, "cannot read %s\n", argv[2]);
        return 1;
    }
    read_expectations(text, &e);
    if (!e.n_output && !e.n_reports && e.status < 0 && !e.has_test)
        complain("%s expects nothing%s", name, "");

    char out[4096], err[4096], results[4096], folder[4096];
    snprintf(folder, sizeof folder, "%s", argv[3]);
    for (char *c = folder + 1; *c; c++)
        if (*c == '/') {
            *c = 0;
            mkdir(folder, 0777);
            *c = '/';
        }
    mkdir(folder, 0777);
    snprintf(out, sizeof out, "%s/%s.out", argv[3], name);
    snprintf(err, sizeof err, "%s/%s.err", argv[3], name);
    snprintf(results, sizeof results, "%s/%s-results", argv[3], name);
    int status = run(argv[1], argv[2], out, err, results);
    char *output = slurp(out), *messages = slurp(err), *shown = slurp(err);
    if (!output || !messages || !shown) {
        fprintf(stderr, "no output from %s\n", argv[1]);
        return 1;
    }
    compare_output(output, &e);
    compare_reports(messages, name, &e);
    compare_status(status, &e);
    if (failures)
        printf("--- standard error was:\n%s", shown);
    free(text);
    free(output);
    free(messages);
    free(shown);
    return failures != 0;
}
