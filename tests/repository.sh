#!/bin/sh
# What must hold of the committed files themselves: no paths of one machine, no names of package
# hosts, a README in every source folder, no file of the source over 800 lines, nothing that a build or a person left behind.
#   repository.sh ROOT
#   repository.sh --self SCRATCH: leftovers in the root are found
set -u

# Everything in the root has a purpose that is known here. Reads names, one a line.
leftovers() {
    grep -vxE '\.(ci|clang-format|clang-tidy|gitattributes|github|gitignore|npmrc)|CMakeLists\.txt|CMakePresets\.json|(CHANGELOG|CONTRIBUTING|README)\.md|LICENSE|Makefile|package(-lock)?\.json|bench|cmake|docs|examples|fuzz|include|library|python|src|tests|tools|web'
}

# Names in the root that are committed or would be by `git add`.
root_names() { git ls-files --cached --others --exclude-standard | cut -d/ -f1 | sort -u; }

if [ "$1" = --self ]; then
    rm -rf "$2" && mkdir -p "$2" && cd "$2" && git init -q . || exit 1
    mkdir src && touch README.md Makefile src/a.c ignored.log
    echo '*.log' >.gitignore
    [ -z "$(root_names | leftovers)" ] || { echo "refused: $(root_names | leftovers)"; exit 1; }
    touch err out
    [ "$(root_names | leftovers | tr '\n' ' ')" = 'err out ' ] || { echo "not found: err, out"; exit 1; }
    exit 0
fi

cd "$1" || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || { echo "not a git checkout"; exit 77; }
failed=0

fail() {
    echo "$1"
    failed=1
}

# The patterns are put together from pieces so that this file does not find itself.
found=$(git grep -nE '(^|[^A-Za-z0-9_.])/(ho''me|ro''ot|t''mp|wo''rk)/' -- ':!*.lock' | head -n 10)
[ -z "$found" ] || fail "paths of one machine:
$found"

found=$(git grep -niE 'regist''ry\.npm|npm''js\.|deb\.deb''ian|security\.deb''ian|py''pi\.org' | head -n 10)
[ -z "$found" ] || fail "names of package hosts:
$found"

if [ -f package-lock.json ] && grep -q '"resolved"' package-lock.json; then
    fail 'package-lock.json names download addresses; npm install --omit-lockfile-registry-resolved'
fi

for folder in src/*/ include/segue/ library/ examples/ tests/ bench/ fuzz/ docs/ tools/; do
    [ -n "$(git ls-files "$folder" | head -n 1)" ] || continue
    [ -f "${folder}README.md" ] || fail "no README.md in $folder"
done

# Pages that a header or another page sends the reader to.
for page in $(git grep -ohE 'docs/[a-z0-9_/-]+\.md' -- src include docs README.md CONTRIBUTING.md | sort -u); do
    [ -f "$page" ] || fail "named but not there: $page"
done

for page in $(git ls-files 'docs/*.md'); do
    case $page in docs/guide/*.md | docs/reference/*.md) # named by the README of their folder
        case $page in */README.md) ;; *) grep -q "(${page##*/})" "${page%/*}/README.md" || fail "not in ${page%/*}/README.md: $page"; continue ;; esac ;;
    esac
    [ "$page" = docs/README.md ] || grep -q "\`${page#docs/}\`" docs/README.md || fail "not in docs/README.md: $page"
done

# A file has one idea; one over 800 lines has two.
for file in $(git ls-files 'src/*.[ch]' 'include/*.h' | grep -v '_test\.c$'); do
    lines=$(wc -l <"$file")
    [ "$lines" -le 800 ] || fail "$lines lines, more than 800: $file"
done

# A number of a diagnostic means one thing.
found=$(grep -oE '^SG_CODE\([A-Z0-9_]+, [0-9]+' include/segue/diag_codes.h | sed 's/.*, //' | sort | uniq -d)
[ -z "$found" ] || fail "numbers given twice in diag_codes.h: $found"

# Files that a page names by their path.
for path in $(git grep -ohE '`(src|library|examples|tests|tools|include|fuzz|bench|cmake)/[A-Za-z0-9_./-]+\.[a-z]+`' -- '*.md' | tr -d '`' | sort -u); do
    [ -f "$path" ] || fail "named in a page but not there: $path"
done
names=$(git grep -ohE '\bsg_[a-z0-9_]+' -- src include | sort -u)
for name in $(git grep -ohE '`sg_[a-z0-9_]+`' -- 'docs/*.md' | tr -d '`' | sort -u); do
    echo "$names" | grep -qx "$name" || fail "named in a page but not in the source: $name"
done
for example in $(git ls-files 'examples/*/*.jl' 'examples/*/*.c' | grep -v '/parts/'); do
    grep -q "\`${example#examples/}\`" examples/README.md || fail "not in examples/README.md: $example"
done

found=$(root_names | leftovers)
[ -z "$found" ] || fail "in the root without a purpose that tests/repository.sh knows:
$found"

found=$(git ls-files | grep -E '(\.o|\.a|\.so|\.orig|\.rej|~)$|^build|/CMakeCache.txt$|^node_modules/')
[ -z "$found" ] || fail "left over from a build:
$found"

exit $failed
