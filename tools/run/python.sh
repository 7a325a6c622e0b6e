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

# oracles ENVIRONMENT WHEEL: installs the packages with whose results the tests compare. If that fails, these tests are
# skipped.
oracles()
{
    pip_install "$1/bin/python" --only-binary :all: "${2}[oracles]" ||
        echo "oracles: skipped: pip cannot install gfloat and onnx here"
}

# test_python: tests the wheel. It is installed in a new environment and used from another folder, so that the
# repository's files, except the tests, are not visible.
test_python()
{
    local here=$PWD elsewhere status=0 built
    # shellcheck disable=SC2016 # the backticks are Markdown's
    local block='/^```python/,/^```/{/^```/d;p}'
    wheel
    lint_python
    elsewhere=$(mktemp -d)
    built=$(echo "$here"/build/wheel/*.whl)
    {
        environment "$elsewhere/environment" "about 60 MB" "${built}[test]" &&
            oracles "$elsewhere/environment" "$built" &&
            cd "$elsewhere" &&
            environment/bin/python -m pytest -q -rs -c "$here/pyproject.toml" "$here/python/tests" &&
            environment/bin/python -m pytest -q -rs -c "$here/pyproject.toml" --doctest-modules \
                --doctest-ignore-import-errors --pyargs pto &&
            sed -n "$block" "$here/README.md" "$here/python/README.md" | environment/bin/python -W error - >/dev/null
    } || status=$?
    cd "$here"
    rm -rf "$elsewhere"
    return "$status"
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
