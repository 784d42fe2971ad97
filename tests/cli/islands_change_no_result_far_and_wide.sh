# label: long
# islands_change_no_result.sh for all examples and models of tests in which bodies touch and islands fit.
ISLANDS_OF="examples/contact/exact_restitution examples/contact/hail examples/contact/rolling_down examples/contact/trios \
    tests/models/contact_closed_forms tests/models/contact_events_of_scenarios tests/models/contact_overtaken tests/models/contact_physics \
    tests/models/contact_restitution tests/models/contact_symmetries tests/models/contact_tunnelling tests/models/e4_capsules \
    tests/models/e5_cones tests/models/e6_two_balls tests/models/e7_four_balls tests/models/e8_sixteen_balls tests/models/far_away \
    tests/models/islands tests/models/islands_joints tests/models/arms_in_contact tests/models/zero_crossings"
. "$SG_SOURCE_DIR/tests/cli/islands_change_no_result.sh"
