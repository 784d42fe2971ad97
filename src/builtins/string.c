// Functions on strings and characters. Indices are bytes, as in Julia; nothing cuts a character.
#include "builtins/subjects.h"

#include <ctype.h>
#include <string.h>

static sg_status text_arg(sg_vm *vm, const sg_args *args, uint32_t i, sg_buf *out)
{
    sg_value v = i < args->n ? args->v[i] : SG_VALUE_NOTHING;
    sg_buf_init(out, vm->allocator);
    if (sg_is(v, SG_OBJ_STRING) || v.tag == SG_CHAR) {
        sg_print_value(vm, sg_runtime_of(vm)->units, v, out);
        return SG_OK;
    }
    const sg_string *unused = NULL;
    return sg_arg_string(vm, args, i, &unused);
}

static void push_part(sg_vm *vm, sg_array *list, const char *text, size_t length, bool keep_empty)
{
    if (length || keep_empty)
        sg_array_push(vm, list, sg_object(sg_string_make(vm, text, length)));
}

static sg_status native_split(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    const sg_string *s = NULL;
    static const char *const keywords[] = {"keepempty", "limit"};
    if (sg_args_check_count(vm, args, "split", 1, 2) != SG_OK ||
        sg_args_check_keywords(vm, args, "split", keywords, 2) != SG_OK ||
        sg_arg_string(vm, args, 0, &s) != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *keep = sg_args_find(vm, args, "keepempty");
    const sg_value *limit = sg_args_find(vm, args, "limit");
    bool keep_empty = keep ? keep->tag == SG_BOOL && keep->b : args->n > 1;
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!list)
        return SG_ERR_MEMORY;
    list->eltype = vm->types.String;
    *out = sg_object(list);
    if (args->n == 1) { // at blanks
        const char *p = s->text, *end = p + s->len;
        while (p < end) {
            size_t n = 0;
            while (p + n < end && !isspace((unsigned char)p[n]))
                n++;
            push_part(vm, list, p, n, keep_empty);
            p += n + 1;
        }
        return SG_OK;
    }
    sg_buf mark;
    if (text_arg(vm, args, 1, &mark) != SG_OK)
        return SG_ERR_MODEL;
    const char *p = s->text, *end = p + s->len;
    int64_t most = limit && limit->tag == SG_INT && limit->i > 0 ? limit->i : INT64_MAX;
    while (mark.len && (int64_t)list->len + 1 < most) {
        const char *hit = strstr(p, sg_buf_text(&mark));
        if (!hit)
            break;
        push_part(vm, list, p, (size_t)(hit - p), keep_empty);
        p = hit + mark.len;
    }
    push_part(vm, list, p, (size_t)(end - p), keep_empty);
    sg_buf_free(&mark);
    return SG_OK;
}

static sg_status native_join(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "join", 1, 3) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *items = sg_collect(vm, args->v[0]);
    if (!items)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    const sg_units *units = sg_runtime_of(vm)->units;
    for (size_t i = 0; i < items->len; i++) {
        if (i && args->n > 2 && i + 1 == items->len)
            sg_print_value(vm, units, args->v[2], &text);
        else if (i && args->n > 1)
            sg_print_value(vm, units, args->v[1], &text);
        sg_print_value(vm, units, sg_array_get(items, i), &text);
    }
    *out = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
    sg_buf_free(&text);
    return SG_OK;
}

static sg_status native_replace(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    const sg_string *s = NULL;
    static const char *const keywords[] = {"count"};
    if (sg_args_check_count(vm, args, "replace", 2, UINT32_MAX) != SG_OK ||
        sg_args_check_keywords(vm, args, "replace", keywords, 1) != SG_OK)
        return SG_ERR_MODEL;
    if (sg_is_sequence(args->v[0])) { // replace values of an array
        sg_array *array = sg_as_array(vm, args->v[0]);
        sg_array *list = array ? sg_array_clone(vm, array) : NULL;
        for (size_t i = 0; list && i < list->len; i++)
            for (uint32_t k = 1; k < args->n; k++) {
                if (!sg_is(args->v[k], SG_OBJ_PAIR))
                    return SG_RAISE_ARGUMENT(vm, args, "replace needs pairs old => new");
                const sg_tuple *pair = (const sg_tuple *)args->v[k].o;
                bool same;
                if (sg_value_equal(vm, sg_array_get(array, i), pair->items[0], true, &same) !=
                    SG_OK)
                    return SG_ERR_MODEL;
                if (!same)
                    continue;
                if (!sg_array_store(list, i, pair->items[1])) {
                    if (!sg_array_widen(vm, list, SG_ELEM_ANY))
                        return SG_ERR_MEMORY;
                    sg_array_store(list, i, pair->items[1]);
                }
                break;
            }
        *out = sg_object(list);
        return SG_OK;
    }
    if (sg_arg_string(vm, args, 0, &s) != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *count = sg_args_find(vm, args, "count");
    int64_t most = count && count->tag == SG_INT ? count->i : INT64_MAX;
    const sg_units *units = sg_runtime_of(vm)->units;
    sg_value current = sg_object((void *)(uintptr_t)s);
    for (uint32_t k = 1; k < args->n; k++) {
        if (!sg_is(args->v[k], SG_OBJ_PAIR))
            return SG_RAISE_ARGUMENT(vm, args, "replace needs pairs old => new");
        const sg_tuple *pair = (const sg_tuple *)args->v[k].o;
        sg_buf old, new, text;
        sg_buf_init(&old, vm->allocator);
        sg_buf_init(&new, vm->allocator);
        sg_buf_init(&text, vm->allocator);
        sg_print_value(vm, units, pair->items[0], &old);
        sg_print_value(vm, units, pair->items[1], &new);
        const char *p = ((sg_string *)current.o)->text;
        int64_t done = 0;
        sg_status status = SG_OK;
        const char *hit;
        // A text that no string can hold ends the search; making the string then says so.
        while (old.len && done++ < most && text.len < UINT32_MAX && status == SG_OK &&
               (hit = strstr(p, sg_buf_text(&old)))) {
            sg_buf_add(&text, p, (size_t)(hit - p));
            sg_buf_add(&text, sg_buf_text(&new), new.len);
            status = sg_vm_worked(vm, 1 + (size_t)(hit - p) / 8 + new.len / 8);
            p = hit + old.len;
        }
        sg_buf_puts(&text, p);
        current = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
        sg_buf_free(&old);
        sg_buf_free(&new);
        sg_buf_free(&text);
        if (status != SG_OK || current.tag == SG_UNDEF)
            return status ? status : SG_ERR_MEMORY;
    }
    *out = current;
    return SG_OK;
}

typedef enum text_search { STARTS, ENDS, OCCURS, CONTAINS } text_search;

static sg_status native_search(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    text_search which = (text_search)(uintptr_t)context;
    sg_buf a, b;
    if (sg_args_check_count(vm, args, "this function", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_status status = text_arg(vm, args, 0, &a);
    if (status != SG_OK)
        return status;
    status = text_arg(vm, args, 1, &b);
    if (status == SG_OK) {
        const sg_buf *text = which == OCCURS ? &b : &a, *part = which == OCCURS ? &a : &b;
        const char *t = sg_buf_text(text), *p = sg_buf_text(part);
        bool yes = which == STARTS ? strncmp(t, p, part->len) == 0
                   : which == ENDS
                       ? text->len >= part->len && strcmp(t + text->len - part->len, p) == 0
                       : strstr(t, p) != NULL;
        *out = sg_bool(yes);
        sg_buf_free(&b);
    }
    sg_buf_free(&a);
    return status;
}

// uppercase, lowercase, and their first letters; ASCII and Latin and Greek letters.
static size_t map_case(const char *p, bool upper, char *out)
{
    unsigned char c = (unsigned char)*p;
    if (c < 0x80) {
        out[0] = (char)(upper ? toupper(c) : tolower(c));
        return 1;
    }
    size_t n = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    memcpy(out, p, n);
    if (n == 2) {
        uint32_t code = (c & 0x1Fu) << 6 | ((unsigned char)p[1] & 0x3Fu);
        if (upper && ((code >= 0xE0 && code <= 0xFE && code != 0xF7) ||
                      (code >= 0x3B1 && code <= 0x3C9 && code != 0x3C2)))
            code -= 0x20;
        else if (!upper && ((code >= 0xC0 && code <= 0xDE && code != 0xD7) ||
                            (code >= 0x391 && code <= 0x3A9)))
            code += 0x20;
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
    }
    return n;
}

static sg_status native_case(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int mode = (int)(uintptr_t)context; // 1 upper, 0 lower, 2 uppercasefirst, 3 titlecase
    sg_buf text, result;
    if (text_arg(vm, args, 0, &text) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf_init(&result, vm->allocator);
    bool at_start = true;
    for (size_t i = 0; i < text.len;) {
        char mapped[4];
        const char *p = sg_buf_text(&text) + i;
        size_t n;
        if (mode < 2 || mode == 3 || at_start) {
            bool upper = mode == 1 || ((mode == 2 || mode == 3) && at_start);
            n = map_case(p, upper, mapped);
        } else {
            n = map_case(p, false, mapped);
            memcpy(mapped, p, n);
        }
        at_start = mode == 3 && isspace((unsigned char)*p);
        sg_buf_add(&result, mapped, n);
        i += n;
    }
    *out = sg_object(sg_string_make(vm, sg_buf_text(&result), result.len));
    if (args->v[0].tag == SG_CHAR && out->tag != SG_UNDEF) {
        int64_t at = 0;
        bool done;
        sg_iterate(vm, *out, &at, out, &done);
    }
    sg_buf_free(&text);
    sg_buf_free(&result);
    return SG_OK;
}

static sg_status native_strip(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    uintptr_t sides = (uintptr_t)context; // 1 left, 2 right
    const sg_string *s = NULL;
    if (sg_arg_string(vm, args, 0, &s) != SG_OK)
        return SG_ERR_MODEL;
    size_t first = 0, last = s->len;
    char other = '\0';
    if (args->n > 1 && args->v[1].tag == SG_CHAR && args->v[1].i < 128)
        other = (char)args->v[1].i;
#define STRIPPED(c) (other ? (c) == other : isspace((unsigned char)(c)))
    while ((sides & 1) && first < last && STRIPPED(s->text[first]))
        first++;
    while ((sides & 2) && last > first && STRIPPED(s->text[last - 1]))
        last--;
#undef STRIPPED
    *out = sg_object(sg_string_make(vm, s->text + first, last - first));
    return SG_OK;
}

static sg_status native_chomp(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    uintptr_t mode = (uintptr_t)context; // 0 newline at the end, 1 last, 2 first characters
    const sg_string *s = NULL;
    int64_t n = 1;
    if (sg_arg_string(vm, args, 0, &s) != SG_OK ||
        (args->n > 1 && sg_arg_int(vm, args, 1, &n) != SG_OK))
        return SG_ERR_MODEL;
    size_t first = 0, last = s->len;
    if (mode == 0)
        last -= last && s->text[last - 1] == '\n';
    for (; mode == 1 && n > 0 && last; n--)
        do
            last--;
        while (last && ((unsigned char)s->text[last] & 0xC0) == 0x80);
    for (; mode == 2 && n > 0 && first < last; n--)
        do
            first++;
        while (first < last && ((unsigned char)s->text[first] & 0xC0) == 0x80);
    *out = sg_object(sg_string_make(vm, s->text + first, last - first));
    return SG_OK;
}

enum { MAX_PADDING = 100000000 };

static sg_status native_pad(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool left = context != NULL;
    int64_t width = 0;
    if (sg_args_check_count(vm, args, left ? "lpad" : "rpad", 2, 3) != SG_OK ||
        sg_arg_int(vm, args, 1, &width) != SG_OK)
        return SG_ERR_MODEL;
    if (width > MAX_PADDING)
        return SG_RAISE_ARGUMENT(vm, args, "a text of %lld characters is too long to be padded",
                                 (long long)width);
    sg_buf text, fill, result;
    sg_buf_init(&text, vm->allocator);
    sg_buf_init(&fill, vm->allocator);
    sg_buf_init(&result, vm->allocator);
    const sg_units *units = sg_runtime_of(vm)->units;
    sg_print_value(vm, units, args->v[0], &text);
    if (args->n > 2)
        sg_print_value(vm, units, args->v[2], &fill);
    else
        sg_buf_putc(&fill, ' ');
    int64_t have = 0;
    for (size_t i = 0; i < text.len; i++)
        have += ((unsigned char)text.text[i] & 0xC0) != 0x80;
    if (!left)
        sg_buf_add(&result, sg_buf_text(&text), text.len);
    for (; have < width && fill.len; have++)
        sg_buf_add(&result, sg_buf_text(&fill), fill.len);
    if (left)
        sg_buf_add(&result, sg_buf_text(&text), text.len);
    *out = sg_object(sg_string_make(vm, sg_buf_text(&result), result.len));
    sg_buf_free(&text);
    sg_buf_free(&fill);
    sg_buf_free(&result);
    return SG_OK;
}

static sg_status native_repeat(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    int64_t n = 0;
    if (sg_args_check_count(vm, args, "repeat", 2, 2) != SG_OK ||
        sg_arg_int(vm, args, 1, &n) != SG_OK)
        return SG_ERR_MODEL;
    if (args->v[0].tag == SG_CHAR) {
        sg_buf text;
        sg_buf_init(&text, vm->allocator);
        sg_print_value(vm, NULL, args->v[0], &text);
        sg_value s = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
        sg_buf_free(&text);
        return sg_binary(vm, SG_OPER_POW, s, sg_int(n), out);
    }
    if (!sg_is_sequence(args->v[0]))
        return sg_binary(vm, SG_OPER_POW, args->v[0], sg_int(n), out);
    sg_array *array = sg_as_array(vm, args->v[0]), *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!array || !list)
        return SG_ERR_MEMORY;
    n = array->len ? n : 0;
    // A size that cannot be fails at once, and not when memory has run out.
    size_t total = n > 0 && (uint64_t)n > SIZE_MAX / array->len ? SIZE_MAX / sizeof(sg_value)
                   : n > 0                                      ? (size_t)n * array->len
                                                                : 0;
    if (!sg_array_reserve(vm, list, total))
        return SG_ERR_LIMIT;
    for (int64_t i = 0; i < n; i++)
        for (size_t k = 0; k < array->len; k++)
            if (!sg_array_push(vm, list, sg_array_get(array, k)) || sg_vm_worked(vm, 1) != SG_OK)
                return SG_ERR_MEMORY;
    *out = sg_object(sg_array_narrow(vm, list));
    return SG_OK;
}

static sg_status native_isempty_text(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "isempty", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_bool(sg_length(vm, args->v[0]) == 0);
    return SG_OK;
}

static sg_status native_char_class(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int which = (int)(uintptr_t)context;
    sg_value v = args->n ? args->v[0] : SG_VALUE_NOTHING;
    if (v.tag != SG_CHAR)
        return SG_RAISE_ARGUMENT(vm, args, "expected a character");
    int c = v.i < 128 ? (int)v.i : 'x'; // other letters count as letters
    *out = sg_bool(which == 0   ? isdigit(c) != 0
                   : which == 1 ? isalpha(c) != 0
                   : which == 2 ? isspace(c) != 0
                   : which == 3 ? isupper(c) != 0
                                : islower(c) != 0);
    return SG_OK;
}

static sg_status native_find(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    // findfirst("part", "text") as a range, or nothing; functions are handled elsewhere.
    (void)context;
    sg_buf part;
    const sg_string *s = NULL;
    if (sg_arg_string(vm, args, 1, &s) != SG_OK || text_arg(vm, args, 0, &part) != SG_OK)
        return SG_ERR_MODEL;
    const char *hit = strstr(s->text, sg_buf_text(&part));
    if (!hit)
        *out = SG_VALUE_NOTHING;
    else if (args->v[0].tag == SG_CHAR)
        *out = sg_int(hit - s->text + 1);
    else
        *out = sg_range_make(vm, sg_int(hit - s->text + 1), sg_int(1), (int64_t)part.len);
    sg_buf_free(&part);
    return SG_OK;
}

static sg_status native_code(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    int64_t code = 0;
    if (sg_arg_int(vm, args, 0, &code) != SG_OK)
        return SG_ERR_MODEL;
    if (code < 0 || code > 0x10FFFF)
        return sg_raise(vm, "InexactError", SG_E_NUMBER, args->span,
                        "%lld is not the number of a character; the last one is 1114111",
                        (long long)code);
    *out = (sg_value){.tag = SG_CHAR, .i = code};
    return SG_OK;
}

bool sg_register_strings(sg_vm *vm)
{
    static const sg_builtin_form list[] = {{"split", native_split, 0},
                                           {"join", native_join, 0},
                                           {"replace", native_replace, 0},
                                           {"startswith", native_search, STARTS},
                                           {"endswith", native_search, ENDS},
                                           {"occursin", native_search, OCCURS},
                                           {"contains", native_search, CONTAINS},
                                           {"uppercase", native_case, 1},
                                           {"lowercase", native_case, 0},
                                           {"uppercasefirst", native_case, 2},
                                           {"titlecase", native_case, 3},
                                           {"strip", native_strip, 3},
                                           {"lstrip", native_strip, 1},
                                           {"rstrip", native_strip, 2},
                                           {"chomp", native_chomp, 0},
                                           {"chop", native_chomp, 1},
                                           {"lpad", native_pad, 1},
                                           {"rpad", native_pad, 0},
                                           {"repeat", native_repeat, 0},
                                           {"isempty", native_isempty_text, 0},
                                           {"isdigit", native_char_class, 0},
                                           {"isletter", native_char_class, 1},
                                           {"isspace", native_char_class, 2},
                                           {"isuppercase", native_char_class, 3},
                                           {"islowercase", native_char_class, 4},
                                           {"_find_text", native_find, 0},
                                           {"Char", native_code, 0}};
    return sg_register_forms(vm, list, SG_COUNT(list));
}
