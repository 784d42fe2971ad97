# Recursion works, and without end it is an error at once.
fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
println(fib(15))     # expect: 610
deep(n) = n == 0 ? 0 : 1 + deep(n - 1)
println(deep(5000))  # expect: 5000
f(x) = f(x + 1)      # expect error E0004
f(1)
