#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which folder may include which: the arrows between the rooms of the house. Fails on one that is not listed here, on a
# path that is not written from the root of its tree, and on a circle between files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# tree folder: the folders of the tree that it may include, besides itself. "pto/..." is open to all.
arrows='
src core:
src ptx: core
src dispatch: core
src calls: ptx dispatch core
src loops: core
src x86: core
src scalar: core
src avx2: loops x86 core
src avx512: loops x86 core
src neon: loops core
src generic: loops core
src sve: loops core
src rvv: loops generic core
src agnostic: loops scalar core
program .:
cli .:
python/core .:
test model:
test support: model
test check: model support
test faults: model support check
test suite: model support check faults fp16
test fp16:
test command: support
test hpp:
test program: model support
test headers:
test witness: model support program
test truth: model support
bench peers:
bench measure: peers
bench operations: measure peers
bench judge: measure peers
bench .: judge measure peers
'

# Every include of a tree as "FROM-FILE TO-PATH", without those of generated files and of other trees.
includes_of() {
    grep -rHoE '^ *# *include +"[^"]+"' "$1" --include='*.[ch]' --include='*.cpp' |
        sed -E "s|^$1/||; s|: *# *include +\"| |; s|\"\$||" | grep -vE ' (pto/.*|[^/]*\.inc|truth_inputs\.h|(ptx|digest)_[a-z]+\.h|npy\.h|safetensors\.h)$'
}

# The folder of a path below its tree's root.
room_of() { if [[ $1 == */* ]]; then echo "${1%%/*}"; else echo .; fi; }

status=0
complain() {
    echo "includes: $*" >&2
    status=1
}

edges=$(mktemp)
trap 'rm -f "$edges"' EXIT
for tree in src program cli python/core test bench; do
    while read -r from to; do
        if [[ $tree == test && $from == consumer/* ]]; then continue; fi # programs of a user
        if [[ $tree == test && $from == command/* && -e cli/$to ]]; then continue; fi # parts of the command
        here=$(room_of "$from") there=$(room_of "$to")
        allowed=$(sed -n "s|^$tree ${here/./\\.}: *||p" <<<"$arrows")
        if [[ ! -e $tree/$to ]]; then
            complain "$tree/$from: \"$to\" is no path from $tree/"
        elif ! grep -q "^$tree ${here/./\\.}:" <<<"$arrows"; then
            complain "$tree/$from: $tree/$here stands in no list of arrows"
        elif [[ $here != "$there" && " $allowed " != *" $there "* ]]; then
            complain "$tree/$from: $here may not include $there ($to)"
        fi
        echo "$tree/$from $tree/$to" >>"$edges"
    done < <(includes_of "$tree")
done
tsort "$edges" >/dev/null || complain "files include each other in a circle"
[[ $status -eq 0 ]] && echo "includes: $(wc -l <"$edges") of them follow the arrows"
exit $status
