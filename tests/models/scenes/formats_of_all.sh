# All examples of one topic in every format; make test-long runs it under the sanitizers.
. "$SG_SOURCE_DIR/tests/models/scenes/formats.sh"
for file in "$SG_SOURCE_DIR/examples/$topic"/*.jl; do
    formats "$file"
done
