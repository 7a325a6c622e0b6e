#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run in a fresh root, whose folder /package-test has the Debian packages and test/consumer/project. Installs the packages,
# builds and runs programs with them, removes them, and checks that no file is left.
set -euo pipefail
cd /package-test
export LC_ALL=C.UTF-8

fail()
{
    echo "package: $*" >&2
    exit 1
}

# files: lists the files of the root, without those that package managers and tools change.
files()
{
    find / -xdev \( -path /package-test -o -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var/lib/dpkg \
        -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /root \) -prune -o -print | sort
}

names=$(for package in ./*.deb; do dpkg-deb -f "$package" Package; done)
# shellcheck disable=SC2086 # several names
dpkg --purge $names >/dev/null 2>&1 # left by a test that failed
files >before.txt
dpkg --install ./*.deb
for name in $names; do
    for file in copyright changelog.Debian.gz; do
        [[ -s /usr/share/doc/$name/$file ]] || fail "$name has no $file"
    done
done
grep -q "xxHash" /usr/share/doc/pto/copyright || fail "the licence of xxHash is missing"

# The project of the consumer tests, through find_package() and through pkg-config.
cmake -S project -B built -G Ninja
cmake --build built
for program in c cxx c-shared c-static two-calls two-calls-static program; do
    ./built/$program || fail "$program fails"
done
read -ra flags <<<"$(pkg-config --cflags --libs pto)"
gcc -std=c11 project/user.c -o user "${flags[@]}"
./user
read -ra flags <<<"$(pkg-config --cflags --libs pto-program)"
gcc -std=c11 project/program.c -o program "${flags[@]}"
./program
ldd ./program | grep -q '=> /.*/libpto-program[.]so' || fail "the program does not use the shared library"

[[ $(pto --version) == "pto $(pkg-config --modversion pto)" ]] || fail "pto --version"
[[ $(pto eval cvt.rn.satfinite.e4m3x2.f32 0.1 -1000) == *0x1dfe* ]] || fail "pto eval"
[[ -s /usr/share/man/man1/pto.1.gz && -s /usr/share/bash-completion/completions/pto ]] || fail "no man page or completion"

# shellcheck disable=SC2086 # several names
dpkg --purge $names
files >after.txt
diff before.txt after.txt || fail "these files are left"
echo "package: installed, used and removed in a fresh root: $(paste -sd ' ' <<<"$names")"
