#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Adds a backend to the tree: a copy of src/generic/ as src/NAME/, and a line in each place that lists the backends.
# It builds and passes all tests at once; README.md beside this file says how to go on from there.
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

# insert FILE PATTERN TEXT: inserts lines before the one line that matches an extended regular expression.
insert()
{
    local count
    count=$(grep -cE -- "$2" "$1") || true
    [[ $count -eq 1 ]] || die "$1: $count lines match '$2', not one: this script must be adapted to the file"
    PATTERN=$2 TEXT=$3 awk '$0 ~ ENVIRON["PATTERN"] { print ENVIRON["TEXT"] } { print }' "$1" >"$1.new"
    cat "$1.new" >"$1"
    rm "$1.new"
}

# extend FILE PATTERN TEXT: replaces what matches an extended regular expression.
extend()
{
    grep -qE -- "$2" "$1" || die "$1: nothing matches '$2': this script must be adapted to the file"
    sed -i -E "s#$2#$3#" "$1"
}

mkdir "src/$name"
for file in src/generic/*; do
    sed "s/generic/$name/g; s/GENERIC/$upper/g" "$file" >"src/$name/${file##*/}"
done

# The name of the backend in what users read.
extend include/pto/isa.h '^    PTO_ISA_GENERIC /\*\*<' '    PTO_ISA_GENERIC, /**<'
insert include/pto/isa.h '^} pto_isa;' "    PTO_ISA_$upper /**< to be described */"
extend include/pto/isa.h '"rvv" or "generic"' "\"rvv\", \"generic\" or \"$name\""
extend cli/pto.1 'rvv " or " generic' "rvv \", \" generic \" or \" $name"
extend cli/pto.bash 'rvv generic"' "rvv generic $name\""
insert docs/platforms.md "^\\| \`generic\` \\| vector types" "| \`$name\` | to be described | to be described |"

# The build.
printf -v row '%-108s%s' "    ROW(X, $upper, $name, )" "\\"
insert src/core/isas.h '^    ROW\(X, AVX512, ' "$row"
insert src/dispatch/cpu.c '^    case PTO_ISA_GENERIC:' "    case PTO_ISA_$upper: return true; /* to be replaced by a feature of the CPU */"
insert cmake/backends.cmake '^# Names may be separated by commas' "list(APPEND pto_legal_backends $name) # to be moved to the target that has it
"
insert cmake/backends.cmake '^# ---- every processor ----' "# ---- $name ----

if(\"$name\" IN_LIST pto_backends)
    pto_backend($name) # its compiler flags follow the name
endif()
"
insert tools/check_includes.sh '^src generic: ' "src $name: loops core"

if command -v clang-format >/dev/null; then
    clang-format -i include/pto/isa.h src/core/isas.h src/dispatch/cpu.c "src/$name"/*.[ch]
fi
echo "src/$name/ is a complete backend. Build and test it:
    cmake -B build/$name -DPTO_BACKENDS=$name -DPTO_TESTS=ON && cmake --build build/$name && ctest --test-dir build/$name -R '[.]$name'"
