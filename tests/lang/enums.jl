# Enumerations are ordered and comparable.
@enum Phase idle=1 running done=10
println(idle, " ", running > idle, " ", Int(running), " ", Int(done), " ", typeof(idle), " ", idle == done)   # expect: idle true 2 10 Phase false
