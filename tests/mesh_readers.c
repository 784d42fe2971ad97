// Damaged mesh files: what readers of our own do with them.
//
//     mesh_readers CORPUS COUNT         damages the samples of each format COUNT times, in memory
//     mesh_readers CORPUS COUNT FOLDER  writes them as files instead, for those who run the program
//
// The samples are the seeds of the fuzz targets; what is damaged where follows from the number of a
// file, so that a failure comes again. Each is a mesh or refused with a message, within seconds,
// and without much memory (fuzz/mesh_check.h); sanitizers watch over the rest.
#include "mesh_check.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SAMPLES = 64, ROOM = 1 << 16, SECONDS = 20 }; // for one file, on a busy machine

typedef struct sample {
    char bytes[ROOM / 2];
    size_t size;
    char name[64];
} sample;

static sample samples[MAX_SAMPLES];
static size_t n_samples;
static char current[128]; // what is being read, for the one who is told that it failed

static uint64_t random_state;

static size_t below(size_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = (random_state ^ random_state >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return n ? (size_t)((x ^ x >> 32) % n) : 0;
}

static int compare_samples(const void *a, const void *b)
{
    return strcmp(((const sample *)a)->name, ((const sample *)b)->name);
}

static void load_samples(const char *corpus, const char *format)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/fuzz_%s", corpus, format);
    DIR *folder = opendir(path);
    n_samples = 0;
    for (const struct dirent *e; folder && n_samples < MAX_SAMPLES && (e = readdir(folder));) {
        snprintf(path, sizeof path, "%s/fuzz_%s/%s", corpus, format, e->d_name);
        FILE *file = e->d_name[0] != '.' ? fopen(path, "rb") : NULL;
        if (!file)
            continue;
        sample *s = &samples[n_samples++];
        s->size = fread(s->bytes, 1, sizeof s->bytes, file);
        snprintf(s->name, sizeof s->name, "%.60s", e->d_name);
        fclose(file);
    }
    if (folder)
        closedir(folder);
    qsort(samples, n_samples, sizeof *samples, compare_samples);
}

// ---- damage ---------------------------------------------------------------------------------

static size_t replace(char *bytes, size_t size, size_t at, size_t gone, const char *by, size_t n)
{
    gone = gone > size - at ? size - at : gone;
    if (size - gone + n > ROOM)
        return size;
    memmove(bytes + at + n, bytes + at + gone, size - at - gone);
    memcpy(bytes + at, by, n);
    return size - gone + n;
}

static size_t damage_once(char *bytes, size_t size)
{
    static const char *const words[] = {"18446744073709551615",
                                        "-1",
                                        "4294967296",
                                        "nan",
                                        "1e999",
                                        "-inf",
                                        "9007199254740993",
                                        "0",
                                        "99999999999999999999999999",
                                        "\"",
                                        "}",
                                        "[[[[",
                                        "\\",
                                        "1e-400",
                                        "2147483648"};
    static const char numbers[][4] = {"\xff\xff\xff\xff", "\x00\x00\x00\x80", "\xff\xff\xff\x7f",
                                      "\x00\x00\xc0\x7f", "\x00\x00\x80\xff", "\x00\x00\x00\x00"};
    size_t at = below(size), n = 1 + below(16), k = below(sizeof words / sizeof *words);
    switch (below(8)) {
    case 0: // a bit
        bytes[at] = (char)(bytes[at] ^ 1 << below(8));
        return size;
    case 1: // any byte
        bytes[at] = (char)below(256);
        return size;
    case 2: // an awkward number of bytes
        return replace(bytes, size, at, 4, numbers[below(sizeof numbers / sizeof *numbers)], 4);
    case 3: // an awkward number of digits, in place of one that is there
        while (at < size && !(bytes[at] >= '0' && bytes[at] <= '9'))
            at++;
        return at < size ? replace(bytes, size, at, 1, words[k], strlen(words[k])) : size;
    case 4: // the end is missing
        return 1 + below(size);
    case 5: // something is missing
        return replace(bytes, size, at, n, "", 0);
    case 6: { // something comes twice
        char copy[16];
        n = n > size - at ? size - at : n;
        memcpy(copy, bytes + at, n);
        return replace(bytes, size, below(size), 0, copy, n);
    }
    default: { // something of another file
        const sample *other = &samples[below(n_samples)];
        size_t from = below(other->size);
        n = 4 * n > other->size - from ? other->size - from : 4 * n;
        return replace(bytes, size, at, n, other->bytes + from, n);
    }
    }
}

static size_t damage(char *bytes, size_t number)
{
    const sample *s = &samples[number % n_samples];
    size_t size = s->size;
    random_state = number;
    memcpy(bytes, s->bytes, size);
    for (size_t i = 1 + below(4); i > 0 && size > 1; i--)
        size = damage_once(bytes, size);
    return size;
}

// ---- formats --------------------------------------------------------------------------------

static void too_slow(int signal)
{
    (void)signal;
    static const char text[] = "mesh_readers: it takes too long: ";
    if (write(2, text, sizeof text - 1) < 0 || write(2, current, strlen(current)) < 0)
        _exit(2);
    _exit(1);
}

static void read_damaged(sg_mesh_format format, const char *bytes, size_t size, size_t *meshes)
{
    char *exact = malloc(size ? size : 1); // so that a read behind the end is seen
    if (!exact)
        exit(2);
    memcpy(exact, bytes, size);
    alarm(SECONDS);
    *meshes += mesh_check(format, exact, size);
    alarm(0);
    free(exact);
}

static void write_damaged(const char *folder, const char *name, size_t number, const char *bytes,
                          size_t size)
{
    char path[4096];
    const char *dot = strrchr(name, '.');
    snprintf(path, sizeof path, "%s/%zu%s", folder, number, dot ? dot : "");
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        exit(2);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        sg_mesh_format format;
    } formats[] = {{"obj", SG_MESH_OBJ},
                   {"stl", SG_MESH_STL},
                   {"ply", SG_MESH_PLY},
                   {"gltf", SG_MESH_GLTF},
                   {"three", SG_MESH_THREE}};
    static char bytes[ROOM];
    if (argc < 3) {
        fprintf(stderr, "usage: mesh_readers CORPUS COUNT [FOLDER]\n");
        return 2;
    }
    signal(SIGALRM, too_slow);
    size_t count = (size_t)strtoul(argv[2], NULL, 10);
    bool good = true;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        size_t meshes = 0;
        load_samples(argv[1], formats[f].name);
        if (!n_samples || !count) {
            fprintf(stderr, "mesh_readers: no samples of %s\n", formats[f].name);
            return 2;
        }
        for (size_t i = 0; i < count; i++) {
            size_t size = damage(bytes, i);
            const char *name = samples[i % n_samples].name;
            snprintf(current, sizeof current, "%s, number %zu\n", name, i);
            if (argc > 3)
                write_damaged(argv[3], name, f * count + i, bytes, size);
            else
                read_damaged(formats[f].format, bytes, size, &meshes);
        }
        printf("%-5s %zu damaged files, %zu of them are meshes still\n", formats[f].name, count,
               meshes);
        // Damage that nobody survives, or everybody, tests little.
        good &= argc > 3 || (meshes > count / 50 && meshes < count - count / 50);
    }
    return good ? 0 : 1;
}
