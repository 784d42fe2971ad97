# Where Julia has an error, a number would be wrong: conversions, parse, quotients, and what they are
# part of. What fits is what it was.
using Test

@test_throws ArgumentError parse(Int, "99999999999999999999")
@test_throws ArgumentError parse(Int, "9223372036854775808")
@test_throws ArgumentError parse(Int, "-9223372036854775809")
@test_throws ArgumentError parse(Int32, "2147483648")
@test_throws ArgumentError parse(UInt64, "-1")
@test_throws ArgumentError parse(Int, "")
@test_throws ArgumentError parse(Int, "-")
@test_throws ArgumentError parse(Int, "0x")
@test_throws ArgumentError parse(Int, "1_000")
@test_throws ArgumentError parse(Int, "1.5")
@test_throws ArgumentError parse(Int, "12", base = 2)
@test_throws ArgumentError parse(Int, "12", base = 99)
@test_throws ArgumentError parse(Float64, "abc")
@test tryparse(Int, "99999999999999999999") === nothing
@test parse(Int, "9223372036854775807") == typemax(Int)
@test parse(Int, "-9223372036854775808") == typemin(Int)
@test parse(Int, "+5") == 5 && parse(Int, " 12 ") == 12
@test parse(Int, "0x1f") == 31 && parse(Int, "-0b101") == -5 && parse(Int, "0o17") == 15
@test parse(Int, "ff", base = 16) == 255 && parse(Int, "FF", base = 16) == 255
@test parse(Int, "zZ", base = 62) == 61*62 + 35
@test parse(Int, "10", base = 2) == 2
@test parse(Int32, "2147483647") == 2147483647

@test_throws InexactError Int32(2^40)
@test_throws InexactError Int32(2147483648)
@test_throws InexactError Int32(-2147483649)
@test_throws InexactError Int32(1e10)
@test_throws InexactError Int32(1.5)
@test_throws InexactError UInt64(-1)
@test_throws InexactError UInt(-1)
@test_throws InexactError Int(1.5)
@test_throws InexactError Int64(1e19)
@test_throws InexactError Int(NaN)
@test_throws InexactError Int(Inf)
@test_throws InexactError Bool(2)
@test_throws InexactError Char(-1)
@test_throws InexactError Char(1114112)
@test_throws InexactError convert(Int32, 2^40)
@test_throws InexactError convert(UInt64, -1)
@test_throws InexactError convert(Int, 1.5)
@test_throws InexactError Int32[1, 2^40]
@test_throws InexactError Vector{Int32}([2^40])
@test_throws InexactError convert(Vector{Int32}, [2^40])
@test_throws InexactError Int32.([1, 2^40])
@test_throws InexactError round(Int32, 1e10)
@test_throws InexactError floor(UInt64, -0.5)
@test_throws InexactError round(Int, 1e19)

struct Narrow
    n::Int32
end
@test_throws InexactError Narrow(2^40)
@test Narrow(7).n == 7
mutable struct Slot
    n::Int32
end
slot = Slot(1)
@test_throws InexactError slot.n = 2^40
@test slot.n == 1
function typed(x)
    y::Int32 = x
    return y
end
@test_throws InexactError typed(2^40)
@test typed(3) == 3

@test Int32(5) == 5 && Int32(2147483647) == 2^31 - 1 && Int32(-2147483648) == -2^31
@test Int32(true) == 1 && UInt64(0) == 0 && UInt(5) == 5
@test Int(-9.223372036854775808e18) == typemin(Int)
@test Int32[1, 2] == [1, 2] && zeros(Int32, 2) == [0, 0] && eltype(zeros(Int32, 2)) == Int64
@test typemax(Int32) == 2147483647 && typemin(Int32) == -2147483648 && typemin(UInt64) == 0
@test round(Int32, 2.5) == 2 && trunc(UInt64, 3.9) == 3
@test Int32 <: Integer && UInt64 <: Integer && 5 isa Int32
add(x::Int32) = x + 1
@test add(Int32(1)) == 2
sumOf(x::Vector{Int32}) = sum(x)
@test sumOf(Int32[1, 2]) == 3
widest(x::Union{Int32, Nothing}) = x === nothing ? 0 : x
@test widest(Int32(4)) == 4 && widest(nothing) == 0

@test_throws DivideError div(typemin(Int), -1)
@test_throws DivideError typemin(Int) ÷ -1
@test_throws DivideError fld(typemin(Int), -1)
@test_throws DivideError cld(typemin(Int), -1)
@test_throws DivideError divrem(typemin(Int), -1)
@test_throws DivideError typemin(Int) // -1
@test_throws DivideError div(1, 0)
@test rem(typemin(Int), -1) == 0 && mod(typemin(Int), -1) == 0 && typemin(Int) % -1 == 0
@test abs(typemin(Int)) == typemin(Int) && div(typemin(Int), 1) == typemin(Int)
@test_throws OverflowError lcm(2^40, 2^41 + 1)
@test_throws OverflowError gcd(typemin(Int), 0)
@test gcd(typemin(Int), 6) == 2 && lcm(4, 6) == 12 && lcm(-4, 6) == 12 && gcd(0, 0) == 0
@test 4 << -1 == 2 && 4 >> -1 == 8 && 1 << 64 == 0 && -1 >> 70 == -1 && 1 << 62 == 2^62
