#!/bin/sh
# install.sh BUILD SCRATCH SOURCES: what `make install` leaves must serve programs of strangers in C and
# C++, found by pkg-config and by CMake, with the shared library and with the archive, also after the
# whole tree was moved elsewhere, and also if they have a SUNDIALS of their own.
set -eu
build=$1 sources=$3
rm -rf "$2"
mkdir -p "$2" && cd "$2"
cmake --build "$build" --target bundle >/dev/null
cmake --install "$build" --prefix "$PWD/first" >/dev/null
mv first moved
cp "$sources"/*.c "$sources"/*.cpp "$sources"/*.h .
lib=$PWD/moved/lib

# Pages, examples, manual pages and completions come along, and the examples run from there.
share=$PWD/moved/share
for file in doc/segue/README.md doc/segue/CHANGELOG.md doc/segue/docs/guide/README.md doc/segue/docs/reference/Electric.md \
    doc/segue/examples/first/rc_filter.jl segue/library/models/Electric.jl man/man1/segue.1 man/man1/segue-run.1 \
    bash-completion/completions/segue zsh/site-functions/_segue fish/vendor_completions.d/segue.fish; do
    [ -s "$share/$file" ] || { echo "not installed: share/$file"; exit 1; }
done
moved/bin/segue run -q -o example "$share/doc/segue/examples/first/rc_filter.jl" || exit 1
has_cpp=$(command -v "${CXX:-c++}" || true)

try() { # NAME COMMAND...
    name=$1
    shift
    "$@" >log 2>&1 || { echo "$name: $*"; cat log; exit 1; }
}

if command -v pkg-config >/dev/null 2>&1; then
    export PKG_CONFIG_PATH=$lib/pkgconfig
    for form in segue segue-static; do
        cflags="-Wall -Werror $(pkg-config --cflags $form)"
        libs="$(pkg-config --libs $form) -Wl,-rpath,$lib"
        try "$form, C" cc -std=c99 $cflags -o host_$form host.c $libs
        try "$form, C runs" ./host_$form
        if [ "$has_cpp" ]; then
            try "$form, C++" "${CXX:-c++}" -std=c++11 $cflags -o cpp_$form host.cpp $libs
            try "$form, C++ runs" ./cpp_$form
        fi
        try "$form, names" cc -std=c99 -rdynamic $cflags -o names_$form namesakes.c $libs
        try "$form, names run" ./names_$form
        if printf '#include <cvode/cvode.h>\nint main(void){return CVode(0,0,0,0,0);}' >probe.c &&
            cc -o probe probe.c -lsundials_cvode -lsundials_nvecserial >/dev/null 2>&1; then
            try "$form, SUNDIALS" cc -std=c99 $cflags -o other_$form other_sundials.c $libs \
                -lsundials_cvode -lsundials_nvecserial -lm
            try "$form, SUNDIALS runs" ./other_$form
        else
            echo "no shared SUNDIALS here: left out"
        fi
    done
    # The shared form needs the library where it runs, the other one does not.
    LD_TRACE_LOADED_OBJECTS=1 ./host_segue | grep -q 'libsegue.so.0.1 ' || { echo "not shared"; exit 1; }
    ! LD_TRACE_LOADED_OBJECTS=1 ./host_segue-static | grep -q libsegue || { echo "not static"; exit 1; }
fi

for form in ON OFF; do
    rm -rf project
    mkdir project
    cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(host LANGUAGES C)
find_package(segue 0.1 REQUIRED)
add_executable(host ../host.c)
target_link_libraries(host PRIVATE segue::segue)
END
    try "CMake" cmake -S project -B project/build -DBUILD_SHARED_LIBS=$form -DCMAKE_PREFIX_PATH="$PWD/moved"
    try "CMake builds" cmake --build project/build
    try "CMake, run" project/build/host
done

if [ -x moved/bin/segue ]; then
    moved/bin/segue --version
fi
