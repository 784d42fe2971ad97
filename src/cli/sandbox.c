#define _GNU_SOURCE // O_PATH; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "sandbox.h"

#if defined(__linux__) && !defined(SG_NO_SANDBOX)

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_MADE = 64 };

struct cli_sandbox {
    int rules;        // of Landlock, or -1
    uint64_t handled; // rights that this kernel knows
    char *made[MOST_MADE];
    size_t n_made;
};

// Headers may be older than the kernel.
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

#define READ_FILES LANDLOCK_ACCESS_FS_READ_FILE
#define READS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITE_FILES (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)
#define FOLDERS (LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR)
#define WRITES                                                                                     \
    (WRITE_FILES | FOLDERS | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)

cli_sandbox *cli_sandbox_create(void)
{
    cli_sandbox *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    s->handled = LANDLOCK_ACCESS_FS_EXECUTE | READS | WRITES | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |
                 LANDLOCK_ACCESS_FS_REFER;
    if (version < 3)
        s->handled &= ~(uint64_t)LANDLOCK_ACCESS_FS_TRUNCATE;
    if (version < 2)
        s->handled &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = s->handled};
    s->rules = version < 1 ? -1
                           : (int)syscall(SYS_landlock_create_ruleset, &attributes,
                                          sizeof attributes.handled_access_fs, 0);
    return s;
}

// What is not there needs no right; what a right is refused for fails later, with a message.
static void allow(cli_sandbox *s, const char *path, int flags, uint64_t rights)
{
    int fd = s->rules >= 0 ? open(path, O_PATH | O_CLOEXEC | flags) : -1;
    struct stat info;
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rights &= READ_FILES | WRITE_FILES;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights & s->handled,
                                              .parent_fd = fd};
    if (rule.allowed_access)
        syscall(SYS_landlock_add_rule, s->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

void cli_sandbox_read(cli_sandbox *s, const char *path)
{
    if (s && path)
        allow(s, path, 0, READS);
}

void cli_sandbox_write(cli_sandbox *s, const char *file)
{
    if (s)
        allow(s, file, 0, WRITE_FILES);
}

void cli_sandbox_folder_of(cli_sandbox *s, const char *file, bool write)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    char folder[PATH_MAX];
    if (!s || !file)
        return;
    int length = slash == file ? 1 : slash ? (int)(slash - file) : 0;
    snprintf(folder, sizeof folder, "%.*s", length, file);
    allow(s, length ? folder : ".", 0, READS | (write ? WRITES : 0));
}

// Makes the steps of a path that are not there. The first folder that is there already gets the
// right to make and to remove folders, so that ours can go again.
static void make_way(cli_sandbox *s, const char *folder)
{
    char path[PATH_MAX], above[PATH_MAX] = ".";
    struct stat info;
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path)
        return;
    bool absent = false;
    size_t length = strlen(path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        char kept = path[i];
        path[i] = '\0';
        absent = absent || stat(path, &info) != 0;
        if (!absent)
            snprintf(above, sizeof above, "%s", path);
        else if (mkdir(path, 0777) == 0 && s->n_made < MOST_MADE)
            s->made[s->n_made++] = strdup(path);
        path[i] = kept;
    }
    allow(s, above, 0, FOLDERS | LANDLOCK_ACCESS_FS_READ_DIR);
}

void cli_sandbox_output(cli_sandbox *s, const char *folder, bool named)
{
    if (!s || !folder || s->rules < 0)
        return;
    make_way(s, folder);
    allow(s, folder, named ? 0 : O_NOFOLLOW | O_DIRECTORY, READS | WRITES);
    allow(s, ".", 0, LANDLOCK_ACCESS_FS_READ_DIR); // where the way begins
}

// What libraries look at: themselves, fonts, the clock, devices, books about this process.
static void allow_libraries(cli_sandbox *s)
{
    static const char *const folders[] = {"/usr",
                                          "/lib",
                                          "/lib64",
                                          "/opt",
                                          "/nix",
                                          "/etc/fonts",
                                          "/etc/ld.so.cache",
                                          "/etc/ld.so.preload",
                                          "/etc/localtime",
                                          "/var/cache/fontconfig",
                                          "/proc/self",
                                          "/sys/devices/system/cpu"};
    static const char *const fonts[] = {".fonts", ".local/share/fonts", ".config/fontconfig",
                                        ".cache/fontconfig"};
    const char *home = getenv("HOME");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        allow(s, folders[i], 0, READS);
    for (size_t i = 0; home && i < sizeof fonts / sizeof *fonts; i++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", home, fonts[i]) < (int)sizeof path)
            allow(s, path, 0, READS);
    }
    allow(s, "/dev", 0, READ_FILES | LANDLOCK_ACCESS_FS_WRITE_FILE);
}

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

// Calls that a run never makes: programs, connections, other processes, ways around all this.
static bool forbid_calls(void)
{
#ifdef OUR_ARCH
#define REFUSE(call)                                                                               \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1),                                             \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__ // the same calls under other numbers
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
        REFUSE(SYS_execve),
        REFUSE(SYS_execveat),
        REFUSE(SYS_socket),
        REFUSE(SYS_socketpair),
        REFUSE(SYS_connect),
        REFUSE(SYS_ptrace),
        REFUSE(SYS_process_vm_readv),
        REFUSE(SYS_process_vm_writev),
        REFUSE(SYS_mount),
        REFUSE(SYS_bpf),
        REFUSE(SYS_keyctl),
        REFUSE(SYS_io_uring_setup),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    return false;
#endif
}

bool cli_sandbox_enter(cli_sandbox *s)
{
    if (!s || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    allow_libraries(s);
    bool files = s->rules >= 0 && syscall(SYS_landlock_restrict_self, s->rules, 0) == 0;
    return forbid_calls() || files;
}

void cli_sandbox_destroy(cli_sandbox *s)
{
    if (!s)
        return;
    if (s->rules >= 0)
        close(s->rules);
    while (s->n_made > 0) {
        char *folder = s->made[--s->n_made];
        if (folder)
            rmdir(folder); // one that is in use stays
        free(folder);
    }
    free(s);
}

#else

cli_sandbox *cli_sandbox_create(void) { return NULL; }
void cli_sandbox_read(cli_sandbox *sandbox, const char *path) { (void)sandbox, (void)path; }
void cli_sandbox_write(cli_sandbox *sandbox, const char *file) { (void)sandbox, (void)file; }
void cli_sandbox_folder_of(cli_sandbox *sandbox, const char *file, bool write)
{
    (void)sandbox, (void)file, (void)write;
}
void cli_sandbox_output(cli_sandbox *sandbox, const char *folder, bool named)
{
    (void)sandbox, (void)folder, (void)named;
}
bool cli_sandbox_enter(cli_sandbox *sandbox) { return (void)sandbox, false; }
void cli_sandbox_destroy(cli_sandbox *sandbox) { (void)sandbox; }

#endif
