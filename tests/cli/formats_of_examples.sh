# Some examples in every format; all of them: long/formats_*.
. "$SG_SOURCE_DIR/tests/models/scenes/formats.sh"
for name in first/heated_chain events/bouncing_ball mechanics/sling contact/magazine thesis/heated_rod; do
    formats "$SG_SOURCE_DIR/examples/$name.jl"
done
