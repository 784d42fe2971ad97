// Feeds the files of the folders and paths given to a fuzz target, once each: how the corpus is run
// in an ordinary build, and how a find is looked at in a debugger.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int n_files;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (!file || fstat(fileno(file), &info) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        if (file)
            fclose(file);
        return 1;
    }
    // Exactly as many bytes as the file has, so that the sanitizers see a read past the end.
    size_t size = (size_t)info.st_size;
    uint8_t *data = malloc(size ? size : 1);
    size_t got = data ? fread(data, 1, size, file) : 0;
    fclose(file);
    if (data && got == size) {
        n_files++;
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return got != size;
}

static int replay_folder(const char *path)
{
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return replay_file(path);
    int failed = 0;
    for (int i = 0; i < n; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            failed |= replay_file(file);
        free(entries[i]);
    }
    free(entries);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++)
        failed |= replay_folder(argv[i]);
    printf("%d files replayed\n", n_files);
    return failed || n_files == 0;
}
