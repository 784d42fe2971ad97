# The error of a front does not vanish among thousands of states that rest: the same rod, however long,
# has the same end temperature to a few tolerances. The reference is e^{-2t} I_k(2t) summed over the images of a
# rod that begins at a wall of temperature 1: T_1 = 1 - e^{-2t} (I_0(2t) + I_1(2t)).
module LongRods

using Modia, Test

Rod = Model(
    n = 100,
    T = Var(init = zeros(100)),
    equations = :[der(T) = [1.0 - 2*T[1] + T[2]; T[1:n-2] - 2*T[2:n-1] + T[3:n]; T[n-1] - T[n]]]
)

# The Bessel functions by their series.
bessel(k, x) = sum([(x/2)^(2*m + k)/(factorial(m)*factorial(m + k)) for m in 0:15])
right = 1 - exp(-2.0)*(bessel(0, 2.0) + bessel(1, 2.0))

for n in [50, 400, 3000, 12000], tolerance in [1e-4, 1e-6, 1e-8]
    rod = @instantiateModel(Rod | Map(n = n, T = Var(init = zeros(n))), unitless = true)
    simulate!(rod, stopTime = 1.0, tolerance = tolerance)
    @test abs(getLastValue(rod, "T")[1] - right) < 20*tolerance
end

end
