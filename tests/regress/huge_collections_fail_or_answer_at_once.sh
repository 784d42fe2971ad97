# They used to walk along the whole range, deaf to interruptions, or to fill the memory first.
status 6 within 5 "$SEGUE" run -e 'x = repeat([1], 10^14)'
has err "more memory"
status 6 within 5 "$SEGUE" run -e 'x = [(1:10^15)...]'
has err "more memory"
status 6 within 5 "$SEGUE" run -e 'f(x...) = 1
f((1:10^15)...)'
status 0 within 5 "$SEGUE" run -e 'println(sum(1:10^18), 3 in 1:10^18, repeat([], 10^17))'
status 6 within 10 "$SEGUE" run --max-cpu-time 0.5 -e 'findfirst(x -> false, 1:10^15)'
has err "of CPU time"
