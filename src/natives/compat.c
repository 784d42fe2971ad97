#include "natives/compat.h"

#include "base/diags.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    size_t place;
} switches[] = {{"previous-at-start", offsetof(sg_compat, previous_at_start)},
                {"unknown-signals", offsetof(sg_compat, unknown_signals)},
                {"plain-comparisons", offsetof(sg_compat, plain_comparisons)},
                {"open-flows", offsetof(sg_compat, open_flows)},
                {"derivative-units", offsetof(sg_compat, derivative_units)},
                {"merged-var", offsetof(sg_compat, merged_var)},
                {"path-rows", offsetof(sg_compat, path_rows)},
                {"plain-tolerance", offsetof(sg_compat, plain_tolerance)},
                {"fixed-thresholds", offsetof(sg_compat, fixed_thresholds)}};
enum { N_SWITCHES = sizeof switches / sizeof switches[0], MAX_NAMES = 64 };

static bool turn_on(const char *name, sg_compat *out)
{
    bool all = strcmp(name, "modia-0.12") == 0, found = all;
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (all || strcmp(name, switches[i].name) == 0) {
            *(bool *)((char *)out + switches[i].place) = true;
            found = true;
        }
    return sg_part_compat_set(&out->parts, name, strlen(name)) || found;
}

bool sg_compat_parse(const char *list, sg_compat *out, sg_buf *message)
{
    *out = (sg_compat){0};
    while (list && *list) {
        size_t length = strcspn(list, ",");
        char name[64] = "";
        if (length < sizeof name)
            memcpy(name, list, length);
        if (!turn_on(name, out)) {
            const char *names[MAX_NAMES] = {"modia-0.12"};
            size_t n = 1;
            for (size_t i = 0; i < N_SWITCHES; i++)
                names[n++] = switches[i].name;
            for (size_t i = 0; n < MAX_NAMES && sg_part_compat_name(i); i++)
                names[n++] = sg_part_compat_name(i);
            const char *hint = sg_closest_name(name, names, n);
            sg_buf_printf(message, "--compat knows no '%.*s'", (int)length, list);
            if (hint)
                sg_buf_printf(message, ", did you mean '%s'?", hint);
            sg_buf_puts(message, "; it takes");
            for (size_t i = 0; i < n; i++)
                sg_buf_printf(message, "%s %s", i ? "," : "", names[i]);
            return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}
