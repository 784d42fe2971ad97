# A square grid of pipes between nodes (1, 1), where one unit comes in, and (n, n), where it leaves at pressure 0.
at(name, i, j) = Symbol(name, i, "_", j)

function nodesOf(n)
    equations = []
    for i in 1:n, j in 1:n
        out = i == 1 && j == 1 ? :(-1.0) : :(0.0)
        if i < n; out = :($out + $(at("d", i, j))) end
        if j < n; out = :($out + $(at("r", i, j))) end
        if i > 1; out = :($out - $(at("d", i - 1, j))) end
        if j > 1; out = :($out - $(at("r", i, j - 1))) end
        push!(equations, i == n && j == n ? :($(at("p", i, j)) = 0.0) : :($out = 0.0))
    end
    return equations
end

# By pipe: pressure drop = q |q|^power, or, `alternate`, with every third pipe counted the other way around.
function pipeGrid(n, power, start, alternate)
    equations = nodesOf(n)
    variables = []
    for i in 1:n, j in 1:n
        for (name, di, dj) in [("d", 1, 0), ("r", 0, 1)]
            if i + di <= n && j + dj <= n
                q = at(name, i, j)
                push!(equations, :($(at("p", i, j)) - $(at("p", i + di, j + dj)) = $q*abs($q)^power))
                push!(variables, q => Var(start = alternate && (i + 2*j) % 3 == 0 ? -start : start))
            end
        end
    end
    return Model(; power = power, equations = Expr(:vcat, equations...), variables...)
end

function rootGrid(n)
    equations = nodesOf(n)
    for i in 1:n, j in 1:n
        for (name, di, dj) in [("d", 1, 0), ("r", 0, 1)]
            if i + di <= n && j + dj <= n
                drop = :($(at("p", i, j)) - $(at("p", i + di, j + dj)))
                push!(equations, :($(at(name, i, j)) = sign($drop)*sqrt(abs($drop))))
            end
        end
    end
    return Model(equations = Expr(:vcat, equations...))
end
