#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test/package/archive.sh FILE: unpacks the archive of ./run package, uses it where it lies, and checks its files.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d "$root/build/archive.XXXXXX")
trap 'rm -rf "$folder"' EXIT
if tar -tvzf "$1" | grep -Ev '^(d.{6}r-x|-.{6}r-.|l)'; then
    echo "package: not everyone can read these files" >&2
    exit 1
fi
tar -xzf "$1" -C "$folder" --strip-components=1
lib=$(dirname "$(find "$folder" -name libpto.so)")
read -ra flags < <(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --cflags --libs pto)
gcc -std=c11 "$root/test/consumer/project/two_calls.c" -o "$folder/program" "${flags[@]}" -Wl,-rpath,"$lib"
"$folder/program"
grep -q "Yann Collet" "$folder/share/doc/libpto/LICENSE.xxHash" # its code is in the command
(cd / && "$folder/bin/pto" eval cvt.rn.bf16.f32 1.5 >/dev/null)
if grep -rIl -e "$root" "$folder" --include='*.cmake' --include='*.pc'; then
    echo "package: these files name the folder where they were made" >&2
    exit 1
fi
features="noexecstack;relro;stack-protector;fortify"
if [[ $(uname -m) == x86_64 ]]; then features+=";cet"; fi
for file in "$lib"/libpto.so "$lib"/libpto-program.so "$folder/bin/pto"; do
    if [[ $file == */pto ]]; then features+=";pie"; fi
    cmake -DREADELF=readelf -DFILE="$file" -DFEATURES="$features" -P "$root/test/cmake/hardening_check.cmake"
done
echo "package: $(basename "$1") works where it is unpacked"
