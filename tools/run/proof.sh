# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The command ./run proof: proves with an SMT solver that kernels equal the scalar definition, and that IEEE 754.
# Sourced by ./run.

# prepare_proof: installs what proofs need, and writes the compiler's commands for the library to build/proof.
prepare_proof()
{
    need "${build_packages[@]}" "${proof_packages[@]}"
    need_environment build/proof-python tools/requirements/proof.txt
    mkdir -p build/log
    quietly build/log/proof-configure.log cmake --preset proof
}

# proof --help: prints the lines of ./run help about proofs, and installs nothing.
# proof --faults: plants faults, each of which must be refuted.
# proof --models [--count N]: compares models of instructions with the CPU, or with qemu.
# proof [OPTION...] [BACKEND [PATTERN]]: proves what test/proof/proved.txt does not have.
proof()
{
    local programs=(prove.py) program
    if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
        usage | awk '/^[.]\/run /{shown = $2 == "proof"} shown'
        return
    fi
    case ${1:-} in
    --faults) programs=(faults.py) ;;
    --models) programs=(test_x86.py test_x86_512.py test_arm.py) ;;
    esac
    if [[ ${programs[0]} != prove.py ]]; then shift; fi
    prepare_proof
    for program in "${programs[@]}"; do build/proof-python/bin/python "test/proof/$program" "$@" || return; done
}

# test_proof: compares models, plants faults, and proves what is not proved yet and a sample of the rest. CI proves only
# what was proved before a change, and does not wait for all of it.
test_proof()
{
    local limit=()
    if [[ ${CI:-} == true ]]; then limit=(--changed --seconds 300); fi
    proof --models
    proof --faults
    proof --sample 20 "${limit[@]}"
}
