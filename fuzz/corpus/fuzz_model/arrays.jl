using Modia
n = 3
f(x; gain = 2.0) = gain*x^2
Sys = Model(A = [-1.0 0.2; 0.0 -2.0], x = Var(init = [1.0, 2.0]), z = Var(start = 0.5),
    equations = :[
        der(x) = A*x
        0 = z^3 + z - x[1]
        y = f(z, gain = 3.0)
        w = x[2] > 0.1 ? x'*x : 0.0
    ])
many = [Sys | Map(x = Var(init = [1.0*i, 0.0])) for i in 1:n]
for s in many
    m = @instantiateModel(s, unitless = true, logCode = false)
    simulate!(m, IDA(), stopTime = 0.3, interval = 0.1)
    showInfo(m)
end
