# Where nothing but gravity acts the sums of a balance stay zero, and IDA needs no evaluations for them: as many with a balance
# as without, but for what two more states change in its norms. A damper, which takes energy, is accounted for.
example=$SG_SOURCE_DIR/examples/loops/fourbars.jl
sed -e 's/^N = 5/N = 20/' -e 's/Tsit5(), stopTime = 20.0/IDA(), stopTime = 2.0, log = true/' -e 's/1e-8)/1e-6)/' \
    -e '/^plot/d' -e '/^@test/d' -e '/^energy/d' "$example" >with.jl
sed 's/, balance = true//' with.jl >without.jl
for run in with without; do
    status 0 "$SEGUE" run $run.jl
    eval "$run=$(awk '/nf_total/ { print $3 }' out)"
done
test "$((20 * with))" -lt "$((21 * without))" || fail "$with evaluations with a balance, $without without"

sed -e 's/^    return m/    m[:damper] = SpringDamperPtP(obj1 = :world, obj2 = :top1, springForceLaw = 5.0, damperForceLaw = 0.5)\n    return m/' \
    -e 's/log = true/log = false/' with.jl >damped.jl
cat >>damped.jl <<'TEXT'
lost = getValues(fourbars, "balance.dissipatedEnergy")
whole = getValues(fourbars, "balance.totalEnergy")
left = maximum(abs.(whole .+ lost .- whole[1]))/maximum(getValues(fourbars, "balance.kineticEnergy"))
println("lost ", lost[end], " left ", left)
TEXT
status 0 "$SEGUE" run -q damped.jl
grep '^lost' out | awk '{ exit !($2 > 5 && $4 < 1e-4) }' || fail "$(cat out)"
