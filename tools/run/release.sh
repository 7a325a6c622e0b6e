# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The command ./run release: makes the files of a release in build/dist. Sourced by ./run.

# release_problems VERSION: prints the reasons why the present tree cannot be released, one a line.
release_problems()
{
    local version=$1 heading date changes tagged
    changes=$(git status --porcelain | wc -l)
    [[ $changes -eq 0 ]] || echo "$changes files have changes that are not committed, or are not known to git"
    heading=$(sed -n '/^## /{s/^## //p;q}' NEWS.md)
    date=${heading#"$version, "}
    if [[ ! $date =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; then
        echo "the first heading of NEWS.md is '## $heading', not '## $version, YYYY-MM-DD' with the version of the header"
        date=YYYY-MM-DD
    fi
    grep -qx "version: $version" CITATION.cff || echo "CITATION.cff does not have the line 'version: $version'"
    grep -qx "date-released: $date" CITATION.cff || echo "CITATION.cff does not have the line 'date-released: $date'"
    if tagged=$(git rev-parse -q --verify "refs/tags/v$version^{commit}") && [[ $tagged != $(git rev-parse HEAD) ]]; then
        echo "the tag v$version is another commit: ${tagged:0:12}"
    fi
}

# release_archive VERSION: makes the source archive from the commit. The same commit gives the same bytes.
release_archive()
{
    local archive=build/dist/libpto-$1.tar.gz
    git archive --format=tar --prefix="libpto-$1/" HEAD | gzip -9 -n >"$archive"
    tar -xzOf "$archive" "libpto-$1/include/pto/version.h" | cmp - include/pto/version.h
    say "$archive has $(stat -c %s "$archive") bytes"
}

# release_wheel: makes the wheel and the source distribution of the Python package. They have a folder of their own,
# because the source distribution has the same name as the source archive.
release_wheel()
{
    wheel
    mkdir build/dist/python
    cp build/wheel/*.whl build/wheel/*.tar.gz build/dist/python/
}

# release_packages: makes an archive of the binaries and, on Debian, packages.
release_packages()
{
    need "${package_packages[@]}"
    package
    find build/package -maxdepth 1 '(' -name '*.deb' -o -name '*.tar.gz' ')' -exec cp -t build/dist {} +
}

# release_recipes VERSION URL: fills the recipes of packaging/ with version, address and hashes of the source archive.
release_recipes()
{
    local archive=build/dist/libpto-$1.tar.gz
    python3 tools/release/recipes.py "$archive" "$2" "$(home_page)" build/dist/recipes
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -C build/dist -cf - recipes |
        gzip -9 -n >"build/dist/libpto-$1-recipes.tar.gz"
    rm -rf build/dist/recipes
}

# release_sbom VERSION URL INSTALL: writes the list of parts in SPDX, and validates it. If INSTALL is false, it does so only
# if the validator is installed.
release_sbom()
{
    local list=build/dist/libpto-$1.spdx.json tools=tools/requirements/release.txt
    python3 tools/release/sbom.py "$1" "$2" "$(home_page)" "$(git log -1 --format=%ct)" build/dist >"$list"
    if ! $3 && [[ ! -e build/release-python/complete ]]; then
        echo "release: the validation of $list: skipped: the packages of $tools are not installed"
    elif environment build/release-python "$tools"; then
        build/release-python/bin/pyspdxtools --infile "$list"
    else
        echo "release: the validation of $list: skipped: pip cannot install the packages of $tools"
    fi
}

# release_sums: writes SHA256SUMS, and checks it.
release_sums()
{
    (
        cd build/dist
        find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
        sha256sum --check --quiet SHA256SUMS
    )
}

# home_page: prints the address of the project.
home_page() { sed -n 's/.*HOMEPAGE_URL "\(.*\)".*/\1/p' CMakeLists.txt; }

# release_command [--dry-run] [--url URL]: makes the files of a release and its tag. It never pushes or uploads.
release_command()
{
    local dry=false install=true url="" version problems
    while [[ $# -gt 0 ]]; do
        case $1 in
        --dry-run) dry=true install=false ;;
        --url)
            [[ -n ${2:-} ]] || die "--url needs the address of the source archive"
            url=$2
            shift
            ;;
        *) die "release has no option $1; it has --dry-run and --url URL" ;;
        esac
        shift
    done
    git rev-parse --git-dir >/dev/null 2>&1 || die "a release is made from a clone, because the archive is made from a commit"
    version=$(sed -n 's/^#define PTO_VERSION_[MP][AI][JNT].* //p' include/pto/version.h | paste -sd.)
    url=${url:-$(home_page)/releases/libpto-$version.tar.gz}
    problems=$(release_problems "$version")
    if [[ -n $problems ]]; then
        echo "libpto $version cannot be released:"
        sed 's/^/  - /' <<<"$problems"
        if ! $dry; then die "commit what is missing, or see what would be made with --dry-run"; fi
    fi
    rm -rf build/dist
    mkdir -p build/dist
    step_count=6
    if $dry; then step_count=4; fi
    step release-archive 5 "source archive of $(git describe --always --dirty)" release_archive "$version"
    if ! $dry; then
        step release-wheel 300 "wheel" release_wheel
        step release-packages 300 "Debian packages and binary archive" release_packages
    fi
    step release-recipes 2 "recipes for $url" release_recipes "$version" "$url"
    step release-sbom 60 "list of parts (SPDX)" release_sbom "$version" "$url" "$install"
    step release-sums 5 "checksums" release_sums
    end_steps
    (cd build/dist && ls -lR)
    if $dry; then
        [[ -z $problems ]] || die "a dry run: no binaries, no tag; $(wc -l <<<"$problems") problems, see above"
        echo "a dry run: no binaries, no tag"
        return
    fi
    if ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then git tag -a "v$version" -m "libpto $version"; fi
    cat <<END
The tag v$version is in this clone only. Next, by hand:
  git verify-tag v$version      if you signed it; git tag -f -s v$version signs it
  git push origin v$version
  upload the files of build/dist to $(dirname "$url")
END
}
