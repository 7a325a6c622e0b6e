# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The command ./run package, and the configuration `package`, which tests what users install. Sourced by ./run.

# package_build PREFIX OPTION...: builds build/package-build for an installation under PREFIX. A later call with another
# prefix only links again.
package_build()
{
    local prefix=$1
    shift
    cmake -S . -B build/package-build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF \
        -DPTO_SLEEF=ON -DCMAKE_INSTALL_PREFIX="$prefix" "$@"
    cmake --build build/package-build -j "$jobs"
}

# package: makes the archive and the Debian packages in build/package. Debian's libraries lie in the linker's folders,
# so its programs must have no run path. The archive can be unpacked anywhere, so its programs need one.
package()
{
    local log=build/log/package.log epoch
    mkdir -p build/log
    rm -rf build/package "$log"
    if epoch=$(git log -1 --format=%ct 2>/dev/null); then export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$epoch}; fi
    echo "building; the output is in $log"
    quietly "$log" package_build /usr/local -DCMAKE_SKIP_INSTALL_RPATH=OFF
    quietly "$log" cpack --config build/package-build/CPackConfig.cmake -G TGZ -B "$PWD/build/package"
    if command -v dpkg-shlibdeps >/dev/null; then
        quietly "$log" package_build /usr -DCMAKE_SKIP_INSTALL_RPATH=ON
        quietly "$log" cpack --config build/package-build/CPackConfig.cmake -G DEB -B "$PWD/build/package"
    else
        echo "package: Debian packages: skipped: no dpkg-shlibdeps"
    fi
    rm -rf build/package/_CPack_Packages
    say "build/package has:"
    (cd build/package && du -h --apparent-size ./*)
}

# fresh_root FOLDER PACKAGE...: installs a minimal Debian with these packages into a folder, with debootstrap, unless it
# is there already. If it cannot, prints the reason and fails.
fresh_root()
{
    local folder=$1 suite mirror
    shift
    if [[ $(cat "$folder/complete" 2>/dev/null) == "$*" ]]; then return; fi
    if ! command -v debootstrap >/dev/null || ! command -v apt-get >/dev/null; then
        echo "no debootstrap"
        return 1
    fi
    # shellcheck disable=SC2016 # the names in parentheses are apt's
    read -r mirror suite < <(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | head -n 1)
    as_root rm -rf "$folder"
    mkdir -p "$folder"
    quietly build/log/debootstrap.log as_root debootstrap --variant=minbase --include="$(IFS=, && echo "$*")" \
        "$suite" "$folder" "$mirror" || {
        echo "debootstrap cannot install $suite from $mirror"
        return 1
    }
    as_root rm -rf "$folder"/var/cache/apt/archives/*.deb
    echo "$*" | as_root tee "$folder/complete" >/dev/null
}

# run_in_fresh_root FOLDER PACKAGES SCRIPT FILE...: installs a minimal Debian with PACKAGES, names separated by spaces, into
# FOLDER, and runs SCRIPT of test/package there. The folder /package-test has the files. Prints why if it cannot.
run_in_fresh_root()
{
    local root=$1 packages script=$3 reason
    read -ra packages <<<"$2"
    shift 3
    if ! reason=$(fresh_root "$root" "${packages[@]}"); then
        echo "package: the fresh root: skipped: $(tail -n 1 <<<"$reason")"
        return
    fi
    as_root rm -rf "$root/package-test"
    as_root mkdir "$root/package-test"
    as_root cp -r "$@" "test/package/$script" "$root/package-test"
    if ! as_root chroot "$root" true; then
        echo "package: the fresh root: skipped: chroot is not allowed"
        return
    fi
    as_root chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin bash "/package-test/$script"
    as_root rm -rf "$root/package-test"
}

# test_debian_packages: checks the Debian packages with lintian, and installs, uses and removes them in a fresh root.
test_debian_packages()
{
    local package
    for package in build/package/*.deb; do
        if dpkg-deb -c "$package" | grep -Ev '^(d.{6}r-x|-.{6}r-.|l)'; then die "not everyone can read these files of $package"; fi
    done
    [[ $(for package in build/package/*.deb; do dpkg-deb -f "$package" Description | head -n 1; done | sort | uniq -d) == "" ]] ||
        die "two packages have the same summary"
    lintian --allow-root --fail-on error --tag-display-limit 0 build/package/*.deb
    echo "package: lintian finds no error"
    run_in_fresh_root build/package-root "g++ cmake ninja-build pkg-config libsleef-dev libjansson4" fresh_root.sh \
        build/package/*.deb test/consumer/project
}

# test_packages: the configuration `package`.
test_packages()
{
    (umask 077 && package) # packages do not depend on it
    if compgen -G "build/package/*.deb" >/dev/null; then test_debian_packages; fi
    test/package/archive.sh build/package/libpto-*.tar.gz
    tools/abi.sh check
    need_environment build/wheel-tools tools/requirements/wheel.txt
    PATH=$PWD/build/wheel-tools/bin:$PATH test/package/reproducible.sh "$PWD/build/wheel-tools/bin/python"
}
