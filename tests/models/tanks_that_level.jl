# Two tanks that come to one level in a finite time, by Torricelli's law: the sign of the difference is all that is left then, and it
# neither slides nor dies away. They ended at 0.21 and 0.79 instead of 0.5: each switch let the next one swing twice as far.
module TanksThatLevel

using Modia
using Test

Two = Model(a = Var(init = 1.0), b = Var(init = 0.0), equations = :[
    f = sign(a - b)*sqrt(abs(a - b)); der(a) = -f; der(b) = f])
two = @instantiateModel(Two, unitless = true)
for s in [CVODE_BDF(), IDA(), Rodas5()]
    simulate!(two, s, stopTime = 6.0, tolerance = 1e-6)
    @test abs(getLastValue(two, "a") - 0.5) < 1e-5
    simulate!(two, s, stopTime = 0.5, tolerance = 1e-6)
    @test abs(getLastValue(two, "a") - 0.625) < 1e-4
end

end
