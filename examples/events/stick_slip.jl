# A block on a moving belt, held back by a spring: dry friction lets it stick, slip and stick again.
#
# sign(v_belt - v) jumps. Where both sides of the jump lead to it the block moves with the belt: the run slides along the
# jump, and the friction force is what balances the spring.
using Modia

Block = Model(
    m = 1.0u"kg", k = 1.0u"N/m", v_belt = 0.3u"m/s",
    x = Var(init = 0.0u"m"), v = Var(init = 0.0u"m/s"),
    equations = :[
        der(x) = v
        friction = (1.0u"N" + 0.5u"N"*exp(-abs(v - v_belt)/1.0u"m/s"))*sign(v_belt - v)
        m*der(v) = -k*x + friction
        assert(abs(x) < 2.0u"m", "the spring is longer than it can be")])

block = @instantiateModel(Block)
simulate!(block, stopTime = 30.0, tolerance = 1e-8)
println("at the end: x = ", getLastValue(block, "x"), ", friction = ", getLastValue(block, "friction"))
