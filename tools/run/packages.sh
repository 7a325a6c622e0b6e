# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Installs packages: Debian's with apt, Python's with pip into folders of build/. Sourced by ./run.

build_packages=(gcc g++ libc6-dev cmake ninja-build pkg-config libsleef-dev libxxhash-dev
    libjansson-dev)
# The packages that every configuration of the tests needs.
test_packages=("${build_packages[@]}" libsimde-dev libcmocka-dev binutils python3-dev python3-venv python3-pip)
short_packages=(clang-format shellcheck)
clang_packages=(clang)
lint_packages=(clang clang-tidy cppcheck clang-format shellcheck)
aarch64_packages=(qemu-user gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross)
riscv64_packages=(qemu-user gcc-riscv64-linux-gnu libc6-dev-riscv64-cross)
i686_packages=(gcc-i686-linux-gnu libc6-dev-i386-cross)
ppc64le_packages=(qemu-user gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross)
armv7_packages=(qemu-user gcc-arm-linux-gnueabihf libc6-dev-armhf-cross)
musl_packages=(musl-tools)
wasm_packages=(clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 nodejs)
web_packages=("${wasm_packages[@]}" cmake ninja-build python3 esbuild)
# clang, lld and llvm compile and link as users of MSVC do.
windows_packages=(wine wine64 gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix clang lld llvm)
rvv_packages=(clang-19) # of Debian 12's compilers, only this and clang-16 have the intrinsics of RVV 1.0
# test/proof reads the LLVM IR that this version of clang writes, for Arm too, and runs instructions of Arm in qemu.
proof_packages=(clang-19 qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
package_packages=(dpkg-dev file) # for cpack
package_test_packages=(lintian debootstrap abigail-tools)
bench_packages=(libbenchmark-dev libhwy-dev)
picture_packages=(python3 python3-matplotlib)
docs_packages=(doxygen doxygen-awesome-css python3)
arm64_packages=(libsleef-dev libsleef3 libcmocka-dev libcmocka0 libxxhash-dev) # for the cross build, only unpacked
apfloat_packages=(llvm-19-dev)

# Python packages are pinned with their hashes in tools/requirements/NAME.txt, whose first line is a comment with the size
# of the download. `./run requirements` writes these files from NAME.in.
stack_lists=(tools/requirements/stack-*.txt)      # stacks with whose functions witness.block compares
bench_peer_lists=(tools/requirements/peer-*.txt) # peers of the bench of the Python package

as_root()
{
    if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

# apt_installed PACKAGE: succeeds if the package is installed.
apt_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# apt_install LOG PACKAGE...: installs packages; apt's output goes to LOG and is shown if it fails.
apt_install()
{
    local log=$1
    shift
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        install --no-install-recommends "$@"
}

# need PACKAGE...: prints the names and size of missing packages, and installs them. On systems without apt it only
# prints the names, because the tools may be installed under other names.
need()
{
    local package size missing=() log=build/log/apt.log progress
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "run: this is not Debian; continuing with the tools that are here. Debian's names of what is needed: $*" >&2
        return
    fi
    for package in $(printf '%s\n' "$@" | sort -u); do
        apt_installed "$package" || missing+=("$package")
    done
    if [[ ${#missing[@]} -eq 0 ]]; then return; fi
    mkdir -p build/log
    echo "reading apt's lists of packages"
    quietly "$log" as_root apt-get -q -o DPkg::Lock::Timeout=300 update ||
        echo "run: apt-get update failed; trying with the lists that are here" >&2
    size=$(as_root apt-get -q --assume-no --no-install-recommends install "${missing[@]}" 2>/dev/null |
        sed -nE 's/^Need to get (.*) of archives\.$/\1 to download/p; s/^After this operation, (.*) of additional.*/\1 on disk/p' |
        paste -sd, | sed 's/,/, /') || true
    echo "installing with apt (${size:-size unknown}): ${missing[*]}"
    show_progress "$log" 60 &
    progress=$!
    if apt_install "$log" "${missing[@]}"; then
        kill "$progress"
    else
        kill "$progress"
        return 1
    fi
}

# arm64_libraries: unpacks the arm64 libraries for the cross build to build/arm64. apt fetches and verifies them with
# separate package lists, because adding an architecture to the machine's lists may upgrade its C library.
arm64_libraries()
{
    local package apt=$PWD/build/apt-arm64
    if [[ $(cat build/arm64/complete 2>/dev/null) == "${arm64_packages[*]}" ]]; then return; fi
    echo "fetching for arm64: ${arm64_packages[*]}"
    rm -rf build/arm64 "$apt"
    mkdir -p build/arm64 "$apt"/{lists,cache/archives}/partial
    cat >"$apt/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "/dev/null";
Dir::Cache "$apt/cache";
END
    APT_CONFIG=$apt/apt.conf apt-get -q update
    (cd "$apt" && APT_CONFIG=$apt/apt.conf apt-get -q download "${arm64_packages[@]}")
    for package in "$apt"/*.deb; do dpkg-deb -x "$package" build/arm64; done
    rm -rf "$apt"
    echo "${arm64_packages[*]}" >build/arm64/complete
}

# python_with MODULE: prints the name of a Python that has the module: the first in the path, or otherwise Debian's.
python_with()
{
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    return 1
}

# pip_install PYTHON ARGUMENT...: runs pip install without questions and without a progress bar.
pip_install()
{
    local python=$1
    shift
    timeout 1800 "$python" -m pip install --quiet --no-input --disable-pip-version-check --retries 1 "$@"
}

# list_size LIST: prints the size of the download of a requirements file.
list_size() { sed -n '1s/^# //p' "$1"; }

# pip_install_list PYTHON LIST [ARGUMENT...]: installs exactly the packages of a requirements file with hashes.
pip_install_list()
{
    pip_install "$1" --require-hashes --no-deps --only-binary :all: -r "$2" "${@:3}"
}

# install_lists NAME FOLDER LIST...: installs the packages of requirements files into the Python environment FOLDER, each
# file unless it is installed already. NAME is printed with the files that pip cannot get. FOLDER/lists names those that
# are installed.
install_lists()
{
    local list state name=$1 folder=$2
    shift 2
    for list; do
        state="$list $(cksum <"$list")"
        if grep -qsxF -- "$state" "$folder/lists"; then continue; fi
        say "installing the packages of $list ($(list_size "$list") to download)"
        if pip_install_list "$folder/bin/python" "$list"; then
            echo "$state" >>"$folder/lists"
        else
            echo "$name: skipped: pip cannot install $list here" >&2
        fi
    done
}

# wheels FOLDER LIST: installs the packages of a requirements file into FOLDER, unless they are there already.
# FOLDER/complete has the checksum of LIST, and FOLDER/python names the Python. Without pip or a network it prints a
# message and succeeds: the tests then use the machine's packages, or are skipped.
wheels()
{
    local python folder=$1 list=$2 log=$1.log state
    state=$(cksum <"$list")
    if [[ $(cat "$folder/complete" 2>/dev/null) == "$state" ]]; then return; fi
    python=$(python_with pip) || {
        echo "witnesses: skipped: no Python with pip"
        return
    }
    echo "installing with pip into $folder ($(list_size "$list") to download): the packages of $list"
    rm -rf "$folder.part"
    mkdir -p build
    pip_install_list "$python" "$list" --target "$folder.part" >"$log" 2>&1 || {
        rm -rf "$folder.part"
        echo "witnesses: skipped: pip cannot install $list here ($(tail -n 1 "$log"))"
        return
    }
    command -v "$python" >"$folder.part/python"
    echo "$state" >"$folder.part/complete"
    rm -rf "$folder"
    mv "$folder.part" "$folder"
}

# witnesses: installs the packages with which tests compare libpto.
witnesses()
{
    wheels build/witnesses tools/requirements/witnesses.txt
    wheels build/witnesses-python tools/requirements/witnesses-python.txt
}

# empty_environment FOLDER [PYTHON]: makes a Python environment that has only pip, with PYTHON, or with the first Python
# that has venv.
empty_environment()
{
    local python=${2:-}
    if [[ -z $python ]]; then python=$(python_with ensurepip) || return 1; fi
    rm -rf "$1"
    mkdir -p build
    "$python" -m venv "$1"
}

# environment FOLDER LIST: makes a Python environment with exactly the packages of LIST, a requirements file with hashes,
# unless it is there already. Fails if pip cannot get them.
environment()
{
    local folder=$1 list=$2 state
    state=$(cksum <"$list")
    if [[ $(cat "$folder/complete" 2>/dev/null) == "$state" ]]; then return; fi
    echo "installing with pip into $folder ($(list_size "$list") to download): the packages of $list"
    empty_environment "$folder" && pip_install_list "$folder/bin/python" "$list" || return 1
    echo "$state" >"$folder/complete"
}

# need_environment FOLDER LIST: the same, but ends ./run with a message if pip cannot get the packages.
need_environment() { environment "$@" || die "pip cannot install the packages of $2"; }

# requirements [NAME...]: writes the requirements files from the lists of packages, or only those with these names.
requirements()
{
    need_environment build/lock-python tools/requirements/lock.txt
    PATH=$PWD/build/lock-python/bin:$PATH python tools/requirements/lock.py "$@"
}
