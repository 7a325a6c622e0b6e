# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The configuration `cross`: compiles and links the libraries and the command with zig cc for other systems, and checks
# what the files have. Of these only the static command for 64-bit Arm runs here. Sourced by ./run.

# The systems; their presets are cross-NAME.
cross_systems=(macos-arm64 macos-x86-64 loongarch64 freebsd-x86-64 musl-arm64)

# check_exports PRESET FILE MACRO: checks that a shared library exports exactly the calls that the headers declare.
check_exports()
{
    local headers file=build/$1/$2.dylib
    headers=$(find include/pto -name '*.h' ! -name vmath.h | paste -sd';')
    if [[ ! -e $file ]]; then file=build/$1/$2.so; fi
    cmake -DNM=llvm-nm -DFILE="$file" -DHEADERS="$headers" -DMACRO="$3" -P test/cmake/exports.cmake
}

# check_macos PRESET: checks the names by which the dynamic linker of macOS finds the libraries.
check_macos()
{
    local file
    for file in libpto program/libpto-program; do
        llvm-objdump --macho --dylib-id "build/$1/$file.dylib" | grep -E "^@rpath/${file#*/}\.0\.[0-9]+\.dylib\$" ||
            die "$1: $file.dylib has not the install name @rpath/${file#*/}.VERSION.dylib"
    done
    llvm-objdump --macho --dylibs-used "build/$1/cli/pto" | grep -E "@rpath/libpto\.0\.[0-9]+\.dylib" ||
        die "$1: the command does not load libpto by @rpath"
}

# check_digests PRESET ISA...: runs the command for 64-bit Arm under qemu, and compares a sample of the short digests
# with the record, for each backend. One changed digit in the sample must be found.
check_digests()
{
    local preset=$1 isa
    local sample=build/$1/sample.jsonl result=build/$1/result.jsonl
    shift
    awk '/"count":(64|256|4096|65536),/ && ++n % 30 == 0' docs/digests.jsonl >"$sample"
    for isa; do
        qemu-aarch64 "build/$preset/cli/pto" digest --isa "$isa" --like "$sample" >"$result"
        qemu-aarch64 "build/$preset/cli/pto" diff "$sample" "$result" || die "$preset: $isa: digests differ"
    done
    sed -i '1s/"digest":"0/"digest":"1/; t; 1s/"digest":"./"digest":"0/' "$result"
    if qemu-aarch64 "build/$preset/cli/pto" diff "$sample" "$result" >/dev/null; then
        die "$preset: pto diff does not find a changed digit"
    fi
}

# test_cross: the configuration.
test_cross()
{
    local name
    environment build/zig tools/requirements/zig.txt || {
        echo "cross: skipped: pip cannot install the packages of tools/requirements/zig.txt"
        return 0
    }
    for name in "${cross_systems[@]}"; do
        build "cross-$name"
        if [[ $name == musl-arm64 ]]; then
            check_digests "cross-$name" scalar neon sve
            echo "cross: $name: compiled and linked; a sample of the digests is equal under qemu-user"
            continue
        fi
        check_exports "cross-$name" libpto 'PTO_(API|CALL)'
        check_exports "cross-$name" program/libpto-program 'PTO_PROGRAM_(API|CALL)'
        if [[ $name == macos-* ]]; then check_macos "cross-$name"; fi
        echo "cross: $name: compiled and linked; nothing of it ran"
    done
}
