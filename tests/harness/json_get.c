// json_get FILE PATH...: prints what stands at each path of a JSON file, one a line, for the shell
// tests. A path is `messages.0.code`; `messages.#` is a length. Texts are printed bare, the rest as
// compact JSON. The exit status is 1 when the file is not JSON (RFC 8259, whole and nothing behind
// it) or a path leads nowhere.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *step(const json_t *value, const char *key)
{
    if (json_is_array(value))
        return json_array_get(value, (size_t)strtoul(key, NULL, 10));
    return json_object_get(value, key);
}

static int print_at(const json_t *root, const char *path)
{
    char keys[1000];
    snprintf(keys, sizeof keys, "%s", path);
    const json_t *value = root;
    for (char *rest = NULL, *key = strtok_r(keys, ".", &rest); key && value;
         key = strtok_r(NULL, ".", &rest)) {
        if (strcmp(key, "#") == 0) {
            printf("%zu\n",
                   json_is_array(value) ? json_array_size(value) : json_object_size(value));
            return 0;
        }
        value = step(value, key);
    }
    if (!value) {
        fprintf(stderr, "nothing at %s\n", path);
        return 1;
    }
    if (json_is_string(value)) {
        printf("%s\n", json_string_value(value));
        return 0;
    }
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    printf("%s\n", text ? text : "");
    free(text);
    return text == NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: json_get FILE PATH...\n");
        return 1;
    }
    json_error_t error;
    json_t *root = json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        fprintf(stderr, "%s:%d:%d: %s\n", argv[1], error.line, error.column, error.text);
        return 1;
    }
    int failed = 0;
    for (int i = 2; i < argc; i++)
        failed |= print_at(root, argv[i]);
    json_decref(root);
    return failed;
}
