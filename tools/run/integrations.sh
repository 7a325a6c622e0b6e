# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The command ./run integrations: tests libpto inside other projects. Sourced by ./run.
#
# integrations/NAME/ has what libpto adds to the project NAME: a README.md, requirements.txt with the packages of PyPI and
# their hashes, and the script NAME.sh, which tests it. The script runs in the root of the repository, with these
# variables:
#
#   PYTHON      the Python that has the packages of requirements.txt
#   PYTHONPATH  the folder with the package pto
#   BUILD       the build folder, which has libpto.so, libpto.a and the command
#
# A script that cannot test anything prints a line "integrations: NAME: skipped: REASON", and succeeds. Lines that begin
# with "integrations: " are shown. ./run ends a script after integration_limit seconds.

integration_limit=480

# The expected time of each integration in seconds on two cores, without downloads. The default is 60.
declare -A integration_seconds=([triton]=40 [onnxruntime]=40 [openvino]=75 [gpgpu-sim]=5 [ggml]=60 [tvm-ffi]=75 [torch]=100 [pto-isa]=5)

# integration_names: prints the names of all integrations.
integration_names()
{
    local folder
    for folder in integrations/*/; do basename "$folder"; done
}

# test_integration NAME: installs the packages of an integration and runs its script with the package that the preset
# `short` built. If pip cannot get the packages, the test is skipped.
test_integration()
{
    local name=$1 status=0 environment=$PWD/build/integrations-$1 package=$PWD/build/integrations-package
    environment "$environment" "integrations/$name/requirements.txt" || {
        echo "integrations: $name: skipped: pip cannot install integrations/$name/requirements.txt"
        return 0
    }
    rm -rf "$package"
    mkdir -p "$package"
    cp -r python/pto "$package/pto"
    cp build/short/python/_core*.so "$package/pto/"
    PYTHON=$environment/bin/python PYTHONPATH=$package BUILD=build/short \
        timeout "$integration_limit" bash "integrations/$name/$name.sh" || status=$?
    if [[ $status -eq 124 ]]; then echo "integrations: $name: ended after $integration_limit seconds"; fi
    return "$status"
}

# build_for_integrations: builds what the scripts of the integrations use.
build_for_integrations()
{
    need_environment build/short-python tools/requirements/python-test.txt
    build short pto_python pto_shared pto_static pto_command
}

# test_integrations: tests all integrations, as one configuration of the matrix.
test_integrations()
{
    local name names
    mapfile -t names < <(integration_names)
    build_for_integrations
    for name in "${names[@]}"; do test_integration "$name"; done
}

# integrations_command [NAME...]: tests these integrations, or all, each as a step.
integrations_command()
{
    local name all names=("$@")
    mapfile -t all < <(integration_names)
    if [[ $# -eq 0 ]]; then names=("${all[@]}"); fi
    for name in "${names[@]}"; do
        [[ " ${all[*]} " == *" $name "* ]] || die "no integration $name; there are: ${all[*]}"
    done
    need "${test_packages[@]}"
    step_count=$((${#names[@]} + 1))
    step integrations-build 100 "build the package, the libraries and the command" build_for_integrations
    if [[ ${#step_failures[@]} -ne 0 ]]; then step_count=$step_number end_steps; fi
    for name in "${names[@]}"; do
        step "integrations-$name" "${integration_seconds[$name]:-60}" "$name" test_integration "$name"
    done
    end_steps
}
