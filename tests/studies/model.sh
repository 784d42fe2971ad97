# The model of the studies by queues and ranks: some runs fail, and random numbers are drawn.
cat >osc.jl <<'EOF'
using Modia
Osc = Model(k = 1.0, d = 0.1, x = Var(init = 1.0), v = Var(init = 0.0), s = Var(start = 0.0),
    equations = :[
        c = Clock(0.5)
        s = sample(x, c) + 1e-3*rand()
        der(x) = v
        der(v) = -k*x - d*v + 0.1*hold(s, c) + (if k > 9.9; log(0.5 - time) else 0.0 end)
    ])
osc = @instantiateModel(Osc, unitless = true)
simulate!(osc, stopTime = 10.0, tolerance = 1e-6)
EOF
ask="--vary k=1:10:40 --vary d=uniform(0.05,0.2) --metric last(x) --metric peak=max(abs(v))"
