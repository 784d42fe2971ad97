# Names of types that files define, as "name file": tags of struct, union and enum with a body, and
# typedefs. A tag and the typedef of the same definition are one name.
function tell(name) {
    if (name != "" && name != told)
        print name, FILENAME
    told = name
}

function first_name(text) {
    return match(text, /[A-Za-z_][A-Za-z0-9_]*/) ? substr(text, RSTART, RLENGTH) : ""
}

FNR == 1 { depth = 0; open = 0 }

{
    line = $0
    sub(/\/\/.*/, "", line)
    sub(/SG_VEC\([^)]*\)/, "sg_any", line)
}

# Only what stands at the outermost level: our files are formatted, so it begins a line.
line ~ /^(typedef |static |const )*(struct|union|enum)( |$)/ && line ~ /\{/ {
    name = line
    sub(/^(typedef |static |const )*(struct|union|enum) */, "", name)
    sub(/ *\{.*/, "", name)
    told = ""
    tell(first_name(name))
    is_typedef = line ~ /^typedef/
    if (line ~ /\}/ && is_typedef) { # all in one line
        sub(/.*\} */, "", line)
        tell(first_name(line))
    } else if (is_typedef) {
        open = 1
    }
    next
}

open && line ~ /^\}/ {
    sub(/^\} */, "", line)
    tell(first_name(line))
    open = 0
    next
}

# typedef double sg_number; typedef int (*sg_function)(void); typedef int sg_function(void);
# A typedef of a tag without a body gives it the same name, or a second one.
line ~ /^typedef / && line !~ /\{/ {
    told = ""
    if (line ~ /\(\*/) {
        sub(/.*\(\* */, "", line)
        tell(first_name(line))
    } else {
        sub(/\(.*/, "", line)
        sub(/ *;.*/, "", line)
        n = split(line, words, /[ *]+/)
        is_tag = words[2] ~ /^(struct|union|enum)$/
        if (!(is_tag && words[3] == words[n]))
            tell(words[n])
    }
}
