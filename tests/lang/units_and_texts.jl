# A text, a symbol or nothing is never equal to a quantity; comparing them ends.
println("minute" == 60.0u"s")                 # expect: false
println(["a"] == [1.0u"m"])                   # expect: false
println(:a == 1u"m", nothing != 1u"m")        # expect: falsetrue
println(1.0u"m" == 100u"cm", 1u"m" == 1)      # expect: truefalse
