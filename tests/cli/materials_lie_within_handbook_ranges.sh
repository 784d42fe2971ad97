# Every material that is not Modia3D's has a row of ranges in docs/materials.md, and its values lie within.
page=$SG_SOURCE_DIR/docs/materials.md
palette=$SG_SOURCE_DIR/library/palettes/more_solids.txt
awk '
    function within(name, word, value, range,   r) {
        split(range, r, " to ")
        n++
        if (value < r[1]*(1 - 1e-9) || value > r[2]*(1 + 1e-9))
            print name, word, value, "is outside of", range
    }
    FNR == NR {
        if (split($0, cell, / *\| */) == 8 && cell[3] ~ / to /)
            for (k = 3; k <= 7; k++) range[cell[2], k] = cell[k]
        next
    }
    /^solid / {
        name = substr($2, 1, length($2) - 1)
        delete value
        for (i = 3; i < NF; i += 2) value[$i] = $(i + 1) + 0
        if (!((name, 3) in range)) { print name, "has no row in the page"; next }
        within(name, "density", value["density"], range[name, 3])
        within(name, "young", value["young"]/1e9, range[name, 4])
        within(name, "poisson", value["poisson"], range[name, 5])
        within(name, "conducts", value["conducts"], range[name, 6])
        within(name, "expands", value["expands"]*1e6, range[name, 7])
    }
    END { if (n != 130) print n, "values were compared, not 130" }' "$page" "$palette" >found
[ ! -s found ] || fail "$(cat found)"
