# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Builds the wheel of the Python package and runs its tests. Sourced by ./run.

# wheel: makes the source distribution from ./python, and the wheel from it. A file that the source distribution lacks
# therefore makes the build fail.
wheel()
{
    local tools=$PWD/build/wheel-tools sources built size log=build/log/wheel.log
    mkdir -p build/log
    need_environment "$tools" tools/requirements/wheel.txt
    rm -rf build/wheel "$log"
    quietly "$log" "$tools/bin/python" -m build --sdist --no-isolation --outdir "$PWD/build/wheel" python
    sources=$(echo build/wheel/libpto-*.tar.gz)
    if tar -tzf "$sources" | grep -E '^[^/]*/(build|bench|test)/'; then die "the source distribution has superfluous files"; fi
    echo "building the wheel; the compiler's output is in $log"
    PATH=$tools/bin:$PATH quietly "$log" "$tools/bin/python" -m pip --disable-pip-version-check wheel --verbose \
        --no-deps --no-build-isolation --wheel-dir build/wheel/built "$sources"
    if grep 'python/core/.*warning' "$log"; then die "the compiler warns"; fi
    built=$(echo build/wheel/built/*.whl)
    PATH=$tools/bin:$PATH quietly "$log" "$tools/bin/python" -m auditwheel repair "$built" --wheel-dir build/wheel
    rm -rf build/wheel/built
    size=$(stat -c %s build/wheel/*.whl)
    [[ $size -lt 3000000 ]] || die "the wheel has $size bytes; the limit is 3000000"
    say "build/wheel has: $(cd build/wheel && echo *), the wheel $size bytes"
}

# find_python VERSION: prints the name of a Python of this version that has venv, from PATH or pyenv. VERSION is 3.13,
# for example, or 3.13t for a free-threaded Python.
find_python()
{
    local python
    for python in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/${1%t}".*/bin/"python$1"; do
        if "$python" -c "import ensurepip, sys; sys.exit(sys.version_info[:2] != (3, ${1//[^0-9]/} % 100))" 2>/dev/null; then
            command -v "$python"
            return
        fi
    done
    return 1
}

# wheel_free_threaded: makes a wheel for each free-threaded Python of this machine. They have no limited API, so each
# needs its own wheel.
wheel_free_threaded()
{
    local version python tools=$PWD/build/free-threaded-python found=false
    for version in 3.13t 3.14t; do
        python=$(find_python "$version") || continue
        found=true
        empty_environment "$tools" "$python"
        pip_install_list "$tools/bin/python" tools/requirements/wheel.txt
        PATH=$tools/bin:$PATH "$tools/bin/python" -m pip --disable-pip-version-check wheel --no-deps \
            --no-build-isolation --wheel-dir build/wheel/free-threaded/built build/wheel/libpto-*.tar.gz
        PATH=$tools/bin:$PATH "$tools/bin/python" -m auditwheel repair build/wheel/free-threaded/built/*.whl \
            --wheel-dir build/wheel/free-threaded
        rm -rf build/wheel/free-threaded/built
        "$tools/bin/python" -m pip install --no-deps build/wheel/free-threaded/libpto-*"cp${version//[!0-9t]/}"*.whl
        "$tools/bin/python" -c 'import pto; print(pto.explain("setp.lt.f32"))'
    done
    if ! $found; then echo "wheel: free-threaded Python: skipped: not on this machine"; fi
}

# test_wheel_everywhere WHEEL FOLDER: uses the one wheel with every Python from 3.10 to 3.14 of this machine, in environments
# below FOLDER.
test_wheel_everywhere()
{
    local minor python environment here=$PWD tests=(test_text.py test_kernels.py test_program.py)
    build/wheel-tools/bin/abi3audit --strict "$1"
    for minor in 10 11 12 13 14; do
        python=$(find_python "3.$minor") || {
            echo "wheel: Python 3.$minor: skipped: not on this machine"
            continue
        }
        environment=$2/python3.$minor
        empty_environment "$environment" "$python"
        pip_install_list "$environment/bin/python" tools/requirements/interpreters.txt
        pip_install "$environment/bin/python" --no-deps "$1"
        (cd "$2" && "$environment/bin/python" -m pytest -q -c "$here/pyproject.toml" "${tests[@]/#/$here/python/tests/}")
        echo "wheel: Python 3.$minor: its tests pass"
    done
}

# test_python: tests the wheel. It is installed in a new environment and used from another folder, so that the
# repository's files, except the tests, are not visible.
test_python()
{
    local here=$PWD elsewhere built
    # shellcheck disable=SC2016 # the backticks are Markdown's
    local block='/^```python/,/^```/{/^```/d;p}'
    wheel
    wheel_free_threaded
    lint_python
    elsewhere=$(mktemp -d)
    # shellcheck disable=SC2064 # $elsewhere must be expanded now
    trap "rm -rf '$elsewhere'" EXIT
    built=$(echo "$here"/build/wheel/*.whl)
    need_environment "$elsewhere/environment" tools/requirements/wheel-test.txt
    install_lists oracles "$elsewhere/environment" tools/requirements/oracles.txt
    pip_install "$elsewhere/environment/bin/python" --no-deps "$built"
    "$elsewhere/environment/bin/python" -m pip check
    (
        cd "$elsewhere"
        environment/bin/python -m pytest -q -rs -c "$here/pyproject.toml" "$here/python/tests"
        environment/bin/python -m pytest -q -rs -c "$here/pyproject.toml" --doctest-modules \
            --doctest-ignore-import-errors --pyargs pto
        sed -n "$block" "$here/README.md" "$here/python/README.md" | environment/bin/python -W error - >/dev/null
    )
    test_wheel_everywhere "$built" "$elsewhere"
    run_in_fresh_root build/wheel-root "python3-venv python3-numpy" fresh_wheel.sh "$built"
}

# test_package ENVIRONMENT TEST...: tests the package that the preset `short` built, without a wheel.
test_package()
{
    local here=$PWD package=$PWD/build/short/python-package environment=$PWD/$1
    shift
    rm -rf "$package"
    mkdir -p "$package"
    cp -r python/pto "$package/pto"
    cp build/short/python/_core*.so "$package/pto/"
    (
        cd "$package"
        PYTHONPATH=$package "$environment/bin/python" -m pytest -q -rs -n "$jobs" -c "$here/pyproject.toml" \
            "${@/#/$here/python/tests/}"
    )
}

test_python_short()
{
    ruff_python build/short-python/bin/ruff
    test_package build/short-python ""
}

# test_stacks: compares block scaling with the functions of other stacks. They are installed into an environment of their
# own, which also has the packages of build/frameworks-python: those of the stacks must not change what the other tests
# import.
test_stacks()
{
    local folder=build/stacks-python packages
    if [[ ! -x $folder/bin/python ]]; then empty_environment "$folder" || die "no Python with venv"; fi
    packages=$(echo "$folder"/lib/python3*/site-packages)
    realpath build/frameworks-python/lib/python3*/site-packages >"$packages/frameworks.pth"
    install_lists witness.block "$folder" "${stack_lists[@]}"
    "$folder/bin/python" -W ignore -B test/witness/block_witness.py build/short/libpto.so
}

# test_frameworks: runs the tests that need torch, jax or transformers. If pip cannot get these, the tests are skipped.
test_frameworks()
{
    need_environment build/short-python tools/requirements/python-test.txt
    environment build/frameworks-python tools/requirements/frameworks.txt || {
        echo "frameworks: skipped: pip cannot install the packages of tools/requirements/frameworks.txt"
        return 0
    }
    build short
    test_package build/frameworks-python test_torch.py test_jax.py test_oracle_torch.py test_frameworks.py \
        test_docs.py test_quantize_inputs.py test_quantize_models.py test_quantize_loaders.py test_dequantize_loaders.py
    test_stacks
}
