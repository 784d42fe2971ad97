// SG_JOINT(Constructor, steps...): joints whose variables the equations see. A new one is a line
// here, and its model in library/prelude/Modia3D.jl, which has these variables. Where it may also
// close loops, its form stands in multibody/ties_list.h under the same name.
//
// A step is a joint with one coordinate, or a ball or free motion; several follow each other from
// obj1 to obj2. TURNS(axis, coordinate, speed, flange), SLIDES and SCREWS likewise: the keyword of
// its axis with the standard value, and the names of its variables; the flange may be NULL. ACROSS
// takes the first or the second direction perpendicular to the axis. Define SG_JOINT before
// including this.
SG_JOINT(Revolute, TURNS(AXIS("axis", 3), "phi", "w", NULL))
SG_JOINT(RevoluteWithFlange, TURNS(AXIS("axis", 3), "phi", "w", "flange"))
SG_JOINT(Prismatic, SLIDES(AXIS("axis", 1), "s", "v", NULL))
SG_JOINT(PrismaticWithFlange, SLIDES(AXIS("axis", 1), "s", "v", "flange"))
SG_JOINT(FreeMotion, MOVES(SG_JOINT_FREE, "r", "v", "rot", "w", "isrot123"))
SG_JOINT(FreeMotion2, MOVES(SG_JOINT_FREE, "r", "v", "rot", "w"))
SG_JOINT(Cylindrical, SLIDES(AXIS("axis", 3), "s", "v", NULL),
         TURNS(AXIS("axis", 3), "phi", "w", NULL))
SG_JOINT(CylindricalWithFlanges, SLIDES(AXIS("axis", 3), "s", "v", "flangeS"),
         TURNS(AXIS("axis", 3), "phi", "w", "flangePhi"))
SG_JOINT(Planar, SLIDES(ACROSS("axis", 3, 1), "s1", "v1", NULL),
         SLIDES(ACROSS("axis", 3, 2), "s2", "v2", NULL), TURNS(AXIS("axis", 3), "phi", "w", NULL))
SG_JOINT(PlanarWithFlanges, SLIDES(ACROSS("axis", 3, 1), "s1", "v1", "flangeS1"),
         SLIDES(ACROSS("axis", 3, 2), "s2", "v2", "flangeS2"),
         TURNS(AXIS("axis", 3), "phi", "w", "flangePhi"))
SG_JOINT(Helical, SCREWS(AXIS("axis", 3), "phi", "w", NULL))
SG_JOINT(HelicalWithFlange, SCREWS(AXIS("axis", 3), "phi", "w", "flange"))
SG_JOINT(Spherical, MOVES(SG_JOINT_BALL, "rot", "w", "isrot123"))
SG_JOINT(Universal, TURNS(AXIS("axis1", 1), "phi1", "w1", NULL),
         TURNS(AXIS("axis2", 2), "phi2", "w2", NULL))
SG_JOINT(UniversalWithFlanges, TURNS(AXIS("axis1", 1), "phi1", "w1", "flange1"),
         TURNS(AXIS("axis2", 2), "phi2", "w2", "flange2"))
