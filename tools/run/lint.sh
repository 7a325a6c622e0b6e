# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Checks of the sources. Sourced by ./run.

# The folders with C and C++ files, and the shell scripts. shellcheck reads the files of tools/run/ as part of `run`.
lint_folders=(src program cli web python test examples tools bench integrations packaging)
lint_scripts=(run .ci/run tools/abi.sh tools/check_includes.sh tools/check_circles.sh tools/check_forge.sh tools/release/*.sh
    tools/scale/*.sh template/*.sh test/consumer/consumer.sh test/command/command.sh test/package/*.sh test/release/release.sh
    test/suite/simd128.sh
    cli/pto.bash
    integrations/*/*.sh)

# only_chosen FILE...: copies the lines of the input that are among the files, or all if there are no files.
only_chosen()
{
    if [[ $# -eq 0 ]]; then cat; else grep -Fx -f <(printf '%s\n' "$@") || true; fi
}

# lint_quick [FILE...]: runs the checks that take seconds: format, shell scripts, includes between folders, and what the
# files of the forge refer to. If files are given, the format and the scripts are checked only for these.
lint_quick()
{
    local files scripts
    mapfile -t files < <(find include "${lint_folders[@]}" -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \
        -o -name '*.hpp' -o -path 'bench/*.cpp' -o -path 'test/hpp/*.cpp' -o -path 'integrations/*.cpp' \
        -o -path 'web/page/*.js' | sort | only_chosen "$@")
    mapfile -t scripts < <(printf '%s\n' "${lint_scripts[@]}" | only_chosen "${@/#tools\/run\/*/run}")
    if [[ ${#files[@]} -gt 0 ]]; then
        printf '%s\0' "${files[@]}" | xargs -0 -n 100 -P "$jobs" clang-format --dry-run --Werror
        # clang-format leaves comments alone. Rows of tables may be longer.
        awk 'length > 120 && FILENAME !~ /test.data/ && !/^ \* \|/ { print FILENAME ":" FNR ": more than 120 columns"; found = 1 }
            END { exit found }' "${files[@]}"
    fi
    if [[ ${#scripts[@]} -gt 0 ]]; then shellcheck -x "${scripts[@]}"; fi
    tools/check_includes.sh
    tools/check_forge.sh
    echo "lint: the format of ${#files[@]} files, ${#scripts[@]} shell scripts and all includes are correct"
}

# lint_command [FILE...]: the quick checks, and ruff if the short test or the configuration python has installed it.
lint_command()
{
    local ruff
    lint_quick "$@"
    for ruff in build/{short-python,wheel-tools}/bin/ruff; do
        if [[ -x $ruff ]]; then
            ruff_python "$ruff"
            return
        fi
    done
    echo "lint: the Python sources: skipped: no ruff in build/; ./run test python installs it"
}

# lint_forge: validates workflows, issue forms, the citation and the hooks. Skipped if pip cannot get the tools.
lint_forge()
{
    local tools=build/release-python/bin
    environment build/release-python tools/requirements/release.txt || {
        echo "lint: workflows and forms: skipped: pip cannot install the packages of tools/requirements/release.txt"
        return 0
    }
    "$tools/yamllint" --strict .github CITATION.cff .pre-commit-config.yaml
    "$tools/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml
    "$tools/check-jsonschema" --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/{bug,request,wrong-result}.yml
    "$tools/check-jsonschema" --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
    "$tools/check-jsonschema" --builtin-schema vendor.citation-file-format CITATION.cff
    "$tools/zizmor" --offline --quiet .github/workflows
    "$tools/pre-commit" validate-config
}

# lint: runs the quick checks, clang-tidy and cppcheck on all translation units, and builds the documentation, which
# must not give a warning.
lint()
{
    local sources
    lint_quick
    lint_forge
    cmake --preset lint
    cmake --build build/lint \
        --target test/legal_table.inc test/cvt_forms.inc test/cvt_since.inc test/ptx_truth_forms.inc \
        test/header_examples.c test/hpp_examples.cpp test/readme.c test/readme.cpp # generated sources
    # clang-tidy and cppcheck take the translation units from here, and reach the headers through them.
    mapfile -t sources < <(sed -n 's/^ *"file": "\(.*\)".*/\1/p' build/lint/compile_commands.json | sort -u)
    [[ ${#sources[@]} -gt 0 ]] || die "nothing to lint"
    printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$jobs" clang-tidy --quiet --warnings-as-errors='*' -p build/lint
    # cppcheck does not define the compiler's predefined macros.
    cppcheck --project=build/lint/compile_commands.json --quiet --error-exitcode=1 --inline-suppr -j "$jobs" \
        --enable=warning,style,performance,portability --suppressions-list=.cppcheck-suppressions \
        -D__GNUC__=12 -D__x86_64__ -D__SSE2__ -D__AVX2__ -D__BMI2__ -D__F16C__ \
        -D__AVX512F__ -D__AVX512BW__ -D__AVX512DQ__ -D__AVX512VL__ -D__AVX512FP16__ \
        -D__AVX512VBMI__ -D__AVX512VBMI2__ -D__GFNI__
    docs
    echo "lint: ${#sources[@]} translation units are clean, and the documentation builds without a warning"
}

# ruff_python RUFF: checks the format of the Python sources, and runs ruff's checks.
ruff_python()
{
    local folders=(python bench/python bench/judge integrations tools/requirements tools/release packaging web test/proof)
    "$1" check --quiet "${folders[@]}"
    "$1" format --check --quiet "${folders[@]}"
}

# lint_python: runs ruff and mypy, and clang-tidy and cppcheck on the C sources of the package.
lint_python()
{
    local tools=$PWD/build/wheel-tools
    ruff_python "$tools/bin/ruff"
    (cd build && "$tools/bin/mypy" --config-file ../pyproject.toml --cache-dir mypy ../python/pto &&
        MYPYPATH=../python:../bench/python "$tools/bin/mypy" --config-file ../pyproject.toml --cache-dir mypy ../bench/python)
    cmake -S . -B build/lint-python -G Ninja -DCMAKE_C_COMPILER=clang -DPTO_PYTHON=ON \
        -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF -DPTO_COMMAND=OFF -DPTO_SLEEF=AUTO \
        -DPython_EXECUTABLE="$tools/bin/python" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    printf '%s\0' python/core/*.c |
        xargs -0 -n 1 -P "$jobs" clang-tidy --quiet --warnings-as-errors='*' -p build/lint-python
    cppcheck --quiet --error-exitcode=1 --inline-suppr -j "$jobs" --enable=warning,style,performance,portability \
        --suppressions-list=.cppcheck-suppressions -I include -D__GNUC__=12 -D__x86_64__ python/core/*.c
}
