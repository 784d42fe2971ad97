# A script reads what belongs to its package, and a package is never a home, the root, or a folder that all may write to
# (docs/security.md).
outer=$(pwd -P)
mkdir -p fence/package/test/deep fence/package/models fence/package/.git fence/plain/test
: >fence/Project.toml # this test itself may lie in a package
printf 'secret = 1\n' >fence/outside.jl
cd fence/package || exit 1
printf 'part = 3\n' >models/parts.jl
printf 'include("../models/parts.jl")\nprintln("got ", part)\n' >test/runtests.jl
printf 'include("../../models/parts.jl")\nprintln("got ", part)\n' >test/deep/one.jl
printf 'include("../../outside.jl")\nprintln("got ", secret)\n' >test/up.jl
printf '[remote]\ntoken = 1\n' >.git/config
printf 'include("../.git/config")\n' >test/token.jl

inside() {
    status 0 "$SEGUE" run test/runtests.jl "$@"
    has out 'got 3'
    status 0 "$SEGUE" run test/deep/one.jl "$@"
    has out 'got 3'
    status 1 "$SEGUE" run test/up.jl "$@"
    has err 'outside of the folders'
}
for options in '' --no-sandbox; do
    inside $options
    # What the marker itself holds is nobody's model.
    status 1 "$SEGUE" run test/token.jl $options
    has err 'outside of the folders'
done
rm -r .git
: >Project.toml
inside
# From the folder of the script, through a link to it, and from its text.
cd test || exit 1
status 0 "$SEGUE" run runtests.jl
status 0 "$SEGUE" run -e 'include("../models/parts.jl"); println("got ", part)'
has out 'got 3'
cd ..
ln -s "$(pwd)/test" ../plain/link
cd ../plain || exit 1
status 0 "$SEGUE" run link/runtests.jl
cd ../package || exit 1

# A home that is under version control opens nothing, nor does what lies above it.
HOME=$(pwd -P) status 1 "$SEGUE" run test/runtests.jl
has err 'outside of the folders'
mkdir -p users/me
HOME=$(pwd -P)/users/me status 1 "$SEGUE" run test/runtests.jl
HOME=$(pwd -P)/test status 1 "$SEGUE" run test/runtests.jl
HOME=$outer/nowhere status 0 "$SEGUE" run test/runtests.jl
# Where everybody writes, anybody may have left the marker.
chmod o+w .
status 1 "$SEGUE" run test/runtests.jl
chmod o-w .
status 0 "$SEGUE" run test/runtests.jl
# The nearest one counts: a package inside of another is kept from it.
: >test/Project.toml
status 1 "$SEGUE" run test/runtests.jl
has err "'$(pwd -P)/test' and below"
