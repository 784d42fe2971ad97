#include "syntax/foreign.h"

#include "base/assert.h"

#include <string.h>

typedef struct foreign_word {
    const char *word, *sentence;
} foreign_word;

static const char *find(const foreign_word *table, size_t n, const char *word, size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(table[i].word) == length && memcmp(table[i].word, word, length) == 0)
            return table[i].sentence;
    return NULL;
}

const char *sg_foreign_separator(const char *word, size_t length)
{
    static const foreign_word table[] = {
        {"and", "'and' is written '&&'"},
        {"or", "'or' is written '||'"},
        {"then", "'then' is not needed; a condition ends with its line or with ';'"},
        {"elif", "'elif' is written 'elseif'"},
        {"elsif", "'elsif' is written 'elseif'"},
        {"endif", "'endif' is written 'end'"},
    };
    return find(table, SG_COUNT(table), word, length);
}

const char *sg_foreign_opener(const char *word, size_t length, bool *all_foreign)
{
    static const char declaration[] =
        "a variable is declared by a key of its model: x = Var(start = 1.0)";
    static const char model[] = "a model is written Name = Model(key = value, ..., equations = "
                                ":[...])";
    static const foreign_word files[] = {
        {"model", model}, {"package", model}, {"connector", model},
        {"block", model}, {"class", model},   {"record", model},
    };
    static const foreign_word lines[] = {
        {"def", "a function is written function f(x) ... end, or f(x) = ..."},
        {"lambda", "a function without name is written x -> x^2"},
        {"Real", declaration},
        {"Integer", declaration},
        {"Boolean", declaration},
        {"extends", "a model is extended by merging: Name = Base | Model(...)"},
        {"elif", "'elif' is written 'elseif'"},
        {"not", "'not' is written '!': !x"},
        {"var", "a value gets its name by name = value"},
    };
    const char *sentence = find(files, SG_COUNT(files), word, length);
    *all_foreign = sentence != NULL;
    return sentence ? sentence : find(lines, SG_COUNT(lines), word, length);
}

const char *sg_foreign_name(const char *word)
{
    static const foreign_word table[] = {
        {"True", "write true"},
        {"False", "write false"},
        {"TRUE", "write true"},
        {"FALSE", "write false"},
        {"None", "write nothing"},
        {"null", "write nothing"},
        {"NULL", "write nothing"},
        {"not", "'not x' is written !x"},
        {"then", "'then' is not needed; a condition ends with its line or with ';'"},
        {"self", "there are no classes; models are extended by |"},
        {"connect", "connections are a key of the model: connect = :[(a.p, b.n)]"},
        {"equation", "equations are a key of the model: equations = :[...]"},
        {"printf", "use println(\"x = $x\") or @printf"},
        {"disp", "use println(x)"},
        {"len", "use length(x)"},
        {"arange", "a range is written first:step:last"},
        {"linspace", "use range(first, last, length = n)"},
        {"atan2", "use atan(y, x)"},
        {"ln", "the natural logarithm is log(x)"},
        {"arcsin", "use asin(x)"},
        {"arccos", "use acos(x)"},
        {"arctan", "use atan(x)"},
        {"fabs", "use abs(x)"},
        {"PI", "write pi"},
        {"inf", "write Inf"},
        {"nan", "write NaN"},
    };
    return find(table, SG_COUNT(table), word, strlen(word));
}
