# A failing @test sets the exit status and the script goes on.
using Test
@test 1 + 1 == 2
# expect: Test Summary: arithmetic | Pass 2  Total 2
@testset "arithmetic" begin
    @test 2*2 == 4
    @test isapprox(0.1 + 0.2, 0.3)
end
@test_throws ErrorException error("x")
@test_skip 1 == 2
println("done") # expect: done
