# Two plates that spin while they bounce for the last times, 1e-7 m high: the rate of an anchor jumped where nothing pressed any more, and from
# 1e-10 on steps ended in front of that, shorter than places can show.
for tol in 1e-9 1e-10 1e-11; do
    status 0 "$SEGUE" run -q --tol $tol --max-cpu-time 30 --log statistics -o out.$tol "$SG_SOURCE_DIR/examples/contact/spinning_plates.jl"
    awk '/nAcceptedSteps/ { n = $3 } END { exit !(n > 1000 && n < 20000) }' out err || fail "$(grep -h nAcceptedSteps out err) at $tol"
done
