// Runs a command again and again; each time another allocation fails (failing_malloc.c).
//   usage: fail_loop LIBRARY FOLDER FROM STEP forever|once COMMAND...
// FOLDER is made and used up; the command runs in it and writes below its folder `out`. From the
// FROM-th allocation on every STEP-th one fails; STEP 0 takes 40 of them, evenly spread, and STEP
// -N takes N. `forever` lets all allocations behind it fail as well.
//
// A run is right if it ends with status 6 and one message, "out of memory", or as if nothing had
// happened: status 0, and streams and files as without failure. A signal, another status, other
// bytes, another cause or a temporary file that is left are told. Files that differ between two
// undisturbed runs are not compared.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_FILES = 64, MAX_TOLD = 25, SAMPLES = 40, SECONDS = 300 };

typedef struct bytes {
    char *text;
    size_t length;
} bytes;

typedef struct file {
    char name[256];
    bytes content;
    bool same; // in both undisturbed runs
} file;

typedef struct run {
    int status; // of wait
    bytes out, err;
    file files[MAX_FILES];
    int n_files;
} run;

static const char *library;

static bytes slurp(const char *path)
{
    bytes b = {calloc(1, 1), 0};
    FILE *f = fopen(path, "rb");
    char block[65536];
    for (size_t n; f && (n = fread(block, 1, sizeof block, f)) > 0;) {
        b.text = realloc(b.text, b.length + n + 1);
        memcpy(b.text + b.length, block, n);
        b.length += n;
        b.text[b.length] = '\0';
    }
    if (f)
        fclose(f);
    return b;
}

static bool equal(bytes a, bytes b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static void empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    char name[1024];
    for (struct dirent *e; folder && (e = readdir(folder));) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.')
            unlink(name);
    }
    if (folder)
        closedir(folder);
}

static void read_files(run *r)
{
    DIR *folder = opendir("out");
    char name[1024];
    for (struct dirent *e; folder && (e = readdir(folder)) && r->n_files < MAX_FILES;) {
        if (e->d_name[0] == '.')
            continue;
        file *f = &r->files[r->n_files++];
        snprintf(f->name, sizeof f->name, "%s", e->d_name);
        snprintf(name, sizeof name, "out/%s", e->d_name);
        f->content = slurp(name);
    }
    if (folder)
        closedir(folder);
}

static void free_run(run *r)
{
    free(r->out.text);
    free(r->err.text);
    for (int i = 0; i < r->n_files; i++)
        free(r->files[i].content.text);
}

// k = 0: nothing fails.
static void run_once(char **command, long k, bool forever, run *r)
{
    memset(r, 0, sizeof *r);
    empty_folder("out");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char at[32];
        snprintf(at, sizeof at, "%ld", k);
        setenv("FAIL_AT", at, 1);
        setenv("FAIL_ON", forever ? "1" : "0", 1);
        setenv("FAIL_COUNT", "count", 1);
        setenv("LD_PRELOAD", library, 1);
        int in = open("/dev/null", O_RDONLY),
            out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
            _exit(126);
        alarm(SECONDS);
        execv(command[0], command);
        _exit(127);
    }
    while (waitpid(child, &r->status, 0) < 0 && errno == EINTR)
        ;
    r->out = slurp("stdout");
    r->err = slurp("stderr");
    read_files(r);
}

static const file *file_named(const run *r, const char *name)
{
    for (int i = 0; i < r->n_files; i++)
        if (strcmp(r->files[i].name, name) == 0)
            return &r->files[i];
    return NULL;
}

static int lines_with(const char *text, const char *word)
{
    int n = 0;
    while ((text = strstr(text, word)) != NULL) {
        n++;
        text += strcspn(text, "\n");
    }
    return n;
}

// What is wrong, or null.
static const char *judge(const run *reference, const run *r)
{
    static char text[300];
    if (WIFSIGNALED(r->status)) {
        snprintf(text, sizeof text, "ended by signal %d", WTERMSIG(r->status));
        return text;
    }
    for (int i = 0; i < r->n_files; i++)
        if (strstr(r->files[i].name, ".tmp")) {
            snprintf(text, sizeof text, "%s is left", r->files[i].name);
            return text;
        }
    int status = WEXITSTATUS(r->status);
    if (status == 6) {
        int errors = lines_with(r->err.text, "error[") - lines_with(reference->err.text, "error[");
        int said = lines_with(r->err.text, "out of memory");
        if (said == 1 && errors <= 1)
            return NULL;
        return said ? "more than one message" : "status 6 without 'out of memory'";
    }
    if (status != 0) {
        snprintf(text, sizeof text, "status %d", status);
        return text;
    }
    if (!equal(r->out, reference->out) || !equal(r->err, reference->err))
        return "status 0 with other output";
    for (int i = 0; i < reference->n_files; i++) {
        const file *f = &reference->files[i], *own = file_named(r, f->name);
        if (own && (!f->same || equal(own->content, f->content)))
            continue;
        snprintf(text, sizeof text, "status 0, but %s is %s", f->name, own ? "another" : "missing");
        return text;
    }
    return r->n_files > reference->n_files ? "status 0, but a file is left" : NULL;
}

int main(int argc, char **argv)
{
    if (argc < 7)
        return 2;
    library = argv[1];
    long from = strtol(argv[3], NULL, 10), step = strtol(argv[4], NULL, 10);
    bool forever = strcmp(argv[5], "forever") == 0;
    char **command = argv + 6;
    mkdir(argv[2], 0777);
    if (chdir(argv[2]) != 0 || (mkdir("out", 0777) != 0 && errno != EEXIST))
        return 2;
    run reference, again;
    run_once(command, 0, false, &again);
    run_once(command, 0, false, &reference);
    if (reference.status != 0) {
        printf("without failure the status is %d:\n%s", reference.status, reference.err.text);
        return 2;
    }
    for (int i = 0; i < reference.n_files; i++) {
        const file *other = file_named(&again, reference.files[i].name);
        reference.files[i].same = other && equal(other->content, reference.files[i].content);
    }
    bytes count = slurp("count");
    long n = strtol(count.text, NULL, 10), bad = 0, unharmed = 0, done = 0;
    if (from >= n) {
        printf("no allocations were counted from %ld on, but %ld in all\n", from, n);
        return 2;
    }
    if (step <= 0)
        step = (n - from) / (step < 0 ? -step : SAMPLES) + 1;
    for (long k = from; k <= n; k += step, done++) {
        run r;
        run_once(command, k, forever, &r);
        const char *wrong = judge(&reference, &r);
        unharmed += !wrong && r.status == 0;
        if (wrong && ++bad <= MAX_TOLD)
            printf("allocation %ld: %s: %.300s\n", k, wrong, r.err.text);
        free_run(&r);
    }
    printf("%ld failures of %ld allocations injected: %ld unharmed, %ld out of memory, %ld wrong\n",
           done, n, unharmed, done - unharmed - bad, bad);
    free_run(&reference);
    free_run(&again);
    free(count.text);
    return bad > 0;
}
