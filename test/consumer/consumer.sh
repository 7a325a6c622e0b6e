#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs one step of the consumer tests. The CMakeLists.txt of this folder sets the environment.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$WORK/moved
static_prefix=$WORK/moved-static # without the shared library, so that -lpto can only mean libpto.a
strict=(-Wall -Wextra -Wpedantic -Werror)

fail()
{
    echo "consumer: $*" >&2
    exit 1
}

# linkage PROGRAM shared|static: fails unless the program is linked with libpto in this way.
linkage()
{
    local found=static
    if readelf -d "$1" | grep -q 'NEEDED.*libpto\.so'; then found=shared; fi
    [[ $found == "$2" ]] || fail "$1 is $found, not $2"
}

# build_and_run KIND PREFIX FLAGS...: compiles the user's program as C11 and as C++17 with these flags, and runs it.
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

# pkg_config PREFIX ARGUMENTS...: runs pkg-config on the installation under PREFIX.
pkg_config()
{
    local path=$1/$LIBDIR/pkgconfig
    shift
    PKG_CONFIG_PATH=$path pkg-config "$@"
}

# through_cmake shared|static: builds and runs the user's project, which finds libpto with find_package().
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

# program_only OUT FLAG...: compiles a program that calls only pto_program_*, with these flags.
# Runs it in another folder and without LD_LIBRARY_PATH.
program_only()
{
    local out=$WORK/$1
    shift
    "$CC" -std=c11 "${strict[@]}" -Wl,--as-needed "$here/project/program.c" -o "$out" "$@"
    (cd / && env -u LD_LIBRARY_PATH "$out")
}

# embedded WAY FLAG...: configures a project that contains libpto, with these flags.
embedded()
{
    local tree=$WORK/parent-$1 way=$1
    shift
    rm -rf "$tree"
    "$CMAKE" -S "$here/parent" -B "$tree" -G Ninja -DWAY="$way" -DLIBPTO="$SOURCE" -DCMAKE_C_COMPILER="$CC" \
        -DPTO_SLEEF="$SLEEF" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
    if grep -q '^BUILD_SHARED_LIBS:' "$tree/CMakeCache.txt"; then fail "BUILD_SHARED_LIBS is in the parent's cache"; fi
    grep '^CMAKE_BUILD_TYPE:' "$tree/CMakeCache.txt" >"$tree/type"
}

# optimization TREE: prints the optimisation levels with which the kernels of a build tree are compiled.
optimization()
{
    grep -e '"command".*src/avx2/kernels[.]c' -e '"command".*src/scalar/kernels[.]c' "$1/compile_commands.json" |
        grep -oE -- ' -O[^ ]*' | tr -d ' ' | sort -u
}

case $1 in
install)
    rm -rf "$WORK/staged" "$prefix" "$static_prefix"
    "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$WORK/staged"
    mv "$WORK/staged" "$prefix"
    cp -a "$prefix" "$static_prefix"
    rm "$static_prefix/$LIBDIR"/libpto*.so*
    if grep -rIl -e "$WORK/staged" -e "$BUILD" "$prefix"; then fail "these files know where they were made"; fi
    if grep -n 'LINK_ONLY:>' "$prefix/$LIBDIR"/cmake/pto/*.cmake; then fail "links nothing, said at length"; fi
    for text in LICENSE README.md docs/semantics.md; do
        [[ -s $prefix/share/doc/libpto/$text ]] || fail "$text is not installed"
    done
    if [[ $SLEEF == 0 && -e $prefix/include/pto/vmath.h ]]; then fail "vmath.h is installed without SLEEF"; fi
    ;;
headers) # each header, also pto.h, compiles if included first
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
program_pkg_config)
    read -ra flags < <(pkg_config "$prefix" --cflags --libs pto-program)
    program_only program-pkg-config "${flags[@]}" -Wl,-rpath,"$prefix/$LIBDIR"
    ;;
absolute) # the folders of an installation may be absolute
    rm -rf "$WORK/absolute"
    "$CMAKE" -S "$SOURCE" -B "$WORK/absolute" -G Ninja -DCMAKE_C_COMPILER="$CC" -DPTO_TESTS=OFF -DPTO_SLEEF=OFF \
        -DPTO_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX=/opt/pto -DCMAKE_INSTALL_LIBDIR=/opt/pto/lib64 \
        -DCMAKE_INSTALL_INCLUDEDIR=/opt/headers
    grep -qF 'ORIGIN/../lib64"' "$WORK/absolute/cli/cmake_install.cmake" || fail "the command does not find the library"
    for name in pto pto-program pto-vmath; do
        for variable in prefix=/opt/pto libdir=/opt/pto/lib64 includedir=/opt/headers; do
            found=$(PKG_CONFIG_PATH=$WORK/absolute pkg-config --define-variable=pcfiledir=/opt/pto/lib64/pkgconfig \
                --variable="${variable%=*}" "$name")
            [[ $(realpath -m "$found") == "${variable#*=}" && $found != *//* ]] || fail "$name.pc: ${variable%=*} is $found"
        done
    done
    ;;
program_plain)
    program_only program-plain -I"$prefix/include" -L"$prefix/$LIBDIR" -lpto-program -Wl,-rpath,"$prefix/$LIBDIR"
    ;;
program_static)
    read -ra flags < <(pkg_config "$static_prefix" --static --cflags --libs pto-program)
    program_only program-static "${flags[@]}"
    linkage "$WORK/program-static" static
    ;;
program_cmake)
    rm -rf "$WORK/project-program"
    "$CMAKE" -S "$here/project" -B "$WORK/project-program" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX"
    "$CMAKE" --build "$WORK/project-program" --target program
    (cd / && env -u LD_LIBRARY_PATH "$WORK/project-program/program")
    ;;
components) # find_package() of a component that this build lacks fails, and names it
    for component in vmath:$SLEEF random:1 program:$HAS_PROGRAM nonsense:0; do
        rm -rf "$WORK/components" "$WORK/components-build"
        mkdir "$WORK/components"
        printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(user LANGUAGES C)' \
            "find_package(pto REQUIRED COMPONENTS ${component%:*})" >"$WORK/components/CMakeLists.txt"
        found=1
        "$CMAKE" -S "$WORK/components" -B "$WORK/components-build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
            -DCMAKE_C_COMPILER="$CC" >"$WORK/components.log" 2>&1 || found=0
        [[ $found == "${component#*:}" ]] || fail "the component ${component%:*} is $found, not ${component#*:}"
        [[ $found == 1 ]] || grep -q "${component%:*}" "$WORK/components.log" || fail "the error does not name the component"
    done
    ;;
plain) build_and_run shared "$prefix" -I"$prefix/include" -L"$prefix/$LIBDIR" -lpto ;;
plain_static)
    libs=(-lpto)
    if [[ $SLEEF == 1 ]]; then libs+=(-lsleef); fi
    build_and_run static "$static_prefix" -I"$static_prefix/include" -L"$static_prefix/$LIBDIR" "${libs[@]}"
    ;;
no_more) # a program without pto_vexp needs no SLEEF, for which Debian has no static library
    "$CC" -O2 "${strict[@]}" "$here/project/two_calls.c" -o "$WORK/two-calls" -static -I"$static_prefix/include" \
        -L"$static_prefix/$LIBDIR" -lpto
    "$WORK/two-calls"
    ;;
size) # the size of the same program, stripped
    "$CC" -O2 "${strict[@]}" "$here/project/two_calls.c" -o "$WORK/two-calls-small" -s -Wl,--gc-sections \
        -I"$static_prefix/include" -L"$static_prefix/$LIBDIR" -lpto
    "$WORK/two-calls-small"
    bytes=$(stat -c %s "$WORK/two-calls-small")
    echo "a program of two calls: $bytes bytes"
    [[ $bytes -lt 1000000 ]] || fail "that is more than 1 MB"
    ;;
command) # the command finds its library, and its manual page and its completion are installed
    [[ $("$prefix/bin/pto" --version) == pto\ * ]] || fail "pto does not run from where it was moved to"
    for file in share/man/man1/pto.1 share/bash-completion/completions/pto; do
        [[ -s $prefix/$file ]] || fail "$file is not installed"
    done
    ;;
uninstall) # removes the files and the folders of the last installation, and nothing else
    rm -rf "$WORK"/uninstall
    mkdir -p "$WORK"/uninstall/{used/share/doc,used/bin,stage,"ours [1]",packages}
    cd "$WORK/uninstall"
    echo mine | tee used/share/doc/mine >"ours [1]/mine"
    find . | sort >../before.txt
    # Each is DESTDIR and the prefix: a folder that has files, new ones with unusual names, relative ones.
    for place in ":$PWD/used" ":$PWD/new [1" ":$PWD/ours [1]/pto" ":./new" "$PWD/stage:/usr/local" "./stage:/usr"; do
        prefix=${place#*:}
        export DESTDIR=${place%%:*}
        for twice in 1 2; do
            timeout 60 "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$prefix" ||
                fail "the installation $twice in '$place' does not end"
        done
        [[ -e $DESTDIR$prefix/include/pto/pto.h ]] || fail "pto.h is not installed in '$place'"
        if [[ $place == *ours* ]]; then # other files in a folder that the installation made
            echo mine | tee "$prefix/bin/mine" >"$prefix/share/mine"
        fi
        unset DESTDIR # the list of files has it
        # Packages are no installation.
        "$(dirname "$CMAKE")/cpack" --config "$BUILD/CPackConfig.cmake" -C "$CONFIG" -G TGZ -B "$PWD/packages"
        rm -r packages/*
        "$CMAKE" --build "$BUILD" --config "$CONFIG" --target uninstall
        if [[ $place == *ours* ]]; then
            [[ -e $prefix/bin/mine && -e $prefix/share/mine ]] || fail "uninstall removes other files in '$place'"
            rm -r "$prefix"
        fi
        find . | sort | diff ../before.txt - || fail "uninstall in '$place' leaves files, or removes others"
    done
    if "$CMAKE" --build "$BUILD" --config "$CONFIG" --target uninstall; then fail "nothing is uninstalled without an error"; fi
    # Components of one place are all removed.
    for component in command runtime; do
        "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$PWD/new" --component $component
    done
    "$CMAKE" --build "$BUILD" --config "$CONFIG" --target uninstall
    find . | sort | diff ../before.txt - || fail "uninstall leaves files of a component"
    ;;
user_vmath) # libpto does not include a user's header with the name vmath.h
    mkdir -p "$WORK/user"
    echo '#error "this is the user'"'"'s vmath.h"' >"$WORK/user/vmath.h"
    echo '#include <pto/pto.h>' | "$CC" -std=c11 "${strict[@]}" -I"$WORK/user" -I"$prefix/include" -fsyntax-only -x c -
    ;;
add_subdirectory)
    embedded add_subdirectory -DCMAKE_BUILD_TYPE=Debug -DPTO_BACKENDS=scalar # other backends take minutes and test nothing more
    grep -q '=Debug$' "$WORK/parent-add_subdirectory/type" || fail "the parent's build type is another"
    optimization "$WORK/parent-add_subdirectory" | grep -q . && fail "Debug is optimised"
    "$CMAKE" --build "$WORK/parent-add_subdirectory"
    "$WORK/parent-add_subdirectory/program"
    [[ -e $WORK/parent-add_subdirectory/libmine.a ]] || fail "the parent's library is not static"
    ;;
fetch_content) # without a build type
    embedded fetch_content -DPTO_BACKENDS=scalar
    grep -q '=$' "$WORK/parent-fetch_content/type" || fail "the parent has a build type"
    optimization "$WORK/parent-fetch_content" | grep -qx -e -O3 || fail "without a build type the kernels are not optimised"
    "$CMAKE" --build "$WORK/parent-fetch_content" --target mine
    [[ -e $WORK/parent-fetch_content/libmine.a ]] || fail "the parent's library is not static"
    "$CMAKE" -S "$here/parent" -B "$WORK/parent-fetch_content" -DBUILD_SHARED_LIBS=ON # pto::pto follows
    ;;
build_types) # libpto keeps the parent's optimisation level, in each configuration of a multi-configuration generator
    embedded build_types -DCMAKE_C_FLAGS=-O1
    [[ $(optimization "$WORK/parent-build_types") == -O1 ]] || fail "-O1 of CMAKE_C_FLAGS is overruled"
    embedded build_types -DCMAKE_BUILD_TYPE=Own
    [[ $(optimization "$WORK/parent-build_types") == -O3 ]] || fail "a build type without flags is not optimised"
    embedded build_types -DCMAKE_BUILD_TYPE=Own -DCMAKE_C_FLAGS_OWN="-g -Os"
    [[ $(optimization "$WORK/parent-build_types") == -Os ]] || fail "-Os of the build type is overruled"
    rm -rf "$WORK/multi"
    "$CMAKE" -S "$here/parent" -B "$WORK/multi" -G "Ninja Multi-Config" -DWAY=add_subdirectory -DLIBPTO="$SOURCE" \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_CONFIGURATION_TYPES="Debug;Release;Own" -DCMAKE_C_FLAGS_OWN=-g
    for level in Debug: Release:-O3 Own:-O3; do
        found=$(ninja -C "$WORK/multi" -f "build-${level%:*}.ninja" -t commands pto_static |
            grep 'src/scalar/kernels[.]c' | grep -oE -- ' -O[^ ]*' | tr -d ' ' | sort -u) || true # Debug has none
        [[ $found == "${level#*:}" ]] || fail "Ninja Multi-Config: ${level%:*} is compiled with '$found'"
    done
    ;;
backends) # PTO_BACKENDS: legal lists, and errors that name the legal values
    configure() { "$CMAKE" -S "$SOURCE" -B "$WORK/backends" -G Ninja -DCMAKE_C_COMPILER="$CC" -DPTO_TESTS=OFF \
        -DPTO_SLEEF=OFF -DPTO_EXAMPLES=OFF -DPTO_PROGRAM=OFF "$@"; }
    rm -rf "$WORK/backends"
    configure -DPTO_BACKENDS=scalar
    "$CMAKE" --build "$WORK/backends" --target pto_command
    if "$WORK/backends/cli/pto" info --json | grep -o '"[a-z0-9]*":{"built":true' | grep -v '"scalar"'; then
        fail "PTO_BACKENDS=scalar builds another backend"
    fi
    for wrong in avx1024 'avx2;sse2' '' 'AUTO;scalar'; do
        if configure -DPTO_BACKENDS="$wrong" 2>"$WORK/backends.log"; then fail "PTO_BACKENDS='$wrong' is accepted"; fi
        grep -q "AUTO" "$WORK/backends.log" || fail "the error does not say what is legal: $(<"$WORK/backends.log")"
    done
    configure -DPTO_BACKENDS=generic,scalar >"$WORK/backends.log"
    grep -q 'backends: scalar generic$' "$WORK/backends.log" || fail "commas do not separate names"
    ;;
no_cmocka)
    rm -rf "$WORK/no-cmocka"
    "$CMAKE" -S "$SOURCE" -B "$WORK/no-cmocka" -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_IGNORE_PATH="$CMOCKA" \
        -DPTO_SLEEF=OFF -DPTO_EXAMPLES=OFF 2>&1 | tee "$WORK/no-cmocka.log"
    grep -q 'NO TESTS' "$WORK/no-cmocka.log" || fail "the tests were left out silently"
    ;;
cmake_shared) through_cmake shared ;;
cmake_static) through_cmake static ;;
*) fail "no such step: $1" ;;
esac
