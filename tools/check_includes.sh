#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks which folder includes which. It fails on an include that the list below does not allow, on a path that is not
# relative to the root of its tree, and on a circular include.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# TREE FOLDER: the folders of the tree that FOLDER may include, besides itself. All folders may include "pto/...".
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

# includes_of TREE: prints every include of a tree as "FROM-FILE TO-PATH", without those of generated files and of other
# trees.
includes_of() {
    grep -rHoE '^ *# *include +"[^"]+"' "$1" --include='*.[ch]' --include='*.cpp' |
        sed -E "s|^$1/||; s|: *# *include +\"| |; s|\"\$||" | grep -vE ' (pto/.*|[^/]*\.inc|truth_inputs\.h|(ptx|digest)_[a-z]+\.h|npy\.h|safetensors\.h)$'
}

# room_of PATH: prints the top folder of a path relative to its tree's root, or "." for a file there.
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
        if [[ $tree == test && $from == consumer/* ]]; then continue; fi # these are programs as users write them
        if [[ $tree == test && $from == command/* && -e cli/$to ]]; then continue; fi # these test parts of the command
        if [[ $tree == test && $from == proof/* && -e src/$to ]]; then continue; fi # these read tables and run kernels
        here=$(room_of "$from") there=$(room_of "$to")
        allowed=$(sed -n "s|^$tree ${here/./\\.}: *||p" <<<"$arrows")
        if [[ ! -e $tree/$to ]]; then
            complain "$tree/$from: \"$to\" is no path from $tree/"
        elif ! grep -q "^$tree ${here/./\\.}:" <<<"$arrows"; then
            complain "$tree/$from: $tree/$here has no line in the list of tools/check_includes.sh"
        elif [[ $here != "$there" && " $allowed " != *" $there "* ]]; then
            complain "$tree/$from: $here may not include $there ($to)"
        fi
        echo "$tree/$from $tree/$to" >>"$edges"
    done < <(includes_of "$tree")
done
tsort "$edges" >/dev/null || complain "files include each other in a circle"
[[ $status -eq 0 ]] && echo "includes: $(wc -l <"$edges") of them, all allowed"
exit $status
