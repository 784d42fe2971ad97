# Functions of the package asked the output for their session, and sprint puts another output in
# place: what they noted went into a buffer of text. A row of a path without motion is such a note.
cat > still.jl <<'END'
using Modia
made = []
function path(io)
    push!(made, PTP_path(["a"], positions = [0.0; 1.0; 1.0; 2.0;;], v_max = [1.0], a_max = [1.0]))
    print(io, "a path")
end
@test sprint(path) == "a path"
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 0.1)
END
status 0 "$SEGUE" run --compat path-rows still.jl
has err "a row of a path without motion ends at time 0"
lacks err "error"

# The value of a run that a check does not make is counted by the session.
cat > unknown.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
text = sprint(io -> print(io, simulate!(m, stopTime = 0.1)))
println(text)
END
status 0 "$SEGUE" check unknown.jl
status 0 "$SEGUE" run unknown.jl
