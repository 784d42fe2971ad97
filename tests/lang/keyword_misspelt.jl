# A misspelt keyword names the one that is meant.
f(; stopTime = 1.0, tolerance = 1e-4) = stopTime
f(stoptime = 2.0)   # expect error E0310
