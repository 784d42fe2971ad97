# A misspelt name.
stopTime = 3
println(stoptime)   # expect error E0301
