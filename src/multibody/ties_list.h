// SG_TIE(KIND, name, Constructor, required, optional): what only closes loops, without coordinates
// of its own. A new one is a line here and its form in cut_form.c, which says what it forbids.
// Keywords besides obj1 and obj2, separated by blanks.
// SG_TIE_OF_JOINT(KIND, name, Constructor): what a joint with coordinates (parts/joints_list.h)
// becomes where it closes a loop; likewise. Define both before including this.
SG_TIE_OF_JOINT(SPHERICAL, spherical, Spherical)
SG_TIE_OF_JOINT(UNIVERSAL, universal, Universal)
SG_TIE(ROD, rod, Rod, " length", "")
SG_TIE_OF_JOINT(CYLINDRICAL, cylindrical, Cylindrical)
SG_TIE_OF_JOINT(PLANAR, planar, Planar)
SG_TIE_OF_JOINT(HELICAL, helical, Helical)
