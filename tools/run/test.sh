# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The command ./run test: runs the short test, the whole matrix, or parts of it. Sourced by ./run.

# The configurations of the whole matrix, in its order, with their time in seconds on two cores. All except lint, python,
# frameworks, integrations, template, package, web, cross and proof are presets of CMakePresets.json.
declare -A configuration_seconds=(
    [release]=150 [gcc-release]=800 [lint]=900 [clang-release]=500 [python]=300 [frameworks]=500 [integrations]=300
    [gcc-debug]=700 [sanitize]=900 [no-sleef]=400 [hostile]=250 [hostile-clang]=300 [generic]=200 [no-avx]=700
    [template]=400 [aarch64]=680 [riscv64]=600 [ppc64le]=600 [i686]=300 [wasm]=200 [armv7]=600
    [musl]=200 [package]=750 [web]=240 [windows]=300 [clang-19]=200 [cross]=400 [proof]=800)
configurations=(release gcc-release lint clang-release python frameworks integrations gcc-debug sanitize no-sleef
    hostile hostile-clang generic no-avx template aarch64 riscv64 ppc64le i686 wasm armv7
    musl package web windows clang-19 cross proof)

# Groups that take about the same time. `./run test turn` runs one, chosen by the number of commits, so that CI runs
# all of them over time.
turns=("gcc-release lint" "clang-release python" "frameworks i686" "windows web" "ppc64le no-sleef" "aarch64"
    "no-avx template" "gcc-debug hostile" "sanitize" "hostile-clang" "riscv64" "wasm musl" "armv7 package"
    "generic integrations" "clang-19 cross" "proof")

# configuration_packages NAME: prints the packages that a configuration needs.
configuration_packages()
{
    local packages=("${test_packages[@]}")
    case $1 in
    gcc-release) packages+=("${bench_packages[@]}" "${docs_packages[@]}") ;;
    clang-release) packages+=("${bench_packages[@]}" "${clang_packages[@]}") ;;
    lint) packages+=("${lint_packages[@]}" "${bench_packages[@]}" "${docs_packages[@]}") ;;
    python) packages+=("${lint_packages[@]}" debootstrap) ;;
    template) packages+=("${lint_packages[@]}") ;;
    hostile-clang) packages+=("${clang_packages[@]}") ;;
    no-avx) packages+=(qemu-user) ;;
    aarch64) packages+=("${aarch64_packages[@]}") ;;
    riscv64) packages+=("${riscv64_packages[@]}") ;;
    ppc64le) packages+=("${ppc64le_packages[@]}") ;;
    i686) packages+=("${i686_packages[@]}") ;;
    armv7) packages+=("${armv7_packages[@]}") ;;
    musl) packages+=("${musl_packages[@]}") ;;
    wasm) packages+=("${wasm_packages[@]}") ;;
    web) packages+=("${web_packages[@]}" chromium) ;;
    package) packages+=("${package_packages[@]}" "${package_test_packages[@]}") ;;
    windows) packages+=("${windows_packages[@]}") ;;
    clang-19) packages+=(clang-19) ;;
    cross) packages+=(llvm qemu-user) ;;
    proof) packages+=("${proof_packages[@]}") ;;
    esac
    echo "${packages[@]}"
}

# optional_packages NAME...: installs packages that some of the configurations can use but do not need, if available.
optional_packages()
{
    if [[ " $* " == *" gcc-release "* ]]; then
        need "${apfloat_packages[@]}" || echo "run: no ${apfloat_packages[*]}: witness.apfloat is skipped"
    fi
    if [[ " $* " == *" riscv64 "* ]]; then
        need "${rvv_packages[@]}" || echo "run: no ${rvv_packages[*]}: riscv64 is built by gcc, without RVV before gcc 14"
    fi
}

# not_here NAME: prints why a configuration cannot run on this machine, or nothing.
not_here()
{
    case $1 in
    proof)
        if [[ $machine != x86_64 ]]; then
            echo "not an x86-64 machine"
        else
            python_with ensurepip >/dev/null || echo "no Python with venv"
        fi
        ;;
    python | frameworks | integrations | package | web | cross) python_with ensurepip >/dev/null || echo "no Python with venv" ;;
    lint | no-avx | riscv64 | ppc64le | i686 | armv7 | musl | windows | clang-19) [[ $machine == x86_64 ]] || echo "not an x86-64 machine" ;;
    aarch64)
        if [[ $machine == aarch64 ]]; then
            echo "this machine is 64-bit Arm itself"
        elif ! command -v apt-get >/dev/null; then
            echo "no apt to fetch the arm64 libraries with"
        fi
        ;;
    esac
}

# emulator_refuses_avx: fails if the emulated CPU of the configuration no-avx runs AVX instructions, because the
# configuration would then test nothing.
emulator_refuses_avx()
{
    local status=0
    echo 'int main(void) { __asm__ volatile("vxorps %ymm0, %ymm0, %ymm0"); return 0; }' | gcc -x c - -o build/avx-probe
    (qemu-x86_64 -cpu Opteron_G1 build/avx-probe) >/dev/null 2>&1 || status=$?
    [[ $status -eq 132 ]] || die "the emulated CPU does not refuse AVX (exit status $status)"
}

# wine_folder: creates wine's configuration in a temporary folder and exports its name as WINEPREFIX. Otherwise programs
# that start at the same time would all create it. The folder is removed when this shell ends. wine must run programs
# then. Its server stays for a minute after the last program: Debian's ends with that program, and then a program that
# starts at that moment fails.
wine_folder()
{
    WINEPREFIX=$(mktemp -d)
    export WINEPREFIX
    trap 'wineserver -k || true; rm -rf "$WINEPREFIX"' EXIT
    wineserver -p60
    tools/run_wine.sh wineboot --init >/dev/null 2>&1 || true
    tools/run_wine.sh cmd /c ver >/dev/null || die "wine does not run programs"
}

run_configuration()
{
    case $1 in
    lint) lint ;;
    python) test_python ;;
    frameworks) test_frameworks ;;
    integrations) test_integrations ;;
    template) template/test.sh ;;
    web) test_web ;;
    cross) test_cross ;;
    proof) test_proof ;;
    package) test_packages ;;
    *)
        case $1 in
        no-avx) emulator_refuses_avx ;;
        aarch64) arm64_libraries ;;
        esac
        build "$1"
        if [[ $1 == windows ]]; then wine_folder; fi
        ctest --preset "$1" -j "$jobs"
        ;;
    esac
}

# ---- configurations that have passed are not run again ----

# tree_state: prints a line that changes with any file of the work tree that git does not ignore, with the CPU and with
# the compilers. It prints nothing without git or outside a repository.
tree_state()
{
    local index tree
    index=$(mktemp)
    if git rev-parse --git-dir >/dev/null 2>&1 && cp "$(git rev-parse --git-path index)" "$index" 2>/dev/null &&
        GIT_INDEX_FILE=$index git add -A 2>/dev/null && tree=$(GIT_INDEX_FILE=$index git write-tree 2>/dev/null); then
        echo "$tree $( (lscpu 2>/dev/null | grep -E '^(Model name|Flags)'; gcc --version; clang --version) 2>/dev/null | cksum)"
    fi
    rm -f "$index"
}

# remember_green NAME STATE: records that a configuration passed, unless a file changed while it ran.
remember_green()
{
    mkdir -p build/green
    if [[ -n $2 && $(tree_state) == "$2" ]]; then echo "$2" >"build/green/$1"; fi
}

# ---- the commands ----

# run_configurations [resume] NAME...: runs each configuration as a step. With `resume`, those that have passed for
# the same files are skipped.
run_configurations()
{
    local resume=false name reason state packages=() chosen=()
    if [[ $1 == resume ]]; then
        resume=true
        shift
    fi
    state=$(tree_state)
    for name; do
        reason=$(not_here "$name")
        if [[ -z $reason ]] && $resume && [[ -n $state && $(cat "build/green/$name" 2>/dev/null) == "$state" ]]; then
            reason="it has passed for the same files"
        fi
        if [[ -n $reason ]]; then
            echo "$name: skipped: $reason"
        else
            chosen+=("$name")
            read -ra packages <<<"${packages[*]} $(configuration_packages "$name")"
        fi
    done
    if [[ ${#chosen[@]} -eq 0 ]]; then return; fi
    need "${packages[@]}"
    optional_packages "${chosen[@]}"
    witnesses
    step_count=${#chosen[@]}
    for name in "${chosen[@]}"; do
        step "$name" "${configuration_seconds[$name]}" "$name" run_configuration "$name"
        if [[ " ${step_failures[*]} " != *" $name "* ]]; then remember_green "$name" "$state"; fi
    done
    end_steps
}

# short_tests: runs the tests of the preset `short` on the scalar backend and on this CPU's default backend.
short_tests()
{
    local isa others=()
    isa=$(./build/short/cli/pto info | sed -n 's/^in use: \([a-z0-9]*\).*/\1/p')
    for name in avx2 avx512 neon sve rvv generic; do
        if [[ $name != "$isa" ]]; then others+=("$name"); fi
    done
    [[ -n $isa ]] || die "pto info names no active backend"
    ctest --preset short -j "$jobs" -E "[.]($(IFS='|' && echo "${others[*]}"))([.-]|\$)|[.]avx512-"
}

# test_short: the short test, for which one can wait. It has one build with gcc, reduced sweeps, the default backend and
# scalar, the witnesses, the Python package, and the quick part of lint.
test_short()
{
    echo "The short test takes about 10 minutes on two idle cores, downloads not counted. ./run test all is the whole matrix."
    need "${test_packages[@]}" "${short_packages[@]}"
    witnesses
    need_environment build/short-python tools/requirements/python-test.txt
    step_count=4
    step short-lint 10 "lint: format, shell scripts, includes" lint_quick
    step short-build 210 "build with gcc -O2" build short
    # If the build failed, there is nothing to test.
    if [[ ${#step_failures[@]} -ne 0 && ${step_failures[-1]} == build* ]]; then step_count=$step_number end_steps; fi
    step short-tests 150 "tests: the scalar backend, this CPU's default, and the witnesses" short_tests
    step short-python 60 "the Python package" test_python_short
    end_steps
}

# list_configurations [SECONDS]: prints the configurations of the matrix as a JSON list, or only those that take at most
# that many seconds. Workflows read it.
list_configurations()
{
    local name names=()
    for name in "${configurations[@]}"; do
        if [[ ${configuration_seconds[$name]} -le ${1:-100000} ]]; then names+=("\"$name\""); fi
    done
    (IFS=, && echo "[${names[*]}]")
}

test_command()
{
    local name
    case ${1:-} in
    "") test_short ;;
    list) list_configurations "${@:2}" ;;
    all) run_configurations resume "${configurations[@]}" ;;
    turn)
        read -ra names <<<"${turns[$(git rev-list --count HEAD) % ${#turns[@]}]}"
        echo "this turn: ${names[*]}"
        run_configurations "${names[@]}"
        ;;
    exhaustive)
        need "${test_packages[@]}" "${bench_packages[@]}"
        witnesses
        step_count=1
        step build-gcc-release 300 "build gcc-release" build gcc-release
        end_steps
        ctest --test-dir build/gcc-release -L exhaustive --output-on-failure --no-tests=error -j "$jobs"
        ;;
    *)
        for name; do
            [[ " ${configurations[*]} " == *" $name "* ]] ||
                die "no configuration $name; there are: all, list, turn, exhaustive, ${configurations[*]}"
        done
        run_configurations "$@"
        ;;
    esac
}
