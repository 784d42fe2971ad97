# Each line of the list: a message within a second of CPU time (the machine may be busy), no crash.
SECONDS_ALLOWED=$SG_SLOWNESS

# refuse NAME TEXT: the program ends in time with a failure and a message that has the text
refuse() {
    (ulimit -t $SECONDS_ALLOWED; exec timeout 100 "$SEGUE" run "$1") >out 2>err </dev/null
    got=$?
    case $got in
    1 | 2 | 6) ;;
    *) fail "$1: exit status $got"; head -c 2000 err ;;
    esac
    [ -s err ] || fail "$1: no message"
    [ "$(wc -c <err)" -lt 100000 ] || fail "$1: the message has $(wc -c <err) bytes"
    head -c 100000 err | grep -qi -- "$2" || { fail "$1: the message lacks '$2'"; head -c 1000 err; }
}

repeat() { # text count
    awk -v t="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", t }'
}

printf 'x = "\377\376"\n' >utf8.jl
refuse utf8.jl 'UTF-8'
printf 'x = 1\0y = 2\n' >nul.jl
refuse nul.jl NUL
printf 'x = "abc\ny = 2\n' >string.jl
refuse string.jl 'string'
printf 'x = 1\n#= never closed\n' >comment.jl
refuse comment.jl 'comment'
{ printf 'x = '; repeat '1 + ' 2500000; printf ']\n'; } >long_line.jl
refuse long_line.jl 'long_line.jl:1:'
for open in '(' '[' 'f(' '-' '!' 'a[' '{' ':(' '"$(' 'if a;' 'begin ' 'x->' 'a?b:' 'a=' '@m(' '#=' 'f.(' '2^'; do
    repeat "$open" 1000000 >nested.jl
    refuse nested.jl 'nested.jl:1:'
done
printf 'f(x) = f(x + 1) + 1\nprintln(f(0))\n' >recursion.jl
refuse recursion.jl 'deep\|recursi\|overflow'
printf 'x = zeros(10^12)\n' >gigantic.jl
refuse gigantic.jl 'memory\|large\|limit'
printf 'x = fill(1.0, 10^10, 10^10)\n' >overflow.jl
refuse overflow.jl 'memory\|large\|limit\|overflow'
printf 'x = "ab"^(10^13)\n' >text.jl
refuse text.jl 'memory\|large\|limit'
printf 'x = collect(1:10^15)\n' >range.jl
refuse range.jl 'memory\|large\|limit'
printf 'include("nowhere.jl")\n' >include.jl
refuse include.jl 'nowhere.jl'
printf 'include("b.jl")\n' >a.jl
printf 'include("a.jl")\n' >b.jl
refuse a.jl 'include'
mkdir folder
printf 'include("folder")\n' >include_folder.jl
refuse include_folder.jl 'folder'
mkdir directory.jl
refuse directory.jl 'director\|folder'
printf 'include("/etc/passwd")\n' >outside.jl
refuse outside.jl '/etc/passwd'
: >empty.jl
status 0 "$SEGUE" run empty.jl
