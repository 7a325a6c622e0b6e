#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One step of the consumer tests; CMakeLists.txt beside this file sets the environment.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$WORK/moved
static_prefix=$WORK/moved-static # the same without the shared library, so that -lpto can only mean libpto.a
strict=(-Wall -Wextra -Wpedantic -Werror)

fail()
{
    echo "consumer: $*" >&2
    exit 1
}

# linkage PROGRAM shared|static: whether the program loads libpto.so.
linkage()
{
    local found=static
    if readelf -d "$1" | grep -q 'NEEDED.*libpto\.so'; then found=shared; fi
    [[ $found == "$2" ]] || fail "$1 is $found, not $2"
}

# build_and_run KIND PREFIX FLAGS...: the user's program, from C11 and from C++17, with these flags.
build_and_run()
{
    local kind=$1 lib=$2/$LIBDIR out
    shift 2
    out=$(mktemp -d "$WORK/out.XXXXXX")
    "$CC" -std=c11 "${strict[@]}" "$here/project/user.c" -o "$out/c" "$@"
    "$CXX" -std=c++17 "${strict[@]}" "$here/project/user.cpp" -o "$out/cxx" "$@"
    for program in c cxx; do
        linkage "$out/$program" "$kind"
        LD_LIBRARY_PATH=$lib "$out/$program"
    done
    rm -r "$out"
}

# pkg_config PREFIX ARGUMENTS...
pkg_config()
{
    local path=$1/$LIBDIR/pkgconfig
    shift
    PKG_CONFIG_PATH=$path pkg-config "$@" pto
}

# through_cmake shared|static
through_cmake()
{
    local tree=$WORK/project-$1 shared=ON
    if [[ $1 == static ]]; then shared=OFF; fi
    rm -rf "$tree"
    "$CMAKE" -S "$here/project" -B "$tree" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=$shared \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX"
    "$CMAKE" --build "$tree"
    for program in c cxx c-shared c-static; do "$tree/$program"; done
    linkage "$tree/c" "$1"
    linkage "$tree/cxx" "$1"
    linkage "$tree/c-shared" shared
    linkage "$tree/c-static" static
}

case $1 in
install)
    rm -rf "$WORK/staged" "$prefix" "$static_prefix"
    "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$WORK/staged"
    mv "$WORK/staged" "$prefix"
    cp -a "$prefix" "$static_prefix"
    rm "$static_prefix/$LIBDIR"/libpto.so*
    if grep -rIl -e "$WORK/staged" -e "$BUILD" "$prefix"; then fail "these files know where they were made"; fi
    if [[ $SLEEF == 0 && -e $prefix/include/pto/vmath.h ]]; then fail "vmath.h is installed without SLEEF"; fi
    ;;
headers) # each alone, pto.h among them
    for header in "$prefix"/include/pto/*.h; do
        name=pto/${header##*/}
        echo "#include <$name>" | "$CC" -std=c11 "${strict[@]}" -I"$prefix/include" -fsyntax-only -x c -
        echo "#include <$name>" | "$CXX" -std=c++17 "${strict[@]}" -I"$prefix/include" -fsyntax-only -x c++ -
        echo "$name"
    done
    ;;
pkg_config)
    read -ra flags < <(pkg_config "$prefix" --cflags --libs)
    build_and_run shared "$prefix" "${flags[@]}"
    [[ $(pkg_config "$prefix" --modversion) == $(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$BUILD/CMakeCache.txt") ]]
    ;;
pkg_config_static)
    read -ra flags < <(pkg_config "$static_prefix" --static --cflags --libs)
    build_and_run static "$static_prefix" "${flags[@]}"
    ;;
plain) build_and_run shared "$prefix" -I"$prefix/include" -L"$prefix/$LIBDIR" -lpto ;;
plain_static)
    libs=(-lpto)
    if [[ $SLEEF == 1 ]]; then libs+=(-lsleef); fi
    build_and_run static "$static_prefix" -I"$static_prefix/include" -L"$static_prefix/$LIBDIR" "${libs[@]}"
    ;;
cmake_shared) through_cmake shared ;;
cmake_static) through_cmake static ;;
*) fail "no such step: $1" ;;
esac
