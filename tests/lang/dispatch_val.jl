# Val(b) carries a value into the choice of a method; Type{T} carries a type.
mode(::Val{true}) = "on"
mode(::Val{false}) = "off"
mode(::Type{Float64}) = "double"
mode(::Type{T}) where {T} = "other"
println(mode(Val(true)), " ", mode(Val(2 > 3)), " ", mode(Float64), " ", mode(Int))  # expect: on off double other
