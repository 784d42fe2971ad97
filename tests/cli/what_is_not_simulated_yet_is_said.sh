# What older papers wrote and Segue does not read says so, with the way it is written now.
# 3D models as the first papers wrote them.
printf 'using Modia3D\n@assembly Bar(; L = 1.0) begin\n    frame = Object3D(r = [L, 0.0, 0.0])\nend\n' > old.jl
status 2 "$SEGUE" run old.jl
has err "old.jl:2:1: error[E0301]: there is no macro '@assembly'"
has err "note: write Name(; parameters...) = Model(obj = Object3D(...), ...)"
