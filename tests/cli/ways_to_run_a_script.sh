printf 'println("from a file")\n' >a.jl
status 0 "$SEGUE" run a.jl
has out 'from a file'
status 0 "$SEGUE" a.jl
has out 'from a file'
status 0 "$SEGUE" run -e 'println("from the", " command")'
has out 'from the command'
printf 'println("from a pipe")\n' | "$SEGUE" run - >out 2>err || fail "reading standard input: $(cat err)"
has out 'from a pipe'
printf 'println("another")\n' >b.jl
status 0 "$SEGUE" run a.jl b.jl
has out 'from a file'
has out another
status 1 "$SEGUE" run -e 'println(1)' -e 'println(2)'
has err 'given once'
