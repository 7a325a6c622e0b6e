#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Adds a backend to the tree: a copy of src/generic/ as src/NAME/, and a line in each place that lists the backends.
# It builds and passes all tests at once; README.md beside this file says how to go on from there. Either all files are
# changed or none.
set -euo pipefail
die()
{
    echo "new_backend.sh: $*" >&2
    exit 1
}
[[ $# -eq 1 && $1 =~ ^[a-z][a-z0-9]{1,9}$ ]] || die "usage: template/new_backend.sh NAME  (2 to 10 lower-case letters and digits)"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
name=$1 upper=${1^^}
[[ ! -e src/$name ]] || die "src/$name exists"
if grep -rqE "\bpto_(cvt|vcvt|exp|scaling|random|maxmin|clamp|relu|permute|classify|small_compare|small_extreme|flags|choose|kernels)_$name\b" src include; then
    die "the library already has functions with names that end in _$name"
fi

# The changed files are written here first.
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# change FILE PATTERN TEXT: replaces what matches an extended regular expression, which must match in one line.
change()
{
    local count staged=$stage/$1
    [[ -f $staged ]] || { mkdir -p "${staged%/*}" && cp -p "$1" "$staged"; }
    count=$(grep -cE -- "$2" "$staged") || true
    [[ $count -eq 1 ]] || die "$1: $count lines match '$2', not one: this script must be adapted to the file"
    sed -i -E "s#$2#$3#" "$staged"
}

# The name of the backend in what users read.
change include/pto/isa.h '^    (PTO_ISA_[A-Z0-9]+)( +/\*\*<)' '    \1,\2'
change include/pto/isa.h '^(} pto_isa;)' "    PTO_ISA_$upper /**< to be described */\n\1"
change include/pto/isa.h '^( \* .*"[a-z0-9]+") or ("[a-z0-9]+"\. Returns "\?" for a value)' "\1, \2"
change include/pto/isa.h '("[a-z0-9]+")(\. Returns "\?" for a value)' "\1 or \"$name\"\2"
change cli/pto.1 '^(\.BR scalar ", ".*) " or " ([a-z0-9]+)$' "\1 \", \" \2 \" or \" $name"
change cli/pto.bash '(words="scalar avx2 [a-z0-9 ]*)"' "\1 $name\""
change docs/platforms.md "^(\\| \`generic\` \\| vector types)" "| \`$name\` | to be described | to be described |\n\1"

# The build.
printf -v row '%-108s%s' "    ROW(X, $upper, $name, )" "\\\\"
change src/core/isas.h '^(    ROW\(X, AVX512, )' "$row\n\1"
change src/dispatch/cpu.c '^(    case PTO_ISA_GENERIC:)' "    case PTO_ISA_$upper: return true; /* to be replaced by a feature of the CPU */\n\1"
change cmake/backends.cmake '^(. Names may be separated by commas)' "list(APPEND pto_legal_backends $name) \# to be moved to the target that has it\n\n\1"
change cmake/backends.cmake '^(. ---- every processor ----)' "\# ---- $name ----\n\nif(\"$name\" IN_LIST pto_backends)\n    pto_backend($name) \# its compiler flags follow the name\nendif()\n\n\1"
change tools/check_includes.sh '^(src generic: )' "src $name: loops core\n\1"

mkdir -p "$stage/src/$name"
for file in src/generic/*; do
    sed "s/generic/$name/g; s/GENERIC/$upper/g" "$file" >"$stage/src/$name/${file##*/}"
done
if command -v clang-format >/dev/null; then
    cp .clang-format "$stage"
    (cd "$stage" && clang-format -i include/pto/isa.h src/core/isas.h src/dispatch/cpu.c "src/$name"/*.[ch])
    rm "$stage/.clang-format"
fi
cp -r "$stage/." .
echo "src/$name/ is a complete backend. Build and test it:
    cmake -B build/$name -DPTO_BACKENDS=$name -DPTO_TESTS=ON && cmake --build build/$name && ctest --test-dir build/$name -R '[.]$name'"
