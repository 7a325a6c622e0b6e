#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# part.sh K N FOLDER [FORM]...: part K (from 0 on) of N of the digests of these forms, or of all, as files in a folder that
# all parts share. What is there already is not computed again, so a part that was killed is simply started again.
set -euo pipefail
pto=${PTO:-pto}
k=$1 n=$2 folder=$3
shift 3
mkdir -p "$folder"
i=0
while read -r form _ _ _ shares _; do
    turn=$(((k + i++) % n)) # so that forms of a few shares are not all the last part's
    begin=$((shares * turn / n)) end=$((shares * (turn + 1) / n))
    done=$folder/$form.$begin-$end.jsonl
    if [[ $begin -eq $end || -e $done ]]; then continue; fi
    part=$done.$(uname -n).$$ # no other's, even if what a killed part has started still writes
    "$pto" digest --range "$begin:$end" "$form" >"$part"
    mv "$part" "$done" # a file with this name is whole
done < <("$pto" digest --list "$@")
