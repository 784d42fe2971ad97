#define _GNU_SOURCE // O_PATH; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "wall/folders.h"

#if defined(__linux__) && !defined(SG_NO_SANDBOX)

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Headers may be older than the kernel.
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

#define OF_FILES                                                                                   \
    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)

static const struct {
    unsigned right;
    uint64_t access;
} table[] = {
    {SG_MAY_READ, LANDLOCK_ACCESS_FS_READ_FILE},
    {SG_MAY_LIST, LANDLOCK_ACCESS_FS_READ_DIR},
    {SG_MAY_WRITE, LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE},
    {SG_MAY_MAKE, LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE},
    {SG_MAY_MAKE_FOLDERS, LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR},
    {SG_MAY_REMOVE_FOLDERS, LANDLOCK_ACCESS_FS_REMOVE_DIR},
};

void sg_folders_init(sg_folders *folders)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    folders->handled = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                       LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                       LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |
                       LANDLOCK_ACCESS_FS_REFER;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        folders->handled |= table[i].access;
    if (version < 3)
        folders->handled &= ~(uint64_t)LANDLOCK_ACCESS_FS_TRUNCATE;
    if (version < 2)
        folders->handled &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = folders->handled};
    folders->rules = version < 1 ? -1
                                 : (int)syscall(SYS_landlock_create_ruleset, &attributes,
                                                sizeof attributes.handled_access_fs, 0);
}

bool sg_folders_work(const sg_folders *folders) { return folders->rules >= 0; }

void sg_folders_allow(sg_folders *folders, const char *path, unsigned rights)
{
    int flags = rights & SG_NO_LINK ? O_NOFOLLOW | O_DIRECTORY : 0;
    int fd = folders->rules >= 0 ? open(path, O_PATH | O_CLOEXEC | flags) : -1;
    struct stat info;
    uint64_t access = 0;
    if (fd < 0)
        return;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        access |= rights & table[i].right ? table[i].access : 0;
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode))
        access &= OF_FILES;
    struct landlock_path_beneath_attr rule = {.allowed_access = access & folders->handled,
                                              .parent_fd = fd};
    if (rule.allowed_access)
        syscall(SYS_landlock_add_rule, folders->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

bool sg_folders_restrict(const sg_folders *folders)
{
    return folders->rules >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, folders->rules, 0) == 0;
}

void sg_folders_destroy(sg_folders *folders)
{
    if (folders->rules >= 0)
        close(folders->rules);
    folders->rules = -1;
}

#else

void sg_folders_init(sg_folders *folders) { *folders = (sg_folders){.rules = -1}; }
bool sg_folders_work(const sg_folders *folders) { return folders->rules >= 0; }
void sg_folders_allow(sg_folders *folders, const char *path, unsigned rights)
{
    (void)folders, (void)path, (void)rights;
}
bool sg_folders_restrict(const sg_folders *folders) { return (void)folders, false; }
void sg_folders_destroy(sg_folders *folders) { (void)folders; }

#endif
