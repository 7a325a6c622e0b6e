#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_circles.sh NM OBJECT...: fails if object files of one library need symbols of each other in a circle. First it
# checks that it finds a planted circle.
set -euo pipefail
nm=$1
shift

# edges: reads lines "OBJECT: SYMBOL TYPE ..." of nm and prints a line "OBJECT OTHER" for each object that needs a symbol
# of another one.
edges() {
    awk '{ sub(/:$/, "", $1) }
        $3 ~ /^[Uvw]$/ { needs[$1 " " $2] }
        $3 ~ /^[A-TV-Z]$/ { defined_by[$2] = $1 }
        END {
            for (need in needs) {
                split(need, part, " ")
                if (part[2] in defined_by && defined_by[part[2]] != part[1]) print part[1], defined_by[part[2]]
            }
        }'
}

# without_variants: removes the one circle that is allowed. The tables in a backend's kernels.c refer to kernels of its
# variant in fp16.c, and these call kernels of the backend.
without_variants() { grep -vE '/kernels\.c[^ ]* [^ ]*/fp16\.c' || true; }

if printf '%s\n' 'a.o: f T' 'a.o: g U' 'b.o: g T' 'b.o: h U' 'c.o: h D' 'c.o: f U' | edges | tsort >/dev/null 2>&1; then
    echo "circles: the planted circle of three objects was not found" >&2
    exit 1
fi
found=$("$nm" -A -P "$@" | edges | without_variants)
if [[ -z $found ]]; then
    echo "circles: $nm shows no object that needs another one" >&2
    exit 1
fi
if ! loops=$(tsort <<<"$found" 2>&1 >/dev/null); then
    { # only the first one
        echo "circles: these objects need symbols of each other:"
        sed -n '2,$ { /loop:$/q; p }' <<<"$loops"
    } >&2
    exit 1
fi
echo "circles: none among $# objects"
