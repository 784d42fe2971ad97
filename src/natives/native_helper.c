#include "natives/native_helper.h"

#include "base/sha256.h"
#include "natives/session.h"
#include "wall/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// The same bits as the interpreter: nothing is contracted or reordered, functions of libm are
// called as they are written. Part of the name of what is compiled.
static const char *const flags[] = {"-std=gnu11",
                                    "-O2",
                                    "-fno-tree-slp-vectorize",
                                    "-fvect-cost-model=dynamic",
                                    "-ffp-contract=off",
                                    "-fno-fast-math",
                                    "-fno-builtin",
                                    "-fno-math-errno",
                                    "-fno-strict-aliasing",
                                    "-w",
                                    "-fPIC",
                                    "-shared"};

enum { PATH_ROOM = 4096 };

// "FOLDER/NAME" + ending; false if there is no room.
static bool path_of(char out[PATH_ROOM], const char *folder, const char *name, const char *ending)
{
    int n = snprintf(out, PATH_ROOM, "%s/%s%s", folder, name, ending);
    return n > 0 && n < PATH_ROOM;
}

static bool name_of(const void *text, size_t n, char name[SG_SHA256_TEXT])
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        length += strlen(flags[i]) + 1;
    char *all = n < SIZE_MAX - length ? malloc(length + n + 1) : NULL, *at = all;
    if (!all)
        return false;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        at += sprintf(at, "%s\n", flags[i]);
    memcpy(at, text, n);
    sg_sha256_text(all, (size_t)(at - all) + n, name);
    free(all);
    return true;
}

// ---- in the helper --------------------------------------------------------------------------

typedef struct compiler {
    char folder[PATH_ROOM], program[PATH_ROOM];
} compiler;

static bool find_program(const char *name, char out[PATH_ROOM])
{
    const char *path = getenv("PATH");
    if (!name || !*name || strchr(name, ' '))
        return false;
    if (strchr(name, '/')) {
        snprintf(out, PATH_ROOM, "%s", name);
        return access(name, X_OK) == 0;
    }
    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        int length = snprintf(out, PATH_ROOM, "%.*s/%s", (int)n, path, name);
        if (length > 0 && length < PATH_ROOM && access(out, X_OK) == 0)
            return true;
    }
    return false;
}

static bool prepare(void *context, char words[SG_HELPER_WORDS])
{
    compiler *c = context;
    const char *const names[] = {getenv("CC"), "cc", "gcc", "clang"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (find_program(names[i], c->program))
            return true;
    snprintf(words, SG_HELPER_WORDS, "there is no compiler: neither cc nor gcc nor clang is found");
    return false;
}

static bool write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "w");
    bool ok = file && fwrite(bytes, 1, n, file) == n;
    if (file)
        ok = fclose(file) == 0 && ok;
    return ok;
}

static bool compile(const compiler *c, char *source, char *library)
{
    enum { N = sizeof flags / sizeof *flags };
    char *arguments[N + 6], o[] = "-o", m[] = "-lm";
    char program[PATH_ROOM], copy[N][32];
    pid_t child;
    int status;
    snprintf(program, sizeof program, "%s", c->program);
    arguments[0] = program;
    for (int i = 0; i < N; i++) {
        snprintf(copy[i], sizeof copy[i], "%s", flags[i]);
        arguments[i + 1] = copy[i];
    }
    arguments[N + 1] = o;
    arguments[N + 2] = library;
    arguments[N + 3] = source;
    arguments[N + 4] = m;
    arguments[N + 5] = NULL;
    // The helper ignores these; a compiler counts on them.
    posix_spawnattr_t attributes;
    sigset_t usual;
    if (posix_spawnattr_init(&attributes) != 0)
        return false;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    bool started = posix_spawn(&child, program, NULL, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    if (!started)
        return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Whole libraries appear under their name, or none.
static sg_status serve(void *context, const void *request, size_t n, sg_helper_answer *answer,
                       char words[SG_HELPER_WORDS])
{
    (void)answer;
    const compiler *c = context;
    char name[SG_SHA256_TEXT], ending[64], source[PATH_ROOM], fresh[PATH_ROOM], library[PATH_ROOM];
    long id = (long)getpid();
    snprintf(ending, sizeof ending, ".%ld.c", id);
    bool ok = name_of(request, n, name) && path_of(source, c->folder, name, ending);
    snprintf(ending, sizeof ending, ".%ld.so", id);
    ok = ok && path_of(fresh, c->folder, name, ending) && path_of(library, c->folder, name, ".so");
    if (!ok || !write_file(source, request, n)) {
        snprintf(words, SG_HELPER_WORDS, "nothing can be written to %.180s", c->folder);
        return SG_ERR_IO;
    }
    ok = compile(c, source, fresh) && rename(fresh, library) == 0;
    unlink(source);
    if (ok)
        return SG_OK;
    unlink(fresh);
    snprintf(words, SG_HELPER_WORDS, "%.180s failed", c->program);
    return SG_ERR_IO;
}

sg_status sg_native_helper_start(const char *folder, sg_helper **out)
{
    sg_helper_service service = sg_helper_service_make();
    compiler c = {{0}, {0}};
    if (!folder || !out || strlen(folder) >= sizeof c.folder)
        return SG_ERR_USAGE;
    snprintf(c.folder, sizeof c.folder, "%s", folder);
    service.name = "the compiler";
    service.context = &c;
    service.prepare = prepare;
    service.serve = serve;
    service.max_time = 600.0;
    service.max_answer = 0;
    service.keeps_rights = true;
    return sg_helper_start(&service, out);
}

// ---- in the process of the model ------------------------------------------------------------

static bool is_over(void *context)
{
    sg_session *session = context;
    return sg_limits_check_often(&session->vm->limits) != SG_OK;
}

static void tell(sg_session *session, const char *why)
{
    if (!session->compiler.told)
        sg_warning(&session->diags, SG_E_NATIVE, (sg_span){0},
                   "--native: %s; the model runs interpreted", why);
    session->compiler.told = true;
}

static sg_native_function *const *load(sg_session *session, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
    void *table = dlsym(library, SG_NATIVE_TABLE);
    if (!table || !SG_PUSH(session->allocator, &session->added.libraries, library)) {
        dlclose(library);
        return NULL;
    }
    return (sg_native_function *const *)table;
}

static sg_native_function *const *compiled(void *context, const char *text, size_t n)
{
    sg_session *session = context;
    char name[SG_SHA256_TEXT], path[PATH_ROOM], words[SG_HELPER_WORDS] = "";
    const void *answer;
    size_t n_answer;
    if (!name_of(text, n, name) || !path_of(path, session->options.native_folder, name, ".so"))
        return NULL;
    for (size_t i = 0; i < session->compiler.programs.len; i++)
        if (memcmp(session->compiler.programs.data[i].name, name, sizeof name) == 0)
            return session->compiler.programs.data[i].functions;
    sg_native_function *const *functions = access(path, R_OK) == 0 ? load(session, path) : NULL;
    if (!functions) {
        sg_status status = sg_helper_ask_until(session->options.native_helper, text, n, &answer,
                                               &n_answer, words, is_over, session);
        functions = status == SG_OK ? load(session, path) : NULL;
        if (!functions && status != SG_ERR_INTERRUPT)
            tell(session, words[0] ? words : "what was compiled cannot be loaded");
    }
    struct sg_session_native entry = {.functions = functions};
    memcpy(entry.name, name, sizeof name);
    if (!SG_PUSH(session->allocator, &session->compiler.programs, entry))
        return NULL;
    return functions;
}

const sg_native_host *sg_session_native_host(sg_session *session)
{
    if (!session->options.native_helper || !session->options.native_folder)
        return NULL;
    session->compiler.host = (sg_native_host){session, compiled};
    return &session->compiler.host;
}
