# A predefined component computes its states from a memory of its own. Two of them in parallel are
# over-determined (thesis 10.1.4), and one in parallel to a state of the equations would have to be
# differentiated: both are refused, saying why.
sed '/^Circuit = Model/,$d' "$SG_SOURCE_DIR/examples/thesis/predefined_capacitor.jl" >head.jl
cat >parallel.txt <<'END'
Parallel = Model(
    V = ConstantVoltage | Map(V = 10.0),
    R = Resistor | Map(R = 0.5),
    C1 = HiddenCapacitor,
    C2 = Second,
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, C1.p, C2.p)
        (C1.n, C2.n, V.n, ground.p)
    ]
)
parallel = @instantiateModel(Parallel, unitless = true)
simulate!(parallel, stopTime = 1.0, tolerance = 1e-9)
END
(cat head.jl; echo 'Second = HiddenCapacitor'; cat parallel.txt; echo end) >two.jl
status 2 "$SEGUE" run two.jl
has err 'error[E0612]'
has err 'C1.p.v - C1.n.v = capacitorVoltage(C1.memory)'
has err 'note: C1, C2 are predefined components: each computes its states by itself'

(cat head.jl; echo 'Second = Capacitor'; cat parallel.txt; echo end) >one.jl
status 2 "$SEGUE" run one.jl
has err 'one.jl:28:13: error[E0613]'
has err "'openCapacitor!' is a function of a predefined component"

# With a resistor between them each keeps its state: the sum of both charges is that of the closed
# form for equal halves.
(cat head.jl; echo 'Second = HiddenCapacitor'
 sed 's/(R.n, C1.p, C2.p)/(R.n, R1.p, R2.p)\n        (R1.n, C1.p)\n        (R2.n, C2.p)/
      s/^    ground = Ground,/    R1 = Resistor | Map(R = 1.0), R2 = Resistor | Map(R = 1.0),\n&/' parallel.txt
 echo '@test isapprox(getLastValue(parallel, "C1.v", unit = false), 10*(1 - exp(-1/2)), rtol = 1e-6)'
 echo '@test isapprox(getLastValue(parallel, "C2.v", unit = false), 10*(1 - exp(-1/2)), rtol = 1e-6)'
 echo end) >between.jl
status 0 "$SEGUE" run between.jl

# The same for der of what such a component gives.
(cat head.jl
 cat <<'END'
Rate = Model(
    V = ConstantVoltage | Map(V = 10.0), R = Resistor | Map(R = 0.5), C = HiddenCapacitor, ground = Ground,
    equations = :[rate = der(capacitorVoltage(openCapacitor!(instantiatedModel, "C")))],
    connect = :[(V.p, R.p); (R.n, C.p); (C.n, V.n, ground.p)]
)
rate = @instantiateModel(Rate, unitless = true)
END
 echo end) >rate.jl
status 2 "$SEGUE" run rate.jl
has err 'the derivative of something in it is not known'
