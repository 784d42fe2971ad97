# Tests go on after a failure, which is reported with both sides.
@testset "numbers" begin
    @test 1 + 1 == 2
    @test 1.0 ≈ 1.05 atol = 0.1
    @test_throws BoundsError [1][2]
    @test_skip error("not evaluated")
    @test_broken 1 == 2
end
# expect: Test Summary: numbers | Pass 3  Broken 2  Total 5
@test 1 == 2   # expect error E0312
println("on")  # expect: on
