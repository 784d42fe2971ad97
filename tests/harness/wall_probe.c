// wall_probe WHERE OUT: what a process can still do behind the wall of a command (segue/wall.h).
//
// WHERE is a folder outside that holds `secret` (a file) and `victim` (a file); OUT is the output
// folder. Each attempt prints one line, "NAME done" or "NAME refused: WHY"; what must work prints
// "NAME works". The script that starts it (tests/cli/the_wall_*.sh) knows which are which. With
// --free nothing is given up, which shows that each attempt would succeed otherwise.
#define _GNU_SOURCE // NOLINT
#include "segue/wall.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *where, *out;
static pid_t parent;

static char *at(const char *folder, const char *name)
{
    static char path[8][4096];
    static int i;
    i = (i + 1) % 8;
    snprintf(path[i], sizeof path[i], "%s/%s", folder, name);
    return path[i];
}

// An attempt failed if `result` is negative.
static void told(const char *name, long result)
{
    if (result < 0)
        printf("%s refused: %s\n", name, strerror(errno));
    else
        printf("%s done\n", name);
}

static void needed(const char *name, int ok)
{
    if (ok)
        printf("%s works\n", name);
    else
        printf("%s FAILS: %s\n", name, strerror(errno));
}

static long opened(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    return fd;
}

static void try_files(void)
{
    struct timespec times[2] = {{1, 0}, {1, 0}};
    struct timeval old[2] = {{1, 0}, {1, 0}};
    const char *victim = at(where, "victim");
    told("read outside", opened(at(where, "secret"), O_RDONLY));
    told("write outside", opened(victim, O_WRONLY));
    told("make outside", opened(at(where, "new"), O_WRONLY | O_CREAT));
    told("truncate outside", truncate(victim, 0));
    told("remove outside", unlink(at(where, "extra")));
    DIR *list = opendir(where);
    told("list outside", list ? 0 : -1);
    if (list)
        closedir(list);
    told("rename outside", rename(at(where, "other"), at(where, "moved")));
    told("link outside", link(victim, at(out, "hard")));
    told("symbolic link", symlink(victim, at(out, "soft")));
    told("chmod outside", chmod(victim, 0600));
    told("fchmodat outside", fchmodat(AT_FDCWD, victim, 0600, 0));
    int own = open(at(out, "own"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    told("fchmod", fchmod(own, 04755));
    told("chown outside", chown(victim, getuid(), getgid()));
    told("fchown", fchown(own, getuid(), getgid()));
    told("times outside", utimensat(AT_FDCWD, victim, times, 0));
    told("old times outside", utimes(victim, old));
    told("times of a descriptor", futimens(own, times));
    told("extended attribute", syscall(SYS_setxattr, at(out, "own"), "user.x", "1", 1, 0));
    told("pipe with a name", mkfifo(at(out, "fifo"), 0600));
    told("write /dev/null", opened("/dev/null", O_WRONLY));
    told("write /dev/full", opened("/dev/full", O_WRONLY));
    told("make below /dev", opened("/dev/shm/segue-probe", O_WRONLY | O_CREAT));
    unlink("/dev/shm/segue-probe");
    told("change folder", chdir("/"));
    told("change root", chroot("/"));
    close(own);
}

static void *idle(void *context) { return context; }

static void try_processes(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    told("fork", child);
    if (child > 0)
        waitpid(child, NULL, 0);
    child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0)
        _exit(0);
    told("clone", child);
    if (child > 0)
        waitpid(child, NULL, 0);
    struct {
        unsigned long long flags, rest[10];
    } arguments = {0, {0, 0, 0, SIGCHLD}};
    child = (pid_t)syscall(435, &arguments, sizeof arguments);
    if (child == 0)
        _exit(0);
    told("clone3", child);
    if (child > 0)
        waitpid(child, NULL, 0);
    char *none[] = {NULL};
    told("run a program", execve("/nowhere", none, none) < 0 && errno == EPERM ? -1 : 0);
    told("signal another process", kill(parent, 0));
    told("signal a thread of another", syscall(SYS_tkill, parent, 0));
    told("signal a thread group", syscall(SYS_tgkill, parent, parent, 0));
    told("queue a signal", sigqueue(parent, 0, (union sigval){0}));
    told("trace", ptrace(PTRACE_SEIZE, parent, NULL, NULL));
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    told("read another process", process_vm_readv(parent, &here, 1, &there, 1, 0));
    struct rlimit limit;
    told("limits of another process", prlimit(parent, RLIMIT_CORE, NULL, &limit));
    told("owner of a descriptor", fcntl(1, F_SETOWN, getpid()));
    told("priority", setpriority(PRIO_PROCESS, 0, 1));
    told("key into a terminal", ioctl(0, TIOCSTI, "x") < 0 && errno == EPERM ? -1 : 0);
}

static void try_memory(void)
{
    enum { SIZE = 4096 };
    void *p =
        mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    told("writable code", p == MAP_FAILED ? -1 : 0);
    p = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    told("code without a file", p == MAP_FAILED ? -1 : 0);
    p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    told("data that becomes code", mprotect(p, SIZE, PROT_READ | PROT_EXEC));
    told("by a key", syscall(SYS_pkey_mprotect, p, SIZE, PROT_READ | PROT_EXEC, -1));
    munmap(p, SIZE);
    told("memory as a file", syscall(SYS_memfd_create, "x", 0));
    told("faults of memory", syscall(SYS_userfaultfd, O_CLOEXEC | 1));
    told("personality", syscall(SYS_personality, 0));
}

static void try_kernel(void)
{
    int pair[2];
    told("socket", socket(AF_INET, SOCK_STREAM, 0));
    told("local socket", socket(AF_UNIX, SOCK_STREAM, 0));
    told("pair of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    told("fsopen", syscall(430, "tmpfs", 0));
    told("mount",
         syscall(SYS_mount, "x", "/nowhere", "tmpfs", 0, NULL) < 0 && errno == EPERM ? -1 : 0);
    told("name spaces", unshare(0));
    told("ring of requests", syscall(SYS_io_uring_setup, 0, NULL) < 0 && errno == EPERM ? -1 : 0);
    told("programs in the kernel", syscall(SYS_bpf, 0, NULL, 0) < 0 && errno == EPERM ? -1 : 0);
    told("counters",
         syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) < 0 && errno == EPERM ? -1 : 0);
    told("keys", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
    told("inotify", syscall(SYS_inotify_init1, 0));
    told("a call that is not known yet", syscall(600) < 0 && errno == ENOSYS ? -1 : 0);
}

// Calls that no command needs, with arguments that do nothing where there is no wall. A call that
// gets as far as to look at them was let through.
static void try_further_calls(void)
{
    static const struct {
        const char *name;
        long number;
    } calls[] = {
        {"write another process", SYS_process_vm_writev},
        {"handle of a process", SYS_pidfd_open},
        {"signal by a handle", SYS_pidfd_send_signal},
        {"descriptors of another process", 438}, // pidfd_getfd
        {"advice for another process", 440},     // process_madvise
        {"compare processes", SYS_kcmp},
        {"session", SYS_setsid},
        {"group of processes", SYS_setpgid},
        {"wait by a handle", SYS_waitid},
        {"another user", SYS_setuid},
        {"another group", SYS_setgid},
        {"another real user", SYS_setresuid},
        {"another user for files", SYS_setfsuid},
        {"groups", SYS_setgroups},
        {"capabilities", SYS_capset},
        {"another name space", SYS_setns},
        {"another root", SYS_pivot_root},
        {"unmount", SYS_umount2},
        {"tree of mounts", 428},      // open_tree
        {"move a mount", 429},        // move_mount
        {"settings of a mount", 442}, // mount_setattr
        {"configure a mount", 431},   // fsconfig
        {"pick a mount", 433},        // fspick
        {"handle of a file", SYS_name_to_handle_at},
        {"file by a handle", SYS_open_by_handle_at},
        {"file by open_how", 437}, // openat2: its flags lie behind a pointer
        {"device file", SYS_mknodat},
        {"link by a descriptor", SYS_symlinkat},
        {"mode by a descriptor", SYS_fchmod},
        {"new mode", 452}, // fchmodat2
        {"owner by a folder", SYS_fchownat},
        {"attribute by a descriptor", SYS_fsetxattr},
        {"remove an attribute", SYS_removexattr},
        {"copy between files", SYS_copy_file_range},
        {"splice", SYS_splice},
        {"memory into a pipe", SYS_vmsplice},
        {"send a file", SYS_sendfile},
        {"send a message", SYS_sendmsg},
        {"connect", SYS_connect},
        {"bind", SYS_bind},
        {"shared memory", SYS_shmget},
        {"attach shared memory", SYS_shmat},
        {"queue of messages", SYS_msgget},
        {"named queue", SYS_mq_open},
        {"semaphores", SYS_semget},
        {"secret memory", 447}, // memfd_secret
        {"old mappings", SYS_remap_file_pages},
        {"lock memory", SYS_mlockall},
        {"key", SYS_add_key},
        {"ask for a key", SYS_request_key},
        {"filter of calls", SYS_seccomp},
        {"rules of files", 444}, // landlock_create_ruleset
        {"watch files", SYS_fanotify_init},
        {"enter a ring", SYS_io_uring_enter},
        {"old requests", SYS_io_setup},
        {"processor to run on", SYS_sched_setaffinity},
        {"kind of schedule", SYS_sched_setscheduler},
        {"timer", SYS_timer_create},
        {"set the clock", SYS_clock_settime},
        {"adjust the clock", SYS_adjtimex},
        {"name of the machine", SYS_sethostname},
        {"log of the kernel", SYS_syslog},
        {"module of the kernel", SYS_finit_module},
        {"another kernel", SYS_kexec_load},
        {"restart", SYS_reboot},
        {"swap", SYS_swapon},
        {"quota", SYS_quotactl},
        {"accounting", SYS_acct},
#ifdef __x86_64__
        {"ports", SYS_ioperm},
        {"level of ports", SYS_iopl},
        {"segments", SYS_modify_ldt},
#endif
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        long result = syscall(calls[i].number, -1, -1, -1, -1, -1, -1);
        bool refused = result < 0 && (errno == EPERM || (calls[i].number > 451 && errno == ENOSYS));
        told(calls[i].name, refused ? -1 : 0);
    }
}

static void try_needed(void)
{
    pthread_t thread;
    struct timespec moment = {.tv_nsec = 1000};
    char text[64] = "";
    int fd = open(at(out, "mine"), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    needed("write results", fd >= 0 && write(fd, "x", 1) == 1 && fsync(fd) == 0);
    needed("read results", pread(fd, text, 1, 0) == 1 && text[0] == 'x');
    close(fd);
    needed("remove results", unlink(at(out, "mine")) == 0 && unlink(at(out, "own")) == 0);
    needed("make a folder", mkdir(at(out, "folder"), 0777) == 0 && rmdir(at(out, "folder")) == 0);
    const char *folder = getenv("TMPDIR");
    char name[4096];
    snprintf(name, sizeof name, "%s/x-XXXXXX", folder ? folder : "/tmp");
    fd = mkstemp(name);
    needed("temporary files", fd >= 0 && write(fd, "x", 1) == 1 && unlink(name) == 0);
    needed("random numbers", opened("/dev/urandom", O_RDONLY) >= 0);
    needed("read /dev/null", opened("/dev/null", O_RDONLY) >= 0);
    needed("a thread",
           pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
    needed("sleep", nanosleep(&moment, NULL) == 0);
    void *p = malloc((size_t)64 << 20);
    needed("memory", p != NULL);
    free(p);
    needed("a signal to oneself", signal(SIGUSR1, SIG_IGN) != SIG_ERR && raise(SIGUSR1) == 0);
    struct rlimit limit;
    needed("limits of our own",
           getrlimit(RLIMIT_DATA, &limit) == 0 && setrlimit(RLIMIT_DATA, &limit) == 0);
}

int main(int argc, char **argv)
{
    int unwalled = argc > 1 && strcmp(argv[1], "--free") == 0;
    if (argc != 3 + unwalled)
        return 2;
    where = argv[1 + unwalled];
    out = argv[2 + unwalled];
    parent = getppid();
    sg_wall *wall = sg_wall_create();
    if (!unwalled) {
        sg_wall_output(wall, out, true);
        sg_wall_scratch(wall);
        const char *missing = sg_wall_missing(sg_wall_enter(wall));
        if (missing) {
            printf("skipped: %s\n", missing);
            sg_wall_destroy(wall);
            return 77;
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    try_files();
    try_processes();
    try_memory();
    try_kernel();
    try_further_calls();
    if (!unwalled)
        try_needed();
    sg_wall_destroy(wall);
    return 0;
}
