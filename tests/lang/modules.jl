# Modules have names of their own.
module A
    x = 1
    f() = x + 1
    module B
        y = 5
    end
end
x = 10
println(A.x, A.f(), A.B.y, x)     # expect: 12510
using .A
println(f())                      # expect: 2
import .A: x as ax
println(ax)                       # expect: 1
println(A.zz)                     # expect error E0301
