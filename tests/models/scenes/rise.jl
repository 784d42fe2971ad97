# The most that something rises over its least value so far.
function rise(x)
    least, most = x[1], 0.0
    for value in x
        least = min(least, value)
        most = max(most, value - least)
    end
    return most
end
