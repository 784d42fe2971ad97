// SG_RESPONSE(KIND, name, word, constants): what happens where two materials touch, by the name
// that palettes have for it and the word that results have for it. `constants` says which of a
// pair's numbers it takes: SG_BY_ELASTICITY (moduli, restitution, friction, rolling), SG_BY_SPRING
// (spring, damping, drilling, friction), or SG_BY_NOTHING, which presses nobody. One more of the
// second kind is a row here and a file with the table of contact/law_form.h.
SG_RESPONSE(ELASTIC, "ElasticResponse", "point", SG_BY_ELASTICITY)
// Spring and damper along the normal.
SG_RESPONSE(LINEAR, "LinearResponse", "linear", SG_BY_SPRING)
// The same with a damping that grows with the depth.
SG_RESPONSE(VISCOUS, "ViscousResponse", "viscous", SG_BY_SPRING)
// Velocities jump; slow and several contacts are elastic.
SG_RESPONSE(IMPULSE, "ImpulseResponse", "impulse", SG_BY_ELASTICITY)
// Reported, no force.
SG_RESPONSE(WATCH, "ObserverResponse", "none", SG_BY_NOTHING)
// Declared by published palettes; a contact is an error.
SG_RESPONSE(WHEEL_RAIL, "WheelRailResponse", "none", SG_BY_NOTHING)
// Not even reported.
SG_RESPONSE(NONE, "NoResponse", "none", SG_BY_NOTHING)
