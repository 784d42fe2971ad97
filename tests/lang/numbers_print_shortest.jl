# Floating-point numbers print with the fewest digits that read back, always with a point.
println(1.0)          # expect: 1.0
println(0.1 + 0.2)    # expect: 0.30000000000000004
println(1/3)          # expect: 0.3333333333333333
println(100000.0)     # expect: 100000.0
println(999999.0)     # expect: 999999.0
println(1000000.0)    # expect: 1.0e6
println(1.5e6)        # expect: 1.5e6
println(1.0e-4)       # expect: 0.0001
println(1.0e-5)       # expect: 1.0e-5
println(5.84e5)       # expect: 584000.0
println(-0.0)         # expect: -0.0
println(1.0E-2)       # expect: 0.01
println(1/0.0)        # expect: Inf
println(-1/0.0)       # expect: -Inf
println(0/0.0)        # expect: NaN
println(6.02214076e23) # expect: 6.02214076e23
println(9007199254740993) # expect: 9007199254740993
println(-7)           # expect: -7
println(true, " ", false) # expect: true false
println(2.0^0.5)      # expect: 1.4142135623730951
