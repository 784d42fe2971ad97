// Runs model files with an allocator that refuses; each time another request.
//   usage: refused_memory once|forever SAMPLES FOLDER FILE.jl...
// The requests of a file are counted in a run that gets all it wants; then some SAMPLES of them,
// evenly spread over the run (0: every one), are refused: that one alone, or it and all behind it,
// as when memory is over. FOLDER takes what the models write.
//
// This is the session that a C program has, without the reserve of the command (src/cli/reserve.h).
// A run is right if it ends with status 6 and one message, "out of memory", or as if nothing had
// happened, and gives back all that it took. Each run is a process of its own, so that a crash is
// told like any other mistake.
#include "segue/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TOLD = 20, SECONDS = 120, TEXT = 400 };

// What a run leaves behind, in memory that both processes see.
typedef struct outcome {
    uint64_t requests;
    int64_t live_blocks;
    int exit_status, errors, told_memory;
    bool done;
    char text[TEXT]; // of the last error
} outcome;

static outcome *seen;

typedef struct refusing {
    uint64_t fail_at; // from 1; 0 never
    bool forever;
} refusing;

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    const refusing *self = context;
    (void)old_size;
    if (new_size == 0) {
        seen->live_blocks -= block != NULL;
        free(block);
        return NULL;
    }
    uint64_t n = ++seen->requests;
    if (self->fail_at && (n == self->fail_at || (self->forever && n > self->fail_at)))
        return NULL;
    void *grown = realloc(block, new_size);
    seen->live_blocks += grown && !block;
    return grown;
}

static void forget(void *context, const char *text, size_t length)
{
    (void)context, (void)text, (void)length;
}

static void count(void *context, const sg_diag *diag, const char *rendered)
{
    (void)context;
    if (diag->severity != SG_ERROR)
        return;
    seen->errors++;
    seen->told_memory += strstr(rendered, "out of memory") != NULL;
    snprintf(seen->text, TEXT, "%s", rendered);
}

static void run(const char *file, const char *folder, uint64_t fail_at, bool forever)
{
    refusing wish = {fail_at, forever};
    const sg_allocator allocator = {.resize = resize, .context = &wish};
    sg_session_options o = sg_session_options_make();
    o.write = forget;
    o.report = count;
    o.output_dir = folder;
    sg_session *session;
    seen->exit_status = 6;
    if (sg_session_create(&allocator, &o, &session) == SG_OK) {
        sg_session_run_file(session, file);
        seen->exit_status = sg_session_exit_status(session);
        sg_session_destroy(session);
    } else {
        seen->told_memory = 1; // there is nobody yet to tell it
    }
    seen->done = true;
}

// The status of wait.
static int run_apart(const char *file, const char *folder, uint64_t fail_at, bool forever)
{
    int status = 0;
    memset(seen, 0, sizeof *seen);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        run(file, folder, fail_at, forever);
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

// What is wrong, or null.
static const char *judge(int status, const outcome *reference)
{
    static char text[100];
    if (WIFSIGNALED(status)) {
        snprintf(text, sizeof text, "ended by signal %d", WTERMSIG(status));
        return text;
    }
    if (!seen->done)
        return "ended by a sanitizer, or has left the process";
    if (seen->live_blocks != 0)
        return "blocks are left";
    if (seen->exit_status == reference->exit_status && seen->errors == reference->errors)
        return NULL;
    if (seen->exit_status != 6) {
        snprintf(text, sizeof text, "status %d", seen->exit_status);
        return text;
    }
    if (seen->told_memory != 1)
        return seen->told_memory ? "told more than once" : "status 6 without 'out of memory'";
    return seen->errors > reference->errors + 1 ? "more than one message" : NULL;
}

// The number of wrong runs.
static int try_file(const char *file, const char *folder, uint64_t samples, bool forever)
{
    run_apart(file, folder, 0, false);
    outcome reference = *seen;
    if (!reference.done || reference.exit_status != 0) {
        printf("%s: without refusal the status is %d: %s\n", file, reference.exit_status,
               reference.text);
        return 1;
    }
    uint64_t step = samples ? reference.requests / samples + 1 : 1;
    int bad = 0, runs = 0;
    // Steps have no common rhythm with files: where a file begins to be tried depends on its
    // length.
    for (uint64_t at = 1 + reference.requests % step; at <= reference.requests; at += step) {
        int status = run_apart(file, folder, at, forever);
        const char *wrong = judge(status, &reference);
        runs++;
        if (wrong && ++bad <= MAX_TOLD)
            printf("%s: request %llu: %s: %s\n", file, (unsigned long long)at, wrong, seen->text);
    }
    printf("%s: %d of %llu requests refused%s: %d wrong\n", file, runs,
           (unsigned long long)reference.requests, forever ? " with all behind" : "", bad);
    return bad;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED)
        return 2;
    int bad = 0;
    for (int i = 4; i < argc; i++)
        bad += try_file(argv[i], argv[3], strtoull(argv[2], NULL, 10),
                        strcmp(argv[1], "forever") == 0);
    return bad > 0;
}
