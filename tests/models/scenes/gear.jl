# Two inertias and an ideal gear, driven by a torque in steps (scenario A7).
using Modia

Gear = Model(
    J1 = 0.0025, J2 = 170.0, r = 105.0, tau_max = 1.0,
    phi2 = Var(init = 0.5), w2 = Var(init = 0.0),
    equations = :[
        phi1 = r*phi2
        tau = if time < 1; tau_max elseif time < 2; 0.0 elseif time < 3; -tau_max else 0.0 end
        w1 = der(phi1)
        w2 = der(phi2)
        J1*der(w1) = tau - tau1
        J2*der(w2) = tau2
        r*tau1 = tau2
    ]
)
# The same with init values that contradict the gear (scenario I4).
Contradicting = Gear | Map(phi1 = Var(init = 0.0), w1 = Var(init = 1.0))
