// SG_TIE(KIND, name, Constructor, required, optional): joints that only close loops, without
// coordinates of their own. A new one is a line here and its form in cut_form.c, which says what it
// forbids. Keywords besides obj1 and obj2, separated by blanks. Define SG_TIE before including
// this.
SG_TIE(SPHERICAL, spherical, Spherical, "", "")
SG_TIE(UNIVERSAL, universal, Universal, "", "axis1 axis2")
SG_TIE(ROD, rod, Rod, " length", "")
SG_TIE(CYLINDRICAL, cylindrical, Cylindrical, "", "axis")
SG_TIE(PLANAR, planar, Planar, "", "axis")
SG_TIE(HELICAL, helical, Helical, " pitch", "axis")
