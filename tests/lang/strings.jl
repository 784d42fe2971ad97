# Interpolation, products, functions.
n = 3
println("n = $n, $(n + 1), \$n", "ab" * "cd", "ab"^2)                   # expect: n = 3, 4, $nabcdabab
println(uppercase("aé"), length("aé"), "abc"[2], "abc"[2:3], "abc"[end])  # expect: AÉ2bbcc
println(split("a,b", ","), join([1, 2], "-"), replace("aba", "a" => "x"), strip(" x "))   # expect: ["a", "b"]1-2xbxx
println(startswith("abc", "ab"), endswith("abc", "c"), occursin("b", "abc"), lpad(7, 3, "0"), rpad("a", 2), "|")   # expect: truetruetrue007a |
println(parse(Int, "42") + parse(Float64, "1e2"), string(1, "a", :b), repr("q\"q"))   # expect: 142.01ab"q\"q"
println("a" < "b", "a" == "a", 'x', collect("hé"))                      # expect: truetruex['h', 'é']
println(first("äöü", 2), " ", last("äöü", 2), " ", last("abc", 9), first("abc", 0))
# expect: äö öü abc
