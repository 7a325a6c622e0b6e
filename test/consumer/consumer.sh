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
    PKG_CONFIG_PATH=$path pkg-config "$@"
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
    for program in c cxx c-shared c-static two-calls two-calls-static; do "$tree/$program"; done
    linkage "$tree/c" "$1"
    linkage "$tree/cxx" "$1"
    linkage "$tree/c-shared" shared
    linkage "$tree/c-static" static
    linkage "$tree/two-calls" "$1"
}

# embedded WAY FLAG...: a project in whose tree libpto is, configured with these flags.
embedded()
{
    local tree=$WORK/parent-$1 way=$1
    shift
    rm -rf "$tree"
    "$CMAKE" -S "$here/parent" -B "$tree" -G Ninja -DWAY="$way" -DLIBPTO="$SOURCE" -DCMAKE_C_COMPILER="$CC" \
        -DPTO_SLEEF="$SLEEF" -DPTO_RANDOM="$PHILOX" "$@"
    if grep -q '^BUILD_SHARED_LIBS:' "$tree/CMakeCache.txt"; then fail "BUILD_SHARED_LIBS is in the parent's cache"; fi
    grep '^CMAKE_BUILD_TYPE:' "$tree/CMakeCache.txt" >"$tree/type"
}

case $1 in
install)
    rm -rf "$WORK/staged" "$prefix" "$static_prefix"
    "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$WORK/staged"
    mv "$WORK/staged" "$prefix"
    cp -a "$prefix" "$static_prefix"
    rm "$static_prefix/$LIBDIR"/libpto.so*
    if grep -rIl -e "$WORK/staged" -e "$BUILD" "$prefix"; then fail "these files know where they were made"; fi
    if grep -n 'LINK_ONLY:>' "$prefix/$LIBDIR"/cmake/pto/*.cmake; then fail "links nothing, said at length"; fi
    for text in LICENSE README.md docs/semantics.md; do
        [[ -s $prefix/share/doc/libpto/$text ]] || fail "$text is not installed"
    done
    if [[ $SLEEF == 0 && -e $prefix/include/pto/vmath.h ]]; then fail "vmath.h is installed without SLEEF"; fi
    if [[ $PHILOX == 0 && -e $prefix/include/pto/random.h ]]; then fail "random.h is installed without Random123"; fi
    ;;
headers) # each alone, pto.h among them
    for header in "$prefix"/include/pto/*.h; do
        name=pto/${header##*/}
        echo "#include <$name>" | "$CC" -std=c11 "${strict[@]}" -I"$prefix/include" -fsyntax-only -x c -
        echo "#include <$name>" | "$CXX" -std=c++17 "${strict[@]}" -I"$prefix/include" -fsyntax-only -x c++ -
        echo "$name"
    done
    if "$CXX" -std=c++20 -fsyntax-only -x c++ /dev/null 2>/dev/null; then
        echo '#include <pto/pto.hpp>' |
            "$CXX" -std=c++20 "${strict[@]}" -I"$prefix/include" -fsyntax-only -x c++ -
    fi
    ;;
pkg_config)
    read -ra flags < <(pkg_config "$prefix" --cflags --libs pto)
    build_and_run shared "$prefix" "${flags[@]}"
    [[ $(pkg_config "$prefix" --modversion pto) == $(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$BUILD/CMakeCache.txt") ]]
    ;;
pkg_config_static)
    read -ra flags < <(pkg_config "$static_prefix" --static --cflags --libs pto-vmath)
    build_and_run static "$static_prefix" "${flags[@]}"
    if pkg_config "$static_prefix" --static --libs pto | grep -q -e -lsleef; then fail "pto.pc asks for SLEEF"; fi
    ;;
plain) build_and_run shared "$prefix" -I"$prefix/include" -L"$prefix/$LIBDIR" -lpto ;;
plain_static)
    libs=(-lpto)
    if [[ $SLEEF == 1 ]]; then libs+=(-lsleef); fi
    build_and_run static "$static_prefix" -I"$static_prefix/include" -L"$static_prefix/$LIBDIR" "${libs[@]}"
    ;;
no_more) # a program without pto_vexp needs no SLEEF, of which Debian has no static library
    "$CC" -O2 "${strict[@]}" "$here/project/two_calls.c" -o "$WORK/two-calls" -static -I"$static_prefix/include" \
        -L"$static_prefix/$LIBDIR" -lpto
    "$WORK/two-calls"
    ;;
size) # of the same program, stripped
    "$CC" -O2 "${strict[@]}" "$here/project/two_calls.c" -o "$WORK/two-calls-small" -s -Wl,--gc-sections \
        -I"$static_prefix/include" -L"$static_prefix/$LIBDIR" -lpto
    "$WORK/two-calls-small"
    bytes=$(stat -c %s "$WORK/two-calls-small")
    echo "a program of two calls: $bytes bytes"
    [[ $bytes -lt 1000000 ]] || fail "that is more than 1 MB"
    ;;
command) # finds the library beside it; its page and its completion are there
    [[ $("$prefix/bin/pto" --version) == pto\ * ]] || fail "pto does not run from where it was moved to"
    for file in share/man/man1/pto.1 share/bash-completion/completions/pto; do
        [[ -s $prefix/$file ]] || fail "$file is not installed"
    done
    ;;
user_vmath) # a header of the user's own called vmath.h is not libpto's
    mkdir -p "$WORK/user"
    echo '#error "this is the user'"'"'s vmath.h"' >"$WORK/user/vmath.h"
    echo '#include <pto/pto.h>' | "$CC" -std=c11 "${strict[@]}" -I"$WORK/user" -I"$prefix/include" -fsyntax-only -x c -
    ;;
add_subdirectory)
    embedded add_subdirectory -DCMAKE_BUILD_TYPE=Debug
    grep -q '=Debug$' "$WORK/parent-add_subdirectory/type" || fail "the parent's build type is another"
    "$CMAKE" --build "$WORK/parent-add_subdirectory"
    "$WORK/parent-add_subdirectory/program"
    [[ -e $WORK/parent-add_subdirectory/libmine.a ]] || fail "the parent's library is not static"
    ;;
fetch_content) # with no build type at all
    embedded fetch_content
    grep -q '=$' "$WORK/parent-fetch_content/type" || fail "the parent has a build type"
    "$CMAKE" --build "$WORK/parent-fetch_content" --target mine
    [[ -e $WORK/parent-fetch_content/libmine.a ]] || fail "the parent's library is not static"
    "$CMAKE" -S "$here/parent" -B "$WORK/parent-fetch_content" -DBUILD_SHARED_LIBS=ON # pto::pto follows
    ;;
no_cmocka)
    rm -rf "$WORK/no-cmocka"
    "$CMAKE" -S "$SOURCE" -B "$WORK/no-cmocka" -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_IGNORE_PATH="$CMOCKA" \
        -DPTO_SLEEF=OFF -DPTO_RANDOM=OFF -DPTO_EXAMPLES=OFF 2>&1 | tee "$WORK/no-cmocka.log"
    grep -q 'NO TESTS' "$WORK/no-cmocka.log" || fail "the tests were left out silently"
    ;;
cmake_shared) through_cmake shared ;;
cmake_static) through_cmake static ;;
*) fail "no such step: $1" ;;
esac
