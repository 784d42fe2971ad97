#!/bin/sh
# names_in_pages.sh ROOT: files and functions that the map, the tour and the READMEs name exist.
# names_in_pages.sh --self SCRATCH: ... and one that does not is found.
set -u

fail() {
    echo "$1"
    failed=1
}

# The words in backticks of a page, one a line; `f(x)` is f.
quoted() { grep -ohE '`[^`]+`' "$1" | tr -d '`' | sed 's/(.*//' | sort -u; }

# Is there a file of this name, seen from the page or from one of the roots?
is_file() { # page name
    for base in "$(dirname "$1")" . src include tests docs; do
        [ -e "$base/$2" ] && return 0
    done
    # A page of docs may leave out the folder, a README may not.
    case $1 in
    docs/*) case $2 in */*) return 1 ;; *) grep -q "/$2\$" "$list" ;; esac ;;
    *) return 1 ;;
    esac
}

check_page() {
    for word in $(quoted "$1" | grep -E '^[A-Za-z0-9_./-]+\.(c|h|cmake|sh|jl|awk|txt|js|mjs|cpp)$'); do
        is_file "$1" "$word" || fail "$1: there is no file $word"
    done
    for word in $(quoted "$1" | grep -E '^sg_[a-z0-9_]+$'); do
        grep -qx "$word" "$names" || fail "$1: there is no $word in the source"
    done
}

# The first column of the tables of a folder's README holds its files, with or without suffix; so
# does what stands before the colon in a list.
check_folder() {
    folder=$(dirname "$1")
    named=$({ grep -E '^\| *`' "$1" | cut -d'|' -f2; grep -E '^[-*] `' "$1" | cut -d: -f1; } |
        grep -oE '`[^`]+`' | tr -d '`')
    for word in $named; do
        case $word in
        *\**) set -- "$1" "$folder"/$word; [ -e "$2" ] || fail "$1: no file is called $word" ;;
        *.*) is_file "$1" "$word" || fail "$1: there is no file $word" ;;
        *) [ -e "$folder/$word.c" ] || [ -e "$folder/$word.h" ] || fail "$1: there is no file $word.c or $word.h" ;;
        esac
    done
}

check_tree() {
    failed=0
    list=$scratch/files
    names=$scratch/names
    git ls-files 2>/dev/null >"$list"
    [ -s "$list" ] || find . -type f | sed 's,^\./,,' >"$list"
    find src include -name '*.[ch]' -exec grep -ohE '\bsg_[a-z0-9_]+' {} + | sort -u >"$names"
    for page in docs/tour.md docs/architecture.md src/*/README.md include/segue/README.md tests/README.md; do
        [ ! -f "$page" ] || check_page "$page"
    done
    for page in src/*/README.md; do
        check_folder "$page"
    done
    return $failed
}

if [ "$1" = --self ]; then
    rm -rf "$2"
    mkdir -p "$2/tree/src/base" "$2/tree/docs" "$2/tree/include" && cd "$2/tree" || exit 1
    scratch=$2
    printf 'int sg_there(void);\n' >src/base/there.h
    printf '| file | idea |\n|---|---|\n| `there` | it |\n' >src/base/README.md
    printf '`src/base/there.h`, `there.h`, `base/there.h`, `sg_there(1)`, `simulate!`\n' >docs/tour.md
    check_tree || { echo 'a tree without mistakes is refused'; exit 1; }
    printf '`src/base/gone.h` `gone.h` `sg_gone`\n' >docs/architecture.md
    printf '| `gone` | not |\n' >>src/base/README.md
    printf -- '- `lost`, `there`: one of them\n' >>src/base/README.md
    found=$(check_tree)
    for want in 'architecture.md: there is no file src/base/gone.h' 'architecture.md: there is no file gone.h' \
        'there is no sg_gone' 'there is no file gone.c or gone.h' 'there is no file lost.c or lost.h'; do
        case $found in *"$want"*) ;; *) echo "not found: $want in:"; echo "$found"; exit 1 ;; esac
    done
    exit 0
fi

cd "$1" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
check_tree
