# It used to fill the memory for half a minute before the limit was noticed.
status 6 within 5 "$SEGUE" run -e 'x = [i for i in 1:10^15]'
has err "more memory"
