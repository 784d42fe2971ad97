#!/bin/sh
# install.sh BUILD SCRATCH: what `make install` leaves must serve a stranger's C program, found by
# pkg-config and by CMake, also after the whole tree was moved elsewhere.
set -eu
build=$1
rm -rf "$2"
mkdir -p "$2" && cd "$2"
cmake --build "$build" --target bundle >/dev/null
cmake --install "$build" --prefix "$PWD/first" >/dev/null
mv first moved

cat >host.c <<'END'
#include <segue/alloc.h>
#include <segue/diag.h>
#include <segue/status.h>

#include <stddef.h>

int main(void)
{
    const sg_allocator *allocator = sg_allocator_default();
    void *block = allocator->resize(allocator->context, NULL, 0, 64);
    if (!block)
        return SG_ERR_MEMORY;
    allocator->resize(allocator->context, block, 64, 0);
    return SG_OK;
}
END

if command -v pkg-config >/dev/null 2>&1; then
    flags=$(PKG_CONFIG_PATH=$PWD/moved/lib/pkgconfig pkg-config --cflags --libs segue)
    cc -std=c17 -Wall -Werror -o host host.c $flags
    ./host
fi

mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(host LANGUAGES C)
find_package(segue 0.1 REQUIRED)
add_executable(host ../host.c)
target_link_libraries(host PRIVATE segue::segue)
END
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$PWD/moved" >log 2>&1 || { cat log; exit 1; }
cmake --build project/build >log 2>&1 || { cat log; exit 1; }
project/build/host

if [ -x moved/bin/segue ]; then
    moved/bin/segue --version
fi
