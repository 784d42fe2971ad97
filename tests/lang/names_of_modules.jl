# names lists what a module defines; helpers that begin with '_' only on request.
module Listed
    seen(x) = x
    _hidden = 1
end
println(names(Listed), " ", :_hidden in names(Listed, all = true))
# expect: [:seen] true
