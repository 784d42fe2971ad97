# Rectifiers of an inductor and a bare exponential diode, whose blocked voltage no current tells: IDA finds both together. Currents are below
# their tolerances most of the time, and pulses are shorter than steps. Steps are looked into while unknowns are carried: nothing is missed.
near() { # near VALUE PART: the line "OUT value" of out
    awk -v want="$1" -v part="$2" '$1 == "OUT" { got = $2; n++ }
        END { d = got - want; exit !(n && (d < 0 ? -d : d) <= part*want) }' out ||
        fail "$solver, $tolerance: not $1: $(grep OUT out)"
}
run() { # run PARAMETERS STOP SOLVER TOLERANCE VALUE PART
    solver=$3 tolerance=$4
    cat > rectifier.jl <<END
using Modia
Rectifier = Model($1, il = Var(init = 0.0), uc = Var(init = 0.0), equations = :[
    us = A*sin(2*pi*F*time)
    L*der(il) = us - R*il - ud - uc
    il = Is*(exp(ud/Vt) - 1)
    C*der(uc) = il - uc/Rl])
rectifier = @instantiateModel(Rectifier, unitless = true)
simulate!(rectifier, $3(), stopTime = $2, tolerance = $4)
println("OUT ", getLastValue(rectifier, "uc"))
END
    status 0 within 60 "$SEGUE" run rectifier.jl
    lacks err "warning"
    near "$5" "$6"
}
# Values by the implicit Euler method with 200,000 and 400,000 steps, extrapolated.
mains="L = 1e-3, R = 10.0, C = 1e-4, Rl = 100.0, Is = 1e-12, Vt = 0.026, A = 10.0, F = 50.0"
fast="L = 1e-6, R = 1.0, C = 1e-6, Rl = 1000.0, Is = 1e-14, Vt = 0.026, A = 5.0, F = 10000.0"
large="L = 0.1, R = 100.0, C = 1e-6, Rl = 1e5, Is = 1e-9, Vt = 0.05, A = 300.0, F = 50.0"
for each in 1e-6:1e-5 1e-7:4e-6; do
    for s in CVODE_BDF KenCarp4 TRBDF2 Rodas5; do
        run "$mains" 0.1 $s ${each%:*} 2.10416115 ${each#*:}
    done
    for s in CVODE_BDF IDA KenCarp4 TRBDF2 Rodas5; do
        run "$fast" 0.0005 $s ${each%:*} 3.96433291 ${each#*:}
        run "$large" 0.1 $s ${each%:*} 265.2181 ${each#*:}
    done
done
