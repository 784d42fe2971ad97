# What the kernel keeps from a run, whatever the library would do: a probe that is loaded with it tries it from inside, when
# the program starts its first thread, which is behind the door. Where a kernel lacks Landlock, there is nothing to see.
command -v "${CC:-cc}" >/dev/null || { echo 'skipped: no compiler'; exit 77; }
cat >probe.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void told(const char *what, int failed) { dprintf(2, "probe: %s %s\n", what, failed ? "no" : "yes"); }

static void try_file(const char *what, const char *path, int flags)
{
    int fd = open(path, flags, 0666);
    told(what, fd < 0);
    if (fd >= 0)
        close(fd);
}

static int starts_program(void)
{
    int state = 1;
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    waitpid(child, &state, 0);
    return state != 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (syscall(444, NULL, 0, 1) < 1) // landlock_create_ruleset, for its version
        dprintf(2, "probe: no landlock\n");
    try_file("reads its folder", "inside/model.jl", O_RDONLY);
    try_file("reads beside it", "private/secret.txt", O_RDONLY);
    try_file("reads what is allowed", "allowed/data.txt", O_RDONLY);
    try_file("writes results", "results/new.txt", O_WRONLY | O_CREAT);
    try_file("writes beside the model", "inside/new.txt", O_WRONLY | O_CREAT);
    try_file("writes elsewhere", "private/new.txt", O_WRONLY | O_CREAT);
    try_file("changes the model", "inside/model.jl", O_WRONLY);
    told("starts programs", starts_program());
    told("opens sockets", socket(AF_INET, SOCK_STREAM, 0) < 0);
    told("makes links", symlink("private", "results/link") != 0);
    unlink("results/link");
    return real(thread, attributes, body, context);
}
END
"${CC:-cc}" -shared -fPIC -o probe.so probe.c -ldl 2>cc.log || { echo 'skipped: cannot compile'; exit 77; }
mkdir inside private allowed
: >inside/Project.toml # this test itself may lie in a package
echo secret >private/secret.txt
echo data >allowed/data.txt
echo 'println("ran")' >inside/model.jl

# tried OPTION...: what the probe says of a run
tried() {
    LD_PRELOAD=$PWD/probe.so "$SEGUE" "$@" >out 2>err
    got=$?
    [ $got -eq 0 ] || fail "status $got: $*"
    grep -q '^probe: reads' err || { echo 'skipped: the probe was not loaded (sanitizers come first)'; exit 77; }
    rm -rf inside/new.txt private/new.txt results/new.txt
}
# yes|no ITEM
says() { grep -q "^probe: $2 $1\$" err || fail "$3: '$2' is not $1"; }

mkdir results
tried run --no-sandbox -o results inside/model.jl
for item in 'reads beside it' 'writes elsewhere' 'starts programs' 'opens sockets' 'changes the model'; do
    says yes "$item" 'without a sandbox'
done
grep -q 'no landlock' err && { echo 'skipped: this kernel has no Landlock'; exit 77; }

tried run --allow-read allowed -o results inside/model.jl
for item in 'reads its folder' 'reads what is allowed' 'writes results'; do
    says yes "$item" 'segue run'
done
for item in 'reads beside it' 'writes beside the model' 'writes elsewhere' 'changes the model' 'starts programs' 'opens sockets' \
    'makes links'; do
    says no "$item" 'segue run'
done
tried check inside/model.jl
for item in 'reads beside it' 'writes results' 'writes elsewhere' 'starts programs'; do
    says no "$item" 'segue check'
done
says yes 'reads its folder' 'segue check'

# An output folder that is not there is made, and goes again when nothing was written to it.
tried run -o new/folder inside/model.jl
[ ! -e new ] || fail 'an empty output folder stays'
cat >inside/run.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
plot(m, "x")
END
mkdir -p sums
status 0 "$SEGUE" run -o new/folder --result-format csv,json,mat,arrow --summary sums/sum.json --html sums/page.html inside/run.jl
[ -s new/folder/M.segue ] && [ -s new/folder/M.csv ] && [ -s sums/sum.json ] || fail "not written: $(ls -R new sums)"
status 0 "$SEGUE" run inside/run.jl
[ -s run-results/M.segue ] || fail 'no run-results'
status 0 "$SEGUE" run --converge inside/run.jl
