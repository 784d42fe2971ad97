#define _GNU_SOURCE // clone; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "wall/calls.h"

#if defined(__linux__) && !defined(SG_NO_SANDBOX) && (defined(__x86_64__) || defined(__aarch64__))

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

enum {
    LAST_KNOWN = 451, // the newest call that was looked at when this list was written
    X32 = 0x40000000, // the same calls under other numbers
    MOST = 512,       // instructions
};

typedef struct sg_filter {
    struct sock_filter code[MOST];
    unsigned short n;
} sg_filter;

// ---- what is needed -----------------------------------------------------------------------------

// Memory, threads that are there, the end, the clock, descriptors that are open: of both kinds. The
// most frequent ones stand first.
static const int common[] = {
    SYS_read,           SYS_write,        SYS_futex,           SYS_clock_gettime,
    SYS_munmap,         SYS_mremap,       SYS_madvise,         SYS_brk,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_restart_syscall, SYS_close,
    SYS_recvfrom,       SYS_readv,        SYS_writev,          SYS_getpid,
    SYS_gettid,         SYS_getrandom,    SYS_gettimeofday,    SYS_clock_getres,
    SYS_sched_yield,    SYS_exit,         SYS_exit_group,
};

static const int of_a_run[] = {
    SYS_openat,
    SYS_lseek,
    SYS_pread64,
    SYS_pwrite64,
    SYS_fstat,
    SYS_newfstatat,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fadvise64,
    SYS_flock,
    SYS_getdents64,
    SYS_getcwd,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_mkdirat,
    SYS_unlinkat,
    SYS_renameat,
    SYS_linkat,
    SYS_statfs,
    SYS_fstatfs,
    SYS_umask,
    SYS_dup,
    SYS_dup3,
    SYS_ppoll,
    SYS_pselect6,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_rt_sigaction,
    SYS_rt_sigpending,
    SYS_sigaltstack,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_getcpu,
    SYS_getrusage,
    SYS_times,
    SYS_sysinfo,
    SYS_uname,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_wait4, // for helpers that end
    SYS_membarrier,
    SYS_setrlimit,
    SYS_getrlimit,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_renameat2
    SYS_renameat2,
#endif
#ifdef __x86_64__ // names that newer architectures do without
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_unlink,
    SYS_rename,
    SYS_link,
    SYS_dup2,
    SYS_poll,
    SYS_select,
    SYS_time,
    SYS_getpgrp,
#endif
};

// ---- the program of the filter ------------------------------------------------------------------

static void put(sg_filter *f, struct sock_filter instruction)
{
    SG_ASSERT(f->n < MOST);
    f->code[f->n++] = instruction;
}

static void put_load(sg_filter *f, size_t offset)
{
    put(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

// The lower half of an argument; both of our architectures keep it first.
static void put_argument(sg_filter *f, int i)
{
    put_load(f, offsetof(struct seccomp_data, args) + 8 * (size_t)i);
}

static void put_return(sg_filter *f, uint32_t action)
{
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void put_allow(sg_filter *f) { put_return(f, SECCOMP_RET_ALLOW); }
static void put_refuse(sg_filter *f, int error)
{
    put_return(f, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void put_jump(sg_filter *f, uint16_t condition, uint32_t value, uint8_t yes, uint8_t no)
{
    put(f, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | condition | BPF_K), value, yes, no));
}

// Allows at once what the accumulator equals.
static void put_allow_if(sg_filter *f, uint32_t value)
{
    put_jump(f, BPF_JEQ, value, 0, 1);
    put_allow(f);
}

static void put_refuse_if_any(sg_filter *f, uint32_t bits)
{
    put_jump(f, BPF_JSET, bits, 0, 1);
    put_refuse(f, EPERM);
}

// What follows until close_rule is about this call. It ends in a return.
static unsigned short open_rule(sg_filter *f, int call)
{
    put_jump(f, BPF_JEQ, (uint32_t)call, 0, 0);
    return f->n;
}

static void close_rule(sg_filter *f, unsigned short opened)
{
    f->code[opened - 1].jf = (uint8_t)(f->n - opened);
}

// Allows the call if an argument is one of these values.
static void rule_of_values(sg_filter *f, int call, int argument, const uint32_t *values, size_t n)
{
    unsigned short rule = open_rule(f, call);
    put_argument(f, argument);
    for (size_t i = 0; i < n; i++)
        put_allow_if(f, values[i]);
    put_refuse(f, EPERM);
    close_rule(f, rule);
}

// Allows the call if none of these bits is in an argument.
static void rule_without(sg_filter *f, int call, int argument, uint32_t bits)
{
    unsigned short rule = open_rule(f, call);
    put_argument(f, argument);
    put_refuse_if_any(f, bits);
    put_allow(f);
    close_rule(f, rule);
}

// Libraries are mapped as code that cannot be written; nothing else is code.
static void rule_of_mapping(sg_filter *f, bool libraries)
{
    enum { PROT = 2, FLAGS = 3 };
    if (!libraries) {
        rule_without(f, SYS_mmap, PROT, PROT_EXEC);
        return;
    }
    unsigned short rule = open_rule(f, SYS_mmap);
    put_argument(f, PROT);
    put_jump(f, BPF_JSET, PROT_EXEC, 1, 0);
    put_allow(f);
    put_refuse_if_any(f, PROT_WRITE);
    put_argument(f, FLAGS);
    put_refuse_if_any(f, MAP_ANONYMOUS | MAP_SHARED);
    put_allow(f);
    close_rule(f, rule);
}

static void rules_of_a_run(sg_filter *f)
{
    static const uint32_t questions[] = {
        F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,  F_SETFD,     F_GETFL,     F_SETFL,
        F_GETLK, F_SETLK,         F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
    };
    static const uint32_t terminal[] = {TCGETS, TIOCGWINSZ, TIOCGPGRP, FIONREAD};
    static const uint32_t names[] = {PR_SET_NAME, PR_GET_NAME};
    static const uint32_t self = 0;
    rule_of_values(f, SYS_fcntl, 1, questions, SG_COUNT(questions));
    rule_of_values(f, SYS_ioctl, 1, terminal, SG_COUNT(terminal));
    rule_of_values(f, SYS_prctl, 0, names, SG_COUNT(names));
    rule_of_values(f, SYS_prlimit64, 0, &self, 1);
    unsigned short rule = open_rule(f, SYS_clone);
    put_argument(f, 0);
    put_jump(f, BPF_JSET, CLONE_THREAD, 0, 1);
    put_allow(f);
    put_refuse(f, EPERM);
    close_rule(f, rule);
#ifdef SYS_clone3 // its flags are behind a pointer; without it threads are made by clone
    rule = open_rule(f, SYS_clone3);
    put_refuse(f, ENOSYS);
    close_rule(f, rule);
#endif
}

static void rules_of_both(sg_filter *f)
{
    uint32_t us = (uint32_t)getpid();
    rule_without(f, SYS_mprotect, 2, PROT_EXEC);
    rule_of_values(f, SYS_tgkill, 0, &us, 1);       // raise and abort
    unsigned short rule = open_rule(f, SYS_sendto); // to the other end, not to an address
    put_argument(f, 4);
    put_jump(f, BPF_JEQ, 0, 1, 0);
    put_refuse(f, EPERM);
    put_load(f, offsetof(struct seccomp_data, args) + 8 * 4 + 4);
    put_allow_if(f, 0);
    put_refuse(f, EPERM);
    close_rule(f, rule);
}

bool sg_calls_restrict(sg_calls kind)
{
    sg_filter f = {.n = 0};
    put_load(&f, offsetof(struct seccomp_data, arch));
    put_jump(&f, BPF_JEQ, OUR_ARCH, 1, 0);
    put_return(&f, SECCOMP_RET_KILL_PROCESS);
    put_load(&f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    put_jump(&f, BPF_JGE, X32, 0, 1);
    put_return(&f, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t i = 0; i < SG_COUNT(common); i++)
        put_allow_if(&f, (uint32_t)common[i]);
    rule_of_mapping(&f, kind == SG_CALLS_RUN);
    if (kind == SG_CALLS_RUN) {
        for (size_t i = 0; i < SG_COUNT(of_a_run); i++)
            put_allow_if(&f, (uint32_t)of_a_run[i]);
        rules_of_a_run(&f);
    }
    rules_of_both(&f);
    put_jump(&f, BPF_JGT, LAST_KNOWN, 0, 1);
    put_refuse(&f, ENOSYS);
    put_refuse(&f, EPERM);
    struct sock_fprog program = {f.n, f.code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

bool sg_calls_restrict(sg_calls kind) { return (void)kind, false; }

#endif
