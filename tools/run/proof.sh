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

# proof --faults: plants faults, each of which must be refuted.
# proof --models [--count N]: compares models of instructions with the CPU.
# proof [OPTION...] [BACKEND [PATTERN]]: proves what test/proof/proved.txt does not have.
proof()
{
    local program=prove.py
    case ${1:-} in
    --faults) program=faults.py ;;
    --models) program=test_x86.py ;;
    esac
    if [[ $program != prove.py ]]; then shift; fi
    prepare_proof
    build/proof-python/bin/python "test/proof/$program" "$@"
}
