# A function of the script called getVelocity does not get into the derivative of a position on a path.
using Modia, Test
getVelocity(x) = 3.0*x
path = PTP_path(["a"], positions = [0.0; 1.0;;], v_max = [1.0], a_max = [2.0])
place(t) = getPosition(path, 1, t)
Follow = Model(w = Var(), equations = :[x = place(time); w = der(x); a = der(w)])
follow = @instantiateModel(Follow, unitless = true)
simulate!(follow, stopTime = 0.4)
@test abs(getLastValue(follow, "w") - 0.8) < 1e-12 && getLastValue(follow, "a") == 2.0
println(getVelocity(1.0))     # expect: 3.0
