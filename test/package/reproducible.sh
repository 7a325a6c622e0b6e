#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test/package/reproducible.sh PYTHON: builds the tree in two folders, and checks that the installations and the wheels are
# equal, bit for bit. PYTHON has scikit-build-core and NumPy. Few backends are built, with the flags of a release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=$1
work=$root/build/reproducible
backends=scalar
if [[ $(uname -m) == x86_64 ]]; then backends=avx2; fi
export CCACHE_DISABLE=1 SOURCE_DATE_EPOCH=1700000000
unset CFLAGS LDFLAGS

# build FOLDER: copies the source to FOLDER/source, and installs to FOLDER/installed and FOLDER/wheel.
build()
{
    mkdir -p "$1/source"
    tar -C "$root" --exclude=./build --exclude='./build-*' --exclude=./.git -cf - . | tar -C "$1/source" -xf -
    cmake -S "$1/source" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF \
        -DPTO_BACKENDS=$backends
    cmake --build "$1/build" -j "$(nproc)"
    cmake --install "$1/build" --prefix "$1/installed"
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-cache-dir \
        --wheel-dir "$1/wheel" -C cmake.define.PTO_BACKENDS=scalar "$1/source"
}

rm -rf "$work"
build "$work/one"
build "$work/a second/and longer folder"
diff -r "$work/one/installed" "$work/a second/and longer folder/installed"
diff -r "$work/one/wheel" "$work/a second/and longer folder/wheel"
if grep -rl -e "$work" "$work/one/installed" "$work/one/wheel"; then
    echo "package: these files name the folder where they were built" >&2
    exit 1
fi
echo "package: $(find "$work/one/installed" -type f | wc -l) files and the wheel are equal in two builds"
rm -rf "$work"
