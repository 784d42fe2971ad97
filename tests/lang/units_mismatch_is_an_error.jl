using Modia
x = 1.0u"m" + 2.0u"s" # expect error E0401
