#include "adapter/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text) {
        used += fread(text + used, 1, room - used - 1, file);
        if (used < room - 1)
            break;
        char *more = realloc(text, room *= 2);
        if (!more)
            free(text);
        text = more;
    }
    if (text && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (text)
        text[used] = '\0';
    fclose(file);
    return text;
}

// v FIRST N TYPE ROLE SETTABLE NAME
static bool read_variable(char *line, sg_adapter_variable *out)
{
    char *end;
    unsigned long first = strtoul(line, &end, 10), n = strtoul(end, &end, 10);
    if (*end != ' ' || strlen(end) < 6 || end[4] != ' ' || first == 0 || n == 0 ||
        first > UINT32_MAX / 2 || n > UINT32_MAX / 2)
        return false;
    *out = (sg_adapter_variable){.name = end + 5,
                                 .first = (uint32_t)first,
                                 .n = (uint32_t)n,
                                 .type = end[1],
                                 .role = end[2],
                                 .settable = end[3] == '+'};
    out->index = strchr("sdz", out->role) ? strtoul(out->name, NULL, 10) : 0;
    return strchr("rib", out->type) && strchr("piolsdz", out->role);
}

static bool read_line(sg_adapter_table *table, char *line)
{
    struct {
        const char *key, **text;
        double *number;
    } keys[] = {{"token ", &table->token, NULL},   {"main ", &table->main, NULL},
                {"model ", &table->model, NULL},   {"start ", NULL, &table->start},
                {"stop ", NULL, &table->stop},     {"tolerance ", NULL, &table->tolerance},
                {"states ", NULL, &table->states}, {"indicators ", NULL, &table->indicators}};
    if (line[0] == 'v' && line[1] == ' ')
        return read_variable(line + 2, &table->variables[table->n_variables++]);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        size_t n = strlen(keys[i].key);
        if (strncmp(line, keys[i].key, n) != 0)
            continue;
        if (keys[i].text)
            *keys[i].text = line + n;
        else
            *keys[i].number = strtod(line + n, NULL);
    }
    table->modia3d |= strcmp(line, "modia3d") == 0;
    return true;
}

// Each reference belongs to one variable.
static bool find_owners(sg_adapter_table *table)
{
    size_t sum = 0;
    for (size_t i = 0; i < table->n_variables; i++) {
        sg_adapter_variable *v = &table->variables[i];
        uint32_t end = v->first + v->n;
        table->n_references = end > table->n_references ? end : table->n_references;
        v->at = sum;
        sum += v->n;
    }
    if (table->n_references > sum + 1)
        return false;
    table->owner = calloc((size_t)table->n_references + 1, sizeof *table->owner);
    for (size_t i = 0; table->owner && i < table->n_variables; i++)
        for (uint32_t k = 0; k < table->variables[i].n; k++)
            table->owner[table->variables[i].first + k] = (uint32_t)i + 1;
    return table->owner != NULL;
}

bool sg_adapter_table_read(sg_adapter_table *table, const char *path)
{
    *table = (sg_adapter_table){.text = read_file(path),
                                .stop = (double)NAN,
                                .tolerance = 1e-6,
                                .states = (double)NAN,
                                .indicators = (double)NAN};
    if (!table->text)
        return false;
    size_t lines = 1;
    for (const char *c = table->text; *c; c++)
        lines += *c == '\n';
    table->variables = calloc(lines, sizeof *table->variables);
    bool good = table->variables && strncmp(table->text, "segue-fmu 1\n", 12) == 0;
    for (char *line = table->text; good && line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        good = read_line(table, line);
        line = end;
    }
    good = good && table->main && table->token && find_owners(table);
    if (!good)
        sg_adapter_table_free(table);
    return good;
}

void sg_adapter_table_free(sg_adapter_table *table)
{
    free(table->text);
    free(table->variables);
    free(table->owner);
    *table = (sg_adapter_table){0};
}
