name = "tank"
n = 3
println("a $name with $n valves")            # expect: a tank with 3 valves
println("sum: $(n + 1), $(name * "s")")      # expect: sum: 4, tanks
println("price: \$5, tab:\there, quote: \"") # expect: price: $5, tab:	here, quote: "
println("ab" * "cd")                         # expect: abcd
println("ab"^3)                              # expect: ababab
println(string("x = ", 1.5, ", ", true))     # expect: x = 1.5, true
println(length("Ωm"))                        # expect: 2
println(uppercase("abc"), lowercase("DEF"))  # expect: ABCdef
println(join(["a", "b", "c"], ", "))         # expect: a, b, c
println(split("a,b,c", ",")[2], length(split("a b c"))) # expect: b3
println(strip("  x "), "|")                  # expect: x|
println(replace("a.b.c", "." => "/"))        # expect: a/b/c
println(startswith("model", "mo"), endswith("model", "x")) # expect: truefalse
println(occursin("de", "model"))             # expect: true
println("b" > "a", "a" == "a")               # expect: truetrue
println(repr("a\n"))                         # expect: "a\n"
println("a\\b")                              # expect: a\b
println(joinpath("a", "b/c", "d.jl"))        # expect: a/b/c/d.jl
println("first\nsecond")                     # expect: first
# expect: second
text = """
    indented
      more
    """
print(text)
# expect: indented
# expect:   more
