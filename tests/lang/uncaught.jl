# An error that nothing catches ends the file and is reported where it arose.
inner(x) = x + notDefined     # expect error E0301
outer(x) = inner(x)
println("before")             # expect: before
outer(1)
println("never")
