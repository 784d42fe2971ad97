# A model written by a program: one call with thousands of keys, in their order; an RC ladder of them
# runs, and its equations keep their texts in messages.
awk 'BEGIN {
    print "using Modia\nBig = Model("
    for (i = 1; i <= 12000; i++)
        printf "    k%d = %d.5,\n", i, i
    print ")\nprintln(length(keys(Big)), \" \", Big[:k1], \" \", Big[:k12000])"
    print "println(collect(keys(Big))[end])"
}' > keys.jl
status 0 within 60 "$SEGUE" run keys.jl
has out "12000 1.5 12000.5"
has out "k12000"

awk -v n=3000 'BEGIN {
    print "using Modia\ninclude(\"$(Modia.modelsPath)/Electric.jl\")"
    print "Ladder = Model(V = ConstantVoltage | Map(V = 10.0u\"V\"), ground = Ground,"
    for (i = 1; i <= n; i++)
        printf "    R%d = Resistor | Map(R = 1.0u\"Ω\"), C%d = Capacitor | Map(C = 1.0u\"F\"),\n", i, i
    print "    broken = Var(start = 1.0),\n    equations = :[broken^2 = -1.0],"
    print "    connect = :[\n    (V.p, R1.p)"
    for (i = 1; i < n; i++)
        printf "    (R%d.n, C%d.p, R%d.p)\n", i, i, i + 1
    printf "    (R%d.n, C%d.p)\n    (V.n, ground.p", n, n
    for (i = 1; i <= n; i++)
        printf ", C%d.n", i
    print ")\n])\nladder = @instantiateModel(Ladder)\nsimulate!(ladder, stopTime = 1.0)"
}' > ladder.jl
status 3 within 60 "$SEGUE" run ladder.jl
has err "broken^2 = -1.0"
