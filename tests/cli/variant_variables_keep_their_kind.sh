# What a predefined component defines for itself may change its length from segment to segment, not
# its number of dimensions or its unit (thesis 10.1.3). The message names the variable, the segment's
# time and the line that defines it; the results up to there are kept.
cat >head.jl <<'END'
using Modia
using Test
mutable struct Memory
    index
    w
    count
    Memory() = new(0, 0, 0)
end
build!(model, modelModule, FloatType, TimeType, options, ID, path) = (model | Model(
    done = Var(hideResult = true), equations = :[done = step!(instantiatedModel, $ID, time)]), Memory())
function init!(m, path, ID, parameters; log = false)
    memory = Modia.get_instantiatedSubmodel(m, ID)
    memory.count = Modia.isFirstInitialOfAllSegments(m) ? 1 : memory.count + 1
    define!(m, path, memory, memory.count)
    return nothing
end
function step!(m, ID, time)
    memory = Modia.get_instantiatedSubmodel(m, ID)
    derive!(m, memory)
    if Modia.isEvent(m)
        if time >= 0.5*memory.count && !Modia.isInitial(m)
            Modia.setFullRestartEvent!(m)
        else
            Modia.setNextEvent!(m, 0.5*memory.count)
        end
    end
    return 1.0
end
END
cat >tail.jl <<'END'
Parts = Model(_buildFunction = Par(functionName = :(build!)), _initSegmentFunction = Par(functionName = :(init!)))
M = Model(c = Parts, y = Var(init = 1.0), equations = :[der(y) = -y])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.9, tolerance = 1e-9)
END
# Lengths 1, 2, 0, 3: no error, and gaps where the variable is shorter.
(cat head.jl; cat <<'END'; cat tail.jl; cat <<'END2') >length.jl
lengths = [1, 2, 0, 3, 3]
define!(m, path, memory, k) = (memory.index = Modia.new_x_segmented_variable!(m, path * ".x", path * ".der(x)", fill(1.0*k, lengths[k]), "m"))
function derive!(m, memory)
    x = zeros(lengths[memory.count])
    Modia.copy_Vector_x_segmented_value_from_state(m, memory.index, x)
    Modia.copy_der_x_segmented_value_to_state(m, memory.index, -x)
end
END
x = getValues(m, "c.x", unit = false)
t = getValues(m, "time", unit = false)
@test size(x, 2) == 3
for i in 1:length(t)
    if t[i] > 0.01 && t[i] < 0.49
        @test isapprox(x[i,1], exp(-t[i]), atol = 1e-6) && ismissing(x[i,2])
    elseif t[i] > 0.51 && t[i] < 0.99
        @test isapprox(x[i,2], 2*exp(0.5 - t[i]), atol = 1e-6) && ismissing(x[i,3])
    elseif t[i] > 1.01 && t[i] < 1.49
        @test ismissing(x[i,1])
    elseif t[i] > 1.51
        @test isapprox(x[i,3], 4*exp(1.5 - t[i]), atol = 1e-6)
    end
end
@test isapprox(getLastValue(m, "y"), exp(-1.9), rtol = 1e-7)
END2
status 0 "$SEGUE" run --json length.jl
has out '"nSegments":4'
has out '"nTranslations":1'

# A number that becomes a vector, and a vector that becomes a number; also of a local variable.
(cat head.jl; cat <<'END'; cat tail.jl) >rank.jl
define!(m, path, memory, k) = (memory.index = Modia.new_x_segmented_variable!(m, path * ".x", path * ".der(x)", k == 1 ? 1.0 : [1.0, 2.0]))
derive!(m, memory) = Modia.copy_der_x_segmented_value_to_state(m, memory.index, memory.count == 1 ? 0.0 : [0.0, 0.0])
END
status 2 "$SEGUE" run -o kept rank.jl
has err "rank.jl:29:"
has err "error[E0710]: variable 'c.x' was a number in an earlier segment and is a vector now"
status 0 "$SEGUE" info kept/M.segue
has out '0 to 0.5 s'
sed 's/k == 1 ? 1.0 : \[1.0, 2.0\]/k > 1 ? 1.0 : [1.0, 2.0]/; s/memory.count == 1 ?/memory.count > 1 ?/' rank.jl >back.jl
status 2 "$SEGUE" run back.jl
has err "was a vector in an earlier segment and is a number now"
(cat head.jl; cat <<'END'; cat tail.jl) >local.jl
define!(m, path, memory, k) = (memory.w = Modia.new_w_segmented_variable!(m, path * ".w", k < 3 ? 1.0 : [1.0], "m"))
derive!(m, memory) = nothing
END
status 2 "$SEGUE" run local.jl
has err "error[E0710]: variable 'c.w' was a number in an earlier segment"

# Another unit; a matrix.
sed 's/k < 3 ? 1.0 : \[1.0\], "m"/1.0, k < 3 ? "m" : "s"/' local.jl >unit.jl
status 2 "$SEGUE" run unit.jl
has err "variable 'c.w' had the unit 'm' in an earlier segment and has 's' now"
sed 's/k < 3 ? 1.0 : \[1.0\]/[1.0 2.0; 3.0 4.0]/' local.jl >matrix.jl
status 2 "$SEGUE" run matrix.jl
has err "variable 'c.w' must be a number or a vector, not a matrix"

# Every run begins anew: what was a number in the last one may be a vector in this one.
(cat head.jl; cat <<'END'; cat tail.jl; echo 'kind[1] = 1'; echo 'simulate!(m, stopTime = 0.2)'; echo '@test getLastValue(m, "c.w", unit = false) == [1.0]') >again.jl
kind = [0]
define!(m, path, memory, k) = (memory.w = Modia.new_w_segmented_variable!(m, path * ".w", kind[1] == 0 ? 1.0 : [1.0]))
derive!(m, memory) = nothing
END
status 0 "$SEGUE" run again.jl
