#!/usr/bin/env bash
# SPDX-License-Identifier: MIT part.sh K N FOLDER [FORM]...: computes part K of N (K counts from 0) of the digests of
# these forms, or of all forms. It writes files to a folder that all parts share. Existing files are not computed
# again, so a part that was killed can simply be started again.
set -euo pipefail
pto=${PTO:-pto}
k=$1 n=$2 folder=$3
shift 3
mkdir -p "$folder"
i=0
while read -r form _ _ _ shares _; do
    turn=$(((k + i++) % n)) # so that forms with few shares are not all in the last part
    begin=$((shares * turn / n)) end=$((shares * (turn + 1) / n))
    done=$folder/$form.$begin-$end.jsonl
    if [[ $begin -eq $end || -e $done ]]; then continue; fi
    part=$done.$(uname -n).$$ # a unique name: a process that a killed part started may still be writing
    "$pto" digest --range "$begin:$end" "$form" >"$part"
    mv "$part" "$done" # only complete files have this name
done < <("$pto" digest --list "$@")
