# Sourced by benches: an RC ladder with units as text.

ladder_text() { # pairs name: so many resistors and capacitors; a model literal holds 500 of each
    awk -v n="$1" -v name="$2" 'BEGIN {
        print "using Modia\ninclude(\"$(Modia.modelsPath)/Electric.jl\")"
        print name " = Model(V = ConstantVoltage | Map(V = 10.0u\"V\"), ground = Ground,"
        print "    first = :[(V.p, R1.p)], last = :[(V.n, ground.p)])"
        for (b = 1; b <= n; b += 500) {
            e = b + 499 < n ? b + 499 : n
            print name " = " name " | Model("
            for (i = b; i <= e; i++)
                printf "    R%d = Resistor | Map(R = 1.0u\"Ω\"), C%d = Capacitor | Map(C = 1.0u\"F\"," \
                       " v = Var(init = 0.0u\"V\")),\n", i, i
            printf "    connect%d = :[\n", b
            for (i = b; i <= e; i++)
                printf i < n ? "    (R%d.n, C%d.p, R%d.p)\n" : "    (R%d.n, C%d.p)\n", i, i, i + 1
            printf "    (ground.p"
            for (i = b; i <= e; i++)
                printf ", C%d.n", i
            print ")\n])"
        }
    }'
}
