#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests ./run release --dry-run in a copy of the tree that is ready for a release, and that it refuses what is not.
# The argument is the root of the repository. Exits with 77 outside a clone.
set -euo pipefail
root=$1
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
cd "$root"
git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf - 2>/dev/null |
    tar -xC "$work/tree"
cd "$work/tree"
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
export GIT_CONFIG_GLOBAL=/dev/null
# The list of parts is validated if the validator is installed.
mkdir build
if [[ -e $root/build/release-python/complete ]]; then
    ln -s "$(realpath "$root/build/release-python")" build/release-python
fi

fail()
{
    cat "$work/output"
    echo "release.sh: $*" >&2
    exit 1
}

# refuses TEXT: fails unless a dry run ends with an error and prints TEXT; then undoes the change.
refuses()
{
    if ./run release --dry-run >"$work/output" 2>&1; then fail "a dry run succeeds, instead of: $1"; fi
    grep -qF -- "$1" "$work/output" || fail "a dry run does not say: $1"
    git reset -q --hard ready
    git clean -qfd
    refused=$((refused + 1))
}

version=$(sed -n 's/^#define PTO_VERSION_[MP][AI][JNT].* //p' include/pto/version.h | paste -sd.)
sed -i "0,/^## .*/s//## $version, 2026-12-01/" NEWS.md
sed -i "s/^version: .*/version: $version\ndate-released: 2026-12-01/; /^date-released: [^2]/d" CITATION.cff
git init -q
git add -A
git commit -qm ready
git tag ready

# A tree that is ready: the files, their checksums, and the same bytes again.
./run release --dry-run --url "https://libpto.example/libpto-$version.tar.gz" >"$work/output" 2>&1 || fail "a dry run of a tree that is ready fails"
grep -qF "a dry run: no binaries, no tag" "$work/output" || fail "the last line is missing"
[[ -z $(git tag -l 'v*') ]] || fail "a dry run made a tag"
(cd build/dist && sha256sum --check --quiet SHA256SUMS)
cp build/dist/SHA256SUMS "$work/sums"
[[ $(wc -l <"$work/sums") -eq 3 ]] || fail "not three files: $(cat "$work/sums")"
mkdir "$work/archive" "$work/recipes"
tar -xzf "build/dist/libpto-$version.tar.gz" -C "$work/archive"
git -C "$work/archive/libpto-$version" init -q
git -C "$work/archive/libpto-$version" add -Af
[[ $(git -C "$work/archive/libpto-$version" write-tree) == $(git rev-parse "HEAD^{tree}") ]] || fail "the archive differs from the tree"
tar -xzf "build/dist/libpto-$version-recipes.tar.gz" -C "$work/recipes"
sum=$(sha256sum "build/dist/libpto-$version.tar.gz" | cut -d' ' -f1)
for recipe in conan/conandata.yml conda/recipe.yaml homebrew/libpto.rb spack/package.py; do
    grep -q "$sum" "$work/recipes/recipes/$recipe" || fail "$recipe does not have the hash of the archive"
    grep -q "https://libpto.example/libpto-$version.tar.gz" "$work/recipes/recipes/$recipe" || fail "$recipe does not have the address"
done
./run release --dry-run --url "https://libpto.example/libpto-$version.tar.gz" >"$work/output" 2>&1 || fail "a second dry run fails"
cmp "$work/sums" build/dist/SHA256SUMS || fail "a second dry run makes other bytes"

# A release, with other files in place of the wheel and the packages, which take minutes to build.
cat >>tools/run/release.sh <<'END'
need() { :; }
environment() { [[ -e $1/complete ]]; }
wheel()
{
    mkdir -p build/wheel/pto.libs
    tar -czf "build/wheel/libpto-$version.tar.gz" LICENSE
    echo >build/wheel/pto.libs/libsleef.so
    (cd build/wheel && python3 -m zipfile -c "libpto-$version-cp310-abi3-linux.whl" pto.libs)
}
package()
{
    mkdir -p build/package/folder/share/doc
    echo licence >build/package/folder/share/doc/LICENSE.xxHash
    tar -C build/package -czf "build/package/libpto-$version-linux-cpu.tar.gz" folder
}
END
git commit -qam replaced
./run release --url "https://libpto.example/libpto-$version.tar.gz" >"$work/output" 2>&1 || fail "a release fails"
[[ $(git rev-parse "v$version^{commit}") == $(git rev-parse HEAD) ]] || fail "the release has no tag"
(cd build/dist && sha256sum --check --quiet SHA256SUMS)
[[ $(wc -l <build/dist/SHA256SUMS) -eq 6 ]] || fail "not six files: $(cat build/dist/SHA256SUMS)"
tar -tzf "build/dist/libpto-$version.tar.gz" >"$work/list" || fail "the source archive is overwritten"
grep -qx "libpto-$version/docs/install.md" "$work/list" || fail "the source archive has no docs/"
cat >"$work/sbom.txt" <<END
libpto-$version-linux-cpu.tar.gz INSTALL MIT AND BSD-2-Clause https://libpto.example/libpto-$version-linux-cpu.tar.gz
libpto-$version-recipes.tar.gz SOURCE MIT https://libpto.example/libpto-$version-recipes.tar.gz
libpto-$version.tar.gz SOURCE MIT AND Apache-2.0 https://libpto.example/libpto-$version.tar.gz
python/libpto-$version-cp310-abi3-linux.whl INSTALL MIT AND BSL-1.0 https://libpto.example/python/libpto-$version-cp310-abi3-linux.whl
python/libpto-$version.tar.gz SOURCE MIT https://libpto.example/python/libpto-$version.tar.gz
END
python3 -c '
import json, sys
for one in json.load(open(sys.argv[1]))["packages"]:
    if "packageFileName" in one:
        print(one["name"], one["primaryPackagePurpose"], one["licenseDeclared"], one["downloadLocation"])
' "build/dist/libpto-$version.spdx.json" | sort | diff "$work/sbom.txt" - || fail "the list of parts is wrong"
git tag -d "v$version" >/dev/null
git reset -q --hard ready

# Trees that are not ready.
refused=0
echo >>README.md
refuses "1 files have changes that are not committed"
sed -i 's/^\(#define PTO_VERSION_PATCH\).*/\1 99/' include/pto/version.h
git commit -qam version
refuses "with the version of the header"
sed -i 's/^version: .*/version: 9.9.9/' CITATION.cff
git commit -qam citation
refuses "CITATION.cff does not have the line 'version: $version'"
sed -i '/^date-released/d' CITATION.cff
git commit -qam date
refuses "CITATION.cff does not have the line 'date-released: 2026-12-01'"
git tag "v$version"
git commit -q --allow-empty -m later
refuses "the tag v$version is another commit"
git tag -d "v$version" >/dev/null
echo '@UNKNOWN@' >>packaging/spack/package.py
git commit -qam word
refuses "unknown words @UNKNOWN@"

# Without --dry-run nothing is made from a tree that is not ready.
echo >>README.md
if ./run release >"$work/output" 2>&1; then fail "a release is made from a tree with changes"; fi
grep -qF "commit what is missing" "$work/output" || fail "a release does not say what is missing"
[[ -z $(git tag -l 'v*') ]] || fail "a refused release made a tag"
echo "release: the files of a dry run are correct, and $refused trees that are not ready are refused"
