#include "segue/result.h"
#include "study_cli.h"
#include "terminal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool path_of(const cli_study *study, const char *name, char out[PATH_MAX])
{
    return snprintf(out, PATH_MAX, "%s/%s", study->folder, name) < PATH_MAX;
}

char *cli_study_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0, room = 65536;
    char *text = file ? malloc(room + 1) : NULL;
    while (text) {
        length += fread(text + length, 1, room - length, file);
        if (length < room)
            break;
        char *grown = realloc(text, (room *= 2) + 1);
        if (!grown)
            free(text);
        text = grown;
    }
    if (file)
        fclose(file);
    if (text)
        text[length] = '\0';
    if (n)
        *n = text ? length : 0;
    return text;
}

static bool is_part(const char *name)
{
    size_t n = strlen(name);
    return strncmp(name, "rows-", 5) == 0 && n > 5 && strcmp(name + n - 5, ".part") == 0;
}

static bool is_log(const char *name)
{
    size_t n = strlen(name);
    return strncmp(name, "job-", 4) == 0 && n > 4 && strcmp(name + n - 4, ".log") == 0;
}

static void remove_files(const cli_study *study, bool (*which)(const char *name))
{
    DIR *folder = opendir(study->folder);
    for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
        char path[PATH_MAX];
        if (which(e->d_name) && path_of(study, e->d_name, path))
            unlink(path);
    }
    if (folder)
        closedir(folder);
}

bool cli_study_exists(const cli_study *study)
{
    char path[PATH_MAX];
    return path_of(study, "study.txt", path) && access(path, F_OK) == 0;
}

void cli_study_clear_logs(const cli_study *study) { remove_files(study, is_log); }

// Tables and rows; runs that were kept are written over.
void cli_study_clear(const cli_study *study)
{
    static const char *const names[] = {"study.txt",   "table.csv",   "times.csv", "table.segue",
                                        "table.arrow", "indices.csv", "points.csv"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (path_of(study, names[i], path))
            unlink(path);
    remove_files(study, is_part);
}

// Rows of the table get their times back, which lie in a file of their own: both are in the order
// of runs.
static sg_status load_table(const cli_study *study, sg_study_table *table)
{
    char path[PATH_MAX], times_path[PATH_MAX];
    if (!path_of(study, "table.csv", path) || !path_of(study, "times.csv", times_path))
        return SG_ERR_IO;
    char *text = cli_study_read(path, NULL), *times = cli_study_read(times_path, NULL);
    char *time = times ? strchr(times, '\n') : NULL;
    sg_status status = SG_OK;
    char *line = text ? strchr(text, '\n') : NULL;
    char *row = malloc(1 << 16);
    status = row ? SG_OK : SG_ERR_MEMORY;
    while (line && status == SG_OK) {
        char *begin = line + 1, *end = strchr(begin, '\n');
        if (!end)
            break;
        unsigned long long run = strtoull(begin, NULL, 10);
        while (time && time[1] && strtoull(time + 1, NULL, 10) < run)
            time = strchr(time + 1, '\n');
        char *comma = NULL;
        unsigned long long at = time ? strtoull(time + 1, &comma, 10) : 0;
        bool known = comma && *comma == ',' && at == run;
        int n = snprintf(row, 1 << 16, "%.*s%s%.*s\n", known ? (int)strcspn(comma + 1, "\n") : 0,
                         known ? comma + 1 : "", known ? "\t" : "", (int)(end - begin), begin);
        if (n > 0 && n < 1 << 16)
            status = sg_study_table_add(table, row, (size_t)n);
        line = end;
    }
    free(row);
    free(text);
    free(times);
    return status;
}

static sg_status load_parts(const cli_study *study, sg_study_table *table)
{
    DIR *folder = opendir(study->folder);
    sg_status status = SG_OK;
    for (struct dirent *e = folder ? readdir(folder) : NULL; e && status == SG_OK;
         e = readdir(folder)) {
        char path[PATH_MAX];
        size_t n;
        if (!is_part(e->d_name) || !path_of(study, e->d_name, path))
            continue;
        char *text = cli_study_read(path, &n);
        if (text)
            status = sg_study_table_add(table, text, n);
        free(text);
    }
    if (folder)
        closedir(folder);
    return status;
}

sg_status cli_study_load(const cli_study *study, const sg_study *plan, sg_study_table **out)
{
    sg_status status = sg_study_table_create(plan, out);
    if (status == SG_OK)
        status = load_table(study, *out);
    if (status == SG_OK && study->again)
        sg_study_table_drop_failed(*out);
    return status == SG_OK ? load_parts(study, *out) : status;
}

int cli_study_open_part(const cli_study *study)
{
    char name[NAME_MAX], path[PATH_MAX];
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "rows-%ld-%d.part", (long)getpid(), i);
        if (!path_of(study, name, path))
            return -1;
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

bool cli_study_put_row(int part, const sg_study_row *row)
{
    char few[2048], time[40];
    int n_time = snprintf(time, sizeof time, "%.3g", row->cpu_time);
    size_t length = strlen(row->line), n = (size_t)n_time + 1 + length + 1;
    char *line = n < sizeof few ? few : malloc(n + 1);
    if (!line)
        return false;
    memcpy(line, time, (size_t)n_time);
    line[n_time] = '\t';
    memcpy(line + n_time + 1, row->line, length);
    line[n - 1] = '\n';
    bool good = write(part, line, n) == (ssize_t)n; // at once: a line is there or not
    if (line != few)
        free(line);
    return good;
}

bool cli_study_save_run(const cli_study *study, sg_study_row *row)
{
    if (!row->result)
        return true;
    char name[64], path[PATH_MAX];
    // A thousand in a folder.
    snprintf(name, sizeof name, "runs/%06llu", (unsigned long long)row->run / 1000);
    bool good = path_of(study, "runs", path) && (mkdir(path, 0777) == 0 || errno == EEXIST) &&
                path_of(study, name, path) && (mkdir(path, 0777) == 0 || errno == EEXIST);
    snprintf(name, sizeof name, "runs/%06llu/%llu.segue", (unsigned long long)row->run / 1000,
             (unsigned long long)row->run);
    good = good && path_of(study, name, path) &&
           sg_result_convert(row->result, path, NULL, NULL) == SG_OK;
    sg_result_destroy(row->result);
    row->result = NULL;
    return good;
}

// ---- the table ----------------------------------------------------------------------------------

static void put(void *context, const char *text, size_t length)
{
    fwrite(text, 1, length, context);
}

typedef void write_table(const sg_study_table *table,
                         void (*write)(void *context, const char *text, size_t length),
                         void *context);

// Complete or not at all.
static bool write_file(const cli_study *study, const sg_study_table *table, const char *name,
                       write_table *write)
{
    char path[PATH_MAX], fresh[PATH_MAX];
    if (!path_of(study, name, path) ||
        snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
        return false;
    FILE *file = fopen(fresh, "wb");
    if (file)
        write(table, put, file);
    bool good = file && !ferror(file);
    good = file && fclose(file) == 0 && good;
    if (good && rename(fresh, path) == 0)
        return true;
    cli_complain("segue study: cannot write '%s': %s\n", path, strerror(errno));
    unlink(fresh);
    return false;
}

// The same table in the formats of results, where the number of the run stands for time.
static bool convert(const cli_study *study, const sg_study_table *table)
{
    static const char *const names[] = {"table.segue", "table.arrow"};
    char to[PATH_MAX];
    sg_result *result = NULL;
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = sg_study_table_result(table, diags, &result);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == SG_OK; i++)
        status =
            path_of(study, names[i], to) ? sg_result_convert(result, to, NULL, diags) : SG_ERR_IO;
    for (size_t i = 0; status != SG_OK && i < sg_diags_count(diags); i++)
        cli_complain("segue study: %s\n", sg_diags_get(diags, i)->message);
    sg_result_destroy(result);
    sg_diags_destroy(diags);
    return status == SG_OK;
}

bool cli_study_merge(const cli_study *study, const sg_study_table *table)
{
    if (!write_file(study, table, "table.csv", sg_study_table_write) ||
        !write_file(study, table, "times.csv", sg_study_table_write_times))
        return false;
    if (sg_study_table_count(table) && !convert(study, table))
        return false;
    remove_files(study, is_part);
    return true;
}
